//! Arithmetic of `.f16` and `.bf16`, in double precision and rounded once; and of pairs of them.
//!
//! Sums, products and quotients of numbers of up to 11 bits, rounded to 53, may be rounded again
//! without a difference. That of a product and a third number is rounded to odd first.

use super::Value;
use super::real::{Packed, Real};
use super::round::Directed;
use crate::isa::{Float1, Float2, Rounding, Small};

impl<const F: u32, const L: i32> Value for Small<F, L> {
    type Word = u32;
    #[inline(always)]
    fn of_word(word: u32) -> Self {
        Self(word as u16)
    }
    #[inline(always)]
    fn word(self) -> u32 {
        self.0.into()
    }
}

impl<const F: u32, const L: i32> PartialOrd for Small<F, L> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.value().partial_cmp(&other.value())
    }
}

fn nearest<const F: u32, const L: i32>(value: f64) -> Small<F, L> {
    Small::of(value, Rounding::Nearest)
}

/// `a + b`, the last bit set where it is not exact.
pub(in super::super) fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    // Knuth's error of a sum, which is exact.
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    let is_even = sum.to_bits() & 1 == 0;
    match error {
        0.0 => sum,
        _ if !is_even => sum,
        _ if error > 0.0 => sum.next_up(),
        _ => sum.next_down(),
    }
}

impl<const F: u32, const L: i32> Directed for Small<F, L> {
    fn arithmetic(op: Float2, a: Self, b: Self, rounding: Rounding) -> Self {
        let (a, b) = (a.value(), b.value());
        let result = match op {
            Float2::Sub => sum_to_odd(a, -b),
            Float2::Mul => a * b,
            Float2::Div => a / b,
            _ => sum_to_odd(a, b),
        };
        Self::of(result, rounding)
    }

    fn fused(a: Self, b: Self, c: Self, rounding: Rounding) -> Self {
        Self::of(sum_to_odd(a.value() * b.value(), c.value()), rounding)
    }

    fn root(a: Self, rounding: Rounding) -> Self {
        Self::of(a.value().sqrt(), rounding)
    }
}

impl<const F: u32, const L: i32> Real for Small<F, L> {
    const ZERO: Self = Self(0);
    const ONE: Self = Self((-L as u16 + 1) << F);
    const NAN: Self = Self(0x7fff);
    fn sum(self, other: Self) -> Self {
        nearest(self.value() + other.value())
    }
    fn difference(self, other: Self) -> Self {
        nearest(self.value() - other.value())
    }
    fn product(self, other: Self) -> Self {
        nearest(self.value() * other.value())
    }
    fn quotient(self, other: Self) -> Self {
        nearest(self.value() / other.value())
    }
    fn fused_nearest(self, b: Self, c: Self) -> Self {
        Self::fused(self, b, c, Rounding::Nearest)
    }
    fn magnitude(self) -> Self {
        Self(self.0 & 0x7fff)
    }
    fn negation(self) -> Self {
        Self(self.0 ^ 0x8000)
    }
    fn with_sign_of(self, other: Self) -> Self {
        Self(self.0 & 0x7fff | other.0 & 0x8000)
    }
    fn not_a_number(self) -> bool {
        self.value().is_nan()
    }
    fn sign_bit(self) -> bool {
        self.0 >> 15 != 0
    }
    fn finite(self) -> bool {
        self.value().is_finite()
    }
    fn subnormal(self) -> bool {
        self.0 & 0x7fff != 0 && self.0 & 0x7fff < 1 << F
    }
    fn flushed(self) -> Self {
        if self.subnormal() { Self(self.0 & 0x8000) } else { self }
    }
    fn approximation(self, op: Float1) -> Self {
        nearest(self.value().approximation(op))
    }
}

/// Two numbers in one register, the first in its lower half.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Pair<T>([T; 2]);

impl<const F: u32, const L: i32> Value for Pair<Small<F, L>> {
    type Word = u32;
    fn of_word(word: u32) -> Self {
        Self([Small(word as u16), Small((word >> 16) as u16)])
    }
    fn word(self) -> u32 {
        let [low, high] = self.0;
        u32::from(low.0) | u32::from(high.0) << 16
    }
}

impl Value for Pair<f32> {
    type Word = u64;
    fn of_word(word: u64) -> Self {
        Self([word as u32, (word >> 32) as u32].map(f32::from_bits))
    }
    fn word(self) -> u64 {
        let [low, high] = self.0.map(f32::to_bits).map(u64::from);
        low | high << 32
    }
}

impl<T: Real> Packed for Pair<T>
where
    Self: Value,
{
    type Part = T;
    fn each1(self, f: impl Fn(Self::Part) -> Self::Part) -> Self {
        Self(self.0.map(f))
    }
    fn each2(self, b: Self, f: impl Fn(Self::Part, Self::Part) -> Self::Part) -> Self {
        Self([0, 1].map(|at: usize| f(self.0[at], b.0[at])))
    }
    fn each3(
        self,
        b: Self,
        c: Self,
        f: impl Fn(Self::Part, Self::Part, Self::Part) -> Self::Part,
    ) -> Self {
        Self([0, 1].map(|at: usize| f(self.0[at], b.0[at], c.0[at])))
    }
}
