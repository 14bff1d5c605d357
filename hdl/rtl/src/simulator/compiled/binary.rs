//! Operators of two operands.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::lower::Lower;
use crate::ir::{BinaryOp, UnaryOp};
use crate::netlist::{NetId, NetOp};

impl Lower<'_> {
    pub fn binary(&mut self, op: BinaryOp, a: NetId, b: NetId) -> Vec<Value> {
        let width = self.width(a);
        if width > 64 {
            return self.wide_binary(op, a, b);
        }
        let shift = self.shift(op, a, b);
        if let Some(shifted) = shift {
            return vec![shifted];
        }
        if let (BinaryOp::And, NetOp::Unary(UnaryOp::Not, inner)) = (op, self.op(b)) {
            let (a, b) = (self.word(a), self.word(*inner));
            return vec![self.b.ins().band_not(a, b)];
        }
        let (x, y) = (self.word(a), self.word(b));
        if let Some(code) = comparison(op) {
            return vec![self.compare(code, x, y)];
        }
        let raw = match op {
            BinaryOp::And => return vec![self.b.ins().band(x, y)],
            BinaryOp::Or => return vec![self.b.ins().bor(x, y)],
            BinaryOp::Xor => return vec![self.b.ins().bxor(x, y)],
            BinaryOp::Add => self.b.ins().iadd(x, y),
            BinaryOp::Sub => self.b.ins().isub(x, y),
            BinaryOp::Mul => self.b.ins().imul(x, y),
            _ => {
                let signed = [x, y].map(|v| self.b.ins().ishl_imm(v, i64::from(64 - width)));
                let code = match op {
                    BinaryOp::LtSigned => IntCC::SignedLessThan,
                    _ => IntCC::SignedLessThanOrEqual,
                };
                return vec![self.compare(code, signed[0], signed[1])];
            }
        };
        vec![self.masked(raw, width)]
    }

    /// A shift of at most 64 bits.
    fn shift(&mut self, op: BinaryOp, a: NetId, by: NetId) -> Option<Value> {
        use BinaryOp::{ShiftLeft, ShiftRight, ShiftRightSigned};
        if !matches!(op, ShiftLeft | ShiftRight | ShiftRightSigned) {
            return None;
        }
        let width = self.width(a);
        let x = self.word(a);
        let by = self.distance(by);
        Some(if op == ShiftRightSigned {
            let top = i64::from(64 - width);
            let last = self.constant(63);
            let by = self.b.ins().umin(by, last);
            let high = self.b.ins().ishl_imm(x, top);
            let extended = self.b.ins().sshr_imm(high, top);
            let shifted = self.b.ins().sshr(extended, by);
            self.masked(shifted, width)
        } else {
            let shifted =
                if op == ShiftLeft { self.b.ins().ishl(x, by) } else { self.b.ins().ushr(x, by) };
            let zero = self.constant(0);
            let inside = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, by, 64);
            let kept = self.b.ins().select(inside, shifted, zero);
            self.masked(kept, width)
        })
    }

    fn wide_binary(&mut self, op: BinaryOp, a: NetId, b: NetId) -> Vec<Value> {
        use BinaryOp::*;
        let width = self.width(a);
        let x = self.value(a);
        if matches!(op, ShiftLeft | ShiftRight | ShiftRightSigned) {
            let by = self.distance(b);
            return self.wide_shift(op, &x, by, width);
        }
        let y = self.value(b);
        let pairs = x.iter().copied().zip(y.iter().copied());
        let mut result: Vec<Value> = match op {
            And => pairs.map(|(x, y)| self.b.ins().band(x, y)).collect(),
            Or => pairs.map(|(x, y)| self.b.ins().bor(x, y)).collect(),
            Xor => pairs.map(|(x, y)| self.b.ins().bxor(x, y)).collect(),
            Add => self.sum(&x, &y),
            Sub => self.difference(&x, &y).0,
            Mul => self.product(&x, &y),
            Eq | Ne => {
                let differences: Vec<_> = pairs.map(|(x, y)| self.b.ins().bxor(x, y)).collect();
                let any = self.any_of(&differences);
                let zero = self.constant(0);
                let code = if op == Eq { IntCC::Equal } else { IntCC::NotEqual };
                return vec![self.compare(code, any, zero)];
            }
            Lt => return vec![self.difference(&x, &y).1],
            Le => return vec![self.not_less(&y, &x)],
            _ => {
                // The sign bit counts in reverse.
                let flip = |this: &mut Self, mut value: Vec<Value>| {
                    let top = value.last_mut().expect("a value has words");
                    *top = this.b.ins().bxor_imm(*top, 1i64 << ((width - 1) % 64));
                    value
                };
                let (x, y) = (flip(self, x), flip(self, y));
                let less = op == LtSigned;
                return vec![if less { self.difference(&x, &y).1 } else { self.not_less(&y, &x) }];
            }
        };
        if let Some(top) = result.last_mut() {
            *top = self.masked(*top, width);
        }
        result
    }

    /// The disjunction of some words.
    pub fn any_of(&mut self, values: &[Value]) -> Value {
        match values {
            [] => self.constant(0),
            [first, rest @ ..] => {
                rest.iter().fold(*first, |any, value| self.b.ins().bor(any, *value))
            }
        }
    }

    /// A shift distance of any width; 64 or more stands for all that are as large as a value can be.
    pub fn distance(&mut self, by: NetId) -> Value {
        let value = self.value(by);
        let high = self.any_of(&value[1..]);
        if value.len() == 1 {
            return value[0];
        }
        let largest = self.constant(u64::from(u32::MAX));
        self.b.ins().select(high, largest, value[0])
    }

    fn sum(&mut self, x: &[Value], y: &[Value]) -> Vec<Value> {
        let mut carry = self.constant(0);
        let add = |(&x, &y)| {
            let sum = self.b.ins().iadd(x, y);
            let over = self.compare(IntCC::UnsignedLessThan, sum, x);
            let all = self.b.ins().iadd(sum, carry);
            let over_again = self.compare(IntCC::UnsignedLessThan, all, sum);
            carry = self.b.ins().bor(over, over_again);
            all
        };
        x.iter().zip(y).map(add).collect()
    }

    /// x - y, and whether x is less than y.
    fn difference(&mut self, x: &[Value], y: &[Value]) -> (Vec<Value>, Value) {
        let mut borrow = self.constant(0);
        let subtract = |(&x, &y)| {
            let difference = self.b.ins().isub(x, y);
            let under = self.compare(IntCC::UnsignedLessThan, x, y);
            let all = self.b.ins().isub(difference, borrow);
            let under_again = self.compare(IntCC::UnsignedLessThan, difference, borrow);
            borrow = self.b.ins().bor(under, under_again);
            all
        };
        (x.iter().zip(y).map(subtract).collect(), borrow)
    }

    /// Whether x is not less than y.
    fn not_less(&mut self, x: &[Value], y: &[Value]) -> Value {
        let (_, less) = self.difference(x, y);
        self.b.ins().bxor_imm(less, 1)
    }

    fn product(&mut self, x: &[Value], y: &[Value]) -> Vec<Value> {
        let zero = self.constant(0);
        let mut sum = vec![zero; x.len()];
        for i in 0..x.len() {
            for j in 0..x.len() - i {
                let low = self.b.ins().imul(x[i], y[j]);
                let mut part = vec![zero; x.len()];
                part[i + j] = low;
                if i + j + 1 < x.len() {
                    part[i + j + 1] = self.b.ins().umulhi(x[i], y[j]);
                }
                sum = self.sum(&sum, &part);
            }
        }
        sum
    }

    fn wide_shift(&mut self, op: BinaryOp, x: &[Value], by: Value, width: u32) -> Vec<Value> {
        let zero = self.constant(0);
        let left = op == BinaryOp::ShiftLeft;
        let mut x = x.to_vec();
        let mut fill = zero;
        let top = x.len() - 1;
        if op == BinaryOp::ShiftRightSigned {
            // The top word with its sign extended, and the words that enter above it.
            let above = i64::from(63 - (width - 1) % 64);
            let high = self.b.ins().ishl_imm(x[top], above);
            x[top] = self.b.ins().sshr_imm(high, above);
            fill = self.b.ins().sshr_imm(high, 63);
        }
        let bits = self.b.ins().band_imm(by, 63);
        let rest = self.b.ins().bxor_imm(bits, 63);
        let moved = self.b.ins().ushr_imm(by, 6);
        let word = |i: i64| usize::try_from(i).ok().and_then(|i| x.get(i)).copied();
        let mut result = Vec::new();
        for i in 0..x.len() as i64 {
            // What the word is for each number of words moved; beyond the value all are the same.
            let mut chosen = fill;
            for words in (0..x.len() as i64).rev() {
                let at = if left { i - words } else { i + words };
                let Some(here) = word(at) else { continue };
                let next = word(if left { at - 1 } else { at + 1 }).unwrap_or(fill);
                // The neighbour's bits, shifted in two steps since a shift by 64 does nothing.
                let shifted = if left {
                    let step = self.b.ins().ushr_imm(next, 1);
                    let entering = self.b.ins().ushr(step, rest);
                    let kept = self.b.ins().ishl(here, bits);
                    self.b.ins().bor(kept, entering)
                } else {
                    let step = self.b.ins().ishl_imm(next, 1);
                    let entering = self.b.ins().ishl(step, rest);
                    let kept = self.b.ins().ushr(here, bits);
                    self.b.ins().bor(kept, entering)
                };
                let is = self.b.ins().icmp_imm(IntCC::Equal, moved, words);
                chosen = self.b.ins().select(is, shifted, chosen);
            }
            result.push(chosen);
        }
        result[top] = self.masked(result[top], width);
        result
    }
}

/// The comparison that an operator is, if it compares unsigned values.
pub(super) fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        BinaryOp::Lt => IntCC::UnsignedLessThan,
        BinaryOp::Le => IntCC::UnsignedLessThanOrEqual,
        _ => return None,
    })
}
