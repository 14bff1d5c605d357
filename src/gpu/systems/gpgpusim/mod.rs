//! The memory of GPGPU-Sim 4.2 (Bakhoda et al., ISPASS 2009; Khairy et al., ISCA 2020), clock by clock, as its source
//! of October 2021 has it: the L1's latency as a queue before its tags, a crossbar with queues at its inputs, slices of
//! the L2 with sectors, DRAM command by command. Its caches have tags only, as that simulator's: an access takes
//! effect when it is issued.

mod addresses;
mod core;
mod l1;
mod network;
mod partition;
mod request;
mod slice;
mod tags;

use std::ops::Range;

use slab::Slab;

use super::System;
use crate::config::{ChipsConfig, Config, LINE, SimulatorConfig};
use crate::events;
use crate::isa::AccessKind;
use crate::memory::{
    Done, Event, MemorySystem, Operation, Shared, Traffic, Unit, extract, gather, next_line,
    perform,
};
use addresses::Map;
use core::CoreSide;
use l1::Looked;
use network::Network;
use partition::Partition;
use request::{CONTROL, Kind, Request, coalesce};
use slice::{Piece, Slice};

/// The memory of GPGPU-Sim 4.2; for machines whose configuration has it.
pub const GPGPUSIM: System =
    System::new("gpgpusim", "the memory of GPGPU-Sim 4.2, without coherence", |config| {
        match (&config.simulator, &config.dram.chips) {
            (Some(simulator), Some(chips)) => Box::new(Gpgpusim::new(config, simulator, chips)),
            // `--preset` and `--config` choose it for machines that describe this memory only.
            _ => (super::hmg::IDEAL.make)(config),
        }
    });

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A clock of the interconnect.
    Clock(unused),
}

/// The memory of a machine.
#[derive(Debug)]
struct Gpgpusim {
    config: SimulatorConfig,
    /// Clocks of DRAM in a clock of the cores.
    ratio: f64,
    /// Clocks of DRAM that are due.
    due: f64,
    map: Map,
    cores: Vec<CoreSide>,
    requests: Slab<Request>,
    up: Network<u32>,
    down: Network<Piece>,
    partitions: Vec<Partition>,
    /// A clock is scheduled.
    clocked: bool,
}

impl Gpgpusim {
    fn new(config: &Config, simulator: &SimulatorConfig, chips: &ChipsConfig) -> Self {
        let (channels, per_channel) = (config.dram.channels, simulator.l2.per_channel);
        let lines = config.l2.bytes / LINE as u32;
        let sets = (lines / config.l2.ways / channels / per_channel).max(1);
        let map = Map { channels, slices_per_channel: per_channel, sets };
        let partition = |_| Partition::new(config, &simulator.l2, chips, map);
        let (cores, slices) = (config.machine.cores(), channels * per_channel);
        Self {
            ratio: chips.clock_mhz / config.machine.clock_mhz,
            due: 0.0,
            map,
            cores: (0..cores).map(|_| CoreSide::new(config, simulator)).collect(),
            requests: Slab::new(),
            up: Network::new(&simulator.network, cores, slices),
            down: Network::new(&simulator.network, slices, cores),
            partitions: (0..channels).map(partition).collect(),
            clocked: false,
            config: simulator.clone(),
        }
    }

    /// An access takes effect.
    fn perform(shared: &mut Shared, number: u32) {
        let mut left = shared.accesses.get(number).access.mask;
        while left != 0 {
            let (line, lanes) = next_line(&shared.accesses.get(number).access, left);
            left &= !lanes;
            let mut data = shared.line(line);
            let access = &mut shared.accesses.get(number).access;
            let stored = match access.kind {
                AccessKind::Load => {
                    extract(access, lanes, &data);
                    0
                }
                AccessKind::Store => gather(access, lanes, &mut data),
                AccessKind::Atomic(_) => perform(access, lanes, &mut data)[1],
            };
            if stored != 0 {
                shared.write_line(line, &data, stored);
            }
        }
    }

