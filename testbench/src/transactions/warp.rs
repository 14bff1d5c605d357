//! A warp: one transaction after the other, each again until it commits (4.4.1).

use std::rc::Rc;

use rand::RngExt;
use warpsmith_blocks::verification::StimulusRng;

use super::partition::{Access, LogEntry, Word};
use super::program::{Operation, Program};
use super::timestamp::Timestamps;
use crate::serializability::{History, Store, Transaction};

/// The longest pause after an abort, in clocks: 2 to that power.
const MOST_BACK_OFF: u32 = 10;

/// A warp with the transaction that it runs.
pub struct Warp {
    number: u64,
    timestamps: Timestamps,
    /// The logical time of its transaction, `warpts`.
    time: u64,
    /// The time that its next transaction has to be later than: that of its last one, and the latest
    /// `wts` or `rts` that it was told. None at first, and after a roll-over.
    past: Option<u64>,
    /// When time began again, in a time that never does.
    epoch: u64,
    program: Rc<dyn Program>,
    transaction: Transaction,
    step: usize,
    loaded: Vec<u32>,
    stored: Vec<Stored>,
    aborts: u32,
}

#[derive(Clone, Copy, Debug)]
struct Stored {
    address: u64,
    value: u32,
    store: Store,
}

/// What a warp has to do next.
#[derive(Clone, Debug)]
pub enum Next {
    /// Ask for this.
    Access(Access),
    /// The transaction is at its end: send its log. A warp without stores has none.
    Commit(Vec<LogEntry>),
}

impl Warp {
    /// A warp at the beginning of its first transaction.
    pub fn new(
        number: u64,
        timestamps: Timestamps,
        program: Box<dyn Program>,
        history: &mut History,
    ) -> Self {
        let mut warp = Self {
            number,
            timestamps,
            time: 0,
            past: None,
            epoch: 0,
            program: program.into(),
            transaction: Transaction(0),
            step: 0,
            loaded: Vec::new(),
            stored: Vec::new(),
            aborts: 0,
        };
        warp.start(history);
        warp
    }

    /// When its transaction runs, in a time that never begins again.
    pub fn instant(&self) -> u64 {
        self.epoch + self.time
    }

    /// What its transaction does.
    pub fn program(&self) -> Rc<dyn Program> {
        Rc::clone(&self.program)
    }

    /// What comes next. Loads of what the transaction has stored are answered from its log.
    pub fn next(&mut self, history: &mut History) -> Next {
        loop {
            let (is_load, address) = match self.program.step(self.step, &self.loaded) {
                Operation::Load(address) => (true, address),
                Operation::Store(address, _) => (false, address),
                Operation::Commit => {
                    history.commit(self.transaction);
                    return Next::Commit(self.log(true));
                }
            };
            let own = self.stored.iter().rev().find(|stored| stored.address == address).copied();
            let (true, Some(own)) = (is_load, own) else {
                let (store, warp, warpts) = (!is_load, self.number, self.time);
                return Next::Access(Access { address, store, warp, warpts });
            };
            history.load(self.transaction, address, Some(own.store));
            self.loaded.push(own.value);
            self.step += 1;
        }
    }

    /// The access has succeeded, and `told` is the latest time of its granule; a load gives this
    /// value, of this store.
    pub fn succeeded(&mut self, history: &mut History, told: u64, word: (u32, Option<Store>)) {
        self.past = self.past.max(Some(told));
        match self.program.step(self.step, &self.loaded) {
            Operation::Load(address) => {
                history.load(self.transaction, address, word.1);
                self.loaded.push(word.0);
            }
            Operation::Store(address, value) => {
                let store = history.store(self.transaction, address);
                self.stored.push(Stored { address, value, store });
            }
            Operation::Commit => unreachable!("an answer is to an access"),
        }
        self.step += 1;
    }

    /// The transaction aborts, and starts again later than the time that it was `told`: the log to be
    /// sent, and clocks to wait before that.
    pub fn aborted(
        &mut self,
        history: &mut History,
        rng: &mut StimulusRng,
        told: u64,
    ) -> (Vec<LogEntry>, u64) {
        let log = self.log(false);
        self.past = self.past.max(Some(told));
        self.aborts += 1;
        self.start(history);
        (log, rng.random_range(0..1 << self.aborts.min(MOST_BACK_OFF)))
    }

    /// The transaction has committed; another follows.
    pub fn follow(&mut self, history: &mut History, program: Box<dyn Program>) {
        self.program = program.into();
        self.aborts = 0;
        self.start(history);
    }

    /// The transaction aborts and does not start again until time does: the log to be sent.
    pub fn halted(&mut self) -> Vec<LogEntry> {
        self.log(false)
    }

    /// Time begins again at `epoch`; whoever was halted is to start.
    pub fn rolled_over(&mut self, epoch: u64) {
        (self.past, self.epoch) = (None, epoch);
    }

    /// The transaction begins.
    pub fn start(&mut self, history: &mut History) {
        self.time = match self.past {
            Some(past) => self.timestamps.after(past, self.number),
            None => self.timestamps.first(self.number),
        };
        self.past = Some(self.time);
        self.transaction = history.begin(self.instant());
        self.step = 0;
        self.loaded.clear();
        self.stored.clear();
    }

    /// Every store that succeeded, in order.
    fn log(&self, committed: bool) -> Vec<LogEntry> {
        let entry = |stored: &Stored| LogEntry {
            address: stored.address,
            word: Word { value: stored.value, store: stored.store },
            committed,
        };
        self.stored.iter().map(entry).collect()
    }
}
