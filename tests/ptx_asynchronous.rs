//! Asynchronous copies, and `mbarrier`.

mod support {
    pub mod kernel;
}

use support::kernel::{Kernel, On, everywhere, ideal};
use warpsmith::gpu::isa;

/// A kernel `k(out, in)`. `%r0` is the thread's number, `%r1` the address of its 16 bytes of `tile` in
/// shared memory, `%rd0` of its 16 bytes of `out` and `%rd1` of those of `in`.
fn kernel(body: &str) -> Kernel {
    Kernel::of_text("test.ptx", &text(body), "k")
}

fn text(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 out, .param .u64 in) {{\n\
         .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n\
         .shared .align 16 .b8 tile[2048]; .shared .align 8 .b64 gate;\n\
         ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;\n\
         mul.wide.u32 %rd2, %r0, 16; add.u64 %rd0, %rd0, %rd2; add.u64 %rd1, %rd1, %rd2;\n\
         mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 16, %r1;\n\
         {body}\nret;\n}}\n"
    )
}

const THREADS: usize = 64;

fn input() -> Vec<u32> {
    (0..THREADS as u32 * 4).map(|at| at.wrapping_mul(0x0301_0701) + 1).collect()
}

/// What the threads write to `out`, four words each.
fn words(on: On, body: &str) -> Vec<u32> {
    let kernel = kernel(body).buffer(&vec![0u32; THREADS * 4]).buffer(&input());
    kernel.run(on, [1, 1], [THREADS as u32, 1], 0).buffer(0, THREADS * 4)
}

fn problem(body: &str) -> String {
    let kernel = kernel(body).buffer(&vec![0u32; THREADS * 4]).buffer(&input());
    let ended = kernel.try_run(On::Functional, [1, 1], [THREADS as u32, 1], 0);
    ended.err().expect("a problem").to_string()
}

fn refused(body: &str) -> String {
    isa::load("test.ptx", &text(body)).expect_err("an error").to_string()
}

/// Writes four words of the thread's tile to `out`.
const SHOW: &str = "ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r1];\n\
                    st.global.v4.u32 [%rd0], {%r8, %r9, %r10, %r11};";

#[test]
fn a_copy_is_seen_after_the_wait_and_not_before() {
    let body = "mov.u32 %r2, 7; st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};\n\
         cp.async.cg.shared.global [%r1], [%rd1], 16;\n\
         ld.shared.u32 %r3, [%r1]; cp.async.wait_all; ld.shared.u32 %r4, [%r1+4];\n\
         st.global.v2.u32 [%rd0], {%r3, %r4};";
    everywhere(|on| {
        let found = words(on, body);
        for (thread, (found, given)) in found.chunks(4).zip(input().chunks(4)).enumerate() {
            assert_eq!(found[..2], [7, given[1]], "thread {thread}");
        }
    });
}

#[test]
fn other_threads_see_a_copy_after_its_wait_and_a_barrier() {
    let body = "cp.async.ca.shared.global [%r1], [%rd1], 16; cp.async.commit_group;\n\
         cp.async.wait_group 0; bar.sync 0; mov.u32 %r2, tile; sub.u32 %r3, 63, %r0;\n\
         mad.lo.u32 %r1, %r3, 16, %r2;";
    everywhere(|on| {
        let found = words(on, &format!("{body}{SHOW}"));
        let turned: Vec<u32> = input().chunks(4).rev().flatten().copied().collect();
        assert_eq!(found, turned);
    });
}

#[test]
fn a_wait_for_a_group_leaves_the_newer_ones() {
    let body = "mov.u32 %r2, 7; st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};\n\
         cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.commit_group;\n\
         cp.async.ca.shared.global [%r1+4], [%rd1+4], 4; cp.async.commit_group;\n\
         cp.async.ca.shared.global [%r1+8], [%rd1+8], 8; cp.async.commit_group;";
    everywhere(|on| {
        for (left, seen) in [(0, 4), (1, 2), (2, 1), (3, 0)] {
            let found = words(on, &format!("{body} cp.async.wait_group {left}; {SHOW}"));
            for (found, given) in found.chunks(4).zip(input().chunks(4)) {
                assert_eq!(found[..seen], given[..seen], "{left} groups left");
                assert_eq!(found[seen..], [7; 4][seen..], "{left} groups left");
            }
        }
    });
}

