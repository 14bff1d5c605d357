//! The situations that verification of the commit unit must have met.

use super::channels::{Item, Kind, Misuse};
use super::params::Params;
use super::reference::{Cause, Effect};
use crate::kit::*;

corners! {
    COALESCED "a write joins a region that waits",
    COVERED "a region leaves because all of it is written",
    ENDED "a region leaves at the end of its log",
    PRESSED "a region leaves because the window is full",
    AGED "a region leaves because it has waited long enough",
    SPLIT "a count would overflow: the region is split",
    LEAVE_TOGETHER "several regions leave at one item",
    MIXED "a region with commits and aborts",
    ABORTED "a region whose writes were all aborted",
    EMPTY_LOG "the end of a log that has written nothing since the last",
    RESERVED_KIND "error: reserved kind",
    NO_WRITES "error: no writes are counted",
    MISALIGNED "error: the address is not that of a word",
    SAME_REGION_BACK_TO_BACK "two items of one region in consecutive clocks",
    WRITE_STALLED "write stalled",
    RELEASE_STALLED "release stalled",
    LOG_STALLED "log stalled for 8 clocks or more: the ring is full",
}

stalled! { WRITE_STALLED: WRITE for 1, RELEASE_STALLED: RELEASE for 1, LOG_STALLED: LOG for 8 }

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        SPLIT => p.max_wait > 1 && p.write_count_bits <= 10,
        COALESCED | PRESSED | LEAVE_TOGETHER | MIXED => p.max_wait > 2,
        MISALIGNED => p.word_bytes > 1,
        _ => true,
    }
}

pub(super) fn count_effect(item: &Item, effect: &Effect, corners: &mut Corners) {
    if let Some(misuse) = effect.error {
        corners.hit(match misuse {
            Misuse::ReservedKind => RESERVED_KIND,
            Misuse::NoWrites => NO_WRITES,
            Misuse::Misaligned => MISALIGNED,
        });
        return;
    }
    for cause in &effect.causes {
        corners.hit(match cause {
            Cause::Covered => COVERED,
            Cause::End => ENDED,
            Cause::Pressure => PRESSED,
            Cause::Age => AGED,
            Cause::CountOverflow => SPLIT,
        });
    }
    corners.count(COALESCED, effect.coalesced);
    corners.count(LEAVE_TOGETHER, effect.leaves.len() > 1);
    corners.count(EMPTY_LOG, item.kind == Some(Kind::End) && effect.causes.is_empty());
    for entry in &effect.leaves {
        let writes = entry.region.iter().any(Option::is_some);
        corners.count(MIXED, writes && entry.aborts);
        corners.count(ABORTED, !writes && entry.aborts);
    }
}
