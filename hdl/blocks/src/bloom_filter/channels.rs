//! The channels of the Bloom filters, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

/// The only code of `error_code`: no wavefront has that number.
pub const NO_SUCH_WAVEFRONT: u64 = 0;

codes! {
    /// A kind of request.
    pub enum Op {
        /// A store appends a line to the wavefront's store buffer (4.3).
        Insert,
        /// A load asks whether its line may be in there (4.3).
        Query,
        /// The store buffer of the wavefront is empty again.
        Clear,
        /// The store buffers of all wavefronts are.
        ClearAll,
    }
}

payload! {
    /// A request: a payload of `req`.
    pub struct Request(p: &Params) {
        op: Op [2] "0 insert, 1 query, 2 clear, 3 clear all";
        wavefront: u64 [p.wavefront_bits()] "number of the wavefront; ignored by clear all";
        line: u64 [p.line_bits] "number of the line; ignored by clear and clear all";
    }

    /// The answer to a query: a payload of `resp`.
    pub struct Answer(p: &Params) {
        hit: bool [1] "1 the line may have been inserted, 0 it has not";
    }
}

channels! { |p|
    REQ = Channel::input("req", Request::fields(p), "requests, each atomic, in their order");
    RESP = Channel::output("resp", Answer::fields(p), "answers to queries, in their order");
    ERROR = Channel::error(
        1,
        "0 no such wavefront",
        "requests of a wavefront that there is not; they change nothing, a query misses",
    );
}

impl Request {
    /// Whether it names a wavefront that there is not.
    pub fn is_malformed(&self, p: &Params) -> bool {
        self.op != Op::ClearAll && !p.has(self.wavefront)
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { op, wavefront, line } = self;
        match op {
            Op::Insert => write!(f, "insertion of line 0x{line:x} by wavefront {wavefront}"),
            Op::Query => write!(f, "query of line 0x{line:x} by wavefront {wavefront}"),
            Op::Clear => write!(f, "clear of wavefront {wavefront}"),
            Op::ClearAll => f.write_str("clear of all wavefronts"),
        }
    }
}
