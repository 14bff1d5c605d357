//! How long a request may wait: counted from when nothing but the unit itself keeps it.

use std::collections::VecDeque;

use super::CommitContract;
use crate::kit::*;
use crate::zbuffer_commit::channels::{ACK, COLOR, ZREAD, ZWRITE};
use crate::zbuffer_commit::{corners, rules};

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
        let is_released = self.taken & !taken != 0;
        self.taken = taken;
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
            let yielded = yields || (live.yielded && !is_released);
            let goes = !waits && (!misses || (!yielded && self.has_room(at, &firsts)));
            let live = &mut self.live[at];
            live.yielded = yielded;
            live.waited = if goes { live.waited + u64::from(!is_held_up) } else { 0 };
            if live.waited > most {
                return Err(rules::IN_TIME.broken(format!("{} for {most} clocks", live.request)));
            }
        }
        Ok(())
    }

    /// The request needs depths that are not asked for yet.
    fn may_miss(&self, at: usize) -> bool {
        let live = &self.live[at];
        let is_read = self.reads.iter().any(|&(_, other)| other == live.block);
        !live.colored && !self.cached.contains(&live.block) && !is_read
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
