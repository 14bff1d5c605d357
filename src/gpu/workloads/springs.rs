//! Forces of a cloth's springs on its points: a grid of 174 x 174 points with 60,204 springs. Springs of a warp are
//! far apart.

use super::Argument::{Buffer, Value};
use super::{Call, Paper, Program, Size, Workload, compare, random};

/// Words of a point: x, y, z, unused.
const POINT: usize = 4;
/// Distance of neighbours, and its square.
const DISTANCE: u32 = 32;
const REST: u32 = DISTANCE * DISTANCE;
const MODULE: (&str, &str) = ("cloth.ptx", include_str!("kernels/cloth.ptx"));

/// CL.
pub(super) const CLOTH: Workload = Workload {
    name: "cloth",
    about: "cloth physics with 60,204 springs",
    paper: Some(Paper { name: "CL", concurrency: [2, 2, 4, 4], aborts: [93, 91, 119, 205] }),
    module: MODULE,
    make: |size| forces(size, "cloth"),
};

/// CLto.
pub(super) const CLOTH_SHORT: Workload = Workload {
    name: "cloth_short",
    about: "the same with two short transactions for each spring",
    paper: Some(Paper { name: "CLto", concurrency: [4, 2, 4, 4], aborts: [110, 61, 72, 176] }),
    module: MODULE,
    make: |size| forces(size, "cloth_short"),
};

fn forces(size: Size, kernel: &'static str) -> Program {
    let side = match size {
        Size::Paper => 174,
        Size::Small => 18,
    };
    let across = (0..side).flat_map(|y| (1..side).map(move |x| (y * side + x - 1, y * side + x)));
    let down = (1..side).flat_map(|y| (0..side).map(move |x| ((y - 1) * side + x, y * side + x)));
    let springs: Vec<(u32, u32)> = across.chain(down).collect();
    let count = springs.len() as u32;
    // A prime far from a divisor of their number takes turns through all of them.
    let turn = |at: u32| springs[(u64::from(at) * 10_007 % u64::from(count)) as usize];
    let ends: Vec<u32> = (0..count).map(turn).flat_map(|(a, b)| [a, b]).collect();
    let shifts = random(3 * side * side, 9, 0);
    let point = |at: u32| {
        let shift = |axis: usize| shifts[3 * at as usize + axis].wrapping_sub(4);
        let place = |of: u32, axis| (DISTANCE * of).wrapping_add(shift(axis));
        [place(at % side, 0), place(at / side, 1), shifts[3 * at as usize + 2], 0]
    };
    let points: Vec<u32> = (0..side * side).flat_map(point).collect();
    let mut expected = vec![0u32; points.len()];
    for pair in ends.as_chunks::<2>().0 {
        let [a, b] = pair.map(|end| POINT * end as usize);
        for (axis, force) in force(&points, a, b).into_iter().enumerate() {
            expected[a + axis] = expected[a + axis].wrapping_add_signed(force);
            expected[b + axis] = expected[b + axis].wrapping_add_signed(-force);
        }
    }
    let call = Call {
        kernel,
        threads: count,
        arguments: vec![Buffer(0), Buffer(1), Buffer(2), Buffer(3), Value(REST), Value(count)],
    };
    let locks = vec![0; (side * side) as usize];
    Program {
        buffers: vec![ends, points, vec![0; expected.len()], locks],
        calls: vec![call],
        check: Box::new(move |words| compare("forces", &words[2], &expected)),
    }
}

/// The force of a spring on its first end, along each axis.
fn force(points: &[u32], a: usize, b: usize) -> [i32; 3] {
    let apart = [0, 1, 2].map(|axis| points[b + axis] as i32 - points[a + axis] as i32);
    let stretch = apart.iter().map(|apart| apart * apart).sum::<i32>() - REST as i32;
    apart.map(|apart| (apart * stretch) >> 8)
}
