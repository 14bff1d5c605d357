//! Floating-point arithmetic.

use super::Alu;
use super::real::Real;
use crate::gpu::isa::{Float1, Float2, FloatMode, Rounding, Source, Target};

/// Operands and results as the mode wants them.
#[derive(Clone, Copy)]
struct Edges {
    flush: bool,
    saturate: bool,
}

impl Edges {
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
        if value.not_a_number() { T::NAN } else { value }
    }
}

impl Alu<'_> {
    pub(in super::super) fn float1<T: Real>(
        &mut self,
        op: Float1,
        mode: FloatMode,
        d: Target,
        a: Source,
    ) {
        let edges = Edges { flush: mode.ftz, saturate: mode.saturate };
        let rounding = mode.rounding;
        match op {
            Float1::Abs => self.map1(d, a, |a: T| edges.operand(a).magnitude()),
            Float1::Neg => self.map1(d, a, |a: T| edges.operand(a).negation()),
            Float1::Rcp => {
                self.map1(d, a, |a: T| edges.result(reciprocal(edges.operand(a), rounding)))
            }
            Float1::Sqrt => {
                self.map1(d, a, |a: T| edges.result(T::root(edges.operand(a), rounding)))
            }
            _ => self.map1(d, a, |a: T| edges.result(edges.operand(a).approximation(op))),
        }
    }

    pub(in super::super) fn float2<T: Real>(
        &mut self,
        op: Float2,
        mode: FloatMode,
        d: Target,
        ab: [Source; 2],
    ) {
        match op {
            Float2::Min => self.edged2(mode, d, ab, |a: T, b| least(a, b, false)),
            Float2::Max => self.edged2(mode, d, ab, |a: T, b| greatest(a, b, false)),
            Float2::MinNan => self.edged2(mode, d, ab, |a: T, b| least(a, b, true)),
            Float2::MaxNan => self.edged2(mode, d, ab, |a: T, b| greatest(a, b, true)),
            // PTX: the sign of the first operand, the magnitude of the second.
            Float2::Copysign => self.map2(d, ab, |a: T, b: T| b.with_sign_of(a)),
            _ if mode.rounding != Rounding::Nearest => {
                self.edged2(mode, d, ab, |a: T, b| T::arithmetic(op, a, b, mode.rounding));
            }
            Float2::Add => self.edged2(mode, d, ab, T::sum),
            Float2::Sub => self.edged2(mode, d, ab, T::difference),
            Float2::Mul => self.edged2(mode, d, ab, T::product),
            Float2::Div => self.edged2(mode, d, ab, T::quotient),
        }
    }

    /// Four loops for what the mode does at the edges, so that each is vectorised.
    #[inline(always)]
    fn edged2<T: Real>(
        &mut self,
        mode: FloatMode,
        d: Target,
        ab: [Source; 2],
        f: impl Fn(T, T) -> T,
    ) {
        let edges = Edges { flush: mode.ftz, saturate: mode.saturate };
        let plain = Edges { flush: false, saturate: false };
        match mode.ftz || mode.saturate {
            false => self.map2(d, ab, |a: T, b: T| plain.result(f(a, b))),
            true => {
                self.map2(d, ab, |a: T, b: T| edges.result(f(edges.operand(a), edges.operand(b))))
            }
        }
    }

    /// `fma`
    pub(in super::super) fn fused<T: Real>(
        &mut self,
        mode: FloatMode,
        d: Target,
        abc: [Source; 3],
    ) {
        let edges = Edges { flush: mode.ftz, saturate: mode.saturate };
        let plain = Edges { flush: false, saturate: false };
        let is_plain = !mode.ftz && !mode.saturate && mode.rounding == Rounding::Nearest;
        match (is_plain, mode.rounding) {
            (true, _) => self.map3(d, abc, |a: T, b, c: T| plain.result(a.fused_nearest(b, c))),
            (_, Rounding::Nearest) => self.map3(d, abc, |a: T, b, c: T| {
                let [a, b, c] = [a, b, c].map(|value| edges.operand(value));
                edges.result(a.fused_nearest(b, c))
            }),
            (_, rounding) => self.map3(d, abc, |a: T, b, c: T| {
                let [a, b, c] = [a, b, c].map(|value| edges.operand(value));
                edges.result(T::fused(a, b, c, rounding))
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
