//! Streams of requests for the directory.

use rand::RngExt;

use super::channels::{Op, Request, Source};
use super::params::Params;
use crate::verification::{Stimulus, StimulusRng, StreamInfo};

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "all operations over few blocks, in changing phases" },
    StreamInfo { name: "random", doc: "all operations over blocks anywhere" },
    StreamInfo { name: "same-set", doc: "all requests to one set, more blocks than ways" },
    StreamInfo { name: "same-block", doc: "all requests to one block" },
];
const MIXED: usize = 0;
const RANDOM: usize = 1;
const SAME_SET: usize = 2;

/// Requests of one phase draw blocks from a pool like this.
#[derive(Clone, Copy, Debug)]
struct Pool {
    /// Where it begins.
    base: u64,
    /// Number of blocks, and how far apart they are.
    blocks: u64,
    stride: u64,
}

/// The generator.
pub(super) struct Requests {
    params: Params,
    self_gpm: u32,
    self_gpu: u32,
    stream: usize,
    pool: Pool,
    left_in_phase: u32,
    /// Of 256: how many requests only load or store, and how many have no meaning.
    plain: u32,
    senseless: u32,
    last: Request,
}

impl Requests {
    pub(super) fn new(params: &Params, self_gpm: u32, self_gpu: u32, stream: usize) -> Self {
        let last = Request { op: Some(Op::Release), source: Source::Local, address: 0 };
        Self {
            params: params.clone(),
            self_gpm,
            self_gpu,
            stream,
            pool: Pool { base: 0, blocks: 1, stride: 1 },
            left_in_phase: 0,
            plain: 0,
            senseless: 0,
            last,
        }
    }

    fn blocks(&self) -> u64 {
        let bits = self.params.address_bits - self.params.offset_bits();
        u64::MAX >> (64 - bits)
    }

    /// Chooses where the next requests go and what they do.
    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let (sets, ways) = (u64::from(self.params.sets), u64::from(self.params.ways));
        let hot_base = rng.random_range(0..4) * sets * (ways + 1);
        let kind = match self.stream {
            MIXED => rng.random_range(0..6),
            RANDOM => 6,
            SAME_SET => 7,
            _ => 8,
        };
        let (base, blocks, stride) = match kind {
            // Two blocks more than a set holds, in one set: allocations and evictions in turn.
            0 | 1 => (hot_base + rng.random_range(0..sets), ways + 2, sets),
            // One block, or two in one set: everything is in flight at once.
            2 => (hot_base, rng.random_range(1..=2), sets),
            // Some sets, crowded.
            3 => (hot_base, 4 * ways, sets.div_ceil(2)),
            // Neighbouring sets.
            4 => (hot_base, 8, 1),
            5 => (hot_base, 2 * sets * ways, 1),
            6 => (0, self.blocks(), 1),
            7 => (3, 2 * ways, sets),
            _ => (5, 1, 1),
        };
        self.pool = Pool { base, blocks, stride };
        self.left_in_phase = rng.random_range(16..=256);
        self.plain = [0, 128, 224, 256][rng.random_range(0..4)];
        self.senseless = if rng.random_range(0..4) == 0 { 32 } else { 2 };
    }

    fn address(&self, rng: &mut StimulusRng) -> u64 {
        let number = rng.random_range(0..self.pool.blocks);
        let block = self.pool.base.wrapping_add(number.wrapping_mul(self.pool.stride));
        let place = rng.random::<u64>() & ((1 << self.params.offset_bits()) - 1);
        (block & self.blocks()) << self.params.offset_bits() | place
    }

    fn source(&self, rng: &mut StimulusRng) -> Source {
        let p = &self.params;
        let other = |rng: &mut StimulusRng, nodes: u32, own: u32| {
            let node = rng.random_range(0..nodes - 1);
            node + u32::from(node >= own)
        };
        let gpus = p.hierarchical && p.gpus > 1;
        match rng.random_range(0..8) {
            0 => Source::Local,
            1..=3 if gpus => Source::Gpu(other(rng, p.gpus, self.self_gpu)),
            _ if p.gpm_nodes() > 1 => {
                let own = match p.hierarchical {
                    true => self.self_gpm,
                    false => self.self_gpu * p.gpms_per_gpu + self.self_gpm,
                };
                Source::Gpm(other(rng, p.gpm_nodes(), own))
            }
            _ if gpus => Source::Gpu(other(rng, p.gpus, self.self_gpu)),
            _ => Source::Local,
        }
    }

    /// Any codes at all, most of them without meaning.
    fn senseless(&self, rng: &mut StimulusRng) -> Request {
        let index = rng.random::<u32>() & ((1 << self.params.node_bits()) - 1);
        let source = match rng.random_range(0..4) {
            0 => Source::Local,
            1 => Source::Gpm(index),
            2 => Source::Gpu(index),
            _ => Source::Reserved,
        };
        let op = Op::ALL.get(rng.random_range(0..8)).copied();
        Request { op, source, address: self.address(rng) }
    }

    fn sensible(&self, rng: &mut StimulusRng) -> Request {
        let address = self.address(rng);
        let source = self.source(rng);
        let plain = rng.random_range(0..256) < self.plain;
        let op = match rng.random_range(0..16) {
            0..=5 => Op::Load,
            6..=8 => Op::Store,
            _ if plain => Op::Load,
            9 => Op::Atomic,
            10 | 11 => Op::Invalidate,
            12 | 13 => Op::Downgrade,
            14 => Op::Release,
            _ => {
                // What the last one touched, by the same node: downgrade then load, and the like.
                let op = [Op::Load, Op::Downgrade][rng.random_range(0..2)];
                return Request { op: Some(op), ..self.last };
            }
        };
        let forwarded = self.params.hierarchical && self.params.gpus > 1;
        match (op, source) {
            (Op::Invalidate, Source::Gpu(_)) => Request { op: Some(op), source, address },
            (Op::Invalidate, _) if forwarded => {
                let other = u32::from(self.self_gpu == 0);
                Request { op: Some(op), source: Source::Gpu(other), address }
            }
            (Op::Invalidate, _) => Request { op: Some(Op::Store), source, address },
            _ => Request { op: Some(op), source, address },
        }
    }
}

impl Stimulus for Requests {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        let request = match rng.random_range(0..256) < self.senseless {
            true => self.senseless(rng),
            false => self.sensible(rng),
        };
        request.encode(payload);
        if request.op.is_some() {
            self.last = request;
        }
        true
    }
}
