//! Streams of requests: store buffers of wavefronts, and whatever else may come.

use std::collections::HashSet;

use super::channels::{ACK, REQ, RESET, Request, ZWRITE};
use super::exercise;
use super::params::{Granularity, Params};
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "requests of all kinds, in changing phases" },
    StreamInfo { name: "hits", doc: "requests to blocks that stay in the Z-cache, in turn" },
    StreamInfo { name: "misses", doc: "requests to blocks anywhere" },
];
const MIXED: usize = 0;
const HITS: usize = 1;

/// The generator.
pub(super) struct Stores {
    params: Params,
    stream: usize,
    left_in_phase: u32,
    /// Blocks of the phase, and whether they come in turn.
    blocks: Vec<u64>,
    in_turn: bool,
    next: usize,
    /// Depths of the phase; none: those of wavefronts in a quantum.
    depths: Vec<u64>,
    quantum: u64,
    neighbour_blocks: Neighbours,
    neighbour_depths: Neighbours,
    /// Of 64: how often a request is offered, is malformed, and has only a part of the mask.
    pace: u32,
    malformed: u32,
    partly: u32,
    resets: bool,
    /// Ids of requests that are not acknowledged.
    ids: HashSet<u64>,
    /// Comparator entry and block that was written back last, until the next request.
    written_back: Option<(u64, u64)>,
}

impl Stores {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        Self {
            params: params.clone(),
            stream,
            left_in_phase: 0,
            blocks: Vec::new(),
            in_turn: false,
            next: 0,
            depths: Vec::new(),
            quantum: 0,
            neighbour_blocks: Neighbours::new(&exercise::blocks(params)),
            neighbour_depths: Neighbours::new(&exercise::depths(params)),
            pace: 64,
            malformed: 0,
            partly: 0,
            resets: false,
            ids: HashSet::new(),
            written_back: None,
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        self.left_in_phase = [16, 64, 200][rng.random_range(0..3)];
        self.next_quantum(rng);
        if self.stream != MIXED {
            self.left_in_phase = 400;
            self.in_turn = self.stream == HITS;
            self.blocks = match self.in_turn {
                true => (0..u64::from(self.params.sets * self.params.ways)).collect(),
                false => (0..256).map(|_| self.any_block(rng)).collect(),
            };
            return;
        }
        let pick =
            |rng: &mut StimulusRng, choices: &[u32]| choices[rng.random_range(0..choices.len())];
        self.pace = pick(rng, &[64, 64, 64, 64, 64, 32, 8, 2]);
        if self.pace < 16 {
            self.left_in_phase = 16;
        }
        self.malformed = pick(rng, &[0, 0, 1, 8]);
        self.partly = pick(rng, &[0, 16, 64]);
        self.in_turn = rng.random();
        // Small Z-buffers have few blocks: without resets all are soon at the smallest depth.
        self.resets = rng.random_range(0..8)
            < pick(rng, &[1, if self.params.block_bits() < 8 { 8 } else { 1 }]);
        self.blocks = self.phase_blocks(rng);
        self.depths = match rng.random_range(0..8) {
            0 => Vec::new(),
            1 => vec![self.params.largest_depth(), self.params.largest_depth() + 1],
            2 => (0..3).map(|_| self.any_depth(rng)).collect(),
            3..6 => self.neighbour_depths.pool(rng, 2),
            _ => self.neighbour_depths.pool(rng, 4),
        };
    }

    fn phase_blocks(&mut self, rng: &mut StimulusRng) -> Vec<u64> {
        let p = self.params.clone();
        let all = u64::MAX >> (64 - p.block_bits());
        let base = self.any_block(rng);
        // Blocks of one set, whose tags differ in one bit.
        let tag = |bit: u32| base ^ 1 << (p.set_bits() + bit % p.tag_bits());
        let first = rng.random_range(0..p.tag_bits());
        let in_set =
            |others: u32| (first..first + others).map(tag).chain([base]).collect::<Vec<_>>();
        match rng.random_range(0..10) {
            0 => vec![base],
            1 | 2 => self.neighbour_blocks.pool(rng, 1 + p.request_entries as usize),
            3 => in_set(1),
            4 => in_set(p.ways),
            5 => in_set(p.ways + 2),
            // Of two sets: what is read from one differs in one bit from what the other evicts.
            6 | 7 => {
                let set = 1 << rng.random_range(0..p.set_bits());
                in_set(p.ways + 1).into_iter().flat_map(|block| [block, block ^ set]).collect()
            }
            8 => (0..u64::from(p.request_entries)).map(|i| base.wrapping_add(i) & all).collect(),
            _ => (0..64).map(|_| self.any_block(rng)).collect(),
        }
    }