    fn clock(&mut self, shared: &mut Shared) {
        let now = shared.events.now();
        for core in 0..self.cores.len() as u32 {
            self.receive(core, now);
        }
        self.answer();
        self.due += self.ratio;
        while self.due >= 1.0 {
            self.due -= 1.0;
            self.partitions.iter_mut().for_each(|partition| partition.clock_dram(now));
        }
        let per_channel = self.map.slices_per_channel;
        for at in 0..self.map.channels * per_channel {
            let partition = &mut self.partitions[(at / per_channel) as usize];
            let slice = &mut partition.slices[(at % per_channel) as usize];
            if slice.accepts()
                && let Some(number) = self.up.take(at, now)
            {
                slice.push(now, number, &self.requests[number as usize]);
            }
            slice.clock(now);
        }
        self.up.step(now);
        self.down.step(now);
        for core in 0..self.cores.len() as u32 {
            self.clock_core(shared, core);
        }
    }

    /// Answers come to a core.
    fn receive(&mut self, core: u32, now: u64) {
        let side = &mut self.cores[core as usize];
        let [of_cluster, of_core] = self.config.l1.answers;
        if (side.answers.len() as u32) < of_core
            && let Some(piece) = side.cluster.pop_front()
        {
            side.answers.push_back(piece);
        }
        if (side.cluster.len() as u32) < of_cluster
            && let Some(piece) = self.down.take(core, now)
        {
            side.cluster.push_back(piece);
        }
    }

    /// Each slice sends an answer.
    fn answer(&mut self) {
        let per_channel = self.map.slices_per_channel;
        for at in 0..self.map.channels * per_channel {
            let partition = &mut self.partitions[(at / per_channel) as usize];
            let slice = &mut partition.slices[(at % per_channel) as usize];
            let Some(piece) = slice.answers.front().copied() else { continue };
            let bytes = match piece.kind {
                Kind::Write => CONTROL,
                _ => CONTROL + self.config.l2.sector_bytes,
            };
            let request = &mut self.requests[piece.request as usize];
            let joined = piece.kind == Kind::Write && !self.config.l2.acknowledge_sectors;
            if joined && request.left > 1 {
                request.left -= 1;
                slice.answers.pop_front();
            } else if self.down.has_room(at, bytes) {
                slice.answers.pop_front();
                self.down.send(at, request.core, bytes, piece);
            }
        }
    }

    /// The load/store unit of a core: answers, then a request that leaves, then the tags, then the queue.
    fn clock_core(&mut self, shared: &mut Shared, core: u32) {
        let now = shared.events.now();
        let side = &mut self.cores[core as usize];
        if let Some(access) = side.write_back() {
            shared.answered(access);
        }
        self.take_answer(shared, core);
        let side = &mut self.cores[core as usize];
        if let Some(number) = side.l1.miss_queue.front().copied() {
            let request = &self.requests[number as usize];
            let bytes = request.packet();
            if self.up.has_room(core, bytes) {
                side.l1.miss_queue.pop_front();
                self.up.send(core, self.map.slice(request.address), bytes, number);
            }
        }
        match side.l1.clock(now) {
            Some(Looked::Hit(access)) => shared.answered(access),
            Some(Looked::Leaves(mut request)) => {
                request.left = Slice::pieces(&self.config.l2, &request);
                side.l1.miss_queue.push_back(self.requests.insert(request) as u32);
            }
            Some(Looked::Waits | Looked::Joins) | None => {}
        }
        self.next_request(shared, core);
    }

    /// The next request of the access that the unit works on goes to the L1, or an atomic past it.
    fn next_request(&mut self, shared: &mut Shared, core: u32) {
        let now = shared.events.now();
        let side = &mut self.cores[core as usize];
        if side.requests.is_empty()
            && side.issued.front().is_some_and(|(ready, _)| *ready <= now)
            && let Some((_, requests)) = side.issued.pop_front()
        {
            side.requests = requests;
            if std::mem::take(&mut side.refused) {
                shared.done.push(Done::Accepts(core));
            }
        }
        let Some(request) = side.requests.last().copied() else { return };
        if request.kind == Kind::Atomic {
            let bytes = request.packet();
            if self.up.has_room(core, bytes) {
                side.requests.pop();
                let number = self.requests.insert(Request { left: 1, ..request }) as u32;
                self.up.send(core, self.map.slice(request.address), bytes, number);
            }
        } else if side.l1.accepts() {
            side.requests.pop();
            side.l1.push(now, request);
        }
    }

