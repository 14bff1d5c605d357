//! OpenSTA: scripts, and the lines that they print for this program.

use std::time::Duration;

use super::FlowError;
use super::folder::Folder;
use super::tool::{Program, Tool, Version};

/// OpenSTA.
pub const OPENSTA: Tool = Tool {
    name: "OpenSTA",
    variable: "WARPSMITH_STA",
    programs: &["sta"],
    version_arguments: &["-version"],
    packages: "Debian's opensta",
    at_least: Version(2, 0),
};

/// First character of a line for this program.
pub const MARK: char = '@';

/// Last line that a script prints.
const END: &str = "end of script";

/// Runs a script, kept as `<name>.tcl` beside its log `<name>.log`, and returns the lines that begin with
/// [`MARK`], without it.
///
/// # Errors
/// Returns [`FlowError`] if OpenSTA or any command of the script fails; OpenSTA itself continues after
/// errors.
pub fn run_script(
    sta: &Program,
    folder: &Folder,
    name: &str,
    script: &str,
    limit: Duration,
) -> Result<Vec<String>, FlowError> {
    let (file, log) = (format!("{name}.tcl"), format!("{name}.log"));
    folder.write(&file, &format!("{script}puts \"{END}\"\n"))?;
    sta.run(folder.path(), &["-no_init", "-no_splash", "-exit", &file], &log, limit)?;
    let text = folder.read(&log)?;
    let failed = |what: String| FlowError::Report { path: folder.file(&log), what };
    if let Some(error) = text.lines().find(|line| line.starts_with("Error")) {
        return Err(failed(format!("OpenSTA says: {error}")));
    }
    if text.lines().next_back() != Some(END) {
        return Err(failed("OpenSTA did not come to the end of its script".to_string()));
    }
    let marked = text.lines().filter_map(|line| line.strip_prefix(MARK));
    Ok(marked.map(str::to_string).collect())
}
