//! The verdict on a history: its counts, or what makes it not serializable.

use std::fmt;

use thiserror::Error;

use super::Transaction;

/// The counts of a serializable run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Transactions that committed.
    pub committed: usize,
    /// Aborted transactions.
    pub aborted: usize,
    /// Pairs of committed transactions with a required order.
    pub conflicts: usize,
    /// A serial execution that has the same effect.
    pub serial: Vec<Transaction>,
}

/// Why one transaction precedes another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictKind {
    /// The second read what the first wrote.
    WriteRead,
    /// The second overwrote what the first wrote.
    WriteWrite,
    /// The second overwrote what the first read.
    ReadWrite,
}

/// Two committed transactions with a required order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The earlier transaction.
    pub first: Transaction,
    /// The later transaction.
    pub second: Transaction,
    /// The reason.
    pub kind: ConflictKind,
    /// The address that both use.
    pub address: u64,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, kind, address } = self;
        let (did, does) = match kind {
            ConflictKind::WriteRead => ("wrote", "read"),
            ConflictKind::WriteWrite => ("wrote", "wrote over"),
            ConflictKind::ReadWrite => ("read", "wrote over"),
        };
        write!(f, "{first} before {second}: {first} {did} 0x{address:x}, {second} {does} it")
    }
}

/// Conflicts that form a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(pub Vec<Conflict>);

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|conflict| write!(f, "\n  {conflict}"))
    }
}

/// A violation of serializability.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// A load read a store to another address.
    #[error("{reader} loaded 0x{address:x} and read a store to 0x{stored:x}")]
    WrongAddress {
        /// The loading transaction.
        reader: Transaction,
        /// The loaded address.
        address: u64,
        /// The address of the store.
        stored: u64,
    },
    /// A load missed the transaction's own latest store.
    #[error("{reader} loaded 0x{address:x} and missed its own store there")]
    OwnStoreMissed {
        /// The loading transaction.
        reader: Transaction,
        /// The loaded address.
        address: u64,
    },
    /// A load read an invisible store: of a transaction that did not commit, had not written it yet, or
    /// stored to the address again.
    #[error("{reader} loaded 0x{address:x} and read an uncommitted store of {writer}")]
    DirtyRead {
        /// The loading transaction.
        reader: Transaction,
        /// The storing transaction.
        writer: Transaction,
        /// The address.
        address: u64,
    },
    /// An uncommitted transaction wrote memory.
    #[error("{writer} did not commit, but its store to 0x{address:x} is in memory")]
    AbortedEffect {
        /// The storing transaction.
        writer: Transaction,
        /// The address.
        address: u64,
    },
    /// A committed store never reached memory.
    #[error("{writer} committed, but its store to 0x{address:x} never reached memory")]
    LostStore {
        /// The storing transaction.
        writer: Transaction,
        /// The address.
        address: u64,
    },
    /// No serial execution satisfies all these orders.
    #[error("no serial execution:{0}")]
    Cycle(Cycle),
    /// There is a serial execution, but not in timestamp order.
    #[error("{conflict}; but their timestamps are {first} and {second}")]
    AgainstTime {
        /// The conflict.
        conflict: Conflict,
        /// Timestamp of the transaction that must precede.
        first: u64,
        /// Timestamp of the other.
        second: u64,
    },
}
