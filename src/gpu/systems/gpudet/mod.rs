//! GPUDet (Jooybar, Fung, O'Connor, Devietti, Aamodt: ASPLOS 2013, and Jooybar's thesis): deterministic execution. Wavefronts
//! run in quanta, each with a private store buffer; between quanta the stores are committed in an order that does not
//! depend on time, and atomics are performed one core after the other.
//!
//! Numbers in brackets are the thesis's sections. A wavefront is a warp, a workgroup a CTA, a compute unit a core.

mod bloom;
mod commit;
mod counters;
mod l1;
mod l2;
mod locks;
mod log;
mod message;
mod modes;
pub mod planted;
mod policy;
mod serial;
mod slots;
mod units;

use std::collections::VecDeque;
use std::ops::Range;

use warpsmith_blocks::zbuffer_commit;
use warpsmith_testbench::verilator::Warning;

use super::System;
use crate::config::{Config, QuantaConfig};
use crate::events;
use crate::isa::{AccessKind, AtomicOp, Operation as Instruction};
use crate::memory::{
    CtaSource, Done, Event, Fabric, IssuePolicy, MemorySystem, NextCta, Operation, PlantedError,
    Planting, Request, RtlError, RtlSettings, Seats, Shared, Traffic, Unit as EventUnit,
};
use bloom::Blooms;
use commit::Sender;
use counters::Counts;
use l1::L1;
use l2::L2;
use locks::Locks;
use message::Message;
use policy::Mode;
use serial::Serial;
pub use slots::Reason;
use slots::{Slot, Wavefront};
use units::Unit;

/// Deterministic execution.
pub const GPUDET: System = System {
    small: "small_gpudet",
    deterministic: true,
    fits,
    refuses,
    errors: &planted::ERRORS,
    places: |config| [units::places(config), bloom::places(config)].concat(),
    ..System::new("gpudet", "deterministic execution in quanta", |config| {
        Box::new(Gpudet::new(config, true))
    })
};

/// The same L1, L2 and links without quanta and store buffers.
pub const NONDET: System = System {
    small: "small_gpudet",
    fits,
    ..System::new("nondet", "the machine of gpudet without quanta", |config| {
        Box::new(Gpudet::new(config, false))
    })
};

/// Counters of a run that do not depend on time.
pub const DETERMINISTIC: [&str; 13] = [
    "quanta",
    "log_entries",
    "bloom_insertions",
    "bloom_queries",
    "bloom_hits",
    "serial_atomics",
    "quanta_ended_by_count",
    "quanta_ended_by_atomic",
    "quanta_ended_by_fence",
    "quanta_ended_by_full_log",
    "quanta_ended_by_print",
    "quanta_ended_by_barrier",
    "quanta_ended_by_completion",
];

fn fits(config: &Config) -> Result<(), &'static str> {
    match () {
        () if config.machine.gpms() != 1 => Err("one GPM"),
        () if config.core.weak_loads != 0 => Err("cores that keep loads in order (weak_loads = 0)"),
        () => Ok(()),
    }
}

/// Asynchronous copies and what waits for them complete by time.
fn refuses(operation: &Instruction) -> Option<&'static str> {
    match operation {
        Instruction::Copy(_)
        | Instruction::CopyCommit
        | Instruction::CopyWait { .. }
        | Instruction::CopyArrive { .. } => Some("cp.async"),
        Instruction::Access(form)
            if matches!(form.kind, AccessKind::Atomic(AtomicOp::Mbarrier(_))) =>
        {
            Some("mbarrier")
        }
        _ => None,
    }
}

events! {
    /// Events of the system.
    enum SystemEvent of EventUnit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A bank serves a message.
    Serve(message),
    /// A line has come from DRAM.
    Filled(miss),
    /// A barrier of the whole GPU opens, behind which a mode begins.
    Boundary(mode),
    /// A core sends an entry of a store buffer.
    Send(core),
    /// A clock of the unit of a partition.
    Clock(partition),
    /// The L2 answers the unit of a partition.
    Answer(partition, number),
}

/// The cores, caches and partitions of a machine.
#[derive(Debug)]
struct Gpudet {
    settings: QuantaConfig,
    is_deterministic: bool,
    warps_per_core: u32,
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    l2: L2,
    units: Vec<Unit>,
    z_params: zbuffer_commit::Params,
    blooms: Vec<Blooms>,
    /// By wavefront number.
    wavefronts: Vec<Wavefront>,
    /// By slot number: place x cores + core.
    slots: Vec<Slot>,
    /// Workgroups that no slot has been dealt.
    pending: VecDeque<NextCta>,
    /// Places whose workgroup is to begin now.
    woken: Vec<(u32, u32)>,
    mode: Mode,
    mode_since: u64,
    /// A barrier of the whole GPU is being crossed.
    crosses: bool,
    /// A circuit's error that is yet to be told.
    wrong: Option<String>,
    /// The quantum has taken long, for a planted error.
    is_late: bool,
    /// A fault has been reported.
    is_faulty: bool,
    /// Slots whose workgroups have not ended their quantum.
    running_slots: usize,
    /// Lines of accesses that are not answered.
    in_flight: u64,
    /// The quantum's number, and quanta since the machine was made.
    quantum: u64,
    quantum_total: u64,
    /// Entries that cores have yet to send, and that are not acknowledged.
    unsent: u64,
    unacknowledged: u64,
    senders: Vec<Sender>,
    locks: Locks,
    serial: Serial,
    /// Units that are resetting their Z-buffer.
    resets: u32,
    requests: VecDeque<Request>,
    counts: Counts,
    planted: Planting,
}

