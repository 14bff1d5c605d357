//! The corners as covers on the ports: those of co-simulation, by the same names.

use super::gpus::Gpu;
use super::monitor::Monitor;
use crate::chopin_composition_scheduler::channels::START;
use crate::chopin_composition_scheduler::corners::*;
use crate::kit::*;
use crate::properties;

/// Covers every corner that the parameters allow, but those that take too many groups.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    groups(monitor);
    starts(monitor);
    errors(monitor);
}

fn groups<'m>(monitor: &Monitor<'_, 'm>) {
    let Monitor { m, p, finished, done, gpus, happens, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let each = gpus.iter().zip(happens).map(|(gpu, (event, ends, begins))| {
        let busy = gpu.way.any() | gpu.sends(gpus);
        let goes_on = *ends & *begins;
        let at_reset = event.accepts & *ends;
        let background = *ends & event.received.bit(gpu.number);
        let sent = *ends & event.sent.any();
        let kind = gpu.waits.mux(*gpu.next_transparent, event.transparent);
        let other = *begins & gpu.group.any() & kind.ne(*gpu.transparent);
        [event.accepts & busy, goes_on, at_reset, background, sent, other]
    });
    let met = each.reduce(|a, b| std::array::from_fn(|i| a[i] | b[i])).expect("a GPU");
    let [while_busy, goes_on, at_reset, background, sent, other] = met;
    cover(FINISHED_WHILE_COMPOSING, while_busy);
    cover(NEXT_GROUP_ENTERED, goes_on);
    cover(FINISHED_AS_ENTRY_RESETS, at_reset);
    cover(BACKGROUND_LAST, background);
    cover(SENT_LAST, sent);
    cover(OTHER_KIND_NEXT, other);
    cover(DONE_AND_FINISHED, finished.valid & done.valid);

    let begun = |gpu: &Gpu<'m>| gpu.got.any();
    let all = all_of(m, &gpus.iter().map(|gpu| gpus[0].is_with(gpu)).collect::<Vec<_>>());
    let was_all = last_clock(m, "all_were_ready", all);
    let all_now = all & !was_all;
    cover(ALL_AT_ONCE, all_now & !any_of(gpus.iter().map(begun)));
    let but = |last: &Gpu<'m>| {
        let others = gpus.iter().filter(|gpu| gpu.number != last.number);
        let composed = |gpu: &Gpu<'m>| {
            let rest = gpu.own() | last.own();
            gpu.got.eq(!rest) & gpu.gave.eq(!rest)
        };
        all_of(m, &others.map(composed).collect::<Vec<_>>())
    };
    cover(ONE_LAST, all_now & any_of(gpus.iter().map(but)));
}

fn starts<'m>(monitor: &Monitor<'_, 'm>) {
    let Monitor { m, p, start, gpus, may_start, is_new, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let mut met: Option<[Signal<'m>; 4]> = None;
    for to in gpus {
        let is_to = *is_new & start.get("dst").eq(to.number);
        let background = is_to & start.get("src").eq(to.number);
        let wraps = is_to & !*to.transparent & start.get("src").gt(to.number);
        let others = gpus.iter().filter(|gpu| gpu.number != to.number);
        let waits = |gpu: &Gpu<'m>| {
            let is_due = gpu.is_with(to) & !gpu.got.bit(to.number) & !gpu.way.any();
            to.sends(gpus) & is_due & !*gpu.transparent
        };
        let neighbours = may_start[to.number as usize];
        let both = *to.transparent & (neighbours & (neighbours - 1)).any();
        let waits = any_of(others.map(waits));
        let here = [background & to.sends(gpus), wraps, waits, both];
        met = Some(met.map_or(here, |met| std::array::from_fn(|i| met[i] | here[i])));
    }
    let [while_sending, wraps, waits, both] = met.expect("a GPU");
    cover(BACKGROUND_WHILE_SENDING, while_sending);
    cover(WRAPS_BELOW, wraps);
    cover(SOURCE_BUSY, waits);
    cover(BOTH_NEIGHBOURS, both);
    cover(START_EACH_CLOCK, start.fires() & last_clock(m, "started", start.fires()));
    cover_stalls(m, *p, STALLED, (START, start));
}

fn errors<'m>(monitor: &Monitor<'_, 'm>) {
    let Monitor { m, p, finished, done, start, gpus, misused, never_started, .. } = monitor;
    let cover = |corner, condition| properties::cover(m, *p, corner, condition);
    let is_finisher = |gpu: &Gpu<'m>| *misused & finished.get("gpu").eq(gpu.number);
    let third = any_of(gpus.iter().map(|gpu| is_finisher(gpu) & *gpu.waits));
    cover(ERROR_THIRD, third);
    let transparent = finished.get("transparent");
    let contradicted = gpus.iter().map(|gpu| {
        let (composed, waited) = gpu.is_contradicted(gpus, transparent);
        let is_here = is_finisher(gpu) & !*gpu.waits;
        [is_here & composed, is_here & waited]
    });
    let [composed, waited] =
        contradicted.reduce(|a, b| std::array::from_fn(|i| a[i] | b[i])).expect("a GPU");
    cover(ERROR_KIND, composed);
    cover(ERROR_KIND_WAITING, waited);
    cover(ERROR_NO_SUCH_GPU, *misused & !any_of(gpus.iter().map(is_finisher)));

    let is_receiver = |gpu: &Gpu<'m>| *never_started & done.get("dst").eq(gpu.number);
    let receives = any_of(gpus.iter().map(|gpu| is_receiver(gpu) & gpu.way.any()));
    let same = start.get("src").eq(done.get("src")) & start.get("dst").eq(done.get("dst"));
    let early = start.valid & same;
    cover(ERROR_DONE, *never_started & !receives & !early);
    cover(ERROR_DONE_SOURCE, receives & !early);
    cover(ERROR_DONE_EARLY, *never_started & early);
    cover(ERROR_BOTH, *misused & *never_started);
}
