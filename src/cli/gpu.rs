//! Machine arguments of the behavioural GPU.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use warpsmith_testbench::verilator::Warning;

use super::UserError;
use super::cosim::BackendArg;
use super::design::from_setting;
use super::dut::DutArgs;
use crate::gpu::config::{Config, PRESETS};
use crate::gpu::machine::Machine;
use crate::gpu::memory::{RtlError, RtlSettings};
use crate::gpu::systems::{System, gpgpusim, hmg};

/// The default machine.
const PRESET: &str = "gtx480";

#[derive(Debug, Args)]
pub(super) struct MachineArgs {
    #[arg(long, value_name = "NAME", conflicts_with = "config", help = machines())]
    preset: Option<String>,
    /// Machine from a file, in the form of src/gpu/config/presets
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    #[arg(long, value_name = "NAME", help = systems())]
    system: Option<String>,
    /// Change a value of the machine, named as in its file: quanta.instructions=100; repeat for more
    #[arg(long = "set", value_name = "SECTION.NAME=VALUE")]
    settings: Vec<String>,
    /// Shuffle arbitration and latencies; the same seed gives the same run
    #[arg(long, value_name = "SEED")]
    pub(super) perturb: Option<u64>,
}

fn machines() -> String {
    let names = PRESETS.map(|(name, _)| name).join(", ");
    format!("Machine: {names}; default: {PRESET}")
}

fn systems() -> String {
    let names: Vec<_> = System::known().map(|system| system.name).collect();
    format!("Memory system: {}; default: {}", names.join(", "), hmg::HMG.name)
}

impl MachineArgs {
    /// The machine and its name.
    pub(super) fn config(&self) -> Result<(Config, String), UserError> {
        let (mut config, name) = match &self.config {
            Some(path) => {
                let wrong = |error| UserError::new(format!("{}: {error}", path.display()));
                (Config::parse(&read(path)?).map_err(wrong)?, path.display().to_string())
            }
            None => {
                let name = self.preset.as_deref().unwrap_or(PRESET);
                (Config::preset(name)?, name.to_string())
            }
        };
        for setting in &self.settings {
            let (path, value) = from_setting(setting)?;
            let set = config.set(&path, value);
            set.map_err(|error| UserError::new(format!("`--set {setting}`: {error}")))?;
        }
        Ok((config, name))
    }

    /// The memory system: that of the machine, if it brings one.
    pub(super) fn system(&self, config: &Config) -> Result<System, UserError> {
        if config.simulator.is_some() {
            return match &self.system {
                None => Ok(gpgpusim::GPGPUSIM),
                Some(name) => Err(UserError::new(format!(
                    "--system {name}: this machine has a [simulator] section, and so the memory of GPGPU-Sim; \
                     leave --system out, or take --preset gtx480"
                ))),
            };
        }
        let Some(name) = &self.system else { return Ok(hmg::HMG) };
        System::named(name).ok_or_else(|| {
            let known: Vec<_> = System::known().map(|system| system.name).collect();
            let known = known.join(", ");
            UserError::new(format!("no memory system {name}; there are: {known}"))
        })
    }

    /// Rejects arguments that would have no effect.
    pub(super) fn refuse(&self, because: &str) -> Result<(), UserError> {
        let given = [
            (self.preset.is_some(), "--preset"),
            (self.config.is_some(), "--config"),
            (self.system.is_some(), "--system"),
            (!self.settings.is_empty(), "--set"),
            (self.perturb.is_some(), "--perturb"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(UserError::new(format!(
                "{name} needs the timed machine, which {because} excludes"
            ))),
            None => Ok(()),
        }
    }
}

/// RTL in the place of reference models.
#[derive(Debug, Args)]
pub(super) struct RtlArgs {
    /// Put the RTL of a block in one place, such as hmg_directory@gpu0.gpm1, or in all its places, such as
    /// hmg_directory; repeat for more. `warpsmith show SYSTEM` lists the places
    #[arg(long, value_name = "BLOCK[@PLACE]")]
    rtl: Vec<String>,
    /// Simulator of the RTL
    #[arg(long, value_enum, default_value_t = BackendArg::Native, requires = "rtl")]
    backend: BackendArg,
    /// Compare every transfer with the reference
    #[arg(long, value_enum, default_value_t = Shadow::On, requires = "rtl")]
    shadow: Shadow,
    #[command(flatten)]
    dut: DutArgs,
}

/// Whether the reference runs beside the RTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shadow {
    On,
    Off,
}

impl RtlArgs {
    /// The RTL and its places; none without --rtl.
    pub(super) fn settings(&self) -> Result<Vec<RtlSettings>, UserError> {
        let dut = self.dut.dut()?;
        if self.rtl.is_empty() {
            let unused =
                dut.map(|_| "--dut and -f are about the RTL of a block: give it with --rtl");
            return unused.map_or(Ok(Vec::new()), |unused| Err(UserError::new(unused)));
        }
        let shadow = self.shadow == Shadow::On;
        let backend = self.backend.chosen();
        Ok(vec![RtlSettings { places: self.rtl.clone(), backend, dut, shadow }])
    }

    /// Puts RTL in its places in a machine. Verilator's warnings go to the standard error.
    pub(super) fn apply(&self, machine: &mut Machine) -> Result<(), UserError> {
        let Some(settings) = self.settings()?.pop() else { return Ok(()) };
        let warnings = machine.use_rtl(&settings).map_err(|error| {
            self.refused(error, System::with_places().map(|system| system.name))
        })?;
        self.tell(&warnings)
    }

    /// The message of RTL that cannot be used; systems are those that have places.
    pub(super) fn refused(
        &self,
        error: RtlError,
        systems: impl Iterator<Item = &'static str>,
    ) -> UserError {
        match error {
            RtlError::Source(error) => self.dut.wrong(&error),
            error @ RtlError::NoPlace { .. } => UserError::new(format!("--rtl {error}")),
            error @ RtlError::NoPlaces { .. } => {
                let having: Vec<_> = systems.collect();
                UserError::new(format!("{error}; systems that have: {}", having.join(", ")))
            }
            error => error.into(),
        }
    }

    /// Shows what Verilator warns of.
    pub(super) fn tell(&self, warnings: &[Warning]) -> Result<(), UserError> {
        self.dut.tell(warnings)
    }

    /// Whether transfers are compared.
    pub(super) fn shadows(&self) -> bool {
        !self.rtl.is_empty() && self.shadow == Shadow::On
    }

    /// Rejects arguments that would have no effect.
    pub(super) fn refuse(&self, because: &str) -> Result<(), UserError> {
        match self.rtl.is_empty() && self.dut.dut()?.is_none() {
            false => Err(UserError::new(format!(
                "--rtl needs the timed machine, which {because} excludes"
            ))),
            true => Ok(()),
        }
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, UserError> {
    std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("{}: {error}", path.display())))
}
