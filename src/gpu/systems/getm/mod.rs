//! GETM (Ren, thesis chapter 4; HPCA 2018): transactions whose conflicts are detected at each access, by
//! logical timestamps, so that one at its end has none and commits while its warp goes on.
//!
//! Each bank of the L2 is a partition with a validation unit and a commit unit. Beside transactions there is
//! an L1 in each core, write-through, and an L2 of which nothing but time depends: messages go straight to
//! the home of a line.

mod accesses;
mod admission;
mod capabilities;
mod commits;
mod counters;
mod designs;
mod l1;
mod l2;
mod log;
mod message;
mod metadata_access;
mod oracle;
pub mod planted;
mod ring;
mod stalled;
mod units;
mod warp;
pub mod warptm;

use std::collections::HashMap;
use std::ops::Range;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use slab::Slab;
use warpsmith_testbench::serializability::Order;

use super::System;
use crate::config::{Config, TransactionConfig};
use crate::events;
use crate::memory::{
    Done, Event, Fabric, MemorySystem, Operation, PlantedError, Planting, Seats, Shared, Traffic,
    TransactionCounts, Transactions, Unit,
};
use admission::{Alone, Core};
use counters::Queued;
use designs::designs;
use l1::L1;
use l2::L2;
use message::Message;
use oracle::Oracle;
use ring::Ring;
use units::{Output, Units};
use warp::{Asked, State, Warp};

/// Transactions with eager conflict detection.
pub const GETM: System = System {
    errors: &planted::ERRORS,
    places: designs::places,
    ..System::new("getm", "transactions with eager conflict detection", |config| {
        Box::new(Getm::new(config, Units::all(config, &designs(config))))
    })
};

/// The same machine without transactions: programs use locks.
pub const LOCKS: System =
    System::new("locks", "the machine of getm without transactions", |config| {
        Box::new(Getm { takes_marks: false, ..Getm::new(config, Vec::new()) })
    });

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A bank serves a message.
    Serve(message),
    /// A line has come from DRAM: the GPM, and its miss.
    Filled(gpm, miss),
    /// A warp's pause is over.
    Timer(warp),
    /// A clock of a partition's units.
    Clock(partition),
    /// A clock of the ring of the roll-over.
    Ring(unused),
}

/// The cores, caches and partitions of a machine.
#[derive(Debug)]
struct Getm {
    settings: TransactionConfig,
    warps_per_core: u32,
    /// Partitions of a GPM.
    banks: u32,
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    l2: Vec<L2>,
    units: Vec<Units>,
    outputs: Vec<Output>,
    warps: Vec<Warp>,
    cores: Vec<Core>,
    asked: Slab<Asked>,
    /// Bits of a warp's number, the low bits of its times.
    warp_bits: u32,
    /// The time at which timestamps last began again, on an axis that never does, and the latest since.
    epoch: u64,
    latest: u64,
    /// Warps that run transactions.
    running: usize,
    /// Warps that are held back.
    held: Vec<usize>,
    alone: Alone,
    ring: Ring,
    /// A roll-over is under way; cores have been told to abort.
    rolls: bool,
    halting: bool,
    logs_under_way: usize,
    /// Whose writes a granule's releases are.
    logged: HashMap<u64, usize>,
    random: Xoshiro256PlusPlus,
    oracle: Oracle,
    counts: TransactionCounts,
    queued: Queued,
    /// The clock of the last commit, and aborts until then.
    progress: u64,
    aborts_before: u64,
    planted: Planting,
    /// Of WarpTM and what is made of it, which have no units.
    lazy: Option<warptm::Lazy>,
    takes_marks: bool,
}

impl Getm {
    fn new(config: &Config, units: Vec<Units>) -> Self {
        let (machine, settings) = (&config.machine, config.transactions.clone());
        let warps = machine.cores() * config.core.warps;
        Self {
            banks: config.l2.banks,
            lazy: None,
            takes_marks: true,
            warps_per_core: config.core.warps,
            fabric: Fabric::new(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..machine.cores()).map(|_| L1::new(config)).collect(),
            l2: (0..machine.gpms()).map(|_| L2::new(config)).collect(),
            ring: Ring::new(units.len()),
            units,
            outputs: Vec::new(),
            warps: (0..warps).map(|_| Warp::default()).collect(),
            cores: (0..machine.cores()).map(|_| Core::default()).collect(),
            asked: Slab::new(),
            warp_bits: designs::owner_bits(config),
            epoch: 0,
            latest: 0,
            running: 0,
            held: Vec::new(),
            alone: Alone::default(),
            rolls: false,
            halting: false,
            logs_under_way: 0,
            logged: HashMap::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            oracle: Oracle::default(),
            counts: TransactionCounts::default(),
            queued: Queued::default(),
            progress: 0,
            aborts_before: 0,
            planted: Planting::default(),
            settings,
        }
    }

    /// A warp's number in the machine.
    fn index(&self, core: u32, warp: u32) -> usize {
        (core * self.warps_per_core + warp) as usize
    }

    /// The core of a warp, and its place there.
    fn place(&self, index: usize) -> (u32, u32) {
        (index as u32 / self.warps_per_core, index as u32 % self.warps_per_core)
    }

    /// The partition of a line whose home is a GPM.
    fn partition(&self, gpm: u32, line: u32) -> u32 {
        gpm * self.banks + (line ^ (line / self.banks)) % self.banks
    }

