//! Shared by the tests of the command line: runs in a temporary folder, and missing tools.

#![allow(dead_code, reason = "each test file uses a part")]

pub mod junit;
pub mod prove;
pub mod schema;
pub mod tiny_library;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A temporary folder.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// The result of a run of the command.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `warpsmith` in the folder.
pub fn run(scratch: &Scratch, arguments: &[&str]) -> Ended {
    run_with(scratch, arguments, &[])
}

/// Runs `warpsmith` in the folder, with environment variables set.
pub fn run_with(scratch: &Scratch, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_warpsmith"))
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(scratch.0.path())
        .output()
        .expect("the command starts");
    Ended {
        // A signal has no code: no test expects the exit code of a crash.
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Replaces text that occurs exactly once in a file.
pub fn replaced(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("emitted");
    assert_eq!(text.matches(from).count(), 1, "`{from}` stands once in {}", path.display());
    std::fs::write(path, text.replace(from, to)).expect("writable");
}

/// The Verilog of GETM's validation unit, in which a store is validated as a load.
pub fn broken_validation_unit(scratch: &Scratch) -> String {
    let emitted = run(scratch, &["emit", "getm_validation", "--preset", "paper", "--out", "mine"]);
    assert_eq!(emitted.code, 0, "{emitted:?}");
    let file = scratch.path("mine/getm_validation/paper/getm_validation.v");
    replaced(&file, "(access_store ? 2'd1 : 2'd0)", "2'd0");
    file.display().to_string()
}

/// Whether a tool of the flows is installed. Without it a test is reported as skipped, but fails in CI.
pub fn needs(test: &str, tool: &warpsmith::flow::tool::Tool) -> bool {
    let Err(why) = tool.find() else { return true };
    assert!(std::env::var_os("CI").is_none(), "{test}: {why}");
    eprintln!("skipped: {test}: {why}");
    false
}

/// Whether a program is installed. Without it a test is reported as skipped, but fails in CI.
pub fn there(test: &str, program: &str, arguments: &[&str], package: &str) -> bool {
    let found = Command::new(program).args(arguments).output().is_ok_and(|o| o.status.success());
    assert!(found || std::env::var_os("CI").is_none(), "{test} needs {program}: {package}");
    if !found {
        eprintln!("skipped: {test}: {program} is missing: {package}");
    }
    found
}

/// Runs a program: whether it succeeded, and its output.
pub fn says(folder: &Path, program: &str, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Runs a program that must end without output.
pub fn silent(folder: &Path, program: &str, arguments: &[&str]) {
    let (ok, said) = says(folder, program, arguments);
    assert!(ok && said.trim().is_empty(), "{program} {}: {said}", arguments.join(" "));
}

/// Writes a shell script as a program. Another process writes it, because a file that this one has open for
/// writing cannot be executed.
pub fn program(scratch: &Scratch, name: &str, script: &str) -> String {
    let (text, program) = (scratch.path(&format!("{name}.sh")), scratch.path(name));
    std::fs::write(&text, format!("#!/bin/sh\n{script}\n")).expect("writable");
    let installed = Command::new("install").args(["-m", "755"]).arg(&text).arg(&program).status();
    assert!(installed.expect("install starts").success());
    program.display().to_string()
}

/// Whether Verilator is installed. Without it a test is reported as skipped, but fails in CI.
pub fn needs_verilator(test: &str) -> bool {
    let is_there = Command::new("verilator").arg("--version").output().is_ok();
    if !is_there {
        assert!(
            std::env::var_os("CI").is_none(),
            "{test}: verilator is missing; Debian: apt-get install verilator"
        );
        eprintln!("skipped: {test}: verilator is missing; Debian: apt-get install verilator");
    }
    is_there
}

/// Wrong input or a missing tool: exit code 2, one message with all these words, and on the standard output
/// nothing, or the error with `--json`.
pub fn refused(ended: &Ended, words: &[&str]) {
    assert_eq!(ended.code, 2, "{ended:?}");
    let is_error = || schema::document(ended)["error"]["message"].is_string();
    assert!(ended.stdout.is_empty() || is_error(), "{ended:?}");
    assert_eq!(ended.stderr.matches("error:").count(), 1, "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
    }
}
