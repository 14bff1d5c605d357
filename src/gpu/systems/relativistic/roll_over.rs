//! Roll-over of logical time: all L1s close and drain, all banks roll over, then all L1s are cleared. The thesis (3.4.4)
//! does without the first part, which is unsound while messages are in flight.

use super::Relativistic;
use super::planted::ROLL_WITHOUT_DRAIN;
use crate::memory::Shared;

/// The part of a roll-over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Idle,
    /// L1s take no accesses, and wait for their answers.
    Draining,
    /// Banks have been told, and some have not rolled over.
    Rolling,
}

/// The coordinator.
#[derive(Debug, Default)]
pub(super) struct RollOver {
    part: Part,
    /// Banks that have not rolled over.
    left: usize,
    /// Roll-overs since the machine was made.
    pub count: u64,
}

impl RollOver {
    /// A bank must be clocked although it has no request.
    pub fn is_rolling(&self) -> bool {
        self.part == Part::Rolling
    }
}

impl Relativistic {
    /// A time has come close to its largest, or a launch begins. A second wish of the same roll-over changes nothing.
    pub(super) fn roll_over(&mut self, shared: &mut Shared) {
        if self.roll_over.part != Part::Idle {
            return;
        }
        self.roll_over.part = Part::Draining;
        if self.skips_draining() {
            return self.roll_banks(shared);
        }
        self.l1.iter_mut().for_each(|l1| l1.is_closed = true);
        self.drained(shared);
    }

    fn skips_draining(&self) -> bool {
        self.planted.is(ROLL_WITHOUT_DRAIN) || self.settings.faithful
    }

    /// An L1 has got an answer, perhaps its last.
    pub(super) fn drained(&mut self, shared: &mut Shared) {
        if self.roll_over.part == Part::Draining && self.l1.iter().all(|l1| l1.is_drained()) {
            self.roll_banks(shared);
        }
    }

    fn roll_banks(&mut self, shared: &mut Shared) {
        (self.roll_over.part, self.roll_over.left) = (Part::Rolling, self.banks.len());
        for bank in 0..self.banks.len() as u32 {
            self.roll_bank(shared, bank);
        }
    }

    /// A bank has rolled over.
    pub(super) fn rolled(&mut self, shared: &mut Shared) {
        self.roll_over.left -= 1;
        if self.roll_over.left > 0 {
            return;
        }
        self.roll_over.part = Part::Idle;
        self.roll_over.count += 1;
        (0..self.l1.len() as u32).for_each(|core| self.clear_l1(shared, core));
    }
}
