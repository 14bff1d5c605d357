//! The recency Bloom filter (4.5.2): approximate timestamps of granules that are not reserved.

use super::access::Metadata;
use super::exercise::Exercised;
use super::hashes::Hashes;
use super::params::Params;
use crate::verification::Corners;

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
    /// smallest `rts` of its rows. Nobody reserves it.
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
