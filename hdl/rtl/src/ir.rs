//! A finished module as plain data, made by the builder and read by the Verilog writer and the netlist.
//!
//! Every expression is a node with its own width. A node is made after its operands, so its number is larger
//! than theirs; only an [`Op::Wire`] and an [`Op::Register`] take their values from statements, which may
//! refer to any node.

use std::sync::Arc;

use crate::bits::Bits;
use crate::ports::PortLayout;

/// Number of a node within its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Index in [`ModuleData::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise complement; as wide as the operand.
    Not,
    /// One bit: whether all bits are one.
    ReduceAnd,
    /// One bit: whether any bit is one.
    ReduceOr,
    /// One bit: whether the number of ones is odd.
    ReduceXor,
}

/// Operators on two operands, which have the same width except for shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// One bit: equal.
    Eq,
    /// One bit: different.
    Ne,
    /// One bit: less, both unsigned.
    Lt,
    /// One bit: less or equal, both unsigned.
    Le,
    /// One bit: less, both two's complement.
    LtSigned,
    /// One bit: less or equal, both two's complement.
    LeSigned,
    /// Left operand shifted left by the right one (unsigned, any width), zeros enter.
    ShiftLeft,
    /// Left operand shifted right by the right one (unsigned, any width), zeros enter.
    ShiftRight,
    /// Left operand shifted right by the right one (unsigned, any width), the sign enters.
    ShiftRightSigned,
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A constant. With a name, it is a `localparam`.
    Const(Bits),
    /// An input port.
    Input,
    /// A combinational value that the module's statements assign on every path.
    Wire,
    /// The current value of the register with that index; statements assign its next value, and it keeps its
    /// value on paths without an assignment.
    Register(u32),
    /// The data of a memory's read port.
    ReadData {
        /// Index in [`ModuleData::memories`].
        memory: u32,
        /// Index in [`Memory::read_ports`].
        port: u32,
    },
    /// An output port of an instance.
    InstanceOutput {
        /// Index in [`ModuleData::instances`].
        instance: u32,
        /// Index in the instantiated module's outputs.
        port: u32,
    },
    /// An operator on one operand.
    Unary(UnaryOp, NodeId),
    /// An operator on two operands.
    Binary(BinaryOp, NodeId, NodeId),
    /// `on_true` where the one-bit `condition` is one, else `on_false`.
    Mux {
        /// One bit.
        condition: NodeId,
        /// Value where the condition is one.
        on_true: NodeId,
        /// Value where it is zero.
        on_false: NodeId,
    },
    /// Bits of `from`, starting at `low`; the width is the node's.
    Slice {
        /// The operand.
        from: NodeId,
        /// Index of the lowest bit.
        low: u32,
    },
    /// The concatenated operands, the first the most significant.
    Concat(Vec<NodeId>),
}

impl Op {
    /// Calls `f` with each operand.
    pub fn for_operands(&self, mut f: impl FnMut(NodeId)) {
        match self {
            Op::Const(_) | Op::Input | Op::Wire | Op::Register(_) => {}
            Op::ReadData { .. } | Op::InstanceOutput { .. } => {}
            Op::Unary(_, a) | Op::Slice { from: a, .. } => f(*a),
            Op::Binary(_, a, b) => {
                f(*a);
                f(*b);
            }
            Op::Mux { condition, on_true, on_false } => {
                f(*condition);
                f(*on_true);
                f(*on_false);
            }
            Op::Concat(parts) => parts.iter().copied().for_each(f),
        }
    }
}

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// Width in bits, at least 1.
    pub width: u32,
    /// The author's name, unique within the module.
    pub name: Option<String>,
    /// The author's comment.
    pub doc: Option<String>,
}

/// An assignment, or a choice between lists of statements. Later assignments win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Assigns a wire, or the next value of a register.
    Assign {
        /// A node whose operator is [`Op::Wire`] or [`Op::Register`].
        target: NodeId,
        /// The value.
        value: NodeId,
    },
    /// A choice on one bit.
    If {
        /// One bit.
        condition: NodeId,
        /// Statements where it is one.
        then: Vec<Statement>,
        /// Statements where it is zero.
        otherwise: Vec<Statement>,
    },
    /// A choice among constants; at most one arm matches.
    Switch {
        /// The value compared.
        subject: NodeId,
        /// Distinct constants of the subject's width ([`Op::Const`] nodes) and their statements.
        arms: Vec<(NodeId, Vec<Statement>)>,
        /// Statements where no arm matches.
        default: Vec<Statement>,
    },
}

/// A register, clocked by the rising edge of `clk`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The node of its current value.
    pub node: NodeId,
    /// Value after an edge with `rst` high; none: not reset, and undefined at power-up.
    pub reset: Option<Bits>,
}

/// What a read port returns for a row that is written at the same edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// The row's content before the write.
    ReadFirst,
    /// The row's content after the write, in the lanes that are written.
    WriteFirst,
    /// Undefined. The author promises not to use it; the native simulator returns noise. Most RAM macros and
    /// FPGA block RAMs behave like this at no cost.
    Undefined,
}

