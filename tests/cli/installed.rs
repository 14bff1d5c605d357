//! The program alone, as `cargo install` puts it into a folder: without the checkout that it was built from.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::support::{Ended, Scratch, needs_verilator};

/// Runs the copied program in an empty folder, without anything of cargo in the environment.
fn run(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let mut command = Command::new(scratch.path("bin/warpsmith"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO")) {
        command.env_remove(name);
    }
    // A cache of its own: a model that was built in the checkout would hide what is missing.
    command.env("WARPSMITH_CACHE", scratch.path("cache"));
    command.args(arguments).current_dir(scratch.path("empty"));
    let output = loop {
        match command.output() {
            // Another test has begun a process while the copy was written, which has it open until it starts.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                sleep(Duration::from_millis(1))
            }
            output => break output.expect("the program starts"),
        }
    };
    Ended {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn installed() -> Scratch {
    let scratch = Scratch::new();
    for folder in ["bin", "empty"] {
        std::fs::create_dir(scratch.path(folder)).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_warpsmith"));
    std::fs::copy(program, scratch.path("bin/warpsmith")).expect("a copy");
    scratch
}

#[test]
fn it_emits_exports_and_runs_what_is_built_in() {
    let scratch = installed();
    for arguments in [
        &["emit", "s_fifo"][..],
        &["export", "s_fifo", "--fusesoc", "cores"],
        &["cosim", "s_fifo", "--requests", "2000"],
        &["claims"],
    ] {
        let ended = run(&scratch, arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
    }
    // So few runs do not show all that is allowed.
    let litmus = run(&scratch, &["litmus", "--system", "ideal", "--runs", "1", "--without-axioms"]);
    assert!(litmus.code == 1 && litmus.stdout.contains(" MP "), "{litmus:?}");
}

#[test]
fn it_builds_verilated_models() {
    if needs_verilator("it_builds_verilated_models") {
        let scratch = installed();
        let arguments = ["cosim", "s_fifo", "--backend", "verilator", "--requests", "2000"];
        let ended = run(&scratch, &arguments);
        assert_eq!(ended.code, 0, "{ended:?}");
    }
}

#[test]
fn it_knows_no_file_of_the_checkout() {
    let scratch = Scratch::new();
    let stripped = scratch.path("warpsmith");
    // Debug information names the folder of the compiler; `strip` comes with the linker.
    let mut strip = Command::new("strip");
    strip.arg("--strip-debug").arg("-o").arg(&stripped).arg(env!("CARGO_BIN_EXE_warpsmith"));
    assert!(strip.status().expect("strip starts").success());
    let program = std::fs::read(stripped).expect("the program");
    let checkout = env!("CARGO_MANIFEST_DIR").as_bytes();
    let found = |at: &usize| program[*at..].starts_with(checkout);
    for at in (0..program.len()).filter(found) {
        let rest = &program[at..program.len().min(at + 300)];
        let path = rest.split(|byte| !byte.is_ascii_graphic()).next().unwrap_or_default();
        let path = String::from_utf8_lossy(path);
        // Messages of panics name sources; nothing else may be looked up there.
        assert!(path.contains(".rs") || path.contains("/target/"), "{path}");
    }
}
