//! The program of a transaction.

/// A step of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Loads the word at a byte address.
    Load(u64),
    /// Stores a word at a byte address.
    Store(u64, u32),
    /// Commits.
    Commit,
}

/// Bytes from one word to the next: the value and the identity of its store.
pub const WORD_BYTES: u64 = 8;

/// A transaction as a function of its loaded values, so that it can restart at any time.
pub trait Program {
    /// The operation at a step, from 0, given the values of earlier loads.
    fn step(&self, step: usize, loaded: &[u32]) -> Operation;
}

impl<F: Fn(usize, &[u32]) -> Operation> Program for F {
    fn step(&self, step: usize, loaded: &[u32]) -> Operation {
        self(step, loaded)
    }
}
