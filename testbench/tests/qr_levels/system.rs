//! The paper's three levels out of circuits, between models of read caches and a memory (figure 2).

use std::collections::{HashMap, VecDeque};

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::qr_write_cache::{Op, Params, Request};
use warpsmith_blocks::verification::StimulusRng;

use super::level::Level;

/// Compute units.
pub const UNITS: usize = 8;
/// Bits of a wavefront's number in its compute unit.
const WAVEFRONT_BITS: u32 = 6;
/// Words of a block.
pub const WORDS: usize = 8;

/// An error of the protocol around the circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    Nothing,
    /// Read caches acknowledge an invalidation before they drop the block.
    AcknowledgesEarly,
    /// Invalidations of the second level go to the compute unit that wrote last, and not to all.
    NoBroadcast,
    /// A release ends as the second level accepts it.
    EndsAtFirstLevel,
    /// A read cache keeps a block that was invalidated while it was on its way there.
    KeepsInvalidated,
}

type Block = [u64; WORDS];
/// A release that ended: its unit and wavefront.
type Ended = (usize, u64);
/// A load that is answered: its unit, its wavefront and the block.
type Loaded = (usize, u64, Block);

/// The read cache of a compute unit.
#[derive(Default)]
struct ReadCache {
    blocks: HashMap<u64, Block>,
    /// Invalidations to be applied: from the write cache beside, and from the second level.
    invs: [VecDeque<u64>; 2],
    /// Those that are to be acknowledged.
    acks: [u32; 2],
    /// Of each wavefront the load that is under way: the block, the bytes, and whether the answer may be kept.
    loads: HashMap<u64, (u64, u64, bool)>,
}

impl ReadCache {
    fn drop_block(&mut self, block: u64) {
        self.blocks.remove(&block);
        for (of, _, may_keep) in self.loads.values_mut() {
            *may_keep &= *of != block;
        }
    }
}

/// An answer to a load, on its way.
struct Answer {
    at: u64,
    wavefront: u64,
    bytes: u64,
    data: Block,
}

pub struct System {
    first: Vec<Level>,
    second: Level,
    third: Level,
    read_caches: Vec<ReadCache>,
    pub memory: HashMap<u64, Block>,
    answers: Vec<Vec<Answer>>,
    /// Compute units whose atomics have completed.
    done: VecDeque<usize>,
    /// The unit that offers to the second level.
    turn: usize,
    pub clock: u64,
    rng: StimulusRng,
    /// A read cache applies an invalidation in one clock of so many.
    slowness: u32,
    planted: Planted,
    last_writer: usize,
    /// Of each unit what was offered and not accepted.
    offers: Vec<Option<Request>>,
    pub reads_hit: u64,
}

/// Table 1: 64, 128 and 256 entries; 4, 16 and 32 kB.
pub fn levels() -> [Params; 3] {
    let first = Params {
        sets: 16,
        ways: 4,
        block_bytes: 64,
        block_bits: 20,
        fifo_depth: 64,
        wavefront_bits: WAVEFRONT_BITS,
        level: 1,
        last_level: false,
        read_caches: 1,
        invalidations: 15,
    };
    let below = Params { wavefront_bits: 9, fifo_depth: 128, level: 2, sets: 64, ..first.clone() };
    let second = Params { read_caches: UNITS as u32, ..below.clone() };
    let third = Params { level: 3, last_level: true, fifo_depth: 256, sets: 128, ..below };
    [first, second, third]
}

impl System {
    pub fn new(slowness: u32, seed: u64, planted: Planted) -> Self {
        let [first, second, third] = levels();
        Self {
            first: (0..UNITS).map(|_| Level::new(&first)).collect(),
            second: Level::new(&second),
            third: Level::new(&third),
            read_caches: (0..UNITS).map(|_| ReadCache::default()).collect(),
            memory: HashMap::new(),
            answers: (0..UNITS).map(|_| Vec::new()).collect(),
            done: VecDeque::new(),
            turn: 0,
            clock: 0,
            rng: StimulusRng::seed_from_u64(seed),
            slowness,
            planted,
            last_writer: 0,
            offers: vec![None; UNITS],
            reads_hit: 0,
        }
    }

