//! Results of single instructions in PTX's special cases.

#[path = "support/ptx.rs"]
mod ptx;

use ptx::{double, module, narrow, predicate, refused, results, single, stopped, wide};
use warpsmith::gpu::isa;

const MIN: u32 = i32::MIN as u32;
const MAX: u32 = i32::MAX as u32;
const NAN: u32 = 0x7fff_ffff;

#[test]
fn integers_wrap_and_saturate() {
    narrow("add.s32 %r7, %r0, %r1;", &[MAX, 1], MIN);
    narrow("add.sat.s32 %r7, %r0, %r1;", &[MAX, 1], MAX);
    narrow("sub.sat.s32 %r7, %r0, %r1;", &[MIN, 1], MIN);
    narrow("neg.s32 %r7, %r0;", &[MIN], MIN);
    narrow("abs.s32 %r7, %r0;", &[MIN], MIN);
    narrow("abs.s32 %r7, %r0;", &[-5i32 as u32], 5);
    narrow("mul.hi.u32 %r7, %r0, %r1;", &[u32::MAX, u32::MAX], u32::MAX - 1);
    narrow("mul.hi.s32 %r7, %r0, %r1;", &[u32::MAX, 2], u32::MAX);
    narrow("mad.hi.sat.s32 %r7, %r0, %r1, %r2;", &[MAX, MAX, MAX], MAX);
    narrow("mul24.lo.u32 %r7, %r0, %r1;", &[0xff00_0003, 0xff00_0005], 15);
    narrow("mul24.hi.u32 %r7, %r0, %r1;", &[0x00ff_ffff, 0x00ff_ffff], 0xffff_fe00);
    narrow("mad24.lo.s32 %r7, %r0, %r1, %r2;", &[0x00ff_ffff, 3, 10], 7);
    narrow("sad.u32 %r7, %r0, %r1, %r2;", &[3, 10, 100], 107);
    narrow("min.s32 %r7, %r0, %r1;", &[u32::MAX, 1], u32::MAX);
    narrow("min.u32 %r7, %r0, %r1;", &[u32::MAX, 1], 1);
    wide("mul.hi.u64 %rd7, %rd0, %rd1;", &[u64::MAX, u64::MAX], u64::MAX - 1);
    wide("mul.hi.s64 %rd7, %rd0, %rd1;", &[u64::MAX, 2], u64::MAX);
    wide("mul.wide.s32 %rd7, %r0, %r1;", &[u64::from(u32::MAX), 2], -2i64 as u64);
    wide("mad.wide.u32 %rd7, %r0, %r1, %rd2;", &[u64::from(u32::MAX), 2, 5], 0x2_0000_0003);
}

#[test]
fn registers_of_16_bits_stay_within_their_width() {
    let words = [0xffff, 1, 0, 0];
    assert_eq!(results("add.s16 %h7, %h0, %h1;", words).h, 0);
    narrow("add.s16 %h3, %h0, %h1; cvt.u32.u16 %r7, %h3;", &[0xffff, 2], 1);
    narrow("cvt.s32.s16 %r7, %h0;", &[0x8000], 0xffff_8000);
    narrow("mul.wide.s16 %r7, %h0, %h1;", &[0xffff, 3], -3i32 as u32);
    narrow("shr.s16 %h3, %h0, 15; cvt.u32.u16 %r7, %h3;", &[0x8000], 0xffff);
}

#[test]
fn division_by_zero_gives_all_ones_and_the_dividend() {
    narrow("div.u32 %r7, %r0, %r1;", &[7, 0], u32::MAX);
    narrow("div.s32 %r7, %r0, %r1;", &[7, 0], u32::MAX);
    narrow("rem.s32 %r7, %r0, %r1;", &[7, 0], 7);
    narrow("div.s32 %r7, %r0, %r1;", &[MIN, u32::MAX], MIN);
    narrow("rem.s32 %r7, %r0, %r1;", &[MIN, u32::MAX], 0);
    narrow("rem.s32 %r7, %r0, %r1;", &[-7i32 as u32, 3], -1i32 as u32);
    wide("div.u64 %rd7, %rd0, %rd1;", &[1, 0], u64::MAX);
}

