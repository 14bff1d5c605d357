//! A random test of the memory hierarchy that knows what every load must find, after gem5's GPU
//! tester (`src/cpu/testers/gpu_ruby_test`).
//!
//! Warps run episodes: an atomic and an acquire, then loads and stores of all lanes, then a release
//! and an atomic. Locations that an episode stores to belong to it until it is over, and those that
//! it loads from are not stored to; so there is no race, and a load has one right value. Locations
//! lie at random in few lines, so that lines are shared by accident all the time, and caches and
//! directories are tiny.

mod episode;
mod model;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::config::Config;
use super::isa::{AccessKind, AtomicOp, Kind, Order, Scope, Type};
use super::memory::{
    Device, Done, Flat, MemorySystem, Operation, PlantedError, Shared, Statistics, Unit,
};
use super::simt::Access;
use super::systems::System;
use crate::events;
use episode::{Episode, Step};
use model::Model;

/// Warps of a core.
const WARPS: u32 = 4;
/// Most clocks between two steps of a warp.
const GAP: u64 = 30;
/// Clocks without the end of an episode after which the machine is stuck.
const PATIENCE: u64 = 1_000_000;

events! {
    /// Events of the tester.
    enum TesterEvent of Unit::FRONT;
    /// A warp does its next step.
    Step(warp),
}

/// What is to be tested.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The memory system.
    pub system: System,
    /// Of all that is random.
    pub seed: u64,
    /// Episodes.
    pub episodes: u32,
    /// An error that the test should find.
    pub planted: Option<PlantedError>,
}

/// What a test that found nothing has done.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Episodes.
    pub episodes: u32,
    /// Values that loads found, each compared.
    pub values: u64,
    /// Counts of the memory hierarchy.
    pub statistics: Statistics,
    /// Counters of the memory system's own.
    pub counters: Vec<(&'static str, u64)>,
}

/// What a test found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A load found another value than the one that was stored last.
    #[error(
        "clock {clock}, episode {episode} of core {core} warp {warp} at scope {scope:?}: location \
         {location} at byte {address:#x} holds {found}, not {expected}, which episode {writer} \
         stored (0 if nobody did); seed {seed}"
    )]
    Value {
        /// When the answer came.
        clock: u64,
        /// The episode that loaded.
        episode: u32,
        /// On which core.
        core: u32,
        /// In which warp.
        warp: u32,
        /// At which scope.
        scope: Scope,
        /// What was loaded.
        location: u32,
        /// Where it is.
        address: u64,
        /// What was found.
        found: u32,
        /// What was to be found.
        expected: u32,
        /// The episode that stored it.
        writer: u32,
        /// The seed of the test.
        seed: u64,
    },
    /// When all was over, memory held another value.
    #[error("at the end location {location} is {found} in memory, not {expected}; seed {seed}")]
    Memory {
        /// Which location; counters of atomics come after all others.
        location: u32,
        /// What was found.
        found: u32,
        /// What was to be found.
        expected: u32,
        /// The seed of the test.
        seed: u64,
    },
    /// An oracle of the memory system, or the reference of a block, tells of an error.
    #[error("{what}; seed {seed}")]
    Told {
        /// Its words.
        what: String,
        /// The seed of the test.
        seed: u64,
    },
    /// Nothing goes on.
    #[error("clock {clock}: {left} episodes do not end; seed {seed}")]
    Stuck {
        /// When.
        clock: u64,
        /// How many are left.
        left: u32,
        /// The seed of the test.
        seed: u64,
    },
}

/// Tests a memory system on its small machine.
///
/// # Errors
/// What was found, in a box.
pub fn test(settings: &Settings) -> Result<Summary, Box<Violation>> {
    let config = Config::preset(settings.system.small);
    let config = config.unwrap_or_else(|error| unreachable!("the preset is ours: {error}"));
    Tester::new(&config, settings).run()
}

