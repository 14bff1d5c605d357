//! Which arrivals at barriers meet.

use std::collections::{BTreeMap, BTreeSet};

use super::trace::{BarrierEvent, Trace, What};
use super::{Limit, Seats};
use crate::isa::Scope;

/// An event: the thread, and its place in the thread's trace.
pub(super) type At = (usize, usize);

/// Pairs of events of which the first synchronizes with the second.
pub(super) type Meetings = BTreeSet<(At, At)>;

/// Most states of a search.
const STATES: usize = 1 << 14;

/// A barrier: a thread of the CTA that it is of, and its number, if it is not the one of all threads.
type Name = (usize, Option<u32>);

/// An arrival that is to come.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    event: usize,
    name: Name,
    /// Arrivals of a phase.
    needed: usize,
    waits: bool,
}

/// Threads on their ways from barrier to barrier.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// Arrivals that each thread has made.
    made: Vec<usize>,
    /// Arrivals of open phases: the event, and whether its thread waits.
    arrived: BTreeMap<Name, Vec<(At, bool)>>,
    meetings: Meetings,
}

impl State {
    fn waits(&self, thread: usize) -> bool {
        self.arrived.values().flatten().any(|((other, _), waits)| *other == thread && *waits)
    }

    /// A thread arrives at its next barrier. The last arrival ends the phase.
    fn arrive(&mut self, thread: usize, arrival: &Arrival) {
        self.made[thread] += 1;
        let phase = self.arrived.entry(arrival.name).or_default();
        phase.push(((thread, arrival.event), arrival.waits));
        if phase.len() < arrival.needed {
            return;
        }
        let phase = self.arrived.remove(&arrival.name).unwrap_or_default();
        for (from, _) in &phase {
            let to = phase.iter().filter(|((thread, _), waits)| *waits && *thread != from.0);
            self.meetings.extend(to.map(|(to, _)| (*from, *to)));
        }
    }
}

/// All ways in which the barriers of these traces can be met. None if some thread always waits for ever.
///
/// # Errors
/// If there are too many.
pub(super) fn meetings(traces: &[&Trace], seats: &Seats) -> Result<BTreeSet<Meetings>, Limit> {
    let all = arrivals(traces, seats);
    let start = State { made: vec![0; all.len()], ..State::default() };
    // Where a phase takes each of its threads once, the order in which they arrive makes no difference.
    let users = |name: Name| all.iter().filter(|of| of.iter().any(|it| it.name == name)).count();
    let is_confluent = all.iter().flatten().all(|it| it.needed == users(it.name));
    let mut seen = BTreeSet::from([start.clone()]);
    let (mut open, mut found) = (vec![start], BTreeSet::new());
    while let Some(state) = open.pop() {
        let can =
            |thread: &usize| state.made[*thread] < all[*thread].len() && !state.waits(*thread);
        let next = (0..all.len()).filter(can).take(if is_confluent { 1 } else { all.len() });
        for thread in next {
            let mut state = state.clone();
            state.arrive(thread, &all[thread][state.made[thread]]);
            if seen.insert(state.clone()) {
                open.push(state);
            }
            if seen.len() > STATES {
                return Err(Limit::Barriers(STATES));
            }
        }
        let is_over =
            |thread: usize| state.made[thread] == all[thread].len() && !state.waits(thread);
        if (0..all.len()).all(is_over) {
            found.insert(state.meetings);
        }
    }
    Ok(found)
}

/// The arrivals of each thread, in order.
fn arrivals(traces: &[&Trace], seats: &Seats) -> Vec<Vec<Arrival>> {
    let cta = |thread: usize| {
        (0..thread).find(|it| seats.within(Scope::Cta, *it, thread)).unwrap_or(thread)
    };
    let barriers = |trace: &Trace| {
        let each = trace.events.iter().enumerate();
        let barriers = each.filter_map(|(at, event)| match event.what {
            What::Barrier(barrier) => Some((at, barrier)),
            _ => None,
        });
        barriers.collect::<Vec<(usize, BarrierEvent)>>()
    };
    let of_threads: Vec<_> = traces.iter().map(|trace| barriers(trace)).collect();
    let needed = |thread: usize, barrier: &BarrierEvent| {
        let others = (0..traces.len()).filter(|other| cta(*other) == cta(thread));
        let uses = |other: &usize| of_threads[*other].iter().any(|(_, it)| it.id == barrier.id);
        barrier.count.map_or_else(|| others.filter(uses).count(), |count| count as usize)
    };
    let arrival = |thread: usize, (event, barrier): &(usize, BarrierEvent)| Arrival {
        event: *event,
        name: (cta(thread), barrier.id),
        needed: needed(thread, barrier),
        waits: barrier.waits,
    };
    (0..)
        .zip(&of_threads)
        .map(|(thread, all)| all.iter().map(|it| arrival(thread, it)).collect())
        .collect()
}
