//! A core: which of its warps run transactions.

use std::collections::VecDeque;

/// A core, which lets so many of its warps run transactions at once (table 4.4).
pub(super) struct Core {
    free: u64,
    waiting: VecDeque<usize>,
}

impl Core {
    /// A core of these warps.
    pub fn new(concurrency: u64, warps: impl Iterator<Item = usize>) -> Self {
        Self { free: concurrency, waiting: warps.collect() }
    }

    /// The warp that is to begin new transactions, if one may.
    pub fn admit(&mut self) -> Option<usize> {
        self.free.checked_sub(1)?;
        let warp = self.waiting.pop_front()?;
        self.free -= 1;
        Some(warp)
    }

    /// A warp has committed its transactions.
    pub fn leaves(&mut self) {
        self.free += 1;
    }

    /// A warp is to begin new transactions once it is its turn.
    pub fn waits(&mut self, warp: usize) {
        self.waiting.push_back(warp);
    }
}
