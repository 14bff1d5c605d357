//! Parameters of the metadata table, and what follows from them.

use serde::{Deserialize, Serialize};

use crate::parameters::{ImpossibleParameter, ParameterInfo, Parameters, in_range, power_of_two};

/// Parameters of the metadata table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Rows of each bank of the precise table.
    pub rows_per_way: u32,
    /// Banks of the precise table, each with a hash of its own.
    pub ways: u32,
    /// Entries of the fully associative stash.
    pub stash: u32,
    /// Rows of each way of the recency Bloom filter.
    pub bloom_rows: u32,
    /// Ways of the recency Bloom filter, each with a hash of its own.
    pub bloom_ways: u32,
    /// Bits of a timestamp.
    pub timestamp_bits: u32,
    /// Bits of `writes`, the number of writes under way to a reserved granule.
    pub write_count_bits: u32,
    /// Bits of `owner`, the number of a warp.
    pub owner_bits: u32,
    /// Bytes for which metadata is kept together.
    pub granule_bytes: u32,
    /// Bits of a byte address.
    pub address_bits: u32,
    /// Entries that one insertion may displace before the last one leaves the banks.
    pub max_kicks: u32,
    /// Seed of the H3 hashes.
    pub hash_seed: u32,
    /// Bits of a request that come back with its answer, unread.
    pub tag_bits: u32,
    /// The owner check of the paper: any transaction of the owner's warp passes for the owner.
    pub faithful: bool,
}

impl Params {
    /// Bits of an address below the granule.
    pub fn offset_bits(&self) -> u32 {
        self.granule_bytes.ilog2()
    }

    /// Bits of a granule's number: an address without the place in the granule.
    pub fn granule_bits(&self) -> u32 {
        self.address_bits - self.offset_bits()
    }

    /// Bits of a row's number in a bank.
    pub fn row_bits(&self) -> u32 {
        self.rows_per_way.ilog2()
    }

    /// Bits of a row's number in the Bloom filter.
    pub fn bloom_row_bits(&self) -> u32 {
        self.bloom_rows.ilog2()
    }

    /// The largest timestamp; it has no successor, so no access may be made at it.
    pub fn last_timestamp(&self) -> u64 {
        (1 << self.timestamp_bits) - 1
    }

    /// The largest number of writes that an entry can count.
    pub fn most_writes(&self) -> u64 {
        (1 << self.write_count_bits) - 1
    }
}

const INFO: &[ParameterInfo] = &[
    ParameterInfo {
        name: "rows_per_way",
        meaning: "rows of a bank of the precise table",
        accepted: "a power of two, 2 to 65536",
    },
    ParameterInfo {
        name: "ways",
        meaning: "banks of the precise table, each with its own hash",
        accepted: "1 to 8",
    },
    ParameterInfo {
        name: "stash",
        meaning: "entries of the fully associative stash",
        accepted: "0 to 16",
    },
    ParameterInfo {
        name: "bloom_rows",
        meaning: "rows of a way of the recency Bloom filter",
        accepted: "a power of two, 2 to 65536",
    },
    ParameterInfo {
        name: "bloom_ways",
        meaning: "ways of the recency Bloom filter, each with its own hash",
        accepted: "1 to 8",
    },
    ParameterInfo {
        name: "timestamp_bits",
        meaning: "bits of a timestamp",
        accepted: "owner_bits + 1 to 63, as its low bits hold the warp; 2 to 63 if faithful",
    },
    ParameterInfo {
        name: "write_count_bits",
        meaning: "bits of the count of writes under way",
        accepted: "1 to 16",
    },
    ParameterInfo { name: "owner_bits", meaning: "bits of a warp's number", accepted: "1 to 16" },
    ParameterInfo {
        name: "granule_bytes",
        meaning: "bytes for which metadata is kept together",
        accepted: "a power of two, 1 to 4096",
    },
    ParameterInfo {
        name: "address_bits",
        meaning: "bits of a byte address",
        accepted: "offset + 2 to 64",
    },
    ParameterInfo {
        name: "max_kicks",
        meaning: "entries that one insertion may displace",
        accepted: "0 to 255",
    },
    ParameterInfo {
        name: "hash_seed",
        meaning: "seed of the H3 hashes",
        accepted: "0 to 4294967295",
    },
    ParameterInfo {
        name: "tag_bits",
        meaning: "bits of a request that come back with its answer",
        accepted: "1 to 64",
    },
    ParameterInfo {
        name: "faithful",
        meaning: "true: the paper's owner check; false: the timestamp must be the owner's too",
        accepted: "true or false",
    },
];

impl Parameters for Params {
    fn describe() -> &'static [ParameterInfo] {
        INFO
    }

    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Table 4.2 gives 4K precise and 1K approximate entries in all; four units of this size
            // make that and the totals of table 4.5.
            rows_per_way: 256,
            ways: 4,
            stash: 4,
            bloom_rows: 64,
            bloom_ways: 4,
            timestamp_bits: 32,
            // Assumed: with 48 address bits an entry is then 128 bits, and 4K entries are the 64 KB
            // of table 4.5.
            write_count_bits: 10,
            // Table 4.2: 15 cores of 48 warps.
            owner_bits: 10,
            granule_bytes: 32,
            address_bits: 48,
            // Assumed: the paper says "too many swaps".
            max_kicks: 8,
            hash_seed: 1,
            tag_bits: 8,
            faithful: false,
        };
        let fpga = Params {
            rows_per_way: 64,
            bloom_rows: 16,
            timestamp_bits: 24,
            write_count_bits: 8,
            owner_bits: 8,
            address_bits: 32,
            ..paper.clone()
        };
        let tiny = Params {
            rows_per_way: 2,
            ways: 2,
            stash: 1,
            bloom_rows: 2,
            bloom_ways: 2,
            timestamp_bits: 4,
            write_count_bits: 2,
            owner_bits: 1,
            granule_bytes: 2,
            address_bits: 5,
            max_kicks: 2,
            tag_bits: 1,
            ..paper.clone()
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }

    fn validate(&self) -> Result<(), ImpossibleParameter> {
        power_of_two("rows_per_way", self.rows_per_way, 2, 1 << 16)?;
        in_range("ways", self.ways, 1, 8)?;
        in_range("stash", self.stash, 0, 16)?;
        power_of_two("bloom_rows", self.bloom_rows, 2, 1 << 16)?;
        in_range("bloom_ways", self.bloom_ways, 1, 8)?;
        in_range("write_count_bits", self.write_count_bits, 1, 16)?;
        in_range("owner_bits", self.owner_bits, 1, 16)?;
        let least = if self.faithful { 2 } else { self.owner_bits + 1 };
        in_range("timestamp_bits", self.timestamp_bits, least, 63)?;
        power_of_two("granule_bytes", self.granule_bytes, 1, 4096)?;
        in_range("address_bits", self.address_bits, self.offset_bits() + 2, 64)?;
        in_range("max_kicks", self.max_kicks, 0, 255)?;
        in_range("tag_bits", self.tag_bits, 1, 64)
    }
}
