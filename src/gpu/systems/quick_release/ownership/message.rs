//! Messages between the L1s, the directory with the L2, and the L3.

use crate::config::LINE;
use crate::memory::{Bytes, Data, HEADER, Packet, Port};

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
    /// An access of a CPU.
    Access,
    /// The GPU is asked for what it has of a line newer than the L3; its copies may stay, or not.
    Probe { stays: bool },
    /// A probe is done, with bytes that were newer.
    Probed,
    /// The access of a CPU is done.
    AccessDone,
}

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) ends: [Port; 2],
    pub(super) line: u32,
    pub(super) owned: bool,
    /// Of a CPU, and of its probe.
    pub(super) access: u32,
    pub(super) bytes: Bytes,
    pub(super) data: Data,
}

impl Message {
    pub(super) fn new(kind: Kind, ends: [Port; 2], line: u32) -> Self {
        Self { kind, ends, line, owned: false, access: 0, bytes: 0, data: [0; LINE] }
    }
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        self.ends
    }

    fn bytes(&self) -> u32 {
        HEADER
            + match self.kind {
                Kind::Access | Kind::AccessDone => 8,
                Kind::Probed => self.bytes.count_ones(),
                Kind::Data | Kind::WriteBack | Kind::Recalled { has_data: true } => LINE as u32,
                _ => 0,
            }
    }

    fn is_request(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Data | Kind::Recall { .. } | Kind::Probe { .. } | Kind::AccessDone
        )
    }
}
