//! The table's channels, and their payloads as Rust values.

use std::fmt;

use super::access::{Metadata, Verdict};
pub use super::access::{Misuse, Op};
use super::params::Params;
use crate::kit::*;

codes! {
    /// What is asked of the overflow space in memory.
    pub enum OverflowOp {
        /// Is there an entry of the granule? Only this is answered, on `overflow_resp`.
        Lookup,
        /// A new entry.
        Insert,
        /// The entry changes.
        Update,
        /// The entry leaves.
        Remove,
    }
}

payload! {
    /// A request: a payload of `req`.
    pub struct Request(p: &Params) {
        op: Op [2] "0 load, 1 store, 2 release, 3 clear";
        address: u64 [p.address_bits] "byte address; ignored by clear";
        warp: u64 [p.owner_bits] "of a load or store: the warp";
        warpts: u64 [p.timestamp_bits] "of a load or store: the warp's timestamp";
        count: u64 [p.write_count_bits] "of a release: writes that are done with";
        tag: u64 [p.tag_bits] "comes back with the answer";
    }

    /// An answer: a payload of `resp`.
    pub struct Answer(p: &Params) {
        op: Op [2] "as in the request";
        address: u64 [p.address_bits] "as in the request";
        warp: u64 [p.owner_bits] "as in the request";
        warpts: u64 [p.timestamp_bits] "as in the request";
        tag: u64 [p.tag_bits] "as in the request";
        verdict: Verdict [3] "0 success, 1 park, 2 WAR, 3 WAW, 4 RAW, 5 COUNT, 6 error";
        wts: u64 [p.timestamp_bits] "before the request; 0 after a clear or an error";
        rts: u64 [p.timestamp_bits] "before the request; 0 after a clear or an error";
        reserved: bool [1] "the granule is reserved after the request";
    }

    /// A payload of `overflow_req`. A lookup and a removal have no metadata: it is zero.
    pub struct OverflowRequest(p: &Params) {
        op: OverflowOp [2] "0 lookup, 1 insert, 2 update, 3 remove";
        address: u64 [p.address_bits] "byte address of the granule, aligned to it";
        /// What is to be kept.
        metadata: Metadata {Metadata::fields(p)};
    }

    /// The answer to a lookup: a payload of `overflow_resp`.
    pub struct OverflowAnswer(p: &Params) {
        found: bool [1] "there is an entry of the granule";
        /// What is kept for it; zero if there is none.
        metadata: Metadata {Metadata::fields(p)};
    }
}

channels! { |p|
    REQ = Channel::input("req", Request::fields(p), "accesses and releases").revocable();
    RESP = Channel::output("resp", Answer::fields(p), "one answer a request");
    OVERFLOW_REQ = Channel::output(
        "overflow_req",
        OverflowRequest::fields(p),
        "what is asked of the overflow space in memory, to be done in order",
    );
    OVERFLOW_RESP = Channel::input(
        "overflow_resp",
        OverflowAnswer::fields(p),
        "one answer a lookup in the overflow space",
    );
    ERROR = Channel::error(
        2,
        "0 release of a granule that is not reserved, 1 release of no \
         writes or more than are under way, 2 access at the largest timestamp, 3 clear while a \
         granule is reserved",
        "malformed requests; they change nothing",
    );
}

impl OverflowAnswer {
    /// The answer that there is this, or nothing.
    pub fn of(found: Option<Metadata>) -> Self {
        Self { found: found.is_some(), metadata: found.unwrap_or_default() }
    }
}

impl Answer {
    /// The request, but for the count of a release, which does not come back.
    pub fn request(&self) -> Request {
        let Self { op, address, warp, warpts, tag, .. } = *self;
        Request { op, address, warp, warpts, count: 0, tag }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { op, address, warp, warpts, count, .. } = self;
        match op {
            Op::Load => write!(f, "load of 0x{address:x} by warp {warp} at {warpts}"),
            Op::Store => write!(f, "store to 0x{address:x} by warp {warp} at {warpts}"),
            Op::Release => write!(f, "release of {count} writes to 0x{address:x}"),
            Op::Clear => write!(f, "clear"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { verdict, wts, rts, reserved, .. } = self;
        write!(f, "{verdict} wts={wts} rts={rts} reserved={}", u8::from(*reserved))
    }
}
