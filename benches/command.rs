//! The command as a whole process: `cargo bench --bench command`.
//!
//! Prints the time of emitting the paper preset as a share of the allowed 0.2 s, and, with `-- --build`, the
//! time of a full build of the command as a share of 3 minutes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut emission = Command::new(env!("CARGO_BIN_EXE_warpsmith"));
    emission.args(["emit", "hmg_directory", "--preset", "paper"]).current_dir(scratch.path());
    let mut times: Vec<_> = (0..21).map(|_| time(&mut emission)).collect();
    times.sort();
    print("emit hmg_directory --preset paper, median of 21", times[10], Duration::from_millis(200));

    if std::env::args().any(|argument| argument == "--build") {
        let target = tempfile::tempdir().expect("a temporary folder");
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--release", "--offline", "--manifest-path"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            .env("CARGO_TARGET_DIR", target.path());
        print("cargo build --release from nothing", time(&mut build), Duration::from_secs(180));
    }
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
