//! The validation unit of GETM: decides on every load and store of a transaction as it comes, by the
//! metadata table and the stall buffer.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4 and 4.5.2, figures 4.6 and 4.7. The README
//! beside this file is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod memory;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;

pub use channels::{
    Access, DECIDED, ERROR, ISSUED, Issue, Issued, OVERFLOW_REQ, OVERFLOW_RESP, Outcome, RELEASE,
    REQ, RESP, ROLL, ROLLED, Release, Response,
};
pub use params::Params;
pub use reference::Validation;

use warpsmith_rtl::Module;

use crate::block::Block;
use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::exercise::Exercise;
use crate::getm_metadata::GetmMetadata;
use crate::properties::{NoProperties, Properties};
use crate::same_row::SameRow;
use crate::verification::{Contract, CornerInfo, Partner, Reference, Stimulus, StreamInfo};

/// The block.
#[derive(Clone, Copy, Debug)]
pub struct GetmValidation;

impl Block for GetmValidation {
    type Params = Params;

    fn name(&self) -> &'static str {
        "getm_validation"
    }

    fn summary(&self) -> &'static str {
        "GETM validation unit: decides on transactional loads and stores as they come"
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
        Box::new(Validation::new(params))
    }

    fn contract(&self, params: &Params, _: &[u64]) -> Box<dyn Contract> {
        Box::new(contract::ValidationContract::new(params))
    }

    fn streams(&self) -> &'static [StreamInfo] {
        stimulus::STREAMS
    }

    fn stimulus(&self, params: &Params, _: &[u64], stream: usize) -> Box<dyn Stimulus> {
        Box::new(stimulus::Transactions::new(params, stream))
    }

    fn partner(&self, _: &Params) -> Option<Box<dyn Partner>> {
        Some(Box::new(memory::Memory::default()))
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
        GetmMetadata.same_rows(&params.table())
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
