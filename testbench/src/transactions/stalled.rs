//! Who waits in a stall buffer, as a validation unit's ports show it.

use std::collections::{HashMap, VecDeque};

use warpsmith_blocks::getm_metadata::Verdict;
use warpsmith_blocks::getm_validation::{Issue, Issued, Params};

/// The stall buffer of a unit.
pub(super) struct Stalled {
    entries: usize,
    most_lines: usize,
    /// The address of each line that is in use, and its entries in use.
    lines: HashMap<u64, usize>,
    /// Issued to the table and not decided.
    undecided: VecDeque<Issued>,
}

impl Stalled {
    /// Of a unit after its reset.
    pub fn new(p: &Params) -> Self {
        Self {
            entries: p.entries as usize,
            most_lines: p.lines as usize,
            lines: HashMap::new(),
            undecided: VecDeque::new(),
        }
    }

    /// The unit does something.
    pub fn issued(&mut self, issued: Issued) {
        match issued.what {
            Issue::Request | Issue::Retry | Issue::Release | Issue::Clear => {
                self.undecided.push_back(issued);
            }
            Issue::RefusedRetry => self.leave(issued.access.address),
            Issue::RefusedRequest | Issue::Stop => {}
        }
    }

    /// The verdict on the oldest thing that is not decided.
    pub fn decided(&mut self, verdict: u64) {
        let Some(Issued { what, access }) = self.undecided.pop_front() else { return };
        let parks = verdict == Verdict::Park as u64;
        match what {
            Issue::Request if parks => self.park(access.address),
            // One that waits on has kept its entry.
            Issue::Retry if !parks => self.leave(access.address),
            _ => {}
        }
    }

    /// Takes an entry, if there is room.
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

    /// Accesses that wait, and the granules that they wait for.
    pub fn waiting(&self) -> (usize, usize) {
        (self.lines.values().sum(), self.lines.len())
    }
}
