//! A bank of the L2 of relativistic cache coherence: tags, logical times and MSHRs.
//!
//! Ren, "Hardware Support for Consistency and Coherence in GPUs", chapter 3: relativistic cache coherence, sections
//! 3.4.1 to 3.4.5, figures 3.3 to 3.5, table 3.2. The README beside this file is the block's page.

mod bank;
mod channels;
mod corners;
mod exercise;
mod params;
mod reference;

pub use bank::{Bank, Effect, Mshr, State, Way};
pub use channels::{
    ARRAY, Action, ArrayOp, Command, DRAM, ERROR, FILLED, Fetch, Filled, ISSUED, Issued, Kind,
    Misuse, Op, REQ, RESP, ROLL, ROLLED, Request, Response, RollOver, Rolled, channels,
};
pub use params::Params;
pub use reference::RelativisticL2;
