//! Compute units that pass messages: one wavefront stores, adds by atomics, releases, and stores a flag; another
//! reads flags of other units, and what they guard.

use std::fmt;

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::qr_write_cache::{Op, Request};
use warpsmith_blocks::verification::StimulusRng;

use super::system::{Planted, System, UNITS, WORDS};

/// Blocks of data that two units share, each with a word of each.
const BLOCKS: u64 = 8;
/// The first flag, and the first counter of atomics: each unit has a block of its own.
const FLAGS: u64 = 1024;
const COUNTERS: u64 = 2048;
const PRODUCER: u64 = 0;
const CONSUMER: u64 = 1;

/// What is run.
pub struct Traffic {
    pub slowness: u32,
    pub seed: u64,
    pub planted: Planted,
    pub clocks: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Run {
    pub releases: u64,
    /// Loads after an acquire.
    pub acquired: u64,
    pub stale: Vec<Stale>,
    /// Atomics before releases, and acquires that found some of them not done.
    pub atomics: u64,
    pub atomics_missing: u64,
    pub read_cache_hits: u64,
    /// Clocks of a release, on average.
    pub clocks_per_release: f64,
}

/// A load that found an older value than the flag guards.
#[derive(Clone, Copy)]
pub struct Stale {
    unit: usize,
    block: u64,
    word: usize,
    found: u64,
    due: u64,
}

impl fmt::Debug for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, block, word, found, due } = self;
        write!(f, "word {word} of block {block}, loaded by wavefront {CONSUMER} of unit {unit}: ")?;
        write!(f, "{found}, {due} was released")
    }
}

/// The first block of a unit's data.
fn base(unit: usize) -> u64 {
    unit as u64 / 2 * BLOCKS
}

/// The block whose last word a unit's atomics add to.
fn counter(unit: usize) -> u64 {
    COUNTERS + unit as u64
}

#[derive(Clone, Copy, Debug)]
enum Producing {
    /// So many stores are left.
    Stores(u32),
    Release,
    Waits(u64),
    Flag,
    Push,
}

#[derive(Clone, Copy, Debug)]
enum Consuming {
    /// Reads the flag of another unit, mostly that of the last time.
    Begin(usize),
    /// The flag of that unit is on its way.
    Flag(usize),
    /// So many words are left to read of what that unit had stored at that version.
    Words(usize, usize, u32),
    /// A word of that block is on its way.
    Word(usize, usize, u32, u64),
}

struct Unit {
    producing: Producing,
    consuming: Consuming,
    version: usize,
    /// Of each version that was released, the last version that each block's word was stored at.
    history: Vec<Vec<u64>>,
    words: Vec<u64>,
    /// Atomics so far, and of each version those before its release.
    atomics: u64,
    added: Vec<u64>,
}

impl Traffic {
    pub fn run(&self) -> Run {
        let mut system = System::new(self.slowness, self.seed, self.planted);
        let mut rng = StimulusRng::seed_from_u64(self.seed ^ 1);
        let unit = |unit| Unit {
            producing: Producing::Stores(4),
            consuming: Consuming::Begin((unit + 1) % UNITS),
            version: 1,
            history: vec![vec![0; BLOCKS as usize]],
            words: vec![0; BLOCKS as usize],
            atomics: 0,
            added: vec![0],
        };
        let mut units: Vec<Unit> = (0..UNITS).map(unit).collect();
        let (mut run, mut waited) = (Run::default(), 0);
        for _ in 0..self.clocks {
            for unit in 0..UNITS {
                if !system.is_free(unit) {
                    continue;
                }
                // Reads are more than writes, so that read caches are of use.
                match rng.random_range(0..12) {
                    0 => units[unit].produce(unit, &mut system, &mut rng),
                    _ => consume(unit, &mut units, &mut system, &mut rng, &mut run),
                }
            }
            let (ended, loaded) = system.clock();
            for (unit, wavefront) in ended {
                assert_eq!(wavefront, PRODUCER);
                let Producing::Waits(since) = units[unit].producing else { panic!("no release") };
                run.releases += 1;
                waited += system.clock - since;
                units[unit].producing = Producing::Flag;
            }
            for (unit, _, data) in loaded {
                if let Consuming::Flag(other) = units[unit].consuming {
                    // An atomic is done in memory: it does not go through read caches.
                    let added = system.memory.get(&counter(other)).map_or(0, |c| c[WORDS - 1]);
                    let due = units[other].added[data[0] as usize];
                    run.atomics_missing += u64::from(added < due);
                }
                arrived(unit, &mut units, &data, &mut run);
            }
        }
        run.atomics = units.iter().map(|unit| *unit.added.last().expect("the first")).sum();
        run.read_cache_hits = system.reads_hit;
        run.clocks_per_release = waited as f64 / run.releases.max(1) as f64;
        run
    }
}

