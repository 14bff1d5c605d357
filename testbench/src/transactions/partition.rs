//! What warps see of a memory partition: a validation unit and a commit unit in front of a slice of
//! the LLC.

use std::collections::VecDeque;

use warpsmith_blocks::getm_metadata::{Metadata, Op, Params, Request, Table, Verdict};

use crate::serializability::Store;

/// A load or store to be validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// A load; else a store.
    pub is_load: bool,
    /// Byte address of the word.
    pub address: u64,
    /// The warp.
    pub warp: u64,
    /// Its logical time.
    pub warpts: u64,
}

/// What becomes of a warp's access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The warp.
    pub warp: u64,
    /// Why its transaction must abort; none if the access has succeeded.
    pub abort: Option<&'static str>,
    /// The granule's `wts` as the validation unit found it.
    pub wts: u64,
    /// The granule's `rts` as the validation unit found it.
    pub rts: u64,
}

/// A store of a transaction at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The warp.
    pub warp: u64,
    /// Byte address of the word.
    pub address: u64,
    /// The word's value and its mark.
    pub word: (u32, Store),
    /// The transaction commits; else only its reservation ends.
    pub committed: bool,
}

/// What comes out of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An answer.
    Answer(Answer),
    /// A word is written to the LLC.
    Write(u64, (u32, Store)),
}

/// A validation unit and a commit unit.
pub trait Partition {
    /// Takes an access, if there is room in this clock.
    fn access(&mut self, access: &Access) -> bool;
    /// Takes an entry of a log, if there is room in this clock.
    fn log(&mut self, entry: &LogEntry) -> bool;
    /// Ends the clock, and appends what came out in it.
    fn clock(&mut self, out: &mut Vec<Event>);
    /// Accesses that wait for a granule, and the granules that they wait for.
    fn waiting(&self) -> (usize, usize);
}

/// Figure 4.6 over the metadata table's reference, with as much room for whoever waits as is needed.
pub struct Behaviour {
    params: Params,
    table: Table,
    accesses: VecDeque<Access>,
    log: VecDeque<LogEntry>,
    waiting: Vec<Access>,
}

impl Behaviour {
    /// A partition that has seen nothing.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            table: Table::new(params),
            accesses: VecDeque::new(),
            log: VecDeque::new(),
            waiting: Vec::new(),
        }
    }

    /// What the metadata table knows of the granule of an address.
    pub fn metadata(&self, address: u64) -> Metadata {
        self.table.metadata(address)
    }

    fn granule(&self, address: u64) -> u64 {
        address >> self.params.offset_bits()
    }

    fn validate(&mut self, access: Access, out: &mut Vec<Event>) {
        let Access { is_load, address, warp, warpts } = access;
        let op = if is_load { Op::Load } else { Op::Store };
        let request = Request { op, address, warp, warpts, count: 0, tag: 0 };
        let answer = self.table.apply(&request).answer;
        let abort = match answer.verdict {
            Verdict::Success => None,
            Verdict::Park => return self.waiting.push(access),
            Verdict::AbortWar => Some("WAR"),
            Verdict::AbortWaw => Some("WAW"),
            Verdict::AbortRaw => Some("RAW"),
            Verdict::AbortCount => Some("COUNT"),
            Verdict::Error => Some("error"),
        };
        out.push(Event::Answer(Answer { warp, abort, wts: answer.wts, rts: answer.rts }));
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
}

impl Partition for Behaviour {
    fn access(&mut self, access: &Access) -> bool {
        let is_free = self.accesses.is_empty();
        self.accesses.extend(is_free.then_some(*access));
        is_free
    }

    fn log(&mut self, entry: &LogEntry) -> bool {
        let is_free = self.log.is_empty();
        self.log.extend(is_free.then_some(*entry));
        is_free
    }

    fn clock(&mut self, out: &mut Vec<Event>) {
        if let Some(access) = self.accesses.pop_front() {
            self.validate(access, out);
        }
        if let Some(LogEntry { warp, address, word, committed }) = self.log.pop_front() {
            if committed {
                out.push(Event::Write(address, word));
            }
            let op = Op::Release;
            self.table.apply(&Request { op, address, warp, warpts: 0, count: 1, tag: 0 });
            self.wake(self.granule(address), out);
        }
    }

    fn waiting(&self) -> (usize, usize) {
        let granules = self.waiting.iter().map(|access| self.granule(access.address));
        let granules: std::collections::HashSet<_> = granules.collect();
        (self.waiting.len(), granules.len())
    }
}
