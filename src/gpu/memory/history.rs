//! Which bytes of global memory have been written, and what kernels have allocated and freed.

use std::collections::BTreeMap;

use bitvec::vec::BitVec;

use super::heap::Heap;
use crate::simt::Identity;

/// Bytes that no block has, between two of them.
const GAP: u64 = 16;

/// An instruction of a thread.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    /// Index of the instruction.
    pub pc: u32,
    /// The warp.
    pub identity: Identity,
    /// The lane.
    pub lane: usize,
}

/// A block of `malloc`.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// Its address.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// Who allocated it.
    pub allocated: Site,
    /// Who freed it.
    pub freed: Option<Site>,
}

impl Block {
    /// Whether some bytes lie within.
    pub fn has(&self, address: u64, bytes: u32) -> bool {
        self.address <= address && address + u64::from(bytes) <= self.address + self.bytes
    }
}

/// What has been done to global memory.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// By the place in the contents.
    written: BitVec,
    blocks: BTreeMap<u64, Block>,
}

impl History {
    /// Contents of this size are there, all of them written.
    pub(super) fn new(bytes: usize) -> Self {
        Self { written: BitVec::repeat(true, bytes), blocks: BTreeMap::new() }
    }

    /// More contents, not written.
    pub(super) fn grow(&mut self, bytes: usize) {
        self.written.resize(bytes, false);
    }

    /// Some contents are written.
    pub fn write(&mut self, place: usize, bytes: usize) {
        self.written[place..place + bytes].fill(true);
    }

    /// The first of some bytes that nobody has written.
    pub fn unwritten(&self, place: usize, bytes: usize) -> Option<usize> {
        self.written[place..place + bytes].first_zero()
    }

    /// Allocates a block; its address, or 0. Freed blocks are used again only where no other room is left, so that their
    /// late users are found.
    pub(super) fn allocate(&mut self, heap: &mut Heap, bytes: u64, site: Site) -> u64 {
        let wanted = bytes.max(1).saturating_add(GAP);
        let address = match heap.allocate(wanted) {
            0 => {
                self.blocks.retain(|address, block| block.freed.is_none() || !heap.free(*address));
                heap.allocate(wanted)
            }
            address => address,
        };
        if address != 0 {
            self.blocks.insert(address, Block { address, bytes, allocated: site, freed: None });
        }
        address
    }

    /// Contents of a block that was allocated are not written, whatever was there.
    pub(super) fn forget(&mut self, place: usize, bytes: usize) {
        self.written[place..place + bytes].fill(false);
    }

    /// Frees a block.
    ///
    /// # Errors
    /// If there is none at the address, or it was freed before.
    pub(super) fn free(&mut self, address: u64, site: Site) -> Result<(), Option<Box<Block>>> {
        match self.blocks.get_mut(&address) {
            Some(block) if block.freed.is_none() => block.freed = Some(site),
            other => return Err(other.map(|block| Box::new(*block))),
        }
        Ok(())
    }

    /// The last block that begins at an address or before.
    pub fn block_before(&self, address: u64) -> Option<&Block> {
        self.blocks.range(..=address).next_back().map(|(_, block)| block)
    }

    /// Blocks that nobody has freed.
    pub fn live(&self) -> impl Iterator<Item = &Block> {
        self.blocks.values().filter(|block| block.freed.is_none())
    }
}
