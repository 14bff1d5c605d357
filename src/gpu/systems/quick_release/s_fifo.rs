//! The synchronization FIFO of a write cache: a queue, or the RTL of the block in its place.

use std::collections::VecDeque;
use std::fmt::Debug;

use warpsmith_blocks::s_fifo::Entry;

/// A synchronization FIFO.
pub(super) trait SFifo: Debug {
    /// An entry comes.
    fn enqueue(&mut self, entry: Entry);

    /// The oldest entry leaves, if it is due: all entries are taken, or a release is inside.
    fn next(&mut self) -> Option<Entry>;

    /// Whether it takes another entry.
    fn has_room(&self) -> bool;

    /// One clock of a circuit, in which an entry may leave.
    fn clock(&mut self, _may_leave: bool) {}

    /// Whether a circuit needs clocks.
    fn is_busy(&self, _may_leave: bool) -> bool {
        false
    }

    /// Transfers that were compared with a reference.
    fn compared(&self) -> u64 {
        0
    }

    /// Where the circuit differs from its reference.
    fn mismatch(&self) -> Option<&str> {
        None
    }
}

/// As the block's reference: entries that leave do so at once.
#[derive(Debug)]
pub(super) struct Queue {
    depth: usize,
    entries: VecDeque<Entry>,
    releases: u32,
}

impl Queue {
    pub(super) fn new(depth: u32) -> Self {
        Self { depth: depth as usize, entries: VecDeque::new(), releases: 0 }
    }
}

impl SFifo for Queue {
    fn enqueue(&mut self, entry: Entry) {
        self.releases += u32::from(entry.is_release());
        self.entries.push_back(entry);
    }

    fn next(&mut self) -> Option<Entry> {
        if self.releases == 0 && self.entries.len() < self.depth {
            return None;
        }
        let entry = self.entries.pop_front()?;
        self.releases -= u32::from(entry.is_release());
        Some(entry)
    }

    fn has_room(&self) -> bool {
        // As many as are inside the block: those that wait, and two on their way out.
        self.entries.len() < self.depth + 2
    }
}
