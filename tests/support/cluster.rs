//! Kernels in clusters, their results, races and problems.

#![allow(dead_code, reason = "each test file uses a part")]

use super::kernel::{Ended, Kernel, On};
use warpsmith::gpu::machine::Checks;

pub const THREADS: u32 = 64;

/// A kernel `k(out, in)`. `%r0` is the thread's number in its CTA, `%r1` the rank of the CTA, `%r2` the address of its
/// word of `tile`; `%rd0` and `%rd1` are the addresses of its words of `out` and `in`, one for each thread of the grid.
/// `gate` is an mbarrier, at `%r3`.
pub fn text(body: &str) -> String {
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

pub fn input(ctas: u32) -> Vec<u32> {
    (0..ctas * THREADS).map(|at| at.wrapping_mul(0x0301_0701) + 1).collect()
}

pub fn kernel(body: &str, ctas: u32) -> Kernel {
    Kernel::of_text("test.ptx", &text(body), "k")
        .buffer(&vec![0u32; (ctas * THREADS) as usize])
        .buffer(&input(ctas))
        .with_watchdog(20_000)
}

pub fn ended(body: &str, ctas: u32, cluster: u32, checks: Checks) -> Result<Ended, String> {
    let kernel = kernel(body, ctas).with_cluster([cluster, 1, 1]).with_checks(checks);
    let ended = kernel.try_run(On::Functional, [ctas, 1], [THREADS, 1], 0);
    ended.map_err(|error| error.to_string())
}

/// What the threads write to `out`, a word each. There is no race.
pub fn words(body: &str, ctas: u32, cluster: u32) -> Vec<u32> {
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
pub fn races(body: &str, ctas: u32, cluster: u32) -> String {
    let ended = ended(body, ctas, cluster, Checks::Races).unwrap_or_else(|error| panic!("{error}"));
    let all: Vec<_> = ended.outcome.warnings.iter().map(|warning| warning.what.clone()).collect();
    all.join("\n")
}

pub fn problem(body: &str, ctas: u32, cluster: u32) -> String {
    ended(body, ctas, cluster, Checks::Strict).err().expect("a problem")
}

pub const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// Initialises the gate for so many arrivals, in all CTAs of a cluster.
pub fn gate(arrivals: u32) -> String {
    format!(
        "@%p0 mbarrier.init.shared.b64 [%r3], {arrivals}; fence.mbarrier_init.release.cluster;\n\
         barrier.cluster.arrive.relaxed; barrier.cluster.wait;"
    )
}
