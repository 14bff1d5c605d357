//! The lanes of a warp together: divergence, barriers, votes, shuffles, printing.

use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Checks, Launch, LaunchError, Outcome, run};
use warpsmith::gpu::memory::{Device, Flat};
use warpsmith::gpu::simt::Image;

/// Each thread's final `%r7`, and what was printed. `%r0` is the thread's number.
fn try_run(body: &str, threads: u32) -> Result<(Vec<u32>, String), LaunchError> {
    let (words, outcome) = run_with(Checks::Strict, body, threads)?;
    Ok((words, outcome.printed))
}

fn run_with(checks: Checks, body: &str, threads: u32) -> Result<(Vec<u32>, Outcome), LaunchError> {
    let text = format!(
        ".version 6.4\n.target sm_70\n.address_size 64\n\
         .extern .func (.param .b32 ret) vprintf (.param .b64 format, .param .b64 arguments);\n\
         .global .align 1 .b8 hello[6] = {{104, 101, 108, 108, 111, 0}};\n\
         .global .align 1 .b8 number[3] = {{37, 100, 0}};\n\
         .visible .entry k(.param .u64 out) {{\n\
         .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred %p<4>; .shared .align 4 .b8 words[4096];\n\
         ld.param.u64 %rd8, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd9, %r0, 4;\n\
         add.u64 %rd8, %rd8, %rd9; mov.u64 %rd1, words; add.u64 %rd1, %rd1, %rd9;\n\
         {body}\nend: st.global.u32 [%rd8], %r7; left: ret;\n}}\n"
    );
    let program = isa::load("test.ptx", &text).unwrap_or_else(|error| panic!("{error}"));
    let image = Image::new(program);
    let mut device = Device::default();
    let globals = device.allocate("variables", image.program.globals.len());
    device
        .get_mut(globals, image.program.globals.len())
        .expect("allocated")
        .copy_from_slice(&image.program.globals);
    let bytes = threads as usize * 4;
    let out = device.allocate("out", bytes);
    let launch = Launch {
        grid: [1; 3],
        block: [threads, 1, 1],
        parameters: out.to_le_bytes().to_vec(),
        resident: 1,
        watchdog: 10_000,
        checks,
        ..Launch::default()
    };
    let mut memory = Flat::new(device, &[]);
    let results = run(&image, &image.program.kernels[0], &launch, &mut memory)?;
    let bytes = memory.device.get(out, bytes).expect("allocated");
    let words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes")));
    Ok((words.collect(), results))
}

fn values(body: &str, threads: u32) -> Vec<u32> {
    try_run(body, threads).unwrap_or_else(|error| panic!("{body}: {error}")).0
}

fn stopped(body: &str) -> String {
    try_run(body, 32).expect_err("a problem").to_string()
}

#[test]
fn a_barrier_does_not_wait_for_lanes_that_leave_without_it() {
    // Lanes from 20 on leave; the others exchange their words, twice, in a loop.
    let body = "setp.ge.u32 %p1, %r0, 20; @%p1 bra left;\n\
         mov.u32 %r7, %r0; mov.u32 %r6, 0;\n\
         again: st.shared.u32 [%rd1], %r7; bar.sync 0;\n\
         sub.u32 %r5, 19, %r0; mul.wide.u32 %rd2, %r5, 4; mov.u64 %rd3, words;\n\
         add.u64 %rd2, %rd2, %rd3; ld.shared.u32 %r7, [%rd2]; bar.sync 0;\n\
         add.u32 %r7, %r7, 100; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 2; @%p2 bra again;";
    let wanted = |thread: u32| if thread < 20 { thread + 200 } else { 0 };
    assert_eq!(values(body, 64), (0..64).map(wanted).collect::<Vec<_>>());
    // Lanes below 20 skip the barrier and do something before they leave.
    let body = "setp.lt.u32 %p1, %r0, 20; mov.u32 %r7, 7; @%p1 bra end;\n\
         bar.sync 0; add.u32 %r7, %r0, 1;";
    let wanted = |thread: u32| if thread < 20 { 7 } else { thread + 1 };
    assert_eq!(values(body, 96), (0..96).map(wanted).collect::<Vec<_>>());
}

#[test]
fn a_barrier_counts_the_lanes_that_are_left() {
    let body = "setp.ge.u32 %p1, %r0, 40; @%p1 bra left;\n\
         setp.gt.u32 %p2, %r0, 2; bar.red.popc.u32 %r7, 0, %p2;";
    let wanted = |thread: u32| if thread < 40 { 37 } else { 0 };
    assert_eq!(values(body, 64), (0..64).map(wanted).collect::<Vec<_>>());
}

#[test]
fn parts_of_a_warp_at_two_barriers_are_an_error() {
    for other in ["bar.sync 0;", "bar.sync 1;"] {
        let body =
            format!("setp.lt.u32 %p1, %r0, 16; @%p1 bra here; {other} bra end; here: bar.sync 0;");
        let message = stopped(&body);
        assert!(message.contains("barrier in divergent code"), "{message}");
        assert!(message.contains("of 0xffffffff"), "{message}");
    }
}

