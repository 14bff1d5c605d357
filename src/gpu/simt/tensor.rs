//! Sums of products as tensor cores make them.
//!
//! Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores" (PeerJ Computer Science 7:e330,
//! 2021): products are exact; a block of them and the accumulator are aligned to the greatest exponent and cut off;
//! their sum is cut off to single precision, or rounded to nearest in half precision. V100 keeps no bits below the
//! last one of single precision; T4 and A100 keep one (test D1 of their suite), and not two (D5).

use super::alu::sum_to_odd;
use crate::isa::{Element, Half, Kind, Rounding, TensorCore, Type, power};

/// A factor: its value, and the exponent with which hardware has it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Factor {
    pub(super) value: f64,
    exponent: i32,
}

impl Factor {
    /// Of an element, as the register has it.
    pub(super) fn of(element: Element, bits: u32) -> Self {
        let single = |bits: u32| f64::from(f32::from_bits(bits));
        let (value, least) = match element {
            Element::F16 => (Half::value(crate::isa::Small(bits as u16)), -14),
            Element::Bf16 => (single(bits << 16), -126),
            Element::E4m3 => (Type { kind: Kind::E4m3, bytes: 1 }.value_of(bits.into()), -6),
            Element::E5m2 => (Type { kind: Kind::E5m2, bytes: 1 }.value_of(bits.into()), -14),
            // The lower bits of the word are not looked at.
            Element::Tf32 => (single(bits & !0x1fff), -126),
            _ => (single(bits), -126),
        };
        let exponent = ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(least);
        Self { value, exponent }
    }
}

/// `c` and the sum of the products of pairs, in the type of the result.
pub(super) fn sum(
    core: TensorCore,
    c: Factor,
    pairs: &[[Factor; 2]],
    element: Element,
    of: Element,
) -> u32 {
    let is_finite = |factor: &Factor| factor.value.is_finite();
    if !is_finite(&c) || !pairs.iter().flatten().all(is_finite) {
        let total = pairs.iter().fold(c.value, |total, [a, b]| total + a.value * b.value);
        return bits(element, total, false);
    }
    let (terms, fraction) = match (core, of) {
        (TensorCore::Volta, _) => (4, 23),
        (TensorCore::Turing, _) | (TensorCore::Ampere, Element::Tf32) => (4, 24),
        (TensorCore::Ampere, _) => (8, 24),
        (TensorCore::Nearest, _) => {
            let products = pairs.iter().map(|[a, b]| a.value * b.value);
            return bits(element, exact(products.chain([c.value])), false);
        }
    };
    let (mut before, mut result) = (c, 0);
    for block in pairs.chunks(terms) {
        if before.value.is_finite() {
            result = bits(element, aligned(before, block, fraction), true);
            before = Factor::of(element, result);
        }
    }
    result
}

/// The sum of a block: each addend cut off so many bits below the greatest exponent.
fn aligned(c: Factor, pairs: &[[Factor; 2]], fraction: i32) -> f64 {
    let products = pairs.iter().map(|[a, b]| (a.value * b.value, a.exponent + b.exponent));
    let addends = products.chain([(c.value, c.exponent)]);
    let used = addends.clone().filter(|(value, _)| *value != 0.0);
    let Some(greatest) = used.map(|(_, exponent)| exponent).max() else { return 0.0 };
    let units = power(fraction - greatest);
    let sum: i64 = addends.map(|(value, _)| (value * units) as i64).sum();
    sum as f64 * power(greatest - fraction)
}

/// A sum without an error, to be rounded: the last bit is set where it is not exact.
fn exact(addends: impl Iterator<Item = f64>) -> f64 {
    // Shewchuk's expansion: parts that do not overlap, the least first.
    let mut parts: Vec<f64> = Vec::new();
    for mut addend in addends {
        let mut kept = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let sum = addend + part;
            let from_part = sum - addend;
            let error = (addend - (sum - from_part)) + (part - from_part);
            if error != 0.0 {
                kept.push(error);
            }
            addend = sum;
        }
        kept.push(addend);
        parts = kept;
    }
    let mut total = parts.pop().unwrap_or_default();
    while let Some(part) = parts.pop() {
        if total + part - total != part {
            return sum_to_odd(total, part);
        }
        total += part;
    }
    total
}

/// The bits of a result; `cut` tells whether single precision is cut off or rounded to nearest.
fn bits(element: Element, value: f64, cut: bool) -> u32 {
    if element == Element::F16 {
        return Half::of(value, Rounding::Nearest).0.into();
    }
    let nearest = value as f32;
    match () {
        () if nearest.is_nan() => 0x7fff_ffff,
        () if cut && nearest.is_finite() && f64::from(nearest).abs() > value.abs() => {
            nearest.to_bits() - 1
        }
        () => nearest.to_bits(),
    }
}
