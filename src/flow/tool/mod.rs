//! External programs: finding them, checking versions, and running them with a log and a time limit.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

mod error;
mod groups;
mod permits;

pub use self::error::ToolError;

pub use self::permits::limit_runs;

/// A program that a flow needs, with its alternative names.
#[derive(Debug)]
pub struct Tool {
    /// Name in messages and records.
    pub name: &'static str,
    /// Environment variable that overrides the program.
    pub variable: &'static str,
    /// Names to look for in `PATH`, best first.
    pub programs: &'static [&'static str],
    /// Arguments that print the version.
    pub version_arguments: &'static [&'static str],
    /// The packages that provide it.
    pub packages: &'static str,
    /// The lowest supported version; 0.0 if it need not report one.
    pub at_least: Version,
}

/// Time limit for reporting a version: programs from PyPI compile themselves at their first start.
const START_LIMIT: Duration = Duration::from_secs(600);

/// Major and minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// A tool that was found.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name.
    pub name: &'static str,
    /// Path.
    pub path: PathBuf,
    /// The first line that it prints about its version.
    pub version_text: String,
    /// The version in it.
    pub version: Version,
}

impl Tool {
    /// Finds the tool and its version.
    ///
    /// # Errors
    /// [`ToolError`] if it is missing or too old.
    pub fn find(&self) -> Result<Program, ToolError> {
        let path = match std::env::var_os(self.variable).filter(|value| !value.is_empty()) {
            Some(chosen) => in_path(&chosen),
            None => self.programs.iter().find_map(|name| in_path(OsStr::new(name))),
        };
        let path = path.ok_or_else(|| ToolError::Missing {
            name: self.name,
            looked_for: match std::env::var(self.variable) {
                Ok(chosen) if !chosen.is_empty() => format!("`{chosen}`, from {}", self.variable),
                _ => format!("{} in PATH", self.programs.join(", ")),
            },
            packages: self.packages,
        })?;
        let (version_text, version) = self.version(&path)?;
        let program = Program { name: self.name, path, version_text, version };
        program.need(self.at_least, "", self.packages)?;
        Ok(program)
    }

    fn version(&self, path: &Path) -> Result<(String, Version), ToolError> {
        let failed = |source| ToolError::Start { path: path.to_owned(), source };
        let arguments = self.version_arguments;
        let (ended, mut printed) = printed(path, arguments, START_LIMIT).map_err(failed)?;
        if !ended {
            printed += &format!("\nand did not end within {} s", START_LIMIT.as_secs());
        }
        let found =
            printed.lines().find_map(|line| Some((line.trim().to_string(), version_in(line)?)));
        if found.is_none() && self.at_least == Version(0, 0) {
            let first = printed.lines().next().unwrap_or_default().to_string();
            return Ok((first, self.at_least));
        }
        found.ok_or_else(|| ToolError::NoVersion {
            path: path.to_owned(),
            printed: last_lines(&printed, 3),
        })
    }
}

impl Program {
    /// Requires a version.
    ///
    /// # Errors
    /// [`ToolError::TooOld`] if the version is lower.
    pub fn need(
        &self,
        needed: Version,
        why: &str,
        packages: &'static str,
    ) -> Result<(), ToolError> {
        match self.version >= needed {
            true => Ok(()),
            false => Err(ToolError::TooOld {
                path: self.path.clone(),
                found: self.version,
                needed,
                why: why.to_string(),
                packages,
            }),
        }
    }

    /// Runs it in `folder` with a time limit; its output goes to the file `log` there. Any exit status is
    /// accepted.
    ///
    /// # Errors
    /// [`ToolError::Start`], [`ToolError::Log`] or [`ToolError::TimedOut`].
    pub fn try_run<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: &[S],
        log: &str,
        limit: Duration,
    ) -> Result<Run, ToolError> {
        // Its time starts when it runs, not while it waits for a permit.
        let _permit = permits::wait();
        let started = Instant::now();
        let log = folder.join(log);
        let failed = |source| ToolError::Log { path: log.clone(), source };
        let out = File::create(&log).map_err(failed)?;
        let err = out.try_clone().map_err(failed)?;
        let mut command = Command::new(&self.path);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let group = groups::Group::spawn(&mut command)
            .map_err(|source| ToolError::Start { path: self.path.clone(), source })?;
        match wait(group, limit) {
            Some(status) => Ok(Run { status, log, elapsed: started.elapsed() }),
            None => Err(ToolError::TimedOut { name: self.name, limit, tail: tail(&log), log }),
        }
    }

    /// As [`Program::try_run`], but an exit status other than 0 is an error.
    ///
    /// # Errors
    /// As [`Program::try_run`], and [`ToolError::Failed`] for a non-zero exit status.
    pub fn run<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: &[S],
        log: &str,
        limit: Duration,
    ) -> Result<Run, ToolError> {
        let run = self.try_run(folder, arguments, log, limit)?;
        match run.status.success() {
            true => Ok(run),
            false => Err(ToolError::Failed {
                name: self.name,
                status: run.status,
                tail: tail(&run.log),
                log: run.log,
            }),
        }
    }
}

