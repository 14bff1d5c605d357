//! Local memory of the threads of a warp. No other thread sees it, so the warp keeps its contents
//! itself.

use super::access::lanes_of;
use super::allocas::Allocas;
use super::registers::LANES;

/// Local memory: for each lane as many bytes as its frames take.
#[derive(Debug, Clone, Default)]
pub(super) struct Local {
    lanes: [Vec<u8>; LANES],
    bytes: u32,
    /// Room that functions allocate behind their frames.
    pub(super) allocas: Allocas,
}

impl Local {
    /// Bytes of each lane.
    pub(super) fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Room for another frame.
    pub(super) fn grow(&mut self, bytes: u32) {
        self.bytes = bytes;
        self.lanes.iter_mut().for_each(|lane| lane.resize(bytes as usize, 0));
    }

    /// Gives up all.
    pub(super) fn clear(&mut self) {
        self.shrink(0);
        self.allocas = Allocas::default();
    }

    /// Gives up the last frame.
    pub(super) fn shrink(&mut self, bytes: u32) {
        self.bytes = bytes;
        self.lanes.iter_mut().for_each(|lane| lane.truncate(bytes as usize));
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
