//! What traffic must exercise bit by bit: the comparators of the table, and its RAM.
//!
//! Two granules can only be candidates of one place if its hash gives them one row, so there they
//! differ by vectors of the hash's kernel: a comparator of a bank may ignore any other difference.

mod in_flight;

pub(crate) use self::in_flight::InFlight;
pub(super) use self::in_flight::{Evicted, SOON};
use super::access::Metadata;
use super::channels::{Op, Request};
use super::hashes::Hashes;
use super::params::Params;
use crate::exercise::kernel_basis;
use crate::kit::*;

/// How a request stands to the metadata of its granule, each a comparison of its own for every place
/// from which the circuit takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A bank or the stash.
    Table = 0,
    /// The request in the clock before, which leaves it as it was.
    Before = 1,
    /// The overflow space.
    Overflow = 2,
}

impl Source {
    const ALL: [(Source, &str); 3] = [
        (Source::Table, "in the table"),
        (Source::Before, "seen in the clock before"),
        (Source::Overflow, "in the overflow space"),
    ];
}

// Comparisons of a source.
indices!(BELOW_WTS, ABOVE_WTS, OWN_TIME, OWNER, BELOW_RTS, ABOVE_RTS, OF_SOURCE);
// Further comparisons.
const IN_FLIGHT: usize = OF_SOURCE * Source::ALL.len();
const NEXT_TIME: usize = IN_FLIGHT + 1;
const NEXT_WARP: usize = IN_FLIGHT + 2;
const NEXT_LOAD: usize = IN_FLIGHT + 3;
const ESTIMATED_WTS: usize = IN_FLIGHT + 4;
const ESTIMATED_RTS: usize = IN_FLIGHT + 5;
const FEWER_WRITES: usize = IN_FLIGHT + 6;
const MORE_WRITES: usize = FEWER_WRITES + 2;
const VICTIMS_WTS: usize = MORE_WRITES + 2;
const VICTIMS_RTS: usize = VICTIMS_WTS + 1;
const BANKS: usize = VICTIMS_WTS + 2;

/// Counts of writes that are wider are not exercised bit by bit: it would take too many stores.
pub(super) const HAMMERED_BITS: u32 = 10;

/// Places in the banks, and rows of the Bloom filter, that a run reads in every bit.
const MOST_PLACES: u32 = 1024;

// Tables.
indices!(GRANULES, WTS, RTS, OWNERS, BLOOM_WTS, BLOOM_RTS);

/// Where the comparisons and tables of the banks and of the stash are.
#[derive(Clone, Debug)]
pub(super) struct Exercised {
    ways: usize,
    stash: Option<usize>,
    reads: bool,
    /// For each bank the bits of a granule that its row decides: they are the same for all that go there.
    fixed: Vec<u64>,
}

impl Exercised {
    /// `reads`: the RAM is exercised too.
    pub fn new(p: &Params, reads: bool) -> Self {
        let stash = BANKS + 2 * p.ways as usize;
        let varying = |kernel: Vec<u64>| kernel.iter().fold(0, |any, vector| any | vector);
        let fixed = |kernel| !varying(kernel) & p.last_granule();
        Self {
            ways: p.ways as usize,
            stash: fills_stash(p).then_some(stash),
            reads: reads && reads_all(p),
            fixed: kernels(p).into_iter().map(fixed).collect(),
        }
    }

    /// A granule is looked up where that of `entry` is: in a bank.
    #[inline]
    pub fn in_bank(&self, bank: usize, entry: u64, granule: u64, corners: &mut Corners) {
        corners.compare(BANKS + bank, entry, granule);
    }

    /// As [`Exercised::in_bank`], for a request behind another by two that has the entry.
    #[inline]
    pub fn two_apart(&self, bank: usize, entry: u64, granule: u64, corners: &mut Corners) {
        corners.compare(BANKS + self.ways + bank, entry, granule);
    }

    /// As [`Exercised::in_bank`], in a slot of the stash.
    #[inline]
    pub fn in_stash(&self, slot: usize, entry: u64, granule: u64, corners: &mut Corners) {
        if let Some(stash) = self.stash {
            corners.compare_at(stash, slot, entry, granule);
        }
    }

    /// An entry of a bank was found, and its times were told.
    #[inline]
    pub fn read(
        &self,
        row: usize,
        granule: u64,
        entry: Metadata,
        mine: bool,
        corners: &mut Corners,
    ) {
        if !self.reads {
            return;
        }
        corners.read(GRANULES, row, granule);
        corners.read(GRANULES, row, granule ^ self.fixed[row % self.ways]);
        corners.read(WTS, row, entry.wts);
        corners.read(RTS, row, entry.rts);
        if mine {
            corners.read(OWNERS, row, entry.owner);
        }
    }

    /// A row of the Bloom filter alone has the least `wts`.
    #[inline]
    pub fn least_wts(&self, row: usize, wts: u64, corners: &mut Corners) {
        if self.reads {
            corners.read(BLOOM_WTS, row, wts);
        }
    }

