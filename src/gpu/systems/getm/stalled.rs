//! The contents of a stall buffer, reconstructed from a validation unit's ports.

use std::collections::{HashMap, VecDeque};

use warpsmith_blocks::getm_metadata::Verdict;
use warpsmith_blocks::getm_validation::{Issue, Issued, Params};

/// The stall buffer of a unit.
pub(super) struct Stalled {
    entries: usize,
    most_lines: usize,
    /// Addresses of the lines in use, with their number of entries.
    lines: HashMap<u64, usize>,
    /// Issued to the table and undecided.
    undecided: VecDeque<Issued>,
}

impl Stalled {
    /// The empty stall buffer of a unit after its reset.
    pub fn new(p: &Params) -> Self {
        Self {
            entries: p.entries as usize,
            most_lines: p.lines as usize,
            lines: HashMap::new(),
            undecided: VecDeque::new(),
        }
    }

    /// The unit issues something.
    pub fn issued(&mut self, issued: Issued) {
        match issued.what {
            Issue::Request | Issue::Retry | Issue::Release | Issue::Clear => {
                self.undecided.push_back(issued);
            }
            Issue::RefusedRetry => self.leave(issued.access.address),
            Issue::RefusedRequest | Issue::Stop => {}
        }
    }

    /// The decision on the oldest undecided item.
    pub fn decided(&mut self, verdict: u64) {
        let Some(Issued { what, access }) = self.undecided.pop_front() else { return };
        let parks = verdict == Verdict::Park as u64;
        match what {
            Issue::Request if parks => self.park(access.address),
            // A retry that waits again keeps its entry.
            Issue::Retry if !parks => self.leave(access.address),
            _ => {}
        }
    }

    /// Allocates an entry, if there is room.
    fn park(&mut self, address: u64) {
        let lines = self.lines.len();
        match self.lines.get_mut(&address) {
            Some(waiting) => *waiting = (*waiting + 1).min(self.entries),
            None if lines < self.most_lines => {
                self.lines.insert(address, 1);
            }
            None => {}
        }
    }

    fn leave(&mut self, address: u64) {
        if let Some(waiting) = self.lines.get_mut(&address) {
            *waiting -= 1;
            if *waiting == 0 {
                self.lines.remove(&address);
            }
        }
    }

    /// Accesses that wait, and addresses that they wait for.
    pub fn waiting(&self) -> [u64; 2] {
        [self.lines.values().sum(), self.lines.len()].map(|count| count as u64)
    }
}
