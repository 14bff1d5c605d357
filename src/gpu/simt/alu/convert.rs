//! `cvt`: between integers and floats of all sizes.

use super::Alu;
use super::real::Real;
use crate::isa::{Brain, FloatMode, Half, Kind, Rounding, SourceIn, TargetIn, Type};
use crate::simt::registers::{Lanes, extend};

impl Alu<'_> {
    /// Converts. `integral` rounds a float to a whole number and leaves it a float.
    pub(in super::super) fn convert(
        &mut self,
        [to, from]: [Type; 2],
        mode: FloatMode,
        integral: bool,
        d: TargetIn,
        a: SourceIn,
    ) {
        let mut values: Lanes<u64> = self.registers.read_any(self.image, a);
        extend(from, &mut values);
        let each = |values: &mut Lanes<u64>, f: &dyn Fn(u64) -> u64| {
            values.iter_mut().for_each(|value| *value = f(*value));
        };
        match (from.is_float(), to.is_float()) {
            (false, false) if mode.saturate => each(&mut values, &|value| {
                clamp(if from.is_signed() { (value as i64).into() } else { value.into() }, to)
            }),
            (false, false) => {}
            (false, true) => each(&mut values, &|value| of_integer(value, from, to, mode)),
            (true, false) if from.bytes != 4 => {
                each(&mut values, &|value| to_integer(from.value_of(value), from, to, mode));
            }
            (true, false) => each(&mut values, &|value| {
                let value = f32::from_bits(value as u32);
                let value = if mode.ftz { value.flushed() } else { value };
                to_integer(value.into(), from, to, mode)
            }),
            (true, true) => each(&mut values, &|value| {
                let value = match from.bytes {
                    4 if mode.ftz => f32::from_bits(value as u32).flushed().into(),
                    _ => from.value_of(value),
                };
                let value = if integral { whole(value, mode.rounding) } else { value };
                of_float(value, to, mode)
            }),
        }
        self.registers.write_any(d, to, self.mask, &mut values);
    }
}

/// An integer within the range of a type.
fn clamp(value: i128, to: Type) -> u64 {
    let bits = u32::from(to.bytes) * 8;
    let (least, most) = match to.is_signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    value.clamp(least, most) as u64
}

/// Rounds to a whole number.
fn whole(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

/// A float as integer: clamped to the range of the type. Of a NaN PTX makes zero, or the highest
/// bit where 64 bits are involved.
fn to_integer(value: f64, from: Type, to: Type, mode: FloatMode) -> u64 {
    let bits = u32::from(to.bytes) * 8;
    if value.is_nan() {
        return if from.bytes == 8 || bits == 64 { 1 << (bits - 1) } else { 0 };
    }
    // Casts saturate.
    let value = whole(value, mode.rounding);
    match (to.is_signed(), bits) {
        (true, 64) => value as i64 as u64,
        (false, 64) => value as u64,
        (true, _) => (value as i64).clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) as u64,
        (false, _) => (value as u64).min((1 << bits) - 1),
    }
}

/// An integer, given extended to 64 bits, as float.
fn of_integer(bits: u64, from: Type, to: Type, mode: FloatMode) -> u64 {
    let signed = from.is_signed();
    let exact: i128 = if signed { (bits as i64).into() } else { bits.into() };
    let directed = mode.rounding != Rounding::Nearest;
    match to.bytes {
        2 => {
            // The lower bits of what is too long for f64 only tell that it is not exact.
            let odd = exact & !0x7ff | i128::from(exact & 0x7ff != 0) << 11;
            let value = if exact.unsigned_abs() >> 53 == 0 { exact } else { odd };
            of_float(value as f64, to, mode)
        }
        8 => {
            let mut value = if signed { bits as i64 as f64 } else { bits as f64 };
            if directed {
                // The magnitude is at most 2^64, so the way back is exact.
                value = correct(value, (value as i128).cmp(&exact), mode.rounding);
            }
            saturated(value, mode).to_bits()
        }
        _ => {
            let mut value = if signed { bits as i64 as f32 } else { bits as f32 };
            if directed {
                value = correct(value, (value as i128).cmp(&exact), mode.rounding);
            }
            saturated(value, mode).to_bits().into()
        }
    }
}

fn of_float(value: f64, to: Type, mode: FloatMode) -> u64 {
    if to.bytes == 8 {
        let value = if value.is_nan() { f64::NAN } else { value };
        return saturated(value, mode).to_bits();
    }
    if to.bytes <= 2 {
        let value = if mode.relu { relu(value) } else { value };
        let value = saturated(value, mode);
        let (bits, infinity) = match to.kind {
            Kind::Brain => (Brain::of(value, mode.rounding).0, 0x7f80),
            Kind::E4m3 | Kind::E5m2 => return to.bits_of(value),
            _ => (Half::of(value, mode.rounding).0, 0x7c00),
        };
        let is_beyond = mode.finite && bits & 0x7fff == infinity;
        return u64::from(bits) - u64::from(is_beyond);
    }
    if value.is_nan() {
        return saturated(<f32 as Real>::NAN, mode).to_bits().into();
    }
    let nearest = value as f32;
    let order = f64::from(nearest).partial_cmp(&value).unwrap_or(std::cmp::Ordering::Equal);
    let result = correct(nearest, order, mode.rounding);
    let result = if mode.ftz { result.flushed() } else { result };
    saturated(result, mode).to_bits().into()
}

/// Zero for what is negative; NaN stays.
fn relu(value: f64) -> f64 {
    if value < 0.0 { 0.0 } else { value }
}

/// The neighbour of a value rounded to nearest that another direction wants, given how the value
/// compares with the exact one.
fn correct<T: Neighbours>(nearest: T, order: std::cmp::Ordering, rounding: Rounding) -> T {
    use std::cmp::Ordering::{Greater, Less};
    let towards_zero_is_down = nearest.is_positive();
    match (rounding, order) {
        (Rounding::Down, Greater) => nearest.below(),
        (Rounding::Up, Less) => nearest.above(),
        (Rounding::Zero, Greater) if towards_zero_is_down => nearest.below(),
        (Rounding::Zero, Less) if !towards_zero_is_down => nearest.above(),
        _ => nearest,
    }
}

trait Neighbours: Copy {
    fn below(self) -> Self;
    fn above(self) -> Self;
    fn is_positive(self) -> bool;
}

macro_rules! neighbours {
    ($ty:ty) => {
        impl Neighbours for $ty {
            fn below(self) -> Self {
                self.next_down()
            }
            fn above(self) -> Self {
                self.next_up()
            }
            fn is_positive(self) -> bool {
                self.is_sign_positive()
            }
        }
    };
}

neighbours!(f32);
neighbours!(f64);

fn saturated<T: Real>(value: T, mode: FloatMode) -> T {
    match mode.saturate {
        true if value >= T::ONE => T::ONE,
        true if value > T::ZERO => value,
        true => T::ZERO,
        false => value,
    }
}
