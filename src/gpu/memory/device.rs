//! Global memory: what is allocated in it, and its contents.
//!
//! Each allocation stands alone in the address space: before and after it are addresses that nothing
//! has, so that an access past its end does not land in another one. The contents lie one after the
//! other: what decides on lines, rows of DRAM and homes is the place in the contents.

use super::heap::Heap;
use super::history::{Block, History, Site};
use crate::isa::{GLOBALS_BASE, Space};
use crate::simt::{Allocation, Lanes, Problem, lanes_of};

/// Contents of allocations begin at multiples of this, as with CUDA.
const GRANULE: usize = 256;
/// Addresses of allocations begin at multiples of this, and a gap is at least as large.
const GUARD: usize = 64 << 10;
/// A buffer that is farther away than this has nothing to do with an address.
const NEAR: i128 = 16 << 20;
/// A part of the address space that no allocation has.
const NONE: u32 = u32::MAX;

/// An allocation.
#[derive(Debug, Clone)]
struct Region {
    name: String,
    /// Address of its first byte, from the beginning of global memory.
    address: usize,
    /// Where it begins in the contents.
    start: usize,
    bytes: usize,
}

/// Global memory.
#[derive(Debug, Clone, Default)]
pub struct Device {
    bytes: Vec<u8>,
    regions: Vec<Region>,
    /// For each part of the address space the region that is in it.
    owners: Vec<u32>,
    heap: Heap,
    history: Option<Box<History>>,
}

impl Device {
    /// Keeps from now on what is written, allocated and freed. What is there now is written.
    pub fn keep_history(&mut self) {
        self.history.get_or_insert_with(|| Box::new(History::new(self.bytes.len())));
    }

    /// What was written, allocated and freed, if it is kept.
    pub fn history(&mut self) -> Option<&mut History> {
        self.history.as_deref_mut()
    }

    /// `malloc` of a lane, kept in the history; 0 where no room is left.
    pub(crate) fn allocate_block(&mut self, bytes: u64, site: Site) -> u64 {
        let Some(history) = &mut self.history else { return self.heap.allocate(bytes) };
        let address = history.allocate(&mut self.heap, bytes, site);
        if let Some(place) = self.place(address, bytes as usize)
            && let Some(history) = &mut self.history
        {
            history.forget(place, bytes as usize);
        }
        address
    }

    /// `free` of a lane, kept in the history.
    ///
    /// # Errors
    /// If no block is at the address, or it was freed before.
    pub(crate) fn free_block(
        &mut self,
        address: u64,
        site: Site,
    ) -> Result<(), Option<Box<Block>>> {
        match &mut self.history {
            Some(history) => history.free(address, site),
            None => self.heap.free(address).then_some(()).ok_or(None),
        }
    }

    /// Writes contents from an address on, as far as they lie in one allocation.
    pub fn fill(&mut self, address: u64, contents: &[u8]) {
        let Some(place) = self.place(address, contents.len()) else { return };
        self.bytes[place..place + contents.len()].copy_from_slice(contents);
        if let Some(history) = &mut self.history {
            history.write(place, contents.len());
        }
    }

    /// The name of the allocation that has an address, and the byte in it.
    pub(crate) fn byte_of(&self, address: u64) -> Option<(&str, u64)> {
        let at = usize::try_from(address.wrapping_sub(GLOBALS_BASE)).ok()?;
        let region = self.regions.get(*self.owners.get(at / GUARD)? as usize)?;
        Some((&region.name, (at - region.address) as u64))
    }

    /// Whether an address lies in the heap.
    pub(crate) fn is_in_heap(&self, address: u64) -> bool {
        self.heap.has(address)
    }

    /// Makes room for what kernels allocate.
    pub fn make_heap(&mut self, bytes: u32) {
        let start = self.allocate("the heap of malloc", bytes as usize);
        self.heap = Heap::new(start, bytes.into());
    }

    /// `malloc` and `free` of some lanes: each lane's address, or the lane and what is wrong with it.
    pub fn heap(&mut self, wanted: &Allocation) -> Result<Lanes<u64>, (usize, Problem)> {
        let mut addresses = [0; 32];
        for lane in lanes_of(wanted.mask) {
            let given = wanted.given[lane];
            match wanted.allocates() {
                true => addresses[lane] = self.heap.allocate(given),
                false if given == 0 || self.heap.free(given) => {}
                false => return Err((lane, Problem::NotAllocated { address: given })),
            }
        }
        Ok(addresses)
    }

    /// Room for some bytes, all zero; the address.
    pub fn allocate(&mut self, name: &str, bytes: usize) -> u64 {
        let (start, address) = (self.bytes.len(), self.owners.len() * GUARD);
        let owner = self.regions.len() as u32;
        self.regions.push(Region { name: name.to_string(), address, start, bytes });
        // An empty one gets a granule, too, so that its address is its own.
        self.bytes.resize((start + bytes.max(1)).next_multiple_of(GRANULE), 0);
        self.owners.resize(self.owners.len() + bytes.max(1).div_ceil(GUARD), owner);
        self.owners.push(NONE);
        if let Some(history) = &mut self.history {
            history.grow(self.bytes.len());
        }
        GLOBALS_BASE + address as u64
    }

    /// Names a word of the contents, by its place: the allocation and the word in it.
    pub(crate) fn name_of(&self, place: usize) -> String {
        let region = self.regions.iter().rfind(|region| region.start <= place);
        region.map_or_else(
            || format!("byte {place}"),
            |region| format!("{} word {}", region.name, (place - region.start) / 4),
        )
    }

    /// The contents of all allocations, with what pads them.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where some bytes of one allocation lie in the contents.
    #[inline]
    pub(crate) fn place(&self, address: u64, bytes: usize) -> Option<usize> {
        let at = usize::try_from(address.wrapping_sub(GLOBALS_BASE)).ok()?;
        let owner = *self.owners.get(at / GUARD)?;
        let region = self.regions.get(owner as usize)?;
        let offset = at - region.address;
        (offset.checked_add(bytes)? <= region.bytes).then_some(region.start + offset)
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
    pub(crate) fn contents(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// From an address to the end of its allocation.
    pub fn rest(&self, address: u64) -> Option<&[u8]> {
        let at = usize::try_from(address.wrapping_sub(GLOBALS_BASE)).ok()?;
        let region = self.regions.get(*self.owners.get(at / GUARD)? as usize)?;
        self.get(address, region.bytes.checked_sub(at - region.address)?)
    }

    /// What is wrong with an address that [`Device::get`] does not know.
    pub fn out_of_bounds(&self, address: u64, bytes: usize) -> Problem {
        let at = i128::from(address) - i128::from(GLOBALS_BASE);
        let from = |region: &Region| at - region.address as i128;
        let distance = |region: &Region| (from(region) - region.bytes as i128).max(-from(region));
        let nearest = self.regions.iter().min_by_key(|region| distance(region));
        let nearest = match nearest.filter(|region| distance(region) <= NEAR) {
            Some(region) => {
                let place = match from(region) {
                    byte @ 0.. => format!("byte {byte} of it is asked for"),
                    before => format!("{} bytes before it are asked for", -before),
                };
                format!("{}, which has {} bytes ({place})", region.name, region.bytes)
            }
            None => "every buffer".to_string(),
        };
        Problem::OutOfBounds { space: Space::Global, address, bytes: bytes as u32, nearest }
    }
}
