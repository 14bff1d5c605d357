//! Results of instructions on bytes and masks, of lanes together, and of what the machine provides.

#[path = "support/ptx.rs"]
mod ptx;
mod support {
    pub mod kernel;
    pub mod matrix;
}

use ptx::{narrow, refused, results, stopped, wide};
use support::kernel::{Kernel, On};
use support::matrix::module;

#[test]
fn masks_and_extensions_clamp_or_wrap() {
    narrow("bmsk.clamp.b32 %r7, %r0, %r1;", &[4, 8], 0xff0);
    narrow("bmsk.clamp.b32 %r7, %r0, %r1;", &[28, 8], 0xf000_0000);
    narrow("bmsk.clamp.b32 %r7, %r0, %r1;", &[0, 32], u32::MAX);
    narrow("bmsk.clamp.b32 %r7, %r0, %r1;", &[32, 1], 0);
    narrow("bmsk.wrap.b32 %r7, %r0, %r1;", &[33, 34], 6);
    narrow("bmsk.wrap.b32 %r7, %r0, %r1;", &[0, 32], 0);
    narrow("szext.clamp.s32 %r7, %r0, %r1;", &[0x80, 8], 0xffff_ff80);
    narrow("szext.clamp.u32 %r7, %r0, %r1;", &[0xff80, 8], 0x80);
    narrow("szext.clamp.s32 %r7, %r0, %r1;", &[0x8000_0000, 40], 0x8000_0000);
    narrow("szext.wrap.s32 %r7, %r0, %r1;", &[1, 33], u32::MAX);
    narrow("szext.wrap.u32 %r7, %r0, %r1;", &[7, 32], 0);
}

#[test]
fn set_bits_are_found_from_a_base_in_both_directions() {
    narrow("fns.b32 %r7, %r0, %r1, %r2;", &[0b1010_1000, 3, 0], 3);
    narrow("fns.b32 %r7, %r0, %r1, %r2;", &[0b1010_1000, 4, 0], u32::MAX);
    narrow("fns.b32 %r7, %r0, %r1, %r2;", &[0b1010_1000, 3, 2], 5);
    narrow("fns.b32 %r7, %r0, %r1, %r2;", &[0b1010_1000, 7, -3i32 as u32], 3);
    narrow("fns.b32 %r7, %r0, %r1, %r2;", &[0b1010_1000, 7, 2], u32::MAX);
}

#[test]
fn words_are_worked_on_in_parts() {
    narrow("dp2a.lo.s32.u32 %r7, %r0, %r1, %r2;", &[0xffff_0003, 0x0908_0201, 10], 11);
    narrow("dp2a.hi.s32.u32 %r7, %r0, %r1, %r2;", &[0xffff_0003, 0x0908_0201, 10], 25);
    narrow(
        "vabsdiff4.u32.u32.u32 %r7, %r0, %r1, %r2;",
        &[0x0510_00ff, 0x0900_0100, 0],
        0x0410_01ff,
    );
    narrow("vabsdiff4.u32.u32.u32.add %r7, %r0, %r1, %r2;", &[0x0510_00ff, 0x0900_0100, 7], 0x11b);
    narrow(
        "vadd4.u32.u32.u32.sat %r7, %r0, %r1, %r2;",
        &[0xff01_80ff, 0x0102_8001, 0],
        0xff03_ffff,
    );
    narrow(
        "vsub2.s32.s32.s32.sat %r7, %r0, %r1, %r2;",
        &[0x8000_0005, 0x0001_0007, 0],
        0x8000_fffe,
    );
    narrow("vmax4.s32.s32.s32 %r7, %r0, %r1, %r2;", &[0xff01_80ff, 0x0102_7f00, 0], 0x0102_7f00);
    narrow("vavrg2.u32.u32.u32 %r7, %r0, %r1, %r2;", &[0x0001_0004, 0x0002_0006, 0], 0x0002_0005);
}

