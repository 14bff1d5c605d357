//! What an item of a log does, as the reference sees it.

use super::channels::{Misuse, Region};

/// A region on its way to the LLC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the region.
    pub granule: u64,
    /// What is written to it; nothing if all of its writes were aborted.
    pub region: Region,
    /// Writes that are done with once it is written.
    pub count: u64,
    /// Items taken before it was begun.
    pub(super) begun: u64,
    /// Its slot in the ring.
    pub(super) slot: usize,
    /// Nothing more is coalesced into it.
    pub(super) closed: bool,
    /// One of its writes was aborted.
    pub(super) aborts: bool,
}

/// Why a region is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Covered,
    End,
    Pressure,
    Age,
    CountOverflow,
}

/// What an item does.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Why it has no meaning, if it has none.
    pub error: Option<Misuse>,
    /// The regions that leave, in order.
    pub leaves: Vec<Entry>,
    pub(super) causes: Vec<Cause>,
    pub(super) coalesced: bool,
}
