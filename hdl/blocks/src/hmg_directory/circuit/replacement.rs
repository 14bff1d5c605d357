//! Replacement as hardware: the recency of a set as bits, the victim, and the recency afterwards.
//!
//! LRU is a matrix: for each pair of ways one bit says that the lower way was used later. It costs
//! more bits than a list (66 instead of 44 for 12 ways), but use and victim are a gate or two deep.

use crate::hmg_directory::params::{Params, Replacement};
use crate::kit::*;

pub(super) fn bits(p: &Params) -> u32 {
    match p.replacement {
        _ if p.ways == 1 => 0,
        Replacement::Lru => p.ways * (p.ways - 1) / 2,
        Replacement::TreePlru => p.ways - 1,
        Replacement::RoundRobin => address_bits(p.ways),
    }
}

/// The way that makes room in a full set: a bit for each, of which one is set.
pub(super) fn victim<'m>(m: &'m ModuleBuilder, p: &Params, recency: Signal<'m>) -> Vec<Signal<'m>> {
    let all = |conditions: Vec<Signal<'m>>| match conditions[..] {
        [] => m.lit(1, 1),
        [condition] => condition,
        _ => m.concat_low_first(&conditions).all(),
    };
    let way = |way: u32| match p.replacement {
        Replacement::Lru => all(used_later(p, recency, way).collect()),
        Replacement::TreePlru => all(path_to(p, way)
            .map(|(node, from_low)| if from_low { !recency.bit(node) } else { recency.bit(node) })
            .collect()),
        Replacement::RoundRobin => recency.eq(way),
    };
    (0..p.ways).map(way).collect()
}

/// The recency after `way` (one-hot) was used by a load, store or atomic.
pub(super) fn touched<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    recency: Signal<'m>,
    way: Signal<'m>,
) -> Signal<'m> {
    let ways = way.to_bits();
    let mut after = recency.to_bits();
    for (way, used) in (0..p.ways).zip(ways) {
        match p.replacement {
            Replacement::Lru => {
                for pair in pairs_with(p, way) {
                    let bit = &mut after[pair.bit as usize];
                    *bit = if pair.is_lower { *bit | used } else { *bit & !used };
                }
            }
            Replacement::TreePlru => {
                for (node, from_low) in path_to(p, way) {
                    let bit = &mut after[node as usize];
                    *bit = if from_low { *bit | used } else { *bit & !used };
                }
            }
            Replacement::RoundRobin => {}
        }
    }
    m.concat_low_first(&after)
}

/// The recency after an eviction, beside the use of the way that made room.
pub(super) fn evicted<'m>(p: &Params, recency: Signal<'m>, evicts: Signal<'m>) -> Signal<'m> {
    if p.replacement != Replacement::RoundRobin {
        return recency;
    }
    let m = recency.module();
    let next = match p.ways.is_power_of_two() {
        true => recency + 1,
        false => recency.eq(p.ways - 1).mux(m.lit(recency.width(), 0), recency + 1),
    };
    evicts.mux(next, recency)
}

/// The lowest invalid way, one-hot, else the victim.
pub(super) fn place<'m>(valid: Signal<'m>, victim: Signal<'m>) -> Signal<'m> {
    valid.all().mux(victim, one_hot::lowest(!valid))
}

/// With LRU, for each other way whether it was used later than `way`.
pub(crate) fn used_later<'m>(
    p: &Params,
    recency: Signal<'m>,
    way: u32,
) -> impl Iterator<Item = Signal<'m>> {
    let later = move |pair: Pair| {
        let bit = recency.bit(pair.bit);
        if pair.is_lower { !bit } else { bit }
    };
    pairs_with(p, way).map(later)
}

/// Whether a recency is one that can be: it names exactly one victim, whatever is used.
pub(crate) fn is_sound<'m>(m: &'m ModuleBuilder, p: &Params, recency: Signal<'m>) -> Signal<'m> {
    match p.replacement {
        Replacement::TreePlru => m.lit(1, 1),
        Replacement::RoundRobin if p.ways.is_power_of_two() => m.lit(1, 1),
        Replacement::RoundRobin => recency.lt(p.ways),
        Replacement::Lru => {
            // An order has no cycles; the smallest are of three.
            let later = |low: u32, high: u32| recency.bit(pair_bit(p.ways, low, high));
            let mut sound = m.lit(1, 1);
            for (a, b, c) in triples(p.ways) {
                let (ab, bc, ac) = (later(a, b), later(b, c), later(a, c));
                sound = sound & !(ab & bc & !ac) & !(!ab & !bc & ac);
            }
            sound
        }
    }
}

fn triples(ways: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    let pairs = (0..ways).flat_map(move |a| (a + 1..ways).map(move |b| (a, b)));
    pairs.flat_map(move |(a, b)| (b + 1..ways).map(move |c| (a, b, c)))
}

/// The bit that says that `low` was used later than `high`: row after row of the triangle above the diagonal.
fn pair_bit(ways: u32, low: u32, high: u32) -> u32 {
    low * (2 * ways - low - 1) / 2 + high - low - 1
}

/// A bit of the LRU matrix that belongs to a way.
struct Pair {
    bit: u32,
    /// The way is the lower of the two, so that the bit says it was used later.
    is_lower: bool,
}

fn pairs_with(p: &Params, way: u32) -> impl Iterator<Item = Pair> {
    let ways = p.ways;
    (0..ways).filter(move |other| *other != way).map(move |other| Pair {
        bit: pair_bit(ways, way.min(other), way.max(other)),
        is_lower: way < other,
    })
}

/// The nodes from a way's leaf to the root, and whether the way is below each one's low side.
fn path_to(p: &Params, way: u32) -> impl Iterator<Item = (u32, bool)> {
    let mut node = way + p.ways - 1;
    std::iter::from_fn(move || {
        (node > 0).then(|| {
            let from_low = node % 2 == 1;
            node = (node - 1) / 2;
            (node, from_low)
        })
    })
}
