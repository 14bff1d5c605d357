//! Targets of exported cores, run by FuseSoC.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::FlowError;
use super::folder::Folder;
use super::tool::{Program, Tool, Version, tail};

/// FuseSoC.
pub const FUSESOC: Tool = Tool {
    name: "FuseSoC",
    variable: "WARPSMITH_FUSESOC",
    programs: &["fusesoc"],
    version_arguments: &["--version"],
    packages: "the PyPI package fusesoc",
    at_least: Version(2, 3),
};

/// Longest run of a target.
const LIMIT: Duration = Duration::from_secs(600);

/// A target that was run.
#[derive(Clone, Debug, Serialize)]
pub struct TargetRun {
    /// The target.
    pub target: String,
    /// Whether it ended well.
    pub passed: bool,
    /// Its whole output.
    pub log: PathBuf,
    /// The last lines of that.
    pub tail: String,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// Runs a target of a core in the folder `cores`; builds and the log go to `folder`.
///
/// # Errors
/// Returns [`FlowError`] if FuseSoC cannot be run; that the target fails is a result.
pub fn run(
    fusesoc: &Program,
    cores: &Path,
    core: &str,
    target: &str,
    folder: &Path,
) -> Result<TargetRun, FlowError> {
    let failed = |source| FlowError::File { path: cores.to_owned(), source };
    let cores = cores.canonicalize().map_err(failed)?.display().to_string();
    let folder = Folder::empty(folder)?;
    let target_option = format!("--target={target}");
    let arguments = ["--cores-root", &cores, "run", "--work-root", "work", &target_option, core];
    let run = fusesoc.try_run(folder.path(), &arguments, "fusesoc.log", LIMIT)?;
    Ok(TargetRun {
        target: target.to_string(),
        passed: run.status.success(),
        tail: tail(&run.log),
        log: run.log,
        seconds: run.elapsed.as_secs_f64(),
    })
}
