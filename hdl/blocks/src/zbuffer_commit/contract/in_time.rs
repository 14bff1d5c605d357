//! How long a request may wait: counted from when nothing but the unit itself keeps it.

use std::collections::VecDeque;

use super::{CommitContract, Reset};
use crate::kit::*;
use crate::zbuffer_commit::channels::{ACK, COLOR, REQ, ZREAD, ZWRITE};
use crate::zbuffer_commit::{corners, rules};

/// Clocks for which a request may be refused although there is an entry.
const MOST_REFUSED: u64 = 4;
/// Clocks in which a block that is evicted is offered, counted from when the depths came.
const OFFERED_SOON: u32 = 16;

impl CommitContract {
    /// No request waits long for anything but the L2, its own block and room.
    pub(super) fn in_time(
        &mut self,
        channels: &Channels<'_>,
        corners: &mut Corners,
    ) -> Result<(), Violation> {
        let p = self.params.clone();
        let is_held_up = [ACK, COLOR, ZREAD, ZWRITE].iter().any(|&channel| {
            let view = channels.at(channel);
            view.valid && !view.ready
        });
        let taken =
            self.reads.iter().chain(&self.writes).fold(0, |all, (entry, _)| all | 1 << entry);
        self.clocks += 1;
        let released = self.released(taken, is_held_up);
        // Each request is picked at most once behind each other one, and passes the pipeline twice.
        let most = 24 + 3 * u64::from(p.request_entries);
        let firsts: Vec<_> = (0..self.live.len())
            .filter(|&at| self.oldest(self.live[at].block) == Some(at))
            .collect();
        for &at in &firsts {
            let live = &self.live[at];
            let is_at = |due: &VecDeque<(u64, u64)>| due.iter().any(|&(_, of)| of == live.block);
            let waits = is_at(&self.reads) || is_at(&self.writes) || is_at(&self.colors);
            corners.count(corners::WRITE_BACK_AWAITED, is_at(&self.writes));
            let misses = self.may_miss(at) && !waits;
            let in_set = |&&(_, other): &&(u64, u64)| p.set_of(other) == p.set_of(live.block);
            let locked = self.reads.iter().filter(in_set).count() >= p.ways as usize;
            corners.count(corners::SET_LOCKED, misses && locked);
            let all_taken = self.reads.len() >= p.comparator_entries as usize;
            corners.count(corners::COMPARATORS_TAKEN, misses && all_taken);
            // What has yielded to the oldest request sleeps until a comparator entry is released.
            let yields = at > 0 && self.may_miss(0);
            let yielded = match yields {
                true => Some(self.clocks),
                false => live.yielded.filter(|&last| released.is_none_or(|since| since <= last)),
            };
            let goes = !waits && (!misses || (yielded.is_none() && self.has_room(at, &firsts)));
            let live = &mut self.live[at];
            live.yielded = yielded;
            live.waited = if goes { live.waited + u64::from(!is_held_up) } else { 0 };
            if live.waited > most {
                return Err(rules::IN_TIME.broken(format!("{} for {most} clocks", live.request)));
            }
        }
        Ok(())
    }

    /// The clock from which on a comparator entry may have been released, once it is certain. Between its depths and
    /// the block that it evicts, an entry looks as if it were: it is when the block is not offered soon.
    fn released(&mut self, taken: u64, is_held_up: bool) -> Option<u64> {
        let mut released = None;
        for (entry, free) in self.free.iter_mut().enumerate() {
            let was = self.taken >> entry & 1 == 1;
            if taken >> entry & 1 == 1 {
                let is_read = self.reads.iter().any(|&(other, _)| other == entry as u64);
                let since = free.take().map(|(since, _)| since).filter(|_| is_read);
                released = released.max(since);
            } else if was {
                *free = Some((self.clocks, OFFERED_SOON));
            } else if let Some((since, left)) = free.filter(|_| !is_held_up) {
                *free = (left > 0).then_some((since, left.saturating_sub(1)));
                released = released.max(Some(since).filter(|_| left == 0));
            }
        }
        self.taken = taken;
        released
    }

    /// The request needs depths that are not asked for yet.
    fn may_miss(&self, at: usize) -> bool {
        let live = &self.live[at];
        let is_read = self.reads.iter().any(|&(_, other)| other == live.block);
        !live.colored && !self.cached.contains(&live.block) && !is_read
    }

    /// Whether a request is taken while there is an entry for it.
    pub(super) fn takes(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        let view = channels.at(REQ);
        let has_entry =
            self.reset == Reset::None && self.live.len() < self.params.request_entries as usize;
        self.refused = if has_entry && view.valid && !view.ready { self.refused + 1 } else { 0 };
        rules::ENTRIES_USED.require(self.refused <= MOST_REFUSED, || {
            format!(
                "{} requests are under way, and none is taken for {MOST_REFUSED} clocks",
                self.live.len()
            )
        })
    }

    /// There are a way and a comparator entry for a miss, whatever others of `firsts`, the oldest of their
    /// blocks, have taken.
    fn has_room(&self, at: usize, firsts: &[usize]) -> bool {
        let p = &self.params;
        let set_of = |at: usize| p.set_of(self.live[at].block);
        let others = || firsts.iter().filter(|&&other| other != at && !self.live[other].colored);
        let ways = others().filter(|&&other| set_of(other) == set_of(at)).count();
        let entries = others().filter(|&&other| self.may_miss(other)).count();
        ways < p.ways as usize
            && self.taken.count_ones() as usize + entries < p.comparator_entries as usize
    }
}
