//! The corners as covers: those of co-simulation, by the same names.

use super::monitor::Monitor;
use crate::kit::*;
use crate::properties;
use crate::zbuffer_commit::channels::{self, Misuse};
use crate::zbuffer_commit::corners::*;

/// Corners without a cover, each with the reason.
pub(super) fn unseen() -> Vec<(usize, &'static str)> {
    let others = [WINS_ALL, WINS_SOME, SET_LOCKED, COMPARATORS_TAKEN, OVERTAKEN, ALL_ON_ONE]
        .map(|corner| (corner, "what other lanes and blocks do is not remembered"));
    let late = [LOSES, EQUAL, FETCHED_AGAIN]
        .map(|corner| (corner, "two passes through the circuit are too deep for the search"));
    others.into_iter().chain(late).collect()
}

/// Covers what shows at the ports.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, req, zread, reset, due, enters, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let wins = monitor.wins();
    let color = monitor.new_color & monitor.is_here(&monitor.color);
    let oldest = due.oldest();
    cover(EMPTY_MASK, *enters & !req.get("mask").any());
    cover(SMALLEST, color & wins & oldest.get("depth").eq(p.largest_depth() + 1));
    cover(LARGEST, color & wins & oldest.get("depth").eq(p.largest_depth()));
    let code = |misuse: Misuse| monitor.misused & monitor.code.eq(misuse as usize);
    cover(MISALIGNED, code(Misuse::Misaligned));
    cover(PART_OF_WORD, code(Misuse::PartOfWord));
    let same =
        due.entries().map(|(taken, entry)| taken & entry.get("depth").eq(oldest.get("depth")));
    let same = count_of(same, address_bits(due.capacity() + 1));
    cover(THREE_EQUAL, same.ge(3));
    cover(WRITE_BACK_AWAITED, *monitor.writing & due.any());
    let older = m.reg("read_in_flight", 1, 0).doc("The chosen block's read is older than another.");
    m.when(!*monitor.reading, || older.set(0));
    m.when(*monitor.reading & zread.fires() & !monitor.is_here(zread), || older.set(1));
    let other = monitor.zdata.get("entry").ne(*monitor.reading_entry);
    cover(OUT_OF_ORDER_DATA, monitor.zdata.valid & *monitor.reading & *older & other);
    cover(RESET_BUSY, reset.fires() & monitor.ids.any());
    cover(RESET_WRITING, reset.fires() & monitor.writes.any());
    let stalled = [
        (channels::REQ, req),
        (channels::ACK, &monitor.ack),
        (channels::ZREAD, zread),
        (channels::ZWRITE, &monitor.zwrite),
        (channels::COLOR, &monitor.color),
        (channels::ZCLEAR, &monitor.zclear),
        (channels::RESET_DONE, &monitor.reset_done),
    ];
    for channel in stalled {
        properties::cover_stalls(m, *p, STALLED, channel);
    }
}
