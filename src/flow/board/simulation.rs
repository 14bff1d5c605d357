//! The top of a block Verilated, as a line.

use std::sync::Arc;

use warpsmith_blocks::block::Design;
use warpsmith_rtl::PortLayout;
use warpsmith_testbench::backend::{BackendError, verilog_source};
use warpsmith_testbench::board::PinLine;
use warpsmith_testbench::verilator::{BuildOptions, VerilatedLibrary, VerilogFile};

use super::top;
use crate::flow::FlowError;

/// Clocks of a bit on the simulated line: fewer than on a board, for speed.
const BIT_CLOCKS: u8 = 8;

/// The line of a simulated board with that block. The clocks of link and block have one frequency and opposite
/// edges.
///
/// # Errors
/// That the block has no top, or Verilator fails.
pub fn simulated(
    design: &dyn Design,
) -> Result<PinLine<impl FnMut(bool) -> bool + Send + use<>>, FlowError> {
    let mut source = verilog_source(&design.circuit())?;
    source.files.push(VerilogFile { name: "top.v".into(), text: top(design.name())?.into() });
    source.top = "top".to_string();
    let mut layout = PortLayout::default();
    for (port, width) in [("link_clock", 1), ("block_clock", 1), ("bit_clocks", 8), ("rx", 1)] {
        layout.push_input(port, width);
    }
    layout.push_output("tx", 1);
    let library = VerilatedLibrary::build(&source, &layout, &BuildOptions::default());
    let mut model = Arc::new(library.map_err(BackendError::from)?).instance();
    Ok(PinLine::new(BIT_CLOCKS.into(), move |rx| {
        let mut tx = [0];
        for [link_clock, block_clock] in [[1, 0], [0, 1]] {
            model.clock_with(&[link_clock, block_clock, BIT_CLOCKS.into(), rx.into()], &mut tx);
        }
        tx[0] == 1
    }))
}