/// A memory. Writes are clocked, and so are reads unless the port has no enable. It is uninitialised at
/// power-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Unique within the module.
    pub name: String,
    /// The author's comment.
    pub doc: Option<String>,
    /// Number of rows, at least 2. A read of a row beyond them returns noise; a write has no effect.
    pub rows: u32,
    /// Width of a row in bits.
    pub width: u32,
    /// Number of equal lanes that can be written separately; divides the width.
    pub lanes: u32,
    /// Result of reading and writing a row at the same edge.
    pub collision: Collision,
    /// Write ports; if two write a row at the same edge, the later port wins.
    pub write_ports: Vec<WritePort>,
    /// Read ports.
    pub read_ports: Vec<ReadPort>,
}

impl Memory {
    /// Whether it becomes a RAM macro if memories of more than `limit` bits do. Macros have clocked reads, so
    /// a memory with other reads never becomes one.
    pub fn is_macro_above(&self, limit: u64) -> bool {
        let clocked = self.read_ports.iter().all(|port| port.enable.is_some());
        clocked && u64::from(self.rows) * u64::from(self.width) > limit
    }
}

/// Writes `data` at the edge if `enable` is high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritePort {
    /// One bit.
    pub enable: NodeId,
    /// `address_bits(rows)` bits.
    pub address: NodeId,
    /// As wide as a row.
    pub data: NodeId,
    /// One bit per lane; none: all lanes are written.
    pub lanes: Option<NodeId>,
}

/// Loads the row at `address` into `data` at the edge if `enable` is high, else keeps `data`; or, without an
/// enable, `data` is always the row at `address`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPort {
    /// One bit; none: the read is not clocked.
    pub enable: Option<NodeId>,
    /// `address_bits(rows)` bits.
    pub address: NodeId,
    /// The [`Op::ReadData`] node.
    pub data: NodeId,
}

/// A module within the module. `clk` and `rst` are connected to the parent's.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Unique within the module.
    pub name: String,
    /// The author's comment.
    pub doc: Option<String>,
    /// The instantiated module.
    pub module: Module,
    /// One value for each input of `module`, in its order.
    pub inputs: Vec<NodeId>,
    /// One [`Op::InstanceOutput`] node for each output of `module`, in its order.
    pub outputs: Vec<NodeId>,
}

/// The kind of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Must be one at every clock edge without reset.
    Assert,
    /// The environment keeps it one at every clock edge without reset.
    Assume,
    /// Should be one at some clock edge without reset.
    Cover,
}

/// A property, checked at every rising edge of `clk` with `rst` low.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Kind.
    pub kind: CheckKind,
    /// Unique within the module.
    pub name: String,
    /// Description for the reader of a failure.
    pub doc: String,
    /// One bit.
    pub condition: NodeId,
}

/// A port other than `clk` and `rst`, which every module has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// An [`Op::Input`] node; the port has the node's name.
    Input(NodeId),
    /// A named node, which becomes an output of that name.
    Output(NodeId),
}

/// A finished module. Cheap to clone.
pub type Module = Arc<ModuleData>;

/// The content of a finished module.
#[derive(Clone, Debug)]
pub struct ModuleData {
    /// Verilog name.
    pub name: String,
    /// Header comment, line by line.
    pub doc: Vec<String>,
    /// All expressions.
    pub nodes: Vec<Node>,
    /// Ports in the author's order.
    pub ports: Vec<Port>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Instances.
    pub instances: Vec<Instance>,
    /// Properties.
    pub checks: Vec<Check>,
    /// The statements that assign wires and registers, in order.
    pub statements: Vec<Statement>,
}

impl ModuleData {
    /// The node with that number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The input nodes in port order.
    pub fn inputs(&self) -> impl Iterator<Item = NodeId> {
        self.ports.iter().filter_map(|p| match p {
            Port::Input(node) => Some(*node),
            Port::Output(_) => None,
        })
    }

    /// The output nodes in port order.
    pub fn outputs(&self) -> impl Iterator<Item = NodeId> {
        self.ports.iter().filter_map(|p| match p {
            Port::Output(node) => Some(*node),
            Port::Input(_) => None,
        })
    }

    /// The name of a port's node.
    pub fn port_name(&self, node: NodeId) -> &str {
        self.node(node).name.as_deref().expect("a port has a name")
    }

    /// The layout of the ports in the simulators' images: `rst` first, then the inputs.
    pub fn port_layout(&self) -> PortLayout {
        let mut layout = PortLayout::default();
        layout.push_input("rst", 1);
        for port in self.inputs() {
            layout.push_input(self.port_name(port), self.node(port).width);
        }
        for port in self.outputs() {
            layout.push_output(self.port_name(port), self.node(port).width);
        }
        layout
    }
}

/// Bits to number `count` items, at least 1.
pub const fn address_bits(count: u32) -> u32 {
    if count <= 2 { 1 } else { (count - 1).ilog2() + 1 }
}
