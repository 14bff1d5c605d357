//! Parameters of the commit unit, and what follows from them.

use crate::kit::*;

granules!(Params);

parameters! {
    /// Parameters of the commit unit.
    pub struct Params {
        ring: u32, "regions in the ring buffer",
            power(of("2 x window", |p: &Self| 2 * p.window), 1 << 16);
        window: u32, "the youngest regions, into which writes are coalesced", power(2, 64);
        granule_bytes: u32, "bytes in a region, written to the LLC at once", power(1, 128);
        word_bytes: u32, "bytes that an item of a log carries",
            power(1, of("8, at most granule_bytes", |p: &Self| p.granule_bytes.min(8)));
        address_bits: u32, "bits of a byte address",
            range(of("offset + 1", |p: &Self| p.offset_bits() + 1), 64);
        write_count_bits: u32, "bits of a count of writes", range(1, 16);
        max_wait: u32, "items of logs for which a region waits for more writes at most",
            range(1, 65535);
    }
}

impl Params {
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

impl Parameters for Params {
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
}
