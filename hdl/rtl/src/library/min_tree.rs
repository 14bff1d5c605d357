//! The smallest of several values, by a balanced tree of comparisons.

use crate::{Signal, address_bits};

/// The smallest value and its index; the lowest index for equal values.
///
/// # Panics
/// If there is no value, or the widths differ.
#[track_caller]
pub fn minimum<'m>(values: &[Signal<'m>]) -> (Signal<'m>, Signal<'m>) {
    assert!(!values.is_empty(), "the minimum of no values");
    let m = values[0].module();
    let index_bits = address_bits(values.len() as u32);
    let mut level: Vec<_> =
        (0u64..).zip(values).map(|(i, &value)| (value, m.lit(index_bits, i))).collect();
    while level.len() > 1 {
        let smaller = |pair: &[(Signal<'m>, Signal<'m>)]| match pair {
            [low, high] => {
                let keep_low = low.0.le(high.0);
                (keep_low.mux(low.0, high.0), keep_low.mux(low.1, high.1))
            }
            single => single[0],
        };
        level = level.chunks(2).map(smaller).collect();
    }
    level[0]
}
