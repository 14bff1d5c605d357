//! The metadata table of GETM: timestamps and reservations of the granules of a memory partition,
//! precise for those that transactions in flight have reserved, approximate for all others.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4 and 4.5.2, figures 4.6 and 4.8. The README
//! beside this file is the block's page.

mod access;
mod bloom;
mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod effect;
pub(crate) mod exercise;
mod hashes;
mod overflow_memory;
mod params;
pub(crate) mod properties;
mod reference;
mod rules;
pub(crate) mod stimulus;

pub use access::{Metadata, Verdict, access, release};
pub use channels::{
    Answer, ERROR, Misuse, OVERFLOW_REQ, OVERFLOW_RESP, Op, OverflowOp, OverflowRequest, REQ, RESP,
    Request, channels, overflow_answer,
};
pub use circuit::circuit;
pub use effect::Effect;
pub use overflow_memory::OverflowMemory;
pub use params::Params;
pub use reference::Table;

use warpsmith_rtl::Module;

use crate::block::Block;
use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::exercise::Exercise;
use crate::properties::{NoProperties, Properties};
use crate::same_row::SameRow;
use crate::verification::{Contract, CornerInfo, Partner, Reference, Stimulus, StreamInfo};

/// The block.
#[derive(Clone, Copy, Debug)]
pub struct GetmMetadata;

impl Block for GetmMetadata {
    type Params = Params;

    fn name(&self) -> &'static str {
        "getm_metadata"
    }

    fn summary(&self) -> &'static str {
        "GETM metadata table: who has reserved which granules, and when each was read and written"
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
        Box::new(Table::new(params))
    }

    fn contract(&self, params: &Params, _: &[u64]) -> Box<dyn Contract> {
        Box::new(contract::TableContract::new(params))
    }

    fn streams(&self) -> &'static [StreamInfo] {
        stimulus::STREAMS
    }

    fn stimulus(&self, params: &Params, _: &[u64], stream: usize) -> Box<dyn Stimulus> {
        stimulus::stimulus(params, stream)
    }

    fn partner(&self, _: &Params) -> Option<Box<dyn Partner>> {
        Some(Box::new(OverflowMemory::default()))
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

    fn same_rows(&self, params: &Params) -> Vec<SameRow> {
        hashes::same_rows(params)
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