struct Tester {
    settings: Settings,
    shared: Shared,
    system: Box<dyn MemorySystem>,
    random: Xoshiro256PlusPlus,
    model: Model,
    /// The episode of each warp, core after core.
    running: Vec<Option<Episode>>,
    begun: u32,
    ended: u32,
    values: u64,
    /// When an episode ended last.
    progress: u64,
}

impl Tester {
    fn new(config: &Config, settings: &Settings) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        let mut shared = Shared::new(config, Some(settings.seed));
        let mut system = (settings.system.make)(config);
        let model = Model::new(&mut random, config.machine.gpus);
        let mut device = Device::default();
        device.allocate("locations", model.bytes());
        shared.flat = Flat::new(device, &[]);
        if let Some(error) = settings.planted {
            system.plant(error);
        }
        Self {
            settings: *settings,
            shared,
            system,
            random,
            model,
            running: (0..config.machine.cores() * WARPS).map(|_| None).collect(),
            begun: 0,
            ended: 0,
            values: 0,
            progress: 0,
        }
    }

    fn run(mut self) -> Result<Summary, Box<Violation>> {
        self.system.begin_launch(&mut self.shared);
        for warp in 0..self.running.len() as u32 {
            self.later(warp);
        }
        while let Some(event) = self.shared.events.pop() {
            match event.unit {
                Unit::FRONT => {
                    let TesterEvent::Step(warp) = event.into();
                    self.step(warp);
                }
                Unit::DRAM => self.shared.handle_dram(event),
                _ => self.system.handle(&mut self.shared, event),
            }
            while let Some(done) = self.shared.done.pop() {
                match done {
                    Done::Access(access) => self.answered(access)?,
                    Done::Synchronised { core, warp } => self.later(core * WARPS + warp),
                    Done::Accepts(_)
                    | Done::TransactionEnded { .. }
                    | Done::Aborted { .. }
                    | Done::PartOfWord { .. }
                    | Done::LogFull { .. } => {}
                }
            }
            self.told()?;
            if self.shared.events.now() - self.progress > PATIENCE {
                break;
            }
        }
        let (clock, seed) = (self.shared.events.now(), self.settings.seed);
        if self.ended < self.settings.episodes {
            let left = self.settings.episodes - self.ended;
            return Err(Box::new(Violation::Stuck { clock, left, seed }));
        }
        self.system.clean(&mut self.shared);
        self.told()?;
        let contents = self.shared.flat.device.contents();
        for (location, place, expected) in self.model.contents() {
            let bytes = contents.get(place..place + 4).and_then(|bytes| bytes.try_into().ok());
            let found = bytes.map_or(0, u32::from_le_bytes);
            if found != expected {
                return Err(Box::new(Violation::Memory { location, found, expected, seed }));
            }
        }
        let statistics = self.shared.statistics(self.system.traffic(&self.shared));
        let counters = self.system.counters();
        Ok(Summary { episodes: self.ended, values: self.values, statistics, counters })
    }

    /// Ends the test if the memory system has told of an error.
    fn told(&mut self) -> Result<(), Box<Violation>> {
        let Some(mut what) = self.shared.mismatch.take() else { return Ok(()) };
        self.shared.accused.drain(..).for_each(|(accused, _)| what += &format!("; {accused}"));
        Err(Box::new(Violation::Told { what, seed: self.settings.seed }))
    }

    /// A warp does its next step after a while.
    fn later(&mut self, warp: u32) {
        let gap = self.random.random_range(1..=GAP);
        let time = self.shared.events.now() + gap;
        self.shared.events.at(time, TesterEvent::Step(warp));
    }

    /// A warp begins an episode, if one is left.
    fn begin(&mut self, at: u32) {
        if self.begun < self.settings.episodes {
            let topology = self.shared.homes.topology;
            let gpu = topology.gpu(topology.gpm_of_core(at / WARPS));
            let number = self.begun + 1;
            let begins = Episode::begin(&mut self.random, &mut self.model, gpu, number);
            self.begun += u32::from(begins.is_some());
            self.running[at as usize] = begins;
            self.later(at);
        }
    }

    fn step(&mut self, at: u32) {
        let (core, warp) = (at / WARPS, at % WARPS);
        let Some(mut episode) = self.running[at as usize].take() else { return self.begin(at) };
        if self.system.ready(&self.shared, core).is_none() {
            self.running[at as usize] = Some(episode);
            return self.later(at);
        }
        let scope = episode.scope;
        match episode.next() {
            Step::Atomic => {
                let place = self.model.count(&mut self.random, scope, episode.gpu);
                let mut access = access(AccessKind::Atomic(AtomicOp::Add), scope);
                access.mask = 1;
                (access.addresses[0], access.data[0][0]) = (place as u64, 1);
                self.submit(core, warp, access);
                episode.waiting += 1;
            }
            Step::Acquire => {
                self.system.submit(&mut self.shared, core, Operation::Acquire { warp, scope });
            }
            Step::Release => {
                self.system.submit(
                    &mut self.shared,
                    core,
                    Operation::Release { warp, scope, of: None },
                );
            }
            Step::Loads(lanes) => {
                let mut access = access(AccessKind::Load, scope);
                for (lane, location) in lanes.into_iter().enumerate() {
                    access.mask |= 1 << lane;
                    access.addresses[lane] = self.model.place(location) as u64;
                    episode.expect(lane, location, self.model.value(location));
                }
                episode.waiting += 1;
                self.submit(core, warp, access);
            }
            Step::Stores(lanes) => {
                let mut access = access(AccessKind::Store, scope);
                for (lane, location) in lanes.into_iter().enumerate() {
                    let value = self.model.store(location, episode.number);
                    access.mask |= 1 << lane;
                    access.addresses[lane] = self.model.place(location) as u64;
                    access.data[0][lane] = value.into();
                }
                self.submit(core, warp, access);
                match self.system.acknowledges_stores() {
                    true => episode.waiting += 1,
                    false => self.later(at),
                }
            }
            Step::End => {
                self.model.end(&episode.uses, scope, episode.gpu);
                self.ended += 1;
                self.progress = self.shared.events.now();
                self.later(at);
                return;
            }
        }
        self.running[at as usize] = Some(episode);
    }

    /// Gives an access to the L1. If all lines are there, its end is handled at once.
    fn submit(&mut self, core: u32, warp: u32, access: Access) {
        let at = self.shared.accesses.begin();
        let pending = self.shared.accesses.get(at);
        (pending.access, pending.core, pending.warp) = (access, core, warp);
        pending.acknowledged = self.system.acknowledges_stores();
        if self.system.submit(&mut self.shared, core, Operation::Access(at)).is_some() {
            self.shared.done.push(Done::Access(at));
        }
    }

    fn answered(&mut self, at: u32) -> Result<(), Box<Violation>> {
        let pending = self.shared.accesses.get(at);
        let (core, warp, mask) = (pending.core, pending.warp, pending.access.mask);
        let found = pending.access.data[0];
        let is_load = pending.access.kind == AccessKind::Load;
        self.shared.accesses.end(at);
        let place = core * WARPS + warp;
        let Some(episode) = &mut self.running[place as usize] else { return Ok(()) };
        episode.waiting -= 1;
        if is_load {
            for lane in super::simt::lanes_of(mask) {
                let (location, expected) = episode.expected(lane);
                self.values += 1;
                if found[lane] as u32 != expected {
                    return Err(Box::new(Violation::Value {
                        clock: self.shared.events.now(),
                        episode: episode.number,
                        core,
                        warp,
                        scope: episode.scope,
                        location,
                        address: self.model.place(location) as u64,
                        found: found[lane] as u32,
                        expected,
                        writer: self.model.writer(location),
                        seed: self.settings.seed,
                    }));
                }
            }
        }
        self.later(place);
        Ok(())
    }
}

fn access(kind: AccessKind, scope: Scope) -> Access {
    let mut access = Access::default().awaited();
    (access.kind, access.scope) = (kind, scope);
    access.order = match kind {
        AccessKind::Atomic(_) => Order::Relaxed,
        _ => Order::Weak,
    };
    access.ty = Type { kind: Kind::Unsigned, bytes: 4 };
    access
}
