//! Results of instructions on `.f16`, `.bf16` and pairs of them, and of conversions to `.e4m3` and `.e5m2`.

#[path = "support/ptx.rs"]
mod ptx;

use ptx::{half, narrow, results};
use rustc_apfloat::ieee::{BFloat, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

const ONE: u16 = 0x3c00;
const NAN: u16 = 0x7fff;
const INFINITY: u16 = 0x7c00;
const GREATEST: u16 = 0x7bff;

#[test]
fn halves_are_added_multiplied_and_fused_with_one_rounding() {
    half("add.f16 %h7, %h0, %h1;", &[ONE, ONE], 0x4000);
    half("sub.f16 %h7, %h0, %h1;", &[ONE, ONE], 0);
    half("mul.rn.f16 %h7, %h0, %h1;", &[0x3e00, 0x3e00], 0x4080);
    half("add.f16 %h7, %h0, %h1;", &[GREATEST, GREATEST], INFINITY);
    half("add.f16 %h7, %h0, %h1;", &[INFINITY, 0xfc00], NAN);
    // Ties go to even: 2048 + 1 and 2050 + 1.
    half("add.f16 %h7, %h0, %h1;", &[0x6800, ONE], 0x6800);
    half("add.f16 %h7, %h0, %h1;", &[0x6801, ONE], 0x6802);
    // The product is just above a tie, which a second rounding would lose.
    half("fma.rn.f16 %h7, %h0, %h1, %h2;", &[0x0001, 0x0001, 0x6801], 0x6801);
    half("fma.rn.f16 %h7, %h0, %h1, %h2;", &[0x3c01, 0x3bff, 0xbc00], 0x0ffe);
    half("fma.rn.relu.f16 %h7, %h0, %h1, %h2;", &[ONE, 0xbc00, 0], 0);
    half("add.sat.f16 %h7, %h0, %h1;", &[ONE, ONE], ONE);
    half("neg.f16 %h7, %h0;", &[ONE], 0xbc00);
    half("abs.f16 %h7, %h0;", &[0xbc00], ONE);
    half("add.ftz.f16 %h7, %h0, %h1;", &[1, 1], 0);
    half("add.f16 %h7, %h0, %h1;", &[1, 1], 2);
    half("ex2.approx.f16 %h7, %h0;", &[0x4000], 0x4400);
    half("tanh.approx.f16 %h7, %h0;", &[0], 0);
    half("fma.rn.bf16 %h7, %h0, %h1, %h2;", &[0x3f80, 0x4000, 0x3f80], 0x4040);
    half("mul.bf16 %h7, %h0, %h1;", &[0x4040, 0x4040], 0x4110);
}

#[test]
fn least_and_greatest_know_nan_and_signed_zero() {
    half("min.f16 %h7, %h0, %h1;", &[0x7e00, ONE], ONE);
    half("max.NaN.f16 %h7, %h0, %h1;", &[0x7e00, ONE], NAN);
    half("min.f16 %h7, %h0, %h1;", &[0, 0x8000], 0x8000);
    half("max.bf16 %h7, %h0, %h1;", &[0x3f80, 0xbf80], 0x3f80);
}

#[test]
fn pairs_are_worked_on_half_by_half() {
    narrow("add.f16x2 %r7, %r0, %r1;", &[0x4000_3c00, 0x3c00_3c00], 0x4200_4000);
    narrow(
        "fma.rn.f16x2 %r7, %r0, %r1, %r2;",
        &[0x4000_3c00, 0x4000_4000, 0x3c00_0000],
        0x4500_4000,
    );
    narrow("neg.f16x2 %r7, %r0;", &[0x4000_bc00], 0xc000_3c00);
    narrow("max.f16x2 %r7, %r0, %r1;", &[0x4000_3c00, 0x3c00_4000], 0x4000_4000);
    narrow("fma.rn.bf16x2 %r7, %r0, %r1, %r2;", &[0x3f80_4000, 0x4000_4000, 0], 0x4000_4080);
    narrow("mov.b32 %r7, {%h0, %h1};", &[0x3c00, 0x4000], 0x4000_3c00);
    let compare = "setp.lt.f16x2 %p1|%p2, %r0, %r1; selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 2, 0, %p2; add.u32 %r7, %r5, %r6;";
    narrow(compare, &[0x4000_3c00, 0x3c00_4000], 1);
    narrow(compare, &[0x3c00_4000, 0x4000_3c00], 2);
    narrow("set.eq.f16x2.f16x2 %r7, %r0, %r1;", &[0x4000_3c00, 0x4000_4000], 0x3c00_0000);
    narrow("set.eq.u32.f16x2 %r7, %r0, %r1;", &[0x4000_3c00, 0x4000_4000], 0xffff_0000);
}

#[test]
fn comparisons_are_of_values() {
    for (comparison, inputs, holds) in [
        ("lt", [0xbc00, ONE], true),
        ("gt", [0xbc00, ONE], false),
        ("eq", [0, 0x8000], true),
        ("ltu", [NAN, ONE], true),
        ("ne", [NAN, ONE], false),
    ] {
        let body = format!("setp.{comparison}.f16 %p3, %h0, %h1;");
        let words = [u64::from(inputs[0]), u64::from(inputs[1]), 0, 0];
        assert_eq!(results(&body, words).p, holds, "{comparison} of {inputs:x?}");
    }
}

#[test]
fn conversions_round_clamp_and_pack() {
    narrow("cvt.f32.f16 %r7, %h0;", &[0x3e00], 1.5f32.to_bits());
    narrow("cvt.f32.f16 %r7, %h0;", &[1], 2f32.powi(-24).to_bits());
    narrow("cvt.rzi.s32.f16 %r7, %h0;", &[0xc100], -2i32 as u32);
    narrow("cvt.rn.f16.f32 %h3, %r0; cvt.u32.u16 %r7, %h3;", &[70_000f32.to_bits()], 0x7c00);
    narrow("cvt.rz.f16.f32 %h3, %r0; cvt.u32.u16 %r7, %h3;", &[70_000f32.to_bits()], 0x7bff);
    narrow("cvt.rn.f16.s32 %h3, %r0; cvt.u32.u16 %r7, %h3;", &[-3i32 as u32], 0xc200);
    let pack = "cvt.rn.f16x2.f32 %r7, %r0, %r1;";
    narrow(pack, &[2f32.to_bits(), 1f32.to_bits()], 0x4000_3c00);
    narrow("cvt.rn.relu.bf16x2.f32 %r7, %r0, %r1;", &[(-2f32).to_bits(), 1f32.to_bits()], 0x3f80);
    // A whole number too long for f64, just above the middle of two of bf16.
    let body = "cvt.rn.bf16.u64 %h3, %rd0; cvt.u32.u16 %r7, %h3;";
    let middle = 1u64 << 63 | 1 << 55;
    assert_eq!(results(body, [middle, 0, 0, 0]).r, 0x5f00);
    assert_eq!(results(body, [middle + 1, 0, 0, 0]).r, 0x5f01);
}

#[test]
fn every_f32_near_a_tie_becomes_the_half_that_ieee_754_says() {
    for exponent in 97..=160u32 {
        for fraction in
            [0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001, 0x7f_ffff, 0x8000, 0x7fff]
        {
            for (name, kind) in [("rn", Round::NearestTiesToEven), ("rz", Round::TowardZero)] {
                let bits = exponent << 23 | fraction;
                let float = Single::from_bits(bits.into());
                let mut exact = false;
                let wanted: Half = float.convert_r(kind, &mut exact).value;
                let body = format!("cvt.{name}.f16.f32 %h7, %r0;");
                half_of(&body, bits, wanted.to_bits() as u16);
                let wanted: BFloat = float.convert_r(kind, &mut exact).value;
                let body = format!("cvt.{name}.bf16.f32 %h7, %r0;");
                half_of(&body, bits, wanted.to_bits() as u16);
            }
        }
    }
}

#[track_caller]
fn half_of(body: &str, bits: u32, expected: u16) {
    let found = results(body, [bits.into(), 0, 0, 0]).h;
    assert_eq!(found, expected, "{body} of {bits:#x}: {found:#x}, not {expected:#x}");
}

#[test]
fn random_products_and_sums_are_those_of_soft_floats() {
    let mut state = 1u64;
    for _ in 0..2000 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let [a, b, c] = [16, 32, 48].map(|at| (state >> at) as u16);
        let soft = [a, b, c].map(|bits| Half::from_bits(bits.into()));
        if soft.iter().any(|value| value.is_nan()) {
            continue;
        }
        let wanted = soft[0].mul_add(soft[1], soft[2]).value;
        let wanted = if wanted.is_nan() { NAN } else { wanted.to_bits() as u16 };
        half("fma.rn.f16 %h7, %h0, %h1, %h2;", &[a, b, c], wanted);
        let soft = [a, b, c].map(|bits| BFloat::from_bits(bits.into()));
        if soft.iter().any(|value| value.is_nan()) {
            continue;
        }
        let wanted = soft[0].mul_add(soft[1], soft[2]).value;
        let wanted = if wanted.is_nan() { NAN } else { wanted.to_bits() as u16 };
        half("fma.rn.bf16 %h7, %h0, %h1, %h2;", &[a, b, c], wanted);
    }
}

