//! Parameters of the Bloom filters, and what follows from them.

use crate::kit::*;

parameters! {
    /// Parameters of the Bloom filters.
    pub struct Params {
        wavefronts: u32, "wavefronts of the core, each with a filter", range(1, 64);
        sub_arrays: u32, "sub-arrays of a filter, each with its own hash", range(1, 8);
        bits: u32, "bits of a sub-array", power(4, 1024);
        line_bits: u32, "bits of a line's number: an address without the place in the line", range(2, 57);
        hash_seed: u32, "seed of the H3 hashes", range(0, u32::MAX);
    }
    presets:
        // With seed 1 both sub-arrays take the same lines for one.
        tiny { wavefronts: 3, sub_arrays: 2, bits: 4, line_bits: 3, hash_seed: 2 },
        fpga { wavefronts: 8, sub_arrays: 4, bits: 64, line_bits: 20, hash_seed: 1 },
        // Section 4.3: 48 wavefronts, lines of 128 bytes. Section 5.2 and table 5.2: 1024 bits, 4 sub-arrays.
        // Addresses of 32 bits are assumed.
        paper { wavefronts: 48, sub_arrays: 4, bits: 256, line_bits: 25, hash_seed: 1 },
}

impl Params {
    /// Bits of a wavefront's number at the ports: at least one number is that of no wavefront.
    pub fn wavefront_bits(&self) -> u32 {
        address_bits(self.wavefronts + 1)
    }

    /// Rows of the RAM: a wavefront has one, and a RAM two at least.
    pub fn rows(&self) -> u32 {
        self.wavefronts.max(2)
    }

    /// Bits of a row's number.
    pub fn row_number_bits(&self) -> u32 {
        address_bits(self.rows())
    }

    /// Bits of a row: those of all sub-arrays.
    pub fn row_bits(&self) -> u32 {
        self.sub_arrays * self.bits
    }

    /// Bits of a bit's number in its sub-array.
    pub fn index_bits(&self) -> u32 {
        self.bits.ilog2()
    }

    /// Bits of the lower half of a bit's number.
    pub fn low_bits(&self) -> u32 {
        self.index_bits() / 2
    }

    /// Whether a wavefront has that number.
    pub fn has(&self, wavefront: u64) -> bool {
        wavefront < self.wavefronts.into()
    }
}
