//! Clusters of CTAs, and what is moved beside the threads: bulk copies, `st.async`, `red.async`.

mod support {
    pub mod kernel;
}

use support::kernel::{Ended, Kernel, On};
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::Checks;

const THREADS: u32 = 64;

/// A kernel `k(out, in)`. `%r0` is the thread's number in its CTA, `%r1` the rank of the CTA, `%r2` the address of its
/// word of `tile`; `%rd0` and `%rd1` are the addresses of its words of `out` and `in`, one for each thread of the grid.
/// `gate` is an mbarrier, at `%r3`.
fn text(body: &str) -> String {
    format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 out, .param .u64 in) {{\n\
         .reg .b32 %r<24>; .reg .b64 %rd<12>; .reg .b16 %h<4>; .reg .pred %p<6>;\n\
         .shared .align 16 .b8 tile[512]; .shared .align 16 .b8 other[512]; .shared .align 8 .b64 gate;\n\
         ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;\n\
         mov.u32 %r1, %cluster_ctarank; mov.u32 %r4, %ctaid.x; mad.lo.u32 %r4, %r4, 64, %r0;\n\
         mul.wide.u32 %rd2, %r4, 4; add.u64 %rd0, %rd0, %rd2; add.u64 %rd1, %rd1, %rd2;\n\
         mov.u32 %r2, tile; mad.lo.u32 %r2, %r0, 4, %r2; mov.u32 %r3, gate;\n\
         setp.eq.u32 %p0, %r0, 0;\n\
         {body}\nret;\n}}\n"
    )
}

fn input(ctas: u32) -> Vec<u32> {
    (0..ctas * THREADS).map(|at| at.wrapping_mul(0x0301_0701) + 1).collect()
}

fn kernel(body: &str, ctas: u32) -> Kernel {
    Kernel::of_text("test.ptx", &text(body), "k")
        .buffer(&vec![0u32; (ctas * THREADS) as usize])
        .buffer(&input(ctas))
        .with_watchdog(20_000)
}

fn ended(body: &str, ctas: u32, cluster: u32, checks: Checks) -> Result<Ended, String> {
    let kernel = kernel(body, ctas).with_cluster([cluster, 1, 1]).with_checks(checks);
    let ended = kernel.try_run(On::Functional, [ctas, 1], [THREADS, 1], 0);
    ended.map_err(|error| error.to_string())
}

/// What the threads write to `out`, a word each. There is no race.
fn words(body: &str, ctas: u32, cluster: u32) -> Vec<u32> {
    let found = [Checks::Strict, Checks::Races].map(|checks| {
        let ended = ended(body, ctas, cluster, checks).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ended.outcome.warnings, [], "{body}");
        ended.buffer(0, (ctas * THREADS) as usize)
    });
    let [found, again] = found;
    assert_eq!(found, again);
    found
}

/// The races of a kernel.
fn races(body: &str, ctas: u32, cluster: u32) -> String {
    let ended = ended(body, ctas, cluster, Checks::Races).unwrap_or_else(|error| panic!("{error}"));
    let all: Vec<_> = ended.outcome.warnings.iter().map(|warning| warning.what.clone()).collect();
    all.join("\n")
}

fn problem(body: &str, ctas: u32, cluster: u32) -> String {
    ended(body, ctas, cluster, Checks::Strict).err().expect("a problem")
}

const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// Threads get the words of the CTA after theirs, which lie in `tile`.
fn from_next(load: &str, before: &str, after: &str) -> String {
    format!(
        "ld.global.u32 %r5, [%rd1]; st.shared.u32 [%r2], %r5; {before}\n\
         mov.u32 %r6, %cluster_nctarank; add.u32 %r7, %r1, 1; rem.u32 %r7, %r7, %r6;\n\
         {load} {after} st.global.u32 [%rd0], %r8;"
    )
}

fn of_next(ctas: u32, cluster: u32) -> Vec<u32> {
    let given = input(ctas);
    let next = |cta: u32| cta / cluster * cluster + (cta + 1) % cluster;
    let word = |at: u32| given[(next(at / THREADS) * THREADS + at % THREADS) as usize];
    (0..ctas * THREADS).map(word).collect()
}

