//! Corners: situations that verification must have met, and how often it has.

use crate::exercise::{Compared, Exercise, Table};

/// A situation that verification must have met.
#[derive(Clone, Copy, Debug)]
pub struct CornerInfo {
    /// Name, in words.
    pub name: &'static str,
}

/// Corners as constants, which are their indices, and the list `CORNERS`: `CONSTANT "name in words",`.
#[macro_export]
macro_rules! corners {
    ($($constant:ident $name:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum CornerIndex { $($constant),* }
        $(pub(super) const $constant: usize = CornerIndex::$constant as usize;)*
        /// The corners, in the order of their indices.
        pub(super) const CORNERS: &[$crate::corners::CornerInfo] =
            &[$($crate::corners::CornerInfo { name: $name }),*];
    };
}
pub use corners;

/// How often each corner of a block was met.
#[derive(Clone, Debug, Default)]
pub struct Corners {
    /// The block's corners.
    counts: Vec<u64>,
    compared: Vec<Met>,
    tables: Vec<ReadRows>,
}

/// The differences that keys of a comparison have met.
#[derive(Clone, Debug)]
struct Met {
    compared: Compared,
    /// Every difference is one bit, so that a bin is found by its number.
    is_of_bits: bool,
    /// Bins of a place.
    bins: usize,
    /// Of each place its bins.
    counts: Vec<u64>,
}

/// The bits of a table that were read.
#[derive(Clone, Debug)]
struct ReadRows {
    width: u32,
    /// For each row the bits that were read as 0, and those that were read as 1.
    rows: Vec<[u64; 2]>,
}

impl Corners {
    /// As many bins as the block has corners, and those of what it wants exercised.
    pub fn new(corners: usize, exercise: &Exercise) -> Self {
        let met = |compared: &Compared| {
            let bins = compared.differences.len() + compared.boundaries.len();
            let is_of_bits = compared.differences.iter().zip(0..).all(|(&d, bit)| d == 1 << bit);
            let counts = vec![0; bins * compared.places];
            Met { compared: compared.clone(), is_of_bits, bins, counts }
        };
        let compared = exercise.compared.iter().map(met).collect();
        let rows = |t: &Table| ReadRows { width: t.width, rows: vec![[0; 2]; t.rows] };
        let tables = exercise.tables.iter().map(rows).collect();
        Self { counts: vec![0; corners], compared, tables }
    }

    /// Counts one meeting of a corner.
    #[inline]
    pub fn hit(&mut self, corner: usize) {
        self.counts[corner] += 1;
    }

    /// Counts a meeting of a corner if there was one. What is met at random is better counted so:
    /// a branch would often be mispredicted.
    #[inline]
    pub fn count(&mut self, corner: usize, met: bool) {
        self.counts[corner] += u64::from(met);
    }

    /// Counts that two keys have met in the comparison of that index in [`Exercise::compared`].
    #[inline]
    pub fn compare(&mut self, comparison: usize, one: u64, other: u64) {
        self.compare_at(comparison, 0, one, other);
    }

    /// As [`Corners::compare`], in one of several places.
    #[inline]
    pub fn compare_at(&mut self, comparison: usize, place: usize, one: u64, other: u64) {
        let met = &mut self.compared[comparison];
        let difference = one ^ other;
        // Most keys differ in many bits.
        if difference & difference.wrapping_sub(1) != 0 && met.is_of_bits {
            return;
        }
        if let Some(bin) = met.compared.bin(one, other) {
            met.counts[place * met.bins + bin] += 1;
        }
    }

    /// Notes that a row of the table of that index in [`Exercise::tables`] was read, and its answer
    /// depended on all of it.
    #[inline]
    pub fn read(&mut self, table: usize, row: usize, value: u64) {
        self.read_bits(table, row, value, u64::MAX);
    }

    /// As [`Corners::read`], where the answer depended on the bits of `mask`.
    #[inline]
    pub fn read_bits(&mut self, table: usize, row: usize, value: u64, mask: u64) {
        // A table that the parameters leave out has no rows.
        let Some([zeros, ones]) = self.tables[table].rows.get_mut(row) else { return };
        *zeros |= !value & mask;
        *ones |= value & mask;
    }

    /// Adds the counts of another run of the same block.
    pub fn add(&mut self, other: &Corners) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
        for (met, other) in self.compared.iter_mut().zip(&other.compared) {
            met.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
        }
        for (table, other) in self.tables.iter_mut().zip(&other.tables) {
            for (row, other) in table.rows.iter_mut().zip(&other.rows) {
                *row = [row[0] | other[0], row[1] | other[1]];
            }
        }
    }

    /// The counts, in the order of the block's corner list.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// For each corner of the compared keys how often it was met; of several places, the place
    /// that met it least.
    pub fn compared(&self) -> impl Iterator<Item = u64> {
        self.compared.iter().flat_map(|met| {
            let least = |bin| met.counts.iter().skip(bin).step_by(met.bins).copied().min();
            (0..met.bins).map(move |bin| least(bin).unwrap_or(0))
        })
    }

    /// For each table that has rows, those of which every bit was read as 0 and as 1.
    pub fn rows_read(&self) -> impl Iterator<Item = usize> {
        self.tables.iter().filter(|table| !table.rows.is_empty()).map(|table| {
            let all = u64::MAX.checked_shr(64 - table.width).unwrap_or(0);
            table.rows.iter().filter(|[zeros, ones]| zeros & ones & all == all).count()
        })
    }
}
