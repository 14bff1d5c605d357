//! Parameters of the Z-buffer commit unit, and what follows from them.

use crate::kit::*;
use serde::{Deserialize, Serialize};

/// What has a depth of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// A 32-bit word, as in the paper.
    #[default]
    Word,
    /// A byte.
    Byte,
}

parameters! {
    /// Parameters of the Z-buffer commit unit.
    pub struct Params {
        lanes: u32, "32-bit words in a block", power(1, 64);
        request_entries: u32, "requests in the unit at once", range(2, 64);
        comparator_entries: u32, "misses under way at once",
            range(1, of("request_entries", |p: &Self| p.request_entries));
        sets: u32, "sets of the Z-cache", power(2, 1024);
        ways: u32, "blocks in a set", range(1, 16);
        granularity: Granularity, "what has a depth of its own", Words("\"word\" or \"byte\"");
        depth_per_lane: bool, "a request has a depth for each lane, not one for all",
            Words("true or false");
        wavefront_bits: u32, "bits of a wavefront's number (m)", range(1, 16);
        quantum_bits: u32, "bits of a quantum's number", range(1, 47);
        depth_bits: u32, "bits of a depth, two's complement",
            range(
                of("wavefront_bits + quantum_bits + 1", |p: &Self| {
                    p.wavefront_bits + p.quantum_bits + 1
                }),
                64,
            );
        id_bits: u32, "bits of a request's id, which comes back",
            range(
                of("bits of request_entries + 1", |p: &Self| address_bits(p.request_entries + 2)),
                32,
            );
        address_bits: u32, "bits of a byte address",
            range(of("offset + set + 1", |p: &Self| p.offset_bits() + p.set_bits() + 1), 64);
    }
}

impl Params {
    /// Bytes in a block of colors.
    pub fn bytes(&self) -> u32 {
        4 * self.lanes
    }

    /// Depths in a block: one a word, or one a byte.
    pub fn depths(&self) -> u32 {
        self.lanes * self.depths_of_lane()
    }

    /// Depths of a lane.
    pub fn depths_of_lane(&self) -> u32 {
        match self.granularity {
            Granularity::Word => 1,
            Granularity::Byte => 4,
        }
    }

    /// Depths in a request.
    pub fn request_depths(&self) -> u32 {
        if self.depth_per_lane { self.lanes } else { 1 }
    }

    /// The depth of a request that counts for that depth of its block.
    pub fn request_depth_of(&self, depth: u32) -> u32 {
        if self.depth_per_lane { depth / self.depths_of_lane() } else { 0 }
    }

    /// The mask's bit that says whether a request has that depth of its block.
    pub fn mask_bit_of(&self, depth: u32) -> u32 {
        depth * (4 / self.depths_of_lane())
    }

    /// Bits of an address below the block.
    pub fn offset_bits(&self) -> u32 {
        self.bytes().ilog2()
    }

    /// Bits of a block's number.
    pub fn block_bits(&self) -> u32 {
        self.address_bits - self.offset_bits()
    }

    /// Bits of the set's number, the lowest of the block's.
    pub fn set_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of the tag.
    pub fn tag_bits(&self) -> u32 {
        self.block_bits() - self.set_bits()
    }

    /// Bits of a request entry's number.
    pub fn entry_bits(&self) -> u32 {
        address_bits(self.request_entries)
    }

    /// Bits of a comparator entry's number.
    pub fn comparator_bits(&self) -> u32 {
        address_bits(self.comparator_entries)
    }

    /// The largest depth, which all have after a reset of the Z-buffer.
    pub fn largest_depth(&self) -> u64 {
        (1 << (self.depth_bits - 1)) - 1
    }

    /// The number that a depth's bits stand for.
    pub fn signed(&self, depth: u64) -> i64 {
        let unused = 64 - self.depth_bits;
        (depth << unused) as i64 >> unused
    }

    /// The depth of a wavefront in a quantum, `wavefront - quantum x 2^m`, as its bits (4.4.2).
    pub fn depth_of(&self, wavefront: u64, quantum: u64) -> u64 {
        let depth = wavefront.wrapping_sub(quantum << self.wavefront_bits);
        depth & (u64::MAX >> (64 - self.depth_bits))
    }

    /// Clocks after which requests that found no room try again: in fewer than there are entries, those that try
    /// again would keep younger ones from the pipeline.
    pub fn retry_clocks(&self) -> u32 {
        self.request_entries.next_power_of_two().max(8)
    }

    /// Clocks for which a request may wait for nothing but the unit: it tries again, is picked at most once behind
    /// each other one, and passes the pipeline twice.
    pub fn longest_wait(&self) -> u64 {
        24 + 3 * u64::from(self.request_entries) + u64::from(self.retry_clocks())
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

    /// The byte address of a block, as a circuit.
    pub(super) fn address<'m>(&self, block: Signal<'m>) -> Signal<'m> {
        block.concat(block.module().lit(self.offset_bits(), 0))
    }

    /// The number of the block of a byte address, as a circuit.
    pub(super) fn block<'m>(&self, address: Signal<'m>) -> Signal<'m> {
        address.slice(self.offset_bits()..self.address_bits)
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Figure 4.7: 32 colors and 32 depths.
            lanes: 32,
            // Assumed, as are the comparator entries: the paper gives no numbers.
            request_entries: 16,
            comparator_entries: 8,
            // 16 kB of 128-byte blocks in 4 ways.
            sets: 32,
            ways: 4,
            granularity: Granularity::Word,
            depth_per_lane: false,
            // Wavefronts that run at once; the rest of 32 bits, but for the sign, is the quantum's.
            wavefront_bits: 10,
            quantum_bits: 21,
            depth_bits: 32,
            // Assumed.
            id_bits: 10,
            address_bits: 32,
        };
        let fpga = Params {
            lanes: 4,
            request_entries: 16,
            comparator_entries: 4,
            sets: 16,
            ways: 2,
            wavefront_bits: 6,
            quantum_bits: 9,
            depth_bits: 16,
            id_bits: 6,
            ..paper.clone()
        };
        let tiny = Params {
            lanes: 2,
            request_entries: 4,
            comparator_entries: 2,
            sets: 2,
            ways: 2,
            wavefront_bits: 1,
            quantum_bits: 1,
            depth_bits: 3,
            id_bits: 3,
            address_bits: 6,
            ..paper.clone()
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }
}
