//! A run: warps, partitions and memory, clock by clock.

mod turn;

use std::collections::HashMap;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use warpsmith_blocks::verification::StimulusRng;

use super::core::Core;
use super::partition::{Access, Event, Partition, Response, Word, reason};
pub use super::plan::{Begins, Plan, Report, RunError, Source};
use super::ring::{Order as RingOrder, Ring};
use super::serial::{self, Committed};
use super::slot::Slot;
use super::timestamp::Timestamps;
use super::warp::Warp;
use crate::serializability::{History, Order};

/// Consecutive bytes in one partition.
const INTERLEAVE: u64 = 256;
/// Clocks without a commit after which a run counts as stuck.
const STUCK: u64 = 200_000;

/// The state of a run.
struct Run<'a, P> {
    plan: Plan,
    source: &'a dyn Source,
    partitions: &'a mut [P],
    ring: Ring,
    /// Whether the cores were told to halt.
    halting: bool,
    slots: Vec<Slot>,
    cores: Vec<Core>,
    rng: StimulusRng,
    history: History,
    committed: Vec<Committed>,
    memory: HashMap<u64, Word>,
    report: Report,
}

/// Runs transactions to their end and judges them.
///
/// # Errors
/// Returns [`RunError`] if the run is incorrect.
pub fn run<P: Partition>(
    partitions: &mut [P],
    plan: &Plan,
    source: &dyn Source,
) -> Result<Report, RunError> {
    let mut run = Run::new(partitions, plan, source);
    let mut order: Vec<usize> = (0..run.slots.len()).collect();
    let (mut commits, mut last_commit, mut aborts) = (0, 0, 0);
    while !run.is_done() {
        order.shuffle(&mut run.rng);
        order.iter().for_each(|&index| run.act(index));
        run.clock_ring();
        run.clock_partitions()?;
        let waiting = run.count_waiting();
        run.report.clocks += 1;
        if run.committed.len() > commits {
            (commits, last_commit) = (run.committed.len(), run.report.clocks);
            aborts = run.aborts();
        } else if run.report.clocks - last_commit > STUCK {
            let aborts = run.aborts() - aborts;
            return Err(RunError::Stuck { clock: last_commit, aborts, waiting });
        }
    }
    run.finish()
}

impl<'a, P: Partition> Run<'a, P> {
    fn new(partitions: &'a mut [P], plan: &Plan, source: &'a dyn Source) -> Self {
        let slot = |number| {
            let warp = Warp::new(number, plan.timestamps);
            Slot::new(warp, plan.transactions, partitions.len())
        };
        let slots: Vec<_> = (0..plan.warps).map(slot).collect();
        let cores = plan.cores as usize;
        let core = |core| Core::new(plan.concurrency, (core..slots.len()).step_by(cores));
        let mut run = Self {
            plan: *plan,
            source,
            ring: Ring::new(partitions.len()),
            partitions,
            halting: false,
            cores: (0..cores).map(core).collect(),
            slots,
            rng: StimulusRng::seed_from_u64(plan.seed),
            history: History::default(),
            committed: Vec::new(),
            memory: HashMap::new(),
            report: Report::default(),
        };
        (0..cores).for_each(|core| run.admit(core));
        run
    }

    /// Whether all transactions have committed and their stores are in memory.
    fn is_done(&self) -> bool {
        self.slots.iter().all(|slot| slot.left == 0)
            && self.partitions.iter().all(Partition::is_drained)
    }

    fn aborts(&self) -> u64 {
        self.report.aborts.values().sum()
    }

    /// The partition of an address.
    fn home(&self, address: u64) -> usize {
        (address / INTERLEAVE) as usize % self.partitions.len()
    }

    fn latency(&mut self) -> u64 {
        self.rng.random_range(0..=self.plan.latency)
    }

    fn clock_ring(&mut self) {
        let halted = self.halting && self.slots.iter().all(Slot::has_halted);
        let partitions = &self.partitions;
        for order in self.ring.clock(halted, |unit| partitions[unit].is_drained()) {
            match order {
                RingOrder::Stop(unit) => self.partitions[unit].roll(false),
                RingOrder::Go(unit) => self.partitions[unit].roll(true),
                RingOrder::HaltCores => {
                    self.halting = true;
                    for index in 0..self.slots.len() {
                        self.slots[index].halts = Some(self.report.clocks + self.latency());
                    }
                }
                RingOrder::ReleaseCores => self.begin_time_again(),
            }
        }
    }

