//! Workloads on matrices and images.

use super::workload::Argument::{At, Real, Word};
use super::workload::{Rounds, Size, Workload};

const FOLDER: &str = "benches/quick_release/kernels";

/// An image and the cells beside a cell, which at the border are the cell itself: west, east, north, south.
pub fn around(image: &[f32], side: usize, at: usize) -> [f32; 4] {
    let (x, y) = (at % side, at / side);
    [
        if x > 0 { image[at - 1] } else { image[at] },
        if x < side - 1 { image[at + 1] } else { image[at] },
        if y > 0 { image[at - side] } else { image[at] },
        if y < side - 1 { image[at + side] } else { image[at] },
    ]
}

pub fn matmul(size: Size) -> Workload {
    let n = size.of(192, 32);
    let about = format!("{n} x {n}, three matrices of {} kB", n * n / 256);
    let mut workload = Workload::new("matmul", about, "tests/kernels/matmul.ptx");
    let (a, b) = (workload.reals(n * n), workload.reals(n * n));
    let [of_a, of_b, of_c] = [workload.words(&a), workload.words(&b), workload.zeros(n * n)];
    let arguments = [At(of_a), At(of_b), At(of_c), Word(n as u32)];
    workload.launch("matmul", [n / 16; 2], [16; 2], &arguments);
    let element = |at: usize| (0..n).map(|k| a[at / n * n + k] * b[k * n + at % n]).sum();
    workload.expect_reals(of_c, (0..n * n).map(element).collect());
    workload
}

pub fn dct(size: Size) -> Workload {
    const SIDE: usize = 8;
    let width = size.of(256, 32);
    let about = format!("{width} x {width}, {} kB in, as much out", width * width / 256);
    let mut workload = Workload::new("dct", about, &format!("{FOLDER}/dct.ptx"));
    let image = workload.reals(width * width);
    let cosine = |at: usize| {
        let (k, x) = ((at / SIDE) as f32, (at % SIDE) as f32);
        let scale = if k == 0.0 { (1.0f32 / 8.0).sqrt() } else { 0.5 };
        scale * ((2.0 * x + 1.0) * k * std::f32::consts::PI / 16.0).cos()
    };
    let cosines: Vec<f32> = (0..SIDE * SIDE).map(cosine).collect();
    let [from, to] = [workload.words(&image), workload.zeros(width * width)];
    let table = workload.words(&cosines);
    let arguments = [At(from), At(to), At(table), Word(width as u32)];
    workload.launch("dct", [width / SIDE; 2], [SIDE; 2], &arguments);
    let element = |at: usize| {
        let (x, y) = (at % width, at / width);
        let (left, top) = (x - x % SIDE, y - y % SIDE);
        let of_row = |row: usize| -> f32 {
            let products = (0..SIDE).map(|column| {
                image[(top + row) * width + left + column] * cosines[x % SIDE * SIDE + column]
            });
            products.sum()
        };
        (0..SIDE).map(|row| cosines[y % SIDE * SIDE + row] * of_row(row)).sum()
    };
    workload.expect_reals(to, (0..width * width).map(element).collect());
    workload
}

pub fn hotspot(size: Size) -> Workload {
    let (side, rounds) = (size.of(128, 32), size.of(4, 1) as u32);
    let about = format!("{side} x {side}, {} steps, {} kB", 2 * rounds, 3 * side * side / 256);
    let mut workload = Workload::new("hotspot", about, &format!("{FOLDER}/hotspot.ptx"));
    let (mut now, power) = (workload.reals(side * side), workload.reals(side * side));
    let [a, of_power] = [&now, &power].map(|values| workload.words(values));
    let b = workload.zeros(side * side);
    for (from, to) in [(a, b), (b, a)] {
        let arguments = [At(from), At(of_power), At(to), Word(side as u32), Word(side as u32)];
        workload.launch("hotspot", [side / 16; 2], [16; 2], &arguments);
    }
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..2 * rounds {
        let next = |at: usize| {
            let beside: f32 = around(&now, side, at).iter().sum();
            now[at] + 0.1 * (power[at] + beside - 4.0 * now[at])
        };
        now = (0..side * side).map(next).collect();
    }
    workload.expect_reals(a, now);
    workload
}

pub fn srad(size: Size) -> Workload {
    const Q0: f32 = 0.05;
    let side = size.of(128, 32);
    let rounds = size.of(2, 1) as u32;
    let about = format!("{side} x {side}, {rounds} steps, {} kB", 6 * side * side / 256);
    let mut workload = Workload::new("srad", about, &format!("{FOLDER}/srad.ptx"));
    let mut image: Vec<f32> =
        workload.reals(side * side).into_iter().map(|value| value + 0.5).collect();
    let of_image = workload.words(&image);
    let [coefficient, north, south, west, east] = [(); 5].map(|()| workload.zeros(side * side));
    let shape = [Word(side as u32), Word(side as u32)];
    let all = [of_image, coefficient, north, south, west, east].map(At);
    let of_coefficient = [&all[..], &shape, &[Real(Q0)]].concat();
    workload.launch("srad_coefficient", [side / 16; 2], [16; 2], &of_coefficient);
    workload.launch("srad_update", [side / 16; 2], [16; 2], &[&all[..], &shape].concat());
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..rounds {
        image = diffused(&image, side, Q0);
    }
    workload.expect_reals(of_image, image);
    workload
}

