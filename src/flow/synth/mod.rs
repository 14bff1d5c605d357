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

/// A design with its preset.
pub struct Subject<'a> {
    /// The design.
    pub design: &'a dyn Design,
    /// Preset, or `custom`.
    pub preset: &'a str,
}

/// Options of every target.
#[derive(Clone, Debug)]
pub struct SynthOptions {
    /// The clock constraint in MHz; the target's default if absent.
    pub clock_mhz: Option<f64>,
    /// Number of placements, with random seeds 1, 2, ...
    pub seeds: u32,
    /// Time limit of each tool run.
    pub limit: Duration,
    /// The folder to work in.
    pub folder: PathBuf,
}

/// The target technology.
#[derive(Clone, Debug)]
pub enum Target {
    /// An FPGA family.
    Fpga(fpga::Family),
    /// A cell library.
    Asic(asic::AsicOptions),
}

/// Synthesizes the design for the target.
///
/// # Errors
/// Returns [`FlowError`] without a partial result if an input is unusable or a tool is missing or fails.
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