#[test]
fn lanes_reduce_what_they_hold() {
    narrow("redux.sync.add.s32 %r7, %r0, 1;", &[5], 5);
    narrow("redux.sync.max.s32 %r7, %r0, 0xffffffff;", &[-5i32 as u32], -5i32 as u32);
}

#[test]
fn shared_memory_is_addressed_with_32_bits_too() {
    let body = ".shared .align 4 .b8 pad[16]; .shared .align 4 .b8 own[16]; mov.u32 %r4, own;\n\
                st.shared.u32 [%r4+4], %r0; ld.shared.u32 %r7, [own+4]; cvt.u64.u32 %rd7, %r4;";
    let found = results(body, [42, 0, 0, 0]);
    assert_eq!((found.r, found.rd), (42, 16));
}

#[test]
fn special_registers_of_time_and_environment_are_read() {
    wide(
        "mov.u64 %rd1, %globaltimer; mov.u64 %rd2, %globaltimer; setp.lt.u64 %p1, %rd1, %rd2; selp.u64 %rd7, 1, 0, %p1;",
        &[],
        1,
    );
    narrow("mov.u32 %r7, %envreg0;", &[], 0);
}

const HEAP: &str = "{ .param .b64 n; .param .b64 p; st.param.b64 [n], 100; call (p), malloc, (n); ld.param.b64 %rd1, [p]; }";

#[test]
fn memory_is_allocated_freed_and_may_run_out() {
    // Of a machine without a heap nothing is to be had.
    let body = format!("{HEAP} mov.u64 %rd7, %rd1;");
    assert_eq!(ptx::with_heap(&body, 0).expect("it runs").rd, 0);
    let body = format!(
        "{HEAP} st.u32 [%rd1+96], 7; ld.u32 %r7, [%rd1+96]; mov.u64 %rd2, %rd1;\n\
         {{ .param .b64 q; st.param.b64 [q], %rd1; call free, (q); }} {HEAP} sub.u64 %rd7, %rd1, %rd2;"
    );
    let found = ptx::with_heap(&body, 1 << 16).expect("it runs");
    assert_eq!((found.r, found.rd), (7, 0), "the gap is used again");
    let twice = "{ .param .b64 q; st.param.b64 [q], %rd8; call free, (q); }";
    let message = stopped(twice);
    assert!(message.contains("malloc has not given"), "{message}");
}

#[test]
fn integers_are_packed_within_the_range_of_their_type() {
    let [less, more] = [-70_000i32 as u32, 70_000];
    narrow("cvt.pack.sat.u16.s32 %r7, %r0, %r1;", &[more, less], 0xffff_0000);
    narrow("cvt.pack.sat.s16.s32 %r7, %r0, %r1;", &[less, more], 0x8000_7fff);
    narrow(
        "cvt.pack.sat.u8.s32.b32 %r7, %r0, %r1, %r2;",
        &[300, -1i32 as u32, 0xaabb_ccdd],
        0xccdd_ff00,
    );
    narrow(
        "cvt.pack.sat.s8.s32.b32 %r7, %r0, %r1, %r2;",
        &[-300i32 as u32, 5, 0xaabb_ccdd],
        0xccdd_8005,
    );
    narrow(
        "cvt.pack.sat.s4.s32.b32 %r7, %r0, %r1, %r2;",
        &[-9i32 as u32, 9, 0xaabb_ccdd],
        0xbbcc_dd87,
    );
    narrow("cvt.pack.sat.u2.s32.b32 %r7, %r0, %r1, %r2;", &[2, 9, 0x0abb_ccdd], 0xabbc_cddb);
    let message = refused(&ptx::module("cvt.pack.sat.u8.s32 %r7, %r0, %r1;"));
    assert!(message.contains("fewer with it"), "{message}");
}