#[test]
fn shifts_clamp_or_wrap_as_they_say() {
    narrow("shl.b32 %r7, %r0, %r1;", &[1, 32], 0);
    narrow("shl.b32 %r7, %r0, %r1;", &[1, 31], MIN);
    narrow("shr.u32 %r7, %r0, %r1;", &[MIN, 33], 0);
    narrow("shr.s32 %r7, %r0, %r1;", &[MIN, 33], u32::MAX);
    wide("shr.s64 %rd7, %rd0, %r1;", &[1 << 63, 64], u64::MAX);
    narrow("shf.l.wrap.b32 %r7, %r0, %r1, %r2;", &[MIN, 1, 33], 3);
    narrow("shf.l.clamp.b32 %r7, %r0, %r1, %r2;", &[5, 1, 40], 5);
    narrow("shf.r.clamp.b32 %r7, %r0, %r1, %r2;", &[5, 9, 40], 9);
    narrow("shf.r.wrap.b32 %r7, %r0, %r1, %r2;", &[2, 1, 1], MIN + 1);
}

#[test]
fn pairs_of_integers_are_added_and_compared() {
    let [a, b] = [0x7fff_fffe, 0x0001_0003];
    for (op, value) in [
        ("add.s16x2", 0x8000_0001),
        ("add.u16x2", 0x8000_0001),
        ("min.s16x2", 0x0001_fffe),
        ("min.u16x2", 0x0001_0003),
        ("max.s16x2", 0x7fff_0003),
        ("max.u16x2", 0x7fff_fffe),
        ("min.relu.s16x2", 0x0001_0000),
        ("min.s16x2.relu", 0x0001_0000),
        ("max.relu.s16x2", 0x7fff_0003),
    ] {
        narrow(&format!("{op} %r7, %r0, %r1;"), &[a, b], value);
    }
    narrow("min.relu.s32 %r7, %r0, %r1;", &[-5i32 as u32, 3], 0);
    narrow("max.s32.relu %r7, %r0, %r1;", &[-5i32 as u32, -3i32 as u32], 0);
    narrow("min.relu.s32 %r7, %r0, %r1;", &[5, 3], 3);
}

#[test]
fn carries_chain_over_words() {
    let add = "add.cc.u32 %r4, %r0, %r1; addc.u32 %r7, %r2, %r3;";
    narrow(add, &[u32::MAX, 1, 5, 6], 12);
    narrow(add, &[u32::MAX, 0, 5, 6], 11);
    narrow("sub.cc.u32 %r4, %r0, %r1; subc.u32 %r7, %r2, %r3;", &[0, 1, 5, 3], 1);
    narrow("sub.cc.u32 %r4, %r0, %r1; subc.u32 %r7, %r2, %r3;", &[1, 1, 5, 3], 2);
    // The carry of a subtraction is that of a + !b + 1.
    narrow("sub.cc.u32 %r4, %r0, %r1; addc.u32 %r7, 0, 0;", &[2, 1], 1);
    narrow("sub.cc.u32 %r4, %r0, %r1; addc.u32 %r7, 0, 0;", &[1, 2], 0);
    narrow("add.cc.u32 %r4, %r0, %r1; subc.u32 %r7, 0, 0;", &[0, 0], u32::MAX);
    narrow(
        "add.cc.u32 %r4, %r0, %r1; addc.cc.u32 %r4, %r2, %r3; addc.u32 %r7, 0, 0;",
        &[u32::MAX, 1, u32::MAX, 0],
        1,
    );
    narrow("mad.lo.cc.u32 %r4, %r0, %r1, %r2; madc.hi.u32 %r7, %r0, %r1, 0;", &[u32::MAX, 2, 5], 2);
    wide("add.cc.u64 %rd4, %rd0, %rd1; addc.u64 %rd7, %rd2, 0;", &[u64::MAX, 1, 7], 8);
}

