//! Stacks of matrices.

use super::call::{Call, Fault, numbers, refused};
use crate::graphics::make::camera::{Matrix, UNIT, of_columns, times, unit};

const MODES: [&str; 3] = ["GL_MODELVIEW", "GL_PROJECTION", "GL_TEXTURE"];

/// The stacks, and which of them calls change.
#[derive(Debug)]
pub(super) struct Matrices {
    stacks: [Vec<Matrix>; 3],
    mode: usize,
}

impl Default for Matrices {
    fn default() -> Self {
        Self { stacks: [(); 3].map(|()| vec![UNIT]), mode: 0 }
    }
}

impl Matrices {
    /// Model and view, projection, texture.
    pub(super) fn tops(&self) -> [Matrix; 3] {
        [0, 1, 2].map(|mode| self.stacks[mode].last().copied().unwrap_or(UNIT))
    }

    /// Takes a call; false if it is about something else.
    pub(super) fn apply(&mut self, call: &Call<'_>) -> Result<bool, Fault> {
        let top = self.tops()[self.mode];
        let stack = &mut self.stacks[self.mode];
        let name = call.name.trim_end_matches(['f', 'd']);
        match name {
            "glMatrixMode" => {
                let mode = call.text("mode")?;
                match MODES.iter().position(|it| *it == mode) {
                    Some(found) => self.mode = found,
                    None => return refused(format!("{mode}: {} are accepted", MODES.join(", "))),
                }
            }
            "glPushMatrix" => stack.push(top),
            "glPopMatrix" if stack.len() > 1 => {
                stack.pop();
            }
            _ => {
                let Some(matrix) = matrix(name, call)? else { return Ok(false) };
                let loads = name.starts_with("glLoad");
                stack.pop();
                stack.push(if loads { matrix } else { times(&top, &matrix) });
            }
        }
        Ok(true)
    }
}

fn diagonal(values: [f32; 3]) -> Matrix {
    let mut matrix = UNIT;
    values.into_iter().enumerate().for_each(|(at, value)| matrix[at][at] = value);
    matrix
}

fn with_column(mut matrix: Matrix, column: usize, values: [f32; 3]) -> Matrix {
    matrix.iter_mut().zip(values).for_each(|(row, value)| row[column] = value);
    matrix
}

/// The matrix of a call; none if the call has none.
fn matrix(name: &str, call: &Call<'_>) -> Result<Option<Matrix>, String> {
    let number = |name| call.number(name);
    let xyz = || Ok::<_, String>([number("x")?, number("y")?, number("z")?]);
    Ok(Some(match name {
        "glLoadIdentity" => UNIT,
        "glLoadMatrix" | "glMultMatrix" => {
            let columns: [f32; 16] = numbers(call.text("m")?)?;
            let column = |at: usize| std::array::from_fn(|row| columns[4 * at + row]);
            of_columns(std::array::from_fn(column))
        }
        "glTranslate" => with_column(UNIT, 3, xyz()?),
        "glScale" => diagonal(xyz()?),
        "glRotate" => rotation(number("angle")?.to_radians(), unit(xyz()?)),
        "glOrtho" | "glFrustum" => {
            let lows = [number("left")?, number("bottom")?, number("zNear")?];
            let highs = [number("right")?, number("top")?, number("zFar")?];
            let size: [f32; 3] = std::array::from_fn(|at| highs[at] - lows[at]);
            let middle: [f32; 3] = std::array::from_fn(|at| (highs[at] + lows[at]) / size[at]);
            if name == "glOrtho" {
                let scaled = diagonal([2.0 / size[0], 2.0 / size[1], -2.0 / size[2]]);
                with_column(scaled, 3, middle.map(|it| -it))
            } else {
                let [near, far] = [lows[2], highs[2]];
                let scaled = diagonal([2.0 * near / size[0], 2.0 * near / size[1], 1.0]);
                let mut matrix = with_column(scaled, 2, [middle[0], middle[1], -middle[2]]);
                matrix[2][3] = -2.0 * far * near / size[2];
                matrix[3] = [0.0, 0.0, -1.0, 0.0];
                matrix
            }
        }
        _ => return Ok(None),
    }))
}

/// By an angle in radians around an axis of length 1.
fn rotation(angle: f32, axis: [f32; 3]) -> Matrix {
    let (sine, cosine) = (libm::sinf(angle), libm::cosf(angle));
    let [x, y, z] = axis.map(|it| it * sine);
    let turned = [[cosine, -z, y], [z, cosine, -x], [-y, x, cosine]];
    let mut matrix = UNIT;
    for (row, column) in (0..9).map(|at| (at / 3, at % 3)) {
        matrix[row][column] = turned[row][column] + axis[row] * axis[column] * (1.0 - cosine);
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphics::make::camera::apply;

    fn after(lines: &[&str], point: [f32; 3]) -> [f32; 3] {
        let mut matrices = Matrices::default();
        for line in lines {
            let call = Call::parse(line).expect("a call");
            assert!(matrices.apply(&call).expect("taken"), "{line}");
        }
        apply(&matrices.tops()[0], point, 1.0).map(|it| (it * 1000.0).round() / 1000.0)
    }

    #[test]
    fn calls_multiply_from_the_right() {
        let turn = "1 glRotatef(angle = 90, x = 0, y = 0, z = 2)";
        let shift = "2 glTranslated(x = 1, y = 2, z = 3)";
        assert_eq!(after(&[turn], [1.0, 0.0, 5.0]), [0.0, 1.0, 5.0]);
        assert_eq!(after(&[shift, turn], [1.0, 0.0, 5.0]), [1.0, 3.0, 8.0]);
        assert_eq!(after(&[turn, shift], [1.0, 0.0, 5.0]), [-2.0, 2.0, 8.0]);
        let pushed = [shift, "3 glPushMatrix()", turn, "4 glPopMatrix()"];
        assert_eq!(after(&pushed, [0.0; 3]), [1.0, 2.0, 3.0]);
        let scale = "5 glScalef(x = 2, y = 3, z = 4)";
        assert_eq!(after(&[shift, "6 glLoadIdentity()", scale], [1.0; 3]), [2.0, 3.0, 4.0]);
    }

    #[test]
    fn near_and_far_planes_are_at_minus_one_and_one() {
        let sides = "left = -2, right = 4, bottom = -1, top = 3, zNear = 2, zFar = 6";
        let flat = format!("1 glOrtho({sides})");
        assert_eq!(after(&[&flat], [4.0, -1.0, -2.0]), [1.0, -1.0, -1.0]);
        assert_eq!(after(&[&flat], [-2.0, 3.0, -6.0]), [-1.0, 1.0, 1.0]);
        // Before the division by w, which is 2 and 6.
        let deep = format!("1 glFrustum({sides})");
        assert_eq!(after(&[&deep], [4.0, -1.0, -2.0]), [2.0, -2.0, -2.0]);
        assert_eq!(after(&[&deep], [-6.0, 9.0, -6.0]), [-6.0, 6.0, 6.0]);
    }
}
