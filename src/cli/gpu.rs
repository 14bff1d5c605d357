//! Arguments that choose a machine of the behavioural GPU.

use std::path::{Path, PathBuf};

use clap::Args;

use super::UserError;
use crate::gpu::coherence::System;
use crate::gpu::config::Config;

/// The machine when nothing is said of it.
const PRESET: &str = "gtx480";

#[derive(Debug, Args)]
pub(super) struct MachineArgs {
    /// Machine: gtx480 (the default), hmg_4x4 or small
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// Machine from a file, in the form of src/gpu/config/presets
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// Memory system: no-remote-caching, software, software-hierarchical, nhcc, hmg (the default)
    /// or ideal
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// Shuffle arbitration and latencies; the same seed gives the same run
    #[arg(long, value_name = "SEED")]
    pub(super) perturb: Option<u64>,
}

impl MachineArgs {
    /// The machine and its name.
    pub(super) fn config(&self) -> Result<(Config, String), UserError> {
        match &self.config {
            Some(path) => {
                let wrong = |error| UserError::new(format!("{}: {error}", path.display()));
                Ok((Config::parse(&read(path)?).map_err(wrong)?, path.display().to_string()))
            }
            None => {
                let name = self.preset.as_deref().unwrap_or(PRESET);
                Ok((Config::preset(name)?, name.to_string()))
            }
        }
    }

    /// The memory system.
    pub(super) fn system(&self) -> Result<System, UserError> {
        let Some(name) = &self.system else { return Ok(System::Hmg) };
        System::named(name).ok_or_else(|| {
            let known = System::ALL.map(System::name).join(", ");
            UserError::new(format!("no memory system {name}; there are: {known}"))
        })
    }

    /// Refuses arguments that would be without effect.
    pub(super) fn refuse(&self, because: &str) -> Result<(), UserError> {
        let given = [
            (self.preset.is_some(), "--preset"),
            (self.config.is_some(), "--config"),
            (self.system.is_some(), "--system"),
            (self.perturb.is_some(), "--perturb"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(UserError::new(format!(
                "{name} is for the timed machine; with {because} there is none"
            ))),
            None => Ok(()),
        }
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, UserError> {
    std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("{}: {error}", path.display())))
}
