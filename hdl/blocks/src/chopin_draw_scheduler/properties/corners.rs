//! The corners as covers: those of co-simulation, by the same names.

use super::monitor::{Gpu, Monitor, fewest};
use crate::chopin_draw_scheduler::channels::{self, GRANT};
use crate::chopin_draw_scheduler::corners::*;
use crate::kit::*;
use crate::properties;

/// Covers every corner that the parameters allow.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    decisions(monitor);
    reports(monitor);
    queries(monitor);
    let Monitor { m, p, draw, grant, in_flight, .. } = monitor;
    let full = in_flight.eq(p.draws_in_flight());
    properties::cover(m, *p, ALL_IN_FLIGHT, draw.waits() & full);
    properties::cover_stalls(m, *p, STALLED, (GRANT, grant));
}

fn decisions(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, draws, gpus, fewest: (chosen, least), .. } = monitor;
    let decides = draws[2].valid;
    let cover = |corner, condition| properties::cover(m, *p, corner, decides & condition);
    cover(DRAW_OF_NONE, draws[2].value.eq(0));
    cover(DRAW_OF_MOST, draws[2].value.eq(p.largest_draw()));
    let chosen_before = m.reg("chosen_before", chosen.width(), 0);
    chosen_before.set(*chosen);
    let decided_before = last_clock(m, "decided_before", decides);
    cover(BACK_TO_BACK, decided_before & chosen_before.ne(*chosen));
    let equal: Vec<_> = gpus.iter().map(|gpu| gpu.remaining.eq(*least)).collect();
    let tie = count_of(equal.iter().copied(), 8).gt(1);
    cover(TIE, tie);
    cover(TIE_BY_DRAW, tie & decided_before & chosen_before.ne(*chosen));
    cover(ALL_EQUAL, all_of(m, &equal) & least.any());

    // Reports that counted in the last clock, and those that count in this one.
    let without = gpus.iter().enumerate().map(|(number, gpu)| {
        let last = m.reg(&format!("counted_last{number}"), p.triangle_bits, 0);
        last.set(gpu.counted[1]);
        gpu.remaining + last.zero_extend(p.remaining_bits)
    });
    cover(REPORT_IN_TIME, fewest(m, p, without).0.ne(*chosen));
    let with = gpus.iter().map(|gpu| gpu.remaining - gpu.counted[1].zero_extend(p.remaining_bits));
    cover(REPORT_TOO_LATE, fewest(m, p, with).0.ne(*chosen));
}

fn reports<'m>(monitor: &Monitor<'_, 'm>) {
    let Monitor { m, p, processed, grant, gpus, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let report = |number: u32| processed.get(&channels::gpu(number)).any();
    let all: Vec<_> = (0..p.gpus).map(report).collect();
    cover(ALL_REPORT, grant.fires() & processed.valid & all_of(m, &all));
    let of_all = |gpu: &Gpu<'m>| gpu.reported.any() & wide(gpu.reported).eq(wide(gpu.held));
    cover(REPORT_OF_ALL, any_of(gpus.iter().map(of_all)));
    // What was taken a clock before the report makes it fit, or what was taken in its clock would.
    let fits = |gpu: &Gpu<'m>| wide(gpu.reported).le(wide(gpu.held));
    let needs_last =
        |gpu: &Gpu<'m>| fits(gpu) & (wide(gpu.reported) + wide(gpu.given[1])).gt(wide(gpu.held));
    cover(REPORT_OF_TAKEN, any_of(gpus.iter().map(needs_last)));
    let needs_next =
        |gpu: &Gpu<'m>| !fits(gpu) & wide(gpu.reported).le(wide(gpu.held) + wide(gpu.given[0]));
    cover(REPORT_TOO_EARLY, any_of(gpus.iter().map(needs_next)));

    let refused: Vec<_> = gpus.iter().map(|gpu| gpu.refused).collect();
    cover(ERROR_OF_ALL, all_of(m, &refused));
    let counts = any_of(gpus.iter().map(|gpu| gpu.counted[0].any()));
    cover(ERROR_BESIDE, any_of(refused) & counts);
}

fn queries(monitor: &Monitor<'_, '_>) {
    let Monitor { m, p, query, processed, grant, gpus, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, query.valid & condition);
    let of = query.get("gpu");
    let is_one = |number: usize| of.eq(number);
    let with = (0..gpus.len()).map(|number| {
        let report = processed.get(&channels::gpu(number as u32));
        is_one(number) & processed.valid & report.any()
    });
    cover(QUERY_WITH_REPORT, any_of(with));
    let after = gpus.iter().enumerate().map(|(number, gpu)| is_one(number) & gpu.reported.any());
    cover(QUERY_AFTER_REPORT, any_of(after));
    cover(QUERY_AS_TAKEN, grant.fires() & grant.get("gpu").eq(of));
    cover(QUERY_OF_NONE, !any_of((0..gpus.len()).map(is_one)));
}

/// Wide enough for any sum here.
fn wide(signal: Signal<'_>) -> Signal<'_> {
    signal.zero_extend(16)
}
