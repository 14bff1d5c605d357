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
use crate::kit::*;

pub use channels::{
    ERROR, Effect, INV, Invalidation, Misuse, Op, REQ, RESP, Request, Response, Source,
};
pub use nodes::Nodes;
pub use params::{Params, Replacement};
pub use reference::Directory;

room! {
    "hmg_directory",
    "HMG / NHCC coherence directory: tracks the sharers of blocks homed at one GPU module",
    "Ren et al., HMG: Extending Cache Coherence Protocols Across Modern Hierarchical Multi-GPU \
     Systems, HPCA 2020";
    |p, own, stream|
    reference: Directory::new(p, own[0] as u32, own[1] as u32);
    contract: contract::DirectoryContract::new(p, own[0] as u32, own[1] as u32);
    stimulus: Box::new(stimulus::Requests::new(p, own[0] as u32, own[1] as u32, stream));

    fn straps(&self) -> Vec<Strap> {
        channels::straps(self)
    }
}
