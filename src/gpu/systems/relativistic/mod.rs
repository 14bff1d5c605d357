//! Relativistic coherence (Ren and Lis, HPCA 2017; Ren's thesis, chapter 3): each core has a logical clock, and a line in an
//! L1 may be read until a logical time, its lease. A store does not wait for copies: it takes effect at a time behind all
//! their leases. All accesses, in the order of logical time, are one sequential memory.
//!
//! Numbers in brackets are the thesis's sections. Leases, versions and fetches of a bank of the L2 are those of the block
//! `relativistic_l2`, as reference or circuit.

mod array;
mod banks;
mod in_flight;
mod l1;
mod message;
mod oracle;
pub mod planted;
mod roll_over;
mod tables;

use std::collections::VecDeque;
use std::ops::Range;

use warpsmith_testbench::verilator::Warning;

use super::System;
use crate::config::{Config, LeasesConfig};
use crate::events;
use crate::isa::{AccessKind, AtomicOp, Operation as Instruction};
use crate::memory::{
    Done, Event, Fabric, IssuePolicy, MemorySystem, Operation, PlantedError, Planting, Request,
    RtlError, RtlSettings, Seats, Shared, Traffic, Unit,
};
use banks::Bank;
use in_flight::Warp;
use l1::L1;
use message::{Kind, Message};
use oracle::{Oracle, Violation};
use roll_over::RollOver;

/// Sequentially consistent.
pub const SEQUENTIAL: System = System {
    small: "small_relativistic",
    sequential: true,
    fits,
    refuses,
    errors: &planted::ERRORS,
    places: banks::places,
    tables: Some(tables::text),
    ..System::new(
        "relativistic-sc",
        "relativistic coherence, with one access of a warp in flight",
        |config| Box::new(Relativistic::new(config)),
    )
};

fn fits(config: &Config) -> Result<(), &'static str> {
    match () {
        () if config.machine.gpms() != 1 => Err("one GPM"),
        () if config.core.weak_loads != 0 => Err("cores that keep loads in order (weak_loads = 0)"),
        () if !config.sets_of_bank().is_power_of_two() => {
            Err("banks of the L2 with a power of two of sets")
        }
        () if config.machine.cores() > 64 => Err("64 cores at most"),
        () => Ok(()),
    }
}

/// Asynchronous copies are in no order with the accesses of their warp.
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
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A fetch of a bank has come from DRAM.
    Filled(bank, mshr),
    /// A clock of a bank.
    Clock(bank),
}

/// Counts since the machine was made.
#[derive(Debug, Default)]
struct Counts {
    leases: u64,
    expired_loads: u64,
    renewals: u64,
    gets_again: u64,
}

/// The cores' L1s and the banks of the L2 of a machine.
#[derive(Debug)]
struct Relativistic {
    settings: LeasesConfig,
    /// The largest logical time.
    last: u64,
    warps_per_core: u32,
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    banks: Vec<Bank>,
    roll_over: RollOver,
    /// By core x warps of a core + warp.
    warps: Vec<Warp>,
    requests: VecDeque<Request>,
    /// Reads and writes of lines so far, by L1s and by banks.
    sequence: u64,
    oracle: Option<Oracle>,
    counts: Counts,
    planted: Planting,
}

impl Relativistic {
    fn new(config: &Config) -> Self {
        let cores = config.machine.cores();
        Self {
            settings: config.leases.clone(),
            last: (1 << config.leases.timestamp_bits) - 1,
            warps_per_core: config.core.warps,
            fabric: Fabric::new(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..cores).map(|_| L1::new(config)).collect(),
            banks: Bank::all(config),
            roll_over: RollOver::default(),
            warps: vec![Warp::default(); (cores * config.core.warps) as usize],
            requests: VecDeque::new(),
            sequence: 0,
            oracle: config.leases.check.then(Oracle::default),
            counts: Counts::default(),
            planted: Planting::default(),
        }
    }

    fn next_in_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn arrive(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.take(number);
        match message.kind {
            Kind::Gets { .. } | Kind::Write { .. } | Kind::Atomic { .. } => {
                self.take_request(shared, message);
            }
            _ => self.take_answer(shared, message),
        }
    }
}

impl MemorySystem for Relativistic {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        let free = self.l1[core as usize].ready(&shared.config)?;
        Some(free.max(self.fabric.core_ready(core)))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        match operation {
            Operation::Access(access) => return self.access(shared, core, access),
            // A warp's accesses are in order as they are (3.4.1).
            Operation::Release { warp, .. } | Operation::Acquire { warp, .. } => {
                shared.done.push(Done::Synchronised { core, warp });
            }
        }
        None
    }

    fn acknowledges_stores(&self) -> bool {
        true
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(message) => self.arrive(shared, message),
            SystemEvent::Filled(bank, mshr) => self.fetched(shared, bank, mshr),
            SystemEvent::Clock(bank) => self.clock_bank(shared, bank),
        }
    }

    /// The host may have written lines of which L1s have copies.
    fn begin_launch(&mut self, shared: &mut Shared) {
        self.fabric.overtakes = shared.is_perturbed();
        self.reload(shared);
        if let Some(oracle) = &mut self.oracle {
            oracle.begin(&shared.flat.device);
        }
        self.roll_over(shared);
    }

    fn clean(&mut self, shared: &mut Shared) {
        self.write_back(shared);
        let judged = self.oracle.as_mut().map(|oracle| oracle.judge(&shared.flat.device));
        if let Some(Err(Violation { text, accused })) = judged
            && shared.mismatch.is_none()
        {
            shared.mismatch = Some(text);
            shared.accused = accused;
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        self.forget_copies(&lines);
        self.forget_blocks(&lines);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("leases_granted", self.counts.leases),
            ("expired_loads", self.counts.expired_loads),
            ("renewals", self.counts.renewals),
            ("gets_again", self.counts.gets_again),
            ("roll_overs", self.roll_over.count),
        ]
    }

    fn logical_time(&self, core: u32) -> Option<u64> {
        Some(self.l1[core as usize].now)
    }

    fn policy(&mut self) -> Option<&mut dyn IssuePolicy> {
        Some(self)
    }

    fn seats(&mut self) -> Option<&mut dyn Seats> {
        Some(self)
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
    }
}

impl Seats for Relativistic {
    fn use_rtl(
        &mut self,
        _: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        Bank::use_rtl(&mut self.banks, settings, chosen)
    }

    fn compared(&self) -> u64 {
        self.banks.iter().map(Bank::compared).sum()
    }
}
