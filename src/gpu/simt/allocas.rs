//! Room that a function allocates in local memory while it runs: `alloca`.
//!
//! Each lane has a stack pointer of its own in the frame of its function, so lanes which have diverged may allocate and give
//! up room. A function that returns gives up all.

use super::access::lanes_of;
use super::problem::Problem;
use super::registers::{Image, LANES, Lanes};
use super::warp::{MOST_CALLS, MOST_LOCAL_BYTES, Warp};
use crate::isa::{File, Source, SourceIn, Target};

/// Stack pointers of the frames that have allocated room, by how many calls deep they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Allocas(Vec<(usize, Pointers)>);

/// Room of a frame: its beginning, and its end in each lane.
#[derive(Debug, Clone)]
struct Pointers {
    first: u32,
    ends: Lanes<u32>,
}

impl Allocas {
    /// A frame so deep is gone.
    pub(super) fn leave(&mut self, depth: usize) {
        self.0.retain(|(of, _)| *of < depth);
    }
}

impl Warp {
    /// The pointers of the function that runs.
    fn pointers(&mut self) -> &mut Pointers {
        let (depth, first) = (self.calls_above_kernel(), self.local.bytes());
        let all = &mut self.local.allocas.0;
        if all.last().is_none_or(|(of, _)| *of != depth) {
            all.push((depth, Pointers { first, ends: [first; LANES] }));
        }
        let last = all.len() - 1;
        &mut all[last].1
    }

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
        let depth = self.calls_above_kernel() as u32;
        let pointers = self.pointers();
        let mut addresses = [0; LANES];
        for lane in lanes_of(mask) {
            let address = u64::from(pointers.ends[lane]).next_multiple_of(align.into());
            let end = address.saturating_add(bytes[lane]);
            if end > MOST_LOCAL_BYTES.into() {
                let bytes = end.try_into().unwrap_or(u32::MAX);
                let (most_depth, most_bytes) = (MOST_CALLS, MOST_LOCAL_BYTES);
                return Err(Problem::TooDeep { depth, bytes, most_depth, most_bytes });
            }
            pointers.ends[lane] = end as u32;
            addresses[lane] = address;
        }
        // A frame begins at a multiple of 16.
        let end = pointers.ends.iter().fold(0, |most, end| most.max(*end)).next_multiple_of(16);
        if end > self.local.bytes() {
            self.local.grow(end);
        }
        self.write_both(file, Target(d), mask, &addresses);
        Ok(())
    }

    /// `stacksave`
    pub(super) fn save_local(&mut self, file: File, d: Target, mask: u32) {
        let ends = self.pointers().ends.map(u64::from);
        self.write_both(file, d, mask, &ends);
    }

    /// `stackrestore`; what `stacksave` has not given changes nothing.
    pub(super) fn restore_local(&mut self, file: File, a: Source, mask: u32, image: &Image) {
        let given = self.registers.read_any(image, SourceIn { file, source: a });
        let Pointers { first, ends } = self.pointers();
        for lane in lanes_of(mask) {
            if (u64::from(*first)..u64::from(ends[lane])).contains(&given[lane]) {
                ends[lane] = given[lane] as u32;
            }
        }
    }
}