#[test]
fn bit_fields_and_counts_follow_their_definitions() {
    narrow("bfe.u32 %r7, %r0, %r1, %r2;", &[0xabcd_1234, 8, 8], 0x12);
    narrow("bfe.s32 %r7, %r0, %r1, %r2;", &[0xabcd_1234, 24, 8], 0xffff_ffab);
    narrow("bfe.s32 %r7, %r0, %r1, %r2;", &[MIN, 28, 8], 0xffff_fff8);
    narrow("bfe.s32 %r7, %r0, %r1, %r2;", &[MIN, 3, 0], 0);
    narrow("bfe.u32 %r7, %r0, %r1, %r2;", &[u32::MAX, 40, 8], 0);
    wide("bfe.s64 %rd7, %rd0, %r1, %r2;", &[1 << 63, 60, 4], 0xffff_ffff_ffff_fff8);
    narrow("bfi.b32 %r7, %r0, %r1, %r2, %r3;", &[0xff, 0, 8, 4], 0xf00);
    narrow("bfi.b32 %r7, %r0, %r1, %r2, %r3;", &[0xff, 7, 40, 4], 7);
    narrow("bfi.b32 %r7, %r0, %r1, %r2, %r3;", &[5, 7, 0, 32], 5);
    narrow("brev.b32 %r7, %r0;", &[1], MIN);
    narrow("popc.b32 %r7, %r0;", &[0xff00_00ff], 16);
    narrow("popc.b64 %r7, %rd0;", &[u32::MAX], 32);
    narrow("clz.b32 %r7, %r0;", &[0], 32);
    narrow("clz.b64 %r7, %rd0;", &[1], 63);
    narrow("bfind.u32 %r7, %r0;", &[0], u32::MAX);
    narrow("bfind.s32 %r7, %r0;", &[u32::MAX], u32::MAX);
    narrow("bfind.s32 %r7, %r0;", &[0xffff_ff00], 7);
    narrow("bfind.shiftamt.u32 %r7, %r0;", &[1], 31);
    narrow("lop3.b32 %r7, %r0, %r1, %r2, 0xE8;", &[0xff00, 0xf0f0, 0xcccc], 0xfcc0);
    narrow("prmt.b32 %r7, %r0, %r1, 0x7531;", &[0x3322_1100, 0x7766_5544], 0x7755_3311);
    narrow("prmt.b32 %r7, %r0, %r1, 0x000b;", &[0x8000_0000, 0], 0x0000_00ff);
    narrow("prmt.b32.f4e %r7, %r0, %r1, %r2;", &[0x3322_1100, 0x7766_5544, 1], 0x4433_2211);
    narrow("prmt.b32.ecl %r7, %r0, %r1, %r2;", &[0x3322_1100, 0, 1], 0x3322_1111);
    narrow("dp4a.s32.s32 %r7, %r0, %r1, %r2;", &[0xff01_0203, 0x0101_0101, 10], 15);
    narrow("cnot.b32 %r7, %r0;", &[0], 1);
}

#[test]
fn floats_round_in_the_direction_asked_for() {
    let third = 1.0f32 / 3.0;
    single("div.rn.f32 %r7, %r0, %r1;", &[1.0, 3.0], third);
    single("div.rm.f32 %r7, %r0, %r1;", &[1.0, 3.0], third.next_down());
    single("div.rz.f32 %r7, %r0, %r1;", &[-1.0, 3.0], -third.next_down());
    single("div.rp.f32 %r7, %r0, %r1;", &[1.0, 3.0], third);
    single("add.rp.f32 %r7, %r0, %r1;", &[1.0, 1e-20], 1f32.next_up());
    single("add.rm.f32 %r7, %r0, %r1;", &[1.0, -1e-20], 1f32.next_down());
    single("mul.rz.f32 %r7, %r0, %r1;", &[f32::MAX, 2.0], f32::MAX);
    single("fma.rp.f32 %r7, %r0, %r1, %r2;", &[1.0, 1.0, 1e-30], 1f32.next_up());
    single("sqrt.rm.f32 %r7, %r0;", &[2.0], std::f32::consts::SQRT_2);
    single("sqrt.rp.f32 %r7, %r0;", &[2.0], std::f32::consts::SQRT_2.next_up());
    single("sqrt.rp.f32 %r7, %r0;", &[4.0], 2.0);
    double("add.rz.f64 %rd7, %rd0, %rd1;", &[1.0, -1e-30], 1f64.next_down());
    // A subnormal and its root: 3 * 2^-1074, which is 2^-537 times the root of 3.
    let root = 3f64.sqrt() * 2f64.powi(-537);
    double("sqrt.rm.f64 %rd7, %rd0;", &[f64::from_bits(3)], root);
    double("sqrt.rp.f64 %rd7, %rd0;", &[f64::from_bits(3)], root.next_up());
    // One rounding, not two.
    let (a, b) = (1.0 + f32::EPSILON, 1.0 - f32::EPSILON);
    single("fma.rn.f32 %r7, %r0, %r1, %r2;", &[a, b, -1.0], -(f32::EPSILON * f32::EPSILON));
}

