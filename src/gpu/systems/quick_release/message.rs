//! Messages between the levels, which are also the requests to write caches.

use crate::config::LINE;
use crate::memory::{Bytes, Data, HEADER, Packet, Port};

/// Kinds of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Requests a line; the token is the miss that waits.
    Load,
    /// New bytes of a line.
    Store,
    /// Lanes of an access, which the token names, read, modify and write words of a line.
    Atomic,
    /// What came before is to go down; with an answer if a warp waits for it.
    Release { needs_ack: bool },
    /// A line; the token is its miss.
    Data,
    /// An atomic is done; the token is its access.
    AtomicDone,
    /// A release of a warp is over.
    Released,
    /// A CPU's store is done; the token is its access.
    StoreDone,
    /// A copy of the line is stale; the token tells why.
    Invalidate,
    /// An invalidation is done; the token is that of the invalidation.
    InvalidateDone,
}

/// The token of an invalidation that a write cache caused; others are numbers of atomics.
pub(super) const OF_WRITE_CACHE: u32 = u32::MAX;

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) ends: [Port; 2],
    pub(super) line: u32,
    pub(super) token: u32,
    pub(super) lanes: u32,
    /// The warp that caused it.
    pub(super) core: u32,
    pub(super) warp: u32,
    /// Of a store: its bytes. Of a load: those that it needs.
    pub(super) bytes: Bytes,
    /// Of a load: bytes that a write cache on its way had; they are in the data.
    pub(super) have: Bytes,
    pub(super) data: Data,
}

impl Message {
    /// A message of a warp.
    pub(super) fn new(kind: Kind, core: u32, warp: u32) -> Self {
        let ends = [Port::Core(core), Port::Gpm(0)];
        let (line, token, lanes, bytes, have, data) = (0, 0, 0, 0, 0, [0; LINE]);
        Self { kind, ends, line, token, lanes, core, warp, bytes, have, data }
    }
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        self.ends
    }

    fn bytes(&self) -> u32 {
        HEADER
            + match self.kind {
                Kind::Store => self.bytes.count_ones(),
                Kind::Data => LINE as u32,
                // An operand, or a result, of up to 8 bytes for each lane.
                Kind::Atomic | Kind::AtomicDone => 8 * self.lanes.count_ones(),
                _ => 0,
            }
    }

    fn is_request(&self) -> bool {
        use Kind::{Atomic, InvalidateDone, Load, Release, Store};
        matches!(self.kind, Load | Store | Atomic | Release { .. } | InvalidateDone)
    }
}
