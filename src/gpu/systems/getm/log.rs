//! The redo log of a warp's transactions (4.4.1, 4.5.1), and the check for conflicts of its lanes.
//!
//! The log lies in the core's local memory, a row for each access of the warp: a line of addresses and, for
//! a store, lines of data; a word of the line for each lane. The L1 caches it. What a lane has stored is
//! found by its word, of 4 bytes.

use std::collections::BTreeMap;

use warpsmith_testbench::serializability::{Store, Transaction};

use super::oracle::Oracle;
use crate::config::LINE;
use crate::memory::extract;
use crate::simt::{Access, LANES, lanes_of};

/// Bytes of a word.
pub(super) const WORD: u64 = 4;

/// A word that a lane has stored to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    /// The value; bytes that are not stored are zero.
    pub value: u32,
    /// One bit for each bit that is stored.
    pub mask: u32,
    pub store: Store,
    /// The row of the log that has it.
    row: u32,
}

/// The log of a lane: one attempt of a thread at its transaction.
#[derive(Debug)]
pub(super) struct LaneLog {
    pub transaction: Transaction,
    /// What it has loaded from memory, in order.
    pub loads: Vec<(u64, u32)>,
    pub stores: BTreeMap<u64, Stored>,
}

/// The log of a warp.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub lanes: [Option<LaneLog>; LANES],
    pub rows: u32,
    /// Lines of all rows.
    pub lines: u32,
}

/// The words of a lane's access, with the first byte in each and the bytes there.
fn words(access: &Access, lane: usize) -> impl Iterator<Item = u64> + use<> {
    let start = access.addresses[lane];
    let end = start + u64::from(access.bytes());
    (start / WORD..end.div_ceil(WORD)).map(|word| word * WORD)
}

impl Log {
    /// A lane begins.
    pub fn begin(&mut self, lane: usize, transaction: Transaction) {
        let (loads, stores) = (Vec::new(), BTreeMap::new());
        self.lanes[lane] = Some(LaneLog { transaction, loads, stores });
    }

    /// The lines of a new row of the log, by their number in it.
    pub fn add_row(&mut self, access: &Access) -> std::ops::Range<u32> {
        let data = if access.writes() { access.bytes().div_ceil(WORD as u32) } else { 0 };
        let first = self.lines;
        self.rows += 1;
        self.lines += 1 + data;
        first..self.lines
    }

    /// A lane stores: its bytes go to the log. With `keep_first`, an error, only to words that it has not
    /// stored to.
    pub fn store(&mut self, oracle: &mut Oracle, access: &Access, lane: usize, keep_first: bool) {
        let row = self.rows;
        let Some(log) = &mut self.lanes[lane] else { return };
        let size = u64::from(access.ty.bytes);
        for element in 0..usize::from(access.elements) {
            let bytes = access.data[element][lane].to_le_bytes();
            let start = access.addresses[lane] + element as u64 * size;
            for at in 0..size {
                let (word, shift) = ((start + at) / WORD * WORD, (start + at) % WORD * 8);
                let stored = log.stores.entry(word).or_insert_with(|| Stored {
                    value: 0,
                    mask: 0,
                    store: oracle.store(log.transaction, word),
                    row,
                });
                if keep_first && stored.row != row {
                    continue;
                }
                stored.row = row;
                stored.mask |= 0xff << shift;
                stored.value &= !(0xff << shift);
                stored.value |= u32::from(bytes[at as usize]) << shift;
            }
        }
    }

    /// Whether a lane has stored every byte that it loads.
    pub fn has_all(&self, access: &Access, lane: usize) -> bool {
        let Some(log) = &self.lanes[lane] else { return false };
        let start = access.addresses[lane];
        (start..start + u64::from(access.bytes())).all(|at| {
            let stored = log.stores.get(&(at / WORD * WORD));
            stored.is_some_and(|stored| stored.mask >> (at % WORD * 8) & 1 == 1)
        })
    }

    /// A lane loads from a line, and what it has stored from its log.
    pub fn load(
        &mut self,
        oracle: &mut Oracle,
        access: &mut Access,
        lane: usize,
        line: &[u8; LINE],
        own: bool,
    ) {
        let Some(log) = &mut self.lanes[lane] else { return };
        let mut data = *line;
        for word in words(access, lane) {
            let at = (word % LINE as u64) as usize;
            let bytes = &mut data[at..at + WORD as usize];
            let found = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            match log.stores.get(&word).filter(|_| own) {
                Some(Stored { value, mask, store, .. }) => {
                    bytes.copy_from_slice(&(found & !mask | value).to_le_bytes());
                    oracle.load(log.transaction, word, found, Some(*store));
                }
                None => {
                    oracle.load(log.transaction, word, found, None);
                    log.loads.push((word, found));
                }
            }
        }
        extract(access, 1 << lane, &data);
    }

    /// A row is lost: an error.
    pub fn lose_row(&mut self, row: u32) {
        for log in self.lanes.iter_mut().flatten() {
            log.stores.retain(|_, stored| stored.row != row);
        }
    }

    /// The lanes that conflict with a lower one, by two phases over a table of owners that all lanes go
    /// through together (Fung and Aamodt, WarpTM): each lane enters itself for the words that it has stored
    /// to, where the lowest stays; then each looks for a lower lane at all its words. Of lanes that
    /// remain, the lower one is the earlier. The table is shorter than memory, so that lanes may be found to
    /// conflict that do not; `forgets` every other word is an error.
    pub fn conflicts(&self, lanes: u32, entries: usize, forgets: bool) -> u32 {
        let mut owners = vec![LANES; entries];
        let place = |word: u64| (word / WORD) as usize % entries;
        let logs = || lanes_of(lanes).filter_map(|lane| Some((lane, self.lanes[lane].as_ref()?)));
        for (lane, log) in logs() {
            for word in
                log.stores.keys().filter(|word| !(forgets && (*word / WORD).is_multiple_of(2)))
            {
                let owner = &mut owners[place(*word)];
                *owner = lane.min(*owner);
            }
        }
        let conflicts = logs().filter(|(lane, log)| {
            let loads = log.loads.iter().map(|(word, _)| *word);
            loads.chain(log.stores.keys().copied()).any(|word| owners[place(word)] < *lane)
        });
        conflicts.fold(0, |all, (lane, _)| all | 1 << lane)
    }
}
