//! Simplifies values while they are made: constants, identities, one-bit choices.
//!
//! It has only the rules that generated circuits need often. Each returns a net of the same value and width.

use super::intern::Nets;
use super::{NetId, NetOp};
use crate::bits::Bits;
use crate::ir::{BinaryOp, UnaryOp};
use crate::semantics;

impl Nets {
    /// The net of that value, in its simplest known form.
    pub fn make(&mut self, op: NetOp, width: u32) -> NetId {
        if let Some(value) = self.fold(&op, width) {
            return self.constant(value);
        }
        match op {
            NetOp::Unary(op, a) => self.make_unary(op, a, width),
            NetOp::Binary(op, a, b) => self.make_binary(op, a, b, width),
            NetOp::Mux { condition, on_true, on_false } => {
                self.make_mux(condition, on_true, on_false, width)
            }
            NetOp::Slice { from, low } => self.make_slice(from, low, width),
            NetOp::Concat(parts) if parts.len() == 1 => parts[0],
            NetOp::Select { subject, choices } => self.make_select(subject, choices, width),
            other => self.intern(other, width),
        }
    }

    /// The value of an operator on constants.
    fn fold(&self, op: &NetOp, width: u32) -> Option<Bits> {
        let value = |id: &NetId| self.as_constant(*id);
        Some(match op {
            NetOp::Unary(op, a) => semantics::unary(*op, value(a)?),
            NetOp::Binary(op, a, b) => semantics::binary(*op, value(a)?, value(b)?),
            NetOp::Slice { from, low } => semantics::slice(value(from)?, *low, width),
            NetOp::Concat(parts) => {
                let parts: Option<Vec<&Bits>> = parts.iter().map(value).collect();
                semantics::concat(&parts?)
            }
            _ => return None,
        })
    }

    fn make_unary(&mut self, op: UnaryOp, a: NetId, width: u32) -> NetId {
        match (op, self.op(a)) {
            (UnaryOp::Not, NetOp::Unary(UnaryOp::Not, inner)) => *inner,
            (UnaryOp::Not, _) => self.intern(NetOp::Unary(op, a), width),
            _ if self.width(a) == 1 => a,
            _ => self.intern(NetOp::Unary(op, a), width),
        }
    }

    fn make_binary(&mut self, op: BinaryOp, a: NetId, b: NetId, width: u32) -> NetId {
        use BinaryOp::{Add, And, Eq, Mul, Ne, Or, Xor};
        // Constants go to the right, where the rules expect them.
        let commutes = matches!(op, And | Or | Xor | Add | Mul | Eq | Ne);
        let swap = commutes && self.as_constant(a).is_some();
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let (zero, ones) = (self.is_zero(b), self.is_ones(b));
        let one_bit = self.width(a) == 1;
        match op {
            And | Or if a == b => a,
            And if ones => a,
            And if zero => b,
            Or if zero => a,
            Or if ones => b,
            Xor | Add if zero => a,
            BinaryOp::Sub if zero => a,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightSigned if zero => a,
            Xor if ones => self.make_unary(UnaryOp::Not, a, width),
            Eq if one_bit && ones => a,
            Ne if one_bit && zero => a,
            Eq if one_bit && zero => self.make_unary(UnaryOp::Not, a, width),
            Ne if one_bit && ones => self.make_unary(UnaryOp::Not, a, width),
            _ => self.intern(NetOp::Binary(op, a, b), width),
        }
    }

    fn make_mux(&mut self, c: NetId, on_true: NetId, on_false: NetId, width: u32) -> NetId {
        if let NetOp::Unary(UnaryOp::Not, inner) = *self.op(c) {
            return self.make_mux(inner, on_false, on_true, width);
        }
        if on_true == on_false || self.is_ones(c) {
            return on_true;
        }
        if self.is_zero(c) {
            return on_false;
        }
        if width == 1 {
            let invert = |nets: &mut Self| nets.make_unary(UnaryOp::Not, c, 1);
            if self.is_ones(on_true) || c == on_true {
                return self.make_binary(BinaryOp::Or, c, on_false, 1);
            }
            if self.is_zero(on_false) || c == on_false {
                return self.make_binary(BinaryOp::And, c, on_true, 1);
            }
            if self.is_zero(on_true) {
                let not = invert(self);
                return self.make_binary(BinaryOp::And, on_false, not, 1);
            }
            if self.is_ones(on_false) {
                let not = invert(self);
                return self.make_binary(BinaryOp::Or, on_true, not, 1);
            }
        }
        self.intern(NetOp::Mux { condition: c, on_true, on_false }, width)
    }

    fn make_slice(&mut self, from: NetId, low: u32, width: u32) -> NetId {
        if self.width(from) == width {
            return from;
        }
        match self.op(from) {
            NetOp::Slice { from: inner, low: inner_low } => {
                let (inner, inner_low) = (*inner, *inner_low);
                self.make_slice(inner, inner_low + low, width)
            }
            NetOp::Concat(parts) => {
                // A slice that lies within one part is a slice of that part.
                let mut start = 0;
                for &part in parts.iter().rev() {
                    let end = start + self.width(part);
                    if low >= start && low + width <= end {
                        return match self.as_constant(part) {
                            Some(value) => {
                                let value = semantics::slice(value, low - start, width);
                                self.constant(value)
                            }
                            None => self.make_slice(part, low - start, width),
                        };
                    }
                    start = end;
                }
                self.intern(NetOp::Slice { from, low }, width)
            }
            _ => self.intern(NetOp::Slice { from, low }, width),
        }
    }

    fn make_select(&mut self, subject: NetId, choices: Vec<NetId>, width: u32) -> NetId {
        let last = choices.len() - 1;
        if let Some(value) = self.as_constant(subject) {
            let index = value.to_u64().map_or(last, |v| v.min(last as u64) as usize);
            return choices[index];
        }
        if choices.iter().all(|c| *c == choices[0]) {
            return choices[0];
        }
        if self.width(subject) == 1 && choices.len() == 2 {
            return self.make_mux(subject, choices[1], choices[0], width);
        }
        self.intern(NetOp::Select { subject, choices }, width)
    }
}
