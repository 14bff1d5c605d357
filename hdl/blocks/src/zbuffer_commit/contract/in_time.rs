//! How long a request may wait: counted from when nothing but the unit itself keeps it.

use std::collections::VecDeque;

use super::{CommitContract, Live, Reset};
use crate::kit::*;
use crate::zbuffer_commit::channels::{ACK, COLOR, REQ, ZREAD, ZWRITE};
use crate::zbuffer_commit::{corners, rules};

/// Clocks for which a request may be refused although there is an entry.
const MOST_REFUSED: u64 = 4;

/// The oldest request of a block.
struct First {
    /// Its place among the live ones.
    at: usize,
    set: u64,
    /// It needs depths that are not asked for yet.
    misses: bool,
    /// Its color was presented.
    colored: bool,
    /// The L2 owes an acknowledgement of its block's write-back, or any answer about its block.
    is_written: bool,
    is_awaited: bool,
}

impl CommitContract {
    /// No request waits long for anything but the L2, its own block and room.
    pub(super) fn in_time(
        &mut self,
        channels: &Channels<'_>,
        corners: &mut Corners,
    ) -> Result<(), Violation> {
        let (ways, entries) = (self.params.ways as usize, self.params.comparator_entries as usize);
        let is_held_up = [ACK, COLOR, ZREAD, ZWRITE].iter().any(|&channel| {
            let view = channels.at(channel);
            view.valid && !view.ready
        });
        let most = self.params.longest_wait();
        let firsts = self.firsts();
        let all_taken = self.reads.len() >= entries;
        let read_sets: Vec<_> =
            self.reads.iter().map(|&(_, block)| self.params.set_of(block)).collect();
        let mut oldest_misses = false;
        for (index, first) in firsts.iter().enumerate() {
            let needs_room = first.misses && !first.is_awaited;
            corners.count(corners::WRITE_BACK_AWAITED, first.is_written);
            let locked = || read_sets.iter().filter(|&&set| set == first.set).count() >= ways;
            corners.count(corners::SET_LOCKED, needs_room && locked());
            corners.count(corners::COMPARATORS_TAKEN, needs_room && all_taken);
            let goes = !first.is_awaited
                && (!first.misses
                    || match index {
                        0 => self.has_room_first(&firsts, &read_sets),
                        // The oldest request goes first.
                        _ => !oldest_misses && self.has_room(first, &firsts),
                    });
            oldest_misses |= index == 0 && first.misses;
            let live = &mut self.live[first.at];
            live.waited = if goes { live.waited + u64::from(!is_held_up) } else { 0 };
            if live.waited > most {
                return Err(rules::IN_TIME.broken(format!("{} for {most} clocks", live.request)));
            }
        }
        Ok(())
    }

    /// The oldest request of each block, in the order of their arrival.
    fn firsts(&self) -> Vec<First> {
        let is_at = |due: &VecDeque<(u64, u64)>, block| due.iter().any(|&(_, of)| of == block);
        let firsts = self.live.iter().enumerate().filter(|(_, live)| live.is_first);
        let first = |(at, live): (usize, &Live)| {
            let Live { block, colored, .. } = *live;
            let (is_read, is_written) = (is_at(&self.reads, block), is_at(&self.writes, block));
            First {
                at,
                set: self.params.set_of(block),
                misses: !colored && !is_read && !self.is_cached(block),
                colored,
                is_written,
                is_awaited: is_read || is_written || is_at(&self.colors, block),
            }
        };
        firsts.map(first).collect()
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
    fn has_room_first(&self, firsts: &[First], read_sets: &[u64]) -> bool {
        let p = &self.params;
        let awaiting = || firsts.iter().filter(|first| first.is_written);
        let of_set = |set: &u64| *set == firsts[0].set;
        let locked = read_sets.iter().filter(|set| of_set(set)).count()
            + awaiting().filter(|first| of_set(&first.set)).count();
        let entries = self.taken() + awaiting().count();
        locked < p.ways as usize && entries < p.comparator_entries as usize
    }

    /// There are a way and a comparator entry for a miss, whatever others have taken.
    fn has_room(&self, first: &First, firsts: &[First]) -> bool {
        let p = &self.params;
        let others = || firsts.iter().filter(|other| other.at != first.at && !other.colored);
        let ways = others().filter(|other| other.set == first.set).count();
        let entries = others().filter(|other| other.misses).count();
        ways < p.ways as usize && self.taken() + entries < p.comparator_entries as usize
    }
}
