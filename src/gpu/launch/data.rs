//! Elements of buffers: from numbers to bytes and back.

use super::file::{Number, Random};
use crate::isa::{Kind, Type};

/// A number as bytes of a type; none when the type does not hold it.
pub(super) fn bytes(number: Number, ty: Type) -> Option<Vec<u8>> {
    let bits = match (ty.kind, ty.bytes, number) {
        _ if ty.is_float() => ty.bits_of(float(number)),
        (_, _, Number::Float(_)) => return None,
        (_, size, Number::Integer(value)) => {
            let bits = u32::from(size) * 8;
            let (least, most) = match ty.is_signed() {
                true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            if !(least..=most).contains(&value.into()) {
                return None;
            }
            value as u64
        }
    };
    Some(bits.to_le_bytes()[..ty.bytes.into()].to_vec())
}

/// The elements of a buffer as text.
pub(super) fn shown(element: &[u8], ty: Type) -> String {
    match (ty.kind, ty.bytes) {
        (Kind::Float, 4) => f32::from_bits(word(element) as u32).to_string(),
        _ if ty.is_float() => ty.value_of(word(element)).to_string(),
        (Kind::Signed, size) => signed(element, size).to_string(),
        _ => word(element).to_string(),
    }
}

/// Whether an element is as expected: floats within the tolerance, all else exactly.
pub(super) fn is_close(found: &[u8], expected: &[u8], ty: Type, tolerance: f64) -> bool {
    if found == expected {
        return true;
    }
    let value = |element: &[u8]| ty.value_of(word(element));
    if !ty.is_float() {
        return false;
    }
    let (found, expected) = (value(found), value(expected));
    let both_nan = found.is_nan() && expected.is_nan();
    both_nan || found == expected || (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// Random elements.
pub(super) fn random(random: Random, count: usize, ty: Type) -> Option<Vec<u8>> {
    // SplitMix64: a seed gives the same contents on every machine.
    let mut state = random.seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    let mut contents = Vec::with_capacity(count * usize::from(ty.bytes));
    for _ in 0..count {
        let number = match (random.low, random.high) {
            (Number::Integer(low), Number::Integer(high)) if !ty.is_float() => {
                let range = high.checked_sub(low).filter(|range| *range > 0)?;
                Number::Integer(low + (next() % range as u64) as i64)
            }
            (low, high) => {
                let share = (next() >> 11) as f64 / (1u64 << 53) as f64;
                Number::Float(float(low) + (float(high) - float(low)) * share)
            }
        };
        contents.extend(bytes(number, ty)?);
    }
    Some(contents)
}

/// The first value, and each time a step more.
pub(super) fn ramp([first, step]: [Number; 2], count: usize, ty: Type) -> Option<Vec<u8>> {
    let mut contents = Vec::with_capacity(count * usize::from(ty.bytes));
    for at in 0..count {
        let number = match (first, step) {
            (Number::Integer(first), Number::Integer(step)) => {
                let far = step.checked_mul(i64::try_from(at).ok()?)?;
                Number::Integer(first.checked_add(far)?)
            }
            (first, step) => Number::Float(float(first) + float(step) * at as f64),
        };
        contents.extend(bytes(number, ty)?);
    }
    Some(contents)
}

fn float(number: Number) -> f64 {
    match number {
        Number::Integer(value) => value as f64,
        Number::Float(value) => value,
    }
}

fn word(element: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..element.len()].copy_from_slice(element);
    u64::from_le_bytes(word)
}

fn signed(element: &[u8], size: u8) -> i64 {
    let unused = 64 - u32::from(size) * 8;
    (word(element) << unused) as i64 >> unused
}
