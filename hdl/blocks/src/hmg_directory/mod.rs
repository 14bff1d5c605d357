//! The coherence directory of HMG and NHCC: which nodes may hold copies of the blocks whose home
//! this GPU module is.
//!
//! Ren et al., "HMG: Extending Cache Coherence Protocols Across Modern Hierarchical Multi-GPU
//! Systems", HPCA 2020, sections IV, V and VII-C. The README beside this file is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod nodes;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;

pub use channels::{
    ERROR, Effect, INV, Invalidation, Misuse, Op, REQ, RESP, Request, Response, Source,
};
pub use nodes::Nodes;
pub use params::{Params, Replacement};
pub use reference::Directory;

use crate::block::room;
use crate::channel::Strap;
use crate::verification::{Contract, Reference, Stimulus};

room! {
    "hmg_directory",
    "HMG / NHCC coherence directory: tracks the sharers of blocks homed at one GPU module",
    "Ren et al., HMG: Extending Cache Coherence Protocols Across Modern Hierarchical Multi-GPU \
     Systems, HPCA 2020";

    fn straps(&self) -> Vec<Strap> {
        channels::straps(self)
    }

    fn reference(&self, straps: &[u64]) -> Box<dyn Reference> {
        Box::new(Directory::new(self, straps[0] as u32, straps[1] as u32))
    }

    fn contract(&self, straps: &[u64]) -> Box<dyn Contract> {
        Box::new(contract::DirectoryContract::new(self, straps[0] as u32, straps[1] as u32))
    }

    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        Box::new(stimulus::Requests::new(self, straps[0] as u32, straps[1] as u32, stream))
    }
}
