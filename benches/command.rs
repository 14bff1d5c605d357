//! The command as a whole process: `cargo bench --bench command`.
//!
//! Prints the time of emitting the paper preset as a share of the allowed 0.2 s, that of loading a module of 2 MB and
//! running a kernel of it as a share of a second, and, with `-- --build`, the time of a full build of the command as
//! a share of 4 minutes, and without compiled circuits as one of 3.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut emission = Command::new(env!("CARGO_BIN_EXE_warpsmith"));
    emission.args(["emit", "hmg_directory", "--preset", "paper"]).current_dir(scratch.path());
    let mut times: Vec<_> = (0..21).map(|_| time(&mut emission)).collect();
    times.sort();
    print("emit hmg_directory --preset paper, median of 21", times[10], Duration::from_millis(200));

    write_module(scratch.path());
    let mut run = Command::new(env!("CARGO_BIN_EXE_warpsmith"));
    run.args(["run", "large.ptx", "--launch", "large.toml"]).current_dir(scratch.path());
    let mut times: Vec<_> = (0..21).map(|_| time(&mut run)).collect();
    times.sort();
    print("run of a module of 2 MB, 100 kernels, median of 21", times[10], Duration::from_secs(1));

    if std::env::args().any(|argument| argument == "--build") {
        for (options, minutes) in [("", 4), (" --no-default-features", 3)] {
            let target = tempfile::tempdir().expect("a temporary folder");
            let mut build = Command::new(env!("CARGO"));
            build
                .args(["build", "--release", "--offline", "--manifest-path"])
                .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
                .args(options.split_whitespace())
                .env("CARGO_TARGET_DIR", target.path());
            let what = format!("cargo build --release{options} from nothing");
            print(&what, time(&mut build), Duration::from_secs(60 * minutes));
        }
    }
}

/// A module of a hundred kernels of 840 instructions, of which one is launched.
fn write_module(folder: &Path) {
    let body = "add.s32 %r1, %r2, 1; ld.global.u32 %r2, [%rd1];\n".repeat(420);
    let mut text = ".version 6.4\n.target sm_70\n.address_size 64\n".to_string();
    for at in 0..100 {
        text += &format!(
            ".visible .entry k{at}(.param .u64 p) {{ .reg .b32 %r<4>; .reg .b64 %rd<2>;\n\
             ld.param.u64 %rd1, [p]; {body} ret; }}\n"
        );
    }
    assert!(text.len() > 2_000_000, "{}", text.len());
    std::fs::write(folder.join("large.ptx"), text).expect("writable");
    let launch = "kernel = \"k57\"\ngrid = [1]\nblock = [32]\n\
                  [[arguments]]\nname = \"p\"\ntype = \"s32\"\ncount = 32\n";
    std::fs::write(folder.join("large.toml"), launch).expect("writable");
}

fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("the command starts").success(), "{command:?}");
    start.elapsed()
}

fn print(what: &str, took: Duration, allowed: Duration) {
    let share = took.as_secs_f64() / allowed.as_secs_f64();
    println!("{what}: {took:.3?}, {share:.3} of the {allowed:?} allowed");
}
