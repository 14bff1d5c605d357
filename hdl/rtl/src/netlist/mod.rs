//! A design as one flat, acyclic dataflow graph.
//!
//! Hierarchy becomes dotted names, statements become multiplexers, and nodes that only pass a value on (a
//! wire with one assignment, a port of an instance) become names of that value. Every operand precedes its
//! users; only registers and memories close a cycle.

mod elaborate;
mod flat;
mod intern;
mod order;
mod simplify;
mod statements;

use crate::bits::Bits;
use crate::ir::{BinaryOp, CheckKind, Collision, Module, UnaryOp};
use crate::ports::{PortLayout, words};

/// Number of a net: its index in [`Netlist::nets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetId(pub(crate) u32);

impl NetId {
    /// Index in [`Netlist::nets`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a net.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NetOp {
    /// A constant.
    Const(Bits),
    /// The input of that index in [`PortLayout::inputs`]; `rst` is the first.
    Input(u32),
    /// The current value of the register with that index.
    Register(u32),
    /// The output register of a memory's read port.
    ReadData {
        /// Index in [`Netlist::memories`].
        memory: u32,
        /// Index in [`Memory::reads`].
        port: u32,
    },
    /// The row of a memory at `address`, read asynchronously.
    Row {
        /// Index in [`Netlist::memories`].
        memory: u32,
        /// Number of the row.
        address: NetId,
    },
    /// An operator on one operand.
    Unary(UnaryOp, NetId),
    /// An operator on two operands.
    Binary(BinaryOp, NetId, NetId),
    /// `on_true` where the one-bit `condition` is one, else `on_false`.
    Mux {
        /// One bit.
        condition: NetId,
        /// Value where the condition is one.
        on_true: NetId,
        /// Value where it is zero.
        on_false: NetId,
    },
    /// The choice with index `subject`, or the last one if `subject` is too large.
    Select {
        /// At most 64 bits.
        subject: NetId,
        /// At least two values.
        choices: Vec<NetId>,
    },
    /// Bits of `from`, starting at `low`; the width is the net's.
    Slice {
        /// The operand.
        from: NetId,
        /// Index of the lowest bit.
        low: u32,
    },
    /// The concatenated operands, the first the most significant.
    Concat(Vec<NetId>),
}

impl NetOp {
    /// Calls `f` with each operand.
    pub fn for_operands(&self, mut f: impl FnMut(NetId)) {
        self.clone().map_operands(|id| {
            f(id);
            id
        });
    }

    /// The same operator on other operands.
    pub(crate) fn map_operands(mut self, mut f: impl FnMut(NetId) -> NetId) -> Self {
        match &mut self {
            Self::Const(_) | Self::Input(_) | Self::Register(_) | Self::ReadData { .. } => {}
            Self::Unary(_, a) | Self::Slice { from: a, .. } | Self::Row { address: a, .. } => {
                *a = f(*a);
            }
            Self::Binary(_, a, b) => (*a, *b) = (f(*a), f(*b)),
            Self::Mux { condition, on_true, on_false } => {
                (*condition, *on_true, *on_false) = (f(*condition), f(*on_true), f(*on_false));
            }
            Self::Select { subject, choices } => {
                *subject = f(*subject);
                choices.iter_mut().for_each(|c| *c = f(*c));
            }
            Self::Concat(parts) => parts.iter_mut().for_each(|p| *p = f(*p)),
        }
        self
    }

    /// Whether the value is computed from other nets, rather than stored.
    pub fn computes(&self) -> bool {
        !matches!(self, Self::Const(_) | Self::Input(_) | Self::Register(_) | Self::ReadData { .. })
    }
}

/// One value of the design.
#[derive(Clone, Debug)]
pub struct Net {
    /// Its operator.
    pub op: NetOp,
    /// Width in bits.
    pub width: u32,
    /// The instance in whose cone the net was first found: nets of one instance tend to change together.
    pub cone: u32,
}

/// A register.
#[derive(Clone, Debug)]
pub struct Register {
    /// Hierarchical name.
    pub name: String,
    /// Its current value.
    pub present: NetId,
    /// Its value after the next edge without reset.
    pub next: NetId,
    /// Value after an edge with reset, if it has a reset.
    pub reset: Option<Bits>,
}

