//! Parameters of the write cache, and what follows from them.

use crate::kit::*;
use crate::s_fifo;

parameters! {
    /// Parameters of the write cache.
    pub struct Params {
        sets: u32, "sets of blocks", power(2, 256);
        ways: u32, "blocks in a set", power(1, 16);
        block_bytes: u32, "bytes in a block", power(1, 64);
        block_bits: u32, "bits of a block's number: an address without the place in the block",
            range(of("set bits + 1", |p: &Self| p.set_bits() + 1), 58);
        fifo_depth: u32, "entries of the synchronization FIFO that wait", range(2, 4096);
        wavefront_bits: u32, "bits of a wavefront's number; below the first level with its compute unit's",
            range(1, 12);
        level: u32, "1 beside a compute unit; there, a wavefront that waits for a release may request nothing",
            range(1, 8);
        last_level: bool, "a release ends here, else it goes down", Words("true or false");
        read_caches: u32, "read caches above, to which invalidations are broadcast", range(1, 64);
        invalidations: u32, "invalidations that a read cache has not acknowledged, at most", range(1, 255);
    }
}

impl Params {
    /// Bits of a set's number, the lowest of a block's.
    pub fn set_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of a tag: the rest of a block's number.
    pub fn tag_bits(&self) -> u32 {
        self.block_bits - self.set_bits()
    }

    /// Blocks in the cache.
    pub fn blocks(&self) -> u32 {
        self.sets * self.ways
    }

    /// The set of a block.
    pub fn set_of(&self, block: u64) -> u64 {
        block % u64::from(self.sets)
    }

    /// The synchronization FIFO.
    pub fn fifo(&self) -> s_fifo::Params {
        let Self { fifo_depth: depth, block_bits, wavefront_bits, .. } = *self;
        s_fifo::Params { depth, block_bits, wavefront_bits }
    }

    /// Words of a block's data in a payload.
    pub(crate) fn data_words(&self) -> usize {
        self.block_bytes.div_ceil(8) as usize
    }

    /// All bytes of a block.
    pub(crate) fn all_bytes(&self) -> u64 {
        u64::MAX >> (64 - self.block_bytes)
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Table 1: wL1 of 4 kB, S-FIFO1 of 64 entries, 40 wavefronts. Ways, blocks of 64 bytes and addresses of
            // 48 bits are assumed.
            sets: 16,
            ways: 4,
            block_bytes: 64,
            block_bits: 42,
            fifo_depth: 64,
            wavefront_bits: 6,
            level: 1,
            last_level: false,
            read_caches: 1,
            // Assumed.
            invalidations: 15,
        };
        let fpga = Params { sets: 8, ways: 2, block_bytes: 16, block_bits: 28, ..paper.clone() };
        let tiny = Params {
            sets: 2,
            ways: 2,
            block_bytes: 2,
            block_bits: 3,
            fifo_depth: 4,
            wavefront_bits: 1,
            invalidations: 3,
            ..paper.clone()
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }
}
