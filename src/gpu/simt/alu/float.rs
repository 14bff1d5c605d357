//! Floating-point arithmetic.

use super::Alu;
use super::real::{Packed, Real};
use super::round::Directed;
use crate::isa::{Extreme, Float1, Float2, FloatMode, Rounding, Source, Target, ToTf32};

/// Operands and results as the mode wants them.
#[derive(Clone, Copy)]
struct Edges {
    flush: bool,
    saturate: bool,
    relu: bool,
}

impl Edges {
    const PLAIN: Self = Self { flush: false, saturate: false, relu: false };

    fn of(mode: FloatMode) -> Self {
        Self { flush: mode.ftz, saturate: mode.saturate, relu: mode.relu }
    }

    fn is_plain(self) -> bool {
        !self.flush && !self.saturate && !self.relu
    }

    #[inline(always)]
    fn operand<T: Real>(self, value: T) -> T {
        if self.flush { value.flushed() } else { value }
    }

    #[inline(always)]
    fn result<T: Real>(self, value: T) -> T {
        let value = self.operand(value);
        if self.saturate {
            // A NaN saturates to zero.
            return match value {
                value if value >= T::ONE => T::ONE,
                value if value > T::ZERO => value,
                _ => T::ZERO,
            };
        }
        match value.not_a_number() {
            true => T::NAN,
            false if self.relu && value < T::ZERO => T::ZERO,
            false => value,
        }
    }
}

impl Alu<'_> {
    pub(in super::super) fn float1<T: Packed>(
        &mut self,
        op: Float1,
        mode: FloatMode,
        d: Target,
        a: Source,
    ) {
        let edges = Edges::of(mode);
        let rounding = mode.rounding;
        match op {
            Float1::Abs => self.each1::<T>(d, a, |a| edges.operand(a).magnitude()),
            Float1::Neg => self.each1::<T>(d, a, |a| edges.operand(a).negation()),
            Float1::Rcp => {
                self.each1::<T>(d, a, |a| edges.result(reciprocal(edges.operand(a), rounding)))
            }
            Float1::Sqrt => {
                self.each1::<T>(d, a, |a| edges.result(T::Part::root(edges.operand(a), rounding)))
            }
            Float1::Tf32(how) => self.map1(d, a, |a: f32| to_tf32(a, how, mode)),
            _ => self.each1::<T>(d, a, |a| edges.result(edges.operand(a).approximation(op))),
        }
    }

    #[inline(always)]
    fn each1<T: Packed>(&mut self, d: Target, a: Source, f: impl Fn(T::Part) -> T::Part) {
        self.map1(d, a, |a: T| a.each1(&f));
    }

    pub(in super::super) fn float2<T: Packed>(
        &mut self,
        op: Float2,
        mode: FloatMode,
        d: Target,
        ab: [Source; 2],
    ) {
        match op {
            Float2::Extreme(Extreme { magnitude: false, greatest: false, keep_nan, .. }) => {
                self.edged2::<T>(mode, d, ab, |a, b| least(a, b, keep_nan));
            }
            Float2::Extreme(Extreme { magnitude: false, greatest: true, keep_nan, .. }) => {
                self.edged2::<T>(mode, d, ab, |a, b| greatest(a, b, keep_nan));
            }
            Float2::Extreme(which) => {
                self.edged2::<T>(mode, d, ab, |a, b| extreme(which, a, b));
            }
            // PTX: the sign of the first operand, the magnitude of the second.
            Float2::Copysign => self.map2(d, ab, |a: T, b: T| a.each2(b, |a, b| b.with_sign_of(a))),
            _ if mode.rounding != Rounding::Nearest => {
                let rounding = mode.rounding;
                self.edged2::<T>(mode, d, ab, |a, b| T::Part::arithmetic(op, a, b, rounding));
            }
            Float2::Add => self.edged2::<T>(mode, d, ab, T::Part::sum),
            Float2::Sub => self.edged2::<T>(mode, d, ab, T::Part::difference),
            Float2::Mul => self.edged2::<T>(mode, d, ab, T::Part::product),
            Float2::Div => self.edged2::<T>(mode, d, ab, T::Part::quotient),
        }
    }

    /// Two loops for what the mode does at the edges, so that each is vectorised.
    #[inline(always)]
    fn edged2<T: Packed>(
        &mut self,
        mode: FloatMode,
        d: Target,
        ab: [Source; 2],
        f: impl Fn(T::Part, T::Part) -> T::Part,
    ) {
        let edges = Edges::of(mode);
        match edges.is_plain() {
            true => {
                self.map2(d, ab, |a: T, b: T| a.each2(b, |a, b| Edges::PLAIN.result(f(a, b))));
            }
            false => self.map2(d, ab, |a: T, b: T| {
                a.each2(b, |a, b| edges.result(f(edges.operand(a), edges.operand(b))))
            }),
        }
    }

    /// `fma`
    pub(in super::super) fn fused<T: Packed>(
        &mut self,
        mode: FloatMode,
        d: Target,
        abc: [Source; 3],
    ) {
        let edges = Edges::of(mode);
        match (edges.is_plain(), mode.rounding) {
            (true, Rounding::Nearest) => self.map3(d, abc, |a: T, b, c: T| {
                a.each3(b, c, |a, b, c| Edges::PLAIN.result(a.fused_nearest(b, c)))
            }),
            (_, Rounding::Nearest) => self.map3(d, abc, |a: T, b, c: T| {
                a.each3(b, c, |a, b, c| {
                    let [a, b, c] = [a, b, c].map(|value| edges.operand(value));
                    edges.result(a.fused_nearest(b, c))
                })
            }),
            (_, rounding) => self.map3(d, abc, |a: T, b, c: T| {
                a.each3(b, c, |a, b, c| {
                    let [a, b, c] = [a, b, c].map(|value| edges.operand(value));
                    edges.result(T::Part::fused(a, b, c, rounding))
                })
            }),
        }
    }
}

