//! The six systems: three protocols, each with and without scopes.

use super::ReleaseConsistency;
use super::planted::{
    EVICT_OWNED, FORGET_DIRTY, FORGET_L1_OWNER, NEVER_PUSH, TRUST_OWNED, WRITE_BACK_WHOLE,
};
use super::protocol;
use crate::config::Config;
use crate::machine::planted::RELEASE_DOES_NOTHING;
use crate::memory::planted::{
    ATOMICS_STORE_TWICE, DONE_BEFORE_PROBE, KEEP_L1, OVERTAKE, SKIP_PROBE,
};
use crate::systems::{Order, System};

/// All of them.
pub const ALL: [System; 6] =
    [BASE, BASE_UNSCOPED, OWNERSHIP, OWNERSHIP_UNSCOPED, LAZY, LAZY_UNSCOPED];

/// Write-back caches that are flushed at a release and emptied at an acquire (tables 10.12 and 10.13).
pub const BASE: System = System {
    errors: &[
        KEEP_L1,
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        FORGET_DIRTY,
        WRITE_BACK_WHOLE,
        SKIP_PROBE,
        DONE_BEFORE_PROBE,
    ],
    cpus: true,
    fits: one_l2,
    small: "small_apu",
    tables: Some(|| protocol::BASE.page()),
    order: Order::Core,
    ..System::new(
        "release-consistency",
        "write-back L1s: a release writes them back, an acquire empties them (Primer, tables 10.12 and 10.13)",
        |config| Box::new(ReleaseConsistency::new(config, protocol::BASE, true)),
    )
};

const BASE_UNSCOPED: System = System {
    name: "release-consistency-unscoped",
    about: "release-consistency, in which every scope is the GPU",
    make: |config| Box::new(ReleaseConsistency::new(config, protocol::BASE, false)),
    ..BASE
};

/// Stores and releases register ownership, which an acquire keeps (tables 10.15 and 10.16).
pub const OWNERSHIP: System = System {
    name: "release-consistency-ownership",
    unseen: &[RELEASE_DOES_NOTHING, EVICT_OWNED, TRUST_OWNED],
    about: "stores register ownership; an acquire keeps what is owned (Primer, tables 10.15 and 10.16)",
    errors: &[
        KEEP_L1,
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        FORGET_L1_OWNER,
        EVICT_OWNED,
        TRUST_OWNED,
        SKIP_PROBE,
        DONE_BEFORE_PROBE,
    ],
    tables: Some(|| protocol::OWNERSHIP.page()),
    make: |config| Box::new(ReleaseConsistency::new(config, protocol::OWNERSHIP, true)),
    ..BASE
};

const OWNERSHIP_UNSCOPED: System = System {
    name: "release-consistency-ownership-unscoped",
    about: "release-consistency-ownership, in which every scope is the GPU",
    make: |config| Box::new(ReleaseConsistency::new(config, protocol::OWNERSHIP, false)),
    ..OWNERSHIP
};

/// A release takes ownership of its line; write-backs wait for who asks for it (tables 10.19 and 10.16).
pub const LAZY: System = System {
    name: "release-consistency-lazy",
    unseen: &[FORGET_L1_OWNER, EVICT_OWNED, TRUST_OWNED],
    tester_misses: &[FORGET_L1_OWNER, EVICT_OWNED],
    about: "a release owns its line; write-backs wait for who asks for it (Primer, tables 10.19 and 10.16)",
    errors: &[
        KEEP_L1,
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        FORGET_DIRTY,
        WRITE_BACK_WHOLE,
        FORGET_L1_OWNER,
        NEVER_PUSH,
        EVICT_OWNED,
        TRUST_OWNED,
        SKIP_PROBE,
        DONE_BEFORE_PROBE,
    ],
    tables: Some(|| protocol::LAZY.page()),
    make: |config| Box::new(ReleaseConsistency::new(config, protocol::LAZY, true)),
    ..BASE
};

const LAZY_UNSCOPED: System = System {
    name: "release-consistency-lazy-unscoped",
    about: "release-consistency-lazy, in which every scope is the GPU",
    make: |config| Box::new(ReleaseConsistency::new(config, protocol::LAZY, false)),
    ..LAZY
};

fn one_l2(config: &Config) -> Result<(), &'static str> {
    match config.machine.gpms() {
        1 => Ok(()),
        _ => Err("one L2 for all cores (machine.gpus = 1 and machine.gpms_per_gpu = 1)"),
    }
}