#[test]
fn the_result_of_lop3_is_tested_too() {
    let with = |op: &str, q: u32| {
        format!("setp.ne.u32 %p1, {q}, 0; lop3.{op}.b32 %r7|%p3, %r0, %r1, %r2, 0x80, %p1;")
    };
    for (inputs, op, q, holds) in [
        ([6, 3, 2], "or", 0, true),
        ([4, 3, 2], "or", 0, false),
        ([4, 3, 2], "or", 1, true),
        ([6, 3, 2], "and", 0, false),
        ([6, 3, 2], "and", 1, true),
    ] {
        let found = results(&with(op, q), [inputs[0], inputs[1], inputs[2], 0]);
        let word = (inputs[0] & inputs[1] & inputs[2]) as u32;
        assert_eq!((found.r, found.p), (word, holds), "{op} {inputs:?} {q}");
    }
    let found =
        results("setp.ne.u32 %p1, 1, 1; lop3.or.b32 _|%p3, %r0, %r1, %r2, 0xfe, !%p1;", [0; 4]);
    assert!(found.p);
}

#[test]
fn products_of_24_bits_saturate() {
    let most = 0x7f_ffff;
    narrow("mad24.hi.sat.s32 %r7, %r0, %r1, %r2;", &[most, most, i32::MAX as u32], i32::MAX as u32);
    narrow("mad24.hi.sat.s32 %r7, %r0, %r1, %r2;", &[most, most, 5], (1 << 30) - (1 << 8) + 5);
    narrow(
        "mad24.hi.sat.s32 %r7, %r0, %r1, %r2;",
        &[0x80_0000, most, i32::MIN as u32],
        i32::MIN as u32,
    );
}

#[test]
fn registers_of_128_bits_are_moved_loaded_stored_and_exchanged() {
    const TOLD: &str = "mad.lo.u64 %rd4, %rd5, 10, %rd4; ld.global.v2.u64 {%rd5, %rd6}, [%rd9];\n\
         mad.lo.u64 %rd4, %rd5, 100, %rd4; mad.lo.u64 %rd7, %rd6, 1000, %rd4; }";
    let wanted = |[low, high, now_low, now_high]: [u64; 4]| {
        low + 10 * high + 100 * now_low + 1000 * now_high
    };
    let body = "{ .reg .b128 %q<4>; mov.b128 %q0, {%rd0, %rd1}; st.global.b128 [%rd9+16], %q0;\n\
         ld.global.b128 %q1, [%rd9+16]; mov.b128 %q2, %q1; mov.b128 {%rd2, %rd3}, %q2; mad.lo.u64 %rd7, %rd3, 100, %rd2; }";
    wide(body, &[5, 12], 1205);
    let exchange = format!(
        "{{ .reg .b128 %q<4>; mov.b128 %q0, {{%rd2, %rd3}}; atom.global.exch.b128 %q1, [%rd9], %q0; mov.b128 {{%rd4, %rd5}}, %q1; {TOLD}"
    );
    wide(&exchange, &[1, 2, 3, 4], wanted([1, 2, 3, 4]));
    // Stored where both halves are as expected.
    for (expected, stored) in [([1, 2], true), ([1, 3], false), ([2, 2], false)] {
        let [low, high] = expected;
        let body = format!(
            "{{ .reg .b128 %q<4>; mov.b128 %q0, {{{low}, {high}}}; mov.b128 %q2, {{%rd2, %rd3}};\n\
             atom.global.cas.b128 %q1, [%rd9], %q0, %q2; mov.b128 {{%rd4, %rd5}}, %q1; {TOLD}"
        );
        let now = if stored { [3, 4] } else { [1, 2] };
        wide(&body, &[1, 2, 3, 4], wanted([1, 2, now[0], now[1]]));
    }
    // In local memory, by a generic address.
    let local = "{ .local .align 16 .b8 l[16]; .reg .b128 %q<4>; mov.u64 %rd4, l; cvta.local.u64 %rd4, %rd4;\n\
         mov.b128 %q0, {%rd0, %rd1}; st.b128 [%rd4], %q0; mov.b128 %q2, {%rd2, %rd3};\n\
         atom.cas.b128 %q1, [%rd4], %q0, %q2; ld.local.u64 %rd7, [l+8]; mov.b128 {%rd5, _}, %q1; add.u64 %rd7, %rd7, %rd5; }";
    wide(local, &[10, 20, 3, 4], 14);
    let message =
        refused(&ptx::module("{ .reg .b128 %q<2>; atom.global.add.b128 %q0, [%rd9], %q1; }"));
    assert!(message.contains("exch and cas have"), "{message}");
    let message = refused(&ptx::module("{ .reg .b128 %q<2>; mov.b64 %rd1, %q1; }"));
    assert!(message.contains("a register has 128 bits"), "{message}");
}

