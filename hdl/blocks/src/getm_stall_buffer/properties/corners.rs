//! The corners as covers on the ports: those of co-simulation, by the same names.

use super::monitor::Monitor;
use crate::getm_stall_buffer::channels::RETRY;
use crate::getm_stall_buffer::corners::*;
use crate::kit::*;
use crate::properties;

/// Covers every corner that the parameters allow.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    parks(monitor);
    results(monitor);
    releases(monitor);
    retries(monitor);
}

fn parks(monitor: &Monitor<'_, '_>) {
    let Monitor { p, park, result, release, retry, ideal, chosen, room, .. } = monitor;
    let line = monitor.parked_line;
    let cover =
        |corner, condition| properties::cover(monitor.m, monitor.p, corner, park.valid & condition);
    cover(LINE_FULL, line.live() & !*room);
    cover(BUFFER_FULL, !line.live() & !*room);
    let one_is_left = ideal.waiters().eq(p.lines * p.entries - 1);
    cover(EVERY_ENTRY_TAKEN, *room & one_is_left);

    let granule = p.granule(park.get("address"));
    let again = granule.eq(chosen.granule) & chosen.is_retried(park);
    cover(PARK_AGAIN, line.retrying & again & *room);
    cover(PARK_AGAIN_FULL, line.retrying & again & !*room);
    cover(PARK_WHILE_RETRIED, line.retrying & granule.eq(chosen.granule) & !again);
    let offered = retry.valid & p.granule(retry.get("address")).eq(granule);
    let earlier = park.get("warpts").lt(retry.get("warpts"));
    cover(PARK_BEHIND_CHOSEN, offered & earlier & *room);
    cover(PARK_AS_RETRY_LEAVES, offered & retry.ready & !*room);

    let released = release.valid & p.granule(release.get("address")).eq(granule) & *room;
    cover(PARK_AND_RELEASE, released);
    cover(PARK_AND_RELEASE_FIRST, released & !line.live());
    let others_later =
        granule.eq(chosen.granule) & line.asleep() & park.get("warpts").lt(chosen.warpts);
    let all_chosen = all_wait_with_chosen(monitor);
    cover(PARK_AND_RELEASE_CHOSEN, released & others_later & all_chosen);
    let has_result = result.valid & p.granule(result.get("address")).eq(granule) & line.retrying;
    cover(PARK_AND_RESULT, has_result);
}

/// All waiters of the chosen granule have the chosen timestamp.
fn all_wait_with_chosen<'m>(monitor: &Monitor<'_, 'm>) -> Signal<'m> {
    let Monitor { ideal, chosen, .. } = monitor;
    let (count, chosen) = (ideal.of(chosen.granule).count, chosen.waiters.count());
    count.zero_extend(8).eq(chosen.zero_extend(8))
}

fn results(monitor: &Monitor<'_, '_>) {
    let Monitor { p, result, release, ideal, .. } = monitor;
    let granule = p.granule(result.get("address"));
    let line = ideal.of(granule);
    let cover = |corner, condition| {
        properties::cover(monitor.m, monitor.p, corner, result.valid & condition)
    };
    let (left, reserved) = (line.count.any(), result.get("reserved"));
    cover(RESULT_WAKES_NEXT, line.retrying & left & !reserved);
    cover(RESULT_RESERVED, line.retrying & left & reserved & !line.again);
    cover(RELEASED_AGAIN, line.retrying & left & reserved & line.again);
    cover(RESULT_WITHOUT_WAITERS, line.retrying & !left);
    cover(ERROR_RESULT, !line.retrying);
    let released = release.valid & p.granule(release.get("address")).eq(granule);
    cover(RESULT_AND_RELEASE, line.retrying & released);
}

fn releases(monitor: &Monitor<'_, '_>) {
    let Monitor { p, release, ideal, .. } = monitor;
    let line = ideal.of(p.granule(release.get("address")));
    let cover = |corner, condition| {
        properties::cover(monitor.m, monitor.p, corner, release.valid & condition)
    };
    let all = release.get("all");
    cover(RELEASE_OF_NOBODY, !all & !line.live());
    cover(RELEASE_UNDER_WAY, !all & (line.awake | line.retrying));
    cover(RELEASE_OF_ALL, all & ideal.number(|line| line.asleep()).gt(1));
}

fn retries(monitor: &Monitor<'_, '_>) {
    let Monitor { p, release, retry, ideal, chosen, .. } = monitor;
    properties::cover(
        monitor.m,
        monitor.p,
        TWO_AWAKE,
        retry.fires() & ideal.number(|line| line.awake).gt(1),
    );
    properties::cover_stalls(monitor.m, monitor.p, STALLED, (RETRY, retry));
    let line = ideal.of(chosen.granule);
    let wakes =
        release.valid & p.granule(release.get("address")).eq(chosen.granule) & line.asleep();
    let equal = line.count.gt(1) & all_wait_with_chosen(monitor);
    properties::cover(monitor.m, monitor.p, EQUAL_WARPTS, wakes & equal);
}
