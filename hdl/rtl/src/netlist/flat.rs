//! The flat graph: unordered nodes of all modules, with aliases.

use super::{Check, Memory, NetId, NetOp, Register, SignalKind};
use crate::ports::PortLayout;

/// A node of the flat graph.
#[derive(Clone, Debug)]
pub(super) enum FlatOp {
    /// An alias of another node.
    Alias(NetId),
    /// A value of its own.
    Net(NetOp),
}

pub(super) struct FlatNode {
    pub op: FlatOp,
    pub width: u32,
    pub name: Option<String>,
}

/// One module within the hierarchy: what belongs to it, so that its cones stay together.
pub(super) struct Scope {
    pub signals: Vec<(SignalKind, NetId)>,
    pub registers: std::ops::Range<usize>,
    pub memories: std::ops::Range<usize>,
    pub checks: std::ops::Range<usize>,
}

/// The flat graph. Ids are indices in `nodes`.
pub(super) struct Flat {
    pub name: String,
    pub layout: PortLayout,
    pub nodes: Vec<FlatNode>,
    pub outputs: Vec<NetId>,
    pub registers: Vec<Register>,
    pub memories: Vec<Memory>,
    pub checks: Vec<Check>,
    pub scopes: Vec<Scope>,
}

impl Flat {
    pub fn push(&mut self, op: FlatOp, width: u32, name: Option<String>) -> NetId {
        let id = NetId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(FlatNode { op, width, name });
        id
    }
}