#[test]
fn nans_zeros_and_subnormals_follow_ptx() {
    narrow("add.f32 %r7, %r0, %r1;", &[0xffc0_1234, 0], NAN);
    narrow("sqrt.rn.f32 %r7, %r0;", &[0xbf80_0000], NAN);
    single("min.f32 %r7, %r0, %r1;", &[f32::NAN, 2.0], 2.0);
    single("max.f32 %r7, %r0, %r1;", &[2.0, f32::NAN], 2.0);
    narrow("min.NaN.f32 %r7, %r0, %r1;", &[0x7fc0_0000, 0], NAN);
    single("min.f32 %r7, %r0, %r1;", &[0.0, -0.0], -0.0);
    single("max.f32 %r7, %r0, %r1;", &[-0.0, 0.0], 0.0);
    let tiny = f32::from_bits(1);
    single("add.f32 %r7, %r0, %r1;", &[tiny, tiny], f32::from_bits(2));
    single("add.ftz.f32 %r7, %r0, %r1;", &[tiny, tiny], 0.0);
    single("mul.ftz.f32 %r7, %r0, %r1;", &[-1e-30, 1e-10], -0.0);
    single("add.sat.f32 %r7, %r0, %r1;", &[2.0, 1.0], 1.0);
    narrow("add.sat.f32 %r7, %r0, %r1;", &[NAN, 0], 0);
    single("copysign.f32 %r7, %r0, %r1;", &[-1.0, 3.0], -3.0);
    single("rcp.rn.f32 %r7, %r0;", &[0.0], f32::INFINITY);
    double("max.f64 %rd7, %rd0, %rd1;", &[f64::NAN, 1.0], 1.0);
}

#[test]
fn approximations_are_within_the_stated_bounds() {
    single("ex2.approx.ftz.f32 %r7, %r0;", &[3.0], 8.0);
    single("lg2.approx.f32 %r7, %r0;", &[8.0], 3.0);
    single("lg2.approx.f32 %r7, %r0;", &[0.0], f32::NEG_INFINITY);
    single("rsqrt.approx.f32 %r7, %r0;", &[4.0], 0.5);
    single("sin.approx.f32 %r7, %r0;", &[1.0], 1f64.sin() as f32);
    single("cos.approx.f32 %r7, %r0;", &[1.0], 1f64.cos() as f32);
    single("div.full.f32 %r7, %r0, %r1;", &[1.0, 3.0], 1.0 / 3.0);
    single("div.approx.f32 %r7, %r0, %r1;", &[6.0, 3.0], 2.0);
    single("sqrt.approx.f32 %r7, %r0;", &[9.0], 3.0);
    double("rsqrt.approx.f64 %rd7, %rd0;", &[4.0], 0.5);
    double("rcp.rn.f64 %rd7, %rd0;", &[4.0], 0.25);
}

