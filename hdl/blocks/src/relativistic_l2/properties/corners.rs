//! The corners as covers on the ports: those of co-simulation that ports show, by the same names.

use super::monitor::Monitor;
use crate::kit::*;
use crate::properties;
use crate::relativistic_l2::channels::{
    ARRAY, Action, DRAM, FILLED, Kind, Misuse, REQ, RESP, ROLL, ROLLED, RollOver,
};
use crate::relativistic_l2::corners::*;
use crate::relativistic_l2::params::Params;

/// Corners that only the bank's state tells.
const OF_THE_STATE: &[usize] = &[
    MISS_ON_EVICTED,
    READ_JOINS_READ,
    READ_JOINS_STORE,
    STORE_JOINS_READ,
    STORE_JOINS_STORE,
    STORE_LATER,
    ALL_READ,
    NONE_READS,
    ATOMIC_WAITS,
    WAITS_FOR_ATOMIC,
    SET_FETCHING,
    NO_MSHR,
    CLEAN_VICTIM,
    DIRTY_VICTIM_OF_STORE,
    OTHER_VICTIM,
    MNOW_RISES,
    EVICTED_AND_FILLED,
    FILLED_AND_EVICTED,
    RENEWED_AT_LARGEST,
    SMALLEST_LEASE,
    EXP_IS_VER,
    EXP_IS_NEXT,
    LEASE_KEPT,
    EQUAL_VER,
    STORE_AT_NOW,
    STORE_BEHIND_LEASE,
    CLIPPED,
    AT_LIMIT,
    REFUSED_AT_FILL,
    MNOW_LAST,
    ROLL_FETCHING,
    ROLL_AT_REST,
    BACK_TO_BACK,
    STORE_BEHIND_READ,
    READ_BEHIND_STORE,
];

/// Corners without a cover, each with the reason.
pub(super) fn unseen(p: &Params) -> Vec<(usize, &'static str)> {
    let because = "the ports do not show the state of the bank that it needs";
    let all = OF_THE_STATE.iter().filter(|corner| p.reachable(**corner));
    all.map(|corner| (*corner, because)).collect()
}

/// Covers every corner that the parameters allow, and that ports show.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, resp, dram, rolled, error, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let kind = |kind: Kind| resp.fires() & resp.get("kind").eq(kind as u64);
    cover(RENEWED, kind(Kind::Renew));
    cover(REFUSED, kind(Kind::Data) & resp.get("exp").eq(0));
    cover(VER_LAST, kind(Kind::Ack) & resp.get("ver").eq(p.last()));
    cover(DIRTY_VICTIM, dram.fires() & dram.get("evict"));
    cover(WANTED, rolled.fires() & rolled.get("kind").eq(RollOver::Wanted as u64));
    let stalled_fetch = dram.valid & !dram.ready;
    cover(FILL_WHILE_DRAM_STALLED, monitor.shows(Action::Fill) & stalled_fetch);
    let errors = [
        (RESERVED_OP, Misuse::ReservedOp),
        (CORE_OUT_OF_RANGE, Misuse::CoreOutOfRange),
        (SECOND_GETS, Misuse::SecondGets),
        (LEASE_TOO_LATE, Misuse::LeaseTooLate),
        (NOTHING_FETCHED, Misuse::NothingFetched),
        (REQUEST_INSIDE, Misuse::RequestInside),
    ];
    for (corner, misuse) in errors {
        cover(corner, error.valid & error.get("code").eq(misuse as u64));
    }
    let channels = [
        (REQ, &monitor.req),
        (FILLED, &monitor.filled),
        (ROLL, &monitor.roll),
        (RESP, resp),
        (DRAM, dram),
        (ARRAY, &monitor.array),
        (ROLLED, rolled),
    ];
    for channel in channels {
        cover_stalls(m, *p, STALLED, channel);
    }
}
