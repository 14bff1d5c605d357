//! Parameters of the stall buffer, and what follows from them.

use serde::{Deserialize, Serialize};

use crate::parameters::{ImpossibleParameter, ParameterInfo, Parameters, in_range, power_of_two};

/// Parameters of the stall buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Lines: addresses that requests can wait for at once.
    pub lines: u32,
    /// Entries of a line: requests that can wait for an address.
    pub entries: u32,
    /// Bits of a timestamp.
    pub timestamp_bits: u32,
    /// Bits of the number of a warp.
    pub owner_bits: u32,
    /// Bytes that are reserved together.
    pub granule_bytes: u32,
    /// Bits of a byte address.
    pub address_bits: u32,
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
}

const INFO: &[ParameterInfo] = &[
    ParameterInfo {
        name: "lines",
        meaning: "addresses that requests can wait for at once",
        accepted: "1 to 64",
    },
    ParameterInfo {
        name: "entries",
        meaning: "requests that can wait for an address",
        accepted: "1 to 64",
    },
    ParameterInfo { name: "timestamp_bits", meaning: "bits of a timestamp", accepted: "2 to 63" },
    ParameterInfo { name: "owner_bits", meaning: "bits of a warp's number", accepted: "1 to 16" },
    ParameterInfo {
        name: "granule_bytes",
        meaning: "bytes that are reserved together",
        accepted: "a power of two, 1 to 4096",
    },
    ParameterInfo {
        name: "address_bits",
        meaning: "bits of a byte address",
        accepted: "offset + 2 to 64",
    },
];

impl Parameters for Params {
    fn describe() -> &'static [ParameterInfo] {
        INFO
    }

    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Table 4.2.
            lines: 4,
            entries: 4,
            timestamp_bits: 32,
            // Table 4.2: 15 cores of 48 warps.
            owner_bits: 10,
            granule_bytes: 32,
            // Assumed: the paper gives 30 B a line, and not what they are made of.
            address_bits: 48,
        };
        let fpga = Params { timestamp_bits: 24, owner_bits: 8, address_bits: 32, ..paper.clone() };
        let tiny = Params {
            lines: 2,
            entries: 2,
            timestamp_bits: 2,
            owner_bits: 1,
            granule_bytes: 2,
            address_bits: 3,
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }

    fn validate(&self) -> Result<(), ImpossibleParameter> {
        in_range("lines", self.lines, 1, 64)?;
        in_range("entries", self.entries, 1, 64)?;
        in_range("timestamp_bits", self.timestamp_bits, 2, 63)?;
        in_range("owner_bits", self.owner_bits, 1, 16)?;
        power_of_two("granule_bytes", self.granule_bytes, 1, 4096)?;
        in_range("address_bits", self.address_bits, self.offset_bits() + 2, 64)
    }
}
