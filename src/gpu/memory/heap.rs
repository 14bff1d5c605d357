//! The heap from which kernels allocate memory.

use std::collections::BTreeMap;
use std::ops::Range;

/// Blocks begin at multiples of this, as with CUDA.
const ALIGN: u64 = 16;

/// Which parts of a range of addresses are taken, and which are not.
#[derive(Debug, Clone, Default)]
pub(super) struct Heap {
    /// Bytes of each block, by its address.
    blocks: BTreeMap<u64, u64>,
    /// Bytes of each gap, by its address. No gap ends where another begins.
    gaps: BTreeMap<u64, u64>,
    range: Range<u64>,
}

impl Heap {
    pub(super) fn new(start: u64, bytes: u64) -> Self {
        let gaps = BTreeMap::from([(start, bytes)]);
        Self { blocks: BTreeMap::new(), gaps, range: start..start + bytes }
    }

    /// Whether an address lies in it.
    pub(super) fn has(&self, address: u64) -> bool {
        self.range.contains(&address)
    }

    /// The address of the first gap that is large enough; 0 where there is none.
    pub(super) fn allocate(&mut self, bytes: u64) -> u64 {
        let Some(bytes) = bytes.max(1).checked_next_multiple_of(ALIGN) else { return 0 };
        let Some((&at, &gap)) = self.gaps.iter().find(|(_, gap)| **gap >= bytes) else { return 0 };
        self.gaps.remove(&at);
        if gap > bytes {
            self.gaps.insert(at + bytes, gap - bytes);
        }
        self.blocks.insert(at, bytes);
        at
    }

    /// Gives a block back; false where there is none at the address.
    pub(super) fn free(&mut self, address: u64) -> bool {
        let Some(bytes) = self.blocks.remove(&address) else { return false };
        let (mut start, mut end) = (address, address + bytes);
        if let Some((&before, &gap)) = self.gaps.range(..address).next_back()
            && before + gap == address
        {
            start = before;
        }
        if let Some(gap) = self.gaps.remove(&end) {
            end += gap;
        }
        self.gaps.insert(start, end - start);
        true
    }
}