#[test]
fn threads_exchange_128_bits_without_a_tear() {
    let body = "{ .reg .b128 %q<2>; cvt.u64.u32 %rd5, %r0; not.b64 %rd6, %rd5; mov.b128 %q0, {%rd5, %rd6};\n\
         atom.global.exch.b128 %q1, [%rd1], %q0; shl.b64 %rd5, %rd5, 4; add.u64 %rd5, %rd5, %rd0; st.global.b128 [%rd5], %q1; }";
    for on in [On::Functional, On::Preset("gtx480"), On::Preset("hmg_4x4")] {
        let kernel = Kernel::of_text("test.ptx", &module("sm_90", body), "k").buffer(&[0i64; 64]);
        let kernel = kernel.buffer(&[100i64, !100]).buffer(&[0u32]).buffer(&[0u32]);
        let ended = kernel.run(on, [1, 1], [32, 1], 0);
        let (given, last): (Vec<i64>, Vec<i64>) = (ended.buffer(0, 64), ended.buffer(1, 2));
        let mut all: Vec<_> = given.chunks(2).chain([&last[..]]).collect();
        assert!(all.iter().all(|pair| pair[1] == !pair[0]), "{all:?}");
        all.sort();
        let numbers: Vec<_> = all.iter().map(|pair| pair[0]).collect();
        assert_eq!(numbers, (0..32).chain([100]).collect::<Vec<i64>>());
    }
}

#[test]
fn pairs_of_single_precision_are_worked_on_one_by_one() {
    let pair = |low: f32, high: f32| u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32;
    let (a, b, c) = (pair(1.5, -2.0), pair(3.0, 0.1), pair(0.25, 1e10));
    wide("add.rn.f32x2 %rd7, %rd0, %rd1;", &[a, b], pair(4.5, -1.9));
    wide("sub.rn.f32x2 %rd7, %rd0, %rd1;", &[a, b], pair(-1.5, -2.1));
    wide("mul.rn.f32x2 %rd7, %rd0, %rd1;", &[a, b], pair(4.5, -0.2));
    wide("fma.rn.f32x2 %rd7, %rd0, %rd1, %rd2;", &[a, b, c], pair(4.75, 1e10));
    let least = 2f32.powi(-30);
    wide(
        "add.rp.f32x2 %rd7, %rd0, %rd1;",
        &[pair(1.0, -1.0), pair(least, -least)],
        pair(1f32.next_up(), -1.0),
    );
    wide("mul.ftz.f32x2 %rd7, %rd0, %rd1;", &[pair(1e-20, 1.0), pair(1e-20, 1.0)], pair(0.0, 1.0));
    let message = refused(&ptx::module("max.f32x2 %rd7, %rd0, %rd1;"));
    assert!(message.contains("add, sub, mul and fma have"), "{message}");
}

