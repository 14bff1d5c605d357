//! Signals and their operators. Every operator checks widths; nothing is extended or truncated implicitly.

use std::fmt;
use std::ops::{Deref, Range};

use super::ModuleBuilder;
use crate::bits::Bits;
use crate::ir::{BinaryOp, NodeId, Op, UnaryOp};
use crate::semantics;

/// A value in a module under construction: a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct Signal<'m> {
    pub(super) module: &'m ModuleBuilder,
    pub(super) id: NodeId,
    pub(super) width: u32,
}

/// A combinational value assigned by statements; reads as a [`Signal`] through `*`.
#[derive(Clone, Copy)]
pub struct Wire<'m>(pub(super) Signal<'m>);

/// A register; its present value reads as a [`Signal`] through `*`.
#[derive(Clone, Copy)]
pub struct Reg<'m>(pub(super) Signal<'m>);

/// The right-hand side of an operator: a signal, or an integer that takes the width of the left.
pub trait Operand<'m> {
    /// The operand as a signal beside `other`.
    ///
    /// # Panics
    /// If an integer is negative or does not fit in `other`'s width.
    #[track_caller]
    fn signal_like(self, other: Signal<'m>) -> Signal<'m>;
}

impl<'m> Operand<'m> for Signal<'m> {
    fn signal_like(self, _: Signal<'m>) -> Signal<'m> {
        self
    }
}

macro_rules! operand_by_deref {
    ($($type:ident),*) => {$(
        impl<'m> Operand<'m> for $type<'m> {
            fn signal_like(self, _: Signal<'m>) -> Signal<'m> {
                *self
            }
        }

        impl<'m> Deref for $type<'m> {
            type Target = Signal<'m>;

            fn deref(&self) -> &Signal<'m> {
                &self.0
            }
        }

        impl<'m> $type<'m> {
            /// Adds a comment, which is also emitted.
            pub fn doc(self, text: &str) -> Self {
                self.0.doc(text);
                self
            }
        }
    )*};
}
operand_by_deref!(Wire, Reg);

macro_rules! operand_by_integer {
    ($($type:ty),*) => {$(
        impl<'m> Operand<'m> for $type {
            #[track_caller]
            fn signal_like(self, other: Signal<'m>) -> Signal<'m> {
                let value = u64::try_from(self).ok().filter(|v| other.width >= 64 || v >> other.width == 0);
                let Some(value) = value else {
                    panic!("the integer {self} does not fit beside {other}, which is {} bits", other.width);
                };
                other.module.lit(other.width, value)
            }
        }
    )*};
}
operand_by_integer!(i32, u32, u64, usize);

/// The name if it has one, else the shape of the expression.
impl fmt::Display for Signal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.module.state.borrow();
        let node = &state.data.nodes[self.id.index()];
        let kind = match (&node.name, &node.op) {
            (Some(name), _) => return write!(f, "`{name}`"),
            (None, Op::Const(value)) => return write!(f, "{value}"),
            (None, Op::Unary(op, _)) => format!("{op:?}"),
            (None, Op::Binary(op, ..)) => format!("{op:?}"),
            (None, Op::Mux { .. }) => "Mux".to_string(),
            (None, Op::Slice { .. }) => "Slice".to_string(),
            (None, _) => "Concat".to_string(),
        };
        let mut operands = Vec::new();
        node.op.for_operands(|id| {
            let operand = &state.data.nodes[id.index()];
            operands.push(operand.name.clone().unwrap_or_else(|| "..".to_string()));
        });
        write!(f, "{kind}({})", operands.join(", "))
    }
}

impl fmt::Debug for Signal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}: {} bits", self.width)
    }
}

