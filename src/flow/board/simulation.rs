//! The top of a block Verilated.

use warpsmith_blocks::block::Design;
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::board::{FromHost, ToHost, verilated};
use warpsmith_testbench::verilator::VerilogFile;

use super::sources;
use crate::flow::FlowError;

/// Clocks of a bit on the simulated UART: fewer than on a board, for speed.
pub const BIT_CLOCKS: u8 = 8;

/// One clock of a simulated board with that block, for its pins.
///
/// # Errors
/// That the block has no top, or Verilator fails.
pub fn simulated(
    design: &dyn Design,
) -> Result<impl FnMut(FromHost) -> ToHost + Send + use<>, FlowError> {
    let mut source = verilog_source(&design.circuit())?;
    let ours = sources(design.name())?;
    let file = |(name, text): (&str, &str)| VerilogFile { name: name.into(), text: text.into() };
    source.files.extend(ours.map(file));
    source.top = "top".to_string();
    Ok(verilated(&source, BIT_CLOCKS)?)
}