    /// A row of the Bloom filter alone has the least `rts`.
    #[inline]
    pub fn least_rts(&self, row: usize, rts: u64, corners: &mut Corners) {
        if self.reads {
            corners.read(BLOOM_RTS, row, rts);
        }
    }

    /// The times of a request and of the estimate for its granule.
    #[inline]
    pub fn estimated(&self, request: &Request, estimate: Metadata, corners: &mut Corners) {
        corners.compare(ESTIMATED_WTS, request.warpts, estimate.wts);
        if request.op == Op::Store && estimate.wts <= request.warpts {
            corners.compare(ESTIMATED_RTS, request.warpts, estimate.rts);
        }
    }
}

/// A load or store stands to metadata from there.
#[inline]
pub(crate) fn stands(request: &Request, before: Metadata, source: Source, corners: &mut Corners) {
    let &Request { op, warp, warpts, .. } = request;
    let first = OF_SOURCE * source as usize;
    let successor = warpts + 1;
    if before.is_reserved() {
        if before.owner == warp {
            corners.compare(first + OWN_TIME, before.wts, successor);
        }
        if before.wts == successor {
            corners.compare(first + OWNER, before.owner, warp);
        }
    }
    match warpts < before.wts {
        true => corners.compare(first + BELOW_WTS, warpts, before.wts),
        false => corners.compare(first + ABOVE_WTS, warpts, before.wts),
    }
    // Its owner's load raises the rts, which is written to the overflow space.
    if source == Source::Overflow
        && op == Op::Load
        && before.owner == warp
        && before.wts == successor
        && before.rts < warpts
    {
        corners.compare(first + ABOVE_RTS, warpts, before.rts);
    }
    // Else what it wrote decides.
    if !before.is_reserved() && before.wts <= warpts && source != Source::Overflow {
        match warpts < before.rts {
            true if op == Op::Store => corners.compare(first + BELOW_RTS, warpts, before.rts),
            true => {}
            false => corners.compare(first + ABOVE_RTS, warpts, before.rts),
        }
    }
}

/// A release of `count` writes meets an entry with `writes`, in the overflow space or not.
#[inline]
pub(crate) fn releases(count: u64, writes: u64, overflown: bool, corners: &mut Corners) {
    let first = if count < writes { FEWER_WRITES } else { MORE_WRITES };
    // A release of none is an error whatever is compared.
    if count > 0 && writes > 0 {
        corners.compare(first + usize::from(overflown), count, writes);
    }
}

/// Differences of granules that all candidates have in common: whatever differs by these is in one row
/// of every bank, and crowds it.
pub(super) fn common_kernel(p: &Params) -> Vec<u64> {
    common_kernel_of(&Hashes::new(p).banks, p.row_bits(), p)
}

/// The same for the ways of the Bloom filter: it cannot tell such granules apart.
pub(crate) fn common_bloom_kernel(p: &Params) -> Vec<u64> {
    common_kernel_of(&Hashes::new(p).bloom, p.bloom_row_bits(), p)
}

/// For each way of the Bloom filter, differences of granules that have one row in all others.
pub(crate) fn kernels_of_other_ways(p: &Params) -> Vec<Vec<u64>> {
    let ways = Hashes::new(p).bloom;
    let without = |way: usize| {
        let mut others = ways.clone();
        others.remove(way);
        common_kernel_of(&others, p.bloom_row_bits(), p)
    };
    (0..ways.len()).map(without).collect()
}

fn common_kernel_of(hashes: &[H3], row_bits: u32, p: &Params) -> Vec<u64> {
    let column = |bit: u32| {
        let rows = hashes.iter().map(|hash| u128::from(hash.hash(&[1 << bit])));
        rows.fold(0, |column, row| column << row_bits | row)
    };
    kernel_basis(&(0..p.granule_bits()).map(column).collect::<Vec<_>>())
}

/// For each bank a basis of the differences of granules that have one row there.
pub(crate) fn kernels(p: &Params) -> Vec<Vec<u64>> {
    kernels_of(&Hashes::new(p).banks, p)
}

/// The same for each way of the Bloom filter.
pub(super) fn bloom_kernels(p: &Params) -> Vec<Vec<u64>> {
    kernels_of(&Hashes::new(p).bloom, p)
}

fn kernels_of(hashes: &[H3], p: &Params) -> Vec<Vec<u64>> {
    let columns = hashes.iter().map(|hash| {
        let column = |bit: u32| u128::from(hash.hash(&[1 << bit]));
        (0..p.granule_bits()).map(column).collect::<Vec<_>>()
    });
    columns.map(|columns| kernel_basis(&columns)).collect()
}

/// Whether the stash can be filled at will: with more granules of common candidates than there are
/// places for them.
pub(super) fn fills_stash(p: &Params) -> bool {
    p.stash > 0 && 1 << common_kernel(p).len().min(16) >= p.ways + p.stash
}

