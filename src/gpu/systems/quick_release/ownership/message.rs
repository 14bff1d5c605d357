//! Messages between the L1s, the directory with the L2, and the L3.

use crate::gpu::config::LINE;
use crate::gpu::memory::{Bytes, Data, HEADER, Packet, Port};

/// Kinds of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An L1 wants a line: to itself, if it stores to it.
    Get { owned: bool },
    /// An owner evicts a line; or the L2 does.
    WriteBack,
    /// A line; an L1 may store to it if it is to itself.
    Data,
    /// A copy is asked back: it may stay as one of several, or not.
    Recall { stays: bool },
    /// A recall is done, with the data if there was an owner.
    Recalled { has_data: bool },
}

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) ends: [Port; 2],
    pub(super) line: u32,
    pub(super) owned: bool,
    pub(super) bytes: Bytes,
    pub(super) data: Data,
}

impl Message {
    pub(super) fn new(kind: Kind, ends: [Port; 2], line: u32) -> Self {
        Self { kind, ends, line, owned: false, bytes: 0, data: [0; LINE] }
    }
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        self.ends
    }

    fn bytes(&self) -> u32 {
        HEADER
            + match self.kind {
                Kind::Data | Kind::WriteBack | Kind::Recalled { has_data: true } => LINE as u32,
                _ => 0,
            }
    }

    fn is_request(&self) -> bool {
        !matches!(self.kind, Kind::Data | Kind::Recall { .. })
    }
}
