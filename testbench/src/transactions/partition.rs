//! A memory partition as warps see it: a validation unit and a commit unit in front of a slice of the LLC.

pub use warpsmith_blocks::getm_validation::{Access, Outcome, Response};

use crate::serializability::Store;

/// A store in the log of an ended transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Byte address of the word.
    pub address: u64,
    /// The word.
    pub word: Word,
    /// Whether the transaction commits; else only its reservation ends.
    pub committed: bool,
}

/// The contents of a memory word: a value, and the identity of the store that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The value.
    pub value: u32,
    /// The store.
    pub store: Store,
}

/// An item of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogItem {
    /// A store.
    Entry(LogEntry),
    /// The end of this partition's share of a log.
    End,
}

/// An output of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An access is answered.
    Answer(Response),
    /// A word is written to the LLC at that byte address.
    Write(u64, Word),
    /// The validation unit has stopped for a roll-over; or, with `go`, was cleared and continues.
    Rolled {
        /// Whether it continues.
        go: bool,
    },
}

/// A validation unit and a commit unit.
pub trait Partition {
    /// Offers an access; false if there is no room in this clock.
    fn access(&mut self, access: &Access) -> bool;

    /// Offers a log item; false if there is no room in this clock.
    fn log(&mut self, item: &LogItem) -> bool;

    /// Tells the validation unit to stop for a roll-over; or, with `go`, to clear its table and continue.
    fn roll(&mut self, go: bool);

    /// Whether everything accepted from logs is processed.
    fn is_drained(&self) -> bool;

    /// Ends the clock and appends its outputs.
    ///
    /// # Errors
    /// Returns the error that a unit reports.
    fn clock(&mut self, out: &mut Vec<Event>) -> Result<(), String>;

    /// Number of waiting accesses, and of the granules they wait for.
    fn waiting(&self) -> (usize, usize);
}

/// Why a transaction must abort, in the terms of the validation unit's README; none if it continues.
pub fn reason(outcome: Outcome) -> Option<&'static str> {
    Some(match outcome {
        Outcome::Success => return None,
        Outcome::AbortFull => "FULL",
        Outcome::AbortWar => "WAR",
        Outcome::AbortWaw => "WAW",
        Outcome::AbortRaw => "RAW",
        Outcome::AbortCount => "COUNT",
        Outcome::AbortRollover => "ROLLOVER",
    })
}
