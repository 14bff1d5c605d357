//! Streams of requests for the directory.

use super::channels::{Op, Request, Source};
use super::exercise;
use super::params::Params;
use crate::kit::*;

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

/// Fewest requests of a phase that sweeps.
const SWEPT: u32 = 640;

/// The operation of a request, drawn from these; none: again what the last one touched.
const OPS: [Option<Op>; 16] = {
    let [load, store, atomic] = [Some(Op::Load), Some(Op::Store), Some(Op::Atomic)];
    let [inv, down, release] = [Some(Op::Invalidate), Some(Op::Downgrade), Some(Op::Release)];
    [
        load, load, load, load, load, load, store, store, store, atomic, inv, inv, down, down,
        release, None,
    ]
};
/// Of these, the first that are but loads and stores.
const PLAIN_OPS: u64 = 9;

/// A random word that is used up from its low end: a request is drawn from one, where a call of
/// the generator for each of its parts would take longer.
#[derive(Clone, Copy)]
struct Draw(u64);

impl Draw {
    fn bits(&mut self, count: u32) -> u64 {
        let bits = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        bits
    }

    /// One of these, which are few: of 4096 values, some have one more than others.
    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[((self.bits(12) * choices.len() as u64) >> 12) as usize]
    }
}

pub(super) struct Requests {
    params: Params,
    /// For eight equally likely kinds of source, its nodes.
    sources: [Vec<Source>; 8],
    /// Where a forwarded invalidate can come from.
    other_gpus: Vec<Source>,
    stream: usize,
    neighbours: Neighbours,
    sweep: Sweep,
    /// Where the pools of an episode begin: few places, so that phases share blocks.
    hot: Option<[u64; 4]>,
    pool: Pool,
    /// The blocks of a phase of neighbours: each differs from the first in one bit.
    near: Vec<u64>,
    sweeps: bool,
    left_in_phase: u32,
    /// Of 256: how many requests only load or store, and how many are malformed.
    plain: u64,
    malformed: u64,
    last: Request,
}

impl Requests {
    pub(super) fn new(params: &Params, self_gpm: u32, self_gpu: u32, stream: usize) -> Self {
        let own_gpm = match params.hierarchical {
            true => self_gpm,
            false => self_gpu * params.gpms_per_gpu + self_gpm,
        };
        let gpus = if params.hierarchical { params.gpus } else { 0 };
        let others = |nodes: u32, own: u32| (0..nodes).filter(move |&node| node != own);
        let other_gpus: Vec<_> = others(gpus, self_gpu).map(Source::Gpu).collect();
        let other_gpms: Vec<_> = others(params.gpm_nodes(), own_gpm).map(Source::Gpm).collect();
        let sharers = [other_gpms.clone(), other_gpus.clone()].concat();
        let sources = std::array::from_fn(|kind| match kind {
            1..=3 if !other_gpus.is_empty() => other_gpus.clone(),
            1.. if !other_gpms.is_empty() => other_gpms.clone(),
            1.. if !other_gpus.is_empty() => other_gpus.clone(),
            _ => vec![Source::Local],
        });
        Self {
            params: params.clone(),
            sources,
            other_gpus,
            stream,
            neighbours: Neighbours::new(&exercise::blocks(params)),
            sweep: Sweep::new(params, sharers),
            hot: None,
            pool: Pool { base: 0, blocks: 1, stride: 1 },
            near: Vec::new(),
            sweeps: false,
            left_in_phase: 0,
            plain: 0,
            malformed: 0,
            last: Request { op: Some(Op::Release), source: Source::Local, address: 0 },
        }
    }

    fn blocks(&self) -> u64 {
        let bits = self.params.address_bits - self.params.offset_bits();
        u64::MAX >> (64 - bits)
    }

    /// Chooses where the next requests go and what they do.
    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let (sets, ways) = (u64::from(self.params.sets), u64::from(self.params.ways));
        // Anywhere in the address space, at the first set.
        let hot = self.hot.get_or_insert_with(|| [(); 4].map(|()| rng.next_u64() & !(sets - 1)));
        let hot_base = hot[rng.random_range(0..hot.len())];
        let kind = match self.stream {
            MIXED => rng.random_range(0..10),
            RANDOM => 10,
            SAME_SET => 11,
            _ => 12,
        };
        self.left_in_phase = rng.random_range(16..=256);
        self.near.clear();
        self.sweeps = kind == 9;
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
            // Blocks that differ from the first in one bit; more of its set than it has ways.
            6..=8 => {
                self.near = self.neighbours.pool(rng, 2 * ways as usize);
                self.left_in_phase /= 2;
                // A fourth or so goes to the first.
                (0, self.near.len() as u64 * 5 / 4 + 1, 1)
            }
            9 | 10 => (0, self.blocks(), 1),
            11 => (3, 2 * ways, sets),
            _ => (5, 1, 1),
        };
        self.pool = Pool { base, blocks, stride };
        if self.sweeps {
            self.left_in_phase = SWEPT;
        }
        self.plain = [0, 128, 224, 256][rng.random_range(0..4)];
        self.malformed = if rng.random_range(0..4) == 0 { 32 } else { 2 };
    }

    fn address(&self, rng: &mut StimulusRng) -> u64 {
        let word = rng.next_u64();
        let number = (u128::from(word) * u128::from(self.pool.blocks)) >> 64;
        let Pool { base, stride, .. } = self.pool;
        let block = match self.near.as_slice() {
            [] => base.wrapping_add((number as u64).wrapping_mul(stride)),
            near => *near.get(number as usize).unwrap_or(&near[0]),
        };
        // The low bits of the word, as its high ones have chosen the block.
        let place = word & ((1 << self.params.offset_bits()) - 1);
        (block & self.blocks()) << self.params.offset_bits() | place
    }

    /// Arbitrary codes, most of them reserved.
    fn malformed(&self, mut draw: Draw, address: u64) -> [u64; 4] {
        [draw.bits(3), draw.bits(2), draw.bits(self.params.node_bits()), address]
    }

    fn well_formed(&self, mut draw: Draw, address: u64) -> Request {
        let kind = draw.bits(3) as usize;
        let source = draw.one_of(&self.sources[kind]);
        let plain = draw.bits(8) < self.plain;
        let choice = draw.bits(4);
        let op = if plain && choice >= PLAIN_OPS { Some(Op::Load) } else { OPS[choice as usize] };
        match op {
            // By the same node: downgrade then load, and the like.
            None => Request { op: Some(draw.one_of(&[Op::Load, Op::Downgrade])), ..self.last },
            Some(Op::Invalidate) => match self.other_gpus.is_empty() {
                true => Request { op: Some(Op::Store), source, address },
                false => Request { op, source: draw.one_of(&self.other_gpus), address },
            },
            _ => Request { op, source, address },
        }
    }
}

