//! What the properties remember, and the rules that they assert at the ports.

use warpsmith_rtl::{ModuleBuilder, Signal};

use super::chosen::Chosen;
use super::granule_of;
use super::ideal::{Event, Ideal, IdealLine};
use crate::getm_stall_buffer::channels::{self, ERROR, PARK, PARKED, RELEASE, RETRY, RETRY_RESULT};
use crate::getm_stall_buffer::params::Params;
use crate::getm_stall_buffer::rules;
use crate::properties::Watched;

/// The ports of the stall buffer, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub park: Watched<'m>,
    pub result: Watched<'m>,
    pub release: Watched<'m>,
    pub retry: Watched<'m>,
    pub ideal: Ideal<'m>,
    pub chosen: Chosen<'m>,
    /// The line of what parks, and whether there is room for it.
    pub parked_line: IdealLine<'m>,
    pub room: Signal<'m>,
    /// For how many clocks the chosen granule has waited for a retry that could be taken.
    pub waiting: Signal<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let channels = channels::channels(p);
        let [park, result, release, parked, retry, error] =
            [PARK, RETRY_RESULT, RELEASE, PARKED, RETRY, ERROR]
                .map(|index| Watched::channel(m, &channels[index]));
        let ideal = Ideal::new(m, p);

        let parked_line = ideal.of(granule_of(p, &park));
        let free = ideal.number(|line| line.live()).lt(p.lines);
        let room = parked_line.live().mux(parked_line.count.lt(p.entries), free).named("room");
        let event = |granule: Signal<'m>| Event {
            parks: park.valid & granule_of(p, &park).eq(granule) & room,
            result: result.valid & granule_of(p, &result).eq(granule),
            reserved: result.get("reserved"),
            released: release.valid & (release.get("all") | granule_of(p, &release).eq(granule)),
            leaves: retry.fires() & granule_of(p, &retry).eq(granule),
        };
        ideal.set(event);

        let chosen_granule = m.input("chosen_granule", p.granule_bits());
        let line = ideal.of(chosen_granule);
        let happens = event(chosen_granule);
        let chosen = Chosen::new(m, p, chosen_granule, line, happens, (&park, &retry));

        assert_answers(m, (&park, room), &parked);
        let no_retry = result.valid & !ideal.of(granule_of(p, &result)).retrying;
        let due = m.reg("error_due", 1, 0).doc("The last clock had the result of no retry.");
        due.set(no_retry);
        rules::ERROR_AS_DUE
            .assert(m, error.valid.eq(*due) & (!error.valid | error.get("code").eq(0)));
        assert_retries(m, p, &ideal, &chosen, &retry);

        let pending = line.awake & retry.ready & !happens.leaves;
        let patience = u64::from(p.lines) + 1;
        let waiting = m.reg("waiting_for", u64::BITS - patience.leading_zeros(), 0);
        m.when(!pending, || waiting.set(0))
            .otherwise_when(waiting.ne(patience), || waiting.set(*waiting + 1));
        rules::NOBODY_STRANDED.assert(m, waiting.ne(patience));
        let waiting = *waiting;
        Self { m, p, park, result, release, retry, ideal, chosen, parked_line, room, waiting }
    }
}

/// A park is answered in the next clock, by whether there is room for it.
fn assert_answers<'m>(
    m: &'m ModuleBuilder,
    (park, room): (&Watched<'m>, Signal<'m>),
    parked: &Watched<'m>,
) {
    let due = m.reg("answer_due", 1, 0).doc("The last clock had a park.");
    let room_due = m.reg("room_due", 1, 0).doc("There was room for it.");
    due.set(park.valid);
    room_due.set(room);
    rules::ANSWER_NEXT_CLOCK.assert(m, parked.valid.eq(*due));
    let as_due = parked.get("room").eq(*room_due);
    rules::REFUSED_ONLY_IF_FULL.assert(m, !parked.valid | as_due);
}

/// What is offered on `retry` is a waiter that has been woken, the right one of its granule.
fn assert_retries<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    ideal: &Ideal<'m>,
    chosen: &Chosen<'m>,
    retry: &Watched<'m>,
) {
    let granule = granule_of(p, retry);
    let place = retry.get("address").ne(granule_as_address(p, granule));
    rules::WOKEN_BY_RELEASE.assert(m, !retry.valid | (ideal.of(granule).awake & !place));

    let of_granule = retry.valid & granule.eq(chosen.granule);
    let warpts = retry.get("warpts");
    let of_chosen = of_granule & warpts.eq(chosen.warpts);
    let first = chosen.waiters.oldest();
    let same = ["store", "warp"].map(|name| first.get(name).eq(retry.get(name)));
    let is_first = chosen.waiters.any() & same[0] & same[1];
    rules::LEAVES_ONCE.assert(m, !of_chosen | is_first);
    let not_later = !(of_granule & chosen.due) | warpts.le(chosen.warpts);
    rules::OLDEST_FIRST.assert(m, not_later & (!of_chosen | chosen.due));
}

/// The address of a granule.
fn granule_as_address<'m>(p: &Params, granule: Signal<'m>) -> Signal<'m> {
    match p.offset_bits() {
        0 => granule,
        bits => granule.concat(granule.module().lit(bits, 0)),
    }
}
