//! What must hold whatever the reference says. Entries are numbered as they come; how far they are due is
//! one number.

use std::collections::VecDeque;

use super::channels::{DEQUEUE, ENQUEUE, ERROR, Entry, RESERVED_KIND};
use super::params::Params;
use super::{corners, rules};
use crate::kit::*;

/// The run-time checks.
#[derive(Default)]
pub(super) struct SFifoContract {
    depth: u64,
    capacity: u64,
    /// Entries that are inside, the oldest first.
    inside: VecDeque<Entry>,
    /// Entries that have left, and that have come.
    left: u64,
    came: u64,
    /// Entries before this number are due.
    due: u64,
    /// The oldest entry was due before the last clock.
    is_late: bool,
    error_due: bool,
    /// The last entry was a release.
    after_release: bool,
    stalls: Stalls,
}

impl SFifoContract {
    pub(super) fn new(p: &Params) -> Self {
        let (depth, capacity) = (p.depth.into(), p.capacity().into());
        Self { depth, capacity, stalls: Stalls::new(corners::STALLED), ..Self::default() }
    }

    fn check_offer(&self, channels: &Channels<'_>) -> Result<(), Violation> {
        let offer = channels.at(DEQUEUE);
        rules::DUE_IN_TIME
            .require(offer.valid || !self.is_late, || format!("entry {} is not", self.left))?;
        if !offer.valid {
            return Ok(());
        }
        let (entry, oldest) = (Entry::decode(offer.payload), self.inside.front());
        rules::IN_ORDER.require(oldest == Some(&entry), || match oldest {
            Some(oldest) => format!("{entry} is offered, the oldest is a {oldest}"),
            None => format!("{entry} is offered, and nothing is inside"),
        })?;
        rules::ONLY_WHEN_DUE.require(self.left < self.due, || format!("{entry} is offered"))
    }

    fn check_others(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        let room = (self.inside.len() as u64) < self.capacity;
        let ready = channels.at(ENQUEUE).ready;
        rules::TAKES_WHILE_ROOM.require(room == ready, || {
            format!("{} entries inside, ready is {}", self.inside.len(), u64::from(ready))
        })?;
        let (due, error) = (std::mem::take(&mut self.error_due), channels.at(ERROR));
        let as_due = due == error.valid && (!due || error.payload[0] == RESERVED_KIND);
        rules::ERROR_AS_DUE.require(as_due, || format!("due: {due}, raised: {}", error.valid))
    }

    fn enter(&mut self, entry: &Entry) {
        self.came += 1;
        self.due = match entry.is_release() {
            true => self.came,
            false => self.due.max((self.came + 1).saturating_sub(self.depth)),
        };
        self.after_release = entry.is_release();
        self.inside.push_back(entry.kept());
    }

    fn count(&self, enters: Option<&Entry>, leaves: bool, corners: &mut Corners) {
        let releases = self.inside.iter().filter(|entry| entry.is_release()).count();
        let is_full = self.inside.len() as u64 >= self.depth;
        let steady = enters.is_some() && leaves && is_full && releases == 0;
        corners.count(corners::FULL_STEADY, steady);
        corners.count(corners::NO_ROOM, self.inside.len() as u64 == self.capacity);
        corners.count(corners::RELEASES_INSIDE, releases == 2);
        let rest = self.came - self.left;
        let ends = leaves && self.inside[0].is_release() && rest > 1 && self.due == self.left + 1;
        corners.count(corners::DRAINING_ENDS, ends && enters.is_none());
        let Some(entry) = enters else { return };
        let is_release = entry.is_release();
        corners.count(corners::RELEASE_ALONE, is_release && self.inside.is_empty());
        corners.count(corners::RELEASES_BACK_TO_BACK, is_release && self.after_release);
        corners.count(corners::ACCEPTS_WHILE_DRAINING, !is_release && releases > 0);
    }
}

impl Contract for SFifoContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.check_others(channels)?;
        self.check_offer(channels)?;
        self.stalls.clock(channels, corners);

        let entry = channels.taken(ENQUEUE).map(Entry::decode);
        let leaves = channels.at(DEQUEUE).fires();
        let enters = entry.filter(|entry| entry.kind.is_some());
        self.count(enters.as_ref(), leaves, corners);
        self.error_due = entry.is_some() && enters.is_none();
        if leaves {
            self.inside.pop_front();
            self.left += 1;
        }
        self.is_late = self.left < self.due;
        if let Some(entry) = enters {
            self.enter(&entry);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        rules::DUE_IN_TIME
            .require(self.left == self.due, || format!("entry {} never left", self.left))
    }
}
