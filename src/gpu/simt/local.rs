//! Local memory of the threads of a warp. No other thread sees it, so the warp keeps its contents
//! itself.

use super::access::lanes_of;
use super::registers::LANES;

/// Local memory: for each lane as many bytes as its frames take, and what it has allocated behind them.
#[derive(Debug, Clone, Default)]
pub(super) struct Local {
    lanes: [Vec<u8>; LANES],
}

impl Local {
    /// Bytes of a lane.
    pub(super) fn bytes(&self, lane: usize) -> u32 {
        self.lanes[lane].len() as u32
    }

    /// Gives some lanes so many bytes; those that are new are zero.
    pub(super) fn resize(&mut self, lanes: u32, bytes: u32) {
        for (lane, memory) in self.lanes.iter_mut().enumerate() {
            if lanes & 1 << lane != 0 {
                memory.resize(bytes as usize, 0);
            }
        }
    }

    /// Bytes of a lane; none outside of its memory.
    pub(super) fn get(&self, lane: usize, address: u64, bytes: usize) -> Option<&[u8]> {
        let start = usize::try_from(address).ok()?;
        self.lanes[lane].get(start..start.checked_add(bytes)?)
    }

    /// Bytes of a lane, to be written.
    pub(super) fn get_mut(&mut self, lane: usize, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let start = usize::try_from(address).ok()?;
        self.lanes[lane].get_mut(start..start.checked_add(bytes)?)
    }

    /// Takes some lanes back to what they were.
    pub(super) fn restore(&mut self, from: &Self, lanes: u32) {
        for lane in lanes_of(lanes) {
            self.lanes[lane].clone_from(&from.lanes[lane]);
        }
    }

    /// Copies within the memory of each lane.
    pub(super) fn copy(&mut self, mask: u32, from: u32, to: u32, bytes: u32) {
        let (from, to) = (from as usize, to as usize);
        for lane in lanes_of(mask) {
            self.lanes[lane].copy_within(from..from + bytes as usize, to);
        }
    }
}
