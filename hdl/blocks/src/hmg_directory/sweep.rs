//! A stream that goes through all sets, and reads each bit of each entry as 0 and as 1.
//!
//! A set is filled with blocks, and filled again with others that have the opposite tags and sharers,
//! which evict the first. Local stores empty it, and it is filled once more. Several sets take turns:
//! the row of a set is read from the RAMs only if none of the requests just before it had that set.

use rand::{Rng, RngExt};

use super::channels::{Op, Request, Source};
use super::params::Params;
use crate::verification::StimulusRng;

/// Sets that take turns.
const GROUP: u64 = 8;

/// The generator.
pub(super) struct Sweep {
    params: Params,
    /// All nodes that can share.
    sources: Vec<Source>,
    /// The group, and what each of its sets is to see.
    first_set: Option<u64>,
    requests: Vec<(Op, u64, Source)>,
    /// Number of the next of them, and of the set in the group.
    next: usize,
    set: u64,
}

impl Sweep {
    /// A sweep that begins anywhere.
    pub fn new(params: &Params, sources: Vec<Source>) -> Self {
        let params = params.clone();
        Self { params, sources, first_set: None, requests: Vec::new(), next: 0, set: 0 }
    }

    /// Some sets have seen a part of what they are to see.
    pub fn is_within_group(&self) -> bool {
        self.next < self.requests.len()
    }

    fn group(&self) -> u64 {
        GROUP.min(u64::from(self.params.sets))
    }

    fn begin_group(&mut self, rng: &mut StimulusRng) {
        let sets = u64::from(self.params.sets);
        self.first_set = match self.first_set {
            None => Some(rng.random_range(0..sets)),
            Some(first) => Some((first + self.group()) % sets),
        };
        let all = u64::MAX >> (64 - self.params.sharers());
        // Neither nobody nor all, so that the others are some too; all are the last now and then.
        let some = if all > 1 { rng.random_range(1..all) } else { all };
        let last = if rng.random_range(0..8) == 0 { all } else { 1 };
        let tag = rng.next_u64();
        self.requests.clear();
        self.load(tag, some);
        self.load(!tag, if all > 1 { !some & all } else { all });
        let stores =
            (0..u64::from(self.params.ways)).map(|way| (Op::Store, !tag ^ way, Source::Local));
        self.requests.extend(stores);
        self.load(rng.next_u64(), last);
        (self.next, self.set) = (0, 0);
    }

    /// Fills a set with blocks that these share.
    fn load(&mut self, tag: u64, sharers: u64) {
        for way in 0..u64::from(self.params.ways) {
            for (bit, &source) in self.sources.iter().enumerate() {
                if sharers >> bit & 1 == 1 {
                    self.requests.push((Op::Load, tag ^ way, source));
                }
            }
        }
    }

    /// The next request; where in its block it goes is for others to say.
    pub fn request(&mut self, rng: &mut StimulusRng) -> Request {
        if !self.is_within_group() {
            self.begin_group(rng);
        }
        let (op, tag, source) = self.requests[self.next];
        let sets = u64::from(self.params.sets);
        let set = (self.first_set.unwrap_or(0) + self.set) % sets;
        self.set += 1;
        if self.set == self.group() {
            (self.next, self.set) = (self.next + 1, 0);
        }
        let bits = self.params.address_bits;
        let block = tag << self.params.index_bits() | set;
        let address = block << self.params.offset_bits() & u64::MAX >> (64 - bits);
        Request { op: Some(op), source, address }
    }
}
