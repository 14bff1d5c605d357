//! Room that a function allocates behind its frame while it runs: `alloca`.
//!
//! The end of a lane's local memory is its stack pointer, so lanes which have diverged may allocate and give up
//! room. A function that returns gives up all.

use super::access::lanes_of;
use super::problem::Problem;
use super::registers::{Image, LANES};
use super::warp::{MOST_CALLS, MOST_LOCAL_BYTES, Warp};
use crate::isa::{File, Source, SourceIn, Target};

impl Warp {
    /// `alloca`
    pub(super) fn allocate_local(
        &mut self,
        [d, align]: [u32; 2],
        file: File,
        bytes: Source,
        mask: u32,
        image: &Image,
    ) -> Result<(), Problem> {
        let bytes = self.registers.read_any(image, SourceIn { file, source: bytes });
        let depth = self.depth();
        let mut addresses = [0; LANES];
        for lane in lanes_of(mask) {
            let address = u64::from(self.local.bytes(lane)).next_multiple_of(align.into());
            let end = address.saturating_add(bytes[lane]);
            if end > MOST_LOCAL_BYTES.into() {
                let bytes = end.try_into().unwrap_or(u32::MAX);
                let (most_depth, most_bytes) = (MOST_CALLS, MOST_LOCAL_BYTES);
                return Err(Problem::TooDeep { depth, bytes, most_depth, most_bytes });
            }
            self.local.resize(1 << lane, end as u32);
            addresses[lane] = address;
        }
        self.write_both(file, Target(d), mask, &addresses);
        Ok(())
    }

    /// `stacksave`
    pub(super) fn save_local(&mut self, file: File, d: Target, mask: u32) {
        let ends = std::array::from_fn(|lane| self.local.bytes(lane).into());
        self.write_both(file, d, mask, &ends);
    }

    /// `stackrestore`; what `stacksave` has not given changes nothing.
    pub(super) fn restore_local(&mut self, file: File, a: Source, mask: u32, image: &Image) {
        let given = self.registers.read_any(image, SourceIn { file, source: a });
        let fixed = u64::from(self.stack.frame().fixed);
        for lane in lanes_of(mask) {
            if (fixed..self.local.bytes(lane).into()).contains(&given[lane]) {
                self.local.resize(1 << lane, given[lane] as u32);
            }
        }
    }
}