    /// The quantum's number rises, and rolls over with a reset.
    fn next_quantum(&mut self, rng: &mut StimulusRng) {
        let step = 1 << rng.random_range(0..self.params.quantum_bits);
        self.quantum += if rng.random() { 1 } else { step };
        if self.quantum >> self.params.quantum_bits > 0 {
            (self.quantum, self.resets) = (0, true);
        }
    }

    fn any_block(&self, rng: &mut StimulusRng) -> u64 {
        rng.next_u64() >> (64 - self.params.block_bits())
    }

    fn any_depth(&self, rng: &mut StimulusRng) -> u64 {
        rng.next_u64() >> (64 - self.params.depth_bits)
    }

    fn depth(&self, rng: &mut StimulusRng) -> u64 {
        match self.depths.is_empty() {
            true => {
                let wavefront = rng.next_u64() >> (64 - self.params.wavefront_bits);
                self.params.depth_of(wavefront, self.quantum)
            }
            false => self.depths[rng.random_range(0..self.depths.len())],
        }
    }

    fn mask(&self, rng: &mut StimulusRng) -> Vec<u64> {
        if rng.random_range(0..64) >= self.partly {
            return vec![1; self.params.bytes() as usize];
        }
        let is_word = self.params.granularity == Granularity::Word;
        let each = if is_word { 4 } else { 1 };
        let of_8 = [0, 1, 4, 7][rng.random_range(0..4)];
        let mut part = || vec![u64::from(rng.random_range(0..8) < of_8); each];
        (0..self.params.bytes() as usize / each).flat_map(|_| part()).collect()
    }

    /// An id that no request has which is not acknowledged.
    fn free_id(&self, rng: &mut StimulusRng) -> u64 {
        let all = u64::MAX >> (64 - self.params.id_bits);
        let mut id = rng.next_u64() & all;
        while self.ids.contains(&id) {
            id = (id + 1) & all;
        }
        id
    }

    fn block(&mut self, rng: &mut StimulusRng) -> u64 {
        if let Some((entry, written_back)) = self.written_back.take()
            && self.stream == MIXED
            // The last entries are in use only when all others are.
            && (4 * entry + 4 > 3 * u64::from(self.params.comparator_entries)
                || rng.random_range(0..4) == 0)
        {
            // A miss does not wait for what differs from it in one bit.
            return written_back ^ 1 << rng.random_range(0..self.params.block_bits());
        }
        let at = match self.in_turn {
            true => self.next % self.blocks.len(),
            false => rng.random_range(0..self.blocks.len()),
        };
        self.next += 1;
        self.blocks[at]
    }

    fn request(&mut self, rng: &mut StimulusRng) -> Request {
        let block = self.block(rng);
        let p = &self.params;
        Request {
            id: self.free_id(rng),
            address: p.address_of(block),
            depth: (0..p.request_depths()).map(|_| self.depth(rng)).collect(),
            mask: self.mask(rng),
            data: (0..p.lanes).map(|_| rng.next_u64() >> 32).collect(),
        }
    }
}

impl Stimulus for Stores {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if channel == RESET {
            // It comes in the middle of a phase.
            return self.left_in_phase < 8 && std::mem::take(&mut self.resets);
        }
        let all_ids = 1 << self.params.id_bits;
        if channel != REQ || rng.random_range(0..64) >= self.pace || self.ids.len() == all_ids {
            return false;
        }
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        let mut request = self.request(rng);
        if rng.random_range(0..64) < self.malformed {
            let bytes = u64::from(self.params.bytes());
            match rng.random() {
                true => request.address |= 1 << rng.random_range(0..bytes.ilog2()),
                false => request.mask[rng.random_range(0..bytes) as usize] ^= 1,
            }
        }
        if request.check(&self.params).is_ok() {
            self.ids.insert(request.id);
        }
        payload.copy_from_slice(&request.encode(&self.params));
        true
    }

    fn observed(&self) -> u64 {
        1 << ACK | 1 << ZWRITE
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            ACK => _ = self.ids.remove(&payload[0]),
            ZWRITE => self.written_back = Some((payload[0], self.params.block_of(payload[1]))),
            _ => {}
        }
    }
}