/// A run that ended within its limit.
#[derive(Debug)]
pub struct Run {
    /// Exit status.
    pub status: ExitStatus,
    /// Its whole output.
    pub log: PathBuf,
    /// Duration.
    pub elapsed: Duration,
}

/// A program's output, and whether it ended in time; it gets no input.
///
/// # Errors
/// Fails if the program cannot be started.
pub fn printed<S: AsRef<OsStr>>(
    path: &Path,
    arguments: &[S],
    limit: Duration,
) -> io::Result<(bool, String)> {
    let mut out = tempfile::tempfile()?;
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::null());
    command.stdout(out.try_clone()?).stderr(out.try_clone()?);
    let ended = wait(groups::Group::spawn(&mut command)?, limit).is_some();
    let mut printed = Vec::new();
    out.seek(SeekFrom::Start(0))?;
    out.read_to_end(&mut printed)?;
    Ok((ended, String::from_utf8_lossy(&printed).into_owned()))
}

/// The child's exit status; none if time ran out, in which case the process group was killed.
fn wait(mut group: groups::Group, limit: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        let child: &mut Child = group.leader();
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= end {
            return None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The program itself if it is a path, else the first of that name in `PATH`.
fn in_path(program: &OsStr) -> Option<PathBuf> {
    let as_path = Path::new(program);
    if as_path.components().count() > 1 {
        return is_executable(as_path).then(|| as_path.to_owned());
    }
    programs_in_path(program).next()
}

/// All programs of that name in `PATH`, in its order.
pub fn programs_in_path(name: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    folders.into_iter().map(move |folder| folder.join(&name)).filter(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// The first `digits.digits` in a line.
fn version_in(line: &str) -> Option<Version> {
    let mut words = line.split(|c: char| !c.is_ascii_digit() && c != '.');
    words.find_map(|word| {
        let mut numbers = word.split('.');
        Some(Version(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    })
}

/// The last lines of a log, for a message.
pub fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    last_lines(&String::from_utf8_lossy(&text), 12)
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: Tool = Tool {
        name: "shell",
        variable: "WARPSMITH_TEST_NO_SUCH_VARIABLE",
        programs: &["sh"],
        version_arguments: &["-c", "echo noise; echo shell version 7.25b"],
        packages: "the system",
        at_least: Version(7, 3),
    };

    #[test]
    fn a_version_is_read_where_it_stands() {
        let shell = SHELL.find().unwrap();
        assert_eq!(shell.version, Version(7, 25));
        assert_eq!(shell.version_text, "shell version 7.25b");
        assert_eq!(version_in("nextpnr (Version nextpnr-0.11.1)"), Some(Version(0, 11)));
    }

    #[test]
    fn an_old_tool_is_refused_with_the_package_that_has_a_newer_one() {
        let newer = Tool { at_least: Version(8, 0), ..SHELL };
        let message = newer.find().unwrap_err().to_string();
        assert!(message.contains("is version 7.25, but 8.0 or newer is needed"), "{message}");
        assert!(message.ends_with("it comes with the system"), "{message}");
    }

    #[test]
    fn a_missing_tool_is_named_with_its_package() {
        let missing = Tool { programs: &["no-such-program"], packages: "package x", ..SHELL };
        let message = missing.find().unwrap_err().to_string();
        assert_eq!(
            message,
            "shell not found (looked for no-such-program in PATH); it comes with package x"
        );
    }

    #[test]
    fn a_tool_that_fails_leaves_its_log_and_its_last_lines() {
        let folder = tempfile::tempdir().unwrap();
        let script = ["-c", "echo first; echo the reason >&2; exit 3"];
        let limit = Duration::from_secs(60);
        let error =
            SHELL.find().unwrap().run(folder.path(), &script, "run.log", limit).unwrap_err();
        assert!(error.to_string().ends_with("first\nthe reason"), "{error}");
        assert_eq!(
            fs::read_to_string(folder.path().join("run.log")).unwrap(),
            "first\nthe reason\n"
        );
    }

    #[test]
    fn a_tool_that_runs_out_of_time_is_stopped_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let script = ["-c", "(sleep 3; echo alive > child) & sleep 100"];
        let limit = Duration::from_millis(300);
        let error =
            SHELL.find().unwrap().run(folder.path(), &script, "run.log", limit).unwrap_err();
        assert!(matches!(error, ToolError::TimedOut { .. }), "{error}");
        thread::sleep(Duration::from_secs(4));
        assert!(!folder.path().join("child").exists(), "a child outlived its tool");
    }
}
