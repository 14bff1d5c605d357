//! Results of instructions on bytes and masks, of lanes together, and of what the machine provides.

#[path = "support/ptx.rs"]
mod ptx;

use ptx::{narrow, results, stopped, wide};

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
