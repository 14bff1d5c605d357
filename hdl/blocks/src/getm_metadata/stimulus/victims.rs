//! Pairs of entries that share a row of the Bloom filter and whose times differ in one bit: both are
//! evicted, one soon after the other, and one of them is accessed.

use super::probes::Turns;
use crate::getm_metadata::access::Place;
use crate::getm_metadata::channels::{Op, Request};
use crate::getm_metadata::exercise::{
    bloom_kernels, common_bloom_kernel, kernels, kernels_of_other_ways,
};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::reference::Table;
use crate::kit::*;

/// Granules that are tried to find one that evicts another.
const TRIES: usize = 16;

/// The generator.
#[derive(Clone, Debug)]
pub(super) struct Victims {
    params: Params,
    /// Differences of granules of one row: for each way of the Bloom filter, in all ways, in all but each, and for
    /// each bank.
    in_bloom: Vec<Vec<u64>>,
    in_all_bloom: Vec<u64>,
    in_other_bloom: Vec<Vec<u64>>,
    in_banks: Vec<Vec<u64>>,
    bits: Turns,
    /// Bits in which the access to a victim differs from its time.
    access_bits: Turns,
    way: usize,
    pair: Option<Pair>,
}

/// Which rows two entries share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shares {
    /// Those of all ways.
    All,
    /// All but that of one way: the later raises all rows but one of those that the earlier has raised.
    AllButOne,
    /// That of one way, and a third entry has raised the other rows of the later above both.
    OneOfLater,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    shares: Shares,
    /// The third entry.
    above: Option<u64>,
    /// In the order in which they are evicted.
    granules: [u64; 2],
    /// The one with the later time, which is accessed.
    later: usize,
    /// That time, and the bit that the earlier one lacks.
    time: u64,
    bit: u64,
    /// The operation that is compared with it: a load with a `wts`, a store with an `rts`.
    op: Op,
    /// Whether other requests come between the two evictions.
    is_apart: bool,
}

impl Victims {
    pub fn new(p: &Params) -> Self {
        Self {
            in_bloom: bloom_kernels(p),
            in_all_bloom: common_bloom_kernel(p),
            in_other_bloom: kernels_of_other_ways(p),
            in_banks: kernels(p),
            bits: Turns::bits(p.timestamp_bits),
            access_bits: Turns::bits(p.timestamp_bits),
            way: 0,
            pair: None,
            params: p.clone(),
        }
    }

    /// The next requests about a pair.
    pub fn requests(&mut self, table: &Table, rng: &mut StimulusRng) -> Vec<Request> {
        match self.pair.take() {
            Some(pair) => self.evict(pair, table, rng),
            None => self.prepare(table, rng).unwrap_or_default(),
        }
    }

    fn request(&self, op: Op, granule: u64, warpts: u64) -> Request {
        let address = self.params.address_of(granule);
        Request { op, address, warp: 0, warpts, count: 1, tag: 0 }
    }

    /// Accesses that give two granules of one row times that differ in one bit.
    fn prepare(&mut self, table: &Table, rng: &mut StimulusRng) -> Option<Vec<Request>> {
        self.way = (self.way + 1) % self.in_bloom.len();
        // A pair that has one row in all ways tests the comparisons of stage 2 in all. Those of stages 3 and 4 decide
        // only where the other rows hold less, or more.
        let shares = match rng.random_range(0..8) {
            0 | 1 if !self.in_all_bloom.is_empty() => Shares::All,
            0..=4 => Shares::AllButOne,
            _ => Shares::OneOfLater,
        };
        let differences = match shares {
            Shares::All => &self.in_all_bloom,
            Shares::AllButOne => &self.in_other_bloom[self.way],
            Shares::OneOfLater => &self.in_bloom[self.way],
        };
        let drawn = (0..TRIES).map(|_| {
            let first = rng.next_u64() & self.params.last_granule();
            [first, first ^ sum(differences, rng)]
        });
        // What replaces another in the first bank is the first that a third one replaces.
        let mut drawn: Vec<_> = drawn.collect();
        let replaces = |granule: &u64| {
            let place = table.victim_of(*granule).map(|it| table.place(self.params.address_of(it)));
            matches!(place, Some(Place::Bank(index)) if index % self.in_banks.len() == 0)
        };
        let chosen = drawn.iter().position(|pair| pair.iter().all(replaces)).unwrap_or(0);
        let granules = drawn.swap_remove(chosen);
        let first = granules[0];
        let of_wts = rng.random::<bool>();
        let held = granules.map(|granule| table.metadata(self.params.address_of(granule)));
        if granules[0] == granules[1] || held.iter().any(|held| held.is_reserved()) {
            return None;
        }
        // Later than all that is known, one with the bit and one without it.
        let known = held.map(|held| held.wts.max(held.rts) + 1).into_iter().max()?;
        // What the rows have from others may be later still, and hide them.
        let ways = 0..self.in_bloom.len();
        let known = ways.fold(known, |known, way| known.max(table.filtered(way, first) + 1));
        let bit = self.bits.take(rng);
        let without = if known & bit == 0 { known } else { (known | (bit - 1)) + 1 };
        let with = without | bit;
        if without & bit != 0 || with >= self.params.last_timestamp() {
            return None;
        }
        // A victim is compared with the one right before it, and else with the row that has the one
        // before it: the first case needs the earlier one, the second the later one.
        let is_apart = rng.random::<bool>();
        let later = match (shares, rng.random_range(0..8)) {
            (Shares::All, 0) => usize::from(!is_apart),
            (Shares::All, _) => usize::from(is_apart),
            _ => 1,
        };
        let above = granules[later] ^ sum(&self.in_other_bloom[self.way], rng);
        let above = (shares == Shares::OneOfLater).then_some(above);
        let mut requests = Vec::new();
        let mut times = [without; 2];
        times[later] = with;
        let last = above.map(|granule| (granule, with + 1));
        for (granule, time) in granules.into_iter().zip(times).chain(last) {
            // A reservation at a time ends with a `wts` of its successor.
            match of_wts {
                true => requests
                    .extend([Op::Store, Op::Release].map(|op| self.request(op, granule, time - 1))),
                false => requests.push(self.request(Op::Load, granule, time)),
            }
        }
        let op = if of_wts { Op::Load } else { Op::Store };
        self.pair = Some(Pair { shares, above, granules, later, time: with, bit, op, is_apart });
        Some(requests)
    }

