//! The top of each block: `HmgDirectoryTop` and so on, generated from the channels of the registry.

use rust_hdl::prelude::*;

use super::host::Host;
use super::queue::Queue;
use crate::components::*;

/// Levels of the pins that a top reads.
#[derive(Clone, Copy, Debug)]
pub struct Pins {
    /// The link's clock.
    pub link_clock: bool,
    /// The block's clock.
    pub block_clock: bool,
    /// UART from the host.
    pub rx: bool,
    /// SPI: select, the host's clock, and what comes from the host.
    pub spi: [bool; 3],
}

/// What is the same for every top.
pub trait Top: Block {
    /// The block's name.
    fn block(&self) -> &'static str;
    /// Sets the pins and lets rust_hdl's simulator update the top until nothing changes; `tx` and `miso`.
    ///
    /// # Panics
    /// If that does not end.
    fn simulate(&mut self, pins: Pins) -> [bool; 2];
    /// Sets the clocks of a bit on the line.
    fn set_bit_clocks(&mut self, clocks: u8);
    /// The Verilog that rust_hdl emits, of which the top module is `top`.
    fn verilog(&mut self) -> String;
}

macro_rules! top {
    ($name:ident = $block:literal) => {
        impl Top for $name {
            fn block(&self) -> &'static str {
                $block
            }

            fn simulate(&mut self, pins: Pins) -> [bool; 2] {
                self.link_clock.next = pins.link_clock.into();
                self.block_clock.next = pins.block_clock.into();
                self.rx.next = pins.rx;
                let [select, clock, mosi] = pins.spi;
                (self.spi_select.next, self.spi_clock.next) = (select, clock);
                self.mosi.next = mosi;
                assert!(simulate(self, 64), "rust_hdl's simulator does not settle");
                [self.tx.val(), self.miso.val()]
            }

            fn set_bit_clocks(&mut self, clocks: u8) {
                self.bit_clocks.next = u64::from(clocks).into();
            }

            fn verilog(&mut self) -> String {
                self.connect_all();
                generate_verilog(self)
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/tops.rs"));