#[test]
fn atomics_of_16_bits_leave_their_neighbours_alone() {
    let add = "st.global.u32 [%rd8], %r0; atom.global.add.noftz.f16 %h7, [%rd8+2], %h1; ld.global.u32 %r7, [%rd8];";
    let found = results(add, [0x3c00_1234, 0x4000, 0, 0]);
    assert_eq!((found.h, found.r), (ONE, 0x4200_1234));
    let pair = "st.global.u32 [%rd8], %r0; red.global.add.noftz.f16x2 [%rd8], %r1; ld.global.u32 %r7, [%rd8];";
    narrow(pair, &[0x3c00_4000, 0x4000_3c00], 0x4200_4200);
    let swap = "st.global.u32 [%rd8], %r0; atom.global.cas.b16 %h7, [%rd8], %h1, %h2; ld.global.u32 %r7, [%rd8];";
    let found = results(swap, [0xabcd_0005, 5, 9, 0]);
    assert_eq!((found.h, found.r), (5, 0xabcd_0009));
    assert_eq!(results(swap, [0xabcd_0005, 6, 9, 0]).r, 0xabcd_0005);
}

#[test]
fn numbers_of_eight_bits_are_rounded_to_nearest_and_saturate() {
    let to = |ty: &str| format!("cvt.rn.satfinite.{ty}x2.f32 %h, %f1, %f0;");
    let bits = |value: f32| value.to_bits();
    let pair = |ty: &str, [low, high]: [f32; 2], wanted: u32| {
        let body = format!(
            "{{ .reg .b16 %h; .reg .f32 %f<2>; mov.b32 %f0, %r0; mov.b32 %f1, %r1; {} cvt.u32.u16 %r7, %h; }}",
            to(ty)
        );
        narrow(&body, &[bits(low), bits(high)], wanted);
    };
    pair("e4m3", [1.0, -448.0], 0xfe38);
    // Greater than the greatest, infinity, NaN, the least, half of it, and a tie.
    pair("e4m3", [1000.0, f32::NEG_INFINITY], 0xfe7e);
    pair("e4m3", [f32::NAN, 0.001953125], 0x017f);
    pair("e4m3", [0.0009765625, 1.0625], 0x3800);
    pair("e4m3", [-0.0, 1.1875], 0x3a80);
    pair("e5m2", [1.0, 57344.0], 0x7b3c);
    pair("e5m2", [1e9, -1.0], 0xbc7b);
    // Back, through .f16.
    for (ty, bytes, halves) in [
        ("e4m3", 0x7e38, 0x5f00_3c00),
        ("e4m3", 0x0107, 0x1800_2300),
        ("e5m2", 0x7b3c, 0x7b00_3c00),
        ("e5m2", 0xfc01, 0xfc00_0100),
    ] {
        let body = format!("{{ .reg .b16 %h; cvt.u16.u32 %h, %r0; cvt.rn.f16x2.{ty}x2 %r7, %h; }}");
        narrow(&body, &[bytes], halves);
    }
    let twice =
        "{ .reg .b16 %h; cvt.rn.satfinite.relu.e5m2x2.f16x2 %h, %r0; cvt.u32.u16 %r7, %h; }";
    narrow(twice, &[0xbc00_3c00], 0x003c);
}