    /// Evicts both and accesses one.
    fn evict(&mut self, pair: Pair, table: &Table, rng: &mut StimulusRng) -> Vec<Request> {
        let newcomers = pair.granules.map(|granule| self.newcomer(granule, table, rng));
        let [Some(first), Some(second)] = newcomers else {
            return Vec::new();
        };
        // A release of what is not reserved changes nothing.
        let gap = |count| vec![self.request(Op::Release, pair.granules[0] ^ 1, 0); count];
        let between = if pair.is_apart { gap(rng.random_range(1..7)) } else { Vec::new() };
        let above = pair.above.and_then(|above| self.newcomer(above, table, rng));
        let mut requests: Vec<_> =
            above.into_iter().chain([first]).map(|it| self.request(Op::Load, it, 0)).collect();
        requests.extend(between);
        requests.push(self.request(Op::Load, second, 0));
        // By the distance, an access or the rows that are read for it meet a victim on its way.
        if rng.random_range(0..8) != 0 {
            // Accesses at the earlier time abort. Each is inserted, so the next is to another of the same rows.
            let which = if pair.shares == Shares::AllButOne { 0 } else { pair.later };
            let granules = (0..4).map(|_| pair.granules[which] ^ sum(&self.in_all_bloom, rng));
            let earlier = pair.time ^ pair.bit;
            let granules: Vec<_> = granules.collect();
            requests.extend(granules.iter().map(|it| self.request(pair.op, *it, earlier)));
            // A release undoes what a store reserves.
            if pair.shares == Shares::AllButOne && pair.op == Op::Store {
                requests.extend(granules.iter().map(|it| self.request(Op::Release, *it, 0)));
            }
            return requests;
        }
        let behind = match rng.random_range(0..4) {
            3 => rng.random_range(0..5),
            near => near,
        };
        requests.extend(gap(behind));
        // An access at the earlier time finds a row that has lost the later one.
        let differs = if rng.random() { pair.bit } else { self.access_bits.take(rng) };
        let near = pair.time ^ differs;
        let time = if near < self.params.last_timestamp() { near } else { pair.time };
        // A release undoes what a store reserves.
        requests.extend(
            [pair.op, Op::Release].map(|op| self.request(op, pair.granules[pair.later], time)),
        );
        requests
    }

    /// A granule whose insertion evicts this one.
    fn newcomer(&self, granule: u64, table: &Table, rng: &mut StimulusRng) -> Option<u64> {
        let place = table.place(self.params.address_of(granule));
        let Place::Bank(index) = place else { return None };
        let one_row = &self.in_banks[index % self.in_banks.len()];
        let mut neighbours = (0..TRIES).map(|_| granule ^ sum(one_row, rng));
        neighbours.find(|neighbour| table.victim_of(*neighbour) == Some(granule))
    }
}

fn sum(vectors: &[u64], rng: &mut StimulusRng) -> u64 {
    let chosen = rng.next_u64();
    let chosen = vectors.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
    chosen.fold(0, |sum, (_, vector)| sum ^ vector)
}
