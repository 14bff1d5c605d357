//! The programs that a build calls: Verilator and the C++ compiler.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

use super::error::VerilatorError;

/// A program and the Debian package that provides it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool<'a> {
    pub program: &'a Path,
    pub package: &'static str,
}

/// A tool's output, and whether it succeeded.
pub(super) struct Answer {
    pub success: bool,
    pub output: String,
    pub log: String,
}

/// Limit of a tool's processor time, ten times that of the largest block.
const LIMIT: Duration = Duration::from_secs(300);

impl Tool<'_> {
    /// Runs the tool in `folder`. Its failure is an answer, not an error.
    pub fn run<I, A>(&self, folder: &Path, arguments: I) -> Result<Answer, VerilatorError>
    where
        I: IntoIterator<Item = A>,
        A: AsRef<std::ffi::OsStr>,
    {
        let mut command = Command::new(self.program);
        // Tools translate their messages; `log` expects English ones.
        command.args(arguments).current_dir(folder).env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        let child = command.spawn().map_err(|e| self.error(e))?;
        // Child processes inherit a limit of processor time, so it also ends an endless loop in Verilator or
        // the compiler without a process of ours.
        let limit = Rlimit { current: Some(LIMIT.as_secs()), maximum: Some(LIMIT.as_secs()) };
        // Without the limit the tool runs unlimited; it may also have ended already.
        let _ = prlimit(Pid::from_raw(child.id() as i32), Resource::Cpu, limit);
        let output = child.wait_with_output().map_err(|e| self.error(e))?;
        let Output { status, stdout, stderr } = output;
        if !status.success() && start.elapsed() >= LIMIT {
            let (tool, limit) = (self.program.display().to_string(), LIMIT.as_secs());
            return Err(VerilatorError::TimedOut { tool, limit });
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Answer { success: status.success(), output: text(&stdout), log: text(&stderr) })
    }

    /// The output of `--version`, cached: Verilator takes 50 ms for it.
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

    /// The output of a query that must succeed.
    pub fn ask(&self, arguments: &[&str]) -> Result<String, VerilatorError> {
        let answer = self.run(Path::new("."), arguments)?;
        if answer.success {
            Ok(answer.output.trim().to_owned())
        } else {
            Err(self.error(io::Error::other(answer.log.trim().to_owned())))
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
