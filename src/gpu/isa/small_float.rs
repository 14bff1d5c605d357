//! Floating-point numbers of 16 bits, `.f16` and `.bf16`, and of 8, `.e4m3` and `.e5m2`.

use super::types::{Kind, Rounding, Type};

/// A number with so many bits of fraction, whose least normal number is two to the power of `LEAST`.
#[derive(Debug, Clone, Copy)]
pub struct Small<const FRACTION: u32, const LEAST: i32>(pub u16);

/// `.f16`: IEEE 754 binary16.
pub type Half = Small<10, -14>;
/// `.bf16`: the upper half of binary32.
pub type Brain = Small<7, -126>;

impl<const FRACTION: u32, const LEAST: i32> PartialEq for Small<FRACTION, LEAST> {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

/// Two to a power that `f64` has as a normal number.
pub fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

impl<const FRACTION: u32, const LEAST: i32> Small<FRACTION, LEAST> {
    /// Bits of infinity.
    const INFINITY: u16 = 0x7fff >> FRACTION << FRACTION;

    /// The number, which `f64` has too.
    #[inline]
    pub fn value(self) -> f64 {
        let (magnitude, fraction) = (self.0 & 0x7fff, self.0 & ((1 << FRACTION) - 1));
        let exponent = i32::from(magnitude >> FRACTION);
        let unit = power(LEAST - FRACTION as i32 + (exponent - 1).max(0));
        let value = match magnitude {
            _ if magnitude > Self::INFINITY => f64::NAN,
            _ if magnitude == Self::INFINITY => f64::INFINITY,
            _ if exponent == 0 => f64::from(fraction) * unit,
            _ => f64::from(fraction | 1 << FRACTION) * unit,
        };
        if self.0 >> 15 == 0 { value } else { -value }
    }

    /// A number rounded once. All NaN become `0x7fff`, as PTX has it.
    #[inline]
    pub fn of(value: f64, rounding: Rounding) -> Self {
        if value.is_nan() {
            return Self(0x7fff);
        }
        let sign = u16::from(value.is_sign_negative()) << 15;
        let magnitude = value.abs();
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(LEAST);
        if exponent > 1 - LEAST {
            let is_infinite = magnitude.is_infinite();
            let bits = if is_infinite { Self::INFINITY } else { Self::beyond(value, rounding) };
            return Self(sign | bits);
        }
        // In units of the last place; what remains has no more bits than f64.
        let units = magnitude / power(exponent - FRACTION as i32);
        let whole = match (rounding, sign == 0) {
            (Rounding::Nearest, _) => units.round_ties_even(),
            (Rounding::Zero, _) | (Rounding::Down, true) | (Rounding::Up, false) => units.floor(),
            (Rounding::Down, false) | (Rounding::Up, true) => units.ceil(),
        };
        // A carry goes into the exponent as it should.
        let bits = ((exponent - LEAST) as u32) << FRACTION;
        let bits = bits + whole as u32;
        match bits >= u32::from(Self::INFINITY) {
            true => Self(sign | Self::beyond(value, rounding)),
            false => Self(sign | bits as u16),
        }
    }

    /// The magnitude of what is greater than the greatest number.
    fn beyond(value: f64, rounding: Rounding) -> u16 {
        let grows = match rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Down => value < 0.0,
            Rounding::Up => value > 0.0,
        };
        if grows { Self::INFINITY } else { Self::INFINITY - 1 }
    }
}

/// The value of an `.e4m3`, which has no infinity.
fn of_e4m3(bits: u8) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 3 & 15), f64::from(bits & 7));
    let magnitude = match (exponent, bits & 7) {
        (15, 7) => f64::NAN,
        (0, _) => fraction * power(-9),
        _ => (8.0 + fraction) * power(exponent - 10),
    };
    if bits >> 7 == 0 { magnitude } else { -magnitude }
}

/// A number rounded to nearest, and at most the greatest, as a byte.
fn to_byte(value: f64, kind: Kind) -> u8 {
    let (fraction, least, greatest) =
        if kind == Kind::E4m3 { (3, -6, 0x7e) } else { (2, -14, 0x7b) };
    if value.is_nan() {
        return 0x7f;
    }
    let magnitude = value.abs();
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).clamp(least, 16);
    let units = (magnitude / power(exponent - fraction)).round_ties_even();
    let bits = (((exponent - least) << fraction) as f64 + units).min(f64::from(greatest));
    bits as u8 | u8::from(value.is_sign_negative()) << 7
}

impl Type {
    /// The value of bits of a floating-point type.
    pub fn value_of(self, bits: u64) -> f64 {
        match (self.kind, self.bytes) {
            (Kind::Brain, _) => Brain::value(Small(bits as u16)),
            (Kind::E4m3, _) => of_e4m3(bits as u8),
            (Kind::E5m2, _) => Half::value(Small((bits as u16) << 8)),
            (_, 2) => Half::value(Small(bits as u16)),
            (_, 4) => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits),
        }
    }

    /// The bits of a value in a floating-point type, rounded to nearest.
    pub fn bits_of(self, value: f64) -> u64 {
        match (self.kind, self.bytes) {
            (Kind::Brain, _) => Brain::of(value, Rounding::Nearest).0.into(),
            (Kind::E4m3 | Kind::E5m2, _) => to_byte(value, self.kind).into(),
            (_, 2) => Half::of(value, Rounding::Nearest).0.into(),
            (_, 4) => (value as f32).to_bits().into(),
            _ => value.to_bits(),
        }
    }
}