#[test]
fn lanes_that_name_different_lanes_form_groups() {
    // The mask of each group of lanes with the same remainder modulo 4.
    let own = "and.b32 %r1, %r0, 3; shl.b32 %r2, 0x11111111, %r1;";
    let odd = "setp.gt.u32 %p1, %r0, 7;";
    let ballot = values(&format!("{own} {odd} vote.sync.ballot.b32 %r7, %p1, %r2;"), 32);
    let groups = |thread: u32| 0x1111_1111 << (thread & 3);
    assert_eq!(ballot, (0..32).map(|thread| groups(thread) & !0xff).collect::<Vec<_>>());
    let shuffle = values(&format!("{own} shfl.sync.idx.b32 %r7, %r0, %r1, 31, %r2;"), 32);
    assert_eq!(shuffle, (0..32).map(|thread| thread & 3).collect::<Vec<_>>());
    let matched =
        values(&format!("{own} shr.u32 %r3, %r0, 4; match.any.sync.b32 %r7, %r3, %r2;"), 32);
    let half = |thread: u32| groups(thread) & if thread < 16 { 0xffff } else { 0xffff_0000 };
    assert_eq!(matched, (0..32).map(half).collect::<Vec<_>>());
}

#[test]
fn lanes_that_name_absent_lanes_are_an_error() {
    let away = "setp.lt.u32 %p1, %r0, 16; @%p1 bra other; vote.sync.any.pred %p2, %p1, 0xffffffff; bra end;\n\
                other: vote.sync.all.pred %p2, %p1, 0xffffffff;";
    let others =
        "setp.lt.u32 %p1, %r0, 16; selp.u32 %r1, 0xffff, 0xf0000000, %p1; bar.warp.sync %r1;";
    for body in [away, others, "bar.warp.sync 0xfffffffe;"] {
        let message = stopped(body);
        assert!(message.contains("names the lanes"), "{message}");
    }
}

#[test]
fn a_full_mask_in_a_partial_warp_means_the_lanes_that_are_there() {
    let ballot = "setp.gt.u32 %p1, %r0, 7; vote.sync.ballot.b32 %r7, %p1, 0xffffffff;";
    assert_eq!(values(ballot, 20), [0xfff00; 20]);
    // Lanes that have left are not there, either.
    let body = format!("setp.ge.u32 %p2, %r0, 12; @%p2 bra left; {ballot}");
    assert_eq!(values(&body, 20)[..12], [0xf00; 12]);
}

#[test]
fn lenient_runs_go_on_where_lanes_name_others() {
    let run =
        |body: &str| run_with(Checks::Lenient, body, 32).unwrap_or_else(|error| panic!("{error}"));
    // A mask without the caller: those that are there do it, each with the lanes that it names.
    let (words, outcome) =
        run("setp.lt.u32 %p1, %r0, 4; vote.sync.ballot.b32 %r7, %p1, 0x0000fffe;");
    assert_eq!(words, [0xe; 32]);
    assert_eq!((outcome.warnings.len(), outcome.warnings[0].count), (1, 32));
    assert!(
        outcome.warnings[0].what.contains("names the lanes 0x0000fffe"),
        "{:?}",
        outcome.warnings
    );
    // A full mask at two instructions that are not alike, half of the warp at each: the half that comes last is told, the
    // first waits for it.
    let halves = "setp.lt.u32 %p1, %r0, 16; @%p1 bra here; shfl.sync.idx.b32 %r7, %r0, 20, 31, -1; bra end;\n\
                  here: shfl.sync.bfly.b32 %r7, %r0, 1, 31, -1; bra end;";
    let (words, outcome) = run(halves);
    let wanted = |lane: u32| if lane < 16 { lane ^ 1 } else { 20 };
    assert_eq!(words, (0..32).map(wanted).collect::<Vec<_>>());
    assert_eq!(outcome.warnings.iter().map(|warning| warning.count).collect::<Vec<_>>(), [16]);
    assert!(run_with(Checks::Strict, halves, 32).is_err());
}

#[test]
fn printing_needs_no_arguments() {
    let call = |format: &str, arguments: &str| {
        format!(
            "mov.u64 %rd2, {format}; cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, {arguments};\n\
             {{ .param .b64 a; st.param.b64 [a], %rd2; .param .b64 b; st.param.b64 [b], %rd3;\n\
             .param .b32 c; call.uni (c), vprintf, (a, b); ld.param.b32 %r7, [c]; }}"
        )
    };
    let (returned, printed) = try_run(&call("hello", "0"), 2).expect("it prints");
    assert_eq!((returned, printed.as_str()), (vec![0, 0], "hellohello"));
    assert!(stopped(&call("number", "0")).contains("printf"));
}
