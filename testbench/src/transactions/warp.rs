//! A warp: one transaction after the other, each again until it commits (4.4.1).

use rand::RngExt;
use warpsmith_blocks::verification::StimulusRng;

use super::partition::{Access, Answer, LogEntry};
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
    pub time: u64,
    /// The latest `wts` or `rts` that it was told.
    observed: u64,
    program: Box<dyn Program>,
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
        let time = timestamps.first(number);
        Self {
            number,
            timestamps,
            time,
            observed: 0,
            program,
            transaction: history.begin(time),
            step: 0,
            loaded: Vec::new(),
            stored: Vec::new(),
            aborts: 0,
        }
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
                let (warp, warpts) = (self.number, self.time);
                return Next::Access(Access { is_load, address, warp, warpts });
            };
            history.load(self.transaction, address, Some(own.store));
            self.loaded.push(own.value);
            self.step += 1;
        }
    }

    /// The access has succeeded; a load gives this value, of this store.
    pub fn succeeded(
        &mut self,
        history: &mut History,
        answer: &Answer,
        word: (u32, Option<Store>),
    ) {
        self.observed = self.observed.max(answer.wts).max(answer.rts);
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

    /// The transaction aborts: the log to be sent, and clocks to wait before it starts again.
    pub fn aborted(
        &mut self,
        history: &mut History,
        rng: &mut StimulusRng,
        answer: &Answer,
    ) -> (Vec<LogEntry>, u64) {
        let log = self.log(false);
        self.observed = self.observed.max(answer.wts).max(answer.rts);
        self.aborts += 1;
        self.start(history);
        (log, rng.random_range(0..1 << self.aborts.min(MOST_BACK_OFF)))
    }

    /// The transaction has committed; another follows.
    pub fn follow(&mut self, history: &mut History, program: Box<dyn Program>) {
        self.program = program;
        self.aborts = 0;
        self.start(history);
    }

    fn start(&mut self, history: &mut History) {
        self.time = self.timestamps.after(self.time.max(self.observed), self.number);
        self.transaction = history.begin(self.time);
        self.step = 0;
        self.loaded.clear();
        self.stored.clear();
    }

    /// Every store that succeeded, in order.
    fn log(&self, committed: bool) -> Vec<LogEntry> {
        let entry = |stored: &Stored| LogEntry {
            warp: self.number,
            address: stored.address,
            word: (stored.value, stored.store),
            committed,
        };
        self.stored.iter().map(entry).collect()
    }
}
