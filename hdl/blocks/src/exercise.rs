//! What traffic must exercise bit by bit: keys that a circuit compares, and tables that it keeps.
//!
//! A comparator that ignores one bit errs only when two keys that differ in no other bit meet. Random
//! keys hardly ever do, so a block declares what it compares, its streams draw [`Neighbours`], and
//! each bit is a corner of its own.

use rand::{Rng, RngExt};

use crate::verification::StimulusRng;

/// All that a block wants exercised, beside its corners.
#[derive(Clone, Debug, Default)]
pub struct Exercise {
    /// Keys that the circuit compares.
    pub compared: Vec<Compared>,
    /// Tables whose every bit must have been read as 0 and as 1.
    pub tables: Vec<Table>,
}

/// A comparison that the circuit makes.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What is compared, in words: "granules in the window".
    pub name: &'static str,
    /// Width of the key in bits, at most 64.
    pub width: u32,
    /// Differences (exclusive or) of two keys that must meet, ascending.
    pub differences: Vec<u64>,
    /// Keys that must meet their equals: those which a circuit could take for "nothing here".
    pub boundaries: Vec<u64>,
    /// Comparators, each of which must meet all of these: the ways of a set, say.
    pub places: usize,
}

impl Compared {
    /// Keys that must differ in each bit by itself, and be equal at 0 and at all ones.
    pub fn bits(name: &'static str, width: u32) -> Self {
        let differences = (0..width).map(|bit| 1 << bit).collect();
        Self { name, width, differences, boundaries: vec![0, all_ones(width)], places: 1 }
    }

    /// Keys that must differ by these vectors: of keys with equal hashes, a basis of the hash's kernel.
    pub fn vectors(name: &'static str, width: u32, mut differences: Vec<u64>) -> Self {
        differences.sort_unstable();
        Self { name, width, differences, boundaries: Vec::new(), places: 1 }
    }

    /// The same in each of as many comparators.
    pub fn in_places(self, places: u32) -> Self {
        Self { places: places as usize, ..self }
    }

    /// The same without keys that must meet their equals.
    pub fn without_boundaries(self) -> Self {
        Self { boundaries: Vec::new(), ..self }
    }

    /// The corners in words, in the order of their bins. Each is met once it was in each place.
    pub fn corners(&self) -> impl Iterator<Item = String> {
        let places = if self.places > 1 { ", in each place" } else { "" };
        let differ =
            self.differences.iter().map(move |&difference| match difference.is_power_of_two() {
                true => {
                    format!("{} that differ in bit {} only{places}", self.name, difference.ilog2())
                }
                false => format!("{} that differ by 0x{difference:x}{places}", self.name),
            });
        let twice = move |boundary| format!("{}: 0x{boundary:x} twice{places}", self.name);
        differ.chain(self.boundaries.iter().map(twice))
    }

    /// The bin that two keys meet, if they meet one.
    #[inline]
    pub(crate) fn bin(&self, one: u64, other: u64) -> Option<usize> {
        let difference = one ^ other;
        if difference == 0 {
            let found = self.boundaries.iter().position(|&boundary| boundary == one)?;
            return Some(self.differences.len() + found);
        }
        self.differences.binary_search(&difference).ok()
    }
}

/// A table with rows of up to 64 bits that the circuit keeps in a memory.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it holds, in words: "tags and sharers".
    pub name: &'static str,
    /// Rows, counted over all ways; none if the parameters make it impossible to exercise them.
    pub rows: usize,
    /// Width of a row in bits.
    pub width: u32,
}

impl Table {
    /// The corner in words.
    pub fn corner(&self) -> String {
        format!("{}: rows of which each bit was read as 0 and as 1", self.name)
    }
}

/// Pools of keys for a stream, in which each key differs from the first by one of the differences that
/// must be met. All have had their turn after `differences / (keys of a pool - 1)` pools.
#[derive(Clone, Debug)]
pub struct Neighbours {
    width: u32,
    differences: Vec<u64>,
    boundaries: Vec<u64>,
    /// Index of the next difference; none before the first pool: a run has several streams, and short
    /// ones would all have the same differences.
    next: Option<usize>,
}

impl Neighbours {
    /// The neighbours that a comparison must meet.
    pub fn new(compared: &Compared) -> Self {
        let Compared { width, differences, boundaries, .. } = compared.clone();
        Self { width, differences, boundaries, next: None }
    }

    /// The next pool: a key, and as many as `keys - 1` that differ from it.
    pub fn pool(&mut self, rng: &mut StimulusRng, keys: usize) -> Vec<u64> {
        let choice = rng.random_range(0..2 * self.boundaries.len().max(1));
        let base = match self.boundaries.get(choice) {
            Some(&boundary) => boundary,
            None => rng.next_u64() & all_ones(self.width),
        };
        let mut pool = vec![base];
        let count = self.differences.len();
        let mut next = self.next.unwrap_or_else(|| rng.random_range(0..count.max(1)));
        for _ in 1..keys.min(count + 1) {
            pool.push(base ^ self.differences[next]);
            next = (next + 1) % count;
        }
        self.next = Some(next);
        pool
    }
}

/// As many ones: the largest key of that width.
fn all_ones(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}
