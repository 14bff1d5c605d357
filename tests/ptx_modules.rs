//! What a module is made of: its kernels, one apart from the other, and its variables.

use warpsmith::gpu::isa::{self, Module, Program};
use warpsmith::gpu::machine::{Launch, run};
use warpsmith::gpu::memory::{Device, Flat};
use warpsmith::gpu::simt::Image;

const HEAD: &str = ".version 6.4\n.target sm_70\n.address_size 64\n";

fn load(text: &str) -> Program {
    isa::load("test.ptx", &format!("{HEAD}{text}")).unwrap_or_else(|error| panic!("{error}"))
}

/// The words that a kernel of one warp writes to its only parameter, one a lane.
fn words(text: &str) -> Vec<u32> {
    let image = Image::new(load(text));
    let mut device = Device::default();
    let globals = device.allocate("variables", image.program.globals.len());
    let place = device.get_mut(globals, image.program.globals.len());
    place.expect("allocated").copy_from_slice(&image.program.globals);
    let out = device.allocate("out", 128);
    let launch = Launch {
        grid: [1; 3],
        block: [32, 1, 1],
        parameters: out.to_le_bytes().to_vec(),
        resident: 1,
        watchdog: 10_000,
        ..Launch::default()
    };
    let mut memory = Flat::new(device, &image.program.constants);
    let ended = run(&image, &image.program.kernels[0], &launch, &mut memory);
    ended.unwrap_or_else(|error| panic!("{error}"));
    let bytes = memory.device.get(out, 128).expect("allocated");
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes"))).collect()
}

/// A kernel that stores `%r7` of each lane, after these statements; `%r0` is the lane.
fn kernel(body: &str) -> String {
    format!(
        ".entry k(.param .u64 out) {{ .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n\
         .reg .pred %p<3>; ld.param.u64 %rd6, [out]; mov.u32 %r0, %tid.x;\n\
         mul.wide.u32 %rd7, %r0, 4; add.u64 %rd6, %rd6, %rd7;\n\
         {body} st.global.u32 [%rd6], %r7; ret; }}"
    )
}

#[test]
fn a_kernel_is_charged_the_shared_variables_that_it_reaches() {
    let program = load(
        ".shared .b8 of_one[40000]; .shared .align 4 .b8 of_both[40];\n\
         .func helper() { .shared .b8 own[8]; .reg .b32 %r<2>; ld.shared.u32 %r0, [of_both]; ret; }\n\
         .entry one() { .reg .b64 %rd<2>; mov.u64 %rd0, of_one; call helper; ret; }\n\
         .entry two() { .shared .b8 own[100]; call helper; ret; }\n\
         .entry none() { ret; }\n",
    );
    let bytes: Vec<_> = program.kernels.iter().map(|kernel| kernel.shared_bytes).collect();
    assert_eq!(bytes, [40_048, 148, 0]);
    let bases: Vec<_> = program.kernels.iter().map(|kernel| kernel.dynamic_shared_base).collect();
    assert_eq!(bases, [40_048, 160, 0]);
}

#[test]
fn initialisers_take_negative_numbers_and_addresses() {
    let text = format!(
        ".global .u32 a = -5; .global .s16 pair[2] = {{-1, 2}}; .global .f32 f = -1.5;\n\
         .const .u8 x = -128; .global .u64 there = generic(pair)+2; .global .b8 m[2][2] = {{{{1, 2}}, {{-3}}}};\n{}",
        kernel(
            "ld.global.u32 %r7, [a]; ld.global.s16 %r1, [pair]; add.s32 %r7, %r7, %r1;\n\
             ld.global.f32 %r1, [f]; cvt.rzi.s32.f32 %r1, %r1; add.s32 %r7, %r7, %r1;\n\
             ld.const.s8 %r1, [x]; add.s32 %r7, %r7, %r1; ld.global.u64 %rd1, [there];\n\
             ld.s16 %r1, [%rd1]; mul.lo.s32 %r7, %r7, %r1; ld.global.s8 %r1, [m+2]; add.s32 %r7, %r7, %r1;"
        )
    );
    assert_eq!(words(&text)[0] as i32, (-5 - 1 - 1 - 128) * 2 - 3);
}

