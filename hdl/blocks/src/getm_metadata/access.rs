//! What there is to ask of a granule's metadata, and what it does: the flowchart of figure 4.6.

use std::fmt;

use super::channels::{Answer, OverflowRequest};
use super::params::Params;
use crate::kit::*;

payload! {
    /// What is kept for a granule (table 4.1).
    #[derive(Default)]
    pub struct Metadata(p: &Params) {
        wts: u64 [p.timestamp_bits] "one more than the time of the last write";
        rts: u64 [p.timestamp_bits] "the time of the last read";
        writes: u64 [p.write_count_bits] "writes under way; not 0: reserved";
        owner: u64 [p.owner_bits] "the warp that reserves it";
    }
}

impl Metadata {
    /// Whether a transaction has reserved the granule.
    pub fn is_reserved(&self) -> bool {
        self.writes != 0
    }

    /// Whether that transaction is this warp's at that time. The paper looks at the warp alone; then
    /// a warp's next transaction passes for the one before, whose log is still under way.
    pub fn is_mine(&self, p: &Params, warp: u64, warpts: u64) -> bool {
        self.is_reserved() && self.owner == warp && (p.faithful || self.wts == warpts + 1)
    }
}

codes! {
    /// What a request does.
    pub enum Op {
        /// A transactional load (figure 4.6).
        Load,
        /// A transactional store (figure 4.6).
        Store,
        /// `count` writes to the granule were committed, or cleaned up after an abort (4.4.1).
        Release,
        /// Forgets everything, for a roll-over (4.5.2).
        Clear,
    }

    /// Why a request is malformed: codes of `error_code`.
    pub enum Misuse {
        /// A release of a granule that is not reserved.
        NotReserved,
        /// A release of no writes, or of more than are under way.
        WrongCount,
        /// An access at the largest timestamp, which has no successor.
        LastTimestamp,
        /// A clear while a granule is reserved.
        ClearWhileReserved,
    }

    /// What becomes of a request.
    pub enum Verdict {
        /// It succeeds.
        Success,
        /// It is to wait until the granule is released.
        Park,
        /// A load after a logically later write: the transaction aborts.
        AbortWar,
        /// A store after a logically later write: the transaction aborts.
        AbortWaw,
        /// A store after a logically later read: the transaction aborts.
        AbortRaw,
        /// No more writes can be counted: the transaction aborts.
        AbortCount,
        /// The request is malformed.
        Error,
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Success => "success",
            Verdict::Park => "park",
            Verdict::AbortWar => "abort(WAR)",
            Verdict::AbortWaw => "abort(WAW)",
            Verdict::AbortRaw => "abort(RAW)",
            Verdict::AbortCount => "abort(COUNT)",
            Verdict::Error => "error",
        })
    }
}

/// A load or store by `warp` at the time `warpts`: the verdict, and the metadata afterwards.
///
/// # Panics
/// If `op` is neither.
pub fn access(p: &Params, op: Op, warp: u64, warpts: u64, before: Metadata) -> (Verdict, Metadata) {
    let mine = before.is_mine(p, warp, warpts);
    let read = Metadata { rts: before.rts.max(warpts), ..before };
    match op {
        Op::Load if mine => (Verdict::Success, read),
        Op::Load if before.wts > warpts => (Verdict::AbortWar, before),
        Op::Load if before.is_reserved() => (Verdict::Park, before),
        Op::Load => (Verdict::Success, read),
        Op::Store if mine && before.writes == p.most_writes() => (Verdict::AbortCount, before),
        Op::Store if mine => (Verdict::Success, Metadata { writes: before.writes + 1, ..before }),
        Op::Store if before.wts > warpts => (Verdict::AbortWaw, before),
        Op::Store if before.rts > warpts => (Verdict::AbortRaw, before),
        Op::Store if before.is_reserved() => (Verdict::Park, before),
        Op::Store => {
            let reserved = Metadata { wts: warpts + 1, rts: before.rts, writes: 1, owner: warp };
            (Verdict::Success, reserved)
        }
        Op::Release | Op::Clear => panic!("{op:?} is no access"),
    }
}

/// The end of `count` writes: the metadata afterwards.
///
/// # Errors
/// That there are not as many writes under way.
pub fn release(before: Metadata, count: u64) -> Result<Metadata, Misuse> {
    match before.writes {
        0 => Err(Misuse::NotReserved),
        writes if count == 0 || count > writes => Err(Misuse::WrongCount),
        writes => Ok(Metadata { writes: writes - count, ..before }),
    }
}

// What a request does in the reference.

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
    /// The place of an entry that is not reserved.
    Victim,
    /// An empty place in the stash.
    Stash,
    /// The place of a stash entry that is not reserved.
    StashVictim,
    /// The overflow space.
    Overflow,
    /// The Bloom filter, as the entry that is left over is not reserved.
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
    /// Why the request is malformed, if it is.
    pub error: Option<Misuse>,
    /// What is asked of the overflow space, in order.
    pub overflow: Vec<OverflowRequest>,
    pub(super) place: Place,
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
