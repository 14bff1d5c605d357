//! The corners as covers: those of co-simulation, by the same names.

use super::monitor::Monitor;
use crate::getm_metadata::access::Verdict;
use crate::getm_metadata::channels::{self, Misuse, Op, OverflowOp};
use crate::getm_metadata::corners::*;
use crate::properties;

/// Corners that do not show at the ports, each with the reason.
pub(super) fn of_the_inside() -> Vec<(usize, &'static str)> {
    [
        VICTIM,
        VICTIM_AGAIN,
        ALL_RESERVED,
        KICKS_SOME,
        KICKS_MOST,
        DISPLACED_AGAIN,
        STASH_FILLS,
        STASH_VICTIM,
        STASH_HIT,
        STASH_RELEASE,
        NEW_IN_ONE_ROW,
        NEW_IN_ONE_BLOOM_ROW,
    ]
    .map(|corner| (corner, "where an entry is does not show at the ports"))
    .into()
}

/// Covers what shows at the ports.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    answers(monitor);
    neighbours(monitor);
    overflow(monitor);
}

fn answers(monitor: &Monitor<'_, '_>) {
    let Monitor { presented, truth, judged, resp, .. } = monitor;
    let cover =
        |corner, condition| properties::cover(monitor.m, monitor.p, corner, *presented & condition);
    let is = |op: Op| resp.get("op").eq(op as usize);
    let says = |verdict: Verdict| resp.get("verdict").eq(verdict as usize);
    let of = |op, verdict| judged.here & is(op) & says(verdict);
    let reserved = truth.metadata.get("writes").any();
    cover(LOAD_SUCCEEDS, of(Op::Load, Verdict::Success) & !reserved);
    cover(LOAD_OF_OWNER, of(Op::Load, Verdict::Success) & reserved);
    cover(STORE_RESERVES, of(Op::Store, Verdict::Success) & !reserved);
    cover(STORE_OF_OWNER, of(Op::Store, Verdict::Success) & reserved);
    let of_warp = reserved & truth.metadata.get("owner").eq(resp.get("warp"));
    let other_time = truth.metadata.get("wts").ne(resp.get("warpts") + 1);
    let access = (is(Op::Load) | is(Op::Store)) & !judged.error & judged.here;
    cover(SAME_WARP_LATER, access & of_warp & other_time);
    cover(LOAD_PARKS, of(Op::Load, Verdict::Park));
    cover(STORE_PARKS, of(Op::Store, Verdict::Park));
    cover(ABORT_WAR, of(Op::Load, Verdict::AbortWar));
    cover(ABORT_WAW, of(Op::Store, Verdict::AbortWaw));
    cover(ABORT_RAW, of(Op::Store, Verdict::AbortRaw));
    cover(ABORT_COUNT, of(Op::Store, Verdict::AbortCount));
    let release = of(Op::Release, Verdict::Success);
    cover(RELEASE_PART, release & resp.get("reserved"));
    cover(RELEASE_LAST, release & !resp.get("reserved"));
    cover(CLEAR, is(Op::Clear) & says(Verdict::Success));
    let misuse = |misuse: Misuse| judged.error & judged.code.eq(misuse as usize);
    cover(NOT_RESERVED, misuse(Misuse::NotReserved) & judged.here);
    cover(WRONG_COUNT, misuse(Misuse::WrongCount) & judged.here);
    cover(LAST_TIMESTAMP, misuse(Misuse::LastTimestamp) & judged.here);
    cover(CLEAR_WHILE_RESERVED, misuse(Misuse::ClearWhileReserved));
    properties::cover_stalls(monitor.m, monitor.p, STALLED, (channels::RESP, resp));
}

/// Requests about one granule, clock after clock.
fn neighbours(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, req, chosen, .. } = monitor;
    let clear = req.get("op").eq(Op::Clear as usize);
    let here = req.fires() & !clear & p.granule(req.get("address")).eq(*chosen);
    let [any, granule] = ["requests", "requests_here"].map(|name| {
        m.reg(&format!("recent_{name}"), 3, 0).doc("Clock after clock, the last first.")
    });
    any.set(any.truncate(2).concat(req.fires() & !clear));
    granule.set(granule.truncate(2).concat(here));
    let between = |clocks: u32| (0..clocks).map(|clock| any.bit(clock)).reduce(|a, b| a & b);
    for (corner, clocks) in SAME_GRANULE.into_iter().zip(0..) {
        let without_gaps = between(clocks).unwrap_or(m.lit(1, 1));
        properties::cover(monitor.m, monitor.p, corner, here & granule.bit(clocks) & without_gaps);
    }
}

/// The overflow space, of any granule.
fn overflow(monitor: &Monitor<'_, '_>) {
    let Monitor { overflow_req: asked, overflow_resp: answer, .. } = monitor;
    let is = |op: OverflowOp| asked.fires() & asked.get("op").eq(op as usize);
    properties::cover(monitor.m, monitor.p, OVERFLOW_INSERT, is(OverflowOp::Insert));
    properties::cover(monitor.m, monitor.p, OVERFLOW_MISS, answer.fires() & !answer.get("found"));
    properties::cover(monitor.m, monitor.p, OVERFLOW_UPDATE, is(OverflowOp::Update));
    properties::cover(monitor.m, monitor.p, OVERFLOW_REMOVE, is(OverflowOp::Remove));
    properties::cover_stalls(monitor.m, monitor.p, STALLED, (channels::OVERFLOW_REQ, asked));
}
