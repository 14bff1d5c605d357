//! Programs in the manner of public CUDA code, compiled by clang (`tests/programs/regenerate.sh`): what they compute is
//! what plain Rust computes, on the functional machine and on timed ones.

mod support {
    pub mod kernel;
}

use support::kernel::{Kernel, On, everywhere, integers, numbers, reals};
use warpsmith::gpu::isa::{Half, Rounding};
use warpsmith::gpu::machine::Checks;

fn kernel(file: &str, name: &'static str) -> Kernel {
    Kernel::new(&format!("../programs/{file}"), name)
}

/// A ring after some steps, each the sum of both neighbours.
fn ring(mut now: Vec<u32>, steps: usize) -> Vec<u32> {
    let count = now.len();
    for _ in 0..steps {
        let sum = |at: usize| now[(at + 1) % count].wrapping_add(now[(at + count - 1) % count]);
        now = (0..count).map(sum).collect();
    }
    now
}

#[test]
fn a_grid_meets_as_cooperative_groups_let_it() {
    let (first, steps) = (numbers(1, 256), 5);
    let run = |on: On, checks: Checks| {
        let kernel = kernel("grid_sync", "ring").with_checks(checks).buffer(&first);
        let kernel = kernel.buffer(&vec![0u32; 256]).scalar(steps as i32);
        kernel.run(on, [4, 1], [64, 1], 0)
    };
    everywhere(|on| {
        assert_eq!(run(on, Checks::Strict).buffer::<u32>(1, 256), ring(first.clone(), steps));
    });
    let races = run(On::Functional, Checks::Races).outcome.warnings;
    assert!(races.is_empty(), "{races:?}");
}

#[test]
fn templates_take_functors_and_structures_by_value() {
    everywhere(|on| {
        let values = integers(2, 3000, 1000);
        // A factor of 3, a shift of -7 and padding; an empty functor.
        let kernel = kernel("templates", "sum_of_ints").buffer(&values).buffer(&[0i32; 4]);
        let kernel = kernel.scalar(3000).structure(&[3, 0, 0, 0, 249, 255, 0, 0]).structure(&[0]);
        let sums: Vec<i32> = kernel.run(on, [4, 1], [128, 1], 0).buffer(1, 4);
        assert_eq!(sums.iter().sum::<i32>(), values.iter().map(|value| value * 3 - 7).sum::<i32>());
    });
    everywhere(|on| {
        let values: Vec<f64> = reals(3, 500).iter().map(|value| f64::from(*value)).collect();
        let map = [(-2f64).to_le_bytes(), [5, 0, 0, 0, 0, 0, 0, 0]].concat();
        let kernel = kernel("templates", "greatest_double").buffer(&values).buffer(&[0f64; 2]);
        let ended = kernel.scalar(500).structure(&map).run(on, [2, 1], [64, 1], 0);
        let greatest = ended.buffer::<f64>(1, 2).into_iter().fold(f64::MIN, f64::max);
        // The multiplication and the addition are one instruction.
        let wanted = values.iter().map(|value| value.mul_add(-2.0, 5.0)).fold(f64::MIN, f64::max);
        assert_eq!(greatest, wanted);
    });
}

#[test]
fn lanes_call_virtual_functions_and_through_tables() {
    everywhere(|on| {
        let sizes = reals(4, 32);
        let kernel = kernel("virtual_calls", "areas").buffer(&sizes).buffer(&[0f32; 32]);
        let area = |(at, size): (usize, &f32)| match at % 3 {
            0 => size.mul_add(*size, 4.0),
            _ => 3.0 * size * size,
        };
        let found: Vec<f32> = kernel.run(on, [1, 1], [32, 1], 0).buffer(1, 32);
        let wanted: Vec<_> = sizes.iter().enumerate().map(area).collect();
        support::kernel::assert_close(&found, &wanted, 1e-6);
    });
    everywhere(|on| {
        let [which, a, b] = [(5, 3), (6, 9), (7, 6)].map(|(seed, below)| integers(seed, 32, below));
        let kernel = kernel("virtual_calls", "apply").buffer(&which).buffer(&a).buffer(&b);
        let found: Vec<i32> = kernel.buffer(&[0i32; 32]).run(on, [1, 1], [32, 1], 0).buffer(3, 32);
        let apply = |at: usize| match which[at] {
            0 => a[at] + b[at],
            1 => a[at] * b[at],
            _ => a[at].pow(b[at] as u32),
        };
        assert_eq!(found, (0..32).map(apply).collect::<Vec<_>>());
    });
}

