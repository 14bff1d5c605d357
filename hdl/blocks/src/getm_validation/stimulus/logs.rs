//! The commit unit's releases, and the conductor of roll-overs.

use rand::seq::SliceRandom;

use super::{LOADS, Roll, Transactions};
use crate::getm_validation::channels::Release;
use crate::kit::*;

/// What is still to be sent of a transaction's writes to an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Log {
    pub address: u64,
    pub count: u64,
    pub warpts: u64,
}

impl Transactions {
    pub(super) fn release(&mut self, rng: &mut StimulusRng) -> Option<Release> {
        if self.roll == Roll::None && rng.random_range(0..256) == 0 {
            // Of no writes, which is misuse anywhere.
            return Some(Release { address: self.address(rng), count: 0 });
        }
        if self.roll == Roll::None && !self.pool.is_empty() && rng.random_range(0..4) == 0 {
            // Of a granule that is not reserved, though one is that could be taken for it.
            let address = self.missing(rng) << self.params.offset_bits();
            return Some(Release { address, count: 0 });
        }
        if self.waits_for_answers() {
            return None;
        }
        if rng.random_range(0..8) == 0 {
            self.releases.make_contiguous().shuffle(rng);
        }
        let log = self.releases.front_mut()?;
        // A log is sent in parts, now and then: one write, or all but a power of two, so that the count
        // differs from that of the writes under way in one bit.
        if log.count > 1 && rng.random() {
            let drawn = 1 << rng.random_range(0..=log.count.ilog2());
            let left = match log.count & drawn {
                0 => log.count - 1,
                bit if bit == log.count => log.count - 1,
                bit => bit,
            };
            let sent = Release { address: log.address, count: log.count - left };
            log.count = left;
            let log = *log;
            if self.crowds {
                self.follower = self.stranger(&log, rng);
            }
            return Some(sent);
        }
        let Log { address, count, .. } = self.releases.pop_front()?;
        Some(Release { address, count })
    }

    pub(super) fn all_answered(&self) -> bool {
        self.probes.is_empty() && self.warps.iter().all(|warp| warp.unanswered.is_empty())
    }

    /// Whether the cores do nothing before every access is answered.
    pub(super) fn waits_for_answers(&self) -> bool {
        self.roll != Roll::None && self.manners.answers_first && !self.all_answered()
    }

    /// Whether the unit is to stop, or to go on.
    pub(super) fn roll(&mut self, rng: &mut StimulusRng) -> Option<bool> {
        let logs_done = self.releases.is_empty() && self.all_answered();
        match self.roll {
            Roll::None if self.stream == LOADS => None,
            Roll::None => (rng.random_range(0..self.roll_interval) == 0).then_some(false),
            // Too early, now and then.
            Roll::Stopped if logs_done || self.manners.hasty || rng.random_range(0..256) == 0 => {
                self.roll = Roll::Told;
                Some(true)
            }
            _ => None,
        }
    }
}
