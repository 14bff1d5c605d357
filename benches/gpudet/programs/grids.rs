//! Grids, and a cloth.

use super::workloads::Argument::Real;
use super::workloads::{Rounds, Size, Workload, around, diffused};
use super::{GROUP, arguments, named};

/// A 3D Laplace solver.
pub fn laplace(size: Size) -> Workload {
    let [nx, ny, nz] = [size.of(96, 32), size.of(96, 8), size.of(24, 5)];
    let rounds = size.of(2, 1) as u32;
    let about = format!("{nx} x {ny} x {nz}, {} steps", 2 * rounds);
    let mut workload = named("LPS", about, "laplace");
    let mut now = workload.reals(nx * ny * nz);
    let (a, b) = (workload.words(&now), workload.zeros(nx * ny * nz));
    for (from, to) in [(a, b), (b, a)] {
        let all = arguments(&[from, to], &[nx, ny, nz]);
        workload.launch("laplace", [nx / 32, ny / 4], [32, 4], &all);
    }
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..2 * rounds {
        let next = |at: usize| {
            let [x, y, z] = [at % nx, at / nx % ny, at / (nx * ny)];
            let is_inner = |at: usize, side: usize| at > 0 && at < side - 1;
            if !(is_inner(x, nx) && is_inner(y, ny) && is_inner(z, nz)) {
                return now[at];
            }
            let sum: f32 = [1, nx, nx * ny].iter().map(|by| now[at - by] + now[at + by]).sum();
            sum / 6.0
        };
        now = (0..now.len()).map(next).collect();
    }
    workload.expect_reals(a, now);
    workload
}

/// The heat of a chip: a launch makes two steps in tiles in shared memory.
pub fn hotspot(size: Size) -> Workload {
    const STEPS: usize = 2;
    let (side, rounds) = (size.of(192, 36), size.of(2, 1) as u32);
    let about = format!("{side} x {side}, {} launches of {STEPS} steps", 2 * rounds);
    let mut workload = named("HOTSP", about, "grids");
    let (mut now, power) = (workload.reals(side * side), workload.reals(side * side));
    let [a, of_power] = [&now, &power].map(|values| workload.words(values));
    let b = workload.zeros(side * side);
    for (from, to) in [(a, b), (b, a)] {
        let all = arguments(&[from, of_power, to], &[side, STEPS]);
        let tiles = side.div_ceil(16 - 2 * STEPS);
        workload.launch("hotspot_tiles", [tiles; 2], [16; 2], &all);
    }
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..2 * STEPS as u32 * rounds {
        let next = |at: usize| {
            let beside: f32 = around(&now, side, at).iter().sum();
            now[at] + 0.1 * (power[at] + beside - 4.0 * now[at])
        };
        now = (0..side * side).map(next).collect();
    }
    workload.expect_reals(a, now);
    workload
}

/// Speckle-reducing diffusion in tiles in shared memory.
pub fn srad(size: Size) -> Workload {
    const Q0: f32 = 0.05;
    let (side, rounds) = (size.of(128, 32), size.of(2, 1) as u32);
    let about = format!("{side} x {side}, {rounds} steps");
    let mut workload = named("SRAD", about, "grids");
    let mut image: Vec<f32> = workload.reals(side * side).iter().map(|it| it + 0.5).collect();
    let of_image = workload.words(&image);
    let [coefficient, slopes] = [1, 4].map(|planes| workload.zeros(planes * side * side));
    let all = arguments(&[of_image, coefficient, slopes], &[side]);
    let with_q0 = [&all[..], &[Real(Q0)]].concat();
    workload.launch("srad_coefficient_tiles", [side / 16; 2], [16; 2], &with_q0);
    workload.launch("srad_update_tiles", [side / 16; 2], [16; 2], &all);
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..rounds {
        image = diffused(&image, side, Q0);
    }
    workload.expect_reals(of_image, image);
    workload
}

/// A cloth whose points are dealt to threads in blocks (CL), or interleaved (CLopt).
pub fn cloth(size: Size, is_interleaved: bool) -> Workload {
    const APART: u32 = 32;
    const EACH: usize = 8;
    let (side, rounds) = (size.of(48, 10), size.of(2, 1) as u32);
    let name = if is_interleaved { "CLopt" } else { "CL" };
    let about = format!("{side} x {side} points, {rounds} steps");
    let mut workload = named(name, about, "cloth");
    let points = side * side;
    let across = (0..points).filter(|at| at % side != 0).map(|at| (at - 1, at));
    let down = (side..points).map(|at| (at - side, at));
    let springs: Vec<(usize, usize)> = across.chain(down).collect();
    // Springs of a warp are far apart: 10,007 is a prime.
    let turn = |at: usize| springs[at * 10_007 % springs.len()];
    let ends: Vec<u32> =
        (0..springs.len()).map(turn).flat_map(|(a, b)| [a as u32, b as u32]).collect();
    let shifts = workload.integers(4 * points, 9);
    let place = |at: usize| {
        let (point, axis) = (at / 4, at % 4);
        let apart = [point % side, point / side, 0, 0][axis] as u32 * APART;
        if axis == 3 { 0 } else { apart.wrapping_add(shifts[at]).wrapping_sub(4) }
    };
    let now: Vec<u32> = (0..4 * points).map(place).collect();
    let [of_ends, of_now, before] = [&ends, &now, &now].map(|words| workload.words(words));
    let [forces, locks] = [4 * points, points].map(|words| workload.zeros(words));
    let count = springs.len();
    let rest = (APART * APART) as usize;
    let all = arguments(&[of_ends, of_now, forces, locks], &[rest, count]);
    workload.launch("cloth_lock", [count.div_ceil(GROUP), 1], [GROUP, 1], &all);
    let all =
        arguments(&[of_now, before, forces], &[4 * points, EACH, usize::from(is_interleaved)]);
    workload.launch("cloth_move", [(4 * points).div_ceil(EACH * GROUP), 1], [GROUP, 1], &all);
    workload.rounds(Rounds::Of(rounds));
    workload.expect_words(of_now, &swung(now, &ends, rest as i32, rounds));
    workload
}

/// Positions of a cloth's points after some steps.
fn swung(now: Vec<u32>, ends: &[u32], rest: i32, rounds: u32) -> Vec<u32> {
    let mut now: Vec<i32> = now.into_iter().map(|word| word as i32).collect();
    let mut before = now.clone();
    for _ in 0..rounds {
        let mut forces = vec![0i32; now.len()];
        for [a, b] in ends.as_chunks::<2>().0 {
            let [a, b] = [a, b].map(|end| 4 * *end as usize);
            let apart = [0, 1, 2].map(|axis| now[b + axis] - now[a + axis]);
            let stretch = apart.iter().map(|apart| apart * apart).sum::<i32>() - rest;
            for (axis, apart) in apart.iter().enumerate() {
                let force = (apart * stretch) >> 8;
                forces[a + axis] += force;
                forces[b + axis] -= force;
            }
        }
        for (at, force) in forces.iter().enumerate() {
            let speed = now[at] - before[at] + (force >> 6);
            before[at] = now[at];
            now[at] += speed;
        }
    }
    now.into_iter().map(|word| word as u32).collect()
}