#[test]
fn atomics_take_vectors_and_memory_mapped_accesses_are_strong() {
    let bits = |value: f32| value.to_bits();
    narrow(
        "red.global.v2.f32.add [%rd9], {%r1, %r2}; ld.global.u32 %r7, [%rd9];",
        &[bits(1.5), bits(2.0), 0],
        bits(3.5),
    );
    narrow(
        "red.global.v2.f32.add [%rd9], {%r1, %r2}; ld.global.u32 %r7, [%rd9+4];",
        &[bits(1.5), bits(2.0), bits(7.0)],
        bits(7.0),
    );
    let old = "atom.global.v4.f32.add {%r3, %r4, %r5, %r6}, [%rd9], {%r1, %r1, %r1, %r1}; add.f32 %r7, %r3, %r5;";
    narrow(old, &[bits(1.5), bits(2.0)], bits(3.5));
    narrow(
        "st.mmio.relaxed.sys.global.u32 [%rd9], %r1; ld.mmio.relaxed.sys.global.u32 %r7, [%rd9];",
        &[1, 7],
        7,
    );
    let message = refused(&ptx::module("ld.mmio.relaxed.gpu.global.u32 %r7, [%rd9];"));
    assert!(message.contains(".mmio is .relaxed.sys"), "{message}");
}

#[test]
fn an_index_picks_the_label_at_which_a_lane_goes_on() {
    let body = |index: &str| {
        format!(
            "list: .branchtargets L0, L1, L2;\nmov.u32 %r2, 7; and.b32 %r1, %r0, 3; {index} brx.idx %r1, list; bra.uni END;\n\
         L0: mov.u32 %r2, 10; bra END; L1: mov.u32 %r2, 11; bra END; L2: mov.u32 %r2, 12;\n\
         END: bar.sync 0; add.u64 %rd5, %rd0, %rd4; st.global.u32 [%rd5], %r2;"
        )
    };
    let kernel = |index: &str| {
        let kernel =
            Kernel::of_text("test.ptx", &module("sm_90", &body(index)), "k").buffer(&[0u32; 512]);
        (0..3).fold(kernel, |kernel, _| kernel.buffer(&[0u32]))
    };
    for on in [On::Functional, On::Preset("gtx480")] {
        let found: Vec<u32> =
            kernel("setp.ne.u32 %p1, %r1, 3; @%p1").run(on, [1, 1], [32, 1], 0).buffer(0, 512);
        for lane in 0..32 {
            assert_eq!(found[lane * 16], [10, 11, 12, 7][lane % 4], "lane {lane}");
        }
    }
    let message = kernel("")
        .try_run(On::Functional, [1, 1], [32, 1], 0)
        .err()
        .expect("a problem")
        .to_string();
    assert!(message.contains("index 3 of a list of 3 targets: 0 to 2 are accepted"), "{message}");
    let message = refused(&ptx::module("brx.idx %r0, nowhere;"));
    assert!(message.contains("no .branchtargets nowhere before this"), "{message}");
}

