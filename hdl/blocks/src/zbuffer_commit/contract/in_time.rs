//! How long a request may wait: counted from when nothing but the unit itself keeps it.

use std::collections::VecDeque;

use super::{CommitContract, Reset};
use crate::kit::*;
use crate::zbuffer_commit::channels::{ACK, COLOR, REQ, ZREAD, ZWRITE};
use crate::zbuffer_commit::{corners, rules};

/// Clocks for which a request may be refused although there is an entry.
const MOST_REFUSED: u64 = 4;

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
        let most = p.longest_wait();
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
            let has_room = match at {
                0 => self.has_room_first(&firsts),
                // The oldest request goes first.
                _ => !self.may_miss(0) && self.has_room(at, &firsts),
            };
            let goes = !waits && (!misses || has_room);
            let live = &mut self.live[at];
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

    /// Comparator entries that the L2 owes an answer.
    fn taken(&self) -> usize {
        let owed = self.reads.iter().chain(&self.writes);
        owed.fold(0_u64, |all, (entry, _)| all | 1 << entry).count_ones() as usize
    }

    /// There is room for the oldest request, which goes first: others keep what it needs only while the L2 owes
    /// them an answer.
    fn has_room_first(&self, firsts: &[usize]) -> bool {
        let p = &self.params;
        let mine = p.set_of(self.live[0].block);
        let is_written = |block: u64| self.writes.iter().any(|&(_, other)| other == block);
        let awaiting: Vec<_> =
            firsts.iter().map(|&at| self.live[at].block).filter(|&it| is_written(it)).collect();
        let read = self.reads.iter().map(|&(_, block)| block);
        let locked = read.chain(awaiting.iter().copied()).filter(|&it| p.set_of(it) == mine);
        let entries = self.taken() + awaiting.len();
        locked.count() < p.ways as usize && entries < p.comparator_entries as usize
    }

    /// There are a way and a comparator entry for a miss, whatever others of `firsts`, the oldest of their
    /// blocks, have taken.
    fn has_room(&self, at: usize, firsts: &[usize]) -> bool {
        let p = &self.params;
        let set_of = |at: usize| p.set_of(self.live[at].block);
        let others = || firsts.iter().filter(|&&other| other != at && !self.live[other].colored);
        let ways = others().filter(|&&other| set_of(other) == set_of(at)).count();
        let entries = others().filter(|&&other| self.may_miss(other)).count();
        ways < p.ways as usize && self.taken() + entries < p.comparator_entries as usize
    }
}
