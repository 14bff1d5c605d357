//! The end of a warp's transactions: conflicts of its lanes, its log, and what it had reserved (4.4.1).

use std::collections::BTreeMap;

use warpsmith_blocks::getm_commit::{Item, Kind as ItemKind};

use super::log::WORD;
use super::message::Kind;
use super::oracle::word_of;
use super::planted::{
    ABORTED_KEEP_RESERVATION, ABORTED_STORES_COMMIT, COMMIT_BEFORE_VALIDATION, LOG_LOSES_LAST,
    OWNERSHIP_MISSES,
};
use super::warp::State;
use super::{Getm, SystemEvent};
use crate::config::LINE;
use crate::memory::{Done, Shared};
use crate::simt::lanes_of;

/// Bytes of an item of a log.
const ITEM: u64 = 2 * WORD;

impl Getm {
    /// All lanes of a warp are at the end of their transactions, or have aborted.
    pub(super) fn end(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        let index = self.index(core, warp);
        self.warps[index].state = State::Ends;
        self.end_if_answered(shared, index);
    }

    /// Begins the check for conflicts between lanes, when every access is answered. It goes through the log
    /// row by row in each of its two phases, and needs all of it in the L1.
    pub(super) fn end_if_answered(&mut self, shared: &mut Shared, index: usize) {
        let warp = &self.warps[index];
        let early = self.planted.is(COMMIT_BEFORE_VALIDATION);
        if warp.state != State::Ends || warp.outstanding > 0 && !early {
            return;
        }
        let entries = self.settings.ownership_bytes as usize / WORD as usize;
        let forgets = self.planted.is(OWNERSHIP_MISSES);
        let conflicts = warp.log.conflicts(warp.running(), entries, forgets);
        self.abort(shared, index, conflicts, "LANE");
        let (core, place) = self.place(index);
        let lines = self.warps[index].log.lines;
        let fetches = self.fetch_log(shared, core, place, lines);
        let warp = &mut self.warps[index];
        (warp.state, warp.fetches) = (State::Checks, fetches);
        if fetches == 0 {
            self.check(shared, index);
        }
    }

    /// A line of a log is back.
    pub(super) fn fetched(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        let index = self.index(core, warp);
        self.warps[index].fetches -= 1;
        if self.warps[index].fetches == 0 {
            self.check(shared, index);
        }
    }

    fn check(&mut self, shared: &mut Shared, index: usize) {
        let log = &self.warps[index].log;
        let clocks = u64::from(2 * log.rows + log.lines);
        shared.events.at(shared.events.now() + clocks, SystemEvent::Timer(index as u32));
    }

    /// Sends the log of a warp, and ends its transactions.
    pub(super) fn finish(&mut self, shared: &mut Shared, index: usize) {
        if self.lazy.is_some() {
            return self.finish_lazy(shared, index);
        }
        let (core, place) = self.place(index);
        let warp = &mut self.warps[index];
        let mut log = std::mem::take(&mut warp.log);
        let committed = warp.running();
        let at = (self.epoch + warp.warpts) << 5;
        self.send_log(shared, index, &log, committed);
        for lane in lanes_of(committed) {
            if let Some(log) = log.lanes[lane].take() {
                self.oracle.commit(at | lane as u64, [core, place, lane as u32], log);
            }
        }
        self.warps[index].log = log;
        self.conclude(shared, index);
    }

    /// The transactions of a warp are over.
    pub(super) fn conclude(&mut self, shared: &mut Shared, index: usize) {
        let (core, place) = self.place(index);
        let now = shared.events.now();
        let warp = &mut self.warps[index];
        let (aborted, committed) = (warp.aborted, warp.running());
        let log = std::mem::take(&mut warp.log);
        warp.granules.clear();
        // Answers that come later, by an error that is planted, are to no transaction.
        (warp.outstanding, warp.serial) = (0, warp.serial + 1);
        self.counts.execution_clocks += now - warp.since;
        self.counts.longest_log = self.counts.longest_log.max(log.rows.into());
        self.drop_log(core, place, log.lines);
        self.counts.commits += u64::from(committed.count_ones());
        if committed != 0 {
            (self.progress, self.aborts_before) = (now, self.counts.aborted());
        }
        self.running -= 1;
        self.warps[index].state = State::Outside;
        if aborted == 0 {
            self.leave(shared, index);
        }
        self.start_held(shared);
        shared.done.push(Done::TransactionEnded { core, warp: place, aborted });
    }

