//! Known verdicts.

use warpsmith::gpu::isa::Scope;
use warpsmith::gpu::litmus::Place;
use warpsmith::gpu::litmus::axioms::Axiom;

/// Scopes and places of the table, within the scope and beyond it.
pub const CELLS: [(Scope, Place); 5] = [
    (Scope::Cta, Place::SameCta),
    (Scope::Cta, Place::OtherCta),
    (Scope::Gpu, Place::OtherGpm),
    (Scope::Gpu, Place::OtherGpu),
    (Scope::Sys, Place::OtherGpu),
];

/// Forbidden where all threads are in scope of each other.
const IN_SCOPE: &str = "FAFAF";
const NEVER: &str = "FFFFF";
const ALWAYS: &str = "AAAAA";
/// Forbidden in one CTA only, for any `$`.
const ONE_CTA: &str = "FAAAA";

/// Threads, an outcome, whether it is forbidden or allowed in each cell, and by which axiom.
#[rustfmt::skip]
pub const TABLE: [(&str, &str, &str, Option<Axiom>); 63] = {
    use Axiom::{Atomicity, Causality, Coherence, FenceSc, NoThinAir, ScPerLocation};
    [
    // Message passing: figure 5, and variants.
    ("st.weak x 1; st.weak y 1 | ld.weak r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", ALWAYS, None),
    ("st.weak x 1; st.release.$ y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; st.release.$ y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=0 1:r1=0", ALWAYS, None),
    ("st.weak x 1; st.release.$ y 1 | ld.relaxed.$ r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", ALWAYS, None),
    ("st.weak x 1; st.relaxed.$ y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", ALWAYS, None),
    ("st.weak x 1; st.release.$ y 1 | ld.relaxed.$ r0 y; ld.weak r1 x[r0]", "1:r0=1 1:r1=0", ALWAYS, None),
    ("st.weak x 1; fence.acq_rel.$; st.relaxed.$ y 1 | ld.relaxed.$ r0 y; fence.acq_rel.$; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; fence.sc.$; st.relaxed.$ y 1 | ld.relaxed.$ r0 y; fence.acq_rel.$; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; fence.sc.$; st.relaxed.$ y 1 | ld.relaxed.$ r0 y; fence.sc.$; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(FenceSc)),
    ("st.weak x 1; fence.acq_rel.$; st.weak y 1 | ld.weak r0 y; fence.acq_rel.$; ld.weak r1 x", "1:r0=1 1:r1=0", ALWAYS, None),
    ("st.weak x 1; fence.sc.$; st.weak y 1 | ld.weak r0 y; fence.sc.$; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; st.release.$ y 1 | ld.relaxed.$ r0 y; fence.acq_rel.$; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; st.release.$ y 1; st.relaxed.$ y 2 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=2 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; st.release.$ z 1; st.relaxed.$ y 2 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=2 1:r1=0", ALWAYS, None),
    ("st.weak x 1; st.release.$ y 1 | ld.relaxed.$ r0 y; ld.acquire.$ r2 y; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; fence.sc.sys; st.volatile y 1 | ld.volatile r0 y; fence.sc.sys; ld.weak r1 x", "1:r0=1 1:r1=0", NEVER, Some(Causality)),
    ("st.weak x 1; st.release.cta y 1 | ld.acquire.sys r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", ONE_CTA, Some(Causality)),
    ("st.weak x 1; st.release.sys y 1 | ld.acquire.cta r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", ONE_CTA, Some(Causality)),
    ("st.weak x 1; fence.acq_rel.sys; st.relaxed.cta y 1 | ld.acquire.sys r0 y; ld.weak r1 x", "1:r0=1 1:r1=0", ONE_CTA, Some(Causality)),
    ("st.weak x 1; bar | bar; ld.weak r0 x", "1:r0=0", ONE_CTA, Some(Causality)),
    ("st.weak x 1; bar | ld.weak r0 x; bar", "1:r0=0", ALWAYS, None),
    ("st.weak x 1; bar; bar | bar; ld.weak r0 x; bar", "1:r0=0", ONE_CTA, Some(Causality)),
    ("bar; st.weak x 1; bar | bar; ld.weak r0 x; bar", "1:r0=0", ALWAYS, None),
    ("st.weak x 1; red.release.$.add y 1 | atom.acquire.$.add r0 y 1; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; red.release.$.add y 1 | loop 3 until r0=1; ld.acquire.$ r0 y; end; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    // Store buffering: figure 6.
    ("st.relaxed.$ x 1; ld.relaxed.$ r0 y | st.relaxed.$ y 1; ld.relaxed.$ r0 x", "0:r0=0 1:r0=0", ALWAYS, None),
    ("st.release.$ x 1; ld.acquire.$ r0 y | st.release.$ y 1; ld.acquire.$ r0 x", "0:r0=0 1:r0=0", ALWAYS, None),
    ("st.relaxed.$ x 1; fence.acq_rel.$; ld.relaxed.$ r0 y | st.relaxed.$ y 1; fence.acq_rel.$; ld.relaxed.$ r0 x", "0:r0=0 1:r0=0", ALWAYS, None),
    ("st.weak x 1; fence.sc.$; ld.weak r0 y | st.weak y 1; fence.sc.$; ld.weak r0 x", "0:r0=0 1:r0=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; fence.sc.cta; ld.weak r0 y | st.weak y 1; fence.sc.sys; ld.weak r0 x", "0:r0=0 1:r0=0", ONE_CTA, Some(Causality)),
    // Load buffering, and figure 8.
    ("ld.relaxed.$ r0 x; st.relaxed.$ y 1 | ld.relaxed.$ r0 y; st.relaxed.$ x 1", "0:r0=1 1:r0=1", ALWAYS, None),
    ("ld.acquire.$ r0 x; st.release.$ y 1 | ld.acquire.$ r0 y; st.release.$ x 1", "0:r0=1 1:r0=1", IN_SCOPE, Some(Causality)),
    ("ld.weak r0 x; fence.sc.$; st.weak y 1 | ld.weak r0 y; fence.sc.$; st.weak x 1", "0:r0=1 1:r0=1", IN_SCOPE, Some(Causality)),
    ("ld.weak r0 x; st.weak y r0 | ld.weak r0 y; st.weak x r0", "0:r0=42", NEVER, None),
    ("ld.weak r0 x; xor r1 r0 r0; add r1 r1 1; st.weak y r1 | ld.weak r0 y; st.weak x[r0] 1", "0:r0=1 1:r0=1", NEVER, Some(NoThinAir)),
    ("ld.weak r0 x; if r0=1; st.weak y 1; end | ld.weak r0 y; if r0!=0; mov r1 1; end; st.weak x 1", "0:r0=1 1:r0=1", NEVER, None),
    ("ld.weak r0 x; if r0=1; st.weak y 1; end | ld.weak r0 y; st.weak x 1", "0:r0=1 1:r0=1", ALWAYS, None),
    ("atom.relaxed.$.add r0 x 1 | ld.relaxed.$ r0 x; st.relaxed.$ x r0", "0:r0=1", NEVER, None),
    // Independent reads of independent writes: PTX is not multi-copy atomic.
    ("st.release.$ x 1 | st.release.$ y 1 | ld.acquire.$ r0 x; ld.acquire.$ r1 y | ld.acquire.$ r0 y; ld.acquire.$ r1 x", "2:r0=1 2:r1=0 3:r0=1 3:r1=0", ALWAYS, None),
    ("st.relaxed.$ x 1 | st.relaxed.$ y 1 | ld.relaxed.$ r0 x; fence.acq_rel.$; ld.relaxed.$ r1 y | ld.relaxed.$ r0 y; fence.acq_rel.$; ld.relaxed.$ r1 x", "2:r0=1 2:r1=0 3:r0=1 3:r1=0", ALWAYS, None),
    ("st.relaxed.$ x 1 | st.relaxed.$ y 1 | ld.relaxed.$ r0 x; fence.sc.$; ld.relaxed.$ r1 y | ld.relaxed.$ r0 y; fence.sc.$; ld.relaxed.$ r1 x", "2:r0=1 2:r1=0 3:r0=1 3:r1=0", IN_SCOPE, Some(Causality)),
    // Causality through a third thread.
    ("st.relaxed.$ x 1 | ld.relaxed.$ r0 x; st.release.$ y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=1 2:r0=1 2:r1=0", IN_SCOPE, Some(Causality)),
    ("st.relaxed.$ x 1 | ld.relaxed.$ r0 x; st.relaxed.$ y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=1 2:r0=1 2:r1=0", ALWAYS, None),
    ("st.weak x 1 | ld.weak r0 x; st.release.$ y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=1 2:r0=1 2:r1=0", ALWAYS, None),
    ("st.weak x 1; st.release.$ y 1 | ld.acquire.$ r0 y; st.release.$ z 1 | ld.acquire.$ r0 z; ld.weak r1 x", "1:r0=1 2:r0=1 2:r1=0", IN_SCOPE, Some(Causality)),
    ("st.relaxed.$ x 1 | ld.relaxed.$ r0 x; fence.sc.$; ld.relaxed.$ r1 y | st.relaxed.$ y 1; fence.sc.$; ld.relaxed.$ r0 x", "1:r0=1 1:r1=0 2:r0=0", IN_SCOPE, Some(Causality)),
    // A chain of atomics carries a release; a load and a store do not.
    ("st.weak x 1; st.release.$ y 1 | atom.relaxed.$.add r0 y 1 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=1 2:r0=2 2:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1; st.release.$ y 1 | ld.relaxed.$ r0 y; add r0 r0 1; st.relaxed.$ y r0 | ld.acquire.$ r0 y; ld.weak r1 x", "1:r0=2 2:r0=2 2:r1=0", ALWAYS, None),
    // Two writers.
    ("st.release.$ x 1; st.release.$ y 2 | st.release.$ y 1; st.release.$ x 2", "x=1 y=1", ALWAYS, None),
    ("st.relaxed.$ x 1; fence.acq_rel.$; st.relaxed.$ y 2 | st.relaxed.$ y 1; fence.acq_rel.$; st.relaxed.$ x 2", "x=1 y=1", ALWAYS, None),
    ("st.weak x 1; fence.sc.$; st.weak y 2 | st.weak y 1; fence.sc.$; st.weak x 2", "x=1 y=1", IN_SCOPE, Some(Coherence)),
    ("st.relaxed.$ x 1; fence.sc.$; st.relaxed.$ y 1 | st.relaxed.$ y 2; fence.sc.$; ld.relaxed.$ r0 x", "y=2 1:r0=0", IN_SCOPE, Some(Coherence)),
    ("st.release.$ x 1; st.release.$ y 1 | st.release.$ y 2; ld.acquire.$ r0 x", "y=2 1:r0=0", ALWAYS, None),
    ("st.weak x 2; st.release.$ y 1 | ld.acquire.$ r0 y; st.weak x 1", "1:r0=1 x=2", IN_SCOPE, Some(Coherence)),
    ("st.relaxed.$ x 2; st.release.$ y 1 | ld.relaxed.$ r0 y; st.relaxed.$ x[r0] 1", "1:r0=1 x=2", ALWAYS, None),
    // One location: figure 9.
    ("st.relaxed.$ x 1 | ld.relaxed.$ r0 x; ld.weak r1 x", "1:r0=1 1:r1=0", IN_SCOPE, Some(Causality)),
    ("st.weak x 1 | ld.weak r0 x; ld.weak r1 x", "1:r0=1 1:r1=0", ALWAYS, None),
    ("st.relaxed.$ x 1 | ld.relaxed.$ r0 x; st.weak x 2", "1:r0=1 x=1", IN_SCOPE, Some(Coherence)),
    ("st.relaxed.$ x 1 | st.relaxed.$ x 2; ld.weak r0 x", "x=2 1:r0=1", IN_SCOPE, Some(ScPerLocation)),
    ("st.weak x 1; st.weak x 2", "x=1", NEVER, Some(ScPerLocation)),
    // Atomics.
    ("atom.relaxed.$.add r0 x 1 | atom.relaxed.$.add r0 x 1", "x=1", IN_SCOPE, Some(Atomicity)),
    ("atom.relaxed.$.exch r0 x 1 | st.relaxed.$ x 2", "0:r0=0 x=1", IN_SCOPE, Some(Atomicity)),
    ("atom.relaxed.$.exch r0 x 1 | st.weak x 2", "0:r0=0 x=1", ALWAYS, None),
]};
