//! The circuit of the S-FIFO, beside the model of the write cache.

use std::collections::VecDeque;
use std::fmt;

use warpsmith_blocks::s_fifo::{DEQUEUE, ENQUEUE, ERROR, Entry};
use warpsmith_testbench::place::Place;

use super::{At, SFifo};

/// An S-FIFO's circuit in its place.
pub(super) struct Circuit {
    place: Place,
    at: At,
    depth: usize,
    /// Entries inside, and releases among them.
    inside: VecDeque<bool>,
    left: VecDeque<Entry>,
    mismatch: Option<String>,
}

impl fmt::Debug for Circuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RTL of the S-FIFO of {}", self.at)
    }
}

impl Circuit {
    pub(super) fn new(place: Place, at: At, depth: u32) -> Self {
        let (inside, left) = (VecDeque::new(), VecDeque::new());
        Self { place, at, depth: depth as usize, inside, left, mismatch: None }
    }
}

impl SFifo for Circuit {
    fn enqueue(&mut self, entry: Entry) {
        self.inside.push_back(entry.is_release());
        self.place.offer(ENQUEUE, &entry.encode());
    }

    fn next(&mut self) -> Option<Entry> {
        self.left.pop_front()
    }

    fn has_room(&self) -> bool {
        self.inside.len() < self.depth + 2
    }

    fn clock(&mut self, may_leave: bool) {
        let may_leave = may_leave && self.left.is_empty();
        let clocked = self.place.clock(|channel| channel == DEQUEUE && !may_leave);
        let left = self.place.transfers().filter(|(channel, _)| *channel == DEQUEUE);
        let left: Vec<_> = left.map(|(_, payload)| Entry::decode(payload)).collect();
        left.iter().for_each(|_| _ = self.inside.pop_front());
        self.left.extend(left);
        let expected = self.place.unexpected(ERROR).map_or(Ok(()), Err);
        if let Err(mismatch) = clocked.and(expected) {
            let (at, clock) = (self.at, mismatch.clock);
            self.mismatch = Some(format!("S-FIFO of {at}, its clock {clock}: {mismatch}"));
        }
    }

    /// While entries are on their way in, or are due.
    fn is_busy(&self, may_leave: bool) -> bool {
        let is_due = self.inside.len() >= self.depth || self.inside.contains(&true);
        let moves = self.place.queued(ENQUEUE) > 0 || is_due && may_leave;
        self.mismatch.is_none() && (moves || !self.left.is_empty() && may_leave)
    }

    fn compared(&self) -> u64 {
        self.place.compared()
    }

    fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref()
    }
}
