//! Who has accessed which bytes last.

use std::collections::HashMap;

use super::clock::Clock;

/// Readers of a word that are kept: of more, the last.
const MOST_READS: usize = 8;

/// The threads for which an access is strong: for them it is no race with another strong one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    Weak,
    Cta,
    Cluster,
    Wide,
}

/// An access of a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Epoch {
    pub(super) cta: u32,
    pub(super) cluster: u32,
    /// Its number in the CTA.
    pub(super) thread: u32,
    pub(super) strength: Strength,
    /// Time of the thread.
    pub(super) time: u32,
    /// The instruction.
    pub(super) pc: u32,
    /// Of a store, a hash of its address, size and value.
    pub(super) stored: Option<u64>,
}

impl Epoch {
    /// Whether both store the same value in the same place.
    pub(super) fn stores_as(&self, earlier: &Self) -> bool {
        self.stored.is_some() && self.stored == earlier.stored
    }

    /// True if an earlier access happens before this one, whose thread has this clock.
    fn is_after(&self, earlier: &Self, clock: &Clock) -> bool {
        (earlier.cta, earlier.thread) == (self.cta, self.thread)
            || clock.knows(earlier.cta, earlier.thread, earlier.time)
    }

    /// Whether it races with an earlier access, one of them being a write.
    fn races(&self, earlier: &Self, clock: &Clock) -> bool {
        let least = self.strength.min(earlier.strength);
        let are_strong = match least {
            Strength::Weak => false,
            Strength::Cta => self.cta == earlier.cta,
            Strength::Cluster => self.cluster == earlier.cluster,
            Strength::Wide => true,
        };
        !are_strong && !self.is_after(earlier, clock)
    }
}

/// The last accesses to a word or byte.
#[derive(Debug, Clone, Default)]
struct Cell {
    write: Option<Epoch>,
    reads: Vec<Epoch>,
}

impl Cell {
    /// An access; the earlier one that it races with, if there is one.
    fn access(&mut self, now: Epoch, writes: bool, clock: &Clock) -> Option<Epoch> {
        let races = |earlier: &&Epoch| now.races(earlier, clock);
        let found = self.write.as_ref().filter(races);
        if writes {
            let found = found.or_else(|| self.reads.iter().find(races)).copied();
            self.reads.clear();
            self.write = Some(now);
            return found;
        }
        let found = found.copied();
        self.reads.retain(|read| read.strength > now.strength || !now.is_after(read, clock));
        if self.reads.len() == MOST_READS {
            self.reads.remove(0);
        }
        self.reads.push(now);
        found
    }
}

/// A word of four bytes, byte for byte where one has been accessed for itself.
#[derive(Debug)]
enum Word {
    Whole(Cell),
    Bytes(Box<[Cell; 4]>),
}

/// Memory as far as it has been accessed.
#[derive(Debug, Default)]
pub(super) struct Shadow(HashMap<u64, Word>);

impl Shadow {
    /// Words that have been accessed.
    pub(super) fn words(&self) -> usize {
        self.0.len()
    }

    /// An access to some bytes; an earlier one that it races with, if there is one.
    pub(super) fn access(
        &mut self,
        address: u64,
        bytes: u32,
        now: Epoch,
        writes: bool,
        clock: &Clock,
    ) -> Option<Epoch> {
        let end = address + u64::from(bytes);
        let mut found = None;
        for word in address / 4..end.div_ceil(4) {
            let cells = self.0.entry(word).or_insert_with(|| Word::Whole(Cell::default()));
            let is_whole = address <= word * 4 && end >= word * 4 + 4;
            if let (Word::Whole(cell), false) = (&*cells, is_whole) {
                *cells = Word::Bytes(Box::new(std::array::from_fn(|_| cell.clone())));
            }
            match cells {
                Word::Whole(cell) => found = found.or(cell.access(now, writes, clock)),
                Word::Bytes(cells) => {
                    for (byte, cell) in (word * 4..).zip(cells.iter_mut()) {
                        if (address..end).contains(&byte) {
                            found = found.or(cell.access(now, writes, clock));
                        }
                    }
                }
            }
        }
        found
    }
}
