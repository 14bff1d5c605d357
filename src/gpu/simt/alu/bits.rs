//! Shifts, bit fields, and operations on words of bits.

use super::Alu;
use super::integer_type::Integer;
use super::video::{in_parts, scalar};
use crate::isa::{Bits3, PermuteMode, Source, Target};

impl Alu<'_> {
    /// Shifts; amounts beyond the width give what shifting that far gives.
    pub(in super::super) fn shift<T: Integer>(
        &mut self,
        left: bool,
        d: Target,
        a: Source,
        amount: Source,
    ) {
        match left {
            true => self.map2(d, [a, amount], |a: T, amount: u32| a.shift_left(amount)),
            false => self.map2(d, [a, amount], |a: T, amount: u32| a.shift_right(amount)),
        }
    }

    /// `bfe`
    pub(in super::super) fn extract<T: Integer>(
        &mut self,
        d: Target,
        [a, position, length]: [Source; 3],
    ) {
        let position = *self.row::<u32>(position);
        let length = *self.row::<u32>(length);
        let mut result = *self.row::<T::Word>(a);
        for (lane, word) in result.iter_mut().enumerate() {
            let (from, length) = (position[lane] & 0xff, length[lane] & 0xff);
            *word = field(T::of_word(*word), from, length).word();
        }
        self.registers.write(d, self.mask, &result);
    }

    /// `bfi`
    pub(in super::super) fn insert<T: Integer>(
        &mut self,
        d: Target,
        [a, b, position, length]: [Source; 4],
    ) {
        let position = *self.row::<u32>(position);
        let length = *self.row::<u32>(length);
        let (a, mut result) = (*self.row::<T::Word>(a), *self.row::<T::Word>(b));
        for (lane, word) in result.iter_mut().enumerate() {
            let (to, length) = (position[lane] & 0xff, length[lane] & 0xff);
            let hole = T::of_bits(low_bits(length)).shift_left(to);
            let value = T::of_word(a[lane]).shift_left(to).and(hole);
            *word = T::of_word(*word).and(hole.not()).or(value).word();
        }
        self.registers.write(d, self.mask, &result);
    }

    /// What exists for 32-bit words only.
    pub(in super::super) fn bits3(&mut self, op: Bits3, d: Target, abc: [Source; 3]) {
        match op {
            Bits3::Funnel { left, wrap } => self.map3(d, abc, |a: u32, b: u32, c: u32| {
                let both = u64::from(b) << 32 | u64::from(a);
                let amount = if wrap { c & 31 } else { c.min(32) };
                match left {
                    true => (both << amount >> 32) as u32,
                    false => (both >> amount) as u32,
                }
            }),
            Bits3::Lop3(table) => self.map3(d, abc, |a: u32, b: u32, c: u32| {
                (0..8).filter(|row| table & 1 << row != 0).fold(0, |found, row| {
                    let pick = |value: u32, bit: u32| if row & bit != 0 { value } else { !value };
                    found | pick(a, 4) & pick(b, 2) & pick(c, 1)
                })
            }),
            Bits3::Permute(mode) => {
                self.map3(d, abc, |a: u32, b: u32, c: u32| permute(mode, a, b, c))
            }
            Bits3::Dp4a { a_signed, b_signed } => self.map3(d, abc, |a: u32, b: u32, c: u32| {
                let byte = |value: u8, signed| match signed {
                    true => i32::from(value as i8),
                    false => i32::from(value),
                };
                let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
                let products = products.map(|(a, b)| byte(a, a_signed) * byte(b, b_signed));
                c.wrapping_add(products.sum::<i32>() as u32)
            }),
            Bits3::Dp2a { a_signed, b_signed, high } => {
                self.map3(d, abc, |a: u32, b: u32, c: u32| {
                    let b = if high { b >> 16 } else { b };
                    let product = |at: u32| {
                        let half = part(a >> (16 * at), 16, a_signed);
                        half.wrapping_mul(part(b >> (8 * at), 8, b_signed))
                    };
                    c.wrapping_add(product(0).wrapping_add(product(1)) as u32)
                });
            }
            Bits3::Mask { wrap } => self.map3(d, abc, |a: u32, b: u32, _: u32| {
                let (from, length) = if wrap { (a & 31, b & 31) } else { (a, b.min(32)) };
                let ones = low_bits(length) as u32;
                ones.checked_shl(from).unwrap_or(0)
            }),
            Bits3::Extend { signed, wrap } => self.map3(d, abc, |a: u32, b: u32, _: u32| {
                let length = if wrap { b & 31 } else { b.min(32) };
                match (length, signed) {
                    (0, _) => 0,
                    (_, true) => part(a, length, true) as u32,
                    (_, false) => a & low_bits(length) as u32,
                }
            }),
            Bits3::FindSet => self.map3(d, abc, find_set),
            Bits3::Pack { bits, signed } => self.map3(d, abc, |a: u32, b: u32, c: u32| {
                let bits = u32::from(bits);
                let within = |value: u32| {
                    let (least, most) = match signed {
                        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
                        false => (0, (1 << bits) - 1),
                    };
                    (value as i32).clamp(least, most) as u32 & low_bits(bits) as u32
                };
                within(b) | within(a) << bits | c.checked_shl(2 * bits).unwrap_or(0)
            }),
            Bits3::Video(video) => {
                self.map3(d, abc, |a: u32, b: u32, c: u32| in_parts(video, a, b, c));
            }
            Bits3::ScalarVideo(video) => {
                self.map3(d, abc, |a: u32, b: u32, c: u32| scalar(video, a, b, c));
            }
        }
    }
}

