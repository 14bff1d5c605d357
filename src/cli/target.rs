//! The target options that synthesis, sweeps and baselines share.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::UserError;
use crate::flow::synth::asic::{AsicOptions, RamSource};
use crate::flow::synth::fpga::Family;
use crate::flow::synth::{SynthOptions, Target};

const RAM_ABOVE: u64 = 1024;
const ACTIVITY: f64 = 0.1;

/// Target and options of a synthesis.
#[derive(Clone, Debug, Args)]
pub(super) struct TargetArgs {
    /// Target technology
    #[arg(long, value_enum)]
    pub target: TargetArg,
    /// Clock constraint in MHz. Default: 150 for ecp5, 60 for ice40, 100 for asic
    #[arg(long, value_name = "MHZ", value_parser = megahertz)]
    clock: Option<f64>,
    /// Number of placements, with random seeds 1, 2, ...
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    seeds: u32,
    /// Cell libraries (asic), plain or .gz. Default: osu018 of Debian's qflow-tech-osu018
    #[arg(long, value_name = "FILE", num_args = 1..)]
    liberty: Vec<PathBuf>,
    /// Source of the area and timing of RAM macros (asic): `cacti` or `cacti:NANOMETRES`, `liberty:DIR`, or
    /// `bit:SQUARE_MICROMETRES`. Default: none, macros are not counted
    #[arg(long, value_name = "SOURCE", value_parser = ram_source)]
    ram: Option<RamSource>,
    /// Memories of more bits become RAM macros (asic)
    #[arg(long, value_name = "BITS", default_value_t = RAM_ABOVE)]
    ram_above: u64,
    /// Transitions per clock of every input, for power (asic)
    #[arg(long, value_name = "X", default_value_t = ACTIVITY, value_parser = activity)]
    activity: f64,
    /// Time limit of each tool run
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

/// Target of a synthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TargetArg {
    /// Lattice ECP5, placed and routed by nextpnr
    Ecp5,
    /// Lattice iCE40, placed and routed by nextpnr
    Ice40,
    /// AMD 7 series: cell counts only
    Xc7,
    /// A standard-cell library: cells, timing and power before layout
    Asic,
}

impl TargetArg {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TargetArg::Ecp5 => "ecp5",
            TargetArg::Ice40 => "ice40",
            TargetArg::Xc7 => "xc7",
            TargetArg::Asic => "asic",
        }
    }
}

impl TargetArg {
    /// The target with its default options.
    pub fn plain(self) -> Target {
        match self {
            TargetArg::Ecp5 => Target::Fpga(Family::Ecp5),
            TargetArg::Ice40 => Target::Fpga(Family::Ice40),
            TargetArg::Xc7 => Target::Fpga(Family::Xc7),
            TargetArg::Asic => Target::Asic(AsicOptions {
                liberty: Vec::new(),
                ram_above_bits: RAM_ABOVE,
                ram: None,
                activity: ACTIVITY,
            }),
        }
    }
}

impl TargetArgs {
    /// The target.
    pub fn target(&self) -> Result<Target, UserError> {
        if self.target == TargetArg::Asic {
            return Ok(Target::Asic(AsicOptions {
                liberty: self.liberty.clone(),
                ram_above_bits: self.ram_above,
                ram: self.ram.clone(),
                activity: self.activity,
            }));
        }
        if !self.liberty.is_empty() || self.ram.is_some() {
            let name = self.target.name();
            return Err(UserError::new(format!(
                "--liberty and --ram are for --target asic, not for {name}"
            )));
        }
        Ok(self.target.plain())
    }

    /// The options, with `folder` as working folder.
    pub fn options(&self, folder: PathBuf) -> SynthOptions {
        SynthOptions {
            clock_mhz: self.clock,
            seeds: self.seeds,
            limit: Duration::from_secs(self.timeout),
            folder,
        }
    }
}

impl TargetArgs {
    /// The same choice as arguments for a command that runs elsewhere: all paths are absolute.
    pub fn as_arguments(&self) -> Result<Vec<String>, UserError> {
        let mut arguments = vec!["--target".to_string(), self.target.name().to_string()];
        let mut add = |option: &str, value: String| arguments.extend([option.to_string(), value]);
        add("--seeds", self.seeds.to_string());
        add("--timeout", self.timeout.to_string());
        if let Some(clock) = self.clock {
            add("--clock", clock.to_string());
        }
        if self.target == TargetArg::Asic {
            add("--ram-above", self.ram_above.to_string());
            add("--activity", self.activity.to_string());
            if let Some(ram) = &self.ram {
                add("--ram", ram_argument(ram)?);
            }
            for library in &self.liberty {
                add("--liberty", std::path::absolute(library)?.display().to_string());
            }
        }
        Ok(arguments)
    }
}

fn ram_argument(ram: &RamSource) -> Result<String, UserError> {
    Ok(match ram {
        RamSource::Cacti { nanometres } => format!("cacti:{nanometres}"),
        RamSource::Liberty(folder) => {
            format!("liberty:{}", std::path::absolute(folder)?.display())
        }
        RamSource::PerBit(area) => format!("bit:{area}"),
    })
}

pub(super) fn megahertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.1..=100_000.0).contains(&value) => Ok(value),
        _ => Err("a frequency in MHz from 0.1 to 100000 is accepted".to_string()),
    }
}

fn activity(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=2.0).contains(&value) => Ok(value),
        _ => Err("transitions per clock, from 0 to 2, are accepted".to_string()),
    }
}

fn ram_source(text: &str) -> Result<RamSource, String> {
    let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
    let accepted = "cacti, cacti:NANOMETRES (22 to 90), liberty:DIR or bit:SQUARE_MICROMETRES are \
                    accepted";
    match (kind, rest) {
        ("cacti", None) => Ok(RamSource::Cacti { nanometres: 32 }),
        ("cacti", Some(nanometres)) => match nanometres.parse() {
            Ok(nanometres @ 22..=90) => Ok(RamSource::Cacti { nanometres }),
            _ => Err(accepted.to_string()),
        },
        ("liberty", Some(folder)) if !folder.is_empty() => Ok(RamSource::Liberty(folder.into())),
        ("bit", Some(area)) => match area.parse::<f64>() {
            Ok(area) if area > 0.0 && area.is_finite() => Ok(RamSource::PerBit(area)),
            _ => Err(accepted.to_string()),
        },
        _ => Err(accepted.to_string()),
    }
}
