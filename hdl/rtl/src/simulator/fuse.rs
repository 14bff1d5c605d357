//! Operands that an instruction can absorb: slices, masks, parities, trees of one operator.

use super::compile::{Compiler, clean_words};
use super::instruction::{ListEntry, Opcode};
use super::wide::top_mask;
use crate::bits::Bits;
use crate::ir::{BinaryOp, UnaryOp};
use crate::netlist::{NetId, NetOp};
use crate::ports::words;

/// The parity of some bits of a value.
pub(super) struct Parity {
    from: NetId,
    /// The bits, for each word of the value.
    masks: Vec<u64>,
    /// The nets between the value and its parity, which are absorbed.
    inner: Vec<NetId>,
}

impl Compiler<'_> {
    /// The operand and lowest bit of a slice of one word.
    pub fn narrow_slice(&self, id: NetId) -> Option<(NetId, u32)> {
        match *self.op(id) {
            NetOp::Slice { from, low } if self.width(from) <= 64 => Some((from, low)),
            _ => None,
        }
    }

    /// Bits `mask` of `id` as bits of the net that `id` is sliced from. Looks through ands with constants if
    /// `through_and` is set.
    pub fn absorb_mask(&mut self, id: NetId, mask: u64, through_and: bool) -> (NetId, u64) {
        let (from, mask, inner) = self.look_through(id, mask, through_and);
        inner.into_iter().for_each(|net| self.absorb(net));
        (from, mask)
    }

    /// The same without absorbing; the nets to absorb are the last result.
    fn look_through(&self, id: NetId, mask: u64, and: bool) -> (NetId, u64, Vec<NetId>) {
        let (mut id, mut mask, mut inner) = (id, mask, Vec::new());
        loop {
            if let Some((from, low)) = self.narrow_slice(id) {
                inner.push(id);
                (id, mask) = (from, mask << low);
                continue;
            }
            match *self.op(id) {
                NetOp::Binary(BinaryOp::And, a, b) if and && self.is_private(id) => {
                    let Some(constant) = self.constant(b) else { break };
                    inner.push(id);
                    (id, mask) = (a, mask & constant);
                }
                _ => break,
            }
        }
        (id, mask, inner)
    }

    /// The net as a parity, if it is a one-bit parity of bits of one value with a single use.
    pub fn private_parity(&self, id: NetId) -> Option<Parity> {
        if self.width(id) != 1 || !self.is_private(id) {
            return None;
        }
        match *self.op(id) {
            NetOp::Unary(UnaryOp::ReduceXor, a) => Some(self.parity_below(a)),
            NetOp::Binary(BinaryOp::Xor, ..) => self.parity_tree(id),
            _ => None,
        }
    }

    /// The parity of all bits of the net, or of the net it is part of.
    pub fn parity_below(&self, id: NetId) -> Parity {
        let width = self.width(id);
        if width <= 64 {
            let (from, mask, inner) = self.look_through(id, top_mask(width), true);
            return Parity { from, masks: vec![mask], inner };
        }
        if let NetOp::Binary(BinaryOp::And, from, constant) = *self.op(id)
            && self.is_private(id)
            && let NetOp::Const(constant) = self.op(constant)
        {
            return Parity { from, masks: clean_words(constant), inner: vec![id] };
        }
        let masks = clean_words(&Bits::from_words(width, &vec![u64::MAX; words(width)]));
        Parity { from: id, masks, inner: Vec::new() }
    }

    /// An exclusive or of bits of one word.
    fn parity_tree(&self, id: NetId) -> Option<Parity> {
        let (leaves, mut inner) = self.tree(id, BinaryOp::Xor);
        let bits: Option<Vec<_>> = leaves.iter().map(|leaf| self.narrow_slice(*leaf)).collect();
        let bits = bits?;
        let from = bits[0].0;
        if self.width(id) != 1 || bits.iter().any(|(other, _)| *other != from) {
            return None;
        }
        inner.extend(leaves);
        let mask = bits.iter().fold(0, |mask, (_, bit)| mask ^ (1 << bit));
        Some(Parity { from, masks: vec![mask], inner })
    }

    /// Absorbs a parity: adds its words as entries that give bit `left`.
    pub fn push_parity(&mut self, parity: Parity, left: u8) {
        parity.inner.into_iter().for_each(|net| self.absorb(net));
        let first = self.slot(parity.from);
        for (slot, mask) in (first..).zip(parity.masks).filter(|(_, mask)| *mask != 0) {
            self.code.entries.push(ListEntry { slot, right: 0, left, mask });
        }
    }

    /// The leaves of a tree of one operator, and its inner nets without the root.
    fn tree(&self, root: NetId, op: BinaryOp) -> (Vec<NetId>, Vec<NetId>) {
        let (mut leaves, mut inner, mut open) = (Vec::new(), Vec::new(), vec![root]);
        while let Some(id) = open.pop() {
            match *self.op(id) {
                NetOp::Binary(o, a, b) if o == op && (id == root || self.is_private(id)) => {
                    if id != root {
                        inner.push(id);
                    }
                    open.extend([b, a]);
                }
                _ => leaves.push(id),
            }
        }
        (leaves, inner)
    }

    /// A conjunction, disjunction or exclusive or with all operators of its kind below it.
    pub fn bitwise(&mut self, dst: u32, id: NetId, op: BinaryOp) {
        if op == BinaryOp::Xor
            && let Some(parity) = self.parity_tree(id)
        {
            parity.inner.into_iter().for_each(|net| self.absorb(net));
            let from = self.slot(parity.from);
            return self.push(Opcode::ParityOf, 0, dst, from, 0, parity.masks[0]);
        }
        let (leaves, inner) = self.tree(id, op);
        inner.into_iter().for_each(|net| self.absorb(net));
        let inverted = |this: &Self, leaf: NetId| match *this.op(leaf) {
            NetOp::Unary(UnaryOp::Not, a) => Some(a),
            _ => None,
        };
        let (two, three, list) = match op {
            BinaryOp::And => (Opcode::And, Opcode::And3, Opcode::AndList),
            BinaryOp::Or => (Opcode::Or, Opcode::Or3, Opcode::OrList),
            _ => (Opcode::Xor, Opcode::Xor3, Opcode::XorList),
        };
        let all = top_mask(self.width(id));
        if let [a, b] = leaves[..] {
            let complement = match op {
                BinaryOp::And => Some(Opcode::AndNot),
                BinaryOp::Or => Some(Opcode::OrNot),
                _ => None,
            };
            for (plain, other) in [(a, b), (b, a)] {
                if let (Some(opcode), Some(of)) = (complement, inverted(self, other)) {
                    self.absorb(other);
                    let (plain, of) = (self.slot(plain), self.slot(of));
                    return self.push(opcode, 0, dst, plain, of, all);
                }
            }
            let (a, b) = (self.slot(a), self.slot(b));
            return self.push(two, 0, dst, a, b, 0);
        }
        if let [a, b, c] = leaves[..]
            && leaves.iter().all(|leaf| inverted(self, *leaf).is_none())
        {
            let [a, b, c] = [a, b, c].map(|leaf| self.slot(leaf));
            return self.push(three, 0, dst, a, b, c.into());
        }
        let first = self.code.entries.len() as u32;
        for leaf in &leaves {
            let (from, mask) = match inverted(self, *leaf) {
                Some(from) => {
                    self.absorb(*leaf);
                    (from, all)
                }
                None => (*leaf, 0),
            };
            let slot = self.slot(from);
            self.code.entries.push(ListEntry { slot, right: 0, left: 0, mask });
        }
        self.push(list, 0, dst, first, leaves.len() as u32, 0);
    }
}
