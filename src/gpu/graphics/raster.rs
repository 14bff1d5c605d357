//! Which pixels a triangle covers.

use super::setup::{Edge, Setup};
use super::viewport::SUBPIXEL;

/// Pixels of a block's side: what the ROP keeps together, and the unit in which images are exchanged.
pub const BLOCK: i64 = 8;

/// A part of a target, in pixels; the last column and row are beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Columns.
    pub x: [i64; 2],
    /// Rows.
    pub y: [i64; 2],
}

/// Two by two pixels at even coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quad {
    /// Left column.
    pub x: u16,
    /// Upper row.
    pub y: u16,
    /// Pixels that are covered, a bit each, row by row.
    pub mask: u8,
}

/// First and last coordinate whose pixel's centre lies in a range of sub-pixels and in the bounds.
fn pixels([low, high]: [i64; 2], bounds: [i64; 2]) -> [i64; 2] {
    let first = (low - SUBPIXEL / 2 + SUBPIXEL - 1).div_euclid(SUBPIXEL);
    let last = (high - SUBPIXEL / 2).div_euclid(SUBPIXEL);
    [first.max(bounds[0]), last.min(bounds[1] - 1)]
}

/// Values of three edge functions, less what is needed to be inside.
type Values = [i64; 3];

fn add(values: Values, to: Values) -> Values {
    [values[0] + to[0], values[1] + to[1], values[2] + to[2]]
}

impl Setup {
    /// The triangle's pixels within the bounds: first and last column, first and last row. None if there are none.
    pub fn pixels(&self, bounds: &Bounds) -> Option<Bounds> {
        let [x, y] = [pixels(self.extent[0], bounds.x), pixels(self.extent[1], bounds.y)];
        let found = Bounds { x: [x[0], x[1] + 1], y: [y[0], y[1] + 1] };
        (x[0] <= x[1] && y[0] <= y[1]).then_some(found)
    }

    /// Visits the quads with a covered pixel in the blocks that are wanted, given by their column and row: block by
    /// block and quad by quad, row by row.
    pub fn quads(
        &self,
        bounds: &Bounds,
        wanted: impl Fn(i64, i64) -> bool,
        mut visit: impl FnMut(Quad),
    ) {
        let Some(pixels) = self.pixels(bounds) else { return };
        let [columns, rows] = [pixels.x, pixels.y].map(|[first, end]| {
            let last = end - 1;
            first / BLOCK..=last / BLOCK
        });
        for row in rows {
            for column in columns.clone() {
                if wanted(column, row) {
                    self.block(column * BLOCK, row * BLOCK, &pixels, &mut visit);
                }
            }
        }
    }

    /// Visits the quads of one block, whose upper left pixel is given.
    fn block(&self, x: i64, y: i64, pixels: &Bounds, visit: &mut impl FnMut(Quad)) {
        let within =
            |from: i64, [first, end]: [i64; 2]| [first.max(from) & !1, end.min(from + BLOCK)];
        let [columns, rows] = [within(x, pixels.x), within(y, pixels.y)];
        let first = self.edges.map(|edge| edge.at(columns[0], rows[0]) - edge.least());
        let step = |of: fn(&Edge) -> i64| self.edges.map(|edge| of(&edge) * SUBPIXEL);
        let (right, down) = (step(|edge| edge.a), step(|edge| edge.b));
        let is_beyond = |edge: usize| {
            let reach = |step: i64, [from, to]: [i64; 2]| step.max(0) * (to - from);
            first[edge] + reach(right[edge], columns) + reach(down[edge], rows) < 0
        };
        if (0..3).any(is_beyond) {
            return;
        }
        let inside = |at: Values| u8::from((at[0] | at[1] | at[2]) >= 0);
        let mut start = first;
        for top in (rows[0]..rows[1]).step_by(2) {
            let mut at = start;
            for left in (columns[0]..columns[1]).step_by(2) {
                let below = add(at, down);
                let mut mask = inside(at)
                    | inside(add(at, right)) << 1
                    | inside(below) << 2
                    | inside(add(below, right)) << 3;
                mask &= outside_mask(left, pixels.x, [0b0101, 0b1010]);
                mask &= outside_mask(top, pixels.y, [0b0011, 0b1100]);
                if mask != 0 {
                    visit(Quad { x: left as u16, y: top as u16, mask });
                }
                at = add(add(at, right), right);
            }
            start = add(add(start, down), down);
        }
    }
}

/// The pixels of a quad that are within the range, along one axis: those at its first and at its second coordinate.
fn outside_mask(at: i64, [first, end]: [i64; 2], [one, other]: [u8; 2]) -> u8 {
    (if at >= first { one } else { 0 }) | (if at + 1 < end { other } else { 0 })
}
