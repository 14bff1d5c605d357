//! The rules that the properties assert at the ports.

use super::gpus::{Event, Gpu};
use crate::chopin_composition_scheduler::channels::Misuse;
use crate::chopin_composition_scheduler::params::Params;
use crate::chopin_composition_scheduler::rules;
use crate::kit::*;

/// The ports of the scheduler, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub finished: Watched<'m>,
    pub done: Watched<'m>,
    pub start: Watched<'m>,
    pub gpus: Vec<Gpu<'m>>,
    /// The start is offered for the first time.
    pub is_new: Signal<'m>,
    /// Of each GPU the sources from which a transfer to it may start, beside the one on offer.
    pub may_start: Vec<Signal<'m>>,
    /// For how many clocks a transfer might have started, and none was offered.
    pub withheld: Signal<'m>,
    /// What happens to each GPU at the edge, and whether its group ends and whether it begins one.
    pub happens: Vec<(Event<'m>, Signal<'m>, Signal<'m>)>,
    /// The finished and the done are malformed.
    pub misused: Signal<'m>,
    pub never_started: Signal<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let [finished, done, start, error, done_error] = Watched::all(m, p);
        let gpus: Vec<_> = (0..p.gpus).map(|number| Gpu::new(m, p, number)).collect();
        let is_new = start.valid & !last_clock(m, "start_waits", start.waits());
        let offer = offer_of(m, p, &start);
        assert_offer(m, &gpus, &start, (is_new, &offer));

        let happens = happens(p, &gpus, (&finished, &done), &offer);
        let accepted = any_of(happens.iter().map(|(event, ..)| event.accepts));
        let misused = (finished.valid & !accepted).named("misused");
        assert_error(m, p, &gpus, (&finished, misused), &error);
        let ended = any_of(happens.iter().map(|(event, ..)| event.received.any()));
        let never_started = (done.valid & !ended).named("never_started");
        let due = last_clock(m, "done_error_due", never_started);
        rules::DONE_ERROR_AS_DUE
            .assert(m, done_error.valid.eq(due) & (!due | done_error.get("code").eq(0)));

        let may_start = may_start(p, &gpus, &offer);
        let may_any = any_of(may_start.iter().map(|sources| sources.any())).named("may_start");
        let withheld = clocks_of(m, "withheld", 3, may_any & !start.valid);
        rules::NONE_WITHHELD.assert(m, withheld.ne(3));
        assert_groups_end(m, &gpus, &offer, &may_start);
        let withheld = *withheld;
        Self {
            m,
            p,
            finished,
            done,
            start,
            gpus,
            is_new,
            may_start,
            withheld,
            happens,
            misused,
            never_started,
        }
    }
}

/// Of each GPU the source of the transfer to it that is on offer, one-hot.
fn offer_of<'m>(m: &'m ModuleBuilder, p: &Params, start: &Watched<'m>) -> Vec<Signal<'m>> {
    let source = one_hot::decode(start.get("src"), p.gpus);
    let to = |number: u32| source.and_where(start.valid & start.get("dst").eq(number));
    let offer: Vec<_> = (0..p.gpus).map(|n| to(n).named(&format!("offered_to{n}"))).collect();
    let is_pair = any_of(offer.iter().map(|sources| sources.any()));
    m.assert("invariant_of_gpus", !start.valid | is_pair, "Only GPUs are offered.");
    offer
}

/// The start that is offered for the first time is allowed.
fn assert_offer<'m>(
    m: &'m ModuleBuilder,
    gpus: &[Gpu<'m>],
    start: &Watched<'m>,
    (is_new, offer): (Signal<'m>, &[Signal<'m>]),
) {
    let (mut same_group, mut once, mut receiver, mut sender) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut run, mut background) = (Vec::new(), Vec::new());
    for to in gpus {
        for from in gpus {
            let is_this = is_new & offer[to.number as usize].bit(from.number);
            let cgid = start.get("cgid").eq(*to.group);
            same_group.push(!is_this | (from.is_with(to) & cgid));
            let again = (*to.got | *to.way).bit(from.number);
            once.push(!is_this | !again);
            sender.push(!is_this | !to.way.any());
            if from.number == to.number {
                let last = *to.transparent & (*to.got | to.own()).all();
                background.push(!is_this | last);
            } else {
                receiver.push(!is_this | !from.sends(gpus));
                run.push(!is_this | !*to.transparent | has_between(to, from.number));
            }
        }
    }
    rules::SAME_GROUP.assert(m, all_of(m, &same_group));
    rules::EACH_PAIR_ONCE.assert(m, all_of(m, &once));
    rules::ONE_RECEIVER.assert(m, all_of(m, &receiver));
    rules::ONE_SENDER.assert(m, all_of(m, &sender));
    rules::RUN_GROWS.assert(m, all_of(m, &run));
    rules::BACKGROUND_LAST.assert(m, all_of(m, &background));
}

