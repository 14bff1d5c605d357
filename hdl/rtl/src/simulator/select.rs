//! Selects the instruction for a net, together with the operands it can absorb.

use super::compile::Compiler;
use super::instruction::{ListEntry, Opcode};
use super::wide::{WideKind, top_mask};
use crate::ir::{BinaryOp, UnaryOp};
use crate::netlist::{NetId, NetOp};

fn two_slots(c: u32, d: u32) -> u64 {
    u64::from(c) | u64::from(d) << 32
}

impl Compiler<'_> {
    /// Adds the instruction that computes the net.
    pub fn select(&mut self, id: NetId) {
        let netlist = self.netlist;
        let net = netlist.net(id);
        let dst = self.slot(id);
        let mut narrow = net.width <= 64;
        net.op.for_operands(|operand| narrow &= self.width(operand) <= 64);
        match &net.op {
            NetOp::Slice { from, low } if net.width <= 64 => {
                self.slice(dst, *from, *low, net.width);
            }
            NetOp::Unary(UnaryOp::ReduceXor, a) if !narrow => {
                let first = self.code.entries.len() as u32;
                let parity = self.parity_below(*a);
                self.push_parity(parity, 0);
                let count = self.code.entries.len() as u32 - first;
                self.push(Opcode::ParityConcat, 0, dst, first, count, 0);
            }
            op if !narrow => self.wide(dst, op, net.width),
            NetOp::Unary(op, a) => self.unary(dst, *op, *a),
            NetOp::Binary(op, a, b) => self.binary(dst, id, *op, *a, *b),
            NetOp::Mux { condition, on_true, on_false } => {
                self.mux(dst, *condition, *on_true, *on_false);
            }
            NetOp::Select { subject, choices } => {
                let subject = self.slot(*subject);
                let first = self.code.tables.len() as u32;
                for choice in choices {
                    let slot = self.slot(*choice);
                    self.code.tables.push(slot);
                }
                self.push(Opcode::Select, 0, dst, subject, first, choices.len() as u64 - 1);
            }
            NetOp::Concat(parts) => self.concat(dst, parts),
            NetOp::Row { memory, address } => {
                let (first, rows) = self.rows_of(*memory);
                let address = self.slot(*address);
                self.push(Opcode::Row, 0, dst, address, first, u64::from(rows) - 1);
            }
            _ => unreachable!("only computed nets are selected"),
        }
    }

    fn slice(&mut self, dst: u32, from: NetId, low: u32, width: u32) {
        let slot = self.slot(from) + low / 64;
        let across = low % 64 + width > 64;
        let op = if across { Opcode::SliceAcross } else { Opcode::Slice };
        self.push(op, low % 64, dst, slot, 0, top_mask(width));
    }

    fn unary(&mut self, dst: u32, op: UnaryOp, a: NetId) {
        let mask = top_mask(self.width(a));
        if op == UnaryOp::Not {
            let a = self.slot(a);
            return self.push(Opcode::Not, 0, dst, a, 0, mask);
        }
        let and_mask = op != UnaryOp::ReduceAnd;
        let (from, mask) = self.absorb_mask(a, mask, and_mask);
        let from = self.slot(from);
        let op = match op {
            UnaryOp::ReduceAnd => Opcode::AllOf,
            UnaryOp::ReduceOr => Opcode::AnyOf,
            _ => Opcode::ParityOf,
        };
        self.push(op, 0, dst, from, 0, mask);
    }

    fn binary(&mut self, dst: u32, id: NetId, op: BinaryOp, a: NetId, b: NetId) {
        use BinaryOp::*;
        let width = self.width(a);
        let mask = top_mask(width);
        let extend = 64 - width;
        let opcode = match op {
            And | Or | Xor => return self.bitwise(dst, id, op),
            Eq | Ne => return self.equality(dst, op, a, b),
            ShiftLeft | ShiftRight if self.constant(b).is_some() => {
                let by = self.constant(b).filter(|&by| by < u64::from(width));
                // A shift by the width or more gives zero.
                let (by, mask) = by.map_or((0, 0), |by| (by as u32, mask));
                let opcode = if op == ShiftLeft { Opcode::ShiftLeftBy } else { Opcode::Slice };
                let a = self.slot(a);
                return self.push(opcode, by, dst, a, 0, mask);
            }
            Add => Opcode::Add,
            Sub => Opcode::Sub,
            Mul => Opcode::Mul,
            Lt => Opcode::Lt,
            Le => Opcode::Le,
            LtSigned => Opcode::LtSigned,
            LeSigned => Opcode::LeSigned,
            ShiftLeft => Opcode::ShiftLeft,
            ShiftRight => Opcode::ShiftRight,
            ShiftRightSigned => Opcode::ShiftRightSigned,
        };
        let (a, b) = (self.slot(a), self.slot(b));
        self.push(opcode, extend, dst, a, b, mask);
    }

    fn equality(&mut self, dst: u32, op: BinaryOp, a: NetId, b: NetId) {
        let equal = op == BinaryOp::Eq;
        for (sliced, other) in [(a, b), (b, a)] {
            if let Some((from, low)) = self.narrow_slice(sliced) {
                self.absorb(sliced);
                let mask = top_mask(self.width(sliced));
                let (from, other) = (self.slot(from), self.slot(other));
                let op = if equal { Opcode::SliceEq } else { Opcode::SliceNe };
                return self.push(op, low, dst, from, other, mask);
            }
        }
        let (a, b) = (self.slot(a), self.slot(b));
        self.push(if equal { Opcode::Eq } else { Opcode::Ne }, 0, dst, a, b, 0);
    }

    fn mux(&mut self, dst: u32, condition: NetId, on_true: NetId, on_false: NetId) {
        let (t, f) = (self.slot(on_true), self.slot(on_false));
        if let NetOp::Binary(op, a, b) = *self.op(condition) {
            let fused = match op {
                BinaryOp::Eq => Some(Opcode::MuxEq),
                BinaryOp::Ne => Some(Opcode::MuxNe),
                BinaryOp::Lt => Some(Opcode::MuxLt),
                BinaryOp::Le => Some(Opcode::MuxLe),
                _ => None,
            };
            if let Some(fused) = fused
                && self.is_private(condition)
                && self.width(a) <= 64
            {
                self.absorb(condition);
                let (a, b) = (self.slot(a), self.slot(b));
                return self.push(fused, 0, dst, a, b, two_slots(t, f));
            }
        }
        if let Some((from, bit)) = self.narrow_slice(condition) {
            self.absorb(condition);
            let from = self.slot(from);
            return self.push(Opcode::MuxBit, bit, dst, t, f, from.into());
        }
        let condition = self.slot(condition);
        self.push(Opcode::Mux, 0, dst, t, f, condition.into());
    }

    fn concat(&mut self, dst: u32, parts: &[NetId]) {
        let first = self.code.entries.len() as u32;
        let mut left = 0;
        let placed: Vec<(NetId, u8)> = parts
            .iter()
            .rev()
            .map(|&part| {
                let at = left as u8;
                left += self.width(part);
                (part, at)
            })
            .filter(|(part, _)| self.constant(*part) != Some(0))
            .collect();
        let parities: Option<Vec<_>> =
            placed.iter().map(|(p, _)| self.private_parity(*p)).collect();
        if let Some(parities) = parities.filter(|p| p.len() > 1) {
            for ((part, left), parity) in placed.into_iter().zip(parities) {
                self.absorb(part);
                self.push_parity(parity, left);
            }
            let count = self.code.entries.len() as u32 - first;
            return self.push(Opcode::ParityConcat, 0, dst, first, count, 0);
        }
        if let [(low, 0), (high, shift)] = placed[..]
            && [low, high].iter().all(|part| self.narrow_slice(*part).is_none())
        {
            let (high, low) = (self.slot(high), self.slot(low));
            return self.push(Opcode::Pair, shift.into(), dst, high, low, 0);
        }
        if let [(only, 0)] = placed[..] {
            let only = self.slot(only);
            return self.push(Opcode::Move, 0, dst, only, 0, 0);
        }
        for (part, left) in placed {
            let mask = top_mask(self.width(part));
            let (from, low) = match self.narrow_slice(part) {
                Some((from, low)) if self.is_private(part) => {
                    self.absorb(part);
                    (from, low)
                }
                _ => (part, 0),
            };
            let slot = self.slot(from);
            self.code.entries.push(ListEntry { slot, right: low as u8, left, mask });
        }
        let count = self.code.entries.len() as u32 - first;
        self.push(Opcode::Concat, 0, dst, first, count, 0);
    }

    fn wide(&mut self, dst: u32, op: &NetOp, width: u32) {
        let kind = match op {
            NetOp::Unary(op, a) => WideKind::Unary(*op, self.place(*a)),
            NetOp::Binary(op, a, b) => WideKind::Binary(*op, self.place(*a), self.place(*b)),
            NetOp::Mux { condition, on_true, on_false } => WideKind::Mux {
                condition: self.slot(*condition),
                on_true: self.place(*on_true),
                on_false: self.place(*on_false),
            },
            NetOp::Select { subject, choices } => WideKind::Select {
                subject: self.slot(*subject),
                choices: choices.iter().map(|c| self.place(*c)).collect(),
            },
            NetOp::Slice { from, low } => WideKind::Slice { from: self.place(*from), low: *low },
            NetOp::Concat(parts) => {
                WideKind::Concat(parts.iter().rev().map(|p| self.place(*p)).collect())
            }
            NetOp::Row { memory, address } => {
                let (first, rows) = self.rows_of(*memory);
                WideKind::Row { address: self.slot(*address), first, rows }
            }
            _ => unreachable!("only computed nets are selected"),
        };
        self.push_wide(kind, width, dst);
    }

    pub(super) fn constant(&self, id: NetId) -> Option<u64> {
        match self.op(id) {
            NetOp::Const(value) => value.to_u64(),
            _ => None,
        }
    }
}
