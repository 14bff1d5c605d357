//! The end of a warp's transactions: validation, decision, writes (figure 4.2, above).

use std::collections::BTreeMap;

use super::super::Getm;
use super::super::log::LaneLog;
use super::super::message::Kind;
use super::super::oracle::word_of;
use super::super::warp::State as Warp;
use super::partition::{Entry, Logged, State, What, first_byte};
use super::planted::{
    DECIDES_EARLY, HAZARDS_IGNORED, TEMPORAL_CONFLICTS_IGNORED, UNWRITTEN_IGNORED,
    VALIDATION_SKIPPED,
};
use super::{Ending, Variant};
use crate::config::LINE;
use crate::memory::Shared;
use crate::simt::lanes_of;
use crate::systems::getm::SystemEvent;

impl Getm {
    /// The log of a warp has been gone through: its lanes commit silently, or go to be validated.
    pub(in super::super) fn finish_lazy(&mut self, shared: &mut Shared, index: usize) {
        let (core, place) = self.place(index);
        let ignores = self.planted.is(TEMPORAL_CONFLICTS_IGNORED);
        let now = shared.events.now();
        self.validate_at_once(shared, index);
        let Some(lazy) = &mut self.lazy else { return };
        let (variant, ending) = (lazy.variant, &mut lazy.endings[index]);
        let late = if ignores { 0 } else { ending.late };
        let first = ending.first_load.unwrap_or(now);
        let warp = &mut self.warps[index];
        let running = warp.running();
        let mut left = running;
        ending.lanes = left;
        if variant == Variant::Eager {
            self.commit_lanes(shared, index, left);
            return self.send_logs(shared, index, Some(left));
        }
        for lane in lanes_of(running & !late) {
            let log = &mut warp.log.lanes[lane];
            if log.as_ref().is_some_and(|log| log.stores.is_empty())
                && let Some(log) = log.take()
            {
                // Before all that commit in the clock of its first load: it has seen none of them.
                let at = (first << 5).saturating_sub(1);
                self.oracle.commit(at, [core, place, lane as u32], log);
                self.counts.silent_commits += 1;
                left &= !(1 << lane);
            }
        }
        ending.lanes = left;
        self.send_logs(shared, index, None);
    }

    /// Sends the logs of lanes to their partitions, to be validated, or to be written.
    fn send_logs(&mut self, shared: &mut Shared, index: usize, decided: Option<u32>) {
        let (core, _) = self.place(index);
        let mut parts = BTreeMap::<u32, (u32, Vec<Logged>)>::new();
        let Some(Ending { lanes, .. }) = self.lazy.as_ref().map(|it| it.endings[index].clone())
        else {
            return;
        };
        for lane in lanes_of(lanes) {
            let Some(log) = &self.warps[index].log.lanes[lane] else { continue };
            let loads = log.loads.iter().filter(|_| decided.is_none());
            let loads = loads.map(|(word, found)| (*word, What::Loaded(*found)));
            let stores = log.stores.iter().map(|(word, stored)| (*word, What::Stored(*stored)));
            for (word, what) in loads.chain(stores) {
                let line = (word / LINE as u64) as u32;
                let partition = self.partition(shared.homes.home(line), line);
                let (_, words) = parts.entry(partition).or_insert((line, Vec::new()));
                words.push(Logged { lane: lane as u32, word, what });
            }
        }
        if parts.is_empty() {
            return self.conclude(shared, index);
        }
        self.warps[index].state = if decided.is_some() { Warp::Commits } else { Warp::Validates };
        let Some(lazy) = &mut self.lazy else { return };
        lazy.next_id += 1;
        let id = lazy.next_id;
        let ending = &mut lazy.endings[index];
        (ending.id, ending.left, ending.failed) = (id, parts.len(), 0);
        ending.partitions = parts.keys().copied().collect();
        for (partition, (line, words)) in parts {
            let count = words.len() as u32;
            let entry = Entry::new(id, [index as u32, core, line], words);
            if let Some(lazy) = &mut self.lazy {
                lazy.partitions[partition as usize].entries.push_back(entry);
            }
            let l1 = &mut self.l1[core as usize];
            l1.free = l1.free.max(shared.events.now()) + u64::from(count);
            let kind = Kind::Validation { id, words: count, decided };
            self.request(shared, core, line, kind, [0; LINE]);
        }
    }

    /// A log has come to its partition.
    pub(in super::super) fn take_logs(
        &mut self,
        shared: &mut Shared,
        partition: u32,
        id: u64,
        decided: Option<u32>,
    ) {
        self.set_state(partition, id, decided.map_or(State::Arrived, State::Decided));
        self.clock_partition(shared, partition);
    }

