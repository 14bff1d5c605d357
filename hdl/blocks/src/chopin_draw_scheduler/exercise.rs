//! What the default stream must exercise bit by bit: the remaining triangles that decide a draw, the
//! triangles that a report is checked against, and the totals.

use super::channels::Totals;
use super::params::Params;
use crate::kit::*;

// Comparisons, as indices.
indices!(FEWER, FEWER_AFTER_HIGH, FEWER_AFTER_LOW, EQUAL, REPORTS, HELD);
// Tables, as indices.
indices!(SCHEDULED, PROCESSED);

/// Bits of a total that traffic can set, at most.
const BITS_OF_TRAFFIC: u32 = 33;

/// What is compared, and what is kept.
pub(super) fn exercise(p: &Params) -> Exercise {
    let pairs = p.gpus * (p.gpus - 1) / 2;
    // A comparison decides where the chosen GPU is above the other; if it is below, a tie decides. Which
    // comparator it is depends on where the draw of the clock before went; a draw that makes the lower GPU
    // the larger one is as large as the difference at least.
    let fewer = |when: &str, bits| {
        let name = format!("remaining triangles of the chosen GPU and of a lower one{when}");
        Compared::bits(name, bits).without_boundaries().in_places(pairs)
    };
    let equal = Compared::vectors(
        "remaining triangles of the chosen GPU and of a higher one",
        p.remaining_bits,
        vec![],
    );
    let equal = Compared { boundaries: vec![0], ..equal };
    let reports =
        Compared::bits("a report and the fewer triangles that the GPU has", p.triangle_bits);
    let held_bits = p.remaining_bits - p.triangle_bits;
    let held = Compared::bits(
        "the upper bits of what the GPU has, below a larger report, and 0",
        held_bits,
    );
    let compared = vec![
        fewer("", p.remaining_bits),
        fewer(", a clock after a draw to the chosen", p.remaining_bits),
        fewer(", a clock after a draw to the lower", p.triangle_bits),
        equal.in_places(pairs),
        reports.without_boundaries().in_places(p.gpus),
        held.without_boundaries().in_places(p.gpus),
    ];
    let width = p.counter_bits.min((p.segment_bits + 1).min(BITS_OF_TRAFFIC).max(p.triangle_bits));
    let table = |name| Table { name, rows: p.gpus as usize, width };
    Exercise { compared, tables: vec![table("totals scheduled"), table("totals processed")] }
}

/// Counts that the chosen GPU's remaining triangles are compared with those of the others; `before` is where
/// the draw of the clock before went.
pub(super) fn note_choice(
    remaining: &[u64],
    chosen: usize,
    before: Option<usize>,
    corners: &mut Corners,
) {
    for (other, &others) in remaining.iter().enumerate().filter(|&(other, _)| other != chosen) {
        let (comparison, low, high) = match other < chosen {
            true if before == Some(chosen) => (FEWER_AFTER_HIGH, other, chosen),
            true if before == Some(other) => (FEWER_AFTER_LOW, other, chosen),
            true => (FEWER, other, chosen),
            false => (EQUAL, chosen, other),
        };
        corners.compare_at(comparison, high * (high - 1) / 2 + low, remaining[chosen], others);
    }
}

/// Counts that a report is compared with the triangles that the GPU has.
pub(super) fn note_report(p: &Params, gpu: usize, report: u64, held: u64, corners: &mut Corners) {
    if report > held {
        corners.compare_at(REPORTS, gpu, report, held);
    } else if report > held & p.largest_draw() {
        corners.compare_at(HELD, gpu, held >> p.triangle_bits, 0);
    }
}

/// Notes the answer to a query.
pub(super) fn note_totals(gpu: usize, totals: &Totals, corners: &mut Corners) {
    corners.read(SCHEDULED, gpu, totals.scheduled);
    corners.read(PROCESSED, gpu, totals.processed);
}
