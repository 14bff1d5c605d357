//! The synchronization FIFO as a sequential program (3, 3.1.3).

use std::collections::VecDeque;

use super::channels::{ENQUEUE, Entry, Kind, RESERVED_KIND};
use super::params::Params;
use super::{DEQUEUE, ERROR, corners, exercise};
use crate::kit::*;

/// The reference model.
#[derive(Clone, Debug)]
pub struct SFifo {
    params: Params,
    /// Entries that are not due, the oldest first.
    waiting: VecDeque<Entry>,
    /// Entries that have left.
    left: usize,
}

impl SFifo {
    /// An empty FIFO.
    pub fn new(params: &Params) -> Self {
        Self { params: params.clone(), waiting: VecDeque::new(), left: 0 }
    }

    /// Draining goes on while the FIFO is full or has a release.
    fn drains(&self) -> bool {
        self.waiting.len() == self.params.depth as usize
            || self.waiting.iter().any(Entry::is_release)
    }

    fn count(&self, entry: &Entry, outcome: &mut Outcome<'_>) {
        let corners = &mut outcome.corners;
        let waits = self.waiting.iter().any(|waiting| waiting.block == entry.block);
        let others = self.waiting.len();
        let fills = others + 1 == self.params.depth as usize;
        match entry.kind {
            Some(Kind::Write) => corners.count(corners::DUPLICATE, waits),
            Some(Kind::Atomic) => corners.count(corners::ATOMIC_OF_WRITTEN, waits),
            _ => {
                corners.count(corners::RELEASE_LAST, fills);
                corners.count(corners::RELEASE_DRAINS, others > 0);
                corners.count(corners::WITH_ANSWER, entry.needs_ack);
                corners.count(corners::WITHOUT_ANSWER, !entry.needs_ack);
            }
        }
        corners.count(corners::FULL_DRAINS, fills && !entry.is_release());
    }
}

impl Reference for SFifo {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        assert_eq!(channel, ENQUEUE, "an input");
        let entry = Entry::decode(payload).kept();
        if entry.kind.is_none() {
            outcome.corners.hit(corners::RESERVED);
            outcome.sink.expect(ERROR, &[RESERVED_KIND]);
            return;
        }
        self.count(&entry, outcome);
        self.waiting.push_back(entry);
        while self.drains() {
            let oldest = self.waiting.pop_front().expect("a FIFO that drains has an entry");
            let row = self.left % self.params.depth as usize;
            exercise::note_left(&self.params, row, &oldest, outcome.corners);
            self.left += 1;
            outcome.sink.expect(DEQUEUE, &oldest.encode());
        }
    }

    fn state(&self) -> Vec<String> {
        self.waiting.iter().map(|entry| format!("waits: {entry}")).collect()
    }
}