    fn set_state(&mut self, partition: u32, id: u64, state: State) {
        let Some(lazy) = &mut self.lazy else { return };
        let partition = &mut lazy.partitions[partition as usize];
        if let Some(at) = partition.position(id) {
            partition.entries[at].state = state;
        }
    }

    /// The core has decided on a log that this partition has validated.
    pub(in super::super) fn take_decision(
        &mut self,
        shared: &mut Shared,
        partition: u32,
        id: u64,
        lanes: u32,
    ) {
        self.set_state(partition, id, State::Decided(lanes));
        self.tell_cores(shared, partition, id, lanes, true);
        self.clock_partition(shared, partition);
    }

    /// Ends what a partition has done by now, and begins what it can.
    pub(in super::super) fn clock_partition(&mut self, shared: &mut Shared, number: u32) {
        let now = shared.events.now();
        loop {
            let Some(lazy) = &mut self.lazy else { return };
            let entries = &lazy.partitions[number as usize].entries;
            let over = |state| match state {
                State::Validates(until) | State::Writes(until, _) => until <= now,
                _ => false,
            };
            let Some(at) = entries.iter().position(|entry| over(entry.state)) else { break };
            match entries[at].state {
                State::Writes(_, lanes) => self.write_entry(shared, number, at, lanes),
                _ => self.tell_verdict(shared, number, at),
            }
            if shared.mismatch.is_some() {
                return;
            }
        }
        let ignores = self.planted.is(HAZARDS_IGNORED);
        let Some(lazy) = &mut self.lazy else { return };
        let partition = &mut lazy.partitions[number as usize];
        let mut begun = Vec::new();
        while let Some(at) = partition.next_to_write() {
            let entry = &mut partition.entries[at];
            let State::Decided(lanes) = entry.state else { break };
            partition.free = partition.free.max(now) + entry.clocks(Some(lanes));
            entry.state = State::Writes(partition.free.max(now + 1), lanes);
            begun.push(partition.free.max(now + 1));
        }
        if let Some(at) = partition.next_to_validate(ignores) {
            let entry = &mut partition.entries[at];
            partition.free = partition.free.max(now) + entry.clocks(None);
            entry.state = State::Validates(partition.free.max(now + 1));
            begun.push(partition.free.max(now + 1));
        }
        begun.into_iter().for_each(|at| shared.events.at(at, SystemEvent::Clock(number)));
    }

    /// A log has been compared with memory: the verdict goes to its core.
    fn tell_verdict(&mut self, shared: &mut Shared, partition: u32, at: usize) {
        let skips = self.planted.is(VALIDATION_SKIPPED);
        let Some(lazy) = &mut self.lazy else { return };
        let entry = &mut lazy.partitions[partition as usize].entries[at];
        entry.state = State::Validated;
        let (id, core, line, warp) = (entry.id, entry.core, entry.line, entry.warp);
        let mut failed = 0;
        for Logged { lane, word, what } in &entry.words {
            if let What::Loaded(found) = what
                && word_of(shared, *word) != *found
                && !skips
            {
                failed |= 1 << lane;
            }
        }
        self.tell_core(shared, core, line, Kind::Verdict { id, warp, failed });
    }

    /// A verdict has come; with all of them, the core decides.
    pub(in super::super) fn take_verdict(
        &mut self,
        shared: &mut Shared,
        [id, index]: [u64; 2],
        failed: u32,
    ) {
        let (early, index) = (self.planted.is(DECIDES_EARLY), index as usize);
        let Some(lazy) = &mut self.lazy else { return };
        let ending = &mut lazy.endings[index];
        if self.warps[index].state != Warp::Validates || ending.id != id {
            // It was decided before, by an error that is planted.
            return;
        }
        ending.failed |= failed;
        ending.left = ending.left.saturating_sub(1);
        let is_first = ending.left + 1 == ending.partitions.len();
        if !(if early { is_first } else { ending.left == 0 }) {
            return;
        }
        let Ending { partitions, lanes, failed, .. } = ending.clone();
        ending.left = partitions.len();
        let passed = lanes & !failed;
        self.abort(shared, index, failed & lanes, "VALIDATION");
        self.commit_lanes(shared, index, passed);
        self.warps[index].state = Warp::Commits;
        let (core, _) = self.place(index);
        for partition in partitions {
            let Some(lazy) = &self.lazy else { return };
            let found = &lazy.partitions[partition as usize];
            let Some(at) = found.position(id) else { continue };
            let line = found.entries[at].line;
            self.request(shared, core, line, Kind::Decision { id, lanes: passed }, [0; LINE]);
        }
        if passed == 0 {
            self.conclude(shared, index);
        }
    }

