//! The synchronization FIFO as far as the ports tell: which entries may be inside.

use std::collections::{HashMap, VecDeque};

/// Entries of requests that were accepted, but for those up to a release that has ended.
#[derive(Default)]
pub(super) struct Entries {
    /// Of each, the number of its request and the block; none for a release.
    all: VecDeque<(u64, Option<u64>)>,
    /// Entries that have left.
    left: u64,
    /// Where the entries of a block, or of releases, are among all that ever were.
    of: HashMap<Option<u64>, VecDeque<u64>>,
}

impl Entries {
    pub fn push(&mut self, number: u64, of: Option<u64>) {
        self.of.entry(of).or_default().push_back(self.left + self.all.len() as u64);
        self.all.push_back((number, of));
    }

    pub fn has(&self, of: Option<u64>) -> bool {
        self.of.contains_key(&of)
    }

    /// A release ends: it leaves, and everything before it.
    pub fn leave_until(&mut self, number: u64) {
        while let Some((_, of)) = self.all.front().copied().filter(|(entry, _)| *entry <= number) {
            self.all.pop_front();
            self.left += 1;
            let Some(places) = self.of.get_mut(&of) else { continue };
            places.pop_front();
            if places.is_empty() {
                self.of.remove(&of);
            }
        }
    }

    /// An entry of the block may drain, as the FIFO is full or has a release behind it.
    pub fn may_drain(&self, block: u64, depth: u32) -> bool {
        let full = (self.all.len() as u64 + 1).saturating_sub(depth.into());
        let last = self.of.get(&None).and_then(|releases| releases.back());
        let due = last.map_or(0, |last| last + 1).max(self.left + full);
        let first = self.of.get(&Some(block)).and_then(|places| places.front());
        first.is_some_and(|first| *first < due)
    }
}
