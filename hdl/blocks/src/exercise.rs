//! What traffic must exercise bit by bit: keys that a circuit compares, and tables that it keeps.
//!
//! A comparator that ignores one bit errs only when two keys that differ in no other bit meet. Random
//! keys hardly ever do, so a block declares what it compares, its streams draw [`Neighbours`], and
//! each bit is a corner of its own.

use std::borrow::Cow;
use std::collections::HashMap;

use rand::{Rng, RngExt};

use crate::verification::StimulusRng;

/// Indices of comparisons or tables, in order from 0.
#[macro_export]
macro_rules! indices {
    (@ $index:expr;) => {};
    (@ $index:expr; $first:ident $(, $rest:ident)*) => {
        pub(super) const $first: usize = $index;
        $crate::exercise::indices!(@ $index + 1; $($rest),*);
    };
    ($($name:ident),*) => {
        $crate::exercise::indices!(@ 0; $($name),*);
    };
}
pub use indices;

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
    pub name: Cow<'static, str>,
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
    pub fn bits(name: impl Into<Cow<'static, str>>, width: u32) -> Self {
        let differences = (0..width).map(|bit| 1 << bit).collect();
        let name = name.into();
        Self { name, width, differences, boundaries: vec![0, all_ones(width)], places: 1 }
    }

    /// Keys that must differ by these vectors: of keys with equal hashes, a basis of the hash's kernel.
    pub fn vectors(
        name: impl Into<Cow<'static, str>>,
        width: u32,
        mut differences: Vec<u64>,
    ) -> Self {
        differences.sort_unstable();
        let name = name.into();
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
#[derive(Clone, Debug, Default)]
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

/// A basis of the keys that hash to zero, of light vectors: two keys have one hash where they differ by
/// a sum of these. `columns` are the hashes of the keys of one bit, lowest bit first.
///
/// Vectors of up to three ones are the lightest there are; the heavier ones come from elimination.
pub fn kernel_basis(columns: &[u128]) -> Vec<u64> {
    let bits = 0..columns.len();
    let at: HashMap<u128, usize> = columns.iter().copied().zip(bits.clone()).collect();
    let one = |bit: usize| 1_u64 << bit;
    let of_one = bits.clone().filter(|&a| columns[a] == 0).map(one);
    let pairs = || bits.clone().flat_map(|b| (0..b).map(move |a| (a, b)));
    let of_two = pairs().filter(|&(a, b)| columns[a] == columns[b]);
    let of_three = pairs().filter_map(|(a, b)| {
        let &c = at.get(&(columns[a] ^ columns[b])).filter(|&&c| c > b)?;
        Some(one(a) | one(b) | one(c))
    });
    // Sums of columns, each with another highest bit, and of which columns they are.
    let mut sums: Vec<(u128, u64)> = Vec::new();
    let mut any = Vec::new();
    for (bit, &column) in columns.iter().enumerate() {
        let (mut sum, mut of) = (column, one(bit));
        for &(other, of_other) in &sums {
            if sum ^ other < sum {
                (sum, of) = (sum ^ other, of ^ of_other);
            }
        }
        match sum {
            0 => any.push(of),
            _ => sums.push((sum, of)),
        }
        sums.sort_unstable_by(|a, b| b.cmp(a));
    }
    let light = of_one.chain(of_two.map(|(a, b)| one(a) | one(b))).chain(of_three);
    let mut basis = Vec::new();
    let mut reduced: Vec<u64> = Vec::new();
    for vector in light.chain(any.iter().copied()) {
        let rest = reduced.iter().fold(vector, |rest, other| rest.min(rest ^ other));
        if rest != 0 {
            basis.push(vector);
            reduced.push(rest);
            reduced.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    basis
}

/// The largest key of that width.
fn all_ones(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}