    /// Lanes commit: now is their place in the serial execution.
    fn commit_lanes(&mut self, shared: &mut Shared, index: usize, lanes: u32) {
        let (core, place) = self.place(index);
        let Some(lazy) = &mut self.lazy else { return };
        // In no time several may commit in a clock.
        lazy.turn += 1;
        let turn = if lazy.variant == Variant::Eager { lazy.turn } else { shared.events.now() };
        for lane in lanes_of(lanes) {
            let Some(log) = &mut self.warps[index].log.lanes[lane] else { continue };
            let LaneLog { loads, stores, .. } = log;
            let at = turn << 5 | lane as u64;
            // What it has loaded is what memory holds now, whoever wrote it.
            let transaction = self.oracle.begin(at);
            for (word, found) in &*loads {
                self.oracle.load(transaction, *word, *found, None);
            }
            for (word, stored) in &mut *stores {
                stored.store = self.oracle.store(transaction, *word);
                self.oracle.log(*word, *stored, word_of(shared, *word));
                if let Some(lazy) = &mut self.lazy {
                    *lazy.unwritten.entry(*word).or_default() += 1;
                }
            }
            let log = LaneLog { transaction, loads: loads.clone(), stores: stores.clone() };
            self.oracle.commit(at, [core, place, lane as u32], log);
        }
    }

    /// A log is written, and its core told.
    fn write_entry(&mut self, shared: &mut Shared, partition: u32, at: usize, lanes: u32) {
        let now = shared.events.now();
        let Some(lazy) = &mut self.lazy else { return };
        let id = lazy.partitions[partition as usize].entries[at].id;
        self.tell_cores(shared, partition, id, lanes, false);
        let Some(lazy) = &mut self.lazy else { return };
        let Some(entry) = lazy.partitions[partition as usize].entries.remove(at) else { return };
        let mut lines = BTreeMap::<u32, ([u8; LINE], u128)>::new();
        let mut wrong = None;
        for Logged { lane, word, what } in &entry.words {
            let What::Stored(stored) = what else { continue };
            if lanes >> lane & 1 == 0 {
                continue;
            }
            lazy.partitions[partition as usize].note_write(*word, now);
            if let Some(count) = lazy.unwritten.get_mut(word) {
                *count -= 1;
                if *count == 0 {
                    lazy.unwritten.remove(word);
                }
            }
            let (data, bytes) = lines.entry((word / LINE as u64) as u32).or_insert(([0; LINE], 0));
            for byte in (0..4).filter(|byte| stored.mask >> (8 * byte) & 1 == 1) {
                data[first_byte(*word) + byte] = (stored.value >> (8 * byte)) as u8;
                *bytes |= 1 << (first_byte(*word) + byte);
            }
            wrong = wrong.or(self.oracle.write(*word, stored.value, stored.mask).err());
        }
        for (line, (data, bytes)) in lines {
            shared.write_line(line, &data, bytes);
            let gpm = shared.homes.home(line);
            self.written(shared, gpm, line, bytes);
        }
        if shared.mismatch.is_none() {
            shared.mismatch = wrong;
        }
        if lanes != 0 {
            let kind = Kind::Written { id, warp: entry.warp };
            self.tell_core(shared, entry.core, entry.line, kind);
        }
    }

    /// A partition has written its part of a warp's log.
    pub(in super::super) fn take_written(&mut self, shared: &mut Shared, [id, index]: [u64; 2]) {
        let Some(lazy) = &mut self.lazy else { return };
        let index = index as usize;
        let ending = &mut lazy.endings[index];
        if self.warps[index].state != Warp::Commits || ending.id != id {
            return;
        }
        ending.left -= 1;
        if ending.left == 0 {
            self.conclude(shared, index);
        }
    }

    /// With eager detection: lanes abort that have loaded what is not, or not for long, in memory.
    pub(in super::super) fn validate_at_once(&mut self, shared: &mut Shared, index: usize) {
        let Some(lazy) = self.lazy.as_ref().filter(|lazy| lazy.variant == Variant::Eager) else {
            return;
        };
        let skips = self.planted.is(VALIDATION_SKIPPED);
        let ignores = self.planted.is(UNWRITTEN_IGNORED);
        let warp = &self.warps[index];
        let failed = lanes_of(warp.running()).filter(|lane| {
            let loads = warp.log.lanes[*lane].iter().flat_map(|log| &log.loads);
            loads.into_iter().any(|(word, found)| {
                lazy.unwritten.contains_key(word) && !ignores || word_of(shared, *word) != *found
            })
        });
        let failed = failed.fold(0, |all, lane| all | 1 << lane);
        if !skips {
            self.abort(shared, index, failed, "VALIDATION");
        }
    }
}