impl Gpudet {
    fn new(config: &Config, is_deterministic: bool) -> Self {
        let (cores, warps) = (config.machine.cores(), config.core.warps);
        Self {
            settings: config.quanta.clone(),
            is_deterministic,
            warps_per_core: warps,
            fabric: Fabric::new(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..cores).map(|_| L1::new(config)).collect(),
            l2: L2::new(config),
            units: if is_deterministic { Unit::all(config) } else { Vec::new() },
            z_params: units::params(config),
            blooms: Blooms::all(config),
            wavefronts: (0..cores * warps).map(|_| Wavefront::default()).collect(),
            slots: Vec::new(),
            pending: VecDeque::new(),
            woken: Vec::new(),
            mode: Mode::Idle,
            mode_since: 0,
            crosses: false,
            wrong: None,
            is_late: false,
            is_faulty: false,
            running_slots: 0,
            in_flight: 0,
            quantum: 0,
            quantum_total: 0,
            unsent: 0,
            unacknowledged: 0,
            senders: (0..cores).map(|_| Sender::default()).collect(),
            locks: Locks::default(),
            serial: Serial::default(),
            resets: 0,
            requests: VecDeque::new(),
            counts: Counts::default(),
            planted: Planting::default(),
        }
    }

    /// A wavefront's number in the machine (4.4.2).
    fn index(&self, core: u32, warp: u32) -> usize {
        (core * self.warps_per_core + warp) as usize
    }

    /// The core of a wavefront, and its slot there.
    fn place(&self, index: usize) -> (u32, u32) {
        (index as u32 / self.warps_per_core, index as u32 % self.warps_per_core)
    }

    /// The number of a workgroup's slot: neighbours are in different cores (6.1).
    fn slot_of(&self, core: u32, place: u32) -> usize {
        (place * self.l1.len() as u32 + core) as usize
    }
}

impl MemorySystem for Gpudet {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        let free = self.l1[core as usize].ready(&shared.config)?;
        Some(free.max(self.fabric.core_ready(core)))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        match operation {
            Operation::Access(access) => return self.access(shared, core, access),
            Operation::Release { warp, .. } => self.release(shared, core, warp),
            Operation::Acquire { warp, .. } => {
                shared.statistics.coherence.acquires += 1;
                if !self.is_deterministic {
                    self.l1[core as usize].empty();
                }
                shared.done.push(Done::Synchronised { core, warp });
            }
        }
        None
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(message) => self.arrive(shared, message),
            SystemEvent::Serve(message) => self.serve(shared, message),
            SystemEvent::Filled(miss) => self.filled(shared, miss),
            SystemEvent::Boundary(mode) => self.crossed(shared, mode),
            SystemEvent::Send(core) => self.send_update(shared, core),
            SystemEvent::Clock(partition) => self.clock_unit(shared, partition),
            SystemEvent::Answer(partition, number) => self.answer_unit(shared, partition, number),
        }
    }

    fn begin_launch(&mut self, shared: &mut Shared) {
        self.l1.iter_mut().for_each(L1::empty);
        self.mode_since = shared.events.now();
    }

    fn forget(&mut self, lines: Range<u32>) {
        for l1 in &mut self.l1 {
            l1.cache.drop_where(|line| lines.contains(&line));
        }
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        if self.is_deterministic { self.all_counters() } else { Vec::new() }
    }

    fn policy(&mut self) -> Option<&mut dyn IssuePolicy> {
        if self.is_deterministic { Some(self) } else { None }
    }

    fn ctas(&mut self) -> Option<&mut dyn CtaSource> {
        if self.is_deterministic { Some(self) } else { None }
    }

    fn seats(&mut self) -> Option<&mut dyn Seats> {
        if self.is_deterministic { Some(self) } else { None }
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
    }
}

impl Seats for Gpudet {
    fn use_rtl(
        &mut self,
        config: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let (units, cores) = chosen.split_at(self.units.len());
        let mut warnings = Unit::use_rtl(&mut self.units, settings, units)?;
        warnings.extend(Blooms::use_rtl(&mut self.blooms, config, settings, cores)?);
        Ok(warnings)
    }

    fn compared(&self) -> u64 {
        let units = self.units.iter().map(Unit::compared);
        units.chain(self.blooms.iter().map(Blooms::compared)).sum()
    }
}
