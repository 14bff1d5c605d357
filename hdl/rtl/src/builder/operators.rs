//! Operators on signals, with constant folding.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

use super::signal::{Operand, Signal};
use crate::bits::Bits;
use crate::ir::{BinaryOp, Node, Op, UnaryOp};
use crate::semantics;

impl<'m> Signal<'m> {
    pub(super) fn unary(self, op: UnaryOp, width: u32) -> Signal<'m> {
        if let (UnaryOp::Not, Some(complement)) = (op, self.complement()) {
            return complement;
        }
        match self.value() {
            Some(value) => self.module.constant(semantics::unary(op, &value)),
            None if width == 1 && self.width == 1 && op != UnaryOp::Not => self,
            None => self.module.add(Op::Unary(op, self.id), width),
        }
    }

    /// The operand, if this is an unnamed complement.
    fn complement(self) -> Option<Signal<'m>> {
        let state = self.module.state.borrow();
        match &state.data.nodes[self.id.index()] {
            Node { op: Op::Unary(UnaryOp::Not, id), name: None, .. } => {
                Some(Signal { id: *id, ..self })
            }
            _ => None,
        }
    }

    #[track_caller]
    pub(super) fn binary(self, op: BinaryOp, other: impl Operand<'m>, symbol: &str) -> Signal<'m> {
        let other = other.signal_like(self);
        self.expect_same_width(symbol, other);
        let width = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.width,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.width,
            _ => 1,
        };
        self.make_binary(op, other, width)
    }

    pub(super) fn make_binary(self, op: BinaryOp, other: Signal<'m>, width: u32) -> Signal<'m> {
        if let Some(known) = self.simplified(op, other) {
            return known;
        }
        self.module.add(Op::Binary(op, self.id, other.id), width)
    }

    /// Constant folding. It keeps generated Verilog free of comparisons with constant results.
    fn simplified(self, op: BinaryOp, other: Signal<'m>) -> Option<Signal<'m>> {
        let (left, right) = (self.value(), other.value());
        let is = |value: &Option<Bits>, test: fn(&Bits) -> bool| value.as_ref().is_some_and(test);
        let (left_zero, right_zero) = (is(&left, Bits::is_zero), is(&right, Bits::is_zero));
        let (left_ones, right_ones) = (is(&left, Bits::is_ones), is(&right, Bits::is_ones));
        if let (Some(left), Some(right)) = (&left, &right) {
            return Some(self.module.constant(semantics::binary(op, left, right)));
        }
        let bit = |value| Some(self.module.lit(1, value));
        let shifts_out =
            right.as_ref().is_some_and(|by| by.to_u64().is_none_or(|by| by >= self.width.into()));
        match op {
            BinaryOp::And if left_zero || right_ones => Some(self),
            BinaryOp::And if right_zero || left_ones => Some(other),
            BinaryOp::Or if right_zero || left_ones => Some(self),
            BinaryOp::Or if left_zero || right_ones => Some(other),
            BinaryOp::Add | BinaryOp::Xor if left_zero => Some(other),
            BinaryOp::Add | BinaryOp::Xor | BinaryOp::Sub if right_zero => Some(self),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightSigned
                if right_zero =>
            {
                Some(self)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if shifts_out => {
                Some(self.module.constant(Bits::zeros(self.width)))
            }
            BinaryOp::ShiftRightSigned if shifts_out => {
                Some(self.bit(self.width - 1).repeat(self.width))
            }
            BinaryOp::Lt if right_zero || left_ones => bit(0),
            BinaryOp::Le if left_zero || right_ones => bit(1),
            BinaryOp::Eq if self.width == 1 && right_ones => Some(self),
            BinaryOp::Eq if self.width == 1 && right_zero => Some(!self),
            BinaryOp::Ne if self.width == 1 && right_zero => Some(self),
            BinaryOp::Ne if self.width == 1 && right_ones => Some(!self),
            _ => None,
        }
    }
}

impl<'m> Not for Signal<'m> {
    type Output = Signal<'m>;

    fn not(self) -> Signal<'m> {
        self.unary(UnaryOp::Not, self.width)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident $symbol:literal),* $(,)?) => {$(
        impl<'m, R: Operand<'m>> $trait<R> for Signal<'m> {
            type Output = Signal<'m>;

            #[track_caller]
            fn $method(self, other: R) -> Signal<'m> {
                self.binary(BinaryOp::$op, other, $symbol)
            }
        }
    )*};
}
operators! {
    BitAnd bitand And "&",
    BitOr bitor Or "|",
    BitXor bitxor Xor "^",
    Add add Add "+",
    Sub sub Sub "-",
    Mul mul Mul "*",
}