/// Each exponent with some fractions, in both signs, beside another implementation, which does not saturate.
#[test]
fn numbers_of_eight_bits_are_those_of_apfloat() {
    let numbers = (96..160u32).flat_map(|exponent| {
        [0u32, 1, 0x80000, 0x100000, 0x180000, 0x180001, 0x2fffff, 0x7fffff]
            .map(|fraction| exponent << 23 | fraction)
    });
    for bits in numbers.flat_map(|bits| [bits, bits | 1 << 31]) {
        let mut exact = false;
        let float = Single::from_bits(bits.into());
        let of_e4m3: Float8E4M3FN = float.convert_r(Round::NearestTiesToEven, &mut exact).value;
        let of_e5m2: Float8E5M2 = float.convert_r(Round::NearestTiesToEven, &mut exact).value;
        let sign = bits >> 24 & 0x80;
        let is_finite = [of_e4m3.is_finite(), of_e5m2.is_finite()];
        let wanted = [(of_e4m3.to_bits() as u32, 0x7e), (of_e5m2.to_bits() as u32, 0x7b)];
        for (at, ty) in ["e4m3", "e5m2"].into_iter().enumerate() {
            let (bits_of, greatest) = wanted[at];
            let wanted = if is_finite[at] { bits_of } else { sign | greatest };
            let body = format!(
                "{{ .reg .b16 %h; .reg .f32 %f<2>; mov.b32 %f0, %r0; mov.b32 %f1, 0f00000000;\n\
                 cvt.rn.satfinite.{ty}x2.f32 %h, %f1, %f0; cvt.u32.u16 %r7, %h; }}"
            );
            narrow(&body, &[bits], wanted);
        }
    }
}