    /// The load/store unit takes an answer.
    fn take_answer(&mut self, shared: &mut Shared, core: u32) {
        let side = &mut self.cores[core as usize];
        let Some(piece) = side.answers.front().copied() else { return };
        if piece.kind == Kind::Atomic {
            if side.atomic.is_some() {
                return;
            }
            side.atomic = Some(self.requests[piece.request as usize].token);
        }
        side.answers.pop_front();
        let request = &mut self.requests[piece.request as usize];
        request.left -= 1;
        let (is_over, line, token) = (request.left == 0, request.line(), request.token);
        match piece.kind {
            Kind::Read if is_over => side.ready.extend(side.l1.fill(line)),
            Kind::Write if is_over || self.config.l2.acknowledge_sectors => shared.answered(token),
            _ => {}
        }
        if is_over {
            self.requests.remove(piece.request as usize);
        }
    }

    fn is_idle(&self) -> bool {
        self.requests.is_empty() && self.cores.iter().all(CoreSide::is_idle)
    }

    fn schedule(&mut self, shared: &mut Shared) {
        if !std::mem::replace(&mut self.clocked, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(0));
        }
    }
}

impl MemorySystem for Gpgpusim {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        let side = &self.cores[core as usize];
        let has_room = (side.issued.len() as u32) < self.config.l1.waiting;
        has_room.then(|| shared.events.now())
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        match operation {
            Operation::Access(access) => {
                Self::perform(shared, access);
                let pending = shared.accesses.get(access);
                let requests = coalesce(&pending.access, core, access, &self.config.l1);
                let answers = |request: &Request| match request.kind {
                    Kind::Write if self.config.l2.acknowledge_sectors => {
                        Slice::pieces(&self.config.l2, request)
                    }
                    _ => 1,
                };
                pending.left = requests.iter().map(answers).sum();
                pending.unsent = 0;
                let count = requests.len() as u64;
                let lines = &mut shared.statistics.lines;
                match requests.first().map(|request| request.kind) {
                    Some(Kind::Read) => lines.loads += count,
                    Some(Kind::Write) => lines.stores += count,
                    Some(Kind::Atomic) => lines.atomics += count,
                    None => {}
                }
                let side = &mut self.cores[core as usize];
                let ready = shared.events.now() + u64::from(self.config.l1.issue);
                side.issued.push_back((ready, requests));
                side.refused |= side.issued.len() as u32 >= self.config.l1.waiting;
                self.schedule(shared);
            }
            Operation::Release { warp, .. } | Operation::Acquire { warp, .. } => {
                shared.done.push(Done::Synchronised { core, warp })
            }
        }
        None
    }

    fn acknowledges_stores(&self) -> bool {
        true
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        let SystemEvent::Clock(_) = event.into();
        {
            self.clocked = false;
            self.clock(shared);
            if !self.is_idle() {
                self.schedule(shared);
            }
        }
    }

    fn begin_launch(&mut self, _: &mut Shared) {
        self.cores.iter_mut().for_each(|side| side.l1.clear());
    }

    fn clean(&mut self, shared: &mut Shared) {
        let statistics = &mut shared.statistics;
        (statistics.l1, statistics.l2_home) = Default::default();
        statistics.dram = Default::default();
        for side in &self.cores {
            statistics.l1.hits += side.l1.hits.hits;
            statistics.l1.misses += side.l1.hits.misses;
        }
        for partition in &self.partitions {
            for slice in &partition.slices {
                statistics.l2_home.hits += slice.hits.hits;
                statistics.l2_home.misses += slice.hits.misses;
            }
            let counts = partition.channel.counts;
            statistics.dram.reads += counts.reads;
            statistics.dram.writes += counts.writes;
            statistics.dram.row_hits +=
                (counts.reads + counts.writes).saturating_sub(counts.activations);
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        for line in lines {
            let slice = self.map.slice(u64::from(line) * LINE as u64);
            let per_channel = self.config.l2.per_channel;
            let partition = &mut self.partitions[(slice / per_channel) as usize];
            partition.slices[(slice % per_channel) as usize].forget(line, u8::MAX);
        }
    }

    fn traffic(&self, _: &Shared) -> Traffic {
        Traffic::default()
    }
}