    /// Whether a unit may offer a request.
    pub fn is_free(&self, unit: usize) -> bool {
        self.offers[unit].is_none()
    }

    /// Offers a request of a unit, until it is accepted.
    pub fn offer(&mut self, unit: usize, request: Request) {
        self.offers[unit] = Some(request);
    }

    /// A load of a wavefront: at once, if the read cache has it, else [`System::clock`] answers later.
    pub fn load(&mut self, unit: usize, wavefront: u64, block: u64, bytes: u64) -> Option<Block> {
        let cache = &mut self.read_caches[unit];
        if let Some(data) = cache.blocks.get(&block) {
            self.reads_hit += 1;
            return Some(*data);
        }
        cache.loads.insert(wavefront, (block, bytes, true));
        self.offer(unit, Request::read(block, bytes, wavefront));
        None
    }

    fn answer(&mut self, wavefront: u64, bytes: u64, data: &[u64]) {
        let (unit, wavefront) = ((wavefront >> WAVEFRONT_BITS) as usize, wavefront & 63);
        // Most come soon; some are overtaken by a store, its release and its invalidation.
        let latest = if self.rng.random_range(0..8) == 0 { 400 } else { 20 };
        let at = self.clock + self.rng.random_range(1..latest);
        let data = std::array::from_fn(|word| data[word]);
        self.answers[unit].push(Answer { at, wavefront, bytes, data });
    }

    /// One clock: acknowledged releases, and answered loads, by unit and wavefront.
    pub fn clock(&mut self) -> (Vec<Ended>, Vec<Loaded>) {
        self.clock += 1;
        self.take_answers();
        self.below();
        self.between();
        let ended = self.above();
        self.invalidations();
        self.first.iter_mut().for_each(Level::clock);
        self.second.clock();
        self.third.clock();
        (ended, self.loaded())
    }

    /// Reads that hit in a write cache.
    fn take_answers(&mut self) {
        for unit in 0..UNITS {
            if let Some((wavefront, bytes, data)) = self.first[unit].hit() {
                self.answer((unit as u64) << WAVEFRONT_BITS | wavefront, bytes, &data);
            }
        }
        for hit in [self.second.hit(), self.third.hit()].into_iter().flatten() {
            self.answer(hit.0, hit.1, &hit.2);
        }
    }

    /// The third level and the memory.
    fn below(&mut self) {
        let takes = self.rng.random_range(0..8) != 0;
        self.third.down_ready(takes);
        if let Some(request) = self.third.down().filter(|_| takes) {
            let block = self.memory.entry(request.block).or_insert([0; WORDS]);
            match request.op {
                Op::Store => {
                    for word in (0..WORDS).filter(|word| request.bytes >> (8 * word) & 0xff != 0) {
                        assert_eq!(request.bytes >> (8 * word) & 0xff, 0xff, "words are stored");
                        block[word] = request.data[word];
                    }
                }
                // An atomic adds to the last word.
                Op::Atomic => {
                    block[WORDS - 1] += request.data[0];
                    self.done.push_back((request.wavefront >> WAVEFRONT_BITS) as usize);
                }
                Op::Read => {
                    let data = *block;
                    self.answer(request.wavefront, request.bytes, &data);
                }
                Op::Release => panic!("a release ends at the last level"),
            }
        }
        let is_ready = self.rng.random_range(0..4) == 0;
        let finished = if is_ready { self.done.pop_front() } else { None };
        self.third.done(finished.is_some());
        self.second.done(finished.is_some());
        for (unit, level) in self.first.iter_mut().enumerate() {
            level.done(finished == Some(unit));
        }
    }

