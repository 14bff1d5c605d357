//! Parameters of the synchronization FIFO, and what follows from them.

use crate::kit::*;

parameters! {
    /// Parameters of the synchronization FIFO.
    pub struct Params {
        depth: u32, "entries that wait; with all of them taken, the oldest leaves", range(2, 4096);
        block_bits: u32, "bits of a block's number: an address without the place in the block", range(1, 58);
        wavefront_bits: u32, "bits of a wavefront's number", range(1, 16);
    }
    presets:
        tiny { depth: 4, block_bits: 2, wavefront_bits: 1 },
        // 32-bit addresses and blocks of 64 bytes; 40 wavefronts.
        fpga { depth: 64, block_bits: 26, wavefront_bits: 6 },
        // Table 1: S-FIFO1 has 64 entries, a compute unit 40 wavefronts. Addresses of 48 bits and blocks of
        // 64 bytes are assumed.
        paper { depth: 64, block_bits: 42, wavefront_bits: 6 },
}

impl Params {
    /// Bits that an entry keeps beside its kind: a block, or a wavefront and whether it wants an answer.
    pub fn content_bits(&self) -> u32 {
        self.block_bits.max(self.wavefront_bits + 1)
    }

    /// Bits of a row of the ring.
    pub fn row_bits(&self) -> u32 {
        2 + self.content_bits()
    }

    /// Entries that there is room for: those that wait, and two on their way out.
    pub fn capacity(&self) -> u32 {
        self.depth + 2
    }
}
