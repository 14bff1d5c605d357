//! Clusters of CTAs: their shared memory, registers, barrier and launches.

mod support {
    pub mod cluster;
    pub mod kernel;
}

use support::cluster::{SYNC, THREADS, ended, gate, input, kernel, problem, races, text, words};
use support::kernel::{Kernel, On};
use warpsmith::gpu::machine::Checks;

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
    let body = "setp.gt.u32 %p1, %r0, 40; @%p1 bra L; and.b32 %r5, %r0, 1; setp.eq.u32 %p2, %r5, 0;\n\
         @%p2 bra E; barrier.cluster.arrive; bra.uni W; E: barrier.cluster.arrive; W: barrier.cluster.wait;\n\
         mov.u32 %r5, 9; st.global.u32 [%rd0], %r5; L:";
    let wanted: Vec<u32> = (0..128).map(|at| if at % 64 > 40 { 0 } else { 9 }).collect();
    assert_eq!(words(body, 2, 2), wanted);
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
    let store = "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 256;";
    for body in [SYNC, store, "cp.async.bulk.commit_group;"] {
        let kernel = kernel(body, 1);
        let told = kernel.try_run(On::Preset("gtx480"), [1, 1], [THREADS, 1], 0).err();
        assert!(told.expect("an error").to_string().contains("use --timing off"), "{body}");
    }
}
