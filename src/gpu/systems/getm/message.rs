//! Messages between cores and partitions.

use std::sync::Arc;

use warpsmith_blocks::getm_commit::Item;

use crate::config::LINE;
use crate::memory::{Bytes, Data, HEADER, Packet, Port};

/// Bytes of a region that a load of a transaction gets, of a timestamp, of an address, of a word, and of a mask
/// of lanes.
const REGION: u32 = 32;
const TIMESTAMP: u32 = 4;
const ADDRESS: u32 = 4;
const WORD: u32 = 4;
const LANES: u32 = 4;

/// What a message asks for. Its answer is the same message on its way back.
#[derive(Debug)]
pub(super) enum Kind {
    /// A line, for a miss of the L1.
    Load { miss: u32 },
    /// Bytes that are stored, in an epoch of the core's releases.
    Store { bytes: Bytes, epoch: usize },
    /// An atomic of lanes of an access, and the bytes that it has stored.
    Atomic { access: u32, lanes: u32, stored: Bytes },
    /// Transactional accesses of a warp to a granule, by their number.
    Validate { asked: u32, store: bool },
    /// A warp's log, as far as it belongs to a partition. It is not answered.
    Log(Vec<Item>),
    /// A load of lanes of a transaction of WarpTM, by its number.
    Read { asked: u32 },
    /// Words of a warp's log of WarpTM, by its number in the order of commits: to be validated, or to be written for
    /// these lanes.
    Validation { id: u64, words: u32, decided: Option<u32> },
    /// Lanes of a warp whose part of the log does not agree with memory.
    Verdict { id: u64, warp: u32, failed: u32 },
    /// Lanes that commit.
    Decision { id: u64, lanes: u32 },
    /// The part of a warp's log has been written.
    Written { id: u64, warp: u32 },
    /// Words that are going to be written, or have been.
    Broadcast { words: Arc<[u64]>, begins: bool },
    /// A line of a warp's redo log has left the L1. It is not answered.
    Spill,
    /// A line of a redo log comes back to the L1, for the warp at this place.
    Fetch { warp: u32 },
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub kind: Kind,
    pub is_request: bool,
    pub ends: [Port; 2],
    pub core: u32,
    pub partition: u32,
    pub line: u32,
    pub data: Data,
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        self.ends
    }

    fn bytes(&self) -> u32 {
        let line = LINE as u32;
        HEADER
            + match (&self.kind, self.is_request) {
                (Kind::Load { .. } | Kind::Fetch { .. }, false) | (Kind::Spill, _) => line,
                (Kind::Store { bytes, .. }, true) => bytes.count_ones(),
                (Kind::Atomic { lanes, .. }, _) => 8 * lanes.count_ones(),
                (Kind::Validate { .. }, true) => TIMESTAMP,
                (Kind::Validate { store: false, .. }, false) => TIMESTAMP + REGION,
                (Kind::Validate { store: true, .. }, false) => TIMESTAMP,
                (Kind::Log(items), _) => {
                    items.iter().map(|item| ADDRESS + item.bytes.count_ones()).sum()
                }
                (Kind::Read { .. }, true) => 0,
                (Kind::Read { .. }, false) => TIMESTAMP + REGION,
                (Kind::Validation { words, .. }, _) => (ADDRESS + WORD) * words,
                (Kind::Verdict { .. } | Kind::Decision { .. }, _) => LANES,
                (Kind::Written { .. } | Kind::Broadcast { .. }, _) => 0,
                (Kind::Load { .. } | Kind::Fetch { .. }, true) | (Kind::Store { .. }, false) => 0,
            }
    }

    fn is_request(&self) -> bool {
        self.is_request
    }
}