#[test]
fn magnitudes_are_compared_and_signs_combined() {
    let single = |body: &str, inputs: &[f32], wanted: f32| {
        let bits: Vec<u32> = inputs.iter().map(|input| input.to_bits()).collect();
        narrow(body, &bits, wanted.to_bits());
    };
    single("min.xorsign.abs.f32 %r7, %r0, %r1;", &[-3.0, 2.0], -2.0);
    single("max.xorsign.abs.f32 %r7, %r0, %r1;", &[-3.0, -2.0], 3.0);
    single("max.xorsign.abs.f32 %r7, %r0, %r1;", &[3.0, f32::NAN], 3.0);
    single("max.xorsign.abs.f32 %r7, %r0, %r1;", &[3.0, -0.0], -3.0);
    narrow("max.NaN.xorsign.abs.f32 %r7, %r0, %r1;", &[0x4040_0000, 0xffc0_0000], 0x7fff_ffff);
    half("min.xorsign.abs.f16 %h7, %h0, %h1;", &[0xbc00, 0x4000], 0xbc00);
    half("max.xorsign.abs.bf16 %h7, %h0, %h1;", &[0xbf80, 0x4000], 0xc000);
    narrow("max.xorsign.abs.f16x2 %r7, %r0, %r1;", &[0x4000_bc00, 0xbc00_b800], 0xc000_3c00);
    narrow("min.xorsign.abs.bf16x2 %r7, %r0, %r1;", &[0xbf80_4000, 0x4000_bf80], 0xbf80_bf80);
    single("min.f32 %r7, %r0, %r1, %r2;", &[3.0, f32::NAN, -2.0], -2.0);
    single("max.f32 %r7, %r0, %r1, %r2;", &[3.0, 5.0, 4.0], 5.0);
    single("max.abs.f32 %r7, %r0, %r1, %r2;", &[3.0, -5.0, 4.0], 5.0);
    single("min.abs.f32 %r7, %r0, %r1, %r2;", &[3.0, -5.0, -2.0], 2.0);
    narrow("min.NaN.f32 %r7, %r0, %r1, %r2;", &[0x7fc0_0000, 0, 0], 0x7fff_ffff);
    for body in ["min.xorsign.f32 %r7, %r0, %r1;", "min.abs.f32 %r7, %r0, %r1;"] {
        let message = ptx::refused(&ptx::module(body));
        assert!(message.contains(".xorsign and .abs go together"), "{message}");
    }
}

