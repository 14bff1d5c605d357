//! The corners as covers on the ports: those of co-simulation, by the same names.

use super::monitor::Monitor;
use crate::bloom_filter::channels::{Op, REQ, RESP};
use crate::bloom_filter::corners::*;
use crate::kit::*;
use crate::properties;

/// Covers every corner that the parameters allow, and that ports show.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    behind(monitor);
    clears(monitor);
    queries(monitor);
    let Monitor { m, p, req, resp, .. } = monitor;
    let nobody = req.get("wavefront").ge(p.wavefronts);
    let no_such =
        [(NO_SUCH_INSERT, Op::Insert), (NO_SUCH_QUERY, Op::Query), (NO_SUCH_CLEAR, Op::Clear)];
    for (corner, op) in no_such {
        properties::cover(m, *p, corner, monitor.takes(op) & nobody);
    }
    for (channel, watched) in [(REQ, req), (RESP, resp)] {
        cover_stalls(m, *p, STALLED, (channel, watched));
    }
}

/// Whether `condition` held so many clocks with `req_ready` ago, for 1, 2, ... `N`.
fn ago<'m, const N: usize>(
    monitor: &Monitor<'_, 'm>,
    name: &str,
    condition: Signal<'m>,
) -> [Signal<'m>; N] {
    let mut last = condition;
    std::array::from_fn(|i| {
        let held = monitor.m.reg(&format!("{name}_{}_ago", i + 1), 1, 0);
        monitor.m.when(monitor.req.ready, || held.set(last));
        last = *held;
        last
    })
}

/// Queries and insertions close behind insertions.
fn behind(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, chosen, .. } = monitor;
    let exists = chosen.wavefront.lt(p.wavefronts);
    let inserts = monitor.takes(Op::Insert) & chosen.of_wavefront & exists;
    let is_new: [_; 3] = ago(monitor, "new", inserts & chosen.of_line & !chosen.bits.all());
    let hits = monitor.takes(Op::Query) & chosen.of_wavefront & chosen.of_line & chosen.bits.all();
    let corners = [QUERY_1_BEHIND, QUERY_2_BEHIND, QUERY_3_BEHIND];
    for (corner, is_new) in corners.into_iter().zip(is_new) {
        properties::cover(m, *p, corner, hits & is_new);
    }
    let [other] = ago(monitor, "other", inserts & !chosen.of_line);
    properties::cover(m, *p, INSERTS_BACK_TO_BACK, inserts & chosen.of_line & other);
}

fn clears(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, req, chosen, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let exists = chosen.wavefront.lt(p.wavefronts);
    let inserts = monitor.takes(Op::Insert) & chosen.of_wavefront & exists;
    let clears = monitor.takes(Op::Clear) & chosen.of_wavefront;
    let clears_all = monitor.takes(Op::ClearAll);
    let [_, inserted] = ago(monitor, "inserted", inserts & chosen.of_line);
    let query = monitor.takes(Op::Query) & chosen.of_wavefront & chosen.of_line & inserted;
    let [cleared] = ago(monitor, "cleared", clears);
    cover(CLEAR_BETWEEN, query & cleared);
    let [all_cleared, all_cleared_before] = ago(monitor, "all_cleared", clears_all);
    cover(CLEAR_ALL_BETWEEN, query & all_cleared);
    let [lines_cleared] = ago(monitor, "lines_cleared", clears & *chosen.inserted_any);
    cover(INSERT_BEHIND_CLEAR, inserts & lines_cleared);
    let [one, _, three, four] = ago(monitor, "accepted", req.fires());
    cover(CLEAR_ALL_FULL, req.fires() & one & all_cleared_before & three & four);
}

fn queries(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, req, chosen, .. } = monitor;
    let exists = chosen.wavefront.lt(p.wavefronts);
    let query = monitor.takes(Op::Query) & chosen.of_wavefront & exists;
    let cover = |corner, condition| properties::cover(m, *p, corner, query & condition);
    let of_line = chosen.of_line;
    cover(NOTHING_INSERTED, !*chosen.inserted_any);
    cover(FALSE_POSITIVE, of_line & chosen.bits.all() & !*chosen.inserted);

    let elsewhere = m.reg("elsewhere", 1, 0).doc("Another wavefront has inserted the chosen line.");
    let by_other = !chosen.of_wavefront & req.get("wavefront").lt(p.wavefronts);
    let inserts = monitor.takes(Op::Insert) & by_other & of_line;
    let clears = monitor.takes(Op::Clear) | monitor.takes(Op::ClearAll);
    m.when(inserts, || elsewhere.set(1)).otherwise_when(clears, || elsewhere.set(0));
    let misses = of_line & !chosen.bits.all() & *chosen.inserted_any;
    cover(OTHER_WAVEFRONT, misses & *elsewhere);
}
