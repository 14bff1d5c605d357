//! Errors of external programs.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use super::Version;

/// Why a tool failed.
#[derive(Debug, Error)]
pub enum ToolError {
    /// It is not installed.
    #[error("{name} not found (looked for {looked_for}); it comes with {packages}")]
    Missing {
        /// The tool.
        name: &'static str,
        /// The names searched for.
        looked_for: String,
        /// The packages to install.
        packages: &'static str,
    },
    /// It cannot be started.
    #[error("{} cannot be started: {source}", path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It reports no version.
    #[error("{} does not report its version; it printed: {printed}", path.display())]
    NoVersion {
        /// The program.
        path: PathBuf,
        /// Its output.
        printed: String,
    },
    /// It is too old.
    #[error("{} is version {found}, but {needed} or newer is needed{why}; it comes with {packages}", path.display())]
    TooOld {
        /// The program.
        path: PathBuf,
        /// Its version.
        found: Version,
        /// The lowest supported version.
        needed: Version,
        /// The purpose, beginning with a space, or empty.
        why: String,
        /// The packages to install.
        packages: &'static str,
    },
    /// It ended with an error.
    #[error("{name} failed ({status}); the last lines of {}:\n{tail}", log.display())]
    Failed {
        /// The tool.
        name: &'static str,
        /// Exit status.
        status: ExitStatus,
        /// Its whole output.
        log: PathBuf,
        /// The end of the log.
        tail: String,
    },
    /// It exceeded its time limit and was stopped.
    #[error("{name} was stopped after {} s; the last lines of {}:\n{tail}", limit.as_secs(), log.display())]
    TimedOut {
        /// The tool.
        name: &'static str,
        /// The time limit.
        limit: Duration,
        /// Its whole output.
        log: PathBuf,
        /// The end of the log.
        tail: String,
    },
    /// Its log cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
