//! Whether the transactions of a launch are equivalent to a serial execution: for GETM in the order of their
//! timestamps; for WarpTM in the order in which cores decide on them, those that commit silently at their first
//! load. Those of a warp come in the order of their lanes.
//!
//! Each word carries the identity of the store that wrote it through the log, the commit unit and the LLC,
//! so that the source of each load is known: [`History`] judges these. Beside it, the committed
//! transactions are gone through in their order: each load must have got the value that the stores before it
//! leave, and memory must end as they leave it.
//!
//! Words that a launch also stores to without a transaction, after one has accessed them, are not judged.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use warpsmith_testbench::serializability::{History, Order, Store, Summary, Transaction};

use super::log::{LaneLog, Stored};
use crate::config::LINE;
use crate::memory::Shared;

/// A word that transactions access.
#[derive(Debug, Default)]
struct Word {
    initial: u32,
    /// The store that it holds.
    last: Option<Store>,
    /// Stores in logs that are on their way, in order.
    logged: VecDeque<Stored>,
}

/// A committed transaction.
#[derive(Debug)]
struct Committed {
    at: u64,
    transaction: Transaction,
    core: u32,
    warp: u32,
    lane: u32,
    loads: Vec<(u64, u32)>,
    stores: BTreeMap<u64, Stored>,
}

/// The trace of a launch.
#[derive(Debug, Default)]
pub(super) struct Oracle {
    history: History,
    words: HashMap<u64, Word>,
    committed: Vec<Committed>,
    /// Words that are not judged.
    mixed: HashSet<u64>,
}

impl Oracle {
    /// A lane begins a transaction at a time.
    pub fn begin(&mut self, at: u64) -> Transaction {
        self.history.begin(at)
    }

    /// A transaction loads a word that memory holds, or from its own store.
    pub fn load(&mut self, of: Transaction, word: u64, found: u32, own: Option<Store>) {
        if self.mixed.contains(&word) {
            return;
        }
        let known = self.words.entry(word).or_insert(Word { initial: found, ..Word::default() });
        self.history.load(of, word, own.or(known.last));
    }

    /// A transaction stores to a word for the first time.
    pub fn store(&mut self, of: Transaction, word: u64) -> Store {
        self.history.store(of, word)
    }

    /// A store is sent to the commit unit; what memory holds until then.
    pub fn log(&mut self, word: u64, stored: Stored, found: u32) {
        let known = self.words.entry(word).or_insert(Word { initial: found, ..Word::default() });
        known.logged.push_back(stored);
    }

    /// A transaction commits.
    pub fn commit(&mut self, at: u64, [core, warp, lane]: [u32; 3], log: LaneLog) {
        let LaneLog { transaction, loads, stores } = log;
        self.history.commit(transaction);
        self.committed.push(Committed { at, transaction, core, warp, lane, loads, stores });
    }

    /// A word is written to the LLC.
    ///
    /// # Errors
    /// If nothing that was logged is written so.
    pub fn write(&mut self, word: u64, value: u32, mask: u32) -> Result<(), String> {
        let logged = self.words.get_mut(&word).and_then(|known| known.logged.pop_front());
        let Some(stored) = logged.filter(|it| (it.value, it.mask) == (value, mask)) else {
            return Err(format!("{value:#x} is written to {word:#x}, which no log has"));
        };
        if let Some(known) = self.words.get_mut(&word) {
            known.last = Some(stored.store);
        }
        if !self.mixed.contains(&word) {
            self.history.write(stored.store);
        }
        Ok(())
    }

    /// Memory of a line is stored to without a transaction.
    pub fn plain_store(&mut self, line: u32, bytes: u128) {
        if self.words.is_empty() {
            return;
        }
        for at in (0..LINE).step_by(4).filter(|at| bytes >> at & 0xf != 0) {
            let word = u64::from(line) * LINE as u64 + at as u64;
            if self.words.contains_key(&word) {
                self.mixed.insert(word);
            }
        }
    }

    /// Judges the launch, whose trace is over; how many conflicts were in order.
    ///
    /// # Errors
    /// What is not as a serial execution leaves it.
    pub fn judge(&mut self, shared: &mut Shared, order: Order) -> Result<Summary, String> {
        let Self { mut history, words, mut committed, mixed } = std::mem::take(self);
        // It does not know what was stored beside it.
        history.forget(&mixed);
        let summary = history.check(order).map_err(|violation| violation.to_string())?;
        match order {
            Order::SharedTimestamps => {
                let places: HashMap<_, _> = summary.serial.iter().zip(0..).collect();
                committed.sort_by_key(|it| places[&it.transaction]);
            }
            Order::Timestamps | Order::Any => committed.sort_by_key(|it| it.at),
        }
        let mut memory: HashMap<u64, u32> =
            words.iter().map(|(word, known)| (*word, known.initial)).collect();
        for Committed { at, core, warp, lane, loads, stores, .. } in &committed {
            for (word, found) in loads.iter().filter(|(word, _)| !mixed.contains(word)) {
                let must_be = memory.get(word).copied().unwrap_or(*found);
                if must_be != *found {
                    return Err(format!(
                        "lane {lane} of core {core} warp {warp} has read {found:#x} at {word:#x}; in the \
                         serial execution, where it comes at {at}, {must_be:#x} is there"
                    ));
                }
            }
            for (word, Stored { value, mask, .. }) in stores {
                let held = memory.entry(*word).or_default();
                *held = *held & !mask | value;
            }
        }
        for (word, must_be) in memory.into_iter().filter(|(word, _)| !mixed.contains(word)) {
            let found = word_of(shared, word);
            if found != must_be {
                return Err(format!(
                    "{word:#x} finally holds {found:#x}; the serial execution leaves {must_be:#x}"
                ));
            }
        }
        Ok(summary)
    }
}

/// A word of memory.
pub(super) fn word_of(shared: &mut Shared, word: u64) -> u32 {
    let line = shared.line((word / LINE as u64) as u32);
    let at = (word % LINE as u64) as usize;
    u32::from_le_bytes([line[at], line[at + 1], line[at + 2], line[at + 3]])
}
