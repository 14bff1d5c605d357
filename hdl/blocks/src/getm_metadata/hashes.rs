//! The H3 hashes of the table's banks and of the Bloom filter's ways (4.5.2).

use warpsmith_rtl::library::h3::H3;

use super::params::Params;

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