/// Whether traffic fills every row often enough.
fn reads_all(p: &Params) -> bool {
    p.rows_per_way * p.ways <= MOST_PLACES && p.bloom_rows * p.bloom_ways <= MOST_PLACES
}

/// Whether there are more granules than places in the banks and in the stash, so that something has to go.
pub(super) fn is_crowded(p: &Params) -> bool {
    let places = u64::from(p.rows_per_way) * u64::from(p.ways) + u64::from(p.stash);
    p.granule_bits() > 32 || 1 << p.granule_bits() > places
}

pub(crate) fn exercise(p: &Params) -> Exercise {
    let (times, owners, granules) = (p.timestamp_bits, p.owner_bits, p.granule_bits());
    let last = p.last_timestamp();
    let mut compared = Vec::new();
    for (source, name) in Source::ALL {
        let time = |what: &str, boundaries: &[u64]| {
            let name = format!("a request and {what} {name}");
            Compared { boundaries: boundaries.to_vec(), ..Compared::bits(name, times) }
        };
        let latest: &[u64] = if source == Source::Overflow { &[] } else { &[last] };
        let mut own_time = time("the wts of its warp's reservation", latest);
        if p.faithful {
            (own_time.differences, own_time.boundaries) = (Vec::new(), Vec::new());
        }
        let zero: &[u64] = if source == Source::Table { &[0] } else { &[] };
        compared.extend([
            time("a later wts", &[]),
            time("an earlier wts", zero),
            own_time,
            Compared::bits(format!("a request's warp and the owner {name}"), owners),
            time("a later rts", &[]),
            time("an earlier rts", zero),
        ]);
        if source == Source::Overflow {
            let count = compared.len();
            compared[count - 2] = nothing(times);
        }
    }
    let bits = |name: &str, width| Compared::bits(name.to_string(), width);
    let unbounded = |name: &str| bits(name, times).without_boundaries();
    compared.extend([
        bits("granules in consecutive clocks", granules),
        unbounded("times of one warp in consecutive clocks, the first a reservation"),
        bits("warps of one time in consecutive clocks, the first a reservation", owners),
        unbounded("a load and a store of its granule in consecutive clocks, their times"),
        unbounded("a request and the wts estimated for it"),
        unbounded("a store and the rts estimated for it"),
    ]);
    for what in ["fewer", "more"] {
        for place in ["in the table", "in the overflow space"] {
            let name = format!("writes under way {place} and a release of {what}");
            compared.push(match p.write_count_bits <= HAMMERED_BITS {
                true => Compared::bits(name, p.write_count_bits).without_boundaries(),
                false => nothing(p.write_count_bits),
            });
        }
    }
    for time in ["wts", "rts"] {
        let name =
            format!("entries of one Bloom row evicted at most {SOON} requests apart, their {time}");
        compared.push(match is_crowded(p) {
            true => Compared::bits(name, times).without_boundaries(),
            false => nothing(times),
        });
    }
    let kernels = kernels(p);
    let in_banks = |what: &str| -> Vec<_> {
        let of = |(bank, vectors): (usize, &Vec<u64>)| {
            Compared::vectors(format!("granules {what} bank {bank}"), granules, vectors.clone())
        };
        kernels.iter().enumerate().map(of).collect()
    };
    compared.extend(in_banks("of a request and of its candidate in"));
    compared.extend(in_banks("two requests apart, the first in"));
    if fills_stash(p) {
        let stash = Compared::bits("granules of a request and of a slot of the stash", granules);
        compared.push(stash.in_places(p.stash));
    }

    let table = |name: &'static str, rows: u32, width| Table { name, rows: rows as usize, width };
    let places = p.ways * p.rows_per_way;
    let bloom = p.bloom_ways * p.bloom_rows;
    let mut tables = vec![
        table("granules in the banks", places, granules),
        table("wts in the banks", places, times),
        table("rts in the banks", places, times),
        table("owners in the banks", places, owners),
        table("wts in the Bloom filter", bloom, times),
        table("rts in the Bloom filter", bloom, times),
    ];
    if !reads_all(p) {
        tables.clear();
    }
    Exercise { compared, tables }
}

/// A comparison without corners.
fn nothing(width: u32) -> Compared {
    Compared::vectors("", width, Vec::new())
}

/// The comparisons of a table that is part of a unit, with corners where the unit's requests meet them.
pub(crate) fn through_unit(p: &Params) -> Vec<Compared> {
    let mut compared = exercise(p).compared;
    let met = [BELOW_WTS, OWN_TIME, OWNER, IN_FLIGHT, NEXT_TIME, NEXT_WARP];
    for (index, compared) in compared.iter_mut().enumerate().take(BANKS) {
        match met.contains(&index) {
            true if index == IN_FLIGHT => {}
            true => compared.boundaries.clear(),
            false => *compared = nothing(compared.width),
        }
    }
    let two_apart = BANKS + p.ways as usize..BANKS + 2 * p.ways as usize;
    compared[two_apart].iter_mut().for_each(|compared| *compared = nothing(compared.width));
    compared
}
