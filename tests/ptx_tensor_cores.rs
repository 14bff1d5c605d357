//! What tensor cores make of products: see `--mma`.

mod support {
    pub mod kernel;
    pub mod matrix;
}

use rand::RngExt;
use support::kernel::{Kernel, On};
use support::matrix::{Ty, module, multiply_registers, pack, rng};
use warpsmith::gpu::isa::{Half, Rounding, TensorCore};

/// The first element of D of an `m16n8k8` of `.f16`, given the first row of A, column of B, and element of C.
fn first(core: TensorCore, result: &str, a: [f64; 8], b: [f64; 8], c: f64) -> f64 {
    let ty = if result == "f16" { Ty::F16 } else { Ty::F32 };
    let count = if result == "f16" { 2 } else { 4 };
    let instruction = format!("mma.sync.aligned.m16n8k8.row.col.{result}.f16.f16.{result}");
    let text = module("sm_80", &multiply_registers(&instruction, [count, 2, 1, count]));
    let row = |l: u32, i: u32| (l < 4 && i < 2).then(|| [0, l % 4 * 2 + i]);
    let column = |l: u32, i: u32| (l < 4).then(|| [l % 4 * 2 + i, 0]);
    let kernel =
        Kernel::of_text("test.ptx", &text, "k").with_tensor_core(core).buffer(&[0u32; 512]);
    let kernel =
        kernel.buffer(&pack(Ty::F16, 8, 4, row, &a)).buffer(&pack(Ty::F16, 1, 2, column, &b));
    let kernel = kernel.buffer(&pack(ty, 1, 1, |l, _| (l == 0).then_some([0, 0]), &[c]));
    let found: Vec<u32> = kernel.run(On::Functional, [1, 1], [32, 1], 0).buffer(0, 512);
    ty.value(u64::from(found[0]) & (u64::MAX >> (64 - ty.bits_wide())))
}

const CORES: [TensorCore; 4] =
    [TensorCore::Volta, TensorCore::Turing, TensorCore::Ampere, TensorCore::Nearest];

