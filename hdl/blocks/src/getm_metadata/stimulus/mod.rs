//! Streams of requests for the table.
//!
//! What is legal or likely to be a corner depends on what the table holds, so a stream has a
//! reference of its own, which sees every request as it is offered.

pub(crate) mod crowd;
mod hash_table;
mod phases;
mod probes;
mod victims;

use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo {
        name: "mixed",
        doc: "all operations, in phases that fill, use and drain the table",
    },
    StreamInfo { name: "random", doc: "loads, stores and releases of granules anywhere" },
    StreamInfo { name: "same-granule", doc: "all requests to two granules" },
    StreamInfo {
        name: "hash-table",
        doc: "warps that insert into a hash table of few buckets, until the table is full of nodes",
    },
];
const RANDOM: usize = 1;
const SAME_GRANULE: usize = 2;
const HASH_TABLE: usize = 3;

pub(super) fn stimulus(params: &Params, stream: usize) -> Box<dyn Stimulus> {
    match stream {
        HASH_TABLE => Box::new(hash_table::Insertions::new(params)),
        RANDOM => Box::new(phases::Phases::new(params, phases::Pool::Anywhere)),
        SAME_GRANULE => Box::new(phases::Phases::new(params, phases::Pool::Two)),
        _ => Box::new(phases::Phases::new(params, phases::Pool::Changing)),
    }
}