#[test]
fn conversions_round_clamp_and_extend() {
    narrow("cvt.rzi.s32.f32 %r7, %r0;", &[(-1.7f32).to_bits()], -1i32 as u32);
    narrow("cvt.rni.s32.f32 %r7, %r0;", &[2.5f32.to_bits()], 2);
    narrow("cvt.rmi.s32.f32 %r7, %r0;", &[(-1.2f32).to_bits()], -2i32 as u32);
    narrow("cvt.rpi.s32.f32 %r7, %r0;", &[1.2f32.to_bits()], 2);
    narrow("cvt.rzi.u32.f32 %r7, %r0;", &[(-5f32).to_bits()], 0);
    narrow("cvt.rzi.s32.f32 %r7, %r0;", &[1e20f32.to_bits()], MAX);
    narrow("cvt.rzi.s32.f32 %r7, %r0;", &[NAN], 0);
    wide("cvt.rzi.s64.f64 %rd7, %rd0;", &[f64::NAN.to_bits()], 1 << 63);
    narrow("cvt.sat.u8.s32 %r7, %r0;", &[300], 255);
    narrow("cvt.sat.u8.s32 %r7, %r0;", &[-4i32 as u32], 0);
    narrow("cvt.u8.u32 %r7, %r0;", &[0x1ff], 0xff);
    narrow("cvt.s8.s32 %r7, %r0;", &[0x80], 0xffff_ff80);
    wide("cvt.s64.s32 %rd7, %r0;", &[u64::from(MIN)], 0xffff_ffff_8000_0000);
    wide("cvt.u64.u32 %rd7, %r0;", &[u64::from(MIN)], 0x8000_0000);
    single("cvt.rni.f32.f32 %r7, %r0;", &[2.5], 2.0);
    single("cvt.sat.f32.f32 %r7, %r0;", &[2.5], 1.0);
    let value = 16_777_217u32;
    narrow("cvt.rn.f32.u32 %r7, %r0;", &[value], 16_777_216f32.to_bits());
    narrow("cvt.rp.f32.u32 %r7, %r0;", &[value], 16_777_218f32.to_bits());
    narrow("cvt.rz.f32.s32 %r7, %r0;", &[value.wrapping_neg()], (-16_777_216f32).to_bits());
    let big = f64::from(f32::MAX) * 2.0;
    narrow("cvt.rz.f32.f64 %r7, %rd0;", &[0], 0);
    assert_eq!(
        results("cvt.rz.f32.f64 %r7, %rd0;", [big.to_bits(), 0, 0, 0]).r,
        f32::MAX.to_bits()
    );
    assert_eq!(
        results("cvt.rn.f32.f64 %r7, %rd0;", [big.to_bits(), 0, 0, 0]).r,
        f32::INFINITY.to_bits()
    );
    wide("cvt.f64.f32 %rd7, %r0;", &[u64::from(1.5f32.to_bits())], 1.5f64.to_bits());
}

#[test]
fn comparisons_know_order_signs_and_nan() {
    predicate("setp.lt.s32 %p3, %r0, %r1;", &[u32::MAX, 0], true);
    predicate("setp.lt.u32 %p3, %r0, %r1;", &[u32::MAX, 0], false);
    predicate("setp.hi.u32 %p3, %r0, %r1;", &[u32::MAX, 0], true);
    predicate("setp.lt.f32 %p3, %r0, %r1;", &[NAN, 0], false);
    predicate("setp.ltu.f32 %p3, %r0, %r1;", &[NAN, 0], true);
    predicate("setp.ne.f32 %p3, %r0, %r1;", &[NAN, 0], false);
    predicate("setp.neu.f32 %p3, %r0, %r1;", &[NAN, 0], true);
    predicate("setp.nan.f32 %p3, %r0, %r1;", &[NAN, 0], true);
    predicate("setp.num.f32 %p3, %r0, %r1;", &[0, 0], true);
    predicate("setp.eq.ftz.f32 %p3, %r0, %r1;", &[1, 0], true);
    predicate("setp.eq.f32 %p3, %r0, %r1;", &[1, 0], false);
    predicate("setp.eq.s32 %p1, %r0, %r0; setp.eq.and.s32 %p3, %r0, %r1, !%p1;", &[5, 5], false);
    predicate("setp.eq.s32 %p1|%p3, %r0, %r1;", &[5, 5], false);
    predicate("setp.eq.s32 %p1, %r0, %r1; not.pred %p3, %p1;", &[5, 6], true);
    predicate("setp.eq.s32 %p1, %r0, %r1; xor.pred %p3, %p1, %p1;", &[5, 5], false);
    predicate("testp.subnormal.f32 %p3, %r0;", &[1], true);
    predicate("testp.infinite.f32 %p3, %r0;", &[f32::INFINITY.to_bits()], true);
    narrow("set.lt.u32.s32 %r7, %r0, %r1;", &[1, 2], u32::MAX);
    narrow("set.lt.f32.s32 %r7, %r0, %r1;", &[1, 2], 1f32.to_bits());
    narrow("slct.s32.f32 %r7, %r0, %r1, %r2;", &[1, 2, (-0.0f32).to_bits()], 1);
    narrow("slct.s32.s32 %r7, %r0, %r1, %r2;", &[1, 2, MIN], 2);
}

