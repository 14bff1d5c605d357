//! Messages and where they go.

use super::directory::Cause;
use crate::config::LINE;
use crate::isa::Scope;
use crate::memory::{Bytes, Data, HEADER, Packet, Port};

/// How far a flush reaches from where it arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// From the L2 of a core, for a scope.
    Release(Scope),
    /// At the homes in a GPU: to the homes in other GPUs, and to sharers.
    Upwards,
    /// At a home: to all sharers, or to those in this GPU.
    Sharers { everywhere: bool },
    /// At the home in a GPU, after invalidations from another: to sharers in this GPU.
    Forwarded,
    /// At a sharer: there is nothing beyond.
    Here,
}

/// Kinds of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Requests a line; the token is the miss that waits.
    Load,
    /// New bytes of a line.
    Store,
    /// Lanes of an access, which the token names, read, modify and write words of a line.
    Atomic,
    /// Is acknowledged when all messages before it are handled, as far as it reaches.
    Flush(Reach),
    /// Invalidates copies: those of this L2, or of all in its GPU.
    Drop { everywhere: bool },
    /// A line; the token is its miss.
    Data,
    /// An atomic is done; the token is its access.
    AtomicDone,
    /// Invalidates copies of the line's block.
    Invalidate,
    /// A flush, which the token names, on the network of invalidations.
    Mark(Reach),
    /// A flush or a drop, which the token names, is over at the sender.
    Acknowledge,
}

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) from: Port,
    pub(super) to: Port,
    pub(super) line: u32,
    pub(super) token: u32,
    pub(super) lanes: u32,
    pub(super) scope: Scope,
    /// Is ordered: must see the stores of its scope.
    pub(super) strong: bool,
    /// The warp that caused it.
    pub(super) cause: Cause,
    /// It has taken effect (ideal caching only).
    pub(super) performed: bool,
    /// In which of two generations of writes it waits, if it does.
    pub(super) generation: Option<bool>,
    /// How many messages had been sent before a flush.
    pub(super) sequence: u64,
    pub(super) bytes: Bytes,
    pub(super) data: Data,
}

impl Message {
    pub(super) fn new(kind: Kind, from: Port, to: Port) -> Self {
        Self {
            kind,
            from,
            to,
            line: 0,
            token: 0,
            lanes: 0,
            scope: Scope::Cta,
            strong: false,
            cause: Cause::default(),
            performed: false,
            generation: None,
            sequence: 0,
            bytes: 0,
            data: [0; LINE],
        }
    }
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        [self.from, self.to]
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
        use Kind::{Atomic, Drop, Flush, Load, Store};
        matches!(self.kind, Load | Store | Atomic | Flush(_) | Drop { .. })
    }
}