#[test]
fn threads_load_from_the_shared_memory_of_other_ctas() {
    for load in [
        "mapa.shared::cluster.u32 %r9, %r2, %r7; ld.shared::cluster.u32 %r8, [%r9];",
        "mapa.shared::cluster.u32 %r9, tile, %r7; mad.lo.u32 %r9, %r0, 4, %r9;\n\
         ld.relaxed.cluster.shared::cluster.u32 %r8, [%r9];",
        "cvt.u64.u32 %rd3, %r2; mapa.shared::cluster.u64 %rd3, %rd3, %r7;\n\
         ld.shared::cluster.u32 %r8, [%rd3];",
        "cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd3, %rd3, %r7;\n\
         ld.u32 %r8, [%rd3];",
        "cvt.u64.u32 %rd3, %r2; mapa.shared::cluster.u64 %rd3, %rd3, %r7;\n\
         cvta.shared::cluster.u64 %rd3, %rd3; atom.add.u32 %r8, [%rd3], 0;",
    ] {
        for (ctas, cluster) in [(4, 2), (8, 4), (3, 1), (16, 16)] {
            let body = from_next(load, SYNC, SYNC);
            assert_eq!(words(&body, ctas, cluster), of_next(ctas, cluster), "{load}");
        }
    }
}

#[test]
fn a_missing_barrier_of_the_cluster_shows() {
    let load = "mapa.shared::cluster.u32 %r9, %r2, %r7; ld.shared::cluster.u32 %r8, [%r9];";
    let none = from_next(load, "", SYNC);
    let found = ended(&none, 4, 2, Checks::Strict).expect("it runs").buffer::<u32>(0, 256);
    assert_ne!(found, of_next(4, 2));
    let told = races(&none, 4, 2);
    assert!(told.contains("of shared memory races with"), "{told}");
    // The barriers of the CTAs are no barrier of the cluster.
    let told = races(&from_next(load, "bar.sync 0;", SYNC), 4, 2);
    assert!(told.contains("a load") && told.contains("a store"), "{told}");
    // What is written before an arrival that is relaxed is not released without a fence.
    let relaxed = "barrier.cluster.arrive.relaxed; barrier.cluster.wait;";
    assert!(!races(&from_next(load, relaxed, SYNC), 4, 2).is_empty());
    let fenced = format!("fence.acq_rel.cluster; {relaxed}");
    assert_eq!(words(&from_next(load, &fenced, SYNC), 4, 2), of_next(4, 2));
    // Without one at the end a CTA ends before the others have read what it has.
    let body = from_next(load, SYNC, "");
    let late = body.replace("mapa", "setp.eq.u32 %p1, %r1, 1; @%p1 bra L; bar.sync 1; L: mapa");
    let slow = "mov.u32 %r10, 0; Q: add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 300; @%p2 bra Q;";
    let late = late.replace("bar.sync 1;", slow);
    let told = problem(&late, 2, 2);
    assert!(told.contains("of CTA 1 of the cluster, which has ended"), "{told}");
}

