//! One-hot codes: at most one bit is one.

use crate::{ModuleBuilder, Signal};

/// The one-hot code of `index`: `count` bits, none set if the index is not below `count`.
pub fn decode(index: Signal<'_>, count: u32) -> Signal<'_> {
    let fits = |i: u32| index.width() >= 32 || i >> index.width() == 0;
    let m = index.module();
    let bit = |i| if fits(i) { index.eq(i) } else { m.lit(1, 0) };
    m.concat_low_first(&(0..count).map(bit).collect::<Vec<_>>())
}

/// The index of the bit that is one; 0 if none is.
pub fn encode(one_hot: Signal<'_>) -> Signal<'_> {
    let m = one_hot.module();
    let bits = one_hot.to_bits();
    let index_bit = |k: u32| {
        let with_bit = (0u32..).zip(&bits).filter(|(i, _)| i >> k & 1 == 1).map(|(_, b)| *b);
        any_of(m, with_bit.collect())
    };
    let width = crate::address_bits(one_hot.width());
    m.concat_low_first(&(0..width).map(index_bit).collect::<Vec<_>>())
}

/// The value whose bit in `one_hot` is one; zero if none is.
///
/// # Panics
/// If there is not one value a bit.
#[track_caller]
pub fn select<'m>(one_hot: Signal<'m>, values: &[Signal<'m>]) -> Signal<'m> {
    assert!(
        one_hot.width() as usize == values.len(),
        "{one_hot} selects among {} values, but {} are given",
        one_hot.width(),
        values.len()
    );
    let masked = one_hot.to_bits().into_iter().zip(values).map(|(bit, value)| value.and_where(bit));
    masked.reduce(|a, b| a | b).expect("at least one bit")
}

/// The lowest one alone: a priority arbiter, bit 0 first.
pub fn lowest(requests: Signal<'_>) -> Signal<'_> {
    requests & (!requests + 1)
}

/// For each bit, whether any bit below it is one.
pub fn above_lowest(requests: Signal<'_>) -> Signal<'_> {
    let m = requests.module();
    let mut below = m.lit(1, 0);
    let mut above = Vec::new();
    for bit in requests.to_bits() {
        above.push(below);
        below = below | bit;
    }
    m.concat_low_first(&above)
}

/// Whether any of the one-bit signals is one; zero for none.
pub fn any_of<'m>(m: &'m ModuleBuilder, bits: Vec<Signal<'m>>) -> Signal<'m> {
    match bits.is_empty() {
        true => m.lit(1, 0),
        false => m.concat_low_first(&bits).any(),
    }
}