/// A write port of a memory.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// One bit.
    pub enable: NetId,
    /// Number of the row.
    pub address: NetId,
    /// As wide as a row.
    pub data: NetId,
    /// One bit per lane; none: all lanes.
    pub lanes: Option<NetId>,
}

/// A clocked read port of a memory.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// One bit.
    pub enable: NetId,
    /// Number of the row.
    pub address: NetId,
    /// The [`NetOp::ReadData`] net; none if nothing reads it.
    pub data: Option<NetId>,
}

/// A memory; see [`crate::ir::Memory`].
#[derive(Clone, Debug)]
pub struct Memory {
    /// Hierarchical name.
    pub name: String,
    /// Number of rows.
    pub rows: u32,
    /// Width of a row.
    pub width: u32,
    /// Number of lanes.
    pub lanes: u32,
    /// Result of reading and writing a row at the same edge.
    pub collision: Collision,
    /// Write ports; where two write one row, the later wins.
    pub writes: Vec<Write>,
    /// Clocked read ports; the others are [`NetOp::Row`] nets.
    pub reads: Vec<Read>,
}

impl Memory {
    /// Words of its content, each row from a new word on.
    pub(crate) fn words(&self) -> usize {
        self.rows as usize * words(self.width)
    }
}

/// A property.
#[derive(Clone, Debug)]
pub struct Check {
    /// Kind.
    pub kind: CheckKind,
    /// Hierarchical name.
    pub name: String,
    /// Description.
    pub doc: String,
    /// One bit.
    pub condition: NetId,
}

/// The kind of a named signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// An input port.
    Input,
    /// An output port.
    Output,
    /// A register.
    Register,
    /// Any other named value.
    Wire,
}

/// A name for a net.
#[derive(Clone, Debug)]
pub struct SignalInfo {
    /// Hierarchical name, separated by dots.
    pub name: String,
    /// Its kind.
    pub kind: SignalKind,
    /// The net.
    pub net: NetId,
    /// Width in bits.
    pub width: u32,
}

/// Which nets to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every named signal, even if unused.
    Named,
    /// Only what an output or a check depends on; other names are dropped.
    Observable,
}

/// A design that cannot be flattened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetlistError {
    /// A combinational loop.
    #[error("combinational loop: {} -> {}", signals.join(" -> "), signals[0])]
    Loop {
        /// The named signals on the loop, in order.
        signals: Vec<String>,
    },
}

/// A flat design.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// Name of the top module.
    pub name: String,
    /// The ports of the top module.
    pub layout: PortLayout,
    /// All values, operands before users.
    pub nets: Vec<Net>,
    /// The net of each output port, in layout order.
    pub outputs: Vec<NetId>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Properties.
    pub checks: Vec<Check>,
    /// Named signals, the top module's first.
    pub signals: Vec<SignalInfo>,
}

impl Netlist {
    /// Flattens a module and everything in it, keeping every named signal.
    pub fn flatten(module: &Module) -> Result<Self, NetlistError> {
        Self::flatten_keeping(module, Keep::Named)
    }

    /// Flattens a module and everything in it.
    pub fn flatten_keeping(module: &Module, keep: Keep) -> Result<Self, NetlistError> {
        order::order(elaborate::elaborate(module), keep)
    }

    /// The net with that number.
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// Number of nets that are computed in every clock.
    pub fn computed_nets(&self) -> usize {
        self.nets.iter().filter(|net| net.op.computes()).count()
    }

    /// The storage of the design. Output registers of memory ports count as part of the memory.
    pub fn storage(&self) -> Storage {
        let width = |register: &Register| u64::from(self.net(register.present).width);
        let memories: Vec<_> =
            self.memories.iter().map(|m| (m.name.clone(), m.rows, m.width)).collect();
        Storage {
            register_bits: self.registers.iter().map(width).sum(),
            memory_bits: memories.iter().map(|m| u64::from(m.1) * u64::from(m.2)).sum(),
            memories,
        }
    }
}

/// The storage of a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Bits in registers.
    pub register_bits: u64,
    /// Bits in memories.
    pub memory_bits: u64,
    /// Name, number of rows and width of each memory.
    pub memories: Vec<(String, u32, u32)>,
}