/// An image after one step of speckle-reducing diffusion.
pub fn diffused(image: &[f32], side: usize, q0: f32) -> Vec<f32> {
    let slopes = |at: usize| around(image, side, at).map(|beside| beside - image[at]);
    let coefficient = |at: usize| {
        let (slopes, own) = (slopes(at), image[at]);
        let squares = slopes.iter().map(|slope| slope * slope).sum::<f32>() / (own * own);
        let sum = slopes.iter().sum::<f32>() / own;
        let slope = 1.0 + 0.25 * sum;
        let q = (0.5 * squares - 0.0625 * sum * sum) / (slope * slope);
        (1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))).clamp(0.0, 1.0)
    };
    let coefficients: Vec<f32> = (0..image.len()).map(coefficient).collect();
    let next = |at: usize| {
        let [west, east, north, south] = slopes(at);
        let [_, right, _, below] = around(&coefficients, side, at);
        let own = coefficients[at];
        image[at] + 0.125 * (own * (north + west) + below * south + right * east)
    };
    (0..image.len()).map(next).collect()
}

pub fn lud(size: Size) -> Workload {
    const SIDE: usize = 16;
    let n = size.of(128, 48);
    let about = format!("{n} x {n}, {} kB", n * n / 256);
    let mut workload = Workload::new("lud", about, &format!("{FOLDER}/lud.ptx"));
    let mut matrix = workload.reals(n * n);
    (0..n).for_each(|at| matrix[at * n + at] += n as f32);
    let of_matrix = workload.words(&matrix);
    for begin in (0..n).step_by(SIDE) {
        let arguments = [At(of_matrix), Word(n as u32), Word(begin as u32)];
        let left = (n - begin) / SIDE - 1;
        workload.launch("lud_diagonal", [1, 1], [SIDE, 1], &arguments);
        if left > 0 {
            workload.launch("lud_perimeter", [left, 1], [2 * SIDE, 1], &arguments);
            workload.launch("lud_internal", [left; 2], [SIDE; 2], &arguments);
        }
    }
    for pivot in 0..n {
        for row in pivot + 1..n {
            matrix[row * n + pivot] /= matrix[pivot * n + pivot];
            for column in pivot + 1..n {
                matrix[row * n + column] -= matrix[row * n + pivot] * matrix[pivot * n + column];
            }
        }
    }
    workload.expect_reals(of_matrix, matrix);
    workload
}

pub fn nw(size: Size) -> Workload {
    const SIDE: usize = 16;
    const PENALTY: u32 = 2;
    let n = size.of(256, 48);
    let about = format!("{n} x {n}, {} kB", 2 * n * n / 256);
    let mut workload = Workload::new("nw", about, &format!("{FOLDER}/nw.ptx"));
    let similarity: Vec<u32> =
        workload.integers(n * n, 5).into_iter().map(|value| value.wrapping_sub(1)).collect();
    let pitch = n + 1;
    let mut score = vec![0u32; pitch * pitch];
    for at in 0..=n {
        score[at] = (at as u32 * PENALTY).wrapping_neg();
        score[at * pitch] = score[at];
    }
    let [of_similarity, of_score] = [&similarity, &score].map(|values| workload.words(values));
    let blocks = n / SIDE;
    for diagonal in 0..2 * blocks - 1 {
        let first = (diagonal + 1).saturating_sub(blocks);
        let count = diagonal.min(blocks - 1) - first + 1;
        let numbers = [n as u32, PENALTY, diagonal as u32, first as u32].map(Word);
        let arguments = [&[At(of_similarity), At(of_score)][..], &numbers].concat();
        workload.launch("nw", [count, 1], [SIDE, 1], &arguments);
    }
    let mut cells: Vec<i32> = score.iter().map(|value| *value as i32).collect();
    for row in 1..=n {
        for column in 1..=n {
            let at = row * pitch + column;
            let same = similarity[(row - 1) * n + column - 1] as i32;
            let gap = cells[at - 1].max(cells[at - pitch]) - PENALTY as i32;
            cells[at] = gap.max(cells[at - pitch - 1] + same);
        }
    }
    workload.expect_words(of_score, &cells.iter().map(|cell| *cell as u32).collect::<Vec<_>>());
    workload
}
