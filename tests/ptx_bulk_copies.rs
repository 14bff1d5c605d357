//! What is moved beside the threads: bulk copies, `st.async`, `red.async`, and the bytes that an `mbarrier` counts.

mod support {
    pub mod cluster;
    pub mod kernel;
}

use support::cluster::{SYNC, ended, gate, input, problem, races, text, words};
use support::kernel::{Kernel, On};
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::Checks;

const WAIT: &str = "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0; @!%p1 bra W;";
const SHOW: &str = "ld.shared.u32 %r8, [%r2]; st.global.u32 [%rd0], %r8;";
/// A copy of the CTA's words of `in` to `tile`, by thread 0.
const COPY: &str = "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 256, [%r3];";
const EXPECT: &str = "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 256;";

#[test]
fn a_bulk_copy_is_seen_after_the_wait_and_not_before() {
    let body = format!("{} {COPY} {EXPECT} {WAIT} {SHOW}", gate(1));
    assert_eq!(words(&body, 2, 1), input(2));
    let early = format!("{} {COPY} {EXPECT} {SHOW} {WAIT}", gate(1));
    let found = ended(&early, 1, 1, Checks::Strict).expect("it runs").buffer::<u32>(0, 64);
    assert_eq!(found[..32], [0; 32]);
    let told = races(&early, 1, 1);
    assert!(told.contains("an asynchronous copy") && told.contains("a load"), "{told}");
    // A copy to shared::cta.
    let own = body.replace("shared::cluster.global", "shared::cta.global");
    assert_eq!(words(&own, 2, 2), input(2));
    // The thread that has it copied must not write the source before it has been read.
    let late = body.replace(WAIT, &format!("@%p0 st.global.u32 [%rd1], 7; {WAIT}"));
    assert!(races(&late, 1, 1).contains("an asynchronous copy"));
}

#[test]
fn bytes_are_counted() {
    let with = |expected: u32| {
        let expect = EXPECT.replace("256", &expected.to_string());
        problem(&format!("{} {expect} {COPY} {WAIT} {SHOW}", gate(1)), 1, 1)
    };
    let told = with(240);
    assert!(told.contains("16 bytes more have arrived than expect_tx has told"), "{told}");
    let told = with(272);
    assert!(told.contains("no warp has ended") && told.contains("test.ptx:13"), "{told}");
    // Bytes that arrive before they are expected are counted, too; others may be expected beside arrivals.
    let body = format!(
        "{} {COPY} @%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%r3], 200;\n\
         @%p0 mbarrier.expect_tx.shared.b64 [%r3], 72; @%p0 mbarrier.complete_tx.shared.b64 [%r3], 16;\n\
         mbarrier.arrive.shared.b64 %rd4, [%r3]; {WAIT} {SHOW}",
        gate(64)
    );
    assert_eq!(words(&body, 2, 1), input(2));
    let state = format!(
        "{} mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r3], 4; mbarrier.pending_count.b64 %r5, %rd4;\n\
         mbarrier.complete_tx.shared.b64 [%r3], 4; V: mbarrier.test_wait.shared.b64 %p1, [%r3], %rd4; @!%p1 bra V;\n\
         st.global.u32 [%rd0], %r5;",
        gate(64)
    );
    let mut found = ended(&state, 1, 1, Checks::Strict).expect("it runs").buffer::<u32>(0, 64);
    found.sort_unstable();
    assert_eq!(found, (1..=64).collect::<Vec<_>>());
    for (wrong, what) in [
        (COPY.replace("256", "24"), "a bulk copy of 24 bytes: multiples of 16"),
        (COPY.replace("[%rd1]", "[%rd1+4]"), "not aligned to 16 bytes"),
        (COPY.replace("[tile]", "[tile+8]"), "not aligned to 16 bytes"),
        (COPY.replace("256", "32768"), "outside of"),
        (COPY.replace("[%r3]", "[tile+256]"), "it is not initialised"),
    ] {
        let wait = WAIT.replace("[%r3]", "[tile+256]");
        let wait = if wrong.contains("tile+256") { &wait } else { WAIT };
        let told = problem(&format!("{} {wrong} {EXPECT} {wait}", gate(1)), 1, 1);
        assert!(told.contains(what), "{wrong}: {told}");
    }
}

