//! Parameters of the validation unit: those of its metadata table and of its stall buffer.

use serde::{Deserialize, Serialize};

use crate::getm_metadata;
use crate::getm_stall_buffer;
use crate::parameters::{ImpossibleParameter, ParameterInfo, Parameters};

/// Bits of the tag that an access takes through the table: it is a retry.
const TAG_BITS: u32 = 1;

/// Parameters of the validation unit.
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
    /// Entries that one insertion may displace before the last one leaves the banks.
    pub max_kicks: u32,
    /// Seed of the H3 hashes.
    pub hash_seed: u32,
    /// Lines of the stall buffer.
    pub lines: u32,
    /// Entries of a line of the stall buffer.
    pub entries: u32,
    /// Bits of a timestamp.
    pub timestamp_bits: u32,
    /// Bits of the number of writes under way to a reserved granule.
    pub write_count_bits: u32,
    /// Bits of a warp's number.
    pub owner_bits: u32,
    /// Bytes for which metadata is kept together.
    pub granule_bytes: u32,
    /// Bits of a byte address.
    pub address_bits: u32,
    /// The owner check and the timestamps of the paper.
    pub faithful: bool,
}

impl Params {
    /// Of the metadata table.
    pub fn table(&self) -> getm_metadata::Params {
        getm_metadata::Params {
            rows_per_way: self.rows_per_way,
            ways: self.ways,
            stash: self.stash,
            bloom_rows: self.bloom_rows,
            bloom_ways: self.bloom_ways,
            timestamp_bits: self.timestamp_bits,
            write_count_bits: self.write_count_bits,
            owner_bits: self.owner_bits,
            granule_bytes: self.granule_bytes,
            address_bits: self.address_bits,
            max_kicks: self.max_kicks,
            hash_seed: self.hash_seed,
            tag_bits: TAG_BITS,
            faithful: self.faithful,
        }
    }

    /// Of the stall buffer.
    pub fn stall_buffer(&self) -> getm_stall_buffer::Params {
        getm_stall_buffer::Params {
            lines: self.lines,
            entries: self.entries,
            timestamp_bits: self.timestamp_bits,
            owner_bits: self.owner_bits,
            granule_bytes: self.granule_bytes,
            address_bits: self.address_bits,
        }
    }

    /// Bits of an address below the granule.
    pub fn offset_bits(&self) -> u32 {
        self.granule_bytes.ilog2()
    }

    /// Bits of a granule's number: an address without the place in the granule.
    pub fn granule_bits(&self) -> u32 {
        self.address_bits - self.offset_bits()
    }

    /// The first timestamp at which no access is made any more: whoever aborts or commits below it
    /// finds a next timestamp of its own that has a successor.
    pub fn limit(&self) -> u64 {
        let last = (1 << self.timestamp_bits) - 1;
        // Unless faithful, the low bits of a timestamp hold the warp's number.
        last - if self.faithful { 1 } else { 1 << self.owner_bits }
    }

    fn new(table: getm_metadata::Params, stall_buffer: &getm_stall_buffer::Params) -> Self {
        Self {
            rows_per_way: table.rows_per_way,
            ways: table.ways,
            stash: table.stash,
            bloom_rows: table.bloom_rows,
            bloom_ways: table.bloom_ways,
            max_kicks: table.max_kicks,
            hash_seed: table.hash_seed,
            lines: stall_buffer.lines,
            entries: stall_buffer.entries,
            timestamp_bits: table.timestamp_bits,
            write_count_bits: table.write_count_bits,
            owner_bits: table.owner_bits,
            granule_bytes: table.granule_bytes,
            address_bits: table.address_bits,
            faithful: table.faithful,
        }
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
        name: "max_kicks",
        meaning: "entries that one insertion may displace",
        accepted: "0 to 255",
    },
    ParameterInfo {
        name: "hash_seed",
        meaning: "seed of the H3 hashes",
        accepted: "0 to 4294967295",
    },
    ParameterInfo { name: "lines", meaning: "lines of the stall buffer", accepted: "1 to 64" },
    ParameterInfo {
        name: "entries",
        meaning: "entries of a line of the stall buffer",
        accepted: "1 to 64",
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
        name: "faithful",
        meaning: "true: the paper's owner check and timestamps; false: timestamps hold the warp",
        accepted: "true or false",
    },
];

impl Parameters for Params {
    fn describe() -> &'static [ParameterInfo] {
        INFO
    }

    fn presets() -> Vec<(&'static str, Self)> {
        let tables = getm_metadata::Params::presets().into_iter();
        let stall_buffers = getm_stall_buffer::Params::presets();
        let pairs = tables.zip(&stall_buffers);
        pairs.map(|((name, table), (_, stall))| (name, Self::new(table, stall))).collect()
    }

    fn validate(&self) -> Result<(), ImpossibleParameter> {
        self.table().validate()?;
        self.stall_buffer().validate()
    }
}
