//! The H3 hashes of the table's banks and of the Bloom filter's ways (4.5.2).

use super::access::Metadata;
use super::exercise::Exercised;
use super::params::Params;
use crate::kit::*;
use crate::same_row::columns;

/// One hash for each bank and for each way of the Bloom filter.
#[derive(Clone, Debug)]
pub(super) struct Hashes {
    pub banks: Vec<H3>,
    pub bloom: Vec<H3>,
}

impl Hashes {
    pub fn new(p: &Params) -> Self {
        // Sixteen seeds belong to one `hash_seed`: eight for banks, eight for the Bloom filter.
        let seed = |index: u32| u64::from(p.hash_seed) * 16 + u64::from(index);
        let bank = |i| H3::new(p.granule_bits(), p.row_bits(), seed(i));
        let way = |i| H3::new(p.granule_bits(), p.bloom_row_bits(), seed(8 + i));
        Self { banks: (0..p.ways).map(bank).collect(), bloom: (0..p.bloom_ways).map(way).collect() }
    }

    pub fn rows(&self, granule: u64) -> impl Iterator<Item = usize> {
        self.banks.iter().map(move |hash| hash.hash(&[granule]) as usize)
    }

    pub fn bloom_rows(&self, granule: u64) -> impl Iterator<Item = usize> {
        self.bloom.iter().map(move |hash| hash.hash(&[granule]) as usize)
    }
}

/// What the circuit compares only between granules of one row of a bank, and where the rows of banks come from. (Those
/// of the Bloom filter come from two places: lookups and insertions.)
pub fn hashing(p: &Params) -> Hashing {
    let hashes = Hashes::new(p);
    let columns: Vec<_> = hashes.banks.iter().map(|h| columns(h, p.granule_bits())).collect();
    let granule = |stage: u32| (format!("stage{stage}_address"), p.address_bits - p.granule_bits());
    let of_bank = |(bank, columns): (usize, &Vec<u64>)| SameRow {
        keys: [(format!("stage3_bank{bank}_granule"), 0), granule(3)],
        columns: vec![columns.clone()],
        because: "what was read for a request is an entry in the row of its granule",
    };
    let mut all: Vec<_> = columns.iter().enumerate().map(of_bank).collect();
    all.push(SameRow {
        keys: [granule(3), granule(5)],
        columns,
        because: "it takes the place of a hit in a bank where stage 5 writes the row of stage 3",
    });
    let rows = (0..p.ways).map(|bank| format!("hashed_row{bank}")).collect();
    Hashing { same_rows: all, rows }
}

// The recency Bloom filter (4.5.2): approximate timestamps of granules that are not reserved.

/// Each row of each way keeps the largest `wts` and the largest `rts` of what maps to it.
#[derive(Clone, Debug)]
pub(super) struct BloomFilter {
    ways: Vec<Vec<(u64, u64)>>,
}

impl BloomFilter {
    pub fn new(p: &Params) -> Self {
        Self { ways: vec![vec![(0, 0); p.bloom_rows as usize]; p.bloom_ways as usize] }
    }

    /// What a granule's timestamps are at most, as far as was inserted: the smallest `wts` and the
    /// smallest `rts` of its rows. It is not reserved.
    pub fn estimate(&self, hashes: &Hashes, granule: u64) -> Metadata {
        let rows = self.ways.iter().zip(hashes.bloom_rows(granule)).map(|(way, row)| way[row]);
        let least = |a: (u64, u64), b: (u64, u64)| (a.0.min(b.0), a.1.min(b.1));
        let (wts, rts) = rows.reduce(least).expect("there is a way");
        Metadata { wts, rts, writes: 0, owner: 0 }
    }

    /// Counts the rows that alone have the least time, as the estimate depends on all their bits.
    pub fn count_least(
        &self,
        hashes: &Hashes,
        granule: u64,
        exercised: &Exercised,
        corners: &mut Corners,
    ) {
        let rows_of_way = self.ways[0].len();
        let rows = || self.ways.iter().zip(hashes.bloom_rows(granule)).enumerate();
        let least = |time: fn((u64, u64)) -> u64| {
            let mut least = (u64::MAX, 0);
            for (way, (held, row)) in rows() {
                match time(held[row]) {
                    held if held < least.0 => least = (held, way * rows_of_way + row),
                    held if held == least.0 => least.1 = usize::MAX,
                    _ => {}
                }
            }
            (least.1 != usize::MAX).then_some((least.1, least.0))
        };
        if let Some((row, wts)) = least(|held| held.0) {
            exercised.least_wts(row, wts, corners);
        }
        if let Some((row, rts)) = least(|held| held.1) {
            exercised.least_rts(row, rts, corners);
        }
    }

    /// The latest time in the row of a granule in one way.
    pub fn latest(&self, hashes: &Hashes, way: usize, granule: u64) -> u64 {
        let row = hashes.bloom[way].hash(&[granule]) as usize;
        let (wts, rts) = self.ways[way][row];
        wts.max(rts)
    }

    /// Raises the rows of a granule to its timestamps.
    pub fn insert(&mut self, hashes: &Hashes, granule: u64, metadata: Metadata) {
        for (way, row) in self.ways.iter_mut().zip(hashes.bloom_rows(granule)) {
            let (wts, rts) = way[row];
            way[row] = (wts.max(metadata.wts), rts.max(metadata.rts));
        }
    }
}
