//! What a transaction does.

/// A step of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Loads the word at that byte address.
    Load(u64),
    /// Stores a word there.
    Store(u64, u32),
    /// Ends.
    Commit,
}

/// Bytes from one word to the next: a word's value, and beside it the mark of the store that wrote it.
pub const WORD_BYTES: u64 = 8;

/// A transaction as a function of what it has loaded, so that it can start again at any time.
pub trait Program {
    /// The step of that number, from 0, when the loads before it gave these values.
    fn step(&self, step: usize, loaded: &[u32]) -> Operation;
}

impl<F: Fn(usize, &[u32]) -> Operation> Program for F {
    fn step(&self, step: usize, loaded: &[u32]) -> Operation {
        self(step, loaded)
    }
}
