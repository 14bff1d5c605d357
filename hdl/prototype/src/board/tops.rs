//! The top of each block: `HmgDirectoryTop` and so on, generated from the channels of the registry.

use rust_hdl::prelude::*;

use super::host::Host;
use super::log::Log;
use super::pace::Pace;
use super::queue::Queue;
use crate::components::*;
use crate::native::{design, verilog};

/// What is the same for every top.
pub trait Top: Block {
    /// The block's name.
    fn block(&self) -> &'static str;
    /// Sets clocks and the line from the host, `[link_clock, block_clock, rx]`, and lets rust_hdl's simulator
    /// update the top until nothing changes; the line to the host.
    ///
    /// # Panics
    /// If that does not end.
    fn simulate(&mut self, pins: [bool; 3]) -> bool;
    /// Sets the clocks of a bit on the line.
    fn set_bit_clocks(&mut self, clocks: u8);
    /// The Verilog that rust_hdl emits, of which the top module is `top`.
    fn verilog(&mut self) -> String;

    /// The same without the block's own modules.
    fn verilog_around(&mut self) -> String {
        let own = verilog(&design(self.block()).circuit());
        let text = self.verilog();
        assert!(text.contains(&own), "rust_hdl emits wrapped Verilog as it is");
        let lines = text.replace(&own, "");
        let lines = lines.lines().map(str::trim_end).filter(|line| !line.is_empty());
        lines.map(|line| line.to_string() + "\n").collect()
    }
}

macro_rules! top {
    ($name:ident = $block:literal) => {
        impl Top for $name {
            fn block(&self) -> &'static str {
                $block
            }

            fn simulate(&mut self, [link_clock, block_clock, rx]: [bool; 3]) -> bool {
                self.link_clock.next = link_clock.into();
                self.block_clock.next = block_clock.into();
                self.rx.next = rx;
                assert!(simulate(self, 64), "rust_hdl's simulator does not settle");
                self.tx.val()
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