impl<'m> Signal<'m> {
    /// Width in bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// The module under construction to which the signal belongs.
    pub fn module(self) -> &'m ModuleBuilder {
        self.module
    }

    /// Names the value, which gives it its own wire in Verilog and in waves.
    #[track_caller]
    pub fn named(self, name: &str) -> Signal<'m> {
        let anonymous = {
            let state = self.module.state.borrow();
            let node = &state.data.nodes[self.id.index()];
            node.name.is_none() && !matches!(node.op, Op::Const(_))
        };
        if anonymous {
            let mut state = self.module.state.borrow_mut();
            let name = state.names.take(name);
            state.data.nodes[self.id.index()].name = Some(name);
            drop(state);
            self
        } else {
            let wire = self.module.wire(name, self.width);
            wire.set(self);
            *wire
        }
    }

    /// Adds a comment to the signal, which is also emitted.
    pub fn doc(self, text: &str) -> Signal<'m> {
        let mut state = self.module.state.borrow_mut();
        state.data.nodes[self.id.index()].doc = Some(text.to_string());
        drop(state);
        self
    }

    /// One bit: whether equal.
    #[track_caller]
    pub fn eq(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::Eq, other, "==")
    }

    /// One bit: whether different.
    #[track_caller]
    pub fn ne(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::Ne, other, "!=")
    }

    /// One bit: less, both unsigned.
    #[track_caller]
    pub fn lt(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::Lt, other, "<")
    }

    /// One bit: less or equal, both unsigned.
    #[track_caller]
    pub fn le(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::Le, other, "<=")
    }

    /// One bit: greater, both unsigned.
    #[track_caller]
    pub fn gt(self, other: impl Operand<'m>) -> Signal<'m> {
        let other = other.signal_like(self);
        other.binary(BinaryOp::Lt, self, "<")
    }

    /// One bit: greater or equal, both unsigned.
    #[track_caller]
    pub fn ge(self, other: impl Operand<'m>) -> Signal<'m> {
        let other = other.signal_like(self);
        other.binary(BinaryOp::Le, self, "<=")
    }

    /// One bit: less, both two's complement.
    #[track_caller]
    pub fn lt_signed(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::LtSigned, other, "signed <")
    }

    /// One bit: less or equal, both two's complement.
    #[track_caller]
    pub fn le_signed(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::LeSigned, other, "signed <=")
    }

    /// Shifted left by `amount` (unsigned, any width); zeros enter.
    #[track_caller]
    pub fn shift_left(self, amount: Signal<'m>) -> Signal<'m> {
        self.make_binary(BinaryOp::ShiftLeft, amount, self.width)
    }

    /// Shifted right by `amount` (unsigned, any width); zeros enter.
    #[track_caller]
    pub fn shift_right(self, amount: Signal<'m>) -> Signal<'m> {
        self.make_binary(BinaryOp::ShiftRight, amount, self.width)
    }

    /// Shifted right by `amount` (unsigned, any width); copies of the sign bit enter.
    #[track_caller]
    pub fn shift_right_signed(self, amount: Signal<'m>) -> Signal<'m> {
        self.make_binary(BinaryOp::ShiftRightSigned, amount, self.width)
    }

    /// One bit: whether every bit is one.
    pub fn all(self) -> Signal<'m> {
        self.unary(UnaryOp::ReduceAnd, 1)
    }

    /// One bit: whether any bit is one.
    pub fn any(self) -> Signal<'m> {
        self.unary(UnaryOp::ReduceOr, 1)
    }

    /// One bit: whether the number of ones is odd.
    pub fn parity(self) -> Signal<'m> {
        self.unary(UnaryOp::ReduceXor, 1)
    }

    /// `on_true` where this one-bit signal is one, else `on_false`.
    #[track_caller]
    pub fn mux(self, on_true: Signal<'m>, on_false: impl Operand<'m>) -> Signal<'m> {
        self.expect_bit("the condition of a choice");
        let on_false = on_false.signal_like(on_true);
        on_true.expect_same_width("mux", on_false);
        match self.value() {
            Some(condition) if condition.is_zero() => on_false,
            Some(_) => on_true,
            None if on_true.id == on_false.id => on_true,
            None => {
                let op = Op::Mux { condition: self.id, on_true: on_true.id, on_false: on_false.id };
                self.module.add(op, on_true.width)
            }
        }
    }

    /// The value where `condition` is one, else zero.
    #[track_caller]
    pub fn and_where(self, condition: Signal<'m>) -> Signal<'m> {
        condition.expect_bit("a mask");
        condition.repeat(self.width) & self
    }

    /// Bit `index`.
    #[track_caller]
    pub fn bit(self, index: u32) -> Signal<'m> {
        self.slice(index..index + 1)
    }

    /// The bits of a range, `0..8` being the low eight.
    #[track_caller]
    pub fn slice(self, range: Range<u32>) -> Signal<'m> {
        assert!(
            range.start < range.end && range.end <= self.width,
            "bits {range:?} of {self}, which is {} bits",
            self.width
        );
        let width = range.end - range.start;
        if width == self.width {
            return self;
        }
        if let Some(value) = self.value() {
            return self.module.constant(semantics::slice(&value, range.start, width));
        }
        let inner = match &self.module.state.borrow().data.nodes[self.id.index()] {
            node if node.name.is_some() => None,
            node => match node.op {
                Op::Slice { from, low } => Some((from, low)),
                _ => None,
            },
        };
        let (from, low) = inner.unwrap_or((self.id, 0));
        self.module.add(Op::Slice { from, low: low + range.start }, width)
    }

    /// The bits, the lowest first.
    pub fn to_bits(self) -> Vec<Signal<'m>> {
        (0..self.width).map(|i| self.bit(i)).collect()
    }

    /// The low `width` bits.
    #[track_caller]
    pub fn truncate(self, width: u32) -> Signal<'m> {
        self.slice(0..width)
    }

    /// Zero-extended to `width` bits.
    #[track_caller]
    pub fn zero_extend(self, width: u32) -> Signal<'m> {
        assert!(width >= self.width, "{self} is {} bits, more than {width}", self.width);
        match width - self.width {
            0 => self,
            more => self.module.lit(more, 0).concat(self),
        }
    }

    /// Sign-extended to `width` bits.
    #[track_caller]
    pub fn sign_extend(self, width: u32) -> Signal<'m> {
        assert!(width >= self.width, "{self} is {} bits, more than {width}", self.width);
        match width - self.width {
            0 => self,
            more => self.bit(self.width - 1).repeat(more).concat(self),
        }
    }

    /// `count` copies side by side.
    #[track_caller]
    pub fn repeat(self, count: u32) -> Signal<'m> {
        self.module.concat(&vec![self; count as usize])
    }

    /// This signal concatenated above `low`.
    #[track_caller]
    pub fn concat(self, low: Signal<'m>) -> Signal<'m> {
        self.module.concat(&[self, low])
    }

    /// The sum with its carry, one bit wider than the operands.
    #[track_caller]
    pub fn add_with_carry(self, other: impl Operand<'m>) -> Signal<'m> {
        let other = other.signal_like(self);
        self.expect_same_width("+", other);
        self.zero_extend(self.width + 1) + other.zero_extend(self.width + 1)
    }

    pub(super) fn value(self) -> Option<Bits> {
        self.module.constant_value(self.id)
    }

    #[track_caller]
    pub(super) fn expect_bit(self, what: &str) {
        assert!(self.width == 1, "{what} is one bit, {self} is {} bits", self.width);
    }

    #[track_caller]
    pub(super) fn expect_same_width(self, operator: &str, other: Signal<'m>) {
        assert!(
            std::ptr::eq(self.module, other.module),
            "{operator} of {self} and {other}, which belong to different modules"
        );
        assert!(
            self.width == other.width,
            "{operator} of different widths: {self} is {} bits, {other} is {} bits",
            self.width,
            other.width
        );
    }
}