#[test]
fn ctas_of_a_cluster_get_copies_of_the_same() {
    // Rank 0 has its words copied to the CTAs 0 and 2.
    let copy = "setp.eq.u32 %p2, %r4, 0; mov.u16 %h0, 5;\n\
         @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster \
         [tile], [%rd1], 256, [%r3], %h0;";
    let body = format!(
        "{} and.b32 %r5, %r1, 1; setp.eq.u32 %p3, %r5, 1; @%p3 bra L; {EXPECT} {copy} {WAIT} {SHOW} L: {SYNC}",
        gate(1)
    );
    let first = &input(4)[..64];
    let wanted = [first, &[0; 64], first, &[0; 64]].concat();
    assert_eq!(words(&body, 4, 4), wanted);
    let told = problem(&body, 2, 2);
    assert!(told.contains("CTA 2 of a cluster that has 2"), "{told}");
}

#[test]
fn ctas_send_each_other_bytes() {
    let next = "mov.u32 %r6, %cluster_nctarank; add.u32 %r7, %r1, 1; rem.u32 %r7, %r7, %r6;\n\
         mapa.shared::cluster.u32 %r9, %r3, %r7; mapa.shared::cluster.u32 %r10, %r2, %r7;";
    let own = "ld.global.u32 %r5, [%rd1];";
    let bulk = "mov.u32 %r11, other; mad.lo.u32 %r12, %r0, 4, %r11;\n\
         st.shared.u32 [%r12], %r5; fence.proxy.async; bar.sync 0; mapa.shared::cluster.u32 %r13, tile, %r7;";
    for send in [
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r10], %r5, [%r9];".to_string(),
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r10], %r5, [%r9];".into(),
        format!(
            "{bulk} @%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes \
             [%r13], [other], 256, [%r9];"
        ),
        format!(
            "{bulk} @%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32 \
             [%r13], [other], 256, [%r9];"
        ),
    ] {
        let zero = "mov.u32 %r14, 0; st.shared.u32 [%r2], %r14;";
        let body = format!(
            "{zero} @%p0 mbarrier.init.shared.b64 [%r3], 1; {SYNC} {own} {next} {EXPECT} {send} {WAIT} {SHOW} {SYNC}"
        );
        let previous: Vec<u32> = {
            let given = input(4);
            (0..256).map(|at| given[(at / 64 + 3) % 4 * 64 + at % 64]).collect()
        };
        assert_eq!(words(&body, 4, 4), previous, "{send}");
    }
    let vector = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r10], {%r5, %r0}, [%r9];";
    let body = format!(
        "{} {own} mul.lo.u32 %r8, %r0, 8; mov.u32 %r2, tile; add.u32 %r2, %r2, %r8; {next}\n\
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 512; {vector} {WAIT}\n\
         ld.shared.v2.u32 {{%r8, %r9}}, [%r2]; add.u32 %r8, %r8, %r9; st.global.u32 [%rd0], %r8; {SYNC}",
        gate(1)
    );
    let given = input(2);
    let wanted: Vec<u32> =
        (0..128).map(|at| given[(at + 64) % 128].wrapping_add(at as u32 % 64)).collect();
    assert_eq!(words(&body, 2, 2), wanted);
}

/// The words of `in` go to `out` by a bulk copy of thread 0, after `tile` has them and before `after`.
fn stored(copy: &str, after: &str) -> String {
    format!(
        "ld.global.u32 %r5, [%rd1]; st.shared.u32 [%r2], %r5; fence.proxy.async; bar.sync 0;\n\
         @!%p0 bra L; {copy} cp.async.bulk.commit_group; {after} L:"
    )
}

const STORE: &str = "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 256;";

