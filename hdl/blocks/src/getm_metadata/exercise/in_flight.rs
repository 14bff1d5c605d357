//! Requests in consecutive clocks, which the stages compare with each other.

use super::{IN_FLIGHT, NEXT_LOAD, NEXT_TIME, NEXT_WARP, Source, stands};
use crate::getm_metadata::access::{Metadata, Verdict};
use crate::getm_metadata::channels::{Op, Request};
use crate::verification::Corners;

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
