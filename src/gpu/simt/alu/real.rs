//! What the operations need of a floating-point type.

use super::Value;
use super::round::Directed;
use crate::isa::Float1;

/// `f32`, `f64`, or a type of 16 bits.
pub(in super::super) trait Real: Value + Directed + PartialOrd {
    const ZERO: Self;
    const ONE: Self;
    /// What an operation gives that has no number as its result. Single precision knows one NaN;
    /// of double precision PTX says nothing, and we take the usual one.
    const NAN: Self;
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn quotient(self, other: Self) -> Self;
    fn fused_nearest(self, b: Self, c: Self) -> Self;
    fn magnitude(self) -> Self;
    fn negation(self) -> Self;
    fn with_sign_of(self, other: Self) -> Self;
    fn not_a_number(self) -> bool;
    fn sign_bit(self) -> bool;
    fn finite(self) -> bool;
    fn subnormal(self) -> bool;
    /// Subnormals become zero of the same sign.
    fn flushed(self) -> Self;
    /// A function that PTX approximates, from the type's double-precision evaluation.
    fn approximation(self, op: Float1) -> Self;
}

/// What a register holds for floating-point arithmetic: one number, or a pair of them.
pub(in super::super) trait Packed: Value {
    /// The type of a number.
    type Part: Real;
    fn each1(self, f: impl Fn(Self::Part) -> Self::Part) -> Self;
    fn each2(self, b: Self, f: impl Fn(Self::Part, Self::Part) -> Self::Part) -> Self;
    fn each3(
        self,
        b: Self,
        c: Self,
        f: impl Fn(Self::Part, Self::Part, Self::Part) -> Self::Part,
    ) -> Self;
}

impl<T: Real> Packed for T {
    type Part = T;
    #[inline(always)]
    fn each1(self, f: impl Fn(T) -> T) -> T {
        f(self)
    }
    #[inline(always)]
    fn each2(self, b: T, f: impl Fn(T, T) -> T) -> T {
        f(self, b)
    }
    #[inline(always)]
    fn each3(self, b: T, c: T, f: impl Fn(T, T, T) -> T) -> T {
        f(self, b, c)
    }
}

macro_rules! real {
    ($ty:ty, $nan:expr) => {
        impl Real for $ty {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const NAN: Self = <$ty>::from_bits($nan);
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn quotient(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn fused_nearest(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }
            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn negation(self) -> Self {
                -self
            }
            #[inline(always)]
            fn with_sign_of(self, other: Self) -> Self {
                self.copysign(other)
            }
            #[inline(always)]
            fn not_a_number(self) -> bool {
                self.is_nan()
            }
            #[inline(always)]
            fn sign_bit(self) -> bool {
                self.is_sign_negative()
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn subnormal(self) -> bool {
                self.is_subnormal()
            }
            #[inline(always)]
            fn flushed(self) -> Self {
                if self.abs() < <$ty>::MIN_POSITIVE { (0.0 as $ty).copysign(self) } else { self }
            }
            fn approximation(self, op: Float1) -> Self {
                let value = f64::from(self);
                (match op {
                    Float1::Rsqrt => 1.0 / value.sqrt(),
                    Float1::Sin => libm::sin(value),
                    Float1::Cos => libm::cos(value),
                    Float1::Lg2 => libm::log2(value),
                    Float1::Ex2 => libm::exp2(value),
                    Float1::Tanh => libm::tanh(value),
                    _ => value,
                }) as $ty
            }
        }
    };
}

real!(f32, 0x7fff_ffff);
real!(f64, 0x7ff8_0000_0000_0000);

/// Calls a generic method for the Rust type of a PTX type that is no pair.
macro_rules! for_float {
    ($ty:expr, $self:ident.$method:ident($($argument:expr),*)) => {
        match ($ty.kind, $ty.bytes) {
            (_, 8) => $self.$method::<f64>($($argument),*),
            (_, 4) => $self.$method::<f32>($($argument),*),
            (crate::isa::Kind::Brain, _) => {
                $self.$method::<crate::isa::Brain>($($argument),*)
            }
            _ => $self.$method::<crate::isa::Half>($($argument),*),
        }
    };
}
pub(in super::super) use for_float;

/// Calls a generic method for the Rust type of a PTX type, pair or not.
macro_rules! for_packed {
    ($ty:expr, $self:ident.$method:ident($($argument:expr),*)) => {
        match $ty.kind {
            crate::isa::Kind::FloatPair if $ty.bytes == 8 => {
                $self.$method::<$crate::simt::alu::Pair<f32>>($($argument),*)
            }
            crate::isa::Kind::FloatPair => {
                $self.$method::<$crate::simt::alu::Pair<crate::isa::Half>>($($argument),*)
            }
            crate::isa::Kind::BrainPair => {
                $self.$method::<$crate::simt::alu::Pair<crate::isa::Brain>>($($argument),*)
            }
            _ => $crate::simt::alu::for_float!($ty, $self.$method($($argument),*)),
        }
    };
}
pub(in super::super) use for_packed;
