//! Parameters of the stall buffer, and what follows from them.

use crate::kit::*;

granules!(Params);

parameters! {
    /// Parameters of the stall buffer.
    pub struct Params {
        lines: u32, "addresses that requests can wait for at once", range(1, 64);
        entries: u32, "requests that can wait for an address", range(1, 64);
        timestamp_bits: u32, "bits of a timestamp", range(2, 63);
        owner_bits: u32, "bits of a warp's number", range(1, 16);
        granule_bytes: u32, "bytes that are reserved together", power(1, 4096);
        address_bits: u32, "bits of a byte address",
            range(of("offset + 2", |p: &Self| p.offset_bits() + 2), 64);
    }
}

impl Parameters for Params {
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
}
