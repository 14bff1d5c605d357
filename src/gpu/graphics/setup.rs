//! A triangle on the screen: its area, edges and what is interpolated over it.

use serde::{Deserialize, Serialize};

use super::planted::{self, Fault};
use super::raster::Bounds;
use super::viewport::{Placed, SUBPIXEL};

/// Which triangles are dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Facing {
    /// None.
    #[default]
    None,
    /// Front faces.
    Front,
    /// Back faces.
    Back,
    /// All.
    Both,
}

/// The direction, as the viewer sees it, in which the vertices of a front face follow each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winding {
    /// Against the clock.
    #[default]
    Ccw,
    /// With it.
    Cw,
}

/// An edge function, a x + b y + c with x and y in sub-pixels: positive inside, and zero on the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Factor of x.
    pub a: i64,
    /// Factor of y.
    pub b: i64,
    /// The rest.
    pub c: i64,
}

impl Edge {
    /// At the centre of a pixel.
    #[inline]
    pub fn at(&self, x: i64, y: i64) -> i64 {
        let [x, y] = [x, y].map(|at| at * SUBPIXEL + SUBPIXEL / 2);
        self.a * x + self.b * y + self.c
    }

    /// Least value that is inside: D3D11's rule gives the triangle its top and left edges.
    #[inline]
    pub fn least(&self) -> i64 {
        let is_top_or_left = self.a > 0 || self.a == 0 && self.b > 0;
        i64::from(!is_top_or_left && !planted::is(Fault::AllEdges))
    }
}

/// A triangle that is ready for the rasterizer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// Each vertex's weight is the function of the edge across from it; their sum is `area`.
    pub edges: [Edge; 3],
    /// Twice the area, in square sub-pixels; positive.
    pub area: i64,
    depths: [u32; 3],
    /// 1 / w of each vertex.
    pub inverse_w: [f64; 3],
    /// Least and greatest x, then y, in sub-pixels.
    pub extent: [[i64; 2]; 2],
}

/// Twice the area: positive if the vertices go with the clock as the viewer sees them.
fn signed_area([a, b, c]: &[Placed; 3]) -> i64 {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
}

impl Facing {
    /// A triangle is dropped.
    pub fn culls(self, vertices: &[Placed; 3], front: Winding) -> bool {
        let is_front = (signed_area(vertices) > 0) == (front == Winding::Cw);
        match self {
            Self::None => false,
            Self::Front => is_front,
            Self::Back => !is_front,
            Self::Both => true,
        }
    }
}

impl Setup {
    /// None if the triangle has no area.
    pub fn new(vertices: &[Placed; 3]) -> Option<Self> {
        let area = signed_area(vertices);
        if area == 0 {
            return None;
        }
        let sign = area.signum();
        let edge = |at: usize| {
            let [from, to] = [1, 2].map(|step| vertices[(at + step) % 3]);
            let [a, b] = [(from.y - to.y) * sign, (to.x - from.x) * sign];
            Edge { a, b, c: -(a * from.x + b * from.y) }
        };
        let [xs, ys] = [vertices.map(|it| it.x), vertices.map(|it| it.y)];
        let extent = [xs, ys].map(|of| {
            let [a, b, c] = of;
            [a.min(b).min(c), a.max(b).max(c)]
        });
        Some(Self {
            edges: [edge(0), edge(1), edge(2)],
            area: area.abs(),
            depths: vertices.map(|it| it.depth),
            inverse_w: vertices.map(|it| it.inverse_w),
            extent,
        })
    }

    /// The part of the bounds that its extent touches, in pixels; of an extent beyond them what is nearest.
    pub fn extent_within(&self, bounds: &Bounds) -> Bounds {
        let within = |[low, high]: [i64; 2], [first, end]: [i64; 2]| {
            let [low, high] = [low, high].map(|at| at.div_euclid(SUBPIXEL).clamp(first, end - 1));
            [low, high + 1]
        };
        Bounds { x: within(self.extent[0], bounds.x), y: within(self.extent[1], bounds.y) }
    }

    /// The weights of the vertices at the centre of a pixel.
    #[inline]
    pub fn weights(&self, x: i64, y: i64) -> [i64; 3] {
        [self.edges[0].at(x, y), self.edges[1].at(x, y), self.edges[2].at(x, y)]
    }

    /// Depth where the weights of the vertices are these and none is negative: the exact value, rounded to nearest,
    /// half up.
    #[inline]
    pub fn depth(&self, weights: [i64; 3]) -> u32 {
        if self.area < 1 << 38 {
            // 38 bits of weights, 24 of depth and one more fit.
            let sum = (0..3).map(|at| weights[at] as u64 * u64::from(self.depths[at])).sum::<u64>();
            let area = self.area as u64;
            return ((2 * sum + area) / (2 * area)) as u32;
        }
        let sum = (0..3).map(|at| i128::from(weights[at]) * i128::from(self.depths[at]));
        let area = i128::from(self.area);
        ((2 * sum.sum::<i128>() + area) / (2 * area)) as u32
    }
}

/// Interpolates a varying between three vertices: their weights, 1 / w, and the varying of each over its w. Summed in
/// order, and rounded once.
#[inline]
pub fn varying(weights: [f64; 3], inverse_w: [f64; 3], over_w: [f64; 3]) -> f32 {
    (sum(weights, over_w) / sum(weights, inverse_w)) as f32
}

/// Three products, summed in order.
#[inline]
pub(super) fn sum(weights: [f64; 3], values: [f64; 3]) -> f64 {
    weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2]
}
