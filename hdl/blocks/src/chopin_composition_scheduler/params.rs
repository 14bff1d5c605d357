//! Parameters of the image-composition scheduler.

use crate::kit::*;

parameters! {
    /// Parameters of the image-composition scheduler.
    pub struct Params {
        gpus: u32, "GPUs that render a frame together", range(2, 64);
        cgid_bits: u32, "bits of a composition group's number (CGID)", range(2, 32);
    }
    // Tables 6.1 and 6.2, figure 6.10: 8 GPUs; 27 B are 8 rows of 3 flags, two vectors of 8 and 8 bits of CGID.
    presets:
        tiny { gpus: 3, cgid_bits: 2 },
        fpga { gpus: 8, cgid_bits: 4 },
        paper { gpus: 8, cgid_bits: 8 }
}

impl Params {
    /// Bits of a GPU's number.
    pub fn gpu_bits(&self) -> u32 {
        address_bits(self.gpus)
    }

    /// There are numbers that no GPU has.
    pub(super) fn has_strangers(&self) -> bool {
        !self.gpus.is_power_of_two()
    }
}