impl Stimulus for Requests {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        // Nothing comes between a group of sets that are swept.
        let is_swept = self.sweeps && self.sweep.is_within_group();
        if self.left_in_phase == 0 && !is_swept {
            self.begin_phase(rng);
        }
        self.left_in_phase = self.left_in_phase.saturating_sub(1);
        if self.sweeps {
            self.last = self.sweep.request(rng);
            payload.copy_from_slice(&self.last.encode());
            return true;
        }
        let address = self.address(rng);
        let mut draw = Draw(rng.next_u64());
        if draw.bits(8) < self.malformed {
            payload.copy_from_slice(&self.malformed(draw, address));
            return true;
        }
        let request = self.well_formed(draw, address);
        payload.copy_from_slice(&request.encode());
        if request.source == Source::Local {
            // Ignored for this GPM: arbitrary.
            payload[2] = (address ^ payload[0]) & ((1 << self.params.node_bits()) - 1);
        }
        self.last = request;
        true
    }
}

// A stream that goes through all sets, and reads each bit of each entry as 0 and as 1.
//
// A set is filled with blocks, and filled again with others that have the opposite tags and sharers,
// which evict the first. Local stores empty it, and it is filled once more. Several sets take turns:
// the row of a set is read from the RAMs only if none of the requests just before it had that set.

/// Sets that take turns.
const GROUP: u64 = 8;

pub(super) struct Sweep {
    params: Params,
    /// All nodes that can share.
    sources: Vec<Source>,
    /// The group, and what each of its sets is to see.
    first_set: Option<u64>,
    requests: Vec<(Op, u64, Source)>,
    /// Number of the next of them, and of the set in the group.
    next: usize,
    set: u64,
}

impl Sweep {
    /// A sweep that begins anywhere.
    pub fn new(params: &Params, sources: Vec<Source>) -> Self {
        let params = params.clone();
        Self { params, sources, first_set: None, requests: Vec::new(), next: 0, set: 0 }
    }

    /// Some sets have seen a part of what they are to see.
    pub fn is_within_group(&self) -> bool {
        self.next < self.requests.len()
    }

    fn group(&self) -> u64 {
        GROUP.min(u64::from(self.params.sets))
    }

    fn begin_group(&mut self, rng: &mut StimulusRng) {
        let sets = u64::from(self.params.sets);
        self.first_set = match self.first_set {
            None => Some(rng.random_range(0..sets)),
            Some(first) => Some((first + self.group()) % sets),
        };
        let all = u64::MAX >> (64 - self.params.sharers());
        // Neither none nor all, so that the others are some too; all are the last now and then.
        let some = if all > 1 { rng.random_range(1..all) } else { all };
        let last = if rng.random_range(0..8) == 0 { all } else { 1 };
        let tag = rng.next_u64();
        self.requests.clear();
        self.load(tag, some);
        self.load(!tag, if all > 1 { !some & all } else { all });
        let ways = 0..u64::from(self.params.ways);
        self.requests.extend(ways.map(|way| (Op::Store, !tag ^ way, Source::Local)));
        self.load(rng.next_u64(), last);
        (self.next, self.set) = (0, 0);
    }

    /// Fills a set with blocks that these share.
    fn load(&mut self, tag: u64, sharers: u64) {
        for way in 0..u64::from(self.params.ways) {
            for (bit, &source) in self.sources.iter().enumerate() {
                if sharers >> bit & 1 == 1 {
                    self.requests.push((Op::Load, tag ^ way, source));
                }
            }
        }
    }

    /// The next request; where in its block it goes is for others to say.
    pub fn request(&mut self, rng: &mut StimulusRng) -> Request {
        if !self.is_within_group() {
            self.begin_group(rng);
        }
        let (op, tag, source) = self.requests[self.next];
        let sets = u64::from(self.params.sets);
        let set = (self.first_set.unwrap_or(0) + self.set) % sets;
        self.set += 1;
        if self.set == self.group() {
            (self.next, self.set) = (self.next + 1, 0);
        }
        let bits = self.params.address_bits;
        let block = tag << self.params.index_bits() | set;
        let address = block << self.params.offset_bits() & u64::MAX >> (64 - bits);
        Request { op: Some(op), source, address }
    }
}
