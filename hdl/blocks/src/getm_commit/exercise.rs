//! What the default stream must exercise bit by bit: the regions that are compared, counts and ages
//! at their limits, and the memories of the ring.

use super::channels::{Item, Kind};
use super::params::Params;
use super::reference::Entry;
use crate::kit::*;

// Comparisons, as indices.
indices!(REGIONS, COUNTS, SUMS, AGES);
// Tables, as indices.
indices!(NUMBERS, DATA, WRITTEN, COUNTS_KEPT);

/// The region of an item and the open ones of the window, in each place of the window.
pub(super) fn regions(p: &Params) -> Compared {
    Compared::bits("regions of an item and in the window", p.granule_bits()).in_places(p.window)
}

/// What is compared, and what is kept in memories.
pub(super) fn exercise(p: &Params) -> Exercise {
    let regions = if p.max_wait == 1 { nothing() } else { regions(p) };
    let counts = Compared::bits("the count of an item and none", p.write_count_bits);
    // Of counts of one bit, two are too many.
    let sums = Compared {
        boundaries: if p.write_count_bits > 1 { vec![p.most_writes()] } else { Vec::new() },
        ..one_less("a count of writes and the most", p.most_writes() + 1)
    };
    let max_wait = u64::from(p.max_wait);
    let ages = one_less("items that a region has waited for and max_wait", max_wait);
    let ages = Compared { boundaries: vec![max_wait], ..ages };
    let table = |name, each: u32, width| Table { name, rows: (p.ring * each) as usize, width };
    // A count of one bit is always 1.
    let counted = u32::from(p.write_count_bits > 1);
    let tables = vec![
        table("numbers of regions", 1, p.granule_bits()),
        table("data of regions", p.granule_bytes.div_ceil(8), 8 * p.granule_bytes.min(8)),
        table("written bytes of regions", p.granule_bytes.div_ceil(64), p.granule_bytes.min(64)),
        table("counts of regions", counted, p.write_count_bits),
    ];
    let sums = if p.max_wait == 1 { nothing() } else { sums };
    let ages = if waits(p) { ages } else { nothing() };
    Exercise { compared: vec![regions, counts.without_boundaries(), sums, ages], tables }
}

/// Whether two regions can take as many writes that one of them gets too old.
fn waits(p: &Params) -> bool {
    p.max_wait > 1 && 2 * p.most_writes() > u64::from(p.max_wait)
}

/// In the place of what the parameters make impossible.
fn nothing() -> Compared {
    Compared::vectors("nothing", 1, Vec::new())
}

/// A number and the one below it, which must meet.
fn one_less(name: &'static str, number: u64) -> Compared {
    Compared::vectors(name, 17, vec![number ^ (number - 1)])
}

/// Counts what an item is compared with, before it changes anything. `items` have been taken.
pub(super) fn count_compared<'e>(
    p: &Params,
    window: impl Iterator<Item = &'e Entry>,
    items: u64,
    item: &Item,
    corners: &mut Corners,
) {
    let Ok(Kind::Commit | Kind::Abort) = item.meaning(p) else { return };
    let granule = p.granule_of(item.address);
    corners.compare(COUNTS, item.count, 0);
    for entry in window.filter(|entry| !entry.closed) {
        let (waited, max_wait) = (items - entry.begun, u64::from(p.max_wait));
        let is_same = entry.granule == granule;
        if is_same {
            corners.compare(AGES, waited, max_wait);
        }
        if waited < max_wait {
            let place = entry.slot % p.window as usize;
            corners.compare_at(REGIONS, place, granule, entry.granule);
            if is_same {
                corners.compare(SUMS, entry.count + item.count, p.most_writes());
            }
        }
    }
}

/// Notes that a region was read from the memories; `write` is what is written of it.
pub(super) fn note_read(p: &Params, entry: &Entry, write: &[u64], corners: &mut Corners) {
    corners.read(NUMBERS, entry.slot, entry.granule);
    corners.read(COUNTS_KEPT, entry.slot, entry.count);
    let (data, written) = write[1..].split_at(p.granule_bytes.div_ceil(8) as usize);
    for (number, &bytes) in written.iter().enumerate() {
        corners.read(WRITTEN, entry.slot * written.len() + number, bytes);
    }
    for (number, &word) in data.iter().enumerate() {
        let bytes = written[number / 8] >> (8 * (number % 8));
        // Of each byte that is written, its bits.
        let bits = (0..8).map(|byte| (bytes >> byte & 1) * (0xff << (8 * byte))).sum();
        corners.read_bits(DATA, entry.slot * data.len() + number, word, bits);
    }
}
