//! The H3 hashes of the table's banks and of the Bloom filter's ways (4.5.2).

use warpsmith_rtl::library::h3::H3;

use super::params::Params;
use crate::same_row::{SameRow, columns};

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

    /// The rows of a granule in the banks.
    pub fn rows(&self, granule: u64) -> impl Iterator<Item = usize> {
        self.banks.iter().map(move |hash| hash.hash(&[granule]) as usize)
    }

    /// The rows of a granule in the Bloom filter.
    pub fn bloom_rows(&self, granule: u64) -> impl Iterator<Item = usize> {
        self.bloom.iter().map(move |hash| hash.hash(&[granule]) as usize)
    }
}

/// What the circuit compares only between granules of one row of a bank.
pub fn same_rows(p: &Params) -> Vec<SameRow> {
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
    all
}