impl Unit {
    fn produce(&mut self, unit: usize, system: &mut System, rng: &mut StimulusRng) {
        let store = |block: u64, word: usize, value: u64| {
            let mut data = [0; WORDS];
            data[word] = value;
            Request::store(block, 0xff << (8 * word), data, PRODUCER)
        };
        let version = self.version as u64;
        match self.producing {
            Producing::Stores(0) => self.producing = Producing::Release,
            Producing::Stores(left) if rng.random_range(0..6) == 0 => {
                // Some find their block dirty.
                let (block, is_store) = (counter(unit), rng.random_range(0..3) == 0);
                let added = Request { op: Op::Atomic, data: [1; WORDS], ..store(block, 0, 0) };
                self.atomics += u64::from(!is_store);
                system.offer(unit, if is_store { store(block, 0, version) } else { added });
                self.producing = Producing::Stores(left - 1);
            }
            Producing::Stores(left) => {
                let block = rng.random_range(0..BLOCKS);
                self.words[block as usize] = version;
                system.offer(unit, store(base(unit) + block, unit, version));
                self.producing = Producing::Stores(left - 1);
            }
            Producing::Release => {
                self.history.push(self.words.clone());
                self.added.push(self.atomics);
                system.offer(unit, Request::release(PRODUCER, true));
                self.producing = Producing::Waits(system.clock);
            }
            Producing::Waits(_) => {}
            Producing::Flag => {
                system.offer(unit, store(FLAGS + unit as u64, 0, version));
                self.producing = Producing::Push;
            }
            Producing::Push => {
                system.offer(unit, Request::release(PRODUCER, false));
                self.version += 1;
                self.producing = Producing::Stores(rng.random_range(1..24));
            }
        }
    }
}

fn consume(
    unit: usize,
    units: &mut [Unit],
    system: &mut System,
    rng: &mut StimulusRng,
    run: &mut Run,
) {
    let (block, bytes, next) = match units[unit].consuming {
        Consuming::Begin(last) => {
            let any = (unit + rng.random_range(1..UNITS)) % UNITS;
            let other = if rng.random_range(0..4) == 0 { any } else { last };
            (FLAGS + other as u64, u64::MAX, Consuming::Flag(other))
        }
        Consuming::Words(other, _, 0) => {
            units[unit].consuming = Consuming::Begin(other);
            return;
        }
        Consuming::Words(other, version, left) => {
            let block = rng.random_range(0..BLOCKS);
            let bytes = if rng.random_range(0..4) > 0 { u64::MAX } else { 0xff << (8 * other) };
            (base(other) + block, bytes, Consuming::Word(other, version, left - 1, block))
        }
        Consuming::Flag(_) | Consuming::Word(..) => return,
    };
    units[unit].consuming = next;
    if let Some(data) = system.load(unit, CONSUMER, block, bytes) {
        arrived(unit, units, &data, run);
    }
}

/// A load is answered.
fn arrived(unit: usize, units: &mut [Unit], data: &[u64; WORDS], run: &mut Run) {
    units[unit].consuming = match units[unit].consuming {
        Consuming::Flag(other) => Consuming::Words(other, data[0] as usize, 8),
        Consuming::Word(other, version, left, block) => {
            let due = units[other].history[version][block as usize];
            run.acquired += 1;
            let found = data[other];
            let stale = Stale { unit, block: base(other) + block, word: other, found, due };
            run.stale.extend((found < due).then_some(stale));
            Consuming::Words(other, version, left)
        }
        state => panic!("an answer in {state:?}"),
    };
}
