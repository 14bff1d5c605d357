//! What commands found of the blocks and kernels, recorded as one JSON document a line, in a file for each
//! block and one for the kernels.
//!
//! A record holds of a command's `--json` document what `warpsmith report` shows, and a key of the command's
//! inputs: a record with another key is stale.

pub mod boards;
mod document;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use document::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;
use warpsmith_blocks::block::Block;
use warpsmith_blocks::parameters::ParameterError;

use crate::baseline::circuit_key;
use crate::flow::FlowError;
use crate::gpu::config::Config;
use crate::gpu::systems::System;

/// The machines of the recorded kernels: a memory system's is the first that has its parts.
pub const MACHINES: [&str; 2] = ["hmg_4x4", "apu"];

/// Why records cannot be read or made.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A document is malformed.
    #[error(
        "{}: {why}; accepted: what cosim, prove, synth, sweep and run print with --json, and a sweep's journal",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A command failed.
    #[error("`{command}` cannot be recorded: {why}")]
    Command {
        /// The command.
        command: String,
        /// Its message.
        why: String,
    },
    /// The block has no such preset.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The circuit cannot be written.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

/// A command and what it found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The command, without `--json`.
    pub run: String,
    /// SHA-256 of its inputs: the circuit's Verilog without comments, or the kernel and its launch file.
    pub key: String,
    /// What it found.
    pub found: Document,
}

/// A run that the report wants, with the key of its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The command, without `--json`.
    pub run: String,
    /// SHA-256 of its inputs.
    pub key: String,
}

/// The runs of a block.
///
/// # Errors
/// Fails if a circuit cannot be written.
pub fn of_block(block: &Block) -> Result<Vec<Wanted>, RecordError> {
    let name = block.name;
    let mut all = Vec::new();
    // As many requests as meet every corner.
    for (preset, requests) in [("tiny", 200_000), ("fpga", 1_000_000), ("paper", 2_000_000)] {
        let key = circuit_key(&*block.configure(preset, &[])?)?;
        let mut add = |run: String| all.push(Wanted { run, key: key.clone() });
        add(format!("warpsmith cosim {name} --preset {preset} --requests {requests}"));
        match preset {
            // The largest preset that fits the device for every block.
            "tiny" => add(format!("warpsmith synth {name} --preset tiny --target ice40 --seeds 3")),
            "paper" => add(format!("warpsmith synth {name} --preset paper --target asic")),
            _ => {}
        }
    }
    Ok(all)
}

/// Each memory system that fits one of [`MACHINES`], with that machine.
fn systems() -> Vec<(&'static str, System)> {
    let machines = MACHINES.map(|name| {
        let config = Config::preset(name);
        (name, config.unwrap_or_else(|error| unreachable!("the preset is ours: {error}")))
    });
    let machine = |system: &System| {
        let (name, _) = machines.iter().find(|(_, config)| (system.fits)(config).is_ok())?;
        Some((*name, *system))
    };
    System::ALL.iter().filter_map(machine).collect()
}

/// The runs of every kernel in `folder` on every memory system, on its machine of [`MACHINES`].
///
/// # Errors
/// Fails if the folder or a kernel cannot be read.
pub fn of_kernels(folder: &Path) -> Result<Vec<Wanted>, RecordError> {
    let unreadable = |path: &Path, source| RecordError::Read { path: path.to_owned(), source };
    let entries = folder.read_dir().map_err(|source| unreadable(folder, source))?;
    let mut launches: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        // The others need a memory system with transactions.
        .filter(|path| !path.to_string_lossy().ends_with("_tx.toml"))
        .collect();
    launches.sort();
    let systems = systems();
    let mut all = Vec::new();
    for launch in launches {
        let kernel = launch.with_extension("ptx");
        let mut hash = Sha256::new();
        for path in [&kernel, &launch] {
            hash.update(std::fs::read(path).map_err(|source| unreadable(path, source))?);
        }
        let key: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let (kernel, launch) = (kernel.display(), launch.display());
        all.extend(systems.iter().map(|(machine, System { name, .. })| {
            let run = format!(
                "warpsmith run {kernel} --launch {launch} --preset {machine} --system {name}"
            );
            Wanted { run, key: key.clone() }
        }));
    }
    Ok(all)
}

/// Reads a file of records; none if it does not exist.
///
/// # Errors
/// Fails if it cannot be read or is malformed.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, RecordError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(RecordError::Read { path: path.to_owned(), source }),
    };
    let record = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| RecordError::Format {
            path: path.to_owned(),
            why: format!("line {}: {error}", index + 1),
        })
    };
    text.lines().enumerate().map(record).collect()
}

/// Reads a document that a command printed with `--json`, or the journal of a sweep.
///
/// # Errors
/// Fails if the file cannot be read or holds another document.
pub fn read_document(path: &Path) -> Result<Document, RecordError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
    let wrong = |error: serde_json::Error| RecordError::Format {
        path: path.to_owned(),
        why: error.to_string(),
    };
    let document = serde_json::from_str(&text);
    let journal = || Sweep::of_journal(&text).ok().filter(|sweep| !sweep.points.is_empty());
    document.or_else(|error| journal().map(Document::Sweep).ok_or_else(|| wrong(error)))
}

/// Runs a command of this program and returns its record.
///
/// # Errors
/// Fails if the command ends with exit code 2: it found nothing that could be recorded.
pub fn make(wanted: &Wanted) -> Result<Record, RecordError> {
    let failed = |why: String| RecordError::Command { command: wanted.run.clone(), why };
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let ended = Command::new(program)
        .args(wanted.run.split(' ').skip(1))
        .arg("--json")
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !matches!(ended.status.code(), Some(0 | 1)) {
        return Err(failed(String::from_utf8_lossy(&ended.stderr).trim().to_string()));
    }
    let found = serde_json::from_slice(&ended.stdout).map_err(|error| failed(error.to_string()))?;
    Ok(Record { run: wanted.run.clone(), key: wanted.key.clone(), found })
}

/// The text of a file of records.
pub fn text<T: Serialize>(records: &[T]) -> String {
    let line = |record: &T| serde_json::to_string(record).expect("a record is JSON") + "\n";
    records.iter().map(line).collect()
}
