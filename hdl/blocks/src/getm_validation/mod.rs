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

use crate::block::Part;
use crate::getm_metadata::OverflowMemory;
use crate::kit::*;

room! {
    "getm_validation",
    "GETM validation unit: decides on transactional loads and stores as they come",
    "Ren, GETM: Hardware Transactional Memory with Eager Conflict Detection (thesis chapter 4; \
     HPCA 2018)";
    |p, _, stream|
    reference: Validation::new(p);
    contract: contract::ValidationContract::new(p);
    stimulus: Box::new(stimulus::Transactions::new(p, stream));

    fn partner(&self) -> Option<Box<dyn Partner>> {
        Some(Box::new(OverflowMemory::<OVERFLOW_REQ, OVERFLOW_RESP>::default()))
    }

    fn parts(&self) -> Vec<Part> {
        let table = Part { instance: "metadata", design: Box::new(self.table()) };
        vec![table, Part { instance: "stall", design: Box::new(self.stall_buffer()) }]
    }

    fn hashing(&self) -> Hashing {
        self.table().hashing()
    }
}
