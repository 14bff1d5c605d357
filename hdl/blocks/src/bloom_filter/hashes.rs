//! The H3 hashes of the sub-arrays: a Parallel Bloom Filter (5.2) has one for each.

use super::params::Params;
use crate::kit::*;

/// Seeds that belong to one `hash_seed`: one for each sub-array that there can be.
const SEEDS: u64 = 8;

/// A hash for each sub-array, so that each bit of a line counts in each.
#[derive(Clone, Debug, Default)]
pub(super) struct Hashes(pub Vec<H3>);

impl Hashes {
    pub fn new(p: &Params) -> Self {
        let seed = |i: u32| u64::from(p.hash_seed) * SEEDS + u64::from(i);
        let hash = |i| H3::of_full_rank(p.line_bits, p.index_bits(), seed(i));
        Self((0..p.sub_arrays).map(hash).collect())
    }

    /// The bit of a line in each sub-array.
    pub fn indices(&self, line: u64) -> impl Iterator<Item = usize> {
        self.0.iter().map(move |hash| hash.hash(&[line]) as usize)
    }
}

/// The signal with a line's bit in a sub-array.
pub(super) fn index_name(sub_array: usize) -> String {
    format!("index{sub_array}")
}

/// The only sources of the numbers of bits: no rule depends on which bit of a sub-array is a line's.
pub(super) fn hashing(p: &Params) -> Hashing {
    let rows = (0..p.sub_arrays as usize).map(index_name).collect();
    Hashing { same_rows: Vec::new(), rows }
}
