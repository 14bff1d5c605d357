//! What a partition keeps of the transactions at their end.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::log::Stored;
use crate::config::LINE;

/// Bytes that are compared or written at once.
const REGION: u64 = 32;
/// Clocks of the cores for each: the commit unit has half their clock (table 4.2).
const CLOCKS: u64 = 2;

/// A word of a lane's log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Logged {
    pub lane: u32,
    pub word: u64,
    pub what: What,
}

/// What a lane did with a word.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// It loaded this.
    Loaded(u32),
    Stored(Stored),
}

/// How far a partition is with a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It is on its way.
    Sent,
    Arrived,
    /// It is compared with memory until then.
    Validates(u64),
    /// The verdict is on its way, and the decision.
    Validated,
    /// These lanes commit; the others have aborted.
    Decided(u32),
    /// It is written until then, for these lanes.
    Writes(u64, u32),
}

/// The log of a warp's transactions, as far as it belongs to a partition.
#[derive(Debug)]
pub(super) struct Entry {
    pub id: u64,
    /// The warp's number in the machine.
    pub warp: u32,
    pub core: u32,
    /// A line of the partition, for messages.
    pub line: u32,
    pub words: Vec<Logged>,
    /// The words that it stores to, and all; sorted.
    pub stores: Vec<u64>,
    all: Vec<u64>,
    pub state: State,
}

impl Entry {
    pub fn new(id: u64, [warp, core, line]: [u32; 3], words: Vec<Logged>) -> Self {
        let sorted = |is: fn(&&Logged) -> bool| {
            let mut words: Vec<_> = words.iter().filter(is).map(|logged| logged.word).collect();
            words.sort_unstable();
            words
        };
        let stores = sorted(|logged| matches!(logged.what, What::Stored(_)));
        let all = sorted(|_| true);
        Self { id, warp, core, line, words, stores, all, state: State::Sent }
    }

    /// Whether one stores to a word that the other accesses.
    fn conflicts(&self, other: &Self) -> bool {
        let has = |all: &[u64], word: &u64| all.binary_search(word).is_ok();
        self.stores.iter().any(|word| has(&other.all, word))
            || other.stores.iter().any(|word| has(&self.all, word))
    }

    /// The words that lanes store to.
    pub fn stored_by(&self, lanes: u32) -> impl Iterator<Item = u64> + '_ {
        let is_theirs = move |logged: &&Logged| {
            matches!(logged.what, What::Stored(_)) && lanes >> logged.lane & 1 == 1
        };
        self.words.iter().filter(is_theirs).map(|logged| logged.word)
    }

    /// Clocks for the regions of all its words, or of those that lanes store to.
    pub fn clocks(&self, stored_by: Option<u32>) -> u64 {
        let mut regions: Vec<_> = match stored_by {
            None => self.all.iter().map(|word| word / REGION).collect(),
            Some(lanes) => self.stored_by(lanes).map(|word| word / REGION).collect(),
        };
        regions.sort_unstable();
        regions.dedup();
        CLOCKS * regions.len() as u64
    }
}

/// A partition.
#[derive(Debug)]
pub(super) struct Partition {
    /// In the order of commits.
    pub entries: VecDeque<Entry>,
    /// When it compares or writes the next regions.
    pub free: u64,
    /// When one of the granules of a hash was last written.
    written: Vec<u64>,
}

impl Partition {
    pub fn new(recency_entries: u32) -> Self {
        Self { entries: VecDeque::new(), free: 0, written: vec![0; recency_entries as usize] }
    }

    fn hash(&self, address: u64) -> usize {
        let mixed = (address / REGION).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (mixed % self.written.len() as u64) as usize
    }

    /// A word is written.
    pub fn note_write(&mut self, word: u64, now: u64) {
        let hash = self.hash(word);
        self.written[hash] = now;
    }

    /// Whether bytes may have been written at a clock or after, or are about to be.
    pub fn may_be_written_after(&self, clock: u64, bytes: Range<u64>) -> bool {
        let is_pending = |entry: &Entry| {
            entry.state != State::Sent && entry.stores.iter().any(|word| bytes.contains(word))
        };
        bytes
            .clone()
            .step_by(REGION as usize)
            .any(|region| self.written[self.hash(region)] >= clock)
            || self.entries.iter().any(is_pending)
    }

    /// The place of a log.
    pub fn position(&self, id: u64) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == id)
    }

    /// The log that is to be validated next, unless one before it has a conflict with it.
    pub fn next_to_validate(&self, ignores_hazards: bool) -> Option<usize> {
        let waits = |entry: &Entry| {
            matches!(entry.state, State::Sent | State::Arrived | State::Validates(_))
        };
        let next = self.entries.iter().position(waits)?;
        let entry = &self.entries[next];
        let is_free = ignores_hazards
            || !self.entries.iter().take(next).any(|earlier| earlier.conflicts(entry));
        (entry.state == State::Arrived && is_free).then_some(next)
    }

    /// The first log that is decided on and not yet written, unless one before it, on its way, has a conflict with it.
    pub fn next_to_write(&self) -> Option<usize> {
        let decided = |entry: &Entry| matches!(entry.state, State::Decided(_));
        let free = |at: &usize| {
            let entry = &self.entries[*at];
            decided(entry) && !self.entries.iter().take(*at).any(|it| it.conflicts(entry))
        };
        (0..self.entries.len()).find(free)
    }
}

/// The place of a word in its line.
pub(super) fn first_byte(word: u64) -> usize {
    (word % LINE as u64) as usize
}
