//! The corners as covers on the ports: those of co-simulation, by the same names.

use super::monitor::Monitor;
use crate::getm_metadata::Verdict;
use crate::getm_validation::channels::{Outcome, RESP};
use crate::getm_validation::corners::*;
use crate::kit::*;
use crate::properties;

/// Corners that no cover reaches, each with the reason.
pub(super) fn unseen() -> Vec<(usize, &'static str)> {
    vec![(RELEASE_BEHIND_STALLED_RESP, "it takes more clocks than covers are searched for")]
}

/// Covers every other corner that the parameters allow.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    verdicts(monitor);
    rolls(monitor);
    properties::cover_stalls(monitor.m, monitor.p, STALLED, (RESP, &monitor.resp));
    let full = monitor.resp.get("outcome").eq(Outcome::AbortFull as usize);
    properties::cover(monitor.m, monitor.p, FULL, monitor.resp.fires() & full);
}

fn verdicts(monitor: &Monitor<'_, '_>) {
    let Monitor { decided, in_table, rollover, .. } = monitor;
    let next = &in_table.next;
    let says = |verdict: Verdict| decided.valid & decided.get("verdict").eq(verdict as usize);
    let cover = |corner, condition| properties::cover(monitor.m, monitor.p, corner, condition);
    let (success, parks) = (says(Verdict::Success), says(Verdict::Park));
    let aborts = [Verdict::AbortWar, Verdict::AbortWaw, Verdict::AbortRaw].map(says);
    let [war, waw, raw] = aborts;
    let (load, store) = (next.access & !next.store, next.access & next.store);
    cover(LOAD_SUCCEEDS, load & success);
    cover(STORE_SUCCEEDS, store & success);
    cover(WAR, load & war);
    cover(WAW, store & waw);
    cover(RAW, store & raw);
    cover(COUNT, store & says(Verdict::AbortCount));
    cover(LOAD_PARKS, load & !next.retry & parks);
    cover(STORE_PARKS, store & !next.retry & parks);
    cover(RETRY_SUCCEEDS, next.retry & success);
    cover(RETRY_ABORTS, next.retry & (war | waw | raw));
    cover(RETRY_PARKS, next.retry & parks);
    cover(RELEASE_MISUSED, next.release & says(Verdict::Error));
    cover(RELEASE_WHILE_STOPPED, next.release & success & *rollover.stopped);
    cover(CLEAR_WHILE_RESERVED, next.clear & says(Verdict::Error));
    cover(GOES_ON, next.clear & success);
}

fn rolls(monitor: &Monitor<'_, '_>) {
    let Monitor { m, roll, events, rollover, granule, transaction, .. } = monitor;
    let cover = |corner, condition| properties::cover(monitor.m, monitor.p, corner, condition);
    cover(STOPS_ITSELF, events.stop & !*rollover.told);
    cover(TOLD_TO_STOP, events.stop & *rollover.told);
    cover(REFUSED_REQUEST, events.refused_request);
    cover(REFUSED_RETRY, events.refused_retry);
    let refused = transaction.refused_retry;
    cover(REFUSED_BEFORE_RELEASE, refused & granule.is_reserved());
    // A refused access did wait, and was not just about to be answered that there is no room.
    let waited = |name: &str, event: Signal<'_>| {
        let waited = m.reg(name, 1, 0);
        m.when(event & *transaction.parked, || waited.set(1))
            .otherwise_when(!*transaction.parked, || waited.set(0));
        *waited
    };
    cover(STOPS_WITH_WAITERS, refused & waited("waited_at_stop", events.stop));
    let told_to_go = roll.fires() & roll.get("go") & *rollover.stopped;
    cover(TOLD_TO_GO_WITH_WAITERS, refused & waited("waited_at_go", told_to_go));
}
