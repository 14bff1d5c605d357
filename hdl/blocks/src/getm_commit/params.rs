//! Parameters of the commit unit, and what follows from them.

use serde::{Deserialize, Serialize};
use warpsmith_rtl::address_bits;

use crate::parameters::{ImpossibleParameter, ParameterInfo, Parameters, in_range, power_of_two};

/// Parameters of the commit unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Regions that the ring buffer holds.
    pub ring: u32,
    /// The youngest of them, into which writes may still be coalesced.
    pub window: u32,
    /// Bytes in a region: what is written to the LLC at once, and what metadata is kept for.
    pub granule_bytes: u32,
    /// Bytes in a word: what an item of a log carries.
    pub word_bytes: u32,
    /// Bits of a byte address.
    pub address_bits: u32,
    /// Bits of a count of writes.
    pub write_count_bits: u32,
    /// Items of logs for which a region waits for more writes at most.
    pub max_wait: u32,
}

impl Params {
    /// Bits of an address below the region.
    pub fn offset_bits(&self) -> u32 {
        self.granule_bytes.ilog2()
    }

    /// Bits of a region's number: an address without the place in the region.
    pub fn granule_bits(&self) -> u32 {
        self.address_bits - self.offset_bits()
    }

    /// Words in a region.
    pub fn words(&self) -> u32 {
        self.granule_bytes / self.word_bytes
    }

    /// Bits of a place in the ring.
    pub fn slot_bits(&self) -> u32 {
        address_bits(self.ring)
    }

    /// The largest count of writes that a region can carry.
    pub fn most_writes(&self) -> u64 {
        (1 << self.write_count_bits) - 1
    }
}

const INFO: &[ParameterInfo] = &[
    ParameterInfo {
        name: "ring",
        meaning: "regions in the ring buffer",
        accepted: "a power of two, 2 x window to 65536",
    },
    ParameterInfo {
        name: "window",
        meaning: "the youngest regions, into which writes are coalesced",
        accepted: "a power of two, 2 to 64",
    },
    ParameterInfo {
        name: "granule_bytes",
        meaning: "bytes in a region, written to the LLC at once",
        accepted: "a power of two, 1 to 128",
    },
    ParameterInfo {
        name: "word_bytes",
        meaning: "bytes that an item of a log carries",
        accepted: "a power of two, 1 to 8, at most granule_bytes",
    },
    ParameterInfo {
        name: "address_bits",
        meaning: "bits of a byte address",
        accepted: "offset + 1 to 64",
    },
    ParameterInfo {
        name: "write_count_bits",
        meaning: "bits of a count of writes",
        accepted: "1 to 16",
    },
    ParameterInfo {
        name: "max_wait",
        meaning: "items of logs for which a region waits for more writes at most",
        accepted: "1 to 65535",
    },
];

impl Parameters for Params {
    fn describe() -> &'static [ParameterInfo] {
        INFO
    }

    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Table 4.5: write buffers of 16 KB.
            ring: 512,
            // Assumed, as is `max_wait`: the paper does not say how it finds what to coalesce.
            window: 16,
            granule_bytes: 32,
            word_bytes: 4,
            // As the metadata table's.
            address_bits: 48,
            write_count_bits: 10,
            max_wait: 256,
        };
        let fpga = Params {
            ring: 64,
            window: 8,
            address_bits: 32,
            write_count_bits: 8,
            max_wait: 64,
            ..paper.clone()
        };
        let tiny = Params {
            ring: 4,
            window: 2,
            granule_bytes: 2,
            word_bytes: 1,
            address_bits: 4,
            write_count_bits: 2,
            max_wait: 5,
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }

    fn validate(&self) -> Result<(), ImpossibleParameter> {
        power_of_two("window", self.window, 2, 64)?;
        power_of_two("ring", self.ring, 2 * self.window, 1 << 16)?;
        power_of_two("granule_bytes", self.granule_bytes, 1, 128)?;
        power_of_two("word_bytes", self.word_bytes, 1, self.granule_bytes.min(8))?;
        in_range("address_bits", self.address_bits, self.offset_bits() + 1, 64)?;
        in_range("write_count_bits", self.write_count_bits, 1, 16)?;
        in_range("max_wait", self.max_wait, 1, 65535)
    }
}
