//! A memory system without cores, driven by a list of accesses.

mod trace;

use std::collections::{HashMap, VecDeque};

use serde::Serialize;

use crate::config::Config;
use crate::events;
use crate::isa::{AccessKind, AtomicOp};
use crate::memory::{Done, MemorySystem, Operation, Shared, Statistics, System, Unit};
use crate::simt::Access;

pub use trace::{Action, Step, Trace, TraceError};

/// Bytes of a lane of an access that has more than one.
const LANE: u32 = 4;

events! {
    /// Events of the trace.
    enum TraceEvent of Unit::FRONT;
    /// A core takes its next step.
    Core(core),
}

/// The settings of a replay.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The machine.
    pub config: &'a Config,
    /// Its memory system.
    pub system: System,
    /// Shuffles arbitration and latencies.
    pub seed: Option<u64>,
    /// Loads, and stores that are acknowledged, that a core has in flight at most.
    pub outstanding: u32,
}

/// Counts of a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replayed {
    /// Accesses of the trace.
    pub accesses: u64,
    /// Clocks from 0 until all is over.
    pub clocks: u64,
    /// Answers that a core waits for.
    pub answers: u64,
    /// Their latencies in clocks: mean, and longest.
    pub mean_latency: f64,
    /// The longest.
    pub longest_latency: u64,
    /// Counts of the memory system.
    pub statistics: Statistics,
}

/// A core of a trace.
#[derive(Debug)]
struct Source {
    steps: VecDeque<Step>,
    /// When each access in flight was given to the L1.
    in_flight: HashMap<u32, u64>,
    /// The line of the step that it took last.
    last: usize,
    /// It waits for a release or an acquire.
    waits: bool,
    /// When it may take its next step, and the clock of the event that looks at it.
    free: u64,
    tick: u64,
}

struct Replay<'a> {
    settings: Settings<'a>,
    shared: Shared,
    system: Box<dyn MemorySystem>,
    cores: Vec<Source>,
    answers: u64,
    latency: u64,
    longest: u64,
}

/// Replays a trace: the operations of a core in their order, none before its clock.
///
/// # Errors
/// If the trace does not fit the machine, or the system does not end it.
pub fn replay(trace: &Trace, settings: Settings<'_>) -> Result<Replayed, TraceError> {
    let cores = settings.config.machine.cores();
    trace.check(cores)?;
    let mut sources: Vec<_> = (0..cores).map(|_| Source::idle()).collect();
    for step in &trace.steps {
        sources[step.core as usize].steps.push_back(*step);
    }
    let accesses = trace.steps.iter().filter(|step| matches!(step.action, Action::Access { .. }));
    let accesses = accesses.count() as u64;
    let mut replay = Replay {
        shared: Shared::new(settings.config, settings.seed),
        system: (settings.system.make)(settings.config),
        settings,
        cores: sources,
        answers: 0,
        latency: 0,
        longest: 0,
    };
    replay.system.begin_launch(&mut replay.shared);
    (0..cores).for_each(|core| replay.later(core, 0));
    replay.run();
    if let Some(line) = replay.cores.iter().find_map(Source::unfinished) {
        return Err(TraceError::Stuck { file: trace.file.clone(), line });
    }
    replay.system.end_launch(&mut replay.shared);
    replay.run();
    Ok(Replayed {
        accesses,
        clocks: replay.shared.events.now(),
        answers: replay.answers,
        mean_latency: replay.latency as f64 / replay.answers.max(1) as f64,
        longest_latency: replay.longest,
        statistics: replay.shared.statistics(replay.system.traffic(&replay.shared)),
    })
}

impl Source {
    fn idle() -> Self {
        let (steps, in_flight) = (VecDeque::new(), HashMap::new());
        Self { steps, in_flight, last: 0, waits: false, free: 0, tick: u64::MAX }
    }

    /// A line of the trace that has not ended.
    fn unfinished(&self) -> Option<usize> {
        let is_idle = self.in_flight.is_empty() && !self.waits && self.steps.is_empty();
        (!is_idle).then_some(self.last)
    }
}