    /// So many writes to a granule are released.
    pub(super) fn released(&mut self, shared: &mut Shared, address: u64, count: u64) {
        let granule = address / u64::from(self.settings.granule_bytes);
        let Some(&index) = self.logged.get(&granule) else { return };
        let warp = &mut self.warps[index];
        warp.logged = warp.logged.saturating_sub(count);
        if warp.logged == 0 {
            self.start_held(shared);
        }
    }

    /// Sends what committed lanes have stored, and what all have reserved, to the commit units.
    fn send_log(
        &mut self,
        shared: &mut Shared,
        index: usize,
        log: &super::log::Log,
        committed: u32,
    ) {
        let (core, _) = self.place(index);
        let mut words = BTreeMap::<u64, (u64, u64)>::new();
        let all = self.warps[index].lanes;
        let sent = if self.planted.is(ABORTED_STORES_COMMIT) { all } else { committed };
        for lane in lanes_of(sent) {
            let stores = log.lanes[lane].iter().flat_map(|log| &log.stores);
            for (word, stored) in stores {
                let (data, bytes) = words.entry(word / ITEM * ITEM).or_default();
                let shift = word % ITEM * 8;
                let mask = u64::from(stored.mask) << shift;
                *data = *data & !mask | u64::from(stored.value) << shift;
                *bytes |= mask;
                let found = word_of(shared, *word);
                self.oracle.log(*word, *stored, found);
            }
        }
        if self.planted.is(LOG_LOSES_LAST) {
            words.pop_last();
        }
        let mut reserved = std::mem::take(&mut self.warps[index].reserved);
        let mut items = BTreeMap::<u32, Vec<Item>>::new();
        let granule_bytes = u64::from(self.settings.granule_bytes);
        for (address, (data, mask)) in words {
            let counted = reserved.entry(address / granule_bytes * granule_bytes).or_default();
            *counted = counted.saturating_sub(1);
            let bytes = (0..8).filter(|byte| mask >> (8 * byte) & 1 == 1);
            let bytes = bytes.fold(0, |all, byte| all | 1 << byte);
            let item = Item { kind: Some(ItemKind::Commit), address, data, bytes, count: 1 };
            items.entry((address / LINE as u64) as u32).or_default().push(item);
        }
        let keeps = self.planted.is(ABORTED_KEEP_RESERVATION);
        for (address, count) in reserved.into_iter().filter(|(_, count)| *count > 0 && !keeps) {
            let item = Item { kind: Some(ItemKind::Abort), address, data: 0, bytes: 0, count };
            items.entry((address / LINE as u64) as u32).or_default().push(item);
        }
        for item in items.values().flatten().filter(|_| self.settings.faithful) {
            self.logged.insert(item.address / granule_bytes, index);
            self.warps[index].logged += item.count;
        }
        // One message to each partition.
        let mut messages = BTreeMap::<u32, (u32, Vec<Item>)>::new();
        for (line, items) in items {
            let partition = self.partition(shared.homes.home(line), line);
            messages.entry(partition).or_insert((line, Vec::new())).1.extend(items);
        }
        for (line, items) in messages.into_values() {
            self.logs_under_way += 1;
            let l1 = &mut self.l1[core as usize];
            l1.free = l1.free.max(shared.events.now()) + items.len() as u64;
            self.request(shared, core, line, Kind::Log(items), [0; LINE]);
        }
    }
}
