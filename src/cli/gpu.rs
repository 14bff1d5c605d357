//! Arguments that choose a machine of the behavioural GPU.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::UserError;
use super::cosim::BackendArg;
use crate::gpu::config::Config;
use crate::gpu::systems::{RtlSettings, System, hmg};

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
        let Some(name) = &self.system else { return Ok(hmg::HMG) };
        System::named(name).ok_or_else(|| {
            let known = System::ALL.map(|it| it.name).join(", ");
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

/// RTL in the place of directories.
#[derive(Debug, Args)]
pub(super) struct RtlArgs {
    /// Put the RTL of a block in its place: hmg_directory, or hmg_directory@gpu0.gpm1 for one of
    /// them
    #[arg(long, value_name = "BLOCK[@PLACE]")]
    rtl: Option<String>,
    /// Who simulates it
    #[arg(long, value_enum, default_value_t = BackendArg::Native, requires = "rtl")]
    backend: BackendArg,
    /// Your own Verilog in the place of the circuit, simulated by Verilator; repeat for more files
    #[arg(long, value_name = "FILE.v", requires = "rtl")]
    dut: Vec<PathBuf>,
    /// Compare every transfer with the reference
    #[arg(long, value_enum, default_value_t = Shadow::On, requires = "rtl")]
    shadow: Shadow,
}

/// Whether the reference runs beside the RTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shadow {
    On,
    Off,
}

impl RtlArgs {
    /// What is to be RTL, if anything is.
    pub(super) fn settings(&self, config: &Config) -> Result<Option<RtlSettings>, UserError> {
        let Some(text) = &self.rtl else { return Ok(None) };
        let (block, place) = match text.split_once('@') {
            Some((block, place)) => (block, Some(place)),
            None => (&text[..], None),
        };
        if block != "hmg_directory" {
            let accepted = "hmg_directory and hmg_directory@gpuX.gpmY are accepted";
            return Err(UserError::new(format!("--rtl {text}: {accepted}")));
        }
        let machine = &config.machine;
        let gpm = |place: &str| {
            let (gpu, gpm) = place.strip_prefix("gpu")?.split_once(".gpm")?;
            let (gpu, gpm) = (gpu.parse::<u32>().ok()?, gpm.parse::<u32>().ok()?);
            let is_there = gpu < machine.gpus && gpm < machine.gpms_per_gpu;
            is_there.then(|| gpu * machine.gpms_per_gpu + gpm)
        };
        let wrong = || {
            let (gpu, gpm) = (machine.gpus - 1, machine.gpms_per_gpu - 1);
            UserError::new(format!(
                "--rtl {text}: places from gpu0.gpm0 to gpu{gpu}.gpm{gpm} are accepted"
            ))
        };
        let only = place.map(|place| gpm(place).ok_or_else(wrong)).transpose()?;
        let backend = self.backend.into();
        Ok(Some(RtlSettings {
            only,
            backend,
            dut: self.dut.clone(),
            shadow: self.shadow == Shadow::On,
        }))
    }

    /// Whether transfers are compared.
    pub(super) fn shadows(&self) -> bool {
        self.rtl.is_some() && self.shadow == Shadow::On
    }

    /// Refuses arguments that would be without effect.
    pub(super) fn refuse(&self, because: &str) -> Result<(), UserError> {
        match self.rtl {
            Some(_) => Err(UserError::new(format!(
                "--rtl is for the timed machine; with {because} there is none"
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
