//! Parameters of a relativistic L2 bank, and what follows from them.

use crate::kit::*;

parameters! {
    /// Parameters of a relativistic L2 bank.
    pub struct Params {
        cores: u32, "cores, each with an L1", range(1, 64);
        sets: u32, "sets of the bank", power(2, 1 << 16);
        ways: u32, "blocks in a set", range(1, 64);
        mshrs: u32, "fetches under way at once",
            range(1, of("sets x ways", |p: &Self| p.sets * p.ways));
        line_bytes: u32, "bytes in a block", power(4, 4096);
        address_bits: u32, "bits of a byte address; a bank's addresses have no gaps",
            range(of("offset + set + 1", |p: &Self| p.offset_bits() + p.set_bits() + 1), 48);
        timestamp_bits: u32, "bits of a logical time (T)", range(4, 48);
        lease_min: u32, "the smallest lease, in logical time", range(1, 1 << 24);
        lease_doublings: u32, "doublings from the smallest lease to the largest", range(0, 31);
        tag_bits: u32, "bits of the tag of a core's access, which is echoed", range(1, 16);
        faithful: bool, "true: the thesis's rules, which are unsound (README: The thesis's rules)",
            Words("true or false");
    }
}

impl Params {
    /// Bits of an address below the block.
    pub fn offset_bits(&self) -> u32 {
        self.line_bytes.ilog2()
    }

    /// Bits of a block's number.
    pub fn block_bits(&self) -> u32 {
        self.address_bits - self.offset_bits()
    }

    /// Bits of the set's number, the lowest of the block's.
    pub fn set_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of a block's tag in the bank, the rest of its number.
    pub fn block_tag_bits(&self) -> u32 {
        self.block_bits() - self.set_bits()
    }

    /// Bits of a way's number.
    pub fn way_bits(&self) -> u32 {
        address_bits(self.ways)
    }

    /// Bits of a core's number: it has one number more than there are cores.
    pub fn core_bits(&self) -> u32 {
        address_bits(self.cores + 1)
    }

    /// Bits of an MSHR's number.
    pub fn mshr_bits(&self) -> u32 {
        address_bits(self.mshrs)
    }

    /// Bits of the exponent of a block's lease.
    pub fn exponent_bits(&self) -> u32 {
        address_bits(self.lease_doublings + 1)
    }

    /// The last logical time, at which sums saturate.
    pub fn last(&self) -> u64 {
        (1 << self.timestamp_bits) - 1
    }

    /// The last time at which a lease may end.
    pub fn limit(&self) -> u64 {
        self.last() - 1
    }

    /// The lease of that exponent.
    pub fn lease(&self, exponent: u32) -> u64 {
        u64::from(self.lease_min) << exponent
    }

    /// The sum of two times, at most the last.
    pub fn sum(&self, time: u64, more: u64) -> u64 {
        self.last().min(time + more)
    }

    /// The number of the block of a byte address.
    pub fn block_of(&self, address: u64) -> u64 {
        address >> self.offset_bits()
    }

    /// The set of a block.
    pub fn set_of(&self, block: u64) -> u64 {
        block & (u64::from(self.sets) - 1)
    }

    /// The byte address of a block.
    pub fn address_of(&self, block: u64) -> u64 {
        block << self.offset_bits()
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            cores: 16,
            // Section 3.3: 128 KB a partition, 8 ways, 128-byte lines, 128 MSHRs.
            sets: 128,
            ways: 8,
            mshrs: 128,
            line_bytes: 128,
            // Assumed: the 3-byte tag of an L1 (3.6.4), 6 bits of set and 7 of line.
            address_bits: 37,
            timestamp_bits: 32,
            // Section 3.4.5: leases of 8 to 2048.
            lease_min: 8,
            lease_doublings: 8,
            // Assumed: an MSHR of an L1, and a load or a store of it.
            tag_bits: 11,
            faithful: false,
        };
        let fpga =
            Params { cores: 4, ways: 4, mshrs: 16, address_bits: 32, tag_bits: 7, ..paper.clone() };
        let tiny = Params {
            cores: 2,
            sets: 2,
            ways: 2,
            mshrs: 2,
            line_bytes: 4,
            address_bits: 5,
            timestamp_bits: 4,
            lease_min: 1,
            lease_doublings: 1,
            tag_bits: 3,
            ..paper.clone()
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }

    fn check(&self) -> Result<(), ImpossibleParameter> {
        let (largest, limit) = (self.lease(self.lease_doublings), self.limit());
        if largest >= limit {
            let value = format!("{}, for a largest lease of {largest}", self.lease_doublings);
            let accepted = format!("lease_min << lease_doublings below 2^T - 2, which is {limit}");
            return Err(ImpossibleParameter::new("lease_doublings", value, accepted));
        }
        Ok(())
    }
}
