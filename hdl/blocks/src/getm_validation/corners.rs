//! The situations that verification of the validation unit must have met. Those of its table and its
//! stall buffer are met where these are verified.

use super::channels::Outcome;
use super::params::Params;
use crate::getm_metadata::Verdict;
use crate::kit::*;

corners! {
    LOAD_SUCCEEDS "load succeeds",
    STORE_SUCCEEDS "store succeeds",
    WAR "load aborts: WAR",
    WAW "store aborts: WAW",
    RAW "store aborts: RAW",
    COUNT "store aborts: too many writes",
    FULL "access aborts: no room to wait",
    LOAD_PARKS "load parks",
    STORE_PARKS "store parks",
    RETRY_SUCCEEDS "retry succeeds",
    RETRY_ABORTS "retry aborts on a timestamp",
    RETRY_PARKS "retry parks again",
    RELEASE_MISUSED "release without its reservation",
    RELEASE_WHILE_STOPPED "release while stopped for a roll-over",
    STOPS_ITSELF "roll-over begun by a request without time left",
    TOLD_TO_STOP "roll-over begun by another unit",
    STOPS_WITH_WAITERS "roll-over with waiters",
    REFUSED_REQUEST "request answered that timestamps roll over",
    REFUSED_RETRY "waiter answered that timestamps roll over",
    REFUSED_BEFORE_RELEASE "waiter answered that timestamps roll over while its granule is reserved",
    TOLD_TO_GO_WITH_WAITERS "told to go on while accesses wait",
    CLEAR_WHILE_RESERVED "told to go on while a granule is reserved",
    GOES_ON "roll-over ends",
    RESP_STALLED "resp stalled",
    RELEASE_BEHIND_STALLED_RESP "release taken while resp has been stalled for 32 clocks",
}

stalled! { RESP_STALLED: RESP for 1 }

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        // So many writes take long.
        COUNT => p.write_count_bits <= 4,
        // Timestamps move on slowly.
        STOPS_ITSELF => p.timestamp_bits <= 16,
        _ => true,
    }
}

pub(super) fn count_access(retry: bool, store: bool, verdict: Verdict, corners: &mut Corners) {
    let corner = match (verdict, retry, store) {
        (Verdict::Park, true, _) => RETRY_PARKS,
        (Verdict::Park, false, true) => STORE_PARKS,
        (Verdict::Park, false, false) => LOAD_PARKS,
        (Verdict::Success, _, true) => STORE_SUCCEEDS,
        (Verdict::Success, _, false) => LOAD_SUCCEEDS,
        (Verdict::AbortWar, ..) => WAR,
        (Verdict::AbortWaw, ..) => WAW,
        (Verdict::AbortRaw, ..) => RAW,
        (Verdict::AbortCount, ..) => COUNT,
        (Verdict::Error, ..) => return,
    };
    corners.hit(corner);
}

pub(super) fn count_outcome(retry: bool, outcome: Outcome, corners: &mut Corners) {
    corners.count(FULL, outcome == Outcome::AbortFull);
    if retry {
        corners.hit(match outcome {
            Outcome::Success => RETRY_SUCCEEDS,
            // A waiter keeps its entry until then: it always finds room.
            _ => RETRY_ABORTS,
        });
    }
}

pub(super) fn count_release(verdict: Verdict, stopped: bool, corners: &mut Corners) {
    corners.count(RELEASE_MISUSED, verdict == Verdict::Error);
    corners.count(RELEASE_WHILE_STOPPED, stopped && verdict == Verdict::Success);
}
