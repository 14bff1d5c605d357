//! What a finished module is: plain data, made by the builder, read by the Verilog writer and the
//! netlist.
//!
//! Every expression is a node with a width of its own. A node's operands were made before it, so a
//! node's number is larger than its operands'; only a [`Op::Wire`] and a [`Op::Register`] take their
//! values from statements, which may name any node.

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
    /// One bit: are all bits one.
    ReduceAnd,
    /// One bit: is any bit one.
    ReduceOr,
    /// One bit: is the number of ones odd.
    ReduceXor,
}

/// Operators on two operands. But for shifts, both operands are equally wide.
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
    /// A combinational value given by the module's statements, on every path.
    Wire,
    /// The present value of the register of that index; its next value is given by the statements
    /// and is the present one on paths that assign nothing.
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
    /// As many bits of `from`, starting at `low`, as the node is wide.
    Slice {
        /// The operand.
        from: NodeId,
        /// Index of the lowest bit taken.
        low: u32,
    },
    /// The operands side by side, the first the most significant.
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
    /// Gives a wire, or the next value of a register, a value of the same width.
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

/// A register on the rising edge of `clk`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The node that is its present value.
    pub node: NodeId,
    /// Value taken at an edge with `rst` high; none: `rst` does not touch it and it starts undefined.
    pub reset: Option<Bits>,
}

/// What a read port returns for a row that is written at the same edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// The row's content before the write.
    ReadFirst,
    /// The row's content after the write, in the lanes that are written.
    WriteFirst,
    /// Anything. The author promises not to use it; the native simulator returns noise. It is what
    /// most RAM macros and FPGA block RAMs give for nothing.
    Undefined,
}

/// A memory. Writes take a clock, and reads but for those of ports that say otherwise. Its content
/// at power-up is undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Unique within the module.
    pub name: String,
    /// The author's comment.
    pub doc: Option<String>,
    /// Number of rows, at least 2. Reading at or above it gives noise, writing there does nothing.
    pub rows: u32,
    /// Width of a row in bits.
    pub width: u32,
    /// Number of equal lanes that can be written separately; divides the width.
    pub lanes: u32,
    /// Read and write of one row at one edge.
    pub collision: Collision,
    /// Write ports; where two write one row at one edge, the later wins.
    pub write_ports: Vec<WritePort>,
    /// Read ports.
    pub read_ports: Vec<ReadPort>,
}

impl Memory {
    /// Whether it becomes a RAM macro where those of more bits than `limit` do. A macro reads with
    /// the clock, so that a memory that is read without one never does.
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
    /// One bit a lane, or none: all lanes are written.
    pub lanes: Option<NodeId>,
}

/// Takes the row at `address` into `data` at the edge if `enable` is high, else holds `data`; or,
/// without a clock, `data` is always the row at `address`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPort {
    /// One bit; none: the port reads without a clock.
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
    /// What is instantiated.
    pub module: Module,
    /// One value for each input of `module`, in its order.
    pub inputs: Vec<NodeId>,
    /// One [`Op::InstanceOutput`] node for each output of `module`, in its order.
    pub outputs: Vec<NodeId>,
}

/// What a check means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Must be one at every clock edge without reset.
    Assert,
    /// The environment keeps it one at every clock edge without reset.
    Assume,
    /// Should be one at some clock edge without reset.
    Cover,
}

/// A property, looked at on every rising edge of `clk` where `rst` is low.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Kind.
    pub kind: CheckKind,
    /// Unique within the module.
    pub name: String,
    /// What it says, for the reader of a failure.
    pub doc: String,
    /// One bit.
    pub condition: NodeId,
}

/// A port but for `clk` and `rst`, which every module has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// An [`Op::Input`] node; the port has the node's name.
    Input(NodeId),
    /// A named node that leaves the module under its name.
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
    /// What drives wires and registers, in order.
    pub statements: Vec<Statement>,
}

impl ModuleData {
    /// The node of that number.
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

    /// How the ports lie in the images that simulators exchange: `rst` first, then the inputs.
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

/// Bits that number `count` things: at least 1, so that one thing still has a number.
pub const fn address_bits(count: u32) -> u32 {
    if count <= 2 { 1 } else { (count - 1).ilog2() + 1 }
}