#[test]
fn bulk_groups_are_written_when_they_are_waited_for() {
    for wait in ["cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group.read 0;"] {
        assert_eq!(words(&stored(STORE, wait), 2, 1), input(2), "{wait}");
    }
    // Without a wait nothing is known to have been read.
    let found = ended(&stored(STORE, ""), 1, 1, Checks::Strict).expect("it runs");
    assert_eq!(found.buffer::<u32>(0, 64), [0; 64]);
    // What is written before it is waited for is what is copied.
    let early =
        stored(STORE, "mov.u32 %r8, 7; st.shared.u32 [tile], %r8; cp.async.bulk.wait_group 0;");
    let found = ended(&early, 1, 1, Checks::Strict).expect("it runs").buffer::<u32>(0, 64);
    assert_eq!((found[0], found[1]), (7, input(1)[1]));
    assert!(races(&early, 1, 1).contains("an asynchronous copy"));
    // To be read by the thread itself, it must have been written.
    let load = |wait: &str| {
        stored(STORE, &format!("{wait} ld.global.u32 %r8, [%rd0+4]; st.global.u32 [%rd1], %r8;"))
    };
    let first = |wait: &str| {
        let ended = ended(&load(wait), 1, 1, Checks::Strict).expect("it runs");
        ended.buffer::<u32>(1, 1)[0]
    };
    assert_eq!(first("cp.async.bulk.wait_group 0;"), input(1)[1]);
    assert_eq!(first("cp.async.bulk.wait_group.read 0;"), 0);
    assert!(!races(&load("cp.async.bulk.wait_group.read 0;"), 1, 1).is_empty());
    assert_eq!(races(&load("cp.async.bulk.wait_group 0;"), 1, 1), "");
    // The newest group is left.
    let half = |at: u32| {
        format!("cp.async.bulk.global.shared::cta.bulk_group [%rd0+{at}], [tile+{at}], 128;")
    };
    let two = format!("{} cp.async.bulk.commit_group; {}", half(0), half(128));
    for (newest, seen) in [(0, 64), (1, 32), (2, 0)] {
        let wait = format!("cp.async.bulk.wait_group.read {newest};");
        let found = ended(&stored(&two, &wait), 1, 1, Checks::Strict).expect("it runs");
        let found = found.buffer::<u32>(0, 64);
        assert_eq!(found[..seen], input(1)[..seen]);
        assert_eq!(found[seen..], [0; 64][seen..]);
    }
}

/// What a reduction of 16 bytes from shared to global memory makes of elements.
fn reduced(op: &str, old: &[u8], with: &[u8]) -> Vec<u8> {
    let body = format!(
        "@!%p0 bra L; ld.global.v4.u32 {{%r5, %r6, %r7, %r8}}, [%rd1]; st.shared.v4.u32 [tile], {{%r5, %r6, %r7, %r8}};\n\
         fence.proxy.async; cp.reduce.async.bulk.global.shared::cta.bulk_group.{op} [%rd0], [tile], 16;\n\
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; L:"
    );
    let kernel = Kernel::of_text("test.ptx", &text(&body), "k").buffer(old).buffer(with);
    kernel.run(On::Functional, [1, 1], [1, 1], 0).buffer(0, 16)
}