    /// The channels between levels.
    fn between(&mut self) {
        let down = self.second.down();
        self.second.down_ready(self.third.is("req_ready"));
        self.third.request(down);
        self.second.released(self.third.ack());

        // A unit keeps its turn until its offer is taken.
        if self.first[self.turn].down().is_none() {
            let others = (1..UNITS).map(|step| (self.turn + step) % UNITS);
            self.turn =
                others.into_iter().find(|u| self.first[*u].down().is_some()).unwrap_or(self.turn);
        }
        let (turn, ready) = (self.turn, self.second.is("req_ready"));
        let from = |request: Request| Request {
            wavefront: (turn as u64) << WAVEFRONT_BITS | request.wavefront,
            ..request
        };
        let request = self.first[turn].down().map(from);
        self.second.request(request);
        for (unit, level) in self.first.iter_mut().enumerate() {
            level.down_ready(unit == turn && ready);
        }
        if request.is_some() && ready {
            self.last_writer = turn;
            self.turn = (turn + 1) % UNITS;
        }
        let mut ended = self.second.ack();
        if self.planted == Planted::EndsAtFirstLevel {
            let release = request.filter(|r| ready && r.op == Op::Release && r.needs_ack);
            ended = release.map(|release| release.wavefront);
        }
        for (unit, level) in self.first.iter_mut().enumerate() {
            let of_unit = ended.filter(|w| (*w >> WAVEFRONT_BITS) as usize == unit);
            level.released(of_unit.map(|wavefront| wavefront & 63));
        }
    }

    /// The compute units.
    fn above(&mut self) -> Vec<(usize, u64)> {
        let mut ended = Vec::new();
        for unit in 0..UNITS {
            let level = &mut self.first[unit];
            assert!(!level.is("error_valid"), "no flag comes early");
            ended.extend(level.ack().map(|wavefront| (unit, wavefront)));
            let ready = level.is("req_ready");
            level.request(self.offers[unit]);
            if let Some(request) = self.offers[unit].filter(|_| ready) {
                self.offers[unit] = None;
                if request.op == Op::Store {
                    // The block is marked as written: it is read from the write cache.
                    self.read_caches[unit].drop_block(request.block);
                }
            }
        }
        ended
    }

    /// Invalidations reach the read caches, and are applied when these have time.
    fn invalidations(&mut self) {
        let early = self.planted == Planted::AcknowledgesEarly;
        let of_second = self.second.inv();
        let mut acks = 0;
        for unit in 0..UNITS {
            let cache = &mut self.read_caches[unit];
            let of_first = self.first[unit].inv();
            cache.invs[0].extend(of_first);
            let is_told = self.planted != Planted::NoBroadcast || unit == self.last_writer;
            cache.invs[1].extend(of_second.filter(|_| is_told));
            let told = [of_first.is_some(), of_second.is_some()];
            for (from, told) in told.into_iter().enumerate() {
                // What a read cache is not told of is acknowledged for it.
                let at_once = told && (early || from == 1 && !is_told);
                cache.acks[from] += u32::from(at_once);
                if self.rng.random_range(0..self.slowness) == 0
                    && let Some(block) = cache.invs[from].pop_front()
                {
                    cache.drop_block(block);
                    cache.acks[from] += u32::from(!early);
                }
            }
            let now = cache.acks.map(|acks| u64::from(acks > 0));
            cache.acks = cache.acks.map(|acks| acks.saturating_sub(1));
            self.first[unit].inv_ack(now[0]);
            acks |= now[1] << unit;
        }
        self.second.inv_ack(acks);
        // The processors' caches below the third level are not modelled.
        let told = self.third.inv().is_some();
        self.third.inv_ack(told.into());
    }

    /// Loads that are answered now.
    fn loaded(&mut self) -> Vec<(usize, u64, Block)> {
        let mut loaded = Vec::new();
        for unit in 0..UNITS {
            let now = self.clock;
            let (ready, later) =
                self.answers[unit].drain(..).partition(|answer: &Answer| answer.at <= now);
            self.answers[unit] = later;
            let ready: Vec<Answer> = ready;
            for Answer { wavefront, bytes, data, .. } in ready {
                let cache = &mut self.read_caches[unit];
                let (block, _, may_keep) = cache.loads.remove(&wavefront).expect("a load");
                let may_keep = may_keep || self.planted == Planted::KeepsInvalidated;
                if may_keep && bytes == u64::MAX {
                    cache.blocks.insert(block, data);
                }
                loaded.push((unit, wavefront, data));
            }
        }
        loaded
    }
}
