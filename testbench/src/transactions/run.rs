//! A run: warps, partitions and memory, clock by clock.

use std::collections::{BTreeMap, HashMap, VecDeque};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use thiserror::Error;
use warpsmith_blocks::verification::StimulusRng;

use super::partition::{Access, Event, LogEntry, Partition};
use super::program::Program;
use super::timestamp::Timestamps;
use super::warp::{Next, Warp};
use crate::serializability::{History, Order, Store, Summary, Violation};

/// Bytes of consecutive addresses in one partition.
const INTERLEAVE: u64 = 256;
/// Clocks without any progress after which a run is stuck.
const STUCK: u64 = 100_000;

/// How much runs, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Warps.
    pub warps: u64,
    /// Transactions that each of them commits.
    pub transactions: u64,
    /// Clocks that a message from a core to a partition takes at most.
    pub latency: u64,
    /// How time advances.
    pub timestamps: Timestamps,
    /// Seed of everything random.
    pub seed: u64,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The oracle's.
    pub summary: Summary,
    /// Aborts by reason.
    pub aborts: BTreeMap<&'static str, u64>,
    /// Clocks.
    pub clocks: u64,
    /// The most accesses that waited at once, in all partitions.
    pub most_waiting: usize,
    /// The sums, over clocks in which any waited, of accesses and of granules that they waited for.
    pub waiting: (u64, u64),
    /// The values of memory at the end.
    pub memory: HashMap<u64, u32>,
}

/// Why a run is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// It is not serializable.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// Nothing happens any more.
    #[error("nothing happens since clock {clock}; {waiting} accesses wait for a granule")]
    Stuck {
        /// The last clock with an event.
        clock: u64,
        /// Accesses that wait.
        waiting: usize,
    },
}

/// A warp, and what is on its way between it and the partitions.
struct Place {
    warp: Warp,
    /// Transactions that it has still to commit, this one included.
    left: u64,
    /// The clock from which it does something again.
    awake: u64,
    /// The access whose answer it waits for.
    asked: Option<Access>,
    /// Log entries that have not been taken.
    log: VecDeque<LogEntry>,
    /// The transaction has ended, and another begins once the log is sent.
    ended: bool,
}

/// Where transactions come from, and what they find.
pub trait Source {
    /// The transaction of that number of a warp.
    fn program(&self, rng: &mut StimulusRng, warp: u64, number: u64) -> Box<dyn Program>;

    /// What a word holds at first.
    fn initial(&self, address: u64) -> u32;
}

/// A run under way.
struct Run<'a, P> {
    plan: Plan,
    source: &'a dyn Source,
    partitions: &'a mut [P],
    places: Vec<Place>,
    rng: StimulusRng,
    history: History,
    memory: HashMap<u64, (u32, Store)>,
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
    let mut events = Vec::new();
    let mut last_event = 0;
    while run.places.iter().any(|place| place.left > 0) {
        order.shuffle(&mut run.rng);
        order.iter().for_each(|&index| run.act(index));
        run.partitions.iter_mut().for_each(|partition| partition.clock(&mut events));
        let clock = run.report.clocks;
        if !events.is_empty() {
            last_event = clock;
        }
        events.drain(..).for_each(|event| run.hear(event));
        let waiting = run.count_waiting();
        run.report.clocks += 1;
        if clock - last_event > STUCK {
            return Err(RunError::Stuck { clock: last_event, waiting });
        }
    }
    run.finish()
}

impl<'a, P: Partition> Run<'a, P> {
    fn new(partitions: &'a mut [P], plan: &Plan, source: &'a dyn Source) -> Self {
        let mut rng = StimulusRng::seed_from_u64(plan.seed);
        let mut history = History::default();
        let place = |number| Place {
            warp: {
                let program = source.program(&mut rng, number, 0);
                Warp::new(number, plan.timestamps, program, &mut history)
            },
            left: plan.transactions,
            awake: rng.random_range(0..=plan.latency),
            asked: None,
            log: VecDeque::new(),
            ended: false,
        };
        let places = (0..plan.warps).map(place).collect();
        let (memory, report) = (HashMap::new(), Report::default());
        Self { plan: *plan, source, partitions, places, rng, history, memory, report }
    }

    /// The partition of an address.
    fn home(&mut self, address: u64) -> &mut P {
        let index = (address / INTERLEAVE) as usize % self.partitions.len();
        &mut self.partitions[index]
    }

    fn latency(&mut self) -> u64 {
        self.rng.random_range(0..=self.plan.latency)
    }

    /// A warp does what it can in this clock: send its log, or else ask.
    fn act(&mut self, index: usize) {
        if let Some(&entry) = self.places[index].log.front() {
            if self.home(entry.address).log(&entry) {
                self.places[index].log.pop_front();
            }
            return;
        }
        let place = &mut self.places[index];
        if place.asked.is_some() || place.left == 0 || self.report.clocks < place.awake {
            return;
        }
        if place.ended {
            return self.follow(index);
        }
        match place.warp.next(&mut self.history) {
            Next::Access(access) => {
                let is_taken = self.home(access.address).access(&access);
                self.places[index].asked = is_taken.then_some(access);
            }
            Next::Commit(log) => {
                place.log = log.into();
                place.ended = true;
            }
        }
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

    fn hear(&mut self, event: Event) {
        let answer = match event {
            Event::Write(address, word) => {
                self.memory.insert(address, word);
                return self.history.write(word.1);
            }
            Event::Answer(answer) => answer,
        };
        let clock = self.report.clocks + self.latency();
        let place = &mut self.places[answer.warp as usize];
        let access = place.asked.take().expect("an answer is to an access");
        place.awake = clock;
        if let Some(why) = answer.abort {
            *self.report.aborts.entry(why).or_default() += 1;
            let (log, pause) = place.warp.aborted(&mut self.history, &mut self.rng, &answer);
            place.log = log.into();
            place.awake += pause;
            return;
        }
        let word = match self.memory.get(&access.address) {
            Some(&(value, store)) => (value, Some(store)),
            None => (self.source.initial(access.address), None),
        };
        place.warp.succeeded(&mut self.history, &answer, word);
    }

    fn count_waiting(&mut self) -> usize {
        let waiting = self.partitions.iter().map(Partition::waiting);
        let (accesses, granules) = waiting.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let Report { most_waiting, waiting, .. } = &mut self.report;
        *most_waiting = accesses.max(*most_waiting);
        waiting.0 += accesses as u64;
        waiting.1 += granules as u64;
        accesses
    }

    fn finish(mut self) -> Result<Report, RunError> {
        let order = match self.plan.timestamps {
            Timestamps::Faithful => Order::Any,
            Timestamps::Unique { .. } => Order::Timestamps,
        };
        self.report.summary = self.history.check(order)?;
        let values = self.memory.into_iter().map(|(address, (value, _))| (address, value));
        self.report.memory = values.collect();
        Ok(self.report)
    }
}
