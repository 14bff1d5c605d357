//! Streams for the synchronization FIFO: writes of few blocks or of any, atomics, and releases that are
//! rare, frequent, or all there is.

use super::channels::{Entry, Kind};
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "phases with rare, frequent and no releases" },
    StreamInfo { name: "stores", doc: "writes and atomics only: full in steady state" },
    StreamInfo { name: "releases", doc: "every second entry is a release" },
];
const MIXED: usize = 0;
const STORES: usize = 1;

/// How likely things are in a phase, of 256.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    offer: u32,
    release: u32,
    atomic: u32,
    reserved: u32,
    /// Of writes and atomics: one of a few blocks.
    again: u32,
}

/// The generator.
#[derive(Default)]
pub(super) struct Traffic {
    params: Params,
    stream: usize,
    phase: Phase,
    blocks: [u64; 4],
    left_in_phase: u32,
}

impl Traffic {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        Self { params: params.clone(), stream, ..Self::default() }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let rare = 512 / self.params.depth.min(256);
        let all = Phase { offer: 256, release: 0, atomic: 32, reserved: 4, again: 64 };
        self.phase = match (self.stream, rng.random_range(0..6)) {
            (MIXED, 0) | (STORES, _) => all,
            (MIXED, 1) => Phase { offer: 128, release: rare, ..all },
            (MIXED, 2) => Phase { release: rare, ..all },
            (MIXED, 3) => Phase { offer: 64, release: 32, again: 256, ..all },
            (MIXED, 4) => Phase { release: 64, atomic: 128, ..all },
            _ => Phase { release: 128, reserved: 16, ..all },
        };
        self.blocks = std::array::from_fn(|_| self.block(rng));
        self.left_in_phase = rng.random_range(1..=8) * self.params.depth.max(16);
    }

    fn block(&self, rng: &mut StimulusRng) -> u64 {
        rng.next_u64() >> (64 - self.params.block_bits)
    }

    fn entry(&self, rng: &mut StimulusRng) -> Entry {
        let Phase { release, atomic, reserved, again, .. } = self.phase;
        let kind = match rng.random_range(0..256) {
            draw if draw < release => Some(Kind::Release),
            draw if draw < release + reserved => None,
            draw if draw < release + reserved + atomic => Some(Kind::Atomic),
            _ => Some(Kind::Write),
        };
        let block = match rng.random_range(0..256) < again {
            true => self.blocks[rng.random_range(0..4)],
            false => self.block(rng),
        };
        // What the kind does not use is arbitrary.
        let wavefront = rng.next_u64() >> (64 - self.params.wavefront_bits);
        Entry { kind, block, wavefront, needs_ack: rng.random() }
    }
}

impl Stimulus for Traffic {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        let offers = rng.random_range(0..256) < self.phase.offer;
        if offers {
            payload.copy_from_slice(&self.entry(rng).encode());
        }
        offers
    }
}
