//! Integer arithmetic, of 16, 32 and 64 bits, signed and not.
//!
//! PTX leaves division by zero to the machine; as on NVIDIA's, the quotient is all ones and the
//! remainder is the dividend.

use super::Alu;
use super::integer_type::Integer;
use crate::isa::{Carry, Count, Integer1, Integer2, Integer3, Source, Target, Type};

impl Alu<'_> {
    pub(in super::super) fn integer1<T: Integer>(&mut self, op: Integer1, d: Target, a: Source) {
        match op {
            Integer1::Abs => self.map1(d, a, T::magnitude),
            Integer1::Neg => self.map1(d, a, |a: T| T::of_bits(0).sub(a)),
            Integer1::Not => self.map1(d, a, T::not),
            Integer1::Cnot => self.map1(d, a, |a: T| T::of_bits(u64::from(a.bits() == 0))),
            Integer1::Brev => self.map1(d, a, T::reverse),
        }
    }

    pub(in super::super) fn count<T: Integer>(&mut self, op: Count, d: Target, a: Source) {
        let zeros = |bits: u64| bits.leading_zeros() - (64 - T::BITS);
        // The highest bit that differs from the sign.
        let found = |a: T| zeros(if a.is_negative() { a.not().bits() } else { a.bits() });
        match op {
            Count::Popc => self.map1(d, a, |a: T| a.bits().count_ones()),
            Count::Clz => self.map1(d, a, |a: T| zeros(a.bits())),
            Count::Bfind => self.map1(d, a, |a: T| (T::BITS - 1).wrapping_sub(found(a))),
            Count::BfindShift => self.map1(d, a, |a: T| match found(a) {
                none if none == T::BITS => u32::MAX,
                shift => shift,
            }),
        }
    }

    pub(in super::super) fn integer2<T: Integer>(
        &mut self,
        op: Integer2,
        d: Target,
        ab: [Source; 2],
    ) {
        match op {
            Integer2::Add => self.map2(d, ab, T::add),
            Integer2::AddSat => self.map2(d, ab, T::add_saturating),
            Integer2::Sub => self.map2(d, ab, T::sub),
            Integer2::SubSat => self.map2(d, ab, T::sub_saturating),
            Integer2::MulLo => self.map2(d, ab, T::mul),
            Integer2::MulHi => self.map2(d, ab, T::mul_high),
            Integer2::Mul24Lo => self.map2(d, ab, |a: T, b: T| T::of_wide(mul24(a, b))),
            Integer2::Mul24Hi => self.map2(d, ab, |a: T, b: T| T::of_wide(mul24(a, b) >> 16)),
            Integer2::Div => self.map2(d, ab, T::div),
            Integer2::Rem => self.map2(d, ab, T::rem),
            Integer2::Min => self.map2(d, ab, |a: T, b: T| a.min(b)),
            Integer2::Max => self.map2(d, ab, |a: T, b: T| a.max(b)),
            Integer2::And => self.map2(d, ab, T::and),
            Integer2::Or => self.map2(d, ab, T::or),
            Integer2::Xor => self.map2(d, ab, T::xor),
        }
    }

    pub(in super::super) fn integer3<T: Integer>(
        &mut self,
        op: Integer3,
        d: Target,
        abc: [Source; 3],
    ) {
        match op {
            Integer3::MadLo => self.map3(d, abc, |a: T, b, c: T| a.mul(b).add(c)),
            Integer3::MadHi => self.map3(d, abc, |a: T, b, c: T| a.mul_high(b).add(c)),
            Integer3::MadHiSat => {
                self.map3(d, abc, |a: T, b, c: T| a.mul_high(b).add_saturating(c));
            }
            Integer3::Mad24Lo => self.map3(d, abc, |a: T, b, c: T| T::of_wide(mul24(a, b)).add(c)),
            Integer3::Mad24Hi => {
                self.map3(d, abc, |a: T, b, c: T| T::of_wide(mul24(a, b) >> 16).add(c));
            }
            Integer3::Mad24HiSat => {
                self.map3(d, abc, |a: T, b, c: T| T::of_wide(mul24(a, b) >> 16).add_saturating(c))
            }
            Integer3::Sad => {
                self.map3(d, abc, |a: T, b: T, c: T| c.add(if a < b { b.sub(a) } else { a.sub(b) }))
            }
        }
    }

    /// `mul.wide`, and `mad.wide` with `c`.
    pub(in super::super) fn widening(
        &mut self,
        ty: Type,
        d: Target,
        a: Source,
        b: Source,
        c: Option<Source>,
    ) {
        macro_rules! widening {
            ($narrow:ty, $wide:ty) => {{
                let product = |a: $narrow, b: $narrow| <$wide>::from(a) * <$wide>::from(b);
                match c {
                    None => self.map2(d, [a, b], product),
                    Some(c) => self.map3(d, [a, b, c], |a: $narrow, b, c: $wide| {
                        c.wrapping_add(product(a, b))
                    }),
                }
            }};
        }
        match (ty.is_signed(), ty.bytes) {
            (false, 2) => widening!(u16, u32),
            (true, 2) => widening!(i16, i32),
            (false, _) => widening!(u32, u64),
            (true, _) => widening!(i32, i64),
        }
    }

    /// Additions and subtractions that read or write the carry flag. As in hardware it is the adder's carry, of
    /// a + !b + 1 where b is subtracted: no borrow. PTX leaves that open (9.7.2), and NVIDIA's division of 128 bits
    /// adds the carry of a subtraction.
    pub(in super::super) fn carry<T: Integer>(
        &mut self,
        [carry_in, carry_out]: [bool; 2],
        op: Carry,
        d: Target,
        abc: [Source; 3],
    ) {
        let rows = abc.map(|source| *self.row::<T::Word>(source));
        let mut result = rows[0];
        let mut out = 0;
        for (lane, result) in result.iter_mut().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|at: usize| T::of_word(rows[at][lane]));
            let flag = match carry_in {
                true => u128::from(*self.carry & 1 << lane != 0),
                false => u128::from(op == Carry::Sub),
            };
            let (x, y) = match op {
                Carry::Add | Carry::Sub => (a, b),
                Carry::MadLo => (a.mul(b), c),
                Carry::MadHi => (a.mul_high(b), c),
            };
            let y = if op == Carry::Sub { y.not() } else { y };
            let total = u128::from(x.bits()) + u128::from(y.bits()) + flag;
            *result = T::of_bits(total as u64).word();
            out |= u32::from(total >> T::BITS != 0) << lane;
        }
        self.registers.write(d, self.mask, &result);
        if carry_out {
            *self.carry = *self.carry & !self.mask | out & self.mask;
        }
    }
}

/// The product of the low 24 bits.
#[inline(always)]
fn mul24<T: Integer>(a: T, b: T) -> i128 {
    let low = |value: T| value.shift_left(8).shift_right(8).wide();
    low(a) * low(b)
}
