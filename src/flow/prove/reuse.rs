//! Findings of an earlier run in the place of a run that could only find the same.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::record::ProveRecord;
use super::{Programs, ProveOptions};
use crate::emission::hash_verilog;
use crate::flow::FlowError;
use crate::flow::folder::Folder;

/// The searches themselves: a change of them makes every earlier finding stale.
const SEARCHES: [&str; 4] = [
    include_str!("bounded.rs"),
    include_str!("induction.rs"),
    include_str!("parts.rs"),
    include_str!("unbounded.rs"),
];

/// Why an earlier document cannot be used.
#[derive(Debug, Error)]
#[error("{}: {why}; accepted: what `warpsmith prove BLOCK --json` prints", path.display())]
pub struct ReuseError {
    path: PathBuf,
    why: String,
}

/// SHA-256 of the Verilog with its properties, of the scripts, the options, and the tools with their
/// versions.
pub(super) fn key(
    folder: &Folder,
    files: &[String],
    read: &str,
    options: &ProveOptions,
    programs: &Programs,
) -> Result<String, FlowError> {
    let mut hash = Sha256::new();
    for name in files {
        hash_verilog(&mut hash, name, &folder.read(name)?);
    }
    SEARCHES.iter().for_each(|search| hash.update(search));
    let ProveOptions { depth, cover_depth, limit, each, searches, .. } = options;
    let tools = programs.used();
    hash.update(format!("{read}{depth}{cover_depth:?}{limit:?}{each:?}{searches:?}{tools:?}"));
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads the document of an earlier run.
///
/// # Errors
/// Returns [`ReuseError`] if it cannot be read, is of another command, or has a failing assertion: its
/// trace would be missing.
pub fn read(path: &Path) -> Result<ProveRecord, ReuseError> {
    let error = |why: String| ReuseError { path: path.to_owned(), why };
    let text = std::fs::read_to_string(path).map_err(|cause| error(cause.to_string()))?;
    let record: ProveRecord =
        serde_json::from_str(&text).map_err(|cause| error(cause.to_string()))?;
    match record.fails() {
        true => Err(error("an assertion fails, and its trace is not in the document".to_string())),
        false => Ok(record),
    }
}
