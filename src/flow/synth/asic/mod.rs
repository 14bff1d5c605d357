//! ASIC targets: yosys and abc for a cell library, OpenSTA for timing and power.

use std::path::PathBuf;

use super::record::SynthRecord;
use super::{Subject, SynthOptions};
use crate::flow::{FlowError, Tell};

/// What an ASIC flow needs beside the design.
#[derive(Clone, Debug)]
pub struct AsicOptions {
    /// Cell libraries in Liberty format; osu018 of Debian if empty.
    pub liberty: Vec<PathBuf>,
    /// Memories of more bits than this become macros.
    pub ram_above_bits: u64,
    /// Where a macro's area and timing come from; absent, they are left out of the figures.
    pub ram: Option<RamSource>,
    /// Transitions per clock that every input is assumed to make.
    pub activity: f64,
}

/// Where a RAM macro's area, timing and power come from.
#[derive(Clone, Debug, PartialEq)]
pub enum RamSource {
    /// CACTI 7, for a feature size in nanometres.
    Cacti {
        /// Feature size in nanometres.
        nanometres: u32,
    },
    /// The macros of a folder of Liberty files.
    Liberty(PathBuf),
    /// So many square micrometres a bit.
    PerBit(f64),
}

/// Makes the design for a cell library.
///
/// # Errors
/// See [`FlowError`].
pub fn synthesize(
    _subject: &Subject<'_>,
    _asic: &AsicOptions,
    _options: &SynthOptions,
    _tell: Tell<'_>,
) -> Result<SynthRecord, FlowError> {
    todo!()
}

/// What a synthesis with these options would use.
///
/// # Errors
/// See [`FlowError`].
pub fn uses(_asic: &AsicOptions) -> Result<super::Uses, FlowError> {
    todo!()
}
