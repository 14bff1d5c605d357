//! Matrices of models and cameras: rows of columns, applied to columns.

/// A matrix, row by row.
pub(super) type Matrix = [[f32; 4]; 4];

/// Changes nothing.
pub(super) const UNIT: Matrix = diagonal([1.0; 4]);

const fn diagonal([x, y, z, w]: [f32; 4]) -> Matrix {
    [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0], [0.0, 0.0, 0.0, w]]
}

/// From columns, as glTF has them.
pub(super) fn of_columns(columns: [[f32; 4]; 4]) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row]))
}

/// The second first, then the first.
pub(super) fn times(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (0..4).map(|at| a[row][at] * b[at][column]).sum())
    })
}

/// A point (w is 1) or a direction (w is 0).
pub(super) fn apply(matrix: &Matrix, [x, y, z]: [f32; 3], w: f32) -> [f32; 3] {
    std::array::from_fn(|row| {
        let [a, b, c, d] = matrix[row];
        a * x + b * y + c * z + d * w
    })
}

pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Unit vector of the same direction; the zero vector stays.
pub(super) fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|it| it / length) } else { a }
}

/// Perspective projection along the negative z axis to Vulkan's clip space: y downwards, z from 0 to w. `angle` is the
/// vertical field of view, in radians.
pub(super) fn perspective(angle: f32, aspect: f32, near: f32, far: f32) -> Matrix {
    let scale = 1.0 / libm::tanf(angle / 2.0);
    let z = far / (near - far);
    let mut matrix = diagonal([scale / aspect, -scale, z, 0.0]);
    (matrix[2][3], matrix[3][2]) = (near * z, -1.0);
    matrix
}

/// Orthographic projection to the same clip space, from half the width and half the height of the view.
pub(super) fn orthographic([width, height]: [f32; 2], near: f32, far: f32) -> Matrix {
    let z = 1.0 / (near - far);
    let mut matrix = diagonal([1.0 / width, -1.0 / height, z, 1.0]);
    matrix[2][3] = near * z;
    matrix
}

/// From the world to what an eye sees that looks at a point, y upwards.
pub(super) fn look(eye: [f32; 3], at: [f32; 3]) -> Matrix {
    let back = unit(minus(eye, at));
    let right = unit(cross([0.0, 1.0, 0.0], back));
    let row = |axis: [f32; 3]| [axis[0], axis[1], axis[2], -dot(axis, eye)];
    [row(right), row(cross(back, right)), row(back), [0.0, 0.0, 0.0, 1.0]]
}

/// From the world to a camera whose place in the world is given: turned and moved, not scaled.
pub(super) fn inverse_of_rigid(matrix: &Matrix) -> Matrix {
    let axis = |column: usize| unit([matrix[0][column], matrix[1][column], matrix[2][column]]);
    let place = [matrix[0][3], matrix[1][3], matrix[2][3]];
    let row = |axis: [f32; 3]| [axis[0], axis[1], axis[2], -dot(axis, place)];
    [row(axis(0)), row(axis(1)), row(axis(2)), [0.0, 0.0, 0.0, 1.0]]
}

/// Mirrors: what was against the clock is with it.
pub(super) fn mirrors(matrix: &Matrix) -> bool {
    let column = |at: usize| [matrix[0][at], matrix[1][at], matrix[2][at]];
    dot(cross(column(0), column(1)), column(2)) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_front_of_the_eye_is_in_the_middle() {
        let view = look([1.0, 2.0, 5.0], [1.0, 2.0, 0.0]);
        let clip = times(&perspective(1.0, 1.5, 0.5, 50.0), &view);
        let [x, y, z] = apply(&clip, [1.0, 2.0, 4.5], 1.0);
        assert!(x.abs() + y.abs() + z.abs() < 1e-5, "on the near plane: {x} {y} {z}");
        let [.., y, z] = apply(&clip, [1.0, 3.0, -45.0], 1.0);
        assert!(y < 0.0 && (z - 50.0).abs() < 1e-3, "upwards, and on the far plane: {y} {z}");
        let there = of_columns([
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [1.0, 2.0, 5.0, 1.0],
        ]);
        assert_eq!(inverse_of_rigid(&there), view);
        assert!(!mirrors(&there) && mirrors(&diagonal([1.0, -1.0, 1.0, 1.0])));
        assert_eq!(times(&UNIT, &view), view);
        let flat = orthographic([2.0, 4.0], 1.0, 3.0);
        assert_eq!(apply(&flat, [2.0, 4.0, -1.0], 1.0), [1.0, -1.0, 0.0]);
        assert_eq!(apply(&flat, [0.0, 0.0, -3.0], 1.0), [0.0, 0.0, 1.0]);
    }
}