/// The GPU has composed with all between it and the other.
pub(super) fn has_between<'m>(to: &Gpu<'m>, from: u32) -> Signal<'m> {
    let (low, high) = (to.number.min(from) + 1, to.number.max(from));
    let between = (low..high).map(|number| to.got.bit(number)).collect::<Vec<_>>();
    all_of(to.got.module(), &between)
}

fn happens<'m>(
    p: &Params,
    gpus: &[Gpu<'m>],
    (finished, done): (&Watched<'m>, &Watched<'m>),
    offer: &[Signal<'m>],
) -> Vec<(Event<'m>, Signal<'m>, Signal<'m>)> {
    let source = one_hot::decode(done.get("src"), p.gpus);
    // A start that is on offer is not taken yet.
    let received: Vec<_> = gpus
        .iter()
        .zip(offer)
        .map(|(gpu, offered)| {
            let is_here = done.valid & done.get("dst").eq(gpu.number) & !offered.any();
            (source & *gpu.way).and_where(is_here)
        })
        .collect();
    let transparent = finished.get("transparent");
    let event = |gpu: &Gpu<'m>| {
        let others = received.iter().zip(gpus).map(|(sources, to)| match to.number == gpu.number {
            true => gpu.got.module().lit(1, 0),
            false => sources.bit(gpu.number),
        });
        let (composed, waited) = gpu.is_contradicted(gpus, transparent);
        let is_here = finished.valid & finished.get("gpu").eq(gpu.number);
        Event {
            accepts: is_here & !*gpu.waits & !composed & !waited,
            transparent,
            received: received[gpu.number as usize],
            sent: column(gpu.got.module(), others),
            offered: offer[gpu.number as usize],
        }
    };
    let events: Vec<_> = gpus.iter().map(event).collect();
    let set = |(gpu, event): (&Gpu<'m>, Event<'m>)| {
        let (ends, begins) = gpu.set(&event);
        (event, ends, begins)
    };
    gpus.iter().zip(events).map(set).collect()
}

fn assert_error<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    gpus: &[Gpu<'m>],
    (finished, misused): (&Watched<'m>, Signal<'m>),
    error: &Watched<'m>,
) {
    let finisher = one_hot::decode(finished.get("gpu"), p.gpus);
    let codes: Vec<_> = gpus.iter().map(Gpu::misuse).collect();
    let code = finisher.any().mux(one_hot::select(finisher, &codes), Misuse::NoSuchGpu as u64);
    let due = last_clock(m, "error_due", misused);
    let code_due = m.reg("error_code_due", 2, 0);
    code_due.set(code);
    let as_due = error.valid.eq(due) & (!due | error.get("code").eq(*code_due));
    rules::ERROR_AS_DUE.assert(m, as_due);
}

/// Of each GPU the sources from which a transfer to it may start.
fn may_start<'m>(p: &Params, gpus: &[Gpu<'m>], offer: &[Signal<'m>]) -> Vec<Signal<'m>> {
    let is_source = |number: u32| {
        let others = (0..p.gpus).filter(|&to| to != number);
        any_of(others.map(|to| offer[to as usize].bit(number)))
    };
    let to_gpu = |to: &Gpu<'m>| {
        let is_free = *to.composes & !to.way.any() & !offer[to.number as usize].any();
        let from_gpu = |from: &Gpu<'m>| {
            let is_due = is_free & !to.got.bit(from.number);
            if from.number == to.number {
                return is_due & *to.transparent & (*to.got | to.own()).all();
            }
            let sends = from.sends(gpus) | is_source(from.number);
            let in_run = !*to.transparent | has_between(to, from.number);
            is_due & from.is_with(to) & !sends & in_run
        };
        column(to.got.module(), gpus.iter().map(from_gpu)).named(&format!("may_start{}", to.number))
    };
    gpus.iter().map(to_gpu).collect()
}

/// Where no GPU is behind, a group that has not ended goes on.
fn assert_groups_end<'m>(
    m: &'m ModuleBuilder,
    gpus: &[Gpu<'m>],
    offer: &[Signal<'m>],
    may_start: &[Signal<'m>],
) {
    let goes_on = |gpu: &Gpu<'m>| {
        let nobody_behind = !any_of(gpus.iter().map(|other| other.is_before(gpu)));
        let moves = |to: &Gpu<'m>| {
            let at = to.number as usize;
            to.group.eq(*gpu.group) & (*to.way | offer[at] | may_start[at]).any()
        };
        !(*gpu.composes & nobody_behind) | any_of(gpus.iter().map(moves))
    };
    let kept: Vec<_> = gpus.iter().map(goes_on).collect();
    rules::GROUPS_END.assert(m, all_of(m, &kept));
}
