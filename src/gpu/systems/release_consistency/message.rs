//! Messages between the L1s and the L2.

use crate::config::LINE;
use crate::memory::{Bytes, CPUS, DIRECTORY, Data, HEADER, Packet, Port};

/// Kinds of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An L1 wants a line valid.
    GetV,
    /// An L1 wants to own a line.
    GetO,
    /// Dirty bytes of a line; with them an owner may give it up.
    WriteBack { gives_up: bool },
    /// Lanes of an access, which the token names, read, modify and write words of a line.
    Atomic,
    /// Is answered when all write-backs before it are done; the token is the warp.
    Mark,
    /// A line.
    Data { is_owned: bool },
    /// An atomic is done; the token is its access.
    AtomicDone,
    /// The answer to a mark.
    Ack,
    /// The owner of a line is asked to write it back.
    RequestWriteBack,
    /// It has; or had it no more.
    WrittenBack { had: bool },
    /// An access of a CPU, which the token names; at the L2 it is a probe, and takes effect.
    OfCpu,
    /// It is done.
    OfCpuDone,
}

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) ends: [Port; 2],
    pub(super) line: u32,
    pub(super) token: u32,
    pub(super) lanes: u32,
    pub(super) bytes: Bytes,
    pub(super) data: Data,
    /// Of a write that waits at the L2.
    pub(super) generation: Option<bool>,
}

impl Message {
    /// A message of a core to the L2.
    pub(super) fn up(kind: Kind, core: u32, line: u32) -> Self {
        let ends = [Port::Core(core), Port::Gpm(0)];
        let (token, lanes, bytes, generation) = (0, 0, 0, None);
        Self { kind, ends, line, token, lanes, bytes, data: [0; LINE], generation }
    }

    /// A message of the L2 to a core.
    pub(super) fn down(kind: Kind, core: u32, line: u32) -> Self {
        Self { ends: [Port::Gpm(0), Port::Core(core)], ..Self::up(kind, core, line) }
    }

    /// A message of or to a CPU.
    pub(super) fn of_cpu(kind: Kind, ends: [Port; 2], line: u32, access: u32) -> Self {
        Self { ends, token: access, ..Self::up(kind, 0, line) }
    }

    /// The core at one of its ends.
    pub(super) fn core(&self) -> u32 {
        match self.ends {
            [Port::Core(core), _] | [_, Port::Core(core)] => core,
            _ => 0,
        }
    }
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        self.ends
    }

    fn bytes(&self) -> u32 {
        HEADER
            + match self.kind {
                Kind::WriteBack { .. } | Kind::WrittenBack { .. } => self.bytes.count_ones(),
                Kind::Data { .. } => LINE as u32,
                // An operand, or a result, of up to 8 bytes for each lane.
                Kind::Atomic | Kind::AtomicDone => 8 * self.lanes.count_ones(),
                Kind::OfCpu | Kind::OfCpuDone => 8,
                _ => 0,
            }
    }

    fn is_request(&self) -> bool {
        matches!(self.ends, [Port::Core(_), Port::Gpm(_)] | [CPUS | Port::Gpm(_), DIRECTORY])
    }
}
