//! Streams for the write cache: stores that combine, collide or fill the FIFO, reads and atomics among them, and
//! releases, with flags that come as they should, and too early.

use super::channels::{ACK, DATA, Op, Request};
use super::exercise;
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "few blocks, in phases with rare and frequent releases" },
    StreamInfo {
        name: "stores",
        doc: "stores only, to more blocks than there are: full in steady state",
    },
    StreamInfo { name: "random", doc: "requests of any kind to any block" },
];
const MIXED: usize = 0;
const STORES: usize = 1;

/// How likely things are in a phase, of 256.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    offer: u32,
    release: u32,
    read: u32,
    atomic: u32,
    early: u32,
}

/// The generator.
#[derive(Default)]
pub(super) struct Traffic {
    params: Params,
    stream: usize,
    phase: Phase,
    /// The blocks of a phase; none: anywhere.
    blocks: Vec<u64>,
    neighbours: Neighbours,
    /// Wavefronts that wait for the end of their release, and the one whose release came last.
    waiting: Vec<u64>,
    last: Option<u64>,
    left_in_phase: u32,
}

impl Traffic {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        let neighbours = Neighbours::new(&exercise::tags("tags", params));
        Self { params: params.clone(), stream, neighbours, ..Self::default() }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let p = &self.params;
        let rare = 1 + 256 / p.fifo_depth.min(128);
        let all = Phase { offer: 256, release: 0, read: 24, atomic: 12, early: 8 };
        self.phase = match (self.stream, rng.random_range(0..6)) {
            (STORES, _) => Phase { read: 0, atomic: 0, early: 0, ..all },
            (MIXED, 0) => all,
            (MIXED, 1) => Phase { offer: 128, release: rare, ..all },
            (MIXED, 2) => Phase { release: rare, early: 64, ..all },
            (MIXED, 3) => Phase { offer: 64, release: 32, read: 64, ..all },
            (MIXED, 4) => Phase { release: 48, atomic: 64, ..all },
            _ => Phase { release: 16, read: 128, early: 32, ..all },
        };
        let (sets, ways) = (u64::from(p.sets), p.ways as usize);
        self.blocks.clear();
        if self.stream != 2 {
            // Neighbours within a set, more than there are ways; in one set or in several.
            let pool = [2, ways + 1, 2 * ways + 1][rng.random_range(0..3)];
            let spread = [1, 2, sets][rng.random_range(0..3)];
            for _ in 0..spread {
                let set = rng.random_range(0..sets);
                let tags = self.neighbours.pool(rng, pool);
                self.blocks.extend(tags.into_iter().map(|tag| tag * sets + set));
            }
        }
        self.left_in_phase = rng.random_range(1..=8) * p.fifo_depth.max(16);
    }

    fn wavefront(&self, rng: &mut StimulusRng) -> u64 {
        rng.random_range(0..1 << self.params.wavefront_bits)
    }

    /// A wavefront that may request something.
    fn free_wavefront(&self, rng: &mut StimulusRng) -> Option<u64> {
        let any = (0..8).map(|_| self.wavefront(rng)).find(|w| !self.waiting.contains(w));
        any.or_else(|| (0..1 << self.params.wavefront_bits).find(|w| !self.waiting.contains(w)))
    }

    fn request(&mut self, rng: &mut StimulusRng) -> Option<Request> {
        let p = &self.params;
        let Phase { release, read, atomic, early, .. } = self.phase;
        let draw = rng.random_range(0..256);
        let op = match draw {
            draw if draw < release => Op::Release,
            draw if draw < release + read => Op::Read,
            draw if draw < release + read + atomic => Op::Atomic,
            _ => Op::Store,
        };
        // A wavefront that waits for its release may try to store its flag, most often right after it.
        let last = self.last.take();
        let count = self.waiting.len().max(1);
        let any = self.waiting.get(rng.random_range(0..count)).copied();
        let comes_early = match rng.random_range(0..256) < early {
            true if rng.random_range(0..4) == 0 => any,
            true => last,
            false => None,
        };
        let wavefront = match comes_early {
            Some(wavefront) => wavefront,
            None => self.free_wavefront(rng)?,
        };
        let block = match self.blocks.as_slice() {
            [] => rng.next_u64() >> (64 - p.block_bits),
            blocks => blocks[rng.random_range(0..blocks.len())],
        };
        let mask = [rng.next_u64(), rng.next_u64() & rng.next_u64(), u64::MAX];
        let bytes = mask[rng.random_range(0..3)] & p.all_bytes();
        let is_empty = rng.random_range(0..256) < early / 4;
        let bytes = match (op, bytes, is_empty) {
            (_, _, true) => 0,
            (Op::Store, 0, _) => 1,
            (_, bytes, _) => bytes,
        };
        let mut data: [u64; DATA] = std::array::from_fn(|_| rng.next_u64());
        data[p.data_words()..].fill(0);
        if p.block_bytes < 8 {
            data[0] &= (1 << (8 * p.block_bytes)) - 1;
        }
        let needs_ack = rng.random_range(0..4) != 0;
        if op == Op::Release && needs_ack && p.level == 1 && !self.waiting.contains(&wavefront) {
            self.waiting.push(wavefront);
            self.last = Some(wavefront);
        }
        Some(Request { op, block, bytes, wavefront, needs_ack, data })
    }
}

impl Stimulus for Traffic {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        if rng.random_range(0..256) >= self.phase.offer {
            return false;
        }
        let Some(request) = self.request(rng) else { return false };
        payload.copy_from_slice(&request.encode(&self.params));
        true
    }

    fn observed(&self) -> u64 {
        1 << ACK
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        if channel == ACK {
            self.waiting.retain(|wavefront| *wavefront != payload[0]);
        }
    }
}
