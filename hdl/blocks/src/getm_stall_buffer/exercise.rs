//! What the default stream must exercise bit by bit: the granules of the lines, the order of warpts,
//! and what the entries keep.

use super::channels::Access;
use super::params::Params;
use crate::kit::*;

// Comparisons, as indices.
indices!(PARKS, RESULTS, RELEASES, EARLIER, LATER);
// Tables, as indices.
indices!(WARPS, WARPTS);

/// Granules that are compared with those of the lines.
pub(super) fn granules(name: &'static str, p: &Params) -> Compared {
    Compared::bits(name, p.granule_bits()).in_places(p.lines)
}

/// Timestamps of waiters in one line.
pub(super) fn warpts(name: &'static str, p: &Params) -> Compared {
    Compared::bits(name, p.timestamp_bits)
}

/// What is compared, and what is kept.
pub(super) fn exercise(p: &Params) -> Exercise {
    let mut compared = vec![
        granules("granules of a park and of the lines", p),
        granules("granules of a result and of lines that wait for one", p),
        granules("granules of a release and of lines asleep", p),
    ];
    // A newcomer finds the last entry free, or no room.
    if p.entries > 1 {
        let earlier = warpts("warpts of a newcomer and of later waiters", p).without_boundaries();
        let later = warpts("warpts of a newcomer and of waiters not later", p);
        compared.extend([earlier, later].map(|warpts| warpts.in_places(p.entries - 1)));
    }
    let rows = (p.lines * p.entries) as usize;
    let tables = vec![
        Table { name: "warps and kinds of waiters", rows, width: p.owner_bits + 1 },
        Table { name: "warpts of waiters", rows, width: p.timestamp_bits },
    ];
    Exercise { compared, tables }
}

/// Counts that a newcomer's warpts is compared with that of the waiter in an entry.
pub(super) fn compare_warpts(entry: usize, newcomer: u64, waiter: u64, corners: &mut Corners) {
    let comparison = if newcomer < waiter { EARLIER } else { LATER };
    corners.compare_at(comparison, entry, newcomer, waiter);
}

/// Notes that a waiter is kept in an entry, counted over all lines, until it leaves.
pub(super) fn note_kept(entry: usize, waiter: &Access, corners: &mut Corners) {
    corners.read(WARPS, entry, waiter.warp << 1 | u64::from(waiter.store));
    corners.read(WARPTS, entry, waiter.warpts);
}