#[test]
fn a_refused_kernel_keeps_no_other_out() {
    let text = format!(
        "{HEAD}.global .texref picture;\n.entry good() {{ ret; }}\n\
         .entry bad() {{\n.reg .pred %p<4>;\nistypep.texref %p0, picture;\nret; }}\n\
         .entry worse() {{ nonsense !! }}\n.func odd() {{ bogus; }}\n"
    );
    let module = Module::parse("test.ptx", &text).expect("an outline");
    assert_eq!(module.kernel_names().collect::<Vec<_>>(), ["good", "bad", "worse"]);
    let program = module.lower(["good"]).expect("it needs nothing of the others");
    assert_eq!((program.kernels.len(), program.kernel_names.len()), (1, 3));
    let error = module.lower(["good", "bad"]).expect_err("no such instruction").to_string();
    for word in ["test.ptx:8", "istypep is not supported", "global memory", "`istypep.texref"] {
        assert!(error.contains(word), "`{word}` is missing: {error}");
    }
    let error = module.lower(["worse"]).expect_err("no instruction").to_string();
    assert!(error.contains("test.ptx:10") && error.contains("not an instruction"), "{error}");
}

#[test]
fn a_kernel_of_a_module_of_2_mb_is_lowered_apart_from_the_others() {
    let body = "add.s32 %r1, %r2, 1; ld.global.u32 %r2, [%rd1+4];\n".repeat(400);
    let one = |at: usize| {
        format!(".entry k{at}() {{ .reg .b32 %r<4>; .reg .b64 %rd<2>;\n{body} ret; }}\n")
    };
    let text = format!("{HEAD}{}", (0..100).map(one).collect::<String>());
    assert!(text.len() > 2_000_000);
    let module = Module::parse("large.ptx", &text).expect("an outline");
    assert_eq!(module.kernel_names().count(), 100);
    let program = module.lower(["k57"]).expect("a kernel");
    assert_eq!((program.kernels.len(), program.code.len()), (1, 802));
}

#[test]
fn a_kernel_with_the_name_of_an_opcode_is_not_reached_by_it() {
    let program = load(
        ".shared .b8 large[40000];\n\
         .entry one() { .reg .b32 %r<2>; add.s32 %r0, %r1, 1; ret; }\n\
         .entry add() { .reg .b64 %rd<2>; mov.u64 %rd0, large; ret; }\n",
    );
    let of = |name| program.kernel(name).map(|kernel| kernel.shared_bytes);
    assert_eq!((of("one"), of("add")), (Some(0), Some(40_000)));
}

#[test]
fn lanes_call_the_functions_that_their_pointers_name() {
    let text = format!(
        ".func (.param .b32 r) twice(.param .b32 x) {{ .reg .b32 %a; ld.param.u32 %a, [x]; shl.b32 %a, %a, 1; st.param.b32 [r], %a; ret; }}\n\
         .func (.param .b32 r) square(.param .b32 x) {{ .reg .b32 %a; ld.param.u32 %a, [x]; mul.lo.s32 %a, %a, %a; st.param.b32 [r], %a; ret; }}\n\
         .func unlike() {{ ret; }}\n\
         .global .u64 table[3] = {{twice, square, unlike}};\n{}",
        kernel(
            "and.b32 %r1, %r0, 1; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table; add.u64 %rd2, %rd2, %rd1;\n\
             ld.global.u64 %rd3, [%rd2]; mov.u32 %r7, 0; setp.lt.u32 %p1, %r0, 10;\n\
             { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0;\n\
             like : .callprototype (.param .b32 _) _ (.param .b32 _);\n\
             @%p1 call (y), %rd3, (x), like; ld.param.b32 %r7, [y]; }"
        )
    );
    let wanted = |lane: u32| match (lane < 10, lane % 2) {
        (true, 0) => lane * 2,
        (true, _) => lane * lane,
        _ => 0,
    };
    assert_eq!(words(&text), (0..32).map(wanted).collect::<Vec<_>>());
    let wrong = text.replace("[%rd2]; mov", "[%rd2]; mov.u64 %rd3, unlike; mov");
    let image = Image::new(load(&wrong));
    let launch = Launch {
        grid: [1; 3],
        block: [32, 1, 1],
        parameters: vec![0; 8],
        resident: 1,
        watchdog: 1000,
        ..Launch::default()
    };
    let mut device = Device::default();
    device.allocate("variables", 24);
    let stopped = run(&image, &image.program.kernels[0], &launch, &mut Flat::new(device, &[]));
    let message = stopped.expect_err("another prototype").to_string();
    assert!(message.contains("no function of this prototype"), "{message}");
}
