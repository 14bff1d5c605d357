//! Global memory: what is allocated in it, and its contents.

use crate::gpu::isa::{GLOBALS_BASE, Space};
use crate::gpu::simt::Problem;

/// Allocations begin at multiples of this, as with CUDA.
const GRANULE: usize = 256;

/// An allocation.
#[derive(Debug, Clone)]
struct Region {
    name: String,
    start: usize,
    end: usize,
}

/// Global memory.
#[derive(Debug, Clone, Default)]
pub struct Device {
    bytes: Vec<u8>,
    regions: Vec<Region>,
    /// For each granule the region that is in it.
    owners: Vec<u32>,
}

impl Device {
    /// Room for some bytes, all zero; the address.
    pub fn allocate(&mut self, name: &str, bytes: usize) -> u64 {
        let start = self.bytes.len();
        let owner = self.regions.len() as u32;
        self.regions.push(Region { name: name.to_string(), start, end: start + bytes });
        // An empty one gets a granule, too, so that its address is its own.
        self.bytes.resize((start + bytes.max(1)).next_multiple_of(GRANULE), 0);
        self.owners.resize(self.bytes.len() / GRANULE, owner);
        GLOBALS_BASE + start as u64
    }

    /// Where some bytes of one allocation lie in the contents.
    #[inline]
    pub(in crate::gpu) fn place(&self, address: u64, bytes: usize) -> Option<usize> {
        let at = usize::try_from(address.wrapping_sub(GLOBALS_BASE)).ok()?;
        let owner = *self.owners.get(at / GRANULE)?;
        let region = &self.regions[owner as usize];
        (at.checked_add(bytes)? <= region.end).then_some(at)
    }

    /// Bytes of one allocation; none where they are not within one.
    #[inline]
    pub fn get(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        let at = self.place(address, bytes)?;
        self.bytes.get(at..at + bytes)
    }

    /// As [`Device::get`], to be written.
    #[inline]
    pub fn get_mut(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let at = self.place(address, bytes)?;
        self.bytes.get_mut(at..at + bytes)
    }

    /// All contents; see [`Device::place`].
    pub(in crate::gpu) fn contents(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// From an address to the end of its allocation.
    pub fn rest(&self, address: u64) -> Option<&[u8]> {
        let at = self.place(address, 1)?;
        let owner = self.owners[at / GRANULE] as usize;
        self.bytes.get(at..self.regions[owner].end)
    }

    /// What is wrong with an address that [`Device::get`] does not know.
    pub fn out_of_bounds(&self, address: u64, bytes: usize) -> Problem {
        let at = address.wrapping_sub(GLOBALS_BASE);
        let before = self.regions.iter().rev().find(|region| region.start as u64 <= at);
        let nearest = match before {
            Some(Region { name, start, end }) => {
                let beyond = at.saturating_sub(*start as u64);
                format!(
                    "{name}, which has {} bytes (byte {beyond} of it is asked for)",
                    end - start
                )
            }
            None => "every buffer".to_string(),
        };
        Problem::OutOfBounds { space: Space::Global, address, bytes: bytes as u32, nearest }
    }
}
