//! What the operations need of an integer type.

use super::Value;

/// 16, 32 or 64 bits, signed or not.
pub(in super::super) trait Integer: Value + Ord {
    const BITS: u32;
    fn add(self, other: Self) -> Self;
    fn add_saturating(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn sub_saturating(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn mul_high(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    fn magnitude(self) -> Self;
    fn reverse(self) -> Self;
    fn shift_left(self, amount: u32) -> Self;
    fn shift_right(self, amount: u32) -> Self;
    fn is_negative(self) -> bool;
    /// The bits, extended with zeros.
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
    /// The value.
    fn wide(self) -> i128;
    fn of_wide(value: i128) -> Self;
}

macro_rules! integer {
    ($($ty:ty, $unsigned:ty, $double:ty, $abs:expr;)*) => {
        $(impl Integer for $ty {
            const BITS: u32 = <$ty>::BITS;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn add_saturating(self, other: Self) -> Self { self.saturating_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn sub_saturating(self, other: Self) -> Self { self.saturating_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn mul_high(self, other: Self) -> Self {
                (((self as $double) * (other as $double)) >> <$ty>::BITS) as $ty
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                if other == 0 { self } else { self.wrapping_rem(other) }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self { self & other }
            #[inline(always)]
            fn or(self, other: Self) -> Self { self | other }
            #[inline(always)]
            fn xor(self, other: Self) -> Self { self ^ other }
            #[inline(always)]
            fn not(self) -> Self { !self }
            #[inline(always)]
            fn magnitude(self) -> Self { $abs(self) }
            #[inline(always)]
            fn reverse(self) -> Self { self.reverse_bits() }
            #[inline(always)]
            fn shift_left(self, amount: u32) -> Self {
                if amount < <$ty>::BITS { self << amount } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, amount: u32) -> Self {
                // Beyond the width what remains is the sign.
                self >> amount.min(<$ty>::BITS - 1)
                    >> u32::from(amount >= <$ty>::BITS)
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "written for signed types too")]
            fn is_negative(self) -> bool { self < 0 }
            #[inline(always)]
            fn bits(self) -> u64 { self as $unsigned as u64 }
            #[inline(always)]
            fn of_bits(bits: u64) -> Self { bits as $ty }
            #[inline(always)]
            fn wide(self) -> i128 { self as i128 }
            #[inline(always)]
            fn of_wide(value: i128) -> Self { value as $ty }
        })*
    };
}

integer! {
    u16, u16, u32, |value| value;
    i16, u16, i32, i16::wrapping_abs;
    u32, u32, u64, |value| value;
    i32, u32, i64, i32::wrapping_abs;
    u64, u64, u128, |value| value;
    i64, u64, i128, i64::wrapping_abs;
}

/// Calls a generic method for the Rust type of a PTX type.
macro_rules! for_type {
    ($ty:expr, $self:ident.$method:ident($($argument:expr),*)) => {
        match ($ty.is_signed(), $ty.bytes) {
            (false, 2) => $self.$method::<u16>($($argument),*),
            (true, 2) => $self.$method::<i16>($($argument),*),
            (false, 8) => $self.$method::<u64>($($argument),*),
            (true, 8) => $self.$method::<i64>($($argument),*),
            (true, _) => $self.$method::<i32>($($argument),*),
            (false, _) => $self.$method::<u32>($($argument),*),
        }
    };
}
pub(in super::super) use for_type;
