//! Messages between cores and banks of the L2.

use crate::config::LINE;
use crate::memory::{Bytes, Data, HEADER, Packet, Port};

/// Bytes of a logical time.
const TIME: u32 = 4;

/// Kind of a message (tables 3.3 and 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A line is requested, by a core whose copy is readable until `exp`; 0: it has none.
    Gets {
        exp: u64,
    },
    Write {
        bytes: Bytes,
    },
    /// An atomic of lanes of an access.
    Atomic {
        access: u32,
        lanes: u32,
    },
    /// A line that was stored at `ver`, readable until `exp`; 0: once.
    Data {
        ver: u64,
        exp: u64,
    },
    /// The core's copy is readable until `exp`.
    Renew {
        exp: u64,
    },
    /// A store has taken effect at `ver`.
    Ack {
        ver: u64,
    },
    /// An atomic has.
    Result {
        ver: u64,
    },
}

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub kind: Kind,
    pub core: u32,
    pub line: u32,
    /// The core's request, as it numbers them.
    pub tag: u32,
    /// Logical time of a request's core.
    pub now: u64,
    /// When the L2 has performed it, among all that it and hits perform.
    pub sequence: u64,
    pub data: Data,
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        let ends = [Port::Core(self.core), Port::Gpm(0)];
        if self.is_request() { ends } else { [ends[1], ends[0]] }
    }

    fn bytes(&self) -> u32 {
        let line = LINE as u32;
        HEADER
            + match self.kind {
                Kind::Gets { .. } => 2 * TIME,
                Kind::Write { bytes } => TIME + bytes.count_ones(),
                Kind::Atomic { lanes, .. } => TIME + 8 * lanes.count_ones(),
                // The old values of 32 lanes.
                Kind::Result { .. } => TIME + line,
                Kind::Data { .. } => 2 * TIME + line,
                Kind::Renew { .. } | Kind::Ack { .. } => TIME,
            }
    }

    fn is_request(&self) -> bool {
        matches!(self.kind, Kind::Gets { .. } | Kind::Write { .. } | Kind::Atomic { .. })
    }
}
