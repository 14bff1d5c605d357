//! Programs that tests need and a machine may lack.

use std::env;
use std::io::{self, Write};
use std::process::Command;

/// Whether `program` is installed. If not, the calling test is reported as skipped, except in continuous
/// integration, where it fails.
pub fn there(program: &str, probe: &[&str], install: &str) -> bool {
    let works = Command::new(program).args(probe).output().is_ok_and(|o| o.status.success());
    if !works {
        assert!(env::var_os("CI").is_none(), "{program} {probe:?} does not work: {install}");
        // Bypasses the test harness, which captures the output of passing tests.
        let tool = install.rsplit(' ').next().unwrap_or(program);
        writeln!(io::stderr(), "skipped: {tool} missing").expect("standard error");
    }
    works
}

/// See [`there`].
pub fn verilator() -> bool {
    there("verilator", &["--version"], "apt-get install verilator")
}