#[test]
fn results_beyond_the_greatest_number_are_that_number() {
    let bits = |value: f32| value.to_bits();
    let half_of = |to: &str, value: f32, wanted: u32| {
        let body = format!("cvt.rn.satfinite.{to}.f32 %h3, %r0; cvt.u32.u16 %r7, %h3;");
        narrow(&body, &[bits(value)], wanted);
    };
    half_of("f16", 70_000.0, 0x7bff);
    half_of("f16", f32::NEG_INFINITY, 0xfbff);
    half_of("f16", f32::NAN, 0x7fff);
    half_of("f16", -1.0, 0xbc00);
    half_of("bf16", f32::INFINITY, 0x7f7f);
    half_of("bf16", f32::MIN, 0xff7f);
    let pair = [bits(-1e6), bits(1e6)];
    narrow("cvt.rn.satfinite.f16x2.f32 %r7, %r0, %r1;", &pair, 0xfbff_7bff);
    narrow("cvt.rn.relu.satfinite.f16x2.f32 %r7, %r0, %r1;", &pair, 0x7bff);
    narrow(
        "cvt.rn.relu.satfinite.bf16x2.f32 %r7, %r0, %r1;",
        &[bits(f32::INFINITY), bits(-2.0)],
        0x7f7f_0000,
    );
}

#[test]
fn tf32_keeps_ten_bits_of_the_fraction() {
    for exponent in [1u32, 2, 100, 127, 200, 254] {
        for fraction in [0, 1, 0xfff, 0x1000, 0x1001, 0x2000, 0x3000, 0x3001, 0x7f_f000, 0x7f_ffff]
        {
            let bits = exponent << 23 | fraction;
            // In units of the last place that is kept.
            let unit = 2f64.powi(exponent as i32 - 127 - 10);
            let units = f64::from(f32::from_bits(bits)) / unit;
            for (how, units) in [
                ("rn", units.round_ties_even()),
                ("rz", units.trunc()),
                ("rna", (units + 0.5).floor()),
            ] {
                let wanted = ((units * unit) as f32).to_bits();
                narrow(&format!("cvt.{how}.tf32.f32 %r7, %r0;"), &[bits], wanted);
                narrow(
                    &format!("cvt.{how}.tf32.f32 %r7, %r0;"),
                    &[bits | 1 << 31],
                    wanted | 1 << 31,
                );
                let finite = if wanted == 0x7f80_0000 { 0x7f7f_e000 } else { wanted };
                narrow(&format!("cvt.{how}.satfinite.tf32.f32 %r7, %r0;"), &[bits], finite);
            }
        }
    }
    let minus = (-1.5f32).to_bits();
    narrow("cvt.rn.relu.tf32.f32 %r7, %r0;", &[minus], 0);
    narrow("cvt.rz.relu.satfinite.tf32.f32 %r7, %r0;", &[f32::INFINITY.to_bits()], 0x7f7f_e000);
    narrow("cvt.rna.satfinite.tf32.f32 %r7, %r0;", &[0xff80_0000], 0xff7f_e000);
    narrow("cvt.rn.tf32.f32 %r7, %r0;", &[0xffc0_0001], 0x7fff_ffff);
}
