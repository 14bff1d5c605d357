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
mod holders;
mod nodes;
mod params;
mod properties;
mod recency;
mod reference;
mod rules;
mod stimulus;
mod sweep;

pub use channels::{ERROR, Effect, INV, Invalidation, Op, REQ, RESP, Request, Response, Source};
pub use nodes::Nodes;
pub use params::{Params, Replacement};
pub use reference::Directory;

use warpsmith_rtl::Module;

use crate::block::Block;
use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::exercise::Exercise;
use crate::properties::{NoProperties, Properties};
use crate::verification::{Contract, CornerInfo, Reference, Stimulus, StreamInfo};

/// The block.
#[derive(Clone, Copy, Debug)]
pub struct HmgDirectory;

impl Block for HmgDirectory {
    type Params = Params;

    fn name(&self) -> &'static str {
        "hmg_directory"
    }

    fn summary(&self) -> &'static str {
        "HMG / NHCC coherence directory: tracks the sharers of blocks homed at one GPU module"
    }

    fn paper(&self) -> &'static str {
        "Ren et al., HMG: Extending Cache Coherence Protocols Across Modern Hierarchical Multi-GPU \
         Systems, HPCA 2020"
    }

    fn circuit(&self, params: &Params) -> Module {
        circuit::circuit(params)
    }

    fn channels(&self, params: &Params) -> Vec<Channel> {
        channels::channels(params)
    }

    fn straps(&self, params: &Params) -> Vec<Strap> {
        channels::straps(params)
    }

    fn reference(&self, params: &Params, straps: &[u64]) -> Box<dyn Reference> {
        Box::new(Directory::new(params, straps[0] as u32, straps[1] as u32))
    }

    fn contract(&self, params: &Params, straps: &[u64]) -> Box<dyn Contract> {
        Box::new(contract::DirectoryContract::new(params, straps[0] as u32, straps[1] as u32))
    }

    fn streams(&self) -> &'static [StreamInfo] {
        stimulus::STREAMS
    }

    fn stimulus(&self, params: &Params, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        Box::new(stimulus::Requests::new(params, straps[0] as u32, straps[1] as u32, stream))
    }

    fn corners(&self) -> &'static [CornerInfo] {
        corners::CORNERS
    }

    fn reachable(&self, params: &Params, corner: usize) -> bool {
        corners::reachable(params, corner)
    }

    fn exercise(&self, params: &Params) -> Exercise {
        exercise::exercise(params)
    }

    fn properties(&self, params: &Params, inside: bool) -> Result<Properties, NoProperties> {
        properties::properties(params, inside)
    }

    fn claims(&self, params: &Params) -> Vec<Claim> {
        claims::claims(params)
    }

    fn arrays(&self, params: &Params) -> Vec<Array> {
        claims::arrays(params)
    }
}