pub(super) fn low_bits(count: u32) -> u64 {
    1u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

/// Bits of a value from a position; beyond the field stands its sign, for signed types.
fn field<T: Integer>(value: T, from: u32, length: u32) -> T {
    let picked = T::of_bits(value.bits().checked_shr(from).unwrap_or(0) & low_bits(length));
    if length == 0 {
        return T::of_bits(0);
    }
    let sign_at = (from + length - 1).min(T::BITS - 1);
    let filled = T::of_bits(!0).is_negative() && value.bits() >> sign_at & 1 != 0;
    // The field may end beyond the value: from there on, too, stands the sign.
    let known = length.min(T::BITS.saturating_sub(from));
    match filled {
        true => picked.or(T::of_bits(!low_bits(known))),
        false => picked,
    }
}

/// The lower bits of a word, up to 32, as a number.
pub(super) fn part(word: u32, bits: u32, signed: bool) -> i32 {
    let unused = 32 - bits;
    match signed {
        true => (word << unused) as i32 >> unused,
        false => (word << unused >> unused) as i32,
    }
}

/// `fns`: the bit `base` of a mask, or the `offset`th that is set from there on, downwards if negative.
fn find_set(mask: u32, base: u32, offset: u32) -> u32 {
    let (mut left, base) = (offset as i32, base & 31);
    let is_set = |at: &u32| mask >> at & 1 != 0;
    let found = match left {
        0 => Some(base).filter(is_set),
        1.. => {
            left -= 1;
            (base..32).filter(is_set).nth(left as usize)
        }
        _ => (0..=base).rev().filter(is_set).nth(left.unsigned_abs() as usize - 1),
    };
    found.unwrap_or(u32::MAX)
}

/// `prmt`: four of the eight bytes of `b` and `a`.
fn permute(mode: PermuteMode, a: u32, b: u32, c: u32) -> u32 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let n = (c & 3) as u8;
    let select: [u8; 4] = match mode {
        PermuteMode::Index => [0, 4, 8, 12].map(|at| (c >> at) as u8 & 15),
        PermuteMode::F4e => [n, n + 1, n + 2, n + 3],
        PermuteMode::B4e => [n, (n + 7) & 7, (n + 6) & 7, (n + 5) & 7],
        PermuteMode::Rc8 => [n; 4],
        PermuteMode::Ecl => [n, n.max(1), n.max(2), 3],
        PermuteMode::Ecr => [0, n.min(1), n.min(2), n],
        PermuteMode::Rc16 => [2 * (n & 1), 2 * (n & 1) + 1, 2 * (n & 1), 2 * (n & 1) + 1],
    };
    let pick = |select: u8| {
        let byte = bytes[usize::from(select & 7)];
        // The fourth bit spreads the sign of the byte.
        if select & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 }
    };
    u32::from_le_bytes(select.map(pick))
}
