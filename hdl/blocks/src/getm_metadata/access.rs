//! What there is to ask of a granule's metadata, and what it does: the flowchart of figure 4.6.

use std::fmt;

use super::params::Params;

/// What is kept for a granule (table 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// One more than the logical time of the last write.
    pub wts: u64,
    /// The logical time of the last read.
    pub rts: u64,
    /// Writes under way. If there are any, the granule is reserved.
    pub writes: u64,
    /// The warp that reserves it; means nothing if none does.
    pub owner: u64,
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

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A transactional load (figure 4.6).
    Load = 0,
    /// A transactional store (figure 4.6).
    Store = 1,
    /// `count` writes to the granule were committed, or cleaned up after an abort (4.4.1).
    Release = 2,
    /// Forgets everything, for a roll-over (4.5.2).
    Clear = 3,
}

impl Op {
    /// All operations, in the order of their codes.
    pub const ALL: [Op; 4] = [Op::Load, Op::Store, Op::Release, Op::Clear];
}

/// Why a request has no meaning: codes of `error_code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// A release of a granule that is not reserved.
    NotReserved = 0,
    /// A release of no writes, or of more than are under way.
    WrongCount = 1,
    /// An access at the largest timestamp, which has no successor.
    LastTimestamp = 2,
    /// A clear while a granule is reserved.
    ClearWhileReserved = 3,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It succeeds.
    Success = 0,
    /// It is to wait until the granule is released.
    Park = 1,
    /// A load after a logically later write: the transaction aborts.
    AbortWar = 2,
    /// A store after a logically later write: the transaction aborts.
    AbortWaw = 3,
    /// A store after a logically later read: the transaction aborts.
    AbortRaw = 4,
    /// No more writes can be counted: the transaction aborts.
    AbortCount = 5,
    /// The request has no meaning.
    Error = 6,
}

impl Verdict {
    /// All verdicts, in the order of their codes.
    pub const ALL: [Verdict; 7] = [
        Verdict::Success,
        Verdict::Park,
        Verdict::AbortWar,
        Verdict::AbortWaw,
        Verdict::AbortRaw,
        Verdict::AbortCount,
        Verdict::Error,
    ];
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