fn halves(values: &[f32]) -> Vec<u16> {
    values.iter().map(|value| Half::of(f64::from(*value), Rounding::Nearest).0).collect()
}

#[test]
fn half_precision_is_as_in_cuda_fp16() {
    everywhere(|on| {
        let [x, y] = [8, 9].map(|seed| halves(&reals(seed, 100)));
        let a = Half::of(1.5, Rounding::Nearest);
        let kernel = kernel("half", "axpy").buffer(&x).buffer(&y).scalar(a.0).scalar(100);
        let found: Vec<u16> = kernel.run(on, [4, 1], [32, 1], 0).buffer(1, 100);
        let value = |bits: u16| Half::value(warpsmith::gpu::isa::Small(bits));
        let wanted =
            |(x, y): (&u16, &u16)| Half::of(a.value() * value(*x) + value(*y), Rounding::Nearest).0;
        assert_eq!(found, x.iter().zip(&y).map(wanted).collect::<Vec<_>>());
    });
    everywhere(|on| {
        // Small whole numbers: their sums are exact.
        let [x, y] = [10, 11].map(|seed| {
            let values: Vec<f32> = integers(seed, 256, 4).iter().map(|it| *it as f32).collect();
            (halves(&values), values)
        });
        let kernel = kernel("half", "dot").buffer(&x.0).buffer(&y.0).buffer(&[0f32]).scalar(128);
        let found: Vec<f32> = kernel.run(on, [1, 1], [32, 1], 0).buffer(2, 1);
        assert_eq!(found, [x.1.iter().zip(&y.1).map(|(x, y)| x * y).sum::<f32>()]);
    });
}

#[test]
fn a_pipeline_of_asynchronous_copies_gives_the_product() {
    let n = 48;
    let [a, b] = [12, 13].map(|seed| reals(seed, n * n));
    let run = |on: On, checks: Checks| {
        let kernel = kernel("pipeline", "multiply").with_checks(checks).buffer(&a).buffer(&b);
        let side = (n / 16) as u32;
        kernel.buffer(&vec![0f32; n * n]).scalar(n as i32).run(on, [side, side], [16, 16], 0)
    };
    let element =
        |at: usize| (0..n).fold(0f32, |sum, k| a[at / n * n + k].mul_add(b[k * n + at % n], sum));
    let wanted: Vec<f32> = (0..n * n).map(element).collect();
    everywhere(|on| assert_eq!(run(on, Checks::Strict).buffer::<f32>(2, n * n), wanted));
    let races = run(On::Functional, Checks::Races).outcome.warnings;
    assert!(races.is_empty(), "{races:?}");
}

#[test]
fn clangs_builtins_of_wmma_give_the_product() {
    let n = 32;
    let [a, b] = [14, 15].map(|seed| {
        let values: Vec<f32> = integers(seed, n * n, 8).iter().map(|it| *it as f32).collect();
        (halves(&values), values)
    });
    let element = |at: usize| (0..n).map(|k| a.1[at / n * n + k] * b.1[k * n + at % n]).sum();
    let wanted: Vec<f32> = (0..n * n).map(element).collect();
    for on in [On::Functional, On::Preset("hmg_4x4")] {
        let kernel =
            kernel("tensor", "multiply").buffer(&a.0).buffer(&b.0).buffer(&vec![0f32; n * n]);
        let found: Vec<f32> = kernel.scalar(n as i32).run(on, [2, 2], [32, 1], 0).buffer(2, n * n);
        assert_eq!(found, wanted);
    }
}

#[test]
fn records_with_bit_fields_lie_in_dynamic_shared_memory() {
    everywhere(|on| {
        let seeds = numbers(16, 64);
        let kernel = kernel("records", "fold").buffer(&seeds).buffer(&[0i64; 64]);
        let found: Vec<i64> = kernel.run(on, [1, 1], [64, 1], 64 * 24).buffer(1, 64);
        let weights = [1i64, -2, 3_000_000_000, 4, -5];
        let fold = |at: usize| {
            let (own, other) = (seeds[at], seeds[(at + 5) % 64]);
            let weight = |seed: u32| i64::from(seed >> 3 & 0x1fff);
            let kind = |seed: u32| (seed % 5) as usize;
            let real = (other % 1000) as f32 / 8.0;
            let result = weights[kind(other)] * weight(own);
            match kind(other) {
                0 => result - i64::from(other.wrapping_mul(7) as i16),
                1 => result ^ i64::from(real.to_bits()),
                2 => result / (weight(own) + 1),
                3 => result % 1000 + real as i64,
                _ => result << kind(own),
            }
        };
        assert_eq!(found, (0..64).map(fold).collect::<Vec<_>>());
    });
}
