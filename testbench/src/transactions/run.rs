//! A run: warps, partitions and memory, clock by clock.

use std::collections::{HashMap, VecDeque};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use warpsmith_blocks::verification::StimulusRng;

use super::partition::{Access, Event, LogEntry, LogItem, Partition, Response, Word, reason};
use super::place::Place;
pub use super::plan::{Plan, Report, RunError, Source};
use super::ring::{Order as RingOrder, Ring};
use super::serial::{self, Committed};
use super::timestamp::Timestamps;
use super::warp::{Next, Warp};
use crate::serializability::{History, Order};

/// Bytes of consecutive addresses in one partition.
const INTERLEAVE: u64 = 256;
/// Clocks without a commit after which a run is stuck.
const STUCK: u64 = 200_000;

/// A run under way.
struct Run<'a, P> {
    plan: Plan,
    source: &'a dyn Source,
    partitions: &'a mut [P],
    ring: Ring,
    /// The cores have been told to halt.
    halting: bool,
    places: Vec<Place>,
    rng: StimulusRng,
    history: History,
    committed: Vec<Committed>,
    memory: HashMap<u64, Word>,
    report: Report,
}

/// Runs transactions to their end, and judges them.
///
/// # Errors
/// See [`RunError`].
pub fn run<P: Partition>(
    partitions: &mut [P],
    plan: &Plan,
    source: &dyn Source,
) -> Result<Report, RunError> {
    let mut run = Run::new(partitions, plan, source);
    let mut order: Vec<usize> = (0..run.places.len()).collect();
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
        let mut rng = StimulusRng::seed_from_u64(plan.seed);
        let mut history = History::default();
        let place = |number| {
            let program = source.program(&mut rng, number, 0);
            let warp = Warp::new(number, plan.timestamps, program, &mut history);
            Place::new(warp, plan.transactions, rng.random_range(0..=plan.latency))
        };
        let places = (0..plan.warps).map(place).collect();
        Self {
            plan: *plan,
            source,
            ring: Ring::new(partitions.len()),
            partitions,
            halting: false,
            places,
            rng,
            history,
            committed: Vec::new(),
            memory: HashMap::new(),
            report: Report::default(),
        }
    }

    /// All transactions have committed, and what they wrote is in memory.
    fn is_done(&self) -> bool {
        self.places.iter().all(|place| place.left == 0)
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

    /// A warp does what it can in this clock: send its log, or else ask.
    fn act(&mut self, index: usize) {
        let place = &mut self.places[index];
        if let Some((partition, item)) = place.log.front() {
            if self.partitions[*partition].log(item) {
                place.log.pop_front();
            }
            return;
        }
        let clock = self.report.clocks;
        if place.asked.is_some() {
            return;
        }
        if place.halts.is_some_and(|halts| halts <= clock) {
            place.halts = None;
            return self.halt(index);
        }
        if place.left == 0 || place.halted || clock < place.awake {
            return;
        }
        if place.ended {
            return self.follow(index);
        }
        match place.warp.next(&mut self.history) {
            Next::Access(access) => {
                let home = self.home(access.address);
                let is_taken = self.partitions[home].access(&access);
                self.places[index].asked = is_taken.then_some(access);
            }
            Next::Commit(log) => {
                place.ended = true;
                let (instant, program) = (place.warp.instant(), place.warp.program());
                self.committed.push(Committed { instant, program });
                self.send(index, log);
            }
        }
    }

    /// A log is to be sent, and its end to every partition that gets some of it.
    fn send(&mut self, index: usize, log: Vec<LogEntry>) {
        let entries = log.into_iter().map(|entry| (self.home(entry.address), entry));
        let mut items: VecDeque<_> =
            entries.map(|(home, entry)| (home, LogItem::Entry(entry))).collect();
        let mut homes: Vec<_> = items.iter().map(|(home, _)| *home).collect();
        homes.sort_unstable();
        homes.dedup();
        items.extend(homes.into_iter().map(|home| (home, LogItem::End)));
        self.places[index].log = items;
    }

    /// A warp's next transaction.
    fn follow(&mut self, index: usize) {
        let begins = self.report.clocks + self.latency();
        let place = &mut self.places[index];
        place.ended = false;
        place.left -= 1;
        if place.left > 0 {
            let number = self.plan.transactions - place.left;
            let program = self.source.program(&mut self.rng, index as u64, number);
            place.warp.follow(&mut self.history, program);
            place.awake = begins;
        }
    }

    /// A warp aborts what it runs, and starts again when time does.
    fn halt(&mut self, index: usize) {
        let place = &mut self.places[index];
        if place.is_running() {
            *self.report.aborts.entry("ROLLOVER").or_default() += 1;
            let log = place.warp.halted();
            self.send(index, log);
        }
        self.places[index].halted = true;
    }

    fn clock_ring(&mut self) {
        let halted = self.halting && self.places.iter().all(Place::has_halted);
        let partitions = &self.partitions;
        for order in self.ring.clock(halted, |unit| partitions[unit].is_drained()) {
            match order {
                RingOrder::Stop(unit) => self.partitions[unit].roll(false),
                RingOrder::Go(unit) => self.partitions[unit].roll(true),
                RingOrder::HaltCores => {
                    self.halting = true;
                    for index in 0..self.places.len() {
                        self.places[index].halts = Some(self.report.clocks + self.latency());
                    }
                }
                RingOrder::ReleaseCores => self.begin_time_again(),
            }
        }
    }

    fn begin_time_again(&mut self) {
        self.halting = false;
        self.report.roll_overs += 1;
        let latest = self.places.iter().map(|place| place.warp.instant()).max();
        for place in &mut self.places {
            place.warp.rolled_over(latest.unwrap_or(0) + 1);
            place.halted = false;
            if place.is_running() {
                place.warp.start(&mut self.history);
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
            None => return Err(format!("0x{address:x} is written, and nobody has stored that")),
        }
        self.memory.insert(address, word);
        self.history.write(word.store);
        Ok(())
    }

    fn answer(&mut self, response: &Response) -> Result<(), String> {
        let Response { access, outcome, timestamp } = *response;
        let place = self.places.get_mut(access.warp as usize);
        // An answer has the address of the granule.
        let is_asked = |asked: &Access| {
            asked.address >= access.address && Access { address: asked.address, ..access } == *asked
        };
        let Some((place, asked)) = place.and_then(|place| {
            let asked = place.asked.filter(is_asked)?;
            Some((place, asked))
        }) else {
            return Err(format!("an answer that nobody waits for: {response}"));
        };
        place.asked = None;
        let index = access.warp as usize;
        let Some(why) = reason(outcome) else {
            let latency = self.rng.random_range(0..=self.plan.latency);
            let word = match self.memory.get(&asked.address) {
                Some(&Word { value, store }) => (value, Some(store)),
                None => (self.source.initial(asked.address), None),
            };
            place.warp.succeeded(&mut self.history, timestamp, word);
            place.awake = self.report.clocks + latency;
            return Ok(());
        };
        if why == "ROLLOVER" {
            self.halt(index);
            return Ok(());
        }
        *self.report.aborts.entry(why).or_default() += 1;
        let (log, pause) = place.warp.aborted(&mut self.history, &mut self.rng, timestamp);
        self.send(index, log);
        self.places[index].awake = self.report.clocks + self.latency() + pause;
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