    /// The units of a partition have something to do.
    fn clock_units(&mut self, shared: &mut Shared, partition: u32) {
        let units = &mut self.units[partition as usize];
        if units.is_busy() && !std::mem::replace(&mut units.clocked, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(partition));
        }
    }

    /// A clock of the units of a partition.
    fn clock(&mut self, shared: &mut Shared, partition: u32) {
        let mut outputs = std::mem::take(&mut self.outputs);
        let units = &mut self.units[partition as usize];
        units.clocked = false;
        let before = units.counters.waiting();
        let clocked = units.clock(&mut outputs);
        let after = units.counters.waiting();
        if after != before {
            self.queued.change(shared.events.now(), before, after);
        }
        let gpm = partition * self.l2.len() as u32 / self.units.len() as u32;
        let written = outputs.drain(..).map(|output| match output {
            Output::Answer(asked, response) => {
                self.answered(shared, asked, &response);
                Ok(())
            }
            Output::Write(region, bytes) => self.write_region(shared, gpm, region, &bytes),
            Output::Released { address, count } => {
                self.released(shared, address, count);
                Ok(())
            }
            Output::Rolled { go } => {
                self.rolled(shared, partition as usize, go);
                Ok(())
            }
        });
        let written: Result<(), String> = written.collect();
        self.outputs = outputs;
        if let Err(wrong) = clocked.and(written) {
            shared.mismatch = Some(wrong);
            return;
        }
        if self.running > 0 && self.gives_up(shared) {
            return;
        }
        self.clock_units(shared, partition);
    }

    /// Whether no transaction has committed for so long that the launch is given up.
    fn gives_up(&self, shared: &mut Shared) -> bool {
        let patience = self.settings.patience;
        let gives_up = shared.events.now() - self.progress > patience;
        if gives_up {
            let aborts = self.counts.aborted() - self.aborts_before;
            shared.mismatch = Some(format!(
                "no transaction has committed for {patience} clocks; {aborts} have aborted since"
            ));
        }
        gives_up
    }

    /// The commit unit writes a region to the L2.
    fn write_region(
        &mut self,
        shared: &mut Shared,
        gpm: u32,
        region: u64,
        bytes: &[Option<u8>],
    ) -> Result<(), String> {
        let line_bytes = crate::config::LINE as u64;
        let address = region * u64::from(self.settings.granule_bytes);
        let (line, first) = ((address / line_bytes) as u32, (address % line_bytes) as usize);
        let (mut data, mut mask) = ([0; 128], 0u128);
        for (at, byte) in bytes.iter().enumerate() {
            if let Some(byte) = byte {
                data[first + at] = *byte;
                mask |= 1 << (first + at);
            }
        }
        for (number, word) in bytes.chunks(4).enumerate() {
            let fold = |all: u32, of: fn(&Option<u8>) -> u32| {
                (0..).zip(word).fold(all, |all, (at, byte)| all | of(byte) << (8 * at))
            };
            let value = fold(0, |byte| byte.unwrap_or(0).into());
            let mask = fold(0, |byte| if byte.is_some() { 0xff } else { 0 });
            if mask != 0 {
                self.oracle.write(address + 4 * number as u64, value, mask)?;
            }
        }
        shared.write_line(line, &data, mask);
        self.written(shared, gpm, line, mask);
        Ok(())
    }

    fn acquire(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.statistics.coherence.acquires += 1;
        self.l1[core as usize].empty();
        shared.done.push(Done::Synchronised { core, warp });
    }

    /// A warp's time has come.
    fn timer(&mut self, shared: &mut Shared, index: usize) {
        match self.warps[index].state {
            State::Waits => self.start_if_permitted(shared, index),
            State::Checks => self.finish(shared, index),
            _ => {}
        }
    }
}

impl MemorySystem for Getm {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        let free = self.l1[core as usize].ready(&shared.config)?;
        Some(free.max(self.fabric.core_ready(core)))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        match operation {
            Operation::Access(access) => {
                shared.begin(core, access);
                let warp = shared.accesses.get(access).warp;
                let index = self.index(core, warp);
                return match self.warps[index].state {
                    State::Runs => self.transactional(shared, core, access),
                    _ => self.plain(shared, core, access),
                };
            }
            Operation::Release { warp, .. } => self.release(shared, core, warp),
            Operation::Acquire { warp, .. } => self.acquire(shared, core, warp),
        }
        None
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(message) => self.arrive(shared, message),
            SystemEvent::Timer(warp) => self.timer(shared, warp as usize),
            SystemEvent::Serve(message) => self.serve(shared, message),
            SystemEvent::Filled(gpm, miss) => self.filled(shared, gpm, miss),
            SystemEvent::Clock(partition) if self.lazy.is_some() => {
                self.clock_partition(shared, partition);
            }
            SystemEvent::Ring(_) => self.clock_ring(shared),
            SystemEvent::Clock(partition) => self.clock(shared, partition),
        }
    }

    fn begin_launch(&mut self, shared: &mut Shared) {
        self.l1.iter_mut().for_each(L1::empty);
        self.progress = shared.events.now();
    }

    /// The launch is over, and is judged.
    fn clean(&mut self, shared: &mut Shared) {
        if shared.mismatch.is_some() {
            return;
        }
        // Values decide for WarpTM, in which two stores may be of the same.
        let order = match self.lazy {
            Some(_) => Order::Any,
            None if self.settings.faithful => Order::SharedTimestamps,
            None => Order::Timestamps,
        };
        match self.oracle.judge(shared, order) {
            Ok(summary) => {
                self.counts.conflicts += summary.conflicts as u64;
                self.counts.serializable_launches += u64::from(self.counts.commits > 0);
            }
            Err(wrong) => shared.mismatch = Some(format!("not serializable: {wrong}")),
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        for l1 in &mut self.l1 {
            l1.cache.drop_where(|line| lines.contains(&line));
        }
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
    }

    fn transactions(&mut self) -> Option<&mut dyn Transactions> {
        if self.takes_marks { Some(self) } else { None }
    }

    fn seats(&mut self) -> Option<&mut dyn Seats> {
        Some(self)
    }
}
