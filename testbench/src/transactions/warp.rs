//! A warp: its lanes run transactions in lockstep with one timestamp and retry until they commit (4.4.1,
//! 4.5.1).

use rand::RngExt;
use warpsmith_blocks::verification::StimulusRng;

use super::lane::Lane;
use super::partition::{Access, LogEntry};
use super::program::{Operation, Program};
use super::serial::Committed;
use super::timestamp::Timestamps;
use crate::serializability::{History, Store};

/// Longest pause as a multiple of the shortest one.
const MOST_BACK_OFF: u64 = 10;

/// A warp with the transactions that its lanes run.
pub(super) struct Warp {
    number: u64,
    timestamps: Timestamps,
    /// The logical time of its transactions, `warpts`.
    time: u64,
    /// The time of its previous transactions. None at first and after a roll-over.
    past: Option<u64>,
    /// The latest `wts` or `rts` it was told since.
    told: Option<u64>,
    /// When its time last began again, on a time axis that never does.
    epoch: u64,
    lanes: Vec<Lane>,
    /// Aborts of its lanes since it last began new transactions.
    aborts: u64,
}

/// An access of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The lane.
    pub lane: usize,
    /// The access.
    pub access: Access,
}

impl Warp {
    /// A warp that runs nothing.
    pub fn new(number: u64, timestamps: Timestamps) -> Self {
        Self {
            number,
            timestamps,
            time: 0,
            past: None,
            told: None,
            epoch: 0,
            lanes: Vec::new(),
            aborts: 0,
        }
    }

    /// The time of its transactions on an axis that never begins again.
    pub fn instant(&self) -> u64 {
        self.epoch + self.time
    }

    /// The latest `wts` or `rts` it was told, if any. A later timestamp always exists.
    pub fn told(&self) -> Option<u64> {
        self.told
    }

    /// Begins new transactions of its lanes, later than the times that it and others were told.
    pub fn begin(
        &mut self,
        history: &mut History,
        programs: impl Iterator<Item = Box<dyn Program>>,
        told: Option<u64>,
    ) {
        self.lanes = programs.map(Lane::new).collect();
        self.aborts = 0;
        self.told = self.told.max(told);
        self.start(history);
    }

    /// The next instruction: the accesses of its lanes, and how many lanes abort because of conflicts with
    /// others. No access means that all transactions are at their end.
    ///
    /// Loading lanes go before storing lanes.
    pub fn next(&mut self, history: &mut History) -> (Vec<Asked>, u64) {
        let mut aborts = 0;
        loop {
            let running = self.lanes.iter_mut().enumerate().filter(|(_, lane)| lane.is_running());
            let next = running.map(|(index, lane)| (index, lane.next(history)));
            let (loads, others): (Vec<_>, Vec<_>) =
                next.partition(|(_, next)| matches!(next, Operation::Load(_)));
            let instruction = if loads.is_empty() { others } else { loads };
            let mut asked = Vec::new();
            let before = aborts;
            for (lane, operation) in instruction {
                let (store, address) = match operation {
                    Operation::Load(address) => (false, address),
                    Operation::Store(address, _) => (true, address),
                    Operation::Commit => continue,
                };
                let mut others = self.lanes.iter().enumerate().filter(|(other, _)| *other != lane);
                if others.any(|(_, other)| other.is_in_the_way_of(operation)) {
                    self.lanes[lane].abort();
                    aborts += 1;
                } else {
                    self.lanes[lane].asks(history, operation);
                    let (warp, warpts) = (self.number, self.time);
                    asked.push(Asked { lane, access: Access { address, store, warp, warpts } });
                }
            }
            if !asked.is_empty() || aborts == before {
                return (asked, aborts);
            }
        }
    }

    /// A lane's access has succeeded; `told` is the latest time of its granule. A load returns the value of a
    /// store.
    pub fn succeeded(
        &mut self,
        history: &mut History,
        asked: &Asked,
        told: u64,
        word: (u32, Option<Store>),
    ) {
        self.told = self.told.max(Some(told));
        let (lane, address) = (&mut self.lanes[asked.lane], asked.access.address);
        match asked.access.store {
            true => lane.granted(address),
            false => lane.loaded(history, address, word),
        }
    }

    /// A lane's transaction aborts, unless it already has, and will restart later than the time it was
    /// `told`.
    pub fn aborted(&mut self, lane: usize, told: u64) -> bool {
        self.told = self.told.max(Some(told));
        let was_running = self.lanes[lane].is_running();
        self.lanes[lane].abort();
        was_running
    }

    /// Whether a lane's transaction is in flight.
    pub fn is_running(&self, lane: usize) -> bool {
        self.lanes[lane].is_running()
    }

    /// Commits all transactions that have not aborted; returns the log to send.
    pub fn end(&mut self, history: &mut History, committed: &mut Vec<Committed>) -> Vec<LogEntry> {
        let instant = self.instant();
        for lane in self.lanes.iter_mut().filter(|lane| lane.is_running()) {
            lane.commit(history);
            committed.push(Committed { instant, program: lane.program() });
        }
        self.take_log()
    }

    /// Whether all of its transactions have committed.
    pub fn has_committed(&self) -> bool {
        self.lanes.iter().all(Lane::has_committed)
    }

    /// Restarts aborted lanes; returns the pause in clocks, a multiple of `back_off`. As in the simulator of
    /// GETM's authors it may be 0, and mostly grows by one `back_off` per restart.
    pub fn retry(&mut self, history: &mut History, rng: &mut StimulusRng, back_off: u64) -> u64 {
        self.aborts += 1;
        self.start(history);
        back_off * (self.aborts % rng.random_range(1..=MOST_BACK_OFF))
    }

    /// Aborts all transactions until time begins again; returns the log to send, and how many were in flight.
    pub fn halted(&mut self) -> (Vec<LogEntry>, u64) {
        let mut running = 0;
        for lane in self.lanes.iter_mut().filter(|lane| lane.is_running()) {
            lane.abort();
            running += 1;
        }
        (self.take_log(), running)
    }

    /// Time begins again at `epoch`; a halted warp restarts.
    pub fn rolled_over(&mut self, epoch: u64) {
        (self.past, self.told, self.epoch) = (None, None, epoch);
    }

    /// Begins all uncommitted transactions.
    pub fn start(&mut self, history: &mut History) {
        self.time = match self.past.max(self.told) {
            Some(past) => self.timestamps.after(past, self.number),
            None => self.timestamps.first(self.number),
        };
        self.past = Some(self.time);
        let instant = self.instant();
        for lane in self.lanes.iter_mut().filter(|lane| !lane.has_committed()) {
            lane.start(history, instant);
        }
    }

    fn take_log(&mut self) -> Vec<LogEntry> {
        self.lanes.iter_mut().flat_map(Lane::take_log).collect()
    }
}