/// The bytes of `found` where the first `read(thread)` bytes are copied and the rest are zero.
fn assert_copied(found: &[u32], read: impl Fn(usize) -> usize) {
    for (thread, (found, given)) in found.chunks(4).zip(input().chunks(4)).enumerate() {
        let bytes =
            |words: &[u32]| words.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
        let mut wanted = bytes(given);
        wanted[read(thread)..].fill(0);
        assert_eq!(bytes(found), wanted, "thread {thread}");
    }
}

#[test]
fn what_is_not_read_is_zero() {
    let dirty = "mov.u32 %r2, -1; st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};";
    let sizes = "rem.u32 %r3, %r0, 17; cp.async.cg.shared.global [%r1], [%rd1], 16, %r3;";
    let ignored = "setp.gt.u32 %p1, %r0, 20; cp.async.cg.shared.global [%r1], [%rd1], 16, %p1;";
    everywhere(|on| {
        let run = |copy: &str| words(on, &format!("{dirty}{copy} cp.async.wait_all; {SHOW}"));
        assert_copied(&run(sizes), |thread| thread % 17);
        assert_copied(&run(ignored), |thread| if thread > 20 { 0 } else { 16 });
    });
    // Nothing beyond the bytes that are read need exist.
    let body = format!(
        "mov.u32 %r3, 10; cp.async.cg.shared.global [%r1], [%rd1], 16, %r3;\n\
         cp.async.wait_all; {SHOW}"
    );
    let given: Vec<u8> = (1..=10).collect();
    let ended =
        kernel(&body).buffer(&[0u32; 4]).buffer(&given).run(On::Functional, [1; 2], [1; 2], 0);
    assert_eq!(ended.buffer::<u8>(0, 16), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn copies_arrive_at_an_mbarrier_that_other_warps_wait_for() {
    // The first warp copies for both; the second waits, and nothing else orders the two.
    for (arrivals, form) in [(32, ".noinc"), (64, "")] {
        let arrive = match form {
            "" => "mbarrier.arrive.shared.b64 %rd5, [gate];\nmbarrier.arrive.shared.b64 _, [gate];",
            _ => "",
        };
        let body = format!(
            "setp.ne.u32 %p1, %r0, 0; @%p1 bra made; mbarrier.init.shared.b64 [gate], {arrivals};\n\
             made: bar.sync 0; setp.ge.u32 %p1, %r0, 32; @%p1 bra consume;\n\
             cp.async.cg.shared.global [%r1], [%rd1], 16;\n\
             cp.async.cg.shared.global [%r1+512], [%rd1+512], 16;\n\
             cp.async.mbarrier.arrive{form}.shared.b64 [gate]; {arrive} ret;\n\
             consume: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra consume;\n\
             ld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%r1+-512];\n\
             st.global.v4.u32 [%rd0+-512], {{%r4, %r5, %r6, %r7}}; {SHOW}"
        );
        everywhere(|on| assert_eq!(words(on, &body), input(), "{form}"));
    }
}

/// The first thread's words after operations on an mbarrier that expects three.
fn alone(body: &str) -> [u32; 2] {
    let body = format!(
        "setp.ne.u32 %p0, %r0, 0; @%p0 bra done; mov.u32 %r4, 0; mov.u32 %r5, 0;\n\
         mbarrier.init.shared::cta.b64 [gate], 3;\n{body}\n\
         st.global.v2.u32 [%rd0], {{%r4, %r5}}; done:"
    );
    let found = words(On::Functional, &body);
    [found[0], found[1]]
}

#[test]
fn the_last_arrival_ends_a_phase() {
    let arrive = "mbarrier.arrive.shared.b64 %rd3, [gate];";
    let test = "mbarrier.test_wait.shared.b64 %p1, [gate], %rd3; selp.u32 %r4, 1, 0, %p1;";
    assert_eq!(alone(&format!("{arrive}{test}"))[0], 0);
    assert_eq!(alone(&format!("{arrive}{arrive}{test}"))[0], 0);
    assert_eq!(alone(&format!("{arrive}{arrive}{arrive}{test}"))[0], 1);
    // By a count, and by threads that drop out: the next phase expects two.
    let counted = "mbarrier.arrive.noComplete.shared.b64 %rd3, [gate], 2;";
    assert_eq!(alone(&format!("{counted}{test}"))[0], 0);
    let pending = "mbarrier.pending_count.b64 %r5, %rd3;";
    assert_eq!(alone(&format!("{counted}{arrive}{test}{pending}")), [1, 1]);
    let drop = "mbarrier.arrive_drop.shared.b64 _, [gate];";
    assert_eq!(alone(&format!("{counted}{drop}{arrive}{pending}"))[1], 2);
    assert_eq!(alone(&format!("{counted}{drop}{arrive}{arrive}{test}"))[0], 1);
    // The parity of the phase that is over.
    let parity = "mbarrier.test_wait.parity.shared.b64 %p1, [gate], 0; selp.u32 %r4, 1, 0, %p1;\n\
                  mbarrier.test_wait.parity.shared.b64 %p2, [gate], 1; selp.u32 %r5, 1, 0, %p2;";
    assert_eq!(alone(parity), [0, 1]);
    assert_eq!(alone(&format!("{counted}{arrive}{parity}")), [1, 0]);
    // Generic addresses are taken, too.
    let generic = "cvta.shared.u64 %rd4, gate; mbarrier.arrive.b64 %rd3, [%rd4];";
    assert_eq!(alone(&format!("{counted}{generic}{test}"))[0], 1);
}

#[test]
fn what_is_wrong_with_a_copy_or_an_mbarrier_is_told() {
    for (body, wanted) in [
        ("mbarrier.arrive.shared.b64 _, [gate];", "it is not initialised"),
        ("mbarrier.init.shared.b64 [gate], 0;", "1 to 1048575 are accepted"),
        (
            "mbarrier.init.shared.b64 [gate], 1; mbarrier.arrive.shared.b64 _, [gate], 2;",
            "2 arrive, and 1 are",
        ),
        (
            "mbarrier.init.shared.b64 [gate], 1; mbarrier.arrive.noComplete.shared.b64 _, [gate], 1;",
            "noComplete",
        ),
        (
            "mbarrier.init.shared.b64 [gate], 9; mbarrier.inval.shared.b64 [gate]; \
          mbarrier.arrive.shared.b64 _, [gate];",
            "it is not initialised",
        ),
        ("mbarrier.init.b64 [%rd0], 1;", "it is not in shared memory"),
        ("cp.async.cg.shared.global [%r1], [%rd1+4], 16;", "not aligned to 16 bytes"),
        ("cp.async.cg.shared.global [%r1+8], [%rd1], 16;", "of shared memory is not aligned to 16"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 4, 5;", "0 to 4 are accepted"),
        ("cp.async.ca.shared.global [%r1], [%rd1+65536], 4; cp.async.wait_all;", "outside of"),
        (
            "cp.async.ca.shared.global [%r1+4096], [%rd1], 4; cp.async.wait_all;",
            "of shared memory are outside",
        ),
    ] {
        let body = format!("setp.ne.u32 %p0, %r0, 0; @%p0 bra done;\n{body}\ndone:");
        let message = problem(&body);
        assert!(message.contains(wanted), "{body}: {message}");
        assert!(message.contains("test.ptx:11"), "{message}");
    }
    for (body, wanted) in [
        ("cp.async.cg.shared.global [%r1], [%rd1], 8;", "16 bytes are accepted"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 12;", "4, 8 and 16 bytes"),
        ("cp.async.wait_group %r0;", "takes a number"),
        ("cp.async.bulk.shared.global [%r1], [%rd1], 16, [gate];", ".shared is not supported"),
    ] {
        let message = refused(body);
        assert!(message.contains(wanted), "{body}: {message}");
    }
}

#[test]
fn copies_pass_while_the_thread_goes_on() {
    let copy = |at: u32| format!("cp.async.cg.shared.global [%r1], [%rd1+{}], 16;", at * 1024);
    let clocks = |body: &str| {
        let input = vec![1u32; 8 * 256];
        let kernel = kernel(body).buffer(&[0u32; THREADS * 4]).buffer(&input);
        // A copy of eight threads is one line.
        kernel.run(On::Timed(ideal(), None), [1, 1], [8, 1], 0).cycles
    };
    let together: String = (0..8).map(copy).collect::<String>() + "cp.async.wait_all;";
    let each: String = (0..8).map(|at| copy(at) + "cp.async.wait_all;").collect();
    let [together, each] = [together, each].map(|body| clocks(&body));
    assert!(together * 2 < each, "{together} clocks together, {each} one after the other");
}
