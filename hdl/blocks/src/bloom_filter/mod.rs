//! Bloom filters of GPUDet's store buffers: for each wavefront of a core, which lines it may have written in this
//! quantum.
//!
//! Jooybar et al., "GPUDet", ASPLOS 2013, as in the thesis, sections 4.3 and 5.2, table 5.2, figure 6.6. The README
//! beside this file is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod hashes;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;
use crate::kit::*;

pub use channels::{Answer, ERROR, NO_SUCH_WAVEFRONT, Op, REQ, RESP, Request, channels};
pub use circuit::circuit;
pub use params::Params;
pub use reference::BloomFilter;

room! {
    "bloom_filter",
    "GPUDet Bloom filters: of each wavefront the lines that its store buffer may have",
    "Jooybar, Fung, O'Connor, Devietti, Aamodt: GPUDet: A Deterministic GPU Architecture (ASPLOS 2013; \
     thesis, sections 4.3, 5.2)";
    |p, _, stream|
    reference: BloomFilter::new(p);
    contract: contract::BloomFilterContract::new(p);
    stimulus: Box::new(stimulus::Traffic::new(p, stream));

    fn hashing(&self) -> Hashing {
        hashes::hashing(self)
    }
}