    fn begin_time_again(&mut self) {
        self.halting = false;
        self.report.roll_overs += 1;
        let latest = self.slots.iter().map(|slot| slot.warp.instant()).max();
        for slot in &mut self.slots {
            slot.warp.rolled_over(latest.unwrap_or(0) + 1);
            slot.halted = false;
            if slot.is_running() {
                slot.warp.start(&mut self.history);
            }
        }
    }

    fn clock_partitions(&mut self) -> Result<(), RunError> {
        let mut events = Vec::new();
        for partition in 0..self.partitions.len() {
            let clock = self.report.clocks;
            let wrong = |what| RunError::Wrong { partition, clock, what };
            self.partitions[partition].clock(&mut events).map_err(wrong)?;
            for event in events.drain(..) {
                match event {
                    Event::Write(address, word) => self.write(address, word).map_err(wrong)?,
                    Event::Answer(response) => self.answer(&response).map_err(wrong)?,
                    Event::Rolled { go } => self.ring.rolled(partition, go),
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, address: u64, word: Word) -> Result<(), String> {
        match self.history.target(word.store) {
            Some(target) if target == address && !self.history.is_written(word.store) => {}
            Some(target) if target == address => {
                return Err(format!("a store to 0x{address:x} is written again"));
            }
            Some(target) => {
                return Err(format!("a store to 0x{target:x} is written to 0x{address:x}"));
            }
            None => {
                return Err(format!("0x{address:x} is written with a word that was never stored"));
            }
        }
        self.memory.insert(address, word);
        self.history.write(word.store);
        Ok(())
    }

    fn answer(&mut self, response: &Response) -> Result<(), String> {
        let Response { access, outcome, timestamp } = *response;
        let granule_bytes = self.plan.granule_bytes;
        // A response has the address of the granule.
        let of_granule =
            |access: &Access| Access { address: access.address / granule_bytes, ..*access };
        let is_asked = |asked: &Access| of_granule(asked) == of_granule(&access);
        let Some((slot, asked)) = self.slots.get_mut(access.warp as usize).and_then(|slot| {
            let asked = slot.asked.iter().position(|asked| is_asked(&asked.access))?;
            let asked = slot.asked.swap_remove(asked);
            Some((slot, asked))
        }) else {
            return Err(format!("a response without an access: {response}"));
        };
        let clock = self.report.clocks;
        let Some(why) = reason(outcome) else {
            let address = asked.access.address;
            let word = match self.memory.get(&address) {
                Some(&Word { value, store }) => (value, Some(store)),
                None => (self.source.initial(address), None),
            };
            slot.warp.succeeded(&mut self.history, &asked, timestamp, word);
            let latency = self.rng.random_range(0..=self.plan.latency);
            if !asked.access.store {
                slot.awake = slot.awake.max(clock + latency);
            }
            return Ok(());
        };
        if why == "ROLLOVER" {
            slot.halts = Some(clock);
            return Ok(());
        }
        if slot.warp.aborted(asked.lane, timestamp) {
            *self.report.aborts.entry(why).or_default() += 1;
        }
        Ok(())
    }

    fn count_waiting(&mut self) -> usize {
        let waiting = self.partitions.iter().map(Partition::waiting);
        let (accesses, granules) = waiting.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let Report { most_waiting, most_waited_for, waiting, .. } = &mut self.report;
        *most_waiting = accesses.max(*most_waiting);
        *most_waited_for = granules.max(*most_waited_for);
        waiting.0 += accesses as u64;
        waiting.1 += granules as u64;
        accesses
    }

    fn finish(mut self) -> Result<Report, RunError> {
        let values = self.memory.into_iter().map(|(address, word)| (address, word.value));
        self.report.memory = values.collect();
        let order = match self.plan.timestamps {
            Timestamps::Faithful => Order::Any,
            Timestamps::Unique { .. } => Order::Timestamps,
        };
        self.report.summary = self.history.check(order)?;
        if order == Order::Timestamps {
            let initial = |address| self.source.initial(address);
            let memory = serial::memory_after(self.committed, initial);
            for (address, must_be) in memory {
                let is = self.report.memory.get(&address).copied();
                let is = is.unwrap_or_else(|| initial(address));
                if is != must_be {
                    return Err(RunError::Memory { address, is, must_be });
                }
            }
        }
        Ok(self.report)
    }
}
