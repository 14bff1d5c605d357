//! Clipping: to the volume of Vulkan in z, and in x and y to a guard band.

use super::planted::{self, Fault};
use super::viewport::{GUARD_BAND, Viewport};

/// Most varyings of a vertex: 32 outputs without the position.
pub const MOST_VARYINGS: usize = 28;

/// A shaded vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// Position in clip space.
    pub position: [f64; 4],
    /// Varyings.
    pub varyings: [f64; MOST_VARYINGS],
}

impl Default for Vertex {
    fn default() -> Self {
        Self { position: [0.0; 4], varyings: [0.0; MOST_VARYINGS] }
    }
}

/// Outcome of clipping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clipped {
    /// All of it is left.
    Whole,
    /// A part is left: a convex polygon.
    Part,
    /// Nothing is left.
    Outside,
    /// A position is NaN or infinite.
    NotFinite,
}

/// Distances to the planes, which are not negative inside: near, far, left, right, top, bottom.
fn distances([x, y, z, w]: [f64; 4], [half, centre]: [[f64; 2]; 2]) -> [f64; 6] {
    let low = |value: f64, axis: usize| value * half[axis] + w * (centre[axis] + GUARD_BAND);
    let high = |value: f64, axis: usize| w * (GUARD_BAND - centre[axis]) - value * half[axis];
    [z, w - z, low(x, 0), high(x, 0), low(y, 1), high(y, 1)]
}

/// All of a triangle is beyond one plane of the volume.
fn is_outside(triangle: &[Vertex; 3]) -> bool {
    let all = |outside: fn([f64; 4]) -> bool| triangle.iter().all(|it| outside(it.position));
    all(|[_, _, z, _]| z < 0.0)
        || all(|[_, _, z, w]| z > w)
        || all(|[x, _, _, w]| x < -w)
        || all(|[x, _, _, w]| x > w)
        || all(|[_, y, _, w]| y < -w)
        || all(|[_, y, _, w]| y > w)
}

/// Clips a triangle whose vertices have so many varyings; what is left of it is in `polygon`.
pub fn clip(
    triangle: &[Vertex; 3],
    varyings: usize,
    viewport: &Viewport,
    polygon: &mut Vec<Vertex>,
) -> Clipped {
    polygon.clear();
    if triangle.iter().any(|it| it.position.iter().any(|value| !value.is_finite())) {
        return Clipped::NotFinite;
    }
    if is_outside(triangle) {
        return Clipped::Outside;
    }
    polygon.extend(triangle);
    let halves = viewport.halves();
    let inside = |it: &Vertex| distances(it.position, halves).iter().all(|far| *far >= 0.0);
    if triangle.iter().all(inside) {
        return Clipped::Whole;
    }
    for plane in 0..6 {
        let before = std::mem::take(polygon);
        for (at, vertex) in before.iter().enumerate() {
            let next = &before[(at + 1) % before.len()];
            let [here, there] = [vertex, next].map(|it| distances(it.position, halves)[plane]);
            if here >= 0.0 {
                polygon.push(*vertex);
            }
            // From inside to outside, so that neighbours get the same point.
            match (here >= 0.0, there >= 0.0) {
                (true, false) => polygon.push(between(vertex, next, here, there, varyings)),
                (false, true) if planted::is(Fault::ClipsInOrder) => {
                    polygon.push(between(vertex, next, here, there, varyings));
                }
                (false, true) => polygon.push(between(next, vertex, there, here, varyings)),
                _ => {}
            }
        }
    }
    if polygon.len() < 3 { Clipped::Outside } else { Clipped::Part }
}

/// The point on a plane between a vertex inside and one outside, whose distances are given.
fn between(inside: &Vertex, outside: &Vertex, here: f64, there: f64, varyings: usize) -> Vertex {
    let share = here / (here - there);
    let mut vertex = *inside;
    let towards = |from: &mut f64, to: f64| *from += share * (to - *from);
    vertex.position.iter_mut().zip(outside.position).for_each(|(from, to)| towards(from, to));
    let varyings = vertex.varyings.iter_mut().zip(outside.varyings).take(varyings);
    varyings.for_each(|(from, to)| towards(from, to));
    vertex
}
