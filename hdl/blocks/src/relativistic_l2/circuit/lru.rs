//! Least recently used, as a matrix: for each pair of ways, a bit says that the higher one was used later.

use crate::kit::*;

/// Bits of the matrix.
pub(in crate::relativistic_l2) fn bits(ways: u32) -> u32 {
    ways * (ways - 1) / 2
}

/// The bit of a pair, in the rows of the triangle.
fn pair(low: u32, high: u32) -> u32 {
    bits(high) + low
}

/// One if `way` was used later than `other`.
pub(in crate::relativistic_l2) fn later(matrix: Signal<'_>, way: u32, other: u32) -> Signal<'_> {
    match way > other {
        true => matrix.bit(pair(other, way)),
        false => !matrix.bit(pair(way, other)),
    }
}

/// The least recently used of some ways, one-hot.
pub(super) fn oldest<'m>(matrix: Option<Signal<'m>>, of: Signal<'m>) -> Signal<'m> {
    let Some(matrix) = matrix else { return of };
    let oldest = |way: u32| {
        let others = (0..of.width()).filter(|&other| other != way);
        let behind = others.map(|other| !of.bit(other) | later(matrix, other, way));
        of.bit(way) & column(of.module(), behind).all()
    };
    column(of.module(), (0..of.width()).map(oldest))
}

/// The matrix after a way, one-hot, was used.
pub(super) fn used<'m>(matrix: Signal<'m>, way: Signal<'m>) -> Signal<'m> {
    let pairs = (0..way.width()).flat_map(|high| (0..high).map(move |low| (low, high)));
    let bit =
        |(low, high): (u32, u32)| (matrix.bit(pair(low, high)) | way.bit(high)) & !way.bit(low);
    column(matrix.module(), pairs.map(bit))
}
