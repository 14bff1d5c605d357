//! Bits that the default stream must exercise one by one: those of lines, of wavefronts of requests close to each
//! other, of every row, and every valid bit.

use super::hashes::Hashes;
use super::params::Params;
use crate::exercise::kernel_basis;
use crate::kit::*;

/// Bits of rows that traffic reads one by one.
const MOST_BITS: u32 = 1 << 16;

// Comparisons, as indices.
indices!(LINES, RIGHT_AHEAD, TWO_AHEAD);
// Tables, as indices.
indices!(ROWS, NEXT_ROW, ROW_AFTER, VALID);

/// Wavefronts that a circuit compares.
pub(super) fn wavefronts(name: &'static str, p: &Params) -> Compared {
    let all = Compared::bits(name, p.row_number_bits());
    let differences = all.differences.into_iter().filter(|bit| p.has(*bit)).collect();
    let mut boundaries = vec![0, u64::from(p.wavefronts) - 1];
    boundaries.dedup();
    Compared { differences, boundaries, ..all }
}

/// Lines that are queried and inserted.
pub(super) fn lines(name: &'static str, p: &Params) -> Compared {
    Compared::bits(name, p.line_bits)
}

/// Keys that are compared, and bits that are kept.
pub(super) fn exercise(p: &Params) -> Exercise {
    let compared = vec![
        lines("lines of a query and of the insertion before it", p),
        wavefronts("wavefronts of a query and of the insertion of its line right ahead", p),
        wavefronts("wavefronts of a query and of the insertion of its line 2 stages ahead", p),
    ];
    let words = (p.row_bits() / word_bits(p)) as usize;
    let table = |name, filters: u32| {
        let rows = if apart(p).is_some() { words * filters as usize } else { 0 };
        Table { name, rows, width: word_bits(p) }
    };
    let tables = vec![
        table("bits of the filters", p.wavefronts),
        table("bits of a filter right behind an insertion", 1),
        table("bits of a filter 2 stages behind an insertion", 1),
        Table { name: "valid bits", rows: p.wavefronts as usize, width: 1 },
    ];
    Exercise { compared, tables }
}

/// Rows are noted in words of so many bits.
fn word_bits(p: &Params) -> u32 {
    p.bits.min(64)
}

/// Notes that the answer to a query depended on a bit of its wavefront's filter, so many stages behind the last
/// insertion by the wavefront, if that is in a stage.
pub(super) fn note_bit(
    p: &Params,
    (wavefront, behind): (u64, Option<usize>),
    (sub_array, index): (usize, usize),
    value: bool,
    corners: &mut Corners,
) {
    let (table, filter) = match behind {
        Some(1) => (NEXT_ROW, 0),
        Some(_) => (ROW_AFTER, 0),
        None => (ROWS, wavefront as usize),
    };
    let bit = (filter * p.sub_arrays as usize + sub_array) * p.bits as usize + index;
    let width = word_bits(p) as usize;
    let mask = 1 << (bit % width);
    corners.read_bits(table, bit / width, if value { mask } else { 0 }, mask);
}

/// For each sub-array a difference of lines that have one bit in each other sub-array and two there: if one of
/// two such lines is inserted, the answer to the other depends on one bit alone. None if there are no such lines, or
/// more bits than traffic reads so.
pub(super) fn apart(p: &Params) -> Option<Vec<u64>> {
    let hashes = Hashes::new(p).0;
    let of = |sub_array: usize| {
        let others = || hashes.iter().enumerate().filter(|(i, _)| *i != sub_array);
        let column = |bit: u32| {
            let join = |column: u128, hash: &H3| {
                column << p.index_bits() | u128::from(hash.hash(&[1 << bit]))
            };
            others().fold(0, |column, (_, hash)| join(column, hash))
        };
        let kernel = kernel_basis(&(0..p.line_bits).map(column).collect::<Vec<_>>());
        kernel.into_iter().find(|line| hashes[sub_array].hash(&[*line]) != 0)
    };
    let reads = p.wavefronts * p.row_bits() <= MOST_BITS && p.line_bits >= p.index_bits();
    (0..hashes.len()).map(of).collect::<Option<_>>().filter(|_| reads)
}
