//! The metadata table of GETM: timestamps and reservations of the granules of a memory partition,
//! precise for those that transactions in flight have reserved, approximate for all others.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4 and 4.5.2, figures 4.6 and 4.8.

mod access;
mod bloom;
mod channels;
mod hashes;
mod params;
mod reference;

pub use access::{Metadata, Verdict, access, release};
pub use channels::{
    Answer, ERROR, Misuse, OVERFLOW_REQ, OVERFLOW_RESP, Op, OverflowOp, OverflowRequest, REQ, RESP,
    Request, channels, overflow_answer,
};
pub use params::Params;
pub use reference::{Effect, Table};
