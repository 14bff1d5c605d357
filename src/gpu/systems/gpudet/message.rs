//! Messages between cores and partitions.

use super::locks::Step;
use crate::config::LINE;
use crate::memory::{Bytes, Data, HEADER, Packet, Port};

/// Bytes of a depth.
const DEPTH: u32 = 4;
/// Bytes of a mask of a line's bytes.
const MASK: u32 = LINE as u32 / 8;

/// Kind of a message. Its answer is the same message on its way back.
#[derive(Debug)]
pub(super) enum Kind {
    /// A line, for a miss of the L1.
    Load { miss: u32 },
    /// Bytes that are stored, in an epoch of the core's releases.
    Store { bytes: Bytes, epoch: u64 },
    /// An atomic of lanes of an access, and the bytes that it has stored.
    Atomic { access: u32, lanes: u32, stored: Bytes },
    /// A color update request: an entry of a store buffer with its depth (4.4.2).
    Update { bytes: Bytes, depth: u64 },
    /// A line of a store buffer has left the L1. It is not answered.
    Spill,
    /// A step of a wavefront's commit by locks.
    Locked { wavefront: u32, step: Step },
    /// A line of a store buffer comes back to the L1, for an access that searches it, or for commit mode.
    Fetch { access: Option<u32> },
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub kind: Kind,
    pub is_request: bool,
    pub core: u32,
    pub partition: u32,
    pub line: u32,
    pub data: Data,
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        let ends = [Port::Core(self.core), Port::Gpm(0)];
        if self.is_request { ends } else { [ends[1], ends[0]] }
    }

    fn bytes(&self) -> u32 {
        let line = LINE as u32;
        HEADER
            + match (&self.kind, self.is_request) {
                (Kind::Load { .. } | Kind::Fetch { .. }, false) | (Kind::Spill, _) => line,
                (Kind::Store { bytes, .. }, true) => bytes.count_ones(),
                (Kind::Update { bytes, .. }, true) => DEPTH + MASK + bytes.count_ones(),
                (Kind::Locked { step, .. }, is_request) => step.bytes(is_request),
                (Kind::Atomic { lanes, .. }, _) => 8 * lanes.count_ones(),
                _ => 0,
            }
    }

    fn is_request(&self) -> bool {
        self.is_request
    }
}
