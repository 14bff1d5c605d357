//! What warps see of a memory partition: a validation unit and a commit unit in front of a slice of
//! the LLC.

pub use warpsmith_blocks::getm_validation::{Access, Outcome, Response};

use crate::serializability::Store;

/// A store of a transaction at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Byte address of the word.
    pub address: u64,
    /// The word.
    pub word: Word,
    /// The transaction commits; else only its reservation ends.
    pub committed: bool,
}

/// What a word of memory holds: a value, and the mark of the store that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The value.
    pub value: u32,
    /// The mark.
    pub store: Store,
}

/// An item of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogItem {
    /// A store.
    Entry(LogEntry),
    /// The end of what this partition gets of a log.
    End,
}

/// What comes out of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An access is answered.
    Answer(Response),
    /// A word is written to the LLC at that byte address.
    Write(u64, Word),
    /// The validation unit has stopped for a roll-over; or, if `go`, is cleared and goes on.
    Rolled {
        /// It goes on.
        go: bool,
    },
}

/// A validation unit and a commit unit.
pub trait Partition {
    /// Takes an access, if there is room in this clock.
    fn access(&mut self, access: &Access) -> bool;

    /// Takes an item of a log, if there is room in this clock.
    fn log(&mut self, item: &LogItem) -> bool;

    /// Tells the validation unit to stop for a roll-over; or, if `go`, to clear its table and go on.
    fn roll(&mut self, go: bool);

    /// Whether all that was taken of logs is done with.
    fn is_drained(&self) -> bool;

    /// Ends the clock, and appends what came out in it.
    ///
    /// # Errors
    /// What a unit itself says is wrong.
    fn clock(&mut self, out: &mut Vec<Event>) -> Result<(), String>;

    /// Accesses that wait for a granule, and the granules that they wait for.
    fn waiting(&self) -> (usize, usize);
}

/// Why a transaction has to abort, as the README of the validation unit calls it; none if it goes on.
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