#[test]
fn moves_pack_unpack_and_take_constants_of_any_base() {
    wide("mov.b64 %rd7, {%r0, %r1};", &[1, 2], 0x2_0000_0001);
    narrow("mov.b64 {_, %r7}, %rd0;", &[7], 0);
    narrow("mov.b32 %r7, {%h0, %h1};", &[0x1234, 0x5678], 0x5678_1234);
    narrow("mov.b32 {%h3, %h4}, %r0; cvt.u32.u16 %r7, %h4;", &[0x5678_1234], 0x5678);
    narrow("mov.u32 %r7, 0x1F;", &[], 31);
    narrow("mov.u32 %r7, 017;", &[], 15);
    narrow("mov.u32 %r7, 0b101;", &[], 5);
    narrow("mov.u32 %r7, -1;", &[], u32::MAX);
    narrow("mov.f32 %r7, 0f3F800000;", &[], 1f32.to_bits());
    narrow("mov.f32 %r7, 0.5;", &[], 0.5f32.to_bits());
    wide("mov.f64 %rd7, 0d3FF0000000000000;", &[], 1f64.to_bits());
    narrow("mov.u32 %r7, WARP_SZ;", &[], 32);
    narrow("add.s32 %r7, %r0, %ntid.x;", &[4], 5);
}

#[test]
fn atomics_give_the_old_value_and_leave_the_new_one() {
    let twice = |op: &str| {
        format!(
            "st.global.u64 [%rd8], %rd0; atom.global.{op} %r4, [%rd8], %r1; \
                 ld.global.u32 %r7, [%rd8]; cvt.u64.u32 %rd7, %r4;"
        )
    };
    for (op, old, operand, new) in [
        ("add.u32", 5, 3, 8),
        ("min.s32", 5, u32::MAX, u32::MAX),
        ("min.u32", 5, u32::MAX, 5),
        ("max.s32", 5, u32::MAX, 5),
        ("exch.b32", 5, 9, 9),
        ("inc.u32", 5, 5, 0),
        ("inc.u32", 4, 5, 5),
        ("dec.u32", 0, 5, 5),
        ("dec.u32", 9, 5, 5),
        ("dec.u32", 3, 5, 2),
        ("and.b32", 6, 3, 2),
        ("or.b32", 6, 3, 7),
        ("xor.b32", 6, 3, 5),
        ("add.f32", 1f32.to_bits(), 2f32.to_bits(), 3f32.to_bits()),
    ] {
        let found = results(&twice(op), [old.into(), operand.into(), 0, 0]);
        assert_eq!((found.r, found.rd), (new, old.into()), "{op} of {old} and {operand}");
    }
    let swap = "st.global.u64 [%rd8], %rd0; atom.global.cas.b32 %r4, [%rd8], %r1, %r2; \
                ld.global.u32 %r7, [%rd8];";
    narrow(swap, &[5, 5, 9], 9);
    narrow(swap, &[5, 6, 9], 5);
    let red = "st.global.u64 [%rd8], %rd0; red.relaxed.gpu.global.add.u32 [%rd8], %r1; \
               red.global.add.u32 [%rd8], 1; ld.relaxed.gpu.global.u32 %r7, [%rd8];";
    narrow(red, &[5, 6], 12);
}

#[test]
fn generic_addresses_reach_every_space() {
    let local = ".local .align 8 .b8 own[16]; mov.u64 %rd4, own; cvta.local.u64 %rd5, %rd4; \
                 st.u32 [%rd5+4], %r0; ld.local.u32 %r7, [%rd4+4]; isspacep.local %p3, %rd5;";
    let found = results(local, [42, 0, 0, 0]);
    assert_eq!((found.r, found.p), (42, true));
    let shared = ".shared .align 8 .b8 own[16]; mov.u64 %rd4, own; cvta.shared.u64 %rd5, %rd4; \
                  st.shared.u16 [own+6], %h0; ld.s16 %r7, [%rd5+6]; isspacep.global %p3, %rd5;";
    let found = results(shared, [0x8001, 0, 0, 0]);
    assert_eq!((found.r, found.p), (0xffff_8001, false));
    narrow("cvta.to.global.u64 %rd4, %rd9; ld.u8 %r7, [%rd9+1];", &[0x1234], 0x12);
}