#[test]
fn local_memory_is_allocated_and_given_back() {
    let body = "stacksave.u64 %rd1; alloca.u64 %rd2, 16; st.local.u32 [%rd2], %r0; alloca.u64 %rd3, 4, 64; st.local.u32 [%rd3], %r1;\n\
         and.b64 %rd7, %rd3, 63; ld.local.u32 %r7, [%rd2]; ld.local.u32 %r4, [%rd3]; mad.lo.u32 %r7, %r4, 100, %r7;\n\
         stackrestore.u64 %rd1; alloca.u64 %rd4, 16; sub.u64 %rd4, %rd4, %rd2; add.u64 %rd7, %rd7, %rd4;";
    let found = results(body, [5, 6, 0, 0]);
    assert_eq!((found.r, found.rd), (605, 0));
    let message = stopped("alloca.u64 %rd1, 1000000000;");
    assert!(message.contains("bytes of local memory a thread"), "{message}");
    // Lanes allocate different sizes, in a function too, whose room is gone when it returns.
    let function = ".func f(.param .u32 n) { .reg .u32 %x; .reg .u64 %y; ld.param.u32 %x, [n]; cvt.u64.u32 %y, %x; alloca.u64 %y, %y; st.local.u32 [%y], 1; ret; }";
    const CALL: &str = "{ .param .u32 n; st.param.u32 [n], %r1; call f, (n); }";
    let body = format!(
        "mul.wide.u32 %rd5, %r0, 8; add.u64 %rd5, %rd5, 8; alloca.u64 %rd6, %rd5; st.local.u32 [%rd6], %r0; add.u64 %rd7, %rd6, %rd5;\n\
         st.local.u32 [%rd7+-4], %r0; add.u32 %r1, %r0, 4; {CALL} stacksave.u64 %rd2; {CALL} stacksave.u64 %rd3; sub.u64 %rd3, %rd3, %rd2;\n\
         cvt.u32.u64 %r3, %rd3; ld.local.u32 %r2, [%rd6]; mad.lo.u32 %r2, %r3, 1000, %r2; add.u64 %rd5, %rd0, %rd4; st.global.u32 [%rd5], %r2;"
    );
    let text = module("sm_90", &body).replacen(
        ".visible .entry",
        &format!("{function}\n.visible .entry"),
        1,
    );
    let kernel = Kernel::of_text("test.ptx", &text, "k").buffer(&[0u32; 512]);
    let kernel = (0..3).fold(kernel, |kernel, _| kernel.buffer(&[0u32]));
    let found: Vec<u32> = kernel.run(On::Functional, [1, 1], [32, 1], 0).buffer(0, 512);
    for lane in 0..32 {
        assert_eq!(found[lane * 16], lane as u32, "lane {lane}");
    }
}

#[test]
fn sizes_of_shared_memory_are_read() {
    let body = ".shared .align 4 .b8 own[130]; mov.u32 %r1, own; mov.u32 %r2, %aggr_smem_size; mov.u32 %r3, %total_smem_size;\n\
         mad.lo.u32 %r7, %r2, 1000, %r3; mov.u64 %rd7, %current_graph_exec;";
    let found = results(body, [0; 4]);
    assert_eq!((found.r, found.rd), (256_256, 0));
}

#[test]
fn lanes_reduce_floats() {
    let run = |op: &str, values: [f32; 32]| {
        let body = format!(
            "add.u64 %rd5, %rd1, %rd4; ld.global.b32 %a0, [%rd5]; redux.sync.{op}.f32 %d0, %a0, 0xffffffff;\n\
             add.u64 %rd5, %rd0, %rd4; st.global.b32 [%rd5], %d0;"
        );
        let kernel =
            Kernel::of_text("test.ptx", &module("sm_100a", &body), "k").buffer(&[0u32; 512]);
        let spread: Vec<f32> = (0..512).map(|at| values[at / 16]).collect();
        let kernel = kernel.buffer(&spread).buffer(&[0u32]).buffer(&[0u32]);
        let found: Vec<u32> = kernel.run(On::Functional, [1, 1], [32, 1], 0).buffer(0, 512);
        assert!((1..32).all(|lane| found[lane * 16] == found[0]));
        found[0]
    };
    let mut values: [f32; 32] = std::array::from_fn(|lane| lane as f32 * 1.5 - 20.0);
    assert_eq!(run("min", values), (-20f32).to_bits());
    assert_eq!(run("max", values), 26.5f32.to_bits());
    assert_eq!(run("min.abs", values), 0.5f32.to_bits());
    values[3] = f32::NAN;
    assert_eq!(run("max", values), 26.5f32.to_bits());
    assert_eq!(run("max.abs.NaN", values), 0x7fff_ffff);
    assert_eq!(run("min", [f32::NAN; 32]), 0x7fff_ffff);
    assert_eq!(run("max", [-0.0; 32]), (-0f32).to_bits());
}

#[test]
fn constant_expressions_have_floats() {
    narrow("mov.f32 %r7, (1.5+2.0)*2.0-0.5/2.0;", &[], 6.75f32.to_bits());
    narrow("mov.u32 %r7, (1.5 < 2.0) + (1.0 == 2.0);", &[], 1);
}
