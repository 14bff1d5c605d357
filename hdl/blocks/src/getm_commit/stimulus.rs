//! Streams of logs for the commit unit.

use super::channels::{Item, Kind};
use super::exercise;
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "logs of all kinds, in changing phases" },
    StreamInfo { name: "whole-regions", doc: "logs that write whole regions, one after the other" },
    StreamInfo { name: "scattered", doc: "logs that write words anywhere" },
];
const MIXED: usize = 0;
const WHOLE_REGIONS: usize = 1;

/// The generator.
#[derive(Default)]
pub(super) struct Logs {
    params: Params,
    stream: usize,
    left_in_phase: u32,
    /// Regions of the phase: the first, how many, and whether one after the other.
    base: u64,
    regions: u64,
    in_order: bool,
    next_word: u64,
    /// Regions that differ from the first in one bit each; none: those from `base` on.
    pool: Vec<u64>,
    neighbours: Neighbours,
    /// Of 256: how many items are aborts, ends, and malformed.
    aborts: u64,
    ends: u64,
    malformed: u64,
    counts: Counts,
}

/// The counts of a phase's items.
#[derive(Clone, Copy, Default)]
enum Counts {
    #[default]
    One,
    /// Up to the most.
    Any,
    /// About the most, powers of two, and one.
    Edges,
}

impl Logs {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        Self {
            params: params.clone(),
            stream,
            regions: 1,
            neighbours: Neighbours::new(&exercise::regions(params)),
            counts: Counts::One,
            ..Self::default()
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let p = &self.params;
        let all = p.last_granule();
        let window = u64::from(p.window);
        let mut one_of = |choices: &[u64]| choices[rng.random_range(0..choices.len())];
        let any = self.stream == MIXED;
        self.regions = match self.stream {
            MIXED => one_of(&[1, 2, window, 2 * window, all]).min(all),
            _ => all,
        };
        self.in_order = match self.stream {
            MIXED => one_of(&[0, 0, 1]) == 1,
            stream => stream == WHOLE_REGIONS,
        };
        self.aborts = if any { one_of(&[0, 16, 128, 256]) } else { 0 };
        self.ends = if any { one_of(&[0, 4, 40, 120]) } else { 2 };
        self.malformed = if any { one_of(&[0, 2, 20]) } else { 0 };
        let counts = [Counts::One, Counts::One, Counts::Any, Counts::Edges];
        self.counts = if any { counts[rng.random_range(0..4)] } else { Counts::One };
        self.left_in_phase = [16, 64, 300][rng.random_range(0..3)];
        self.base = if rng.random_range(0..2) == 0 { rng.next_u64() & all } else { self.base };
        self.next_word = 0;
        self.pool.clear();
        match rng.random_range(0..8) {
            _ if !any => {}
            0..3 => self.begin_neighbours(rng),
            3 => self.begin_waiting(rng),
            _ => {}
        }
    }

    /// Regions that differ in one bit, which stay open beside each other.
    fn begin_neighbours(&mut self, rng: &mut StimulusRng) {
        self.pool = self.neighbours.pool(rng, self.params.window as usize);
        self.in_order = false;
        self.ends = [0, 4, 16][rng.random_range(0..3)];
        self.left_in_phase = 64;
    }

    /// One region or two that nothing closes but their age.
    fn begin_waiting(&mut self, rng: &mut StimulusRng) {
        self.regions = rng.random_range(1..=2);
        self.in_order = false;
        (self.aborts, self.ends, self.counts) = (256, 0, Counts::One);
        self.left_in_phase = self.left_in_phase.max(self.params.max_wait.min(1024) + 16);
    }

    fn address(&mut self, rng: &mut StimulusRng) -> u64 {
        let words = u64::from(self.params.words());
        if !self.pool.is_empty() {
            // The first is the one that all others differ from in one bit.
            let number = rng.random_range(0..2 * self.pool.len());
            let region = self.pool.get(number).unwrap_or(&self.pool[0]);
            let place = rng.random_range(0..words) * u64::from(self.params.word_bytes);
            return region << self.params.offset_bits() | place;
        }
        let word = match self.in_order {
            true => {
                self.next_word += 1;
                self.next_word - 1
            }
            false => {
                let region = (u128::from(rng.next_u64()) * u128::from(self.regions)) >> 64;
                region as u64 * words + rng.random_range(0..words)
            }
        };
        let all = u64::MAX >> (64 - self.params.address_bits);
        let start = self.base << self.params.offset_bits();
        start.wrapping_add(word * u64::from(self.params.word_bytes)) & all
    }

    fn count(&self, rng: &mut StimulusRng) -> u64 {
        let most = self.params.most_writes();
        match self.counts {
            Counts::One => 1,
            Counts::Any => rng.random_range(1..=most),
            Counts::Edges => match rng.random_range(0..4) {
                0 => most,
                1 => (most - 1).max(1),
                2 => 1 << rng.random_range(0..self.params.write_count_bits),
                _ => 1,
            },
        }
    }

    fn item(&mut self, rng: &mut StimulusRng) -> Item {
        let p = &self.params;
        let all_bytes = u64::MAX >> (64 - p.word_bytes);
        let all_data = u64::MAX >> (64 - 8 * p.word_bytes);
        let draw = rng.random_range(0..256);
        let (aborts, ends) = (self.aborts, self.ends);
        let kind = match rng.random_range(0..256) {
            other if other < ends => Kind::End,
            _ if draw < aborts => Kind::Abort,
            _ => Kind::Commit,
        };
        let data = rng.next_u64() & all_data;
        let bytes = match self.in_order || rng.random_range(0..2) == 0 {
            true => all_bytes,
            false => rng.next_u64() & all_bytes,
        };
        let count = self.count(rng);
        Item { kind: Some(kind), address: self.address(rng), data, bytes, count }
    }
}

impl Stimulus for Logs {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        let mut item = self.item(rng);
        if rng.random_range(0..256) < self.malformed {
            match rng.random_range(0..3) {
                0 => item.kind = None,
                1 => item.count = 0,
                _ => item.address |= rng.next_u64() & (u64::from(self.params.word_bytes) - 1),
            }
        }
        payload.copy_from_slice(&item.encode());
        true
    }
}