#[test]
fn registers_name_the_cluster_and_the_cta_in_it() {
    let show = |register: &str| {
        let body = format!("mov.u32 %r5, {register}; st.global.u32 [%rd0], %r5;");
        let all = words(&body, 8, 4);
        all.chunks(THREADS as usize).map(|of_cta| of_cta[0]).collect::<Vec<_>>()
    };
    assert_eq!(show("%cluster_ctarank"), [0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(show("%cluster_nctarank"), [4; 8]);
    assert_eq!(show("%cluster_ctaid.x"), [0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(show("%cluster_nctaid.x"), [4; 8]);
    assert_eq!(show("%cluster_nctaid.y"), [1; 8]);
    assert_eq!(show("%clusterid.x"), [0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(show("%nclusterid.x"), [2; 8]);
    let explicit =
        "mov.pred %p1, %is_explicit_cluster; selp.u32 %r5, 1, 0, %p1; st.global.u32 [%rd0], %r5;";
    assert_eq!(words(explicit, 2, 2), [1; 128]);
    let kernel = kernel(explicit, 2).run(On::Functional, [2, 1], [THREADS, 1], 0);
    assert_eq!(kernel.buffer::<u32>(0, 128), [0; 128]);
}

#[test]
fn clusters_have_three_axes() {
    let text = text(
        "mov.u32 %r5, %cluster_ctaid.y; mov.u32 %r6, %clusterid.y; mov.u32 %r7, %ctaid.y;\n\
         mad.lo.u32 %r8, %r5, 10, %r1; mad.lo.u32 %r8, %r6, 100, %r8; mad.lo.u32 %r8, %r7, 1000, %r8;\n\
         mov.u32 %r9, %ctaid.x; mov.u32 %r10, %nctaid.x; mad.lo.u32 %r9, %r7, %r10, %r9;\n\
         ld.param.u64 %rd0, [out]; mul.wide.u32 %rd2, %r9, 4; add.u64 %rd0, %rd0, %rd2;\n\
         st.global.u32 [%rd0], %r8;",
    );
    let kernel = Kernel::of_text("test.ptx", &text, "k").buffer(&[0u32; 64]).buffer(&[0u32; 64]);
    let ended = kernel.with_cluster([2, 2, 1]).run(On::Functional, [4, 4], [1, 1], 0);
    let wanted = |at: u32| {
        let [x, y] = [at % 4, at / 4];
        1000 * y + 100 * (y / 2) + 10 * (y % 2) + y % 2 * 2 + x % 2
    };
    assert_eq!(ended.buffer::<u32>(0, 16), (0..16).map(wanted).collect::<Vec<_>>());
}

#[test]
fn addresses_tell_whose_shared_memory_they_are_in() {
    // Bits: shared::cta and shared::cluster of the own CTA's address mapped, and of the next CTA's; ranks.
    let body = "mov.u32 %r6, %cluster_nctarank; add.u32 %r7, %r1, 1; rem.u32 %r7, %r7, %r6;\n\
         cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r1; mapa.u64 %rd5, %rd3, %r7;\n\
         isspacep.shared::cta %p1, %rd4; isspacep.shared::cluster %p2, %rd4; isspacep.shared::cta %p3, %rd5;\n\
         isspacep.shared::cluster %p4, %rd5; isspacep.global %p5, %rd5;\n\
         selp.u32 %r8, 1, 0, %p1; selp.u32 %r9, 2, 0, %p2; or.b32 %r8, %r8, %r9; selp.u32 %r9, 4, 0, %p3;\n\
         or.b32 %r8, %r8, %r9; selp.u32 %r9, 8, 0, %p4; or.b32 %r8, %r8, %r9; selp.u32 %r9, 16, 0, %p5;\n\
         or.b32 %r8, %r8, %r9; getctarank.u64 %r9, %rd5; mad.lo.u32 %r8, %r9, 100, %r8;\n\
         cvta.to.shared::cluster.u64 %rd5, %rd5; getctarank.shared::cluster.u64 %r9, %rd5;\n\
         mad.lo.u32 %r8, %r9, 1000, %r8; getctarank.shared::cluster.u32 %r9, %r2; mad.lo.u32 %r8, %r9, 10000, %r8;\n\
         st.shared.u32 [%r2], %r8; ld.u32 %r8, [%rd4]; st.global.u32 [%rd0], %r8;";
    let found = words(body, 2, 2);
    assert_eq!(found[..64], [1111; 64]);
    assert_eq!(found[64..], [10011; 64]);
    let told = problem("mapa.shared::cluster.u32 %r9, %r2, 2;", 2, 2);
    assert!(told.contains("CTA 2 of a cluster that has 2"), "{told}");
    let told = problem("mapa.u64 %rd3, %rd0, 1;", 2, 2);
    assert!(told.contains("is not in the shared memory of the cluster"), "{told}");
    // An address in another CTA's is none in that of the own.
    let told =
        problem("mapa.shared::cluster.u32 %r9, %r2, 1; ld.shared::cta.u32 %r8, [%r9];", 2, 2);
    assert!(told.contains("outside of the"), "{told}");
}

#[test]
fn lanes_that_access_different_ctas_do_it_all() {
    // Lane n adds 1 to word n / 4 of CTA n mod 4.
    let body = format!(
        "mov.u32 %r5, 0; st.shared.u32 [%r2], %r5; {SYNC}\n\
         and.b32 %r6, %r0, 3; shr.u32 %r7, %r0, 2; mov.u32 %r8, tile; mad.lo.u32 %r8, %r7, 4, %r8;\n\
         mapa.shared::cluster.u32 %r8, %r8, %r6; red.relaxed.cluster.shared::cluster.add.u32 [%r8], 1;\n\
         {SYNC} ld.shared.u32 %r5, [%r2]; st.global.u32 [%rd0], %r5;"
    );
    let wanted: Vec<u32> = (0..4 * THREADS).map(|at| if at % 64 < 16 { 4 } else { 0 }).collect();
    assert_eq!(words(&body, 4, 4), wanted);
    // An atomic of the CTA does not make accesses of others strong.
    let told = races(&body.replace("relaxed.cluster", "relaxed.cta"), 4, 4);
    assert!(told.contains("an atomic"), "{told}");
}

#[test]
fn a_scope_of_the_cluster_is_not_that_of_another_one() {
    let body = "ld.param.u64 %rd3, [out]; red.relaxed.cluster.global.add.u32 [%rd3], 1;";
    assert_eq!(races(body, 2, 2), "");
    assert!(races(body, 4, 2).contains("an atomic"));
}

#[test]
fn the_barrier_of_the_cluster_has_its_turns() {
    let told = problem("barrier.cluster.wait;", 2, 2);
    assert!(told.contains("have not come to barrier.cluster.arrive"), "{told}");
    let told = problem("barrier.cluster.arrive; barrier.cluster.arrive;", 2, 2);
    assert!(told.contains("again without barrier.cluster.wait"), "{told}");
    let told =
        problem(&format!("setp.eq.u32 %p1, %r1, 0; @%p1 bra L; bar.sync 1, 128; L: {SYNC}"), 2, 2);
    assert!(
        told.contains("all warps wait at barriers") && told.contains("waits at barrier.cluster"),
        "{told}"
    );
    // Threads that have left the kernel are not waited for, and lanes may come one after the other.
    let body = format!(
        "setp.gt.u32 %p1, %r0, 40; @%p1 bra L; and.b32 %r5, %r0, 1; setp.eq.u32 %p2, %r5, 0;\n\
         @%p2 bra E; barrier.cluster.arrive; bra.uni W; E: barrier.cluster.arrive; W: barrier.cluster.wait;\n\
         mov.u32 %r5, 9; st.global.u32 [%rd0], %r5; L:"
    );
    let wanted: Vec<u32> = (0..128).map(|at| if at % 64 > 40 { 0 } else { 9 }).collect();
    assert_eq!(words(&body, 2, 2), wanted);
}

/// Initialises the gate for so many arrivals, in all CTAs of a cluster.
fn gate(arrivals: u32) -> String {
    format!(
        "@%p0 mbarrier.init.shared.b64 [%r3], {arrivals}; fence.mbarrier_init.release.cluster;\n\
         barrier.cluster.arrive.relaxed; barrier.cluster.wait;"
    )
}

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

#[test]
fn ctas_arrive_at_each_others_mbarriers() {
    // Thread n < 4 arrives at the gate of CTA n, after the words of its CTA lie in its tile.
    let arrive = "setp.lt.u32 %p2, %r0, 4; mapa.shared::cluster.u32 %r9, %r3, %r0;\n\
         @%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];";
    let wait =
        "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra W;";
    let before = gate(4);
    // Only the first four map: others would name CTAs that there are not.
    let arrive = arrive.replace("mapa", "@%p2 mapa");
    let load = format!(
        "bar.sync 0; {arrive} {wait} mapa.shared::cluster.u32 %r9, %r2, %r7; ld.shared::cluster.u32 %r8, [%r9];"
    );
    assert_eq!(words(&format!("{before} {}", from_next(&load, "", SYNC)), 4, 4), of_next(4, 4));
    let none = load.replace(&arrive, "").replace(wait, "");
    assert!(!races(&format!("{before} {}", from_next(&none, "", SYNC)), 4, 4).is_empty());
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
fn launches_that_do_not_fit_say_what_does() {
    let fails = |clusters: &str, cluster: Option<[u32; 3]>, on: On, what: &str| {
        let text = text("").replace(") {", &format!(") {clusters} {{"));
        let kernel =
            Kernel::of_text("test.ptx", &text, "k").buffer(&[0u32; 64]).buffer(&[0u32; 64]);
        let kernel = match cluster {
            Some(cluster) => kernel.with_cluster(cluster),
            None => kernel,
        };
        let told = kernel.try_run(on, [18, 2], [1, 1], 0).err().expect("an error").to_string();
        assert!(told.contains(what), "{told}");
    };
    let on = On::Functional;
    fails("", Some([4, 1, 1]), on, "the grid of [18, 2, 1] CTAs is to be a multiple");
    fails("", Some([0, 1, 1]), on, "1 to 16 CTAs are accepted");
    fails("", Some([18, 1, 1]), on, "1 to 16 CTAs are accepted");
    fails(".maxclusterrank 2", Some([3, 1, 1]), on, "1 to 2 CTAs are accepted");
    fails(".reqnctapercluster 2", Some([3, 1, 1]), on, "requires [2, 1, 1]");
    fails(".reqnctapercluster 5", None, on, "multiple");
    fails(".reqnctapercluster 2", None, On::Preset("gtx480"), "use --timing off");
    fails("", Some([2, 1, 1]), On::Preset("small"), "use --timing off");
    for body in [SYNC, STORE, "cp.async.bulk.commit_group;"] {
        let kernel = kernel(body, 1);
        let told = kernel.try_run(On::Preset("gtx480"), [1, 1], [THREADS, 1], 0).err();
        assert!(told.expect("an error").to_string().contains("use --timing off"), "{body}");
    }
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
