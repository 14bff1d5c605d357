//! Requests that follow each other closely, which the stages compare with each other.

use super::{IN_FLIGHT, NEXT_LOAD, NEXT_TIME, NEXT_WARP, Source, VICTIMS_RTS, VICTIMS_WTS, stands};
use crate::getm_metadata::access::{Metadata, Verdict};
use crate::getm_metadata::channels::{Op, Request};
use crate::getm_metadata::hashes::Hashes;
use crate::kit::*;

/// Requests in consecutive clocks, as the stages compare them.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight {
    last: Option<Done>,
}

#[derive(Clone, Copy, Debug)]
struct Done {
    request: Request,
    granule: u64,
    leaves: bool,
    reserves: bool,
    raises_rts: bool,
}

impl InFlight {
    /// A request that was in the clock after the last, or not, with the true metadata of its granule
    /// before and after it, and whether that is `kept` in a bank or in the stash.
    pub fn done(
        &mut self,
        request: &Request,
        granule: u64,
        (follows, verdict, kept): (bool, Verdict, bool),
        [before, after]: [Metadata; 2],
        corners: &mut Corners,
    ) {
        let looks = match request.op {
            Op::Load | Op::Store => verdict != Verdict::Error,
            Op::Release => true,
            Op::Clear => false,
        };
        if let Some(last) = self.last
            && follows
            && looks
            && last.leaves
        {
            corners.compare(IN_FLIGHT, last.granule, granule);
            if last.granule == granule && request.op != Op::Release {
                last.meets(request, before, corners);
            }
        }
        let leaves = kept && looks && (request.op != Op::Release || before.is_reserved());
        let reserves = !before.is_reserved() && after.is_reserved();
        let loads = request.op == Op::Load && verdict == Verdict::Success;
        let raises_rts = loads && after.rts == request.warpts;
        self.last = Some(Done { request: *request, granule, leaves, reserves, raises_rts });
    }
}

impl Done {
    fn meets(&self, next: &Request, before: Metadata, corners: &mut Corners) {
        let (one, other) = (&self.request, next);
        if self.reserves {
            if one.warp == other.warp {
                corners.compare(NEXT_TIME, one.warpts, other.warpts);
            }
            if one.warpts == other.warpts {
                corners.compare(NEXT_WARP, one.warp, other.warp);
            }
        } else if self.raises_rts {
            if next.op == Op::Store {
                corners.compare(NEXT_LOAD, one.warpts, other.warpts);
            }
        } else {
            stands(next, before, Source::Before, corners);
        }
    }
}

/// Requests within which a second eviction finds the first on its way to the Bloom filter, or just there.
pub(crate) const SOON: u64 = 8;

/// The last entry that was evicted, and how many requests ago.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evicted {
    last: Option<(u64, Metadata)>,
    ago: u64,
}

impl Evicted {
    /// The next request, and the entry that it evicts, if any.
    pub fn count(
        &mut self,
        victim: Option<(u64, Metadata)>,
        hashes: &Hashes,
        corners: &mut Corners,
    ) {
        self.ago += 1;
        let Some((granule, times)) = victim else { return };
        if let Some((other, before)) = self.last
            && self.ago <= SOON
            && hashes.bloom_rows(granule).zip(hashes.bloom_rows(other)).any(|(a, b)| a == b)
        {
            corners.compare(VICTIMS_WTS, before.wts, times.wts);
            corners.compare(VICTIMS_RTS, before.rts, times.rts);
        }
        (self.last, self.ago) = (victim, 0);
    }
}
