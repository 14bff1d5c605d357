//! Synthesis: from a block's Verilog to area, timing and power.

pub mod asic;
pub mod fpga;
pub mod record;
mod uses;

use std::path::PathBuf;
use std::time::Duration;

use warpsmith_blocks::block::Design;

use self::record::SynthRecord;
pub use self::uses::Uses;
use super::{FlowError, Tell};

/// A design with what it is called in records.
pub struct Subject<'a> {
    /// The design.
    pub design: &'a dyn Design,
    /// Preset, or `custom`.
    pub preset: &'a str,
}

/// What holds for every target.
#[derive(Clone, Debug)]
pub struct SynthOptions {
    /// The clock to ask for, in MHz; a default of the target's if absent.
    pub clock_mhz: Option<f64>,
    /// Placements to try, with the random seeds 1, 2, ...
    pub seeds: u32,
    /// Time limit of each tool run.
    pub limit: Duration,
    /// The folder to work in.
    pub folder: PathBuf,
}

/// What the design is made for.
#[derive(Clone, Debug)]
pub enum Target {
    /// An FPGA family.
    Fpga(fpga::Family),
    /// A cell library.
    Asic(asic::AsicOptions),
}

/// Makes the design for the target.
///
/// # Errors
/// See [`FlowError`]; then there is no partial result.
pub fn synthesize(
    subject: &Subject<'_>,
    target: &Target,
    options: &SynthOptions,
    tell: Tell<'_>,
) -> Result<SynthRecord, FlowError> {
    match target {
        Target::Fpga(family) => fpga::synthesize(subject, *family, options, tell),
        Target::Asic(asic) => asic::synthesize(subject, asic, options, tell),
    }
}
