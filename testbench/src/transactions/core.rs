//! A core, which limits its concurrent transactional warps.

use std::collections::VecDeque;

/// A core with a limit of concurrent transactional warps (table 4.4).
pub(super) struct Core {
    free: u64,
    waiting: VecDeque<usize>,
}

impl Core {
    /// A core with these warps.
    pub fn new(concurrency: u64, warps: impl Iterator<Item = usize>) -> Self {
        Self { free: concurrency, waiting: warps.collect() }
    }

    /// The next warp to begin new transactions, if the limit permits one.
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

    /// Queues a warp that is to begin new transactions.
    pub fn waits(&mut self, warp: usize) {
        self.waiting.push_back(warp);
    }
}