impl Replay<'_> {
    /// A core is looked at in a clock, unless it will be before.
    fn later(&mut self, core: u32, time: u64) {
        let source = &mut self.cores[core as usize];
        let time = time.max(source.free);
        if time < source.tick {
            source.tick = time;
            self.shared.events.at(time, TraceEvent::Core(core));
        }
    }

    fn run(&mut self) {
        while let Some(event) = self.shared.events.pop() {
            match event.unit {
                Unit::FRONT => {
                    let TraceEvent::Core(core) = event.into();
                    self.step(core);
                }
                Unit::DRAM => self.shared.handle_dram(event),
                _ => self.system.handle(&mut self.shared, event),
            }
            while let Some(done) = self.shared.done.pop() {
                let now = self.shared.events.now();
                match done {
                    Done::Access(access) => self.answered(access),
                    Done::Synchronised { core, .. } => {
                        self.cores[core as usize].waits = false;
                        self.later(core, now + 1);
                    }
                    Done::Accepts(core) => self.later(core, now + 1),
                    Done::TransactionEnded { .. }
                    | Done::Aborted { .. }
                    | Done::PartOfWord { .. }
                    | Done::LogFull { .. } => {}
                }
            }
        }
    }

    fn answered(&mut self, access: u32) {
        let (core, now) = (self.shared.accesses.get(access).core, self.shared.events.now());
        self.shared.accesses.end(access);
        if let Some(begun) = self.cores[core as usize].in_flight.remove(&access) {
            self.count(now - begun);
        }
        self.later(core, now);
    }

    fn count(&mut self, latency: u64) {
        self.answers += 1;
        self.latency += latency;
        self.longest = self.longest.max(latency);
    }

    /// A core takes its next step, if it may.
    fn step(&mut self, core: u32) {
        let now = self.shared.events.now();
        let source = &mut self.cores[core as usize];
        if source.tick != now {
            return;
        }
        source.tick = u64::MAX;
        let Some(Step { clock, action, .. }) = source.steps.front().copied() else { return };
        let in_flight = source.in_flight.len() as u32;
        if source.waits {
            return;
        }
        if clock > now {
            return self.later(core, clock);
        }
        let is_access = matches!(action, Action::Access { .. });
        // A release or acquire waits for all accesses before it.
        if in_flight >= if is_access { self.settings.outstanding } else { 1 } {
            return;
        }
        match self.system.ready(&self.shared, core) {
            Some(ready) if ready <= now => {}
            Some(ready) => return self.later(core, ready),
            None => return,
        }
        let source = &mut self.cores[core as usize];
        source.last = source.steps.pop_front().map_or(0, |step| step.line);
        source.free = now + 1;
        match action {
            Action::Access { kind, address, bytes } => self.access(core, kind, address, bytes),
            Action::Release(scope) => {
                self.cores[core as usize].waits = true;
                let release = Operation::Release { warp: 0, scope, of: None };
                self.system.submit(&mut self.shared, core, release);
            }
            Action::Acquire(scope) => {
                self.cores[core as usize].waits = true;
                let acquire = Operation::Acquire { warp: 0, scope };
                self.system.submit(&mut self.shared, core, acquire);
            }
        }
        self.later(core, now + 1);
    }

    fn access(&mut self, core: u32, kind: trace::Kind, address: u64, bytes: u32) {
        let lane = if bytes <= 8 { bytes } else { LANE };
        let lanes = (bytes / lane) as usize;
        let mut access = Access::default();
        access.kind = match kind {
            trace::Kind::Load => AccessKind::Load,
            trace::Kind::Store => AccessKind::Store,
            trace::Kind::Atomic => AccessKind::Atomic(AtomicOp::Add),
        };
        access.ty.bytes = lane as u8;
        access.mask = (u64::MAX >> (64 - lanes)) as u32;
        for (at, place) in access.addresses[..lanes].iter_mut().enumerate() {
            *place = address + at as u64 * u64::from(lane);
        }
        let number = self.shared.accesses.begin();
        let pending = self.shared.accesses.get(number);
        (pending.access, pending.core, pending.warp) = (access.awaited(), core, 0);
        pending.acknowledged = self.system.acknowledges_stores();
        let is_awaited = pending.is_awaited();
        let now = self.shared.events.now();
        match self.system.submit(&mut self.shared, core, Operation::Access(number)) {
            Some(time) if is_awaited => {
                self.shared.accesses.end(number);
                self.count(time - now);
            }
            None if is_awaited => {
                self.cores[core as usize].in_flight.insert(number, now);
            }
            _ => {}
        }
    }
}