#[test]
fn reductions_are_done_element_by_element() {
    let words = |all: [u32; 4]| all.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let longs = |all: [u64; 2]| all.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let halves = |all: [u16; 8]| all.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let [a, b] = [[5, u32::MAX, 7, 0], [9, 3, 7, 1]];
    for (op, wanted) in [
        ("add.u32", [14, 2, 14, 1]),
        ("add.s32", [14, 2, 14, 1]),
        ("min.u32", [5, 3, 7, 0]),
        ("min.s32", [5, u32::MAX, 7, 0]),
        ("max.u32", [9, u32::MAX, 7, 1]),
        ("max.s32", [9, 3, 7, 1]),
        ("inc.u32", [6, 0, 0, 1]),
        ("dec.u32", [4, 3, 6, 1]),
        ("and.b32", [1, 3, 7, 0]),
        ("or.b32", [13, u32::MAX, 7, 1]),
        ("xor.b32", [12, u32::MAX - 3, 0, 1]),
    ] {
        assert_eq!(reduced(op, &words(a), &words(b)), words(wanted), "{op}");
    }
    let [a, b] = [[5, u64::MAX], [9, 3]];
    for (op, wanted) in [
        ("add.u64", [14, 2]),
        ("min.u64", [5, 3]),
        ("min.s64", [5, u64::MAX]),
        ("max.u64", [9, u64::MAX]),
        ("max.s64", [9, 3]),
        ("and.b64", [1, 3]),
        ("or.b64", [13, u64::MAX]),
        ("xor.b64", [12, u64::MAX - 3]),
    ] {
        assert_eq!(reduced(op, &longs(a), &longs(b)), longs(wanted), "{op}");
    }
    // 1, -2, NaN, -0, 65504, 3, 0.5, 2 and 2, -1, 4, 0, 65504, NaN, 0.25, -2 in halves.
    let a = [0x3c00, 0xc000, 0x7e00, 0x8000, 0x7bff, 0x4200, 0x3800, 0x4000];
    let b = [0x4000, 0xbc00, 0x4400, 0x0000, 0x7bff, 0x7e00, 0x3400, 0xc000];
    let found = reduced("add.noftz.f16", &halves(a), &halves(b));
    let found: Vec<u16> = found.chunks(2).map(|it| u16::from_le_bytes([it[0], it[1]])).collect();
    assert_eq!((found[0], found[1], found[3], found[4]), (0x4200, 0xc200, 0, 0x7c00));
    assert_eq!((found[6], found[7]), (0x3a00, 0));
    let least = [0x3c00, 0xc000, 0x4400, 0x8000, 0x7bff, 0x4200, 0x3400, 0xc000];
    assert_eq!(reduced("min.f16", &halves(a), &halves(b)), halves(least));
    let greatest = [0x4000, 0xbc00, 0x4400, 0x0000, 0x7bff, 0x4200, 0x3800, 0x4000];
    assert_eq!(reduced("max.f16", &halves(a), &halves(b)), halves(greatest));
    let brain = |all: [f32; 8]| halves(all.map(|it| (it.to_bits() >> 16) as u16));
    let [a, b] =
        [[1.0, -2.0, 4.0, 8.0, 0.5, 0.0, 3.0, 1.0], [2.0, -3.0, 1.0, 8.0, 0.5, 1.0, -3.0, 0.0]];
    let sum = [3.0, -5.0, 5.0, 16.0, 1.0, 1.0, 0.0, 1.0];
    assert_eq!(reduced("add.noftz.bf16", &brain(a), &brain(b)), brain(sum));
    let most = [2.0, -2.0, 4.0, 8.0, 0.5, 1.0, 3.0, 1.0];
    assert_eq!(reduced("max.bf16", &brain(a), &brain(b)), brain(most));
    let floats = |all: [f32; 4]| words(all.map(f32::to_bits));
    let [a, b] = [[1.5, -2.0, 1e30, 0.0], [0.25, 2.0, 1e30, -7.0]];
    assert_eq!(reduced("add.f32", &floats(a), &floats(b)), floats([1.75, 0.0, 2e30, -7.0]));
    let doubles = |all: [f64; 2]| longs(all.map(f64::to_bits));
    assert_eq!(
        reduced("add.f64", &doubles([1.5, 2.0]), &doubles([1.0, -8.0])),
        doubles([2.5, -6.0])
    );
}

#[test]
fn forms_that_do_not_exist_are_refused() {
    for (body, what) in [
        (
            "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1, {%r1}], [%r3];",
            "cp.async.bulk.tensor is not supported",
        ),
        ("cp.async.bulk.shared::cluster.global.bulk_group [tile], [%rd1], 16;", "are accepted"),
        (
            "cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%rd1], [tile], 16, [%r3];",
            "are accepted",
        ),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%rd1], [tile], 16;",
            "min is not supported",
        ),
        (
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [tile], [other], 16, [%r3];",
            "add is not supported",
        ),
        (
            "st.async.shared::cluster.b32 [%r2], %r1, [%r3];",
            "mbarrier::complete_tx::bytes is accepted",
        ),
        ("mapa.u32 %r5, %r2, 0;", ".u64 is accepted"),
        ("barrier.cluster.sync;", ".sync is not supported"),
        ("mbarrier.arrive.shared::cluster.b64 %rd3, [%r3];", "use _"),
        ("cp.async.bulk.wait_group %r1;", "takes a number"),
    ] {
        let told = isa::load("test.ptx", &text(body)).expect_err("an error").to_string();
        assert!(told.contains(what), "{body}: {told}");
    }
}
