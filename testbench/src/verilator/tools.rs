//! The programs that a build calls: Verilator and the C++ compiler.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use super::error::VerilatorError;

/// A program and the Debian package that brings it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool<'a> {
    pub program: &'a Path,
    pub package: &'static str,
}

/// What a tool printed, and whether it was content.
pub(super) struct Answer {
    pub success: bool,
    pub text: String,
}

impl Tool<'_> {
    /// Runs the tool in `folder`. A failure of the tool itself is an answer, not an error.
    pub fn run<I, A>(&self, folder: &Path, arguments: I) -> Result<Answer, VerilatorError>
    where
        I: IntoIterator<Item = A>,
        A: AsRef<std::ffi::OsStr>,
    {
        let mut command = Command::new(self.program);
        // Tools translate their messages, and the filters below know the English ones.
        command.args(arguments).current_dir(folder).env("LC_ALL", "C");
        let Output { status, stdout, stderr } = command.output().map_err(|e| self.error(e))?;
        let mut text = String::from_utf8_lossy(&stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&stderr));
        Ok(Answer { success: status.success(), text })
    }

    /// What `--version` prints. Asked once per process: Verilator takes 50 ms to answer.
    pub fn version(&self) -> Result<String, VerilatorError> {
        static VERSIONS: Mutex<Option<HashMap<PathBuf, String>>> = Mutex::new(None);
        let mut versions = VERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let versions = versions.get_or_insert_default();
        if let Some(version) = versions.get(self.program) {
            return Ok(version.clone());
        }
        let version = self.ask(&["--version"])?;
        versions.insert(self.program.to_owned(), version.clone());
        Ok(version)
    }

    /// The answer to a question that the tool must be able to answer.
    pub fn ask(&self, arguments: &[&str]) -> Result<String, VerilatorError> {
        let answer = self.run(Path::new("."), arguments)?;
        if answer.success {
            Ok(answer.text.trim().to_owned())
        } else {
            Err(self.error(io::Error::other(answer.text.trim().to_owned())))
        }
    }

    fn error(&self, source: io::Error) -> VerilatorError {
        let tool = self.program.display().to_string();
        if source.kind() == io::ErrorKind::NotFound {
            VerilatorError::ToolMissing { tool, package: self.package }
        } else {
            VerilatorError::Tool { tool, source }
        }
    }
}

/// Lines of a log that are worth showing.
const SHOWN: usize = 40;

/// Keeps Verilator's errors, with the source lines and carets under them, and drops warnings and
/// advice. A log without a recognisable error is kept whole.
pub(super) fn verilator_errors(log: &str) -> String {
    let mut lines = Vec::new();
    let mut in_error = false;
    for line in log.lines() {
        if !line.starts_with(char::is_whitespace) {
            in_error = line.starts_with("%Error") && !line.starts_with("%Error: Exiting due to");
        }
        let text = line.trim_start();
        let advice = text.starts_with("... See the manual") || text.starts_with("... For error");
        if in_error && !advice {
            lines.push(line);
        }
    }
    shorten(if lines.is_empty() { log.lines().collect() } else { lines })
}

/// Keeps the beginning of the compiler's log: what comes later mostly follows from it.
pub(super) fn compiler_errors(log: &str) -> String {
    shorten(log.lines().collect())
}

fn shorten(mut lines: Vec<&str>) -> String {
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    let mut text = lines.join("\n");
    if more > 0 {
        text.push_str(&format!("\n... and {more} more lines"));
    }
    text
}