fn two(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

/// Terms as products with one.
fn terms<const N: usize>(given: [f64; N]) -> [f64; 8] {
    std::array::from_fn(|at| given.get(at).copied().unwrap_or_default())
}

#[test]
fn tensor_cores_are_told_apart_by_what_they_cut_off() {
    let all =
        |result: &str, b: [f64; 8], c: f64| CORES.map(|core| first(core, result, [1.0; 8], b, c));
    // A bit below the last one of the greatest addend: kept since Turing (test D1 of Fasi et al.).
    let found = all("f32", terms([1.0]), -(1.0 - two(-24)));
    assert_eq!(found, [two(-23), two(-24), two(-24), two(-24)]);
    // Cut off, not rounded (C1, C2).
    let found = all("f32", terms([2.0, two(-23) + two(-24)]), 0.0);
    assert_eq!(found, [2.0, 2.0, 2.0, 2.0 + two(-22)]);
    let found = all("f32", terms([-2.0, -two(-23) - two(-24)]), 0.0);
    assert_eq!(found, [-2.0, -2.0, -2.0, -2.0 - two(-22)]);
    // The first four and the last four are cut off for themselves until Ampere adds eight.
    let found = all("f32", terms([1.0, two(-24), 0.0, 0.0, two(-24)]), 0.0);
    assert_eq!(found, [1.0, 1.0, 1.0 + two(-23), 1.0 + two(-23)]);
    // A greater accumulator gives a smaller sum (D5), but not with exact sums.
    let a = terms([0.5, 0.5, 0.5, 0.5]);
    let b = terms([two(-24), two(-24), two(-24), two(-23) + two(-24)]);
    let found = CORES.map(|core| [1.0 - two(-24), 1.0].map(|c| first(core, "f32", a, b, c)));
    assert!(
        found[1][0] > found[1][1] && found[2][0] > found[2][1] && found[3][0] <= found[3][1],
        "{found:?}"
    );
    // Half precision is rounded to nearest (C3), subnormal numbers are kept (A1, A4).
    let found = all("f16", terms([two(-24)]), 0.0);
    assert_eq!(found, [two(-24); 4]);
    let b = terms([two(-1), two(-2)]);
    assert_eq!(CORES.map(|core| first(core, "f16", [two(-24); 8], b, 0.0)), [two(-24); 4]);
}

#[test]
fn infinities_and_nan_come_through() {
    for core in CORES {
        assert_eq!(first(core, "f32", [1.0; 8], terms([f64::INFINITY, -5.0]), 1.0), f64::INFINITY);
        assert_eq!(first(core, "f16", [1.0; 8], terms([60000.0, 60000.0]), 0.0), f64::INFINITY);
        assert!(first(core, "f32", [1.0; 8], terms([f64::INFINITY, -f64::INFINITY]), 1.0).is_nan());
        assert!(first(core, "f32", [1.0; 8], [1.0; 8], f64::NAN).is_nan());
    }
}

/// The sum with addends as whole multiples of 2 to the -48, written without floats.
fn in_whole_numbers(core: TensorCore, a: &[f64; 8], b: &[f64; 8], c: f64) -> f64 {
    let exponent = |value: f64| ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let whole = |value: f64| (value * two(48)) as i128;
    let cut = |value: i128, bits: i32| {
        let unit = 1u128 << bits.max(0);
        let cut = (value.unsigned_abs() / unit * unit) as i128;
        if value < 0 { -cut } else { cut }
    };
    let single = |value: i128| cut(value, 128 - value.unsigned_abs().leading_zeros() as i32 - 24);
    let products: Vec<_> =
        a.iter().zip(b).map(|(a, b)| (whole(a * b), exponent(*a) + exponent(*b))).collect();
    let (count, bits) = match core {
        TensorCore::Volta => (4, 23),
        TensorCore::Turing => (4, 24),
        TensorCore::Ampere => (8, 24),
        // Numbers of 128 bits are rounded to nearest.
        TensorCore::Nearest => {
            let sum = products.iter().map(|(value, _)| value).sum::<i128>() + whole(c);
            return f64::from(sum as f32) * two(-48);
        }
    };
    let mut sum = whole(c);
    for block in products.chunks(count) {
        let exponent_of_sum = 127 - sum.unsigned_abs().leading_zeros() as i32 - 48;
        let addends = || {
            block.iter().copied().chain([(sum, exponent_of_sum)]).filter(|(value, _)| *value != 0)
        };
        let greatest = addends().map(|(_, exponent)| exponent).max().unwrap_or(0);
        let total = addends().map(|(value, _)| cut(value, greatest - bits + 48)).sum();
        sum = single(total);
    }
    sum as f64 * two(-48)
}

#[test]
fn random_sums_are_those_of_whole_numbers() {
    let mut rng = rng();
    let mut half = || {
        let magnitude = rng.random_range(1.0..2.0) * two(rng.random_range(-12..6));
        let value = Half::value(Half::of(magnitude, Rounding::Nearest));
        if rng.random_range(0..2) == 0 { value } else { -value }
    };
    let mut differ = [0; 3];
    for _ in 0..150 {
        let (a, b): ([f64; 8], [f64; 8]) =
            (std::array::from_fn(|_| half()), std::array::from_fn(|_| half()));
        let c = f64::from((half() * half() * 1.2345) as f32);
        // As much of it as whole multiples hold.
        let c = (c * two(40)).trunc() * two(-40);
        let found = CORES.map(|core| first(core, "f32", a, b, c));
        for (core, found) in CORES.into_iter().zip(found) {
            assert_eq!(
                found,
                in_whole_numbers(core, &a, &b, c),
                "{core:?} of {a:?}, {b:?} and {c}"
            );
        }
        (0..3).for_each(|at| differ[at] += i32::from(found[at] != found[3]));
    }
    assert!(
        differ.iter().all(|differ| *differ > 30),
        "the cores differ from exact sums {differ:?} times of 150"
    );
}

#[test]
fn integers_wrap_or_stay_at_the_end() {
    for (form, wanted) in [("", i32::MIN + 15), (".satfinite", i32::MAX)] {
        let instruction = format!("mma.sync.aligned.m8n8k16.row.col{form}.s32.u8.u8.s32");
        let text = module("sm_80", &multiply_registers(&instruction, [2, 1, 1, 2]));
        let kernel = Kernel::of_text("test.ptx", &text, "k").buffer(&[0u32; 512]);
        let kernel = kernel.buffer(&[0x0101_0101u32; 512]).buffer(&[0x0101_0101u32; 512]);
        let found: Vec<i32> =
            kernel.buffer(&[i32::MAX; 512]).run(On::Functional, [1, 1], [32, 1], 0).buffer(0, 2);
        assert_eq!(found, [wanted; 2], "{instruction}");
    }
}

#[test]
fn a_number_is_rounded_to_tf32_away_from_zero_at_ties() {
    let body = "ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%rd1];\n\
         cvt.rna.tf32.f32 %d0, %a0; cvt.rna.tf32.f32 %d1, %a1; cvt.rna.tf32.f32 %d2, %a2; cvt.rna.tf32.f32 %d3, %a3;\n\
         st.global.v4.b32 [%rd0], {%d0, %d1, %d2, %d3};";
    let kernel = Kernel::of_text("test.ptx", &module("sm_80", body), "k").buffer(&[0u32; 4]);
    let given =
        [1.0 + two(-11), -1.0 - two(-11), 1.0 + two(-12), f64::INFINITY].map(|value| value as f32);
    let kernel = kernel.buffer(&given).buffer(&[0u32]).buffer(&[0u32]);
    let found: Vec<f32> = kernel.run(On::Functional, [1, 1], [1, 1], 0).buffer(0, 4);
    assert_eq!(
        found,
        [1.0 + two(-10), -1.0 - two(-10), 1.0, f64::INFINITY].map(|value| value as f32)
    );
}
