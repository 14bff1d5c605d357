//! Arithmetic of a warp, by class of operation.

mod bits;
mod compare;
mod convert;
mod float;
mod integer;
mod integer_type;
mod real;
mod round;
mod small;
mod video;

use super::registers::{Image, LANES, Lanes, Registers, Word};
use crate::isa::{Source, Target};
pub(super) use {
    float::extreme,
    integer_type::for_type,
    real::{for_float, for_packed},
    round::Directed,
    small::{Pair, sum_to_odd},
};

/// What an operation works on: the registers, and the lanes that take part.
pub(super) struct Alu<'a> {
    pub(super) registers: &'a mut Registers,
    pub(super) image: &'a Image,
    pub(super) mask: u32,
    /// The carry flag, one bit a lane.
    pub(super) carry: &'a mut u32,
}

/// A type that lives in a word of a register.
pub(super) trait Value: Copy {
    type Word: Word;
    fn of_word(word: Self::Word) -> Self;
    fn word(self) -> Self::Word;
}

macro_rules! value {
    ($($ty:ty, $word:ty, $of:expr, $to:expr;)*) => {
        $(impl Value for $ty {
            type Word = $word;
            #[inline(always)]
            fn of_word(word: $word) -> Self {
                $of(word)
            }
            #[inline(always)]
            fn word(self) -> $word {
                $to(self)
            }
        })*
    };
}

value! {
    u16, u32, |word| word as u16, u32::from;
    i16, u32, |word| word as i16, |value| u32::from(value as u16);
    u32, u32, |word| word, |value| value;
    i32, u32, |word| word as i32, |value| value as u32;
    u64, u64, |word| word, |value| value;
    i64, u64, |word| word as i64, |value| value as u64;
    f32, u32, f32::from_bits, f32::to_bits;
    f64, u64, f64::from_bits, f64::to_bits;
}

impl Alu<'_> {
    #[inline]
    fn row<W: Word>(&self, source: Source) -> &Lanes<W> {
        W::row(self.registers, self.image, source)
    }

    #[inline(always)]
    fn map1<A: Value, D: Value>(&mut self, d: Target, a: Source, f: impl Fn(A) -> D) {
        let a = self.row::<A::Word>(a);
        let mut result = [D::Word::default(); LANES];
        for lane in 0..LANES {
            result[lane] = f(A::of_word(a[lane])).word();
        }
        self.registers.write(d, self.mask, &result);
    }

    #[inline(always)]
    fn map2<A: Value, B: Value, D: Value>(
        &mut self,
        d: Target,
        [a, b]: [Source; 2],
        f: impl Fn(A, B) -> D,
    ) {
        let (a, b) = (self.row::<A::Word>(a), self.row::<B::Word>(b));
        let mut result = [D::Word::default(); LANES];
        for lane in 0..LANES {
            result[lane] = f(A::of_word(a[lane]), B::of_word(b[lane])).word();
        }
        self.registers.write(d, self.mask, &result);
    }

    #[inline(always)]
    fn map3<A: Value, C: Value, D: Value>(
        &mut self,
        d: Target,
        [a, b, c]: [Source; 3],
        f: impl Fn(A, A, C) -> D,
    ) {
        let (a, b) = (self.row::<A::Word>(a), self.row::<A::Word>(b));
        let c = self.row::<C::Word>(c);
        let mut result = [D::Word::default(); LANES];
        for lane in 0..LANES {
            let (a, b) = (A::of_word(a[lane]), A::of_word(b[lane]));
            result[lane] = f(a, b, C::of_word(c[lane])).word();
        }
        self.registers.write(d, self.mask, &result);
    }
}