#[test]
fn problems_name_kernel_line_thread_and_address() {
    for (body, words) in [
        ("ld.global.u32 %r7, [%rd8+24];", ["24 bytes", "4 bytes at 0x"]),
        ("st.global.u32 [%rd8+2], %r0;", ["not aligned to 4 bytes", "0x"]),
        ("ld.global.u32 %r7, [16];", ["0x10", "outside"]),
        ("ld.shared.u32 %r7, [16];", ["0x10 of shared", "0 bytes of this CTA"]),
        ("mov.u64 %rd4, out; cvta.param.u64 %rd4, %rd4; st.u32 [%rd4], 5;", ["param", "read-only"]),
        ("trap;", ["trap", "kernel k"]),
        ("bar.sync 17;", ["barrier 17", "0 to 15"]),
        ("bar.sync 1, 64;", ["wait at barriers", "barrier 1"]),
        ("here: bra here;", ["watchdog", "line 11"]),
        ("vote.sync.any.pred %p3, %p1, 0xffff0000;", ["0xffff0000", "0x00000001"]),
    ] {
        let message = stopped(body);
        for word in words.iter().chain(&["test.ptx:11", "kernel k"]) {
            assert!(message.contains(word), "`{word}` is missing of {body}: {message}");
        }
    }
}

#[test]
fn what_is_not_supported_is_refused_with_line_and_instruction() {
    for (body, words) in [
        (
            "tex.cube.v4.f32.f32 {%r1, %r1, %r1, %r1}, [%rd1, {%r1}];",
            ["not supported", "`tex.cube"],
        ),
        ("suld.p.1d.b32.trap %r1, [%rd1, {%r1}];", ["suld.b", "`suld.p"]),
        ("tex.1d.v4.f32.s32 {%r1, %r1, %r1, %r1}, [%rd1, %rd2, {%r1}];", ["sampler", "`tex.1d"]),
        ("tex.2d.v4.f32.s32 {%r1, %r1, %r1, %r1}, [%rd1, {%r1}];", ["1 coordinates", "`tex.2d"]),
        ("sured.b.xor.1d.b32.trap [%rd1, {%r1}], %r1;", ["add, min, max", "`sured.b"]),
        ("div.f16 %h7, %h0, %h1;", ["convert to .f32", "`div.f16"]),
        ("cvt.f32.f16x2 %r7, %r0;", ["a pair is not converted", "`cvt.f32"]),
        ("ld.global.u32 %r7, [%r0];", ["64 bits, or 32 in shared", "`ld.global"]),
        ("bra nowhere;", ["no label nowhere", "`bra nowhere;`"]),
        ("add.s32 %r7, %x0, 1;", ["no register %x0", "`add.s32"]),
        ("add.s32 %r7, %r99, 1;", ["no register %r99", "`add.s32"]),
        ("add.s32 %rd7, %r0, 1;", ["64 bits", "`add.s32"]),
        ("add.s32 %r7, %r0;", ["operand 3 is missing", "`add.s32"]),
        ("add.s32 %r7, %r0, 1, 2;", ["operand 4 is one too many", "`add.s32"]),
        ("add.s32 %r7 %r0, 1;", ["not an instruction", "`add.s32"]),
        ("bogus.s32 %r7, %r0;", ["no instruction bogus", "`bogus.s32"]),
        ("call.uni elsewhere;", ["no function elsewhere", "`call.uni"]),
        ("brx.idx %r0, here;", ["no .branchtargets here", "`brx.idx"]),
    ] {
        let message = refused(&module(body));
        for word in words.iter().chain(&["test.ptx:11"]) {
            assert!(message.contains(word), "`{word}` is missing of {body}: {message}");
        }
    }
    assert!(refused(".version 6.4\n.target sm_70\n.address_size 32\n").contains("32-bit"));
    let recursive = ".version 6.4\n.target sm_70\n.address_size 64\n.func f() { call f; ret; }\n";
    assert!(isa::load("test.ptx", recursive).is_ok());
}
