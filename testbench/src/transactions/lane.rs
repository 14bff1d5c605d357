//! A lane of a warp: a thread and its transaction.

use std::rc::Rc;

use super::partition::{LogEntry, Word};
use super::program::{Operation, Program};
use crate::serializability::{History, Store, Transaction};

/// A lane with its transaction.
pub(super) struct Lane {
    program: Rc<dyn Program>,
    transaction: Transaction,
    state: State,
    step: usize,
    loaded: Vec<u32>,
    /// Its accesses: the log for conflicts between lanes of a warp.
    asked: Vec<Operation>,
    /// Its stores so far.
    stored: Vec<Stored>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Aborted,
    Committed,
}

#[derive(Clone, Copy, Debug)]
struct Stored {
    address: u64,
    value: u32,
    store: Store,
    /// Whether the validation unit has granted and counted it.
    granted: bool,
}

impl Lane {
    /// A lane that will run `program`.
    pub fn new(program: Box<dyn Program>) -> Self {
        Self {
            program: program.into(),
            transaction: Transaction(0),
            state: State::Aborted,
            step: 0,
            loaded: Vec::new(),
            asked: Vec::new(),
            stored: Vec::new(),
        }
    }

    /// The program of its transaction.
    pub fn program(&self) -> Rc<dyn Program> {
        Rc::clone(&self.program)
    }

    /// Whether its transaction is in flight.
    pub fn is_running(&self) -> bool {
        self.state == State::Running
    }

    /// Whether its transaction has committed.
    pub fn has_committed(&self) -> bool {
        self.state == State::Committed
    }

    /// Starts its transaction at that time.
    pub fn start(&mut self, history: &mut History, instant: u64) {
        self.transaction = history.begin(instant);
        self.state = State::Running;
        self.step = 0;
        self.loaded.clear();
        self.asked.clear();
        self.stored.clear();
    }

    /// The next operation. Loads of the transaction's own stores are served from its log.
    pub fn next(&mut self, history: &mut History) -> Operation {
        loop {
            let operation = self.program.step(self.step, &self.loaded);
            let Operation::Load(address) = operation else { return operation };
            let own = self.stored.iter().rev().find(|stored| stored.address == address);
            let Some(&Stored { value, store, .. }) = own else { return operation };
            history.load(self.transaction, address, Some(store));
            self.loaded.push(value);
            self.step += 1;
        }
    }

    /// Whether it conflicts with another lane's operation: it has stored there, or has loaded what would be
    /// overwritten.
    pub fn is_in_the_way_of(&self, operation: Operation) -> bool {
        use Operation::{Load, Store};
        let conflict = |&asked: &Operation| match (asked, operation) {
            (Store(mine, _), Load(address) | Store(address, _))
            | (Load(mine), Store(address, _)) => mine == address,
            _ => false,
        };
        self.is_running() && self.asked.iter().any(conflict)
    }

    /// Issues an operation; the lane does not wait for a store.
    pub fn asks(&mut self, history: &mut History, operation: Operation) {
        self.asked.push(operation);
        if let Operation::Store(address, value) = operation {
            let store = history.store(self.transaction, address);
            self.stored.push(Stored { address, value, store, granted: false });
            self.step += 1;
        }
    }

    /// Its load has returned the value of this store.
    pub fn loaded(&mut self, history: &mut History, address: u64, word: (u32, Option<Store>)) {
        if self.is_running() {
            history.load(self.transaction, address, word.1);
            self.loaded.push(word.0);
            self.step += 1;
        }
    }

    /// The first ungranted store to the address is granted.
    pub fn granted(&mut self, address: u64) {
        let mut waiting = self.stored.iter_mut().filter(|stored| !stored.granted);
        if let Some(stored) = waiting.find(|stored| stored.address == address) {
            stored.granted = true;
        }
    }

    /// Aborts its transaction.
    pub fn abort(&mut self) {
        self.state = State::Aborted;
    }

    /// Commits its transaction.
    pub fn commit(&mut self, history: &mut History) {
        self.state = State::Committed;
        history.commit(self.transaction);
    }

    /// Removes every granted store, in order; each is in a warp's log once.
    pub fn take_log(&mut self) -> impl Iterator<Item = LogEntry> {
        let committed = self.has_committed();
        let granted = self.stored.drain(..).filter(|stored| stored.granted);
        granted.map(move |Stored { address, value, store, .. }| LogEntry {
            address,
            word: Word { value, store },
            committed,
        })
    }
}