#[inline(always)]
fn reciprocal<T: Real>(a: T, rounding: Rounding) -> T {
    match rounding {
        Rounding::Nearest => T::ONE.quotient(a),
        _ => T::arithmetic(Float2::Div, T::ONE, a, rounding),
    }
}

/// `min` and `max` in all their forms.
#[inline(always)]
pub(in super::super) fn extreme<T: Real>(which: Extreme, a: T, b: T) -> T {
    let is_negative = which.xor_sign && a.sign_bit() != b.sign_bit();
    let [a, b] = if which.magnitude { [a, b].map(Real::magnitude) } else { [a, b] };
    let chosen = match which.greatest {
        true => greatest(a, b, which.keep_nan),
        false => least(a, b, which.keep_nan),
    };
    match is_negative && !chosen.not_a_number() {
        true => chosen.negation(),
        false => chosen,
    }
}

/// The nearest number with ten bits of fraction, in the direction that is wanted.
fn to_tf32(value: f32, how: ToTf32, mode: FloatMode) -> f32 {
    if value.is_nan() {
        return <f32 as Real>::NAN;
    }
    let bits = value.to_bits();
    let bits = match how {
        ToTf32::Even => bits + 0xfff + (bits >> 13 & 1),
        ToTf32::Away => bits + 0x1000,
        ToTf32::Zero => bits,
    };
    let rounded = f32::from_bits(bits & !0x1fff);
    match () {
        () if mode.relu && rounded < 0.0 => 0.0,
        () if mode.finite && rounded.is_infinite() => f32::from_bits(0x7f7f_e000).copysign(rounded),
        () => rounded,
    }
}

#[inline(always)]
fn least<T: Real>(a: T, b: T, keep_nan: bool) -> T {
    number(a, b, keep_nan, if a < b || (a == b && a.sign_bit()) { a } else { b })
}

#[inline(always)]
fn greatest<T: Real>(a: T, b: T, keep_nan: bool) -> T {
    number(a, b, keep_nan, if a > b || (a == b && !a.sign_bit()) { a } else { b })
}

/// What is `chosen` of two numbers; the one that is a number, unless a NaN is to be kept.
#[inline(always)]
fn number<T: Real>(a: T, b: T, keep_nan: bool, chosen: T) -> T {
    match (a.not_a_number(), b.not_a_number()) {
        (false, false) => chosen,
        (true, false) if !keep_nan => b,
        (false, true) if !keep_nan => a,
        _ => T::NAN,
    }
}
