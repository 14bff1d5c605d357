//! Lines that a cache has asked for, and who waits for them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A line that was asked for.
#[derive(Debug)]
pub(crate) struct Miss<W> {
    pub(crate) line: u32,
    /// Others may join, and the line is kept when it comes. A miss that something has passed by
    /// is left by itself: whoever waits gets the data, and nobody keeps it.
    pub(crate) attached: bool,
    /// All that comes for the line must wait its turn: this is its home, or an atomic waits.
    pub(crate) blocking: bool,
    /// What comes is too old, and is to be asked for again.
    pub(crate) stale: bool,
    pub(crate) waiting: Vec<W>,
}

/// The misses of a cache.
#[derive(Debug)]
pub(crate) struct Misses<W> {
    all: Vec<Miss<W>>,
    free: Vec<u32>,
    /// The attached miss of a line.
    attached: HashMap<u32, u32, BuildHasherDefault<LineHasher>>,
}

impl<W> Misses<W> {
    pub(crate) fn new() -> Self {
        Self { all: Vec::new(), free: Vec::new(), attached: HashMap::default() }
    }

    /// Misses that are under way.
    pub(crate) fn len(&self) -> usize {
        self.all.len() - self.free.len()
    }

    /// The miss that a request for the line can join.
    #[inline]
    pub(crate) fn of(&self, line: u32) -> Option<u32> {
        if self.attached.is_empty() {
            return None;
        }
        self.attached.get(&line).copied()
    }

    pub(crate) fn get(&mut self, miss: u32) -> &mut Miss<W> {
        &mut self.all[miss as usize]
    }

    /// A new miss with its first waiter. There is no attached miss of the line.
    pub(crate) fn begin(&mut self, line: u32, attached: bool, first: W) -> u32 {
        let miss = self.free.pop().unwrap_or_else(|| {
            self.all.push(Miss {
                line,
                attached,
                blocking: false,
                stale: false,
                waiting: Vec::new(),
            });
            self.all.len() as u32 - 1
        });
        let entry = &mut self.all[miss as usize];
        (entry.line, entry.attached) = (line, attached);
        (entry.blocking, entry.stale) = (false, false);
        entry.waiting.push(first);
        if attached {
            self.attached.insert(line, miss);
        }
        miss
    }

    /// Leaves the miss of a line by itself.
    pub(crate) fn detach(&mut self, line: u32) {
        if let Some(miss) = self.attached.remove(&line) {
            self.all[miss as usize].attached = false;
        }
    }

    /// Leaves all misses by themselves that do not block; those are asked for again.
    pub(crate) fn detach_where(&mut self, test: impl Fn(u32) -> bool) {
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

    /// The line has come: gives whether to keep it, and who has waited. The list is to be given
    /// back with [`Misses::end`].
    pub(crate) fn take(&mut self, miss: u32) -> (bool, Vec<W>) {
        let entry = &mut self.all[miss as usize];
        let attached = entry.attached;
        let waiting = std::mem::take(&mut entry.waiting);
        if attached {
            self.attached.remove(&entry.line);
        }
        (attached, waiting)
    }

    /// The miss is over.
    pub(crate) fn end(&mut self, miss: u32, mut waiting: Vec<W>) {
        waiting.clear();
        self.all[miss as usize].waiting = waiting;
        self.free.push(miss);
    }
}

/// Line numbers are spread by a multiplication.
#[derive(Debug, Default)]
pub(crate) struct LineHasher(u64);

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
