//! Cells of a fluid, point charges, and paths of interest rates.

use super::workloads::Argument::Real;
use super::workloads::{Rounds, Size, Workload};
use super::{GROUP, arguments, named};

/// A solver of the Euler equations: cells in a ring of rows, whose numbers are shuffled in part.
pub fn cfd(size: Size) -> Workload {
    let (cells, rounds) = (size.of(16_384, 512), size.of(3, 1) as u32);
    let mut workload = named("CFD", format!("{cells} cells, {rounds} steps"), "cfd");
    let far = workload.integers(cells, cells as u32);
    let beside: Vec<u32> = [cells - 1, 1]
        .into_iter()
        .flat_map(|by| (0..cells).map(move |cell| ((cell + by) % cells) as u32))
        .chain(far)
        .collect();
    let normals: Vec<f32> = workload.reals(6 * cells).iter().map(|it| 0.2 * it - 0.1).collect();
    let area: Vec<f32> = workload.reals(cells).iter().map(|it| 0.5 + it).collect();
    let mut state = workload.reals(4 * cells);
    state.iter_mut().enumerate().for_each(|(at, value)| *value += [1.0, 0.0, 0.0, 3.0][at / cells]);
    let of_beside = workload.words(&beside);
    let [of_normals, of_area, of_state] =
        [&normals, &area, &state].map(|values| workload.words(values));
    let [factor, flux] = [cells, 4 * cells].map(|words| workload.zeros(words));
    let shape = ([cells.div_ceil(GROUP), 1], [GROUP, 1]);
    let all = arguments(&[of_state, of_area, factor], &[cells]);
    workload.launch("cfd_step_factor", shape.0, shape.1, &all);
    let all = arguments(&[of_beside, of_normals, of_state, flux], &[cells]);
    workload.launch("cfd_flux", shape.0, shape.1, &all);
    workload.launch("cfd_step", shape.0, shape.1, &arguments(&[factor, flux, of_state], &[cells]));
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..rounds {
        state = flowed(&state, &beside, &normals, &area);
    }
    workload.expect_reals(of_state, state);
    workload
}

/// Density, momentum and energy of all cells after a step.
fn flowed(state: &[f32], beside: &[u32], normals: &[f32], area: &[f32]) -> Vec<f32> {
    let n = area.len();
    let pressure =
        |[density, x, y, energy]: [f32; 4]| 0.4 * (energy - 0.5 * (x * x + y * y) / density);
    let cell = |at: usize| [0, 1, 2, 3].map(|k| state[k * n + at]);
    let through = |of: [f32; 4], nx: f32, ny: f32| {
        let [density, x, y, energy] = of;
        let (flow, p) = ((x * nx + y * ny) / density, pressure(of));
        [density * flow, x * flow + p * nx, y * flow + p * ny, (energy + p) * flow]
    };
    let change = |at: usize| {
        let own = cell(at);
        let [density, x, y, _] = own;
        let speed = (x * x + y * y).sqrt() / density + (1.4 * pressure(own) / density).sqrt();
        let factor = 0.1 / (area[at].sqrt() * speed);
        let mut sum = [0.0; 4];
        for side in 0..3 {
            let other = cell(beside[side * n + at] as usize);
            let [nx, ny] = [0, 1].map(|axis| 0.5 * normals[(2 * side + axis) * n + at]);
            for flow in [through(own, nx, ny), through(other, nx, ny)] {
                sum.iter_mut().zip(flow).for_each(|(sum, flow)| *sum += flow);
            }
        }
        sum.map(|flux| factor * flux)
    };
    let changes: Vec<[f32; 4]> = (0..n).map(change).collect();
    (0..4 * n).map(|at| state[at] - changes[at % n][at / n]).collect()
}

/// The potential of point charges.
pub fn coulomb(size: Size) -> Workload {
    const STEP: f32 = 0.1;
    let (width, count) = (size.of(128, 32), size.of(80, 24));
    let about = format!("{count} atoms, {width} x {width} points");
    let mut workload = named("CP", about, "coulomb");
    let mut atoms = workload.reals(4 * count);
    let scale = |at: usize| if at % 4 < 2 { width as f32 * STEP } else { 1.0 };
    atoms.iter_mut().enumerate().for_each(|(at, value)| *value = *value * scale(at) + 0.05);
    let (of_atoms, potential) = (workload.words(&atoms), workload.zeros(width * width));
    let all = [&arguments(&[of_atoms, potential], &[count, width])[..], &[Real(STEP)]].concat();
    workload.launch("coulomb", [width / 16; 2], [16; 2], &all);
    let at = |point: usize| {
        let (x, y) = ((point % width) as f32 * STEP, (point / width) as f32 * STEP);
        let of_atom = |atom: &[f32; 4]| {
            let [dx, dy, z] = [x - atom[0], y - atom[1], atom[2]];
            atom[3] / (dx * dx + dy * dy + z * z).sqrt()
        };
        atoms.as_chunks().0.iter().map(of_atom).sum()
    };
    workload.expect_reals(potential, (0..width * width).map(at).collect());
    workload
}

/// Monte Carlo paths of forward rates.
pub fn libor(size: Size) -> Workload {
    const RATES: usize = 40;
    const DELTA: f32 = 0.25;
    let (paths, steps, options) = (size.of(2880, 128), size.of(8, 4), 15);
    let about = format!("{paths} paths of {steps} steps, {RATES} rates");
    let mut workload = named("LIB", about, "libor");
    let normals: Vec<f32> =
        workload.reals(steps * paths).iter().map(|value| 2.0 * value - 1.0).collect();
    let volatility = vec![0.2f32; RATES];
    let maturities: Vec<u32> = (0..options).map(|k| 1 + (k * 7 % (RATES - steps)) as u32).collect();
    let swaps: Vec<f32> = (0..options).map(|k| 0.045 + 0.0015 * k as f32).collect();
    let [of_normals, of_volatility, of_swaps] =
        [&normals, &volatility, &swaps].map(|values| workload.words(values));
    let (of_maturities, value) = (workload.words(&maturities), workload.zeros(paths));
    let all = arguments(
        &[of_normals, of_volatility, of_maturities, of_swaps, value],
        &[paths, steps, options],
    );
    workload.launch("libor", [paths.div_ceil(64), 1], [64, 1], &all);
    let of_path = |path: usize| {
        let mut rate = [0.05f32; RATES];
        for n in 0..steps {
            let (root, mut drift) = (0.5 * normals[n * paths + path], 0.0);
            for i in n + 1..RATES {
                let scaled = DELTA * volatility[i - n - 1];
                drift += scaled * rate[i] / (1.0 + DELTA * rate[i]);
                let grows = scaled * drift + volatility[i - n - 1] * (root - 0.5 * scaled);
                rate[i] *= grows.exp();
            }
        }
        let bond = |to: usize| {
            rate[steps..=to].iter().map(|rate| 1.0 / (1.0 + DELTA * rate)).product::<f32>()
        };
        let payoff = |(maturity, swap): (&u32, &f32)| {
            let last = steps + *maturity as usize - 1;
            let annuity: f32 = (steps..=last).map(|to| DELTA * bond(to)).sum();
            100.0 * (1.0 - bond(last) - swap * annuity).max(0.0)
        };
        let sum: f32 = maturities.iter().zip(&swaps).map(payoff).sum();
        sum * rate[..steps].iter().map(|rate| 1.0 / (1.0 + DELTA * rate)).product::<f32>()
    };
    workload.expect_reals(value, (0..paths).map(of_path).collect());
    workload
}
