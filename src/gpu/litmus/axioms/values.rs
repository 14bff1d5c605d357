//! What loads may return, and so the paths through each thread.

use std::collections::BTreeMap;

use super::Limit;
use super::relation::members;
use super::trace::{Trace, What, steps, traces};
use crate::litmus::{Test, Variant};

/// Stores that a value comes of, one after the other, as a set of steps of the threads.
type Origin = u128;

/// Values that a location may hold, with the least origins of each.
pub(super) type Values = BTreeMap<u32, Vec<Origin>>;

/// Most origins of a value; of one with more nothing is known.
const ORIGINS: usize = 64;

/// The paths through each thread whose loads return what may have been stored. A store does not come
/// of itself: No-Thin-Air forbids such an execution, and without it a counter would have no end.
pub(super) fn ways(test: &Test, variant: Variant, copies: usize) -> Result<Vec<Vec<Trace>>, Limit> {
    let mut values: Vec<_> =
        test.initial.iter().map(|value| Values::from([(*value, vec![0])])).collect();
    let mut firsts = vec![0];
    for thread in &test.threads {
        firsts.push(firsts[firsts.len() - 1] + steps(thread, copies)?);
    }
    let mut round = 0;
    loop {
        let (mut found, mut next, mut stores) = (Vec::new(), values.clone(), 0);
        for (thread, first) in test.threads.iter().zip(&firsts) {
            let mut ways = traces(thread, variant.scope, &values, copies)?;
            ways.retain(|trace| store(trace, *first, &values, &mut next));
            stores += ways.iter().map(writes).max().unwrap_or(0);
            found.push(ways);
        }
        // No value comes of more stores than there are.
        if next == values || round > stores {
            return Ok(found);
        }
        values = next;
        round += 1;
    }
}

fn writes(trace: &Trace) -> usize {
    trace.events.iter().filter(|event| matches!(event.what, What::Write(..))).count()
}

/// Adds what a path through a thread stores, with its origins; false if some store comes of itself.
fn store(trace: &Trace, first: usize, values: &[Values], next: &mut [Values]) -> bool {
    for event in &trace.events {
        let What::Write(location, value) = event.what else { continue };
        // Of steps beyond the bits of a set nothing is known.
        let own = u32::try_from(first + event.step).ok().and_then(|at| 1u128.checked_shl(at));
        let own = own.unwrap_or(0);
        let mut before = vec![0];
        for read in members(event.depends.into()) {
            let What::Read(from, old) = trace.events[read].what else { continue };
            let known = &values[from][&old];
            let with = |one: Origin| known.iter().map(move |other| one | other);
            let all = before.into_iter().flat_map(with);
            before = least(all.filter(|origin| origin & own == 0).collect());
        }
        if before.is_empty() {
            return false;
        }
        let known = next[location].entry(value).or_default();
        known.extend(before.into_iter().map(|origin| origin | own));
        *known = least(std::mem::take(known));
    }
    true
}

/// Those that include no other; if there are too many, that nothing is known.
fn least(mut all: Vec<Origin>) -> Vec<Origin> {
    all.sort_unstable_by_key(|origin| (origin.count_ones(), *origin));
    let mut least: Vec<Origin> = Vec::new();
    for origin in all {
        if !least.iter().any(|other| other & origin == *other) {
            least.push(origin);
        }
    }
    if least.len() > ORIGINS { vec![0] } else { least }
}
