//! The write cache of QuickRelease with its synchronization FIFO: combines writes, and writes what is dirty
//! through in the order of the FIFO, so that a release walks through no cache.
//!
//! Hechtman et al., "QuickRelease" (HPCA 2014), section 3, table 1. The README beside this file is the
//! block's page.

mod by_set;
mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod params;
mod partner;
mod properties;
mod reference;
mod rules;
mod stimulus;
use crate::kit::*;

pub use channels::{
    ACK, DONE, DOWN, ERROR, Error, HIT, INV, INV_ACK, MARK_WRITTEN, Op, RELEASED, REQ, Request,
    channels,
};
pub use circuit::circuit;
pub use params::Params;
pub use reference::WriteCache;

room! {
    "qr_write_cache",
    "QuickRelease write cache: combines writes, and drains them in order for a release",
    "QuickRelease: A Throughput-oriented Approach to Release Consistency on GPUs (HPCA 2014), section 3";
    |p, _, stream|
    reference: WriteCache::new(p);
    contract: contract::WriteCacheContract::new(p);
    stimulus: Box::new(stimulus::Traffic::new(p, stream));

    fn partner(&self) -> Option<Box<dyn Partner>> {
        Some(Box::new(partner::Below::new(self)))
    }

    fn parts(&self) -> Vec<crate::block::Part> {
        vec![crate::block::Part { instance: "fifo", design: Box::new(self.fifo()) }]
    }
}
