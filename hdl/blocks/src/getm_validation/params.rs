//! Parameters of the validation unit: those of its metadata table and of its stall buffer.

use warpsmith_rtl::Signal;

use crate::granules::granules;
use crate::parameters::{Parameters, Settings as _, parameters, part};
use crate::{getm_metadata, getm_stall_buffer};

/// Bits of the tag that an access takes through the table: it is a retry.
const TAG_BITS: u32 = 1;

granules!(Params);

parameters! {
    /// Parameters of the validation unit.
    pub struct Params {
        rows_per_way: u32, "rows of a bank of the precise table", power(2, 1 << 16);
        ways: u32, "banks of the precise table, each with its own hash", range(1, 8);
        stash: u32, "entries of the fully associative stash", range(0, 16);
        bloom_rows: u32, "rows of a way of the recency Bloom filter", power(2, 1 << 16);
        bloom_ways: u32, "ways of the recency Bloom filter, each with its own hash", range(1, 8);
        max_kicks: u32, "entries that one insertion may displace", range(0, 255);
        hash_seed: u32, "seed of the H3 hashes", range(0, u32::MAX);
        lines: u32, "lines of the stall buffer", range(1, 64);
        entries: u32, "entries of a line of the stall buffer", range(1, 64);
        timestamp_bits: u32, "bits of a timestamp",
            range(
                of("owner_bits + 1", |p: &Self| if p.faithful { 2 } else { p.owner_bits + 1 }),
                of("63, as its low bits hold the warp; 2 to 63 if faithful", |_| 63),
            );
        write_count_bits: u32, "bits of the count of writes under way", range(1, 16);
        owner_bits: u32, "bits of a warp's number", range(1, 16);
        granule_bytes: u32, "bytes for which metadata is kept together", power(1, 4096);
        address_bits: u32, "bits of a byte address",
            range(of("offset + 2", |p: &Self| p.offset_bits() + 2), 64);
        faithful: bool,
            "true: the paper's owner check and timestamps; false: timestamps hold the warp",
            Words("true or false");
    }
}

impl Params {
    /// Of the metadata table.
    pub fn table(&self) -> getm_metadata::Params {
        let mut params = self.params();
        params.insert("tag_bits".to_string(), TAG_BITS.into());
        part(params)
    }

    /// Of the stall buffer.
    pub fn stall_buffer(&self) -> getm_stall_buffer::Params {
        part(self.params())
    }

    /// The first timestamp at which no access is made any more: whoever aborts or commits below it
    /// finds a next timestamp of its own that has a successor.
    pub fn limit(&self) -> u64 {
        let last = (1 << self.timestamp_bits) - 1;
        // Unless faithful, the low bits of a timestamp hold the warp's number.
        last - if self.faithful { 1 } else { 1 << self.owner_bits }
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let tables = getm_metadata::Params::presets().into_iter();
        let pairs = tables.zip(getm_stall_buffer::Params::presets());
        let all = pairs.map(|((name, table), (_, stall_buffer))| {
            // What both have is the table's.
            let params = stall_buffer.params().into_iter().chain(table.params());
            (name, part(params.collect()))
        });
        all.collect()
    }
}
