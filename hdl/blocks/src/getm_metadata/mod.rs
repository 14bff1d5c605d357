//! The metadata table of GETM: timestamps and reservations of the granules of a memory partition,
//! precise for those that transactions in flight have reserved, approximate for all others.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4 and 4.5.2, figures 4.6 and 4.8. The README
//! beside this file is the block's page.

mod access;
mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
pub(crate) mod exercise;
mod hashes;
mod overflow_memory;
pub(crate) mod params;
pub(crate) mod properties;
mod reference;
mod rules;
pub(crate) mod stimulus;

pub use access::{Effect, Metadata, Verdict, access, release};
pub use channels::{
    Answer, ERROR, Misuse, OVERFLOW_REQ, OVERFLOW_RESP, Op, OverflowAnswer, OverflowOp,
    OverflowRequest, REQ, RESP, Request, channels,
};
pub use circuit::circuit;
pub use overflow_memory::OverflowMemory;
pub use params::Params;
pub use reference::Table;

use crate::kit::*;

room! {
    "getm_metadata",
    "GETM metadata table: who has reserved which granules, and when each was read and written",
    "Ren, GETM: Hardware Transactional Memory with Eager Conflict Detection (thesis chapter 4; \
     HPCA 2018)";
    |p, _, stream|
    reference: Table::new(p);
    contract: contract::TableContract::new(p);
    stimulus: stimulus::stimulus(p, stream);

    fn partner(&self) -> Option<Box<dyn Partner>> {
        Some(Box::new(<OverflowMemory>::default()))
    }

    fn hashing(&self) -> Hashing {
        hashes::hashing(self)
    }

    fn free_choices(&self) -> Vec<FreeChoice> {
        let because = "after a reset all rows are cleared, and stages without requests go round once";
        let in_reset = |register: &str| FreeChoice::in_reset(register.to_string(), because);
        ["turns", "clearing"].map(in_reset).into()
    }
}
