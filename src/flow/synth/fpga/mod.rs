//! FPGA targets: yosys, then nextpnr where it knows the family.

use super::record::SynthRecord;
use super::{Subject, SynthOptions};
use crate::flow::{FlowError, Tell};

/// FPGA family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
    /// AMD 7 series.
    Xc7,
}

/// Makes the design for an FPGA.
///
/// # Errors
/// See [`FlowError`].
pub fn synthesize(
    _subject: &Subject<'_>,
    _family: Family,
    _options: &SynthOptions,
    _tell: Tell<'_>,
) -> Result<SynthRecord, FlowError> {
    todo!()
}
