//! The synchronization FIFO of QuickRelease: the order in which what a write cache holds must go down
//! before a release completes.
//!
//! Hechtman et al., "QuickRelease" (HPCA 2014), sections 3 and 3.1, table 1. The README beside this file
//! is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;
use crate::kit::*;

pub use channels::{DEQUEUE, ENQUEUE, ERROR, Entry, Kind, RESERVED_KIND, channels};
pub use circuit::circuit;
pub(crate) use circuit::{entry_of_row, row_fields};
pub use params::Params;
pub use reference::SFifo;

room! {
    "s_fifo",
    "QuickRelease synchronization FIFO: the order of writes, atomics and releases of a write cache",
    "QuickRelease: A Throughput-oriented Approach to Release Consistency on GPUs (HPCA 2014), section 3";
    |p, _, stream|
    reference: SFifo::new(p);
    contract: contract::SFifoContract::new(p);
    stimulus: Box::new(stimulus::Traffic::new(p, stream));

    fn fewest_rows(&self) -> Option<Box<dyn crate::block::Design>> {
        // A power of two wraps round as one.
        let depth = if self.depth.is_power_of_two() { 4 } else { 3 };
        (self.depth > depth).then(|| Box::new(Self { depth, ..self.clone() }) as _)
    }
}
