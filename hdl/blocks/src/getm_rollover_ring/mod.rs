//! A station of the ring by which GETM's validation units roll over together.
//!
//! Ren, thesis chapter 4, section 4.5.2 (HPCA 2018). The README beside this file is the block's page.

mod channels;
mod circuit;
mod corners;
mod properties;
mod reference;
mod stimulus;

use crate::kit::*;

pub use channels::{
    DRAINED, ERROR, HALT, HALTED, LINE_IN, LINE_OUT, Message, Misuse, RESUME, ROLL, ROLLED, Roll,
    channels,
};
pub use circuit::circuit;
pub use reference::{Phase, Station};

parameters! {
    /// Parameters of a station.
    pub struct Params {
        units: u32, "validation units on the ring", range(2, 64);
    }
    // Table 4.2: six memory partitions.
    presets: tiny { units: 3 }, fpga { units: 6 }, paper { units: 6 }
}

impl Params {
    /// Bits of a unit's number.
    pub fn unit_bits(&self) -> u32 {
        address_bits(self.units)
    }
}

crate::block::block! {
    @ "getm_rollover_ring",
    "GETM roll-over ring: a station that makes a validation unit roll over with all others",
    "Ren, thesis chapter 4 (HPCA 2018), section 4.5.2", stimulus::STREAMS, corners::CORNERS,
    circuit::circuit, channels::channels, properties::properties;

    fn straps(&self) -> Vec<Strap> {
        let (width, values) = (self.unit_bits(), self.units.into());
        vec![Strap { name: "unit", doc: "number of the station's validation unit", width, values }]
    }

    fn reference(&self, straps: &[u64]) -> Box<dyn Reference> {
        Box::new(Station::new(self, straps[0]))
    }

    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        Box::new(stimulus::Neighbours::new(self, straps[0], stream))
    }

    fn reachable(&self, corner: usize) -> bool {
        corners::reachable(self, corner)
    }
}
