//! The Verilog of a top, simulated.

use std::sync::Arc;

use warpsmith_rtl::PortLayout;

use super::{FromHost, ToHost};
use crate::backend::BackendError;
use crate::verilator::{BuildOptions, VerilatedLibrary, VerilogSource};

/// One clock of a simulated top, for its pins, with so many clocks for a bit of the UART. The clocks of link and block
/// have one frequency and opposite edges.
///
/// # Errors
/// That Verilator is missing or fails.
pub fn verilated(
    source: &VerilogSource,
    bit_clocks: u8,
) -> Result<impl FnMut(FromHost) -> ToHost + Send + use<>, BackendError> {
    let mut layout = PortLayout::default();
    for (port, width) in [("link_clock", 1), ("block_clock", 1), ("bit_clocks", 8)] {
        layout.push_input(port, width);
    }
    for port in ["rx", "spi_select", "spi_clock", "mosi"] {
        layout.push_input(port, 1);
    }
    for port in ["tx", "miso"] {
        layout.push_output(port, 1);
    }
    let library = VerilatedLibrary::build(source, &layout, &BuildOptions::default())?;
    let mut model = Arc::new(library).instance();
    Ok(move |FromHost { rx, select, clock, mosi }| {
        let mut found = [0; 2];
        for [link_clock, block_clock] in [[1, 0], [0, 1]] {
            let [rx, select, clock, mosi] = [rx, select, clock, mosi].map(u64::from);
            let bit_clocks = bit_clocks.into();
            let inputs = [link_clock, block_clock, bit_clocks, rx, select, clock, mosi];
            model.clock_with(&inputs, &mut found);
        }
        let [tx, miso] = found.map(|level| level == 1);
        ToHost { tx, miso }
    })
}
