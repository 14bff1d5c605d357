//! The commit unit of GETM: coalesces the write logs of warps, writes them to the LLC, and releases
//! what they had reserved.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4.1 and 4.5.3, figure 4.6. The README beside this
//! file is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod effect;
mod exercise;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;

pub use channels::{
    ERROR, Item, Kind, LOG, Misuse, RELEASE, Region, WRITE, channels, decode_write, encode_write,
};
pub use circuit::circuit;
pub use effect::{Effect, Entry};
pub use params::Params;
pub use reference::Ring;

use warpsmith_rtl::Module;

use crate::block::Block;
use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::exercise::Exercise;
use crate::properties::{NoProperties, Properties};
use crate::verification::{Contract, CornerInfo, Reference, Stimulus, StreamInfo};

/// The block.
#[derive(Clone, Copy, Debug)]
pub struct GetmCommit;

impl Block for GetmCommit {
    type Params = Params;

    fn name(&self) -> &'static str {
        "getm_commit"
    }

    fn summary(&self) -> &'static str {
        "GETM commit unit: coalesces write logs, writes them to the LLC, releases reservations"
    }

    fn paper(&self) -> &'static str {
        "Ren, GETM: Hardware Transactional Memory with Eager Conflict Detection (thesis chapter 4; \
         HPCA 2018)"
    }

    fn circuit(&self, params: &Params) -> Module {
        circuit::circuit(params)
    }

    fn channels(&self, params: &Params) -> Vec<Channel> {
        channels::channels(params)
    }

    fn straps(&self, _: &Params) -> Vec<Strap> {
        Vec::new()
    }

    fn reference(&self, params: &Params, _: &[u64]) -> Box<dyn Reference> {
        Box::new(Ring::new(params))
    }

    fn contract(&self, params: &Params, _: &[u64]) -> Box<dyn Contract> {
        Box::new(contract::CommitContract::new(params))
    }

    fn streams(&self) -> &'static [StreamInfo] {
        stimulus::STREAMS
    }

    fn stimulus(&self, params: &Params, _: &[u64], stream: usize) -> Box<dyn Stimulus> {
        Box::new(stimulus::Logs::new(params, stream))
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
