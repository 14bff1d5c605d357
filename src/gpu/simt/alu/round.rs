//! Arithmetic with a direction of rounding, which the processor underneath does not offer by the
//! instruction: soft floats.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round};

use crate::isa::{Float2, Rounding};

/// A type with directed rounding.
pub(in super::super) trait Directed: Copy {
    /// `a + b`, `a - b`, `a * b`, `a / b`.
    fn arithmetic(op: Float2, a: Self, b: Self, rounding: Rounding) -> Self;
    /// `a * b + c`, rounded once.
    fn fused(a: Self, b: Self, c: Self, rounding: Rounding) -> Self;
    /// The square root.
    fn root(a: Self, rounding: Rounding) -> Self;
}

fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::Nearest => Round::NearestTiesToEven,
        Rounding::Zero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
    }
}

macro_rules! directed {
    ($ty:ty, $bits:ty, $soft:ty) => {
        impl Directed for $ty {
            fn arithmetic(op: Float2, a: Self, b: Self, rounding: Rounding) -> Self {
                let [a, b] = [a, b].map(|value| <$soft>::from_bits(value.to_bits().into()));
                let round = round(rounding);
                let result = match op {
                    Float2::Sub => a.sub_r(b, round),
                    Float2::Mul => a.mul_r(b, round),
                    Float2::Div => a.div_r(b, round),
                    _ => a.add_r(b, round),
                };
                <$ty>::from_bits(result.value.to_bits() as $bits)
            }

            fn fused(a: Self, b: Self, c: Self, rounding: Rounding) -> Self {
                let [a, b, c] = [a, b, c].map(|value| <$soft>::from_bits(value.to_bits().into()));
                let result = a.mul_add_r(b, c, round(rounding));
                <$ty>::from_bits(result.value.to_bits() as $bits)
            }

            fn root(a: Self, rounding: Rounding) -> Self {
                let nearest = a.sqrt();
                if !nearest.is_finite() || nearest == 0.0 {
                    return nearest;
                }
                if a < 1e-30 {
                    // Scaled by a power of four, so that the residue below does not vanish.
                    const SCALE: $ty = (1u64 << 30) as $ty;
                    return Self::root(a * SCALE * SCALE, rounding) / SCALE;
                }
                // What the square of the nearest root has too much tells on which side it is.
                let residue = Self::fused(nearest, nearest, -a, Rounding::Nearest);
                match (residue.partial_cmp(&0.0), rounding) {
                    (Some(Ordering::Greater), Rounding::Zero | Rounding::Down) => {
                        nearest.next_down()
                    }
                    (Some(Ordering::Less), Rounding::Up) => nearest.next_up(),
                    _ => nearest,
                }
            }
        }
    };
}

directed!(f32, u32, Single);
directed!(f64, u64, Double);
