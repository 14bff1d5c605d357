//! Objects of made frames: meshes with as many triangles as are wanted.

use std::f32::consts::{PI, TAU};

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Floats of a vertex: position in clip space, colour.
pub(super) const FLOATS: u32 = 8;

/// A mesh on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object {
    /// Triangles, exactly.
    pub(super) triangles: u32,
    /// Centre, in clip space.
    pub(super) centre: [f32; 2],
    /// Half width and height, in clip space.
    pub(super) radii: [f32; 2],
    /// Depth of the centre, 0 to 1.
    pub(super) depth: f32,
    /// A closed surface, of which half faces away, or a flat one.
    pub(super) is_closed: bool,
    /// Colour and alpha.
    pub(super) color: [f32; 4],
}

/// Vertices and indices of all objects.
#[derive(Debug, Default)]
pub(super) struct Meshes {
    pub(super) floats: Vec<f32>,
    pub(super) indices: Vec<u32>,
}

impl Object {
    /// A vertex at a place of the surface, both coordinates 0 to 1: position and colour.
    fn vertex(&self, [u, v]: [f32; 2]) -> [f32; FLOATS as usize] {
        let Self { centre, radii, depth, color, .. } = *self;
        let [x, y, z] = match self.is_closed {
            // An ellipsoid, the poles at the top and the bottom.
            true => {
                let (around, down) = (u * TAU, v * PI);
                let ring = libm::sinf(down);
                [libm::sinf(around) * ring, -libm::cosf(down), -libm::cosf(around) * ring]
            }
            // Inclined: its upper edge is farther away.
            false => [2.0 * u - 1.0, 2.0 * v - 1.0, 1.0 - 2.0 * v],
        };
        let z = (depth + 0.04 * z).clamp(0.0, 0.999);
        // Nearer things are larger: w grows with depth.
        let w = 1.0 + depth;
        let light = 0.6 + 0.4 * (y - x) / 2.0;
        let [red, green, blue, alpha] = color;
        let [x, y] = [centre[0] + x * radii[0], centre[1] + y * radii[1]];
        [x * w, y * w, z * w, w, red * light, green * light, blue * light, alpha]
    }
}

impl Meshes {
    /// Adds an object: its first index, and how many there are.
    pub(super) fn add(&mut self, object: &Object) -> [u32; 2] {
        let triangles = object.triangles;
        // Cells of two triangles, about as many across as down; the last is cut.
        let cells = triangles.div_ceil(2);
        let across = (f64::from(cells).sqrt().ceil() as u32).max(1);
        let down = cells.div_ceil(across);
        let base = (self.floats.len() / FLOATS as usize) as u32;
        for row in 0..=down {
            for column in 0..=across {
                let place = [column as f32 / across as f32, row as f32 / down as f32];
                self.floats.extend(object.vertex(place));
            }
        }
        let first = self.indices.len() as u32;
        let corners = (0..cells).flat_map(|cell| {
            let at = base + cell / across * (across + 1) + cell % across;
            let below = at + across + 1;
            [[at, below, at + 1], [at + 1, below, below + 1]]
        });
        self.indices.extend(corners.take(triangles as usize).flatten());
        [first, 3 * triangles]
    }
}

/// A colour of an object.
pub(super) fn color(random: &mut Xoshiro256PlusPlus, alpha: f32) -> [f32; 4] {
    let mut channel = || random.random_range(0.15f32..1.0);
    [channel(), channel(), channel(), alpha]
}
