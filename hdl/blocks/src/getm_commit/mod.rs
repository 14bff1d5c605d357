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
mod exercise;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;
use crate::kit::*;

pub use channels::{
    ERROR, Item, Kind, LOG, Misuse, RELEASE, Region, WRITE, channels, decode_write, encode_write,
};
pub use circuit::circuit;
pub use params::Params;
pub use reference::{Effect, Entry, Ring};

room! {
    "getm_commit",
    "GETM commit unit: coalesces write logs, writes them to the LLC, releases reservations",
    "Ren, GETM: Hardware Transactional Memory with Eager Conflict Detection (thesis chapter 4; \
     HPCA 2018)";
    |p, _, stream|
    reference: Ring::new(p);
    contract: contract::CommitContract::new(p);
    stimulus: Box::new(stimulus::Logs::new(p, stream));
}
