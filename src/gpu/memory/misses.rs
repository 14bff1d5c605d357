//! Miss status holding registers: lines that a cache has requested, and their waiters.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use slab::Slab;

/// A requested line.
#[derive(Debug)]
pub struct Miss<W> {
    /// The line.
    pub line: u32,
    /// Other requests may join, and the line is kept when it comes. A miss that a store or an invalidation
    /// has overtaken is detached: its waiters get the data, and it is not kept.
    pub attached: bool,
    /// All later requests for the line wait: this is its home, or an atomic waits.
    pub blocking: bool,
    /// The line that comes is stale, and is requested again.
    pub stale: bool,
    /// Waiters, in order of arrival.
    pub waiting: Vec<W>,
}

/// The misses of a cache.
#[derive(Debug)]
pub struct Misses<W> {
    all: Slab<Miss<W>>,
    /// Empty lists, for reuse.
    spare: Vec<Vec<W>>,
    /// The attached miss of a line.
    attached: HashMap<u32, u32, BuildHasherDefault<LineHasher>>,
}

impl<W> Default for Misses<W> {
    fn default() -> Self {
        Self { all: Slab::new(), spare: Vec::new(), attached: HashMap::default() }
    }
}

impl<W> Misses<W> {
    /// Outstanding misses.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The miss that a request for the line can join.
    #[inline]
    pub fn of(&self, line: u32) -> Option<u32> {
        if self.attached.is_empty() {
            return None;
        }
        self.attached.get(&line).copied()
    }

    /// A miss.
    pub fn get(&mut self, miss: u32) -> &mut Miss<W> {
        &mut self.all[miss as usize]
    }

    /// A new miss with its first waiter. There is no attached miss of the line.
    pub fn begin(&mut self, line: u32, attached: bool, first: W) -> u32 {
        let mut waiting = self.spare.pop().unwrap_or_default();
        waiting.push(first);
        let miss = Miss { line, attached, blocking: false, stale: false, waiting };
        let miss = self.all.insert(miss) as u32;
        if attached {
            self.attached.insert(line, miss);
        }
        miss
    }

    /// Detaches the miss of a line.
    pub fn detach(&mut self, line: u32) {
        if let Some(miss) = self.attached.remove(&line) {
            self.all[miss as usize].attached = false;
        }
    }

    /// Detaches all misses but those that block, which are requested again.
    pub fn detach_where(&mut self, test: impl Fn(u32) -> bool) {
        let all = &mut self.all;
        self.attached.retain(|line, miss| {
            let entry = &mut all[*miss as usize];
            if !test(*line) {
                return true;
            }
            entry.stale |= entry.blocking;
            entry.attached = entry.blocking;
            entry.blocking
        });
    }

    /// The line has come: returns whether to keep it, and its waiters. The list is to be given
    /// back with [`Misses::end`].
    pub fn take(&mut self, miss: u32) -> (bool, Vec<W>) {
        let Miss { line, attached, waiting, .. } = &mut self.all[miss as usize];
        if *attached {
            self.attached.remove(line);
        }
        (*attached, std::mem::take(waiting))
    }

    /// The miss is over.
    pub fn end(&mut self, miss: u32, mut waiting: Vec<W>) {
        waiting.clear();
        self.spare.push(waiting);
        self.all.remove(miss as usize);
    }
}

/// Line numbers are spread by a multiplication.
#[derive(Debug, Default)]
pub(super) struct LineHasher(u64);

impl Hasher for LineHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, line: u32) {
        self.0 = (self.0 ^ u64::from(line)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}
