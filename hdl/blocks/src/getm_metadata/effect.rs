//! What a request does, as the reference sees it.

use super::access::Metadata;
use super::channels::{Answer, Misuse, OverflowRequest};

/// Where the granule of a request was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Bank(usize),
    Stash(usize),
    Overflow,
    /// Nowhere: it is as the Bloom filter says.
    Absent,
}

/// Where the insertion of an entry ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// An empty place in a bank.
    Empty,
    /// The place of an entry that nobody reserves.
    Victim,
    /// An empty place in the stash.
    Stash,
    /// The place of a stash entry that nobody reserves.
    StashVictim,
    /// The overflow space.
    Overflow,
    /// The Bloom filter, as nobody reserves the entry that is left over.
    Bloom,
}

/// An insertion.
#[derive(Clone, Debug)]
pub(super) struct Insertion {
    /// The granules displaced, in order.
    pub displaced: Vec<u64>,
    pub end: End,
}

/// What a request does, beside changing the table.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The answer.
    pub answer: Answer,
    /// Why the request has no meaning, if it has none.
    pub error: Option<Misuse>,
    /// What is asked of the overflow space, in order.
    pub overflow: Vec<OverflowRequest>,
    pub(super) place: Place,
    /// The granule was reserved.
    pub(super) reserved_before: bool,
    /// It was reserved by the same warp at another time.
    pub(super) same_warp_later: bool,
    pub(super) insertion: Option<Insertion>,
    /// The granule that went to the Bloom filter, and its times.
    pub(super) victim: Option<(u64, Metadata)>,
    /// The bank that has the new entry, if that displaced none.
    pub(super) new_bank: Option<usize>,
}

impl Effect {
    /// The bank that has the granule's entry now, of so many.
    pub(super) fn bank(&self, ways: u32) -> Option<usize> {
        match self.place {
            Place::Bank(index) => Some(index % ways as usize),
            _ => self.new_bank,
        }
    }
}
