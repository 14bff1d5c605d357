//! Comparisons and selection.

use super::integer_type::Integer;
use super::real::Real;
use super::{Alu, Value, for_float, for_type};
use crate::isa::{Comparison, File, FloatClass, Source, Target, Type};
use crate::simt::registers::LANES;

impl Alu<'_> {
    /// The lanes where the comparison holds.
    pub(in super::super) fn compare(
        &mut self,
        comparison: Comparison,
        ty: Type,
        ftz: bool,
        ab: [Source; 2],
    ) -> u32 {
        match ty.is_float() {
            true => for_float!(ty, self.compare_floats(comparison, ftz, ab)),
            false => for_type!(ty, self.compare_integers(comparison, ab)),
        }
    }

    #[inline(always)]
    fn lanes_where<T: Value>(&self, [a, b]: [Source; 2], holds: impl Fn(T, T) -> bool) -> u32 {
        let (a, b) = (self.row::<T::Word>(a), self.row::<T::Word>(b));
        // In two steps, so that the comparing is vectorised.
        let mut found = [0u32; LANES];
        for lane in 0..LANES {
            let holds = holds(T::of_word(a[lane]), T::of_word(b[lane]));
            found[lane] = u32::from(holds) << lane;
        }
        found.iter().fold(0, |all, bit| all | bit)
    }

    fn compare_integers<T: Integer>(&mut self, comparison: Comparison, ab: [Source; 2]) -> u32 {
        match comparison {
            Comparison::Eq | Comparison::Equ => self.lanes_where(ab, |a: T, b| a == b),
            Comparison::Ne | Comparison::Neu => self.lanes_where(ab, |a: T, b| a != b),
            Comparison::Lt | Comparison::Ltu => self.lanes_where(ab, |a: T, b| a < b),
            Comparison::Le | Comparison::Leu => self.lanes_where(ab, |a: T, b| a <= b),
            Comparison::Gt | Comparison::Gtu => self.lanes_where(ab, |a: T, b| a > b),
            Comparison::Ge | Comparison::Geu => self.lanes_where(ab, |a: T, b| a >= b),
            Comparison::Num => u32::MAX,
            Comparison::Nan => 0,
        }
    }

    fn compare_floats<T: Real>(
        &mut self,
        comparison: Comparison,
        ftz: bool,
        ab: [Source; 2],
    ) -> u32 {
        let edge = move |value: T| if ftz { value.flushed() } else { value };
        let nan = |a: T, b: T| a.not_a_number() || b.not_a_number();
        match comparison {
            Comparison::Eq => self.lanes_where(ab, |a: T, b| edge(a) == edge(b)),
            Comparison::Neu => self.lanes_where(ab, |a: T, b| edge(a) != edge(b)),
            Comparison::Lt => self.lanes_where(ab, |a: T, b| edge(a) < edge(b)),
            Comparison::Le => self.lanes_where(ab, |a: T, b| edge(a) <= edge(b)),
            Comparison::Gt => self.lanes_where(ab, |a: T, b| edge(a) > edge(b)),
            Comparison::Ge => self.lanes_where(ab, |a: T, b| edge(a) >= edge(b)),
            Comparison::Ne => self.lanes_where(ab, |a: T, b| !nan(a, b) && edge(a) != edge(b)),
            Comparison::Equ => self.lanes_where(ab, |a: T, b| nan(a, b) || edge(a) == edge(b)),
            Comparison::Ltu => self.lanes_where(ab, |a: T, b| nan(a, b) || edge(a) < edge(b)),
            Comparison::Leu => self.lanes_where(ab, |a: T, b| nan(a, b) || edge(a) <= edge(b)),
            Comparison::Gtu => self.lanes_where(ab, |a: T, b| nan(a, b) || edge(a) > edge(b)),
            Comparison::Geu => self.lanes_where(ab, |a: T, b| nan(a, b) || edge(a) >= edge(b)),
            Comparison::Num => self.lanes_where(ab, |a: T, b| !nan(a, b)),
            Comparison::Nan => self.lanes_where(ab, nan),
        }
    }

    /// The lanes where a float is of the class.
    pub(in super::super) fn test_float(&mut self, class: FloatClass, ty: Type, a: Source) -> u32 {
        match ty.bytes {
            8 => self.lanes_where([a, a], |a: f64, _| is_of(class, a)),
            _ => self.lanes_where([a, a], |a: f32, _| is_of(class, a)),
        }
    }

    /// `a` where the bit of the lane is set, `b` elsewhere.
    pub(in super::super) fn select(
        &mut self,
        file: File,
        d: Target,
        [a, b]: [Source; 2],
        bits: u32,
    ) {
        match file {
            File::Wide => self.select_of::<u64>(d, a, b, bits),
            _ => self.select_of::<u32>(d, a, b, bits),
        }
    }

    fn select_of<T: Value>(&mut self, d: Target, a: Source, b: Source, bits: u32) {
        let (a, b) = (self.row::<T::Word>(a), self.row::<T::Word>(b));
        let mut result = *b;
        for lane in 0..LANES {
            result[lane] = if bits & 1 << lane != 0 { a[lane] } else { b[lane] };
        }
        self.registers.write(d, self.mask, &result);
    }

    /// The lanes where a value is not negative (`slct`).
    pub(in super::super) fn not_negative(&mut self, ty: Type, ftz: bool, a: Source) -> u32 {
        let edge = |value: f32| if ftz { value.flushed() } else { value };
        match ty.is_float() {
            true => self.lanes_where([a, a], |a: f32, _| edge(a) >= 0.0),
            false => self.lanes_where([a, a], |a: i32, _| a >= 0),
        }
    }
}

fn is_of<T: Real>(class: FloatClass, value: T) -> bool {
    match class {
        FloatClass::Finite => value.finite(),
        FloatClass::Infinite => !value.finite() && !value.not_a_number(),
        FloatClass::Number => !value.not_a_number(),
        FloatClass::NotANumber => value.not_a_number(),
        FloatClass::Normal => value.finite() && !value.subnormal() && value != T::ZERO,
        FloatClass::Subnormal => value.subnormal(),
    }
}
