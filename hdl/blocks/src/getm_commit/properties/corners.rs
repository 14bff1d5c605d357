//! The corners as covers: those of co-simulation, by the same names.

use super::monitor::Monitor;
use crate::getm_commit::channels::{self, Misuse};
use crate::getm_commit::corners::*;
use crate::properties;

/// Corners that do not show at the ports, each with the reason.
pub(super) fn of_the_inside() -> Vec<(usize, &'static str)> {
    [COVERED, ENDED, PRESSED, AGED, SPLIT, LEAVE_TOGETHER]
        .map(|corner| (corner, "why a region leaves does not show at the ports"))
        .into()
}

/// Covers what shows at the ports.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, log, write, release, item, presented, released, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let whole = *presented & released.whole;
    cover(COALESCED, whole & released.several);
    cover(MIXED, whole & released.writes & released.aborts);
    cover(ABORTED, whole & !released.writes & released.aborts);

    let error = log.fires() & item.error;
    let code = |misuse: Misuse| error & item.code.eq(misuse as usize);
    cover(RESERVED_KIND, code(Misuse::ReservedKind));
    cover(NO_WRITES, code(Misuse::NoWrites));
    cover(MISALIGNED, code(Misuse::Misaligned));

    let ends = log.fires() & item.ends;
    let ended = m.reg("last_item_ended", 1, 0).doc("The last item was the end of a log.");
    m.when(log.fires(), || ended.set(item.ends));
    cover(EMPTY_LOG, ends & *ended);
    let here = log.fires() & item.here;
    let before =
        m.reg("last_clock_here", 1, 0).doc("An item of the region came in the last clock.");
    before.set(here);
    cover(SAME_REGION_BACK_TO_BACK, here & *before);

    for channel in [(channels::WRITE, write), (channels::RELEASE, release), (channels::LOG, log)] {
        properties::cover_stalls(m, *p, STALLED, channel);
    }
}
