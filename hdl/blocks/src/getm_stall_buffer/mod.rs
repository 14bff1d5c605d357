//! The stall buffer of GETM: accesses of transactions that found their address reserved and wait for
//! the reservation to end.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4.1 and 4.5.2, figure 4.9. The
//! README beside this file is the block's page.

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

pub use channels::{
    Access, ERROR, PARK, PARKED, RELEASE, RETRY, RETRY_RESULT, Release, RetryResult,
};
pub use params::Params;
pub use reference::StallBuffer;

use warpsmith_rtl::Module;

use crate::block::Block;
use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::exercise::Exercise;
use crate::properties::{NoProperties, Properties};
use crate::verification::{Contract, CornerInfo, Reference, Stimulus, StreamInfo};

/// The block.
#[derive(Clone, Copy, Debug)]
pub struct GetmStallBuffer;

impl Block for GetmStallBuffer {
    type Params = Params;

    fn name(&self) -> &'static str {
        "getm_stall_buffer"
    }

    fn summary(&self) -> &'static str {
        "GETM stall buffer: accesses that wait for the end of a reservation"
    }

    fn paper(&self) -> &'static str {
        "GETM: GPU transactional memory with eager conflict detection, sections 4.4.1, 4.5.2"
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
        Box::new(StallBuffer::new(params))
    }

    fn contract(&self, params: &Params, _: &[u64]) -> Box<dyn Contract> {
        Box::new(contract::StallBufferContract::new(params))
    }

    fn streams(&self) -> &'static [StreamInfo] {
        stimulus::STREAMS
    }

    fn stimulus(&self, params: &Params, _: &[u64], stream: usize) -> Box<dyn Stimulus> {
        Box::new(stimulus::Traffic::new(params, stream))
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
