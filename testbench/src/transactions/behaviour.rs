//! A partition without circuits: figure 4.6 over the metadata table's reference.

use std::collections::{HashSet, VecDeque};

use warpsmith_blocks::getm_metadata::{self, Metadata, Op, Table, Verdict};
use warpsmith_blocks::getm_validation::Params;

use super::partition::{Access, Event, LogEntry, LogItem, Outcome, Partition, Response};

/// The partition, with as much room for whoever waits as is needed.
pub struct Behaviour {
    params: Params,
    table: Table,
    accesses: VecDeque<Access>,
    log: VecDeque<LogItem>,
    waiting: Vec<Access>,
    told: VecDeque<bool>,
    stopped: bool,
}

impl Behaviour {
    /// A partition that has seen nothing.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            table: Table::new(&params.table()),
            accesses: VecDeque::new(),
            log: VecDeque::new(),
            waiting: Vec::new(),
            told: VecDeque::new(),
            stopped: false,
        }
    }

    /// What the metadata table knows of the granule of an address.
    pub fn metadata(&self, address: u64) -> Metadata {
        self.table.metadata(address)
    }

    fn granule(&self, address: u64) -> u64 {
        address >> self.params.offset_bits()
    }

    fn apply(&mut self, op: Op, access: &Access, count: u64) -> getm_metadata::Answer {
        let Access { address, warp, warpts, .. } = *access;
        let request = getm_metadata::Request { op, address, warp, warpts, count, tag: 0 };
        self.table.apply(&request).answer
    }

    fn validate(&mut self, access: Access, out: &mut Vec<Event>) {
        let mut answer = |outcome, timestamp| {
            out.push(Event::Answer(Response { access, outcome, timestamp }));
        };
        if self.stopped {
            return answer(Outcome::AbortRollover, 0);
        }
        let op = if access.store { Op::Store } else { Op::Load };
        let told = self.apply(op, &access, 0);
        let latest = told.wts.max(told.rts);
        match told.verdict {
            Verdict::Success => answer(Outcome::Success, latest),
            Verdict::Park => self.waiting.push(access),
            Verdict::AbortWar => answer(Outcome::AbortWar, told.wts),
            Verdict::AbortWaw => answer(Outcome::AbortWaw, latest),
            Verdict::AbortRaw => answer(Outcome::AbortRaw, latest),
            Verdict::AbortCount => answer(Outcome::AbortCount, latest),
            Verdict::Error => unreachable!("no access is made at the largest timestamp"),
        }
    }

    /// The oldest of those that wait for a granule, in logical time, tries again; and the next, as long
    /// as the granule is free.
    fn wake(&mut self, granule: u64, out: &mut Vec<Event>) {
        while !self.metadata(granule << self.params.offset_bits()).is_reserved() {
            let waits = |access: &&Access| self.granule(access.address) == granule;
            let Some(&first) = self.waiting.iter().filter(waits).min_by_key(|access| access.warpts)
            else {
                return;
            };
            self.waiting.retain(|access| *access != first);
            self.validate(first, out);
        }
    }

    fn release(&mut self, entry: LogEntry, out: &mut Vec<Event>) {
        let LogEntry { address, word, committed } = entry;
        if committed {
            out.push(Event::Write(address, word));
        }
        self.apply(Op::Release, &Access { address, store: false, warp: 0, warpts: 0 }, 1);
        self.wake(self.granule(address), out);
    }

    fn stop(&mut self, out: &mut Vec<Event>) {
        if self.stopped {
            return;
        }
        self.stopped = true;
        out.push(Event::Rolled { go: false });
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().for_each(|access| self.validate(access, out));
    }

    fn clear(&mut self, out: &mut Vec<Event>) {
        let nothing = Access { address: 0, store: false, warp: 0, warpts: 0 };
        let cleared = self.apply(Op::Clear, &nothing, 0).verdict == Verdict::Success;
        if self.stopped && cleared {
            self.stopped = false;
            out.push(Event::Rolled { go: true });
        }
    }
}

impl Partition for Behaviour {
    fn access(&mut self, access: &Access) -> bool {
        let is_free = self.accesses.is_empty();
        self.accesses.extend(is_free.then_some(*access));
        is_free
    }

    fn log(&mut self, item: &LogItem) -> bool {
        let is_free = self.log.is_empty();
        self.log.extend(is_free.then_some(*item));
        is_free
    }

    fn roll(&mut self, go: bool) {
        self.told.push_back(go);
    }

    fn is_drained(&self) -> bool {
        self.log.is_empty()
    }

    fn clock(&mut self, out: &mut Vec<Event>) -> Result<(), String> {
        match self.told.pop_front() {
            Some(false) => self.stop(out),
            Some(true) => self.clear(out),
            None => {}
        }
        if let Some(access) = self.accesses.pop_front() {
            if access.warpts >= self.params.limit() {
                self.stop(out);
            }
            self.validate(access, out);
        }
        if let Some(LogItem::Entry(entry)) = self.log.pop_front() {
            self.release(entry, out);
        }
        Ok(())
    }

    fn waiting(&self) -> (usize, usize) {
        let granules = self.waiting.iter().map(|access| self.granule(access.address));
        let granules: HashSet<_> = granules.collect();
        (self.waiting.len(), granules.len())
    }
}
