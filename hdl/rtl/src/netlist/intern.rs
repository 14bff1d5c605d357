//! Hash-consing of nets: each distinct value once, in the order of first use.

use std::collections::HashMap;

use super::{Net, NetId, NetOp};
use crate::bits::Bits;

/// The nets so far. Operands always precede users.
#[derive(Default)]
pub(super) struct Nets {
    pub nets: Vec<Net>,
    known: HashMap<(NetOp, u32), NetId>,
    /// The cone of new nets.
    pub cone: u32,
}

impl Nets {
    /// The net of that value, created if necessary.
    pub fn intern(&mut self, op: NetOp, width: u32) -> NetId {
        let next = NetId(self.nets.len() as u32);
        *self.known.entry((op, width)).or_insert_with_key(|(op, _)| {
            self.nets.push(Net { op: op.clone(), width, cone: self.cone });
            next
        })
    }

    pub fn constant(&mut self, value: Bits) -> NetId {
        let width = value.width();
        self.intern(NetOp::Const(value), width)
    }

    pub fn op(&self, id: NetId) -> &NetOp {
        &self.nets[id.index()].op
    }

    pub fn width(&self, id: NetId) -> u32 {
        self.nets[id.index()].width
    }

    pub fn as_constant(&self, id: NetId) -> Option<&Bits> {
        match self.op(id) {
            NetOp::Const(value) => Some(value),
            _ => None,
        }
    }

    pub fn is_zero(&self, id: NetId) -> bool {
        self.as_constant(id).is_some_and(Bits::is_zero)
    }

    pub fn is_ones(&self, id: NetId) -> bool {
        self.as_constant(id).is_some_and(Bits::is_ones)
    }
}
