//! What the default stream must exercise bit by bit: tags and sets that are compared, and the rows of the RAMs.

use super::params::Params;
use crate::kit::*;

/// Comparisons, as indices: a request's tag with those of its set.
pub(super) const TAGS: usize = 0;
/// Sets of a request and of the one before it, and of those one and two further on.
const SETS_IN_FLIGHT: usize = 1;
/// As they, tags.
const TAGS_IN_FLIGHT: usize = 4;
/// Sharers that are told of an eviction, against none.
pub(super) const TOLD: usize = 7;

// Tables, as indices.
indices!(TAG_ROWS, SHARER_ROWS, VALID_ROWS, VICTIM_ROWS);

/// Requests by which a row is changed after it was read: closer ones have it forwarded.
pub(super) const IN_FLIGHT: usize = 3;

/// Block numbers: neighbours have one tag and sets that differ in a bit, or the other way round.
pub(super) fn blocks(p: &Params) -> Compared {
    Compared::bits("blocks", p.address_bits - p.offset_bits())
}

/// Whether a set can be full and another block wanted.
pub(super) fn is_crowded(p: &Params) -> bool {
    p.tag_bits() >= 32 || 1 << p.tag_bits() > u64::from(p.ways)
}

/// Ways that can have an entry: where there are fewer blocks than ways, the last stay free.
pub(super) fn used_ways(p: &Params) -> u32 {
    if is_crowded(p) { p.ways } else { 1 << p.tag_bits() }
}

/// What is compared, and what the RAMs keep.
pub(super) fn exercise(p: &Params) -> Exercise {
    let ways = used_ways(p);
    let tags = Compared::bits("tags of a request and of its set", p.tag_bits()).in_places(ways);
    let in_flight = |name, width| Compared::bits(name, width).without_boundaries();
    let told = Compared {
        differences: if is_crowded(p) {
            (0..p.sharers()).map(|bit| 1 << bit).collect()
        } else {
            Vec::new()
        },
        ..Compared::vectors("sharers told of an eviction and none", p.sharers(), Vec::new())
    };
    let (set, tag) = (p.index_bits(), p.tag_bits());
    let compared = vec![
        tags,
        in_flight("sets of requests in consecutive clocks", set),
        in_flight("sets of requests two clocks apart", set),
        in_flight("sets of requests three clocks apart", set),
        in_flight("tags of one set in consecutive clocks", tag),
        in_flight("tags of one set two clocks apart", tag),
        in_flight("tags of one set three clocks apart", tag),
        told,
    ];
    let evicts = p.ways > 1 && is_crowded(p);
    let rows = p.sets as usize;
    let entries = rows * ways as usize;
    let tables = vec![
        Table { name: "tags", rows: entries, width: p.tag_bits() },
        // An entry has sharers, so a single one is never read as 0.
        Table {
            name: "sharers",
            rows: if p.sharers() > 1 { entries } else { 0 },
            width: p.sharers(),
        },
        Table { name: "valid bits", rows, width: ways },
        // A single way always makes room.
        Table {
            name: "recency: ways that make room",
            rows: if evicts { rows } else { 0 },
            width: ways,
        },
    ];
    Exercise { compared, tables }
}

/// The last requests that were answered: with those that come so soon after one that it got an entry,
/// the circuit compares the requests themselves.
pub(super) struct Answered {
    sets: u64,
    /// Block and clock of their acceptance, the latest first, and whether each got an entry.
    last: [(u64, u64, bool); IN_FLIGHT],
}

impl Answered {
    pub(super) fn new(sets: u32) -> Self {
        Self { sets: u64::from(sets), last: [(0, 0, false); IN_FLIGHT] }
    }

    /// Counts the next, which was accepted at clock `at`.
    pub(super) fn count(&mut self, block: u64, at: u64, is_new: bool, corners: &mut Corners) {
        let met = |distance: usize| {
            let (other, before, was_new) = self.last[distance];
            let is_apart = before + distance as u64 + 1 == at;
            is_apart & was_new & (block ^ other).is_power_of_two()
        };
        // One branch for all: they are rare.
        if met(0) | met(1) | met(2) {
            for distance in (0..IN_FLIGHT).filter(|&distance| met(distance)) {
                let differing = block ^ self.last[distance].0;
                let (comparison, low) = match differing < self.sets {
                    true => (SETS_IN_FLIGHT, 0),
                    false => (TAGS_IN_FLIGHT, self.sets.trailing_zeros()),
                };
                corners.compare(comparison + distance, differing >> low, 0);
            }
        }
        self.last = [(block, at, is_new), self.last[0], self.last[1]];
    }
}
