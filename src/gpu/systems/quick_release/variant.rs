//! The systems of one design: without L1, write-through, and QuickRelease (2.4.1, 3, 4.1).

use super::planted::{
    DROP_ENTRY, IGNORE_WRITTEN, KEEP_INVALIDATED, KEEP_PROBED, LOSE_MASK, NO_BROADCAST,
    PROBE_ENDS_AT_L2, RELEASE_OVERTAKES,
};
use super::{QuickRelease, rtl};
use crate::config::Config;
use crate::machine::planted::{ACQUIRE_DOES_NOTHING, RELEASE_DOES_NOTHING};
use crate::memory::planted::{ATOMICS_STORE_TWICE, KEEP_L1, OVERTAKE, SKIP_PROBE};
use crate::systems::{Order, System};

/// In what they differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant {
    /// Whether loads may find their line in the L1.
    pub(super) has_l1: bool,
    /// Whether there are write caches, which invalidate copies as they write through. Then an acquire has
    /// nothing to do; else it empties the L1.
    pub(super) combines: bool,
}

/// Coherent loads pass the L1, as on NVIDIA's Kepler (5.1).
pub const NO_L1: System = System {
    errors: &[OVERTAKE, ATOMICS_STORE_TWICE, SKIP_PROBE, KEEP_PROBED],
    unseen: &[RELEASE_DOES_NOTHING, ACQUIRE_DOES_NOTHING],
    cpus: true,
    fits: with_directory,
    small: "small_apu",
    order: Order::Gpm,
    ..System::new(
        "no-l1",
        "loads pass the L1; stores are written through to memory (QuickRelease, section 5.1)",
        |config| QuickRelease::boxed(config, Variant { has_l1: false, combines: false }),
    )
};

/// A conventional GPU: stores are written through, and an acquire empties the L1 (2.4.1).
pub const WRITE_THROUGH: System = System {
    name: "write-through",
    unseen: &[],
    about: "stores are written through to memory; an acquire empties the L1 (QuickRelease, section 2.4.1)",
    errors: &[KEEP_L1, OVERTAKE, ATOMICS_STORE_TWICE, SKIP_PROBE, KEEP_PROBED],
    make: |config| QuickRelease::boxed(config, Variant { has_l1: true, combines: false }),
    ..NO_L1
};

/// Read caches and write caches apart, S-FIFOs, and invalidations: an acquire does nothing (3).
pub const QUICK_RELEASE: System = System {
    name: "quick-release",
    never_shows: &["2+2W: u=1 v=1"],
    unseen: &[ACQUIRE_DOES_NOTHING],
    about: "write caches with S-FIFOs that a release drains; an acquire does nothing (QuickRelease, section 3)",
    errors: &[
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        RELEASE_OVERTAKES,
        LOSE_MASK,
        DROP_ENTRY,
        KEEP_INVALIDATED,
        IGNORE_WRITTEN,
        NO_BROADCAST,
        SKIP_PROBE,
        KEEP_PROBED,
        PROBE_ENDS_AT_L2,
    ],
    fits: with_write_caches,
    order: Order::Core,
    places: rtl::places,
    make: |config| QuickRelease::boxed(config, Variant { has_l1: true, combines: true }),
    ..NO_L1
};

/// What a machine has to have: one L2 for all cores, and the directory with its L3.
pub(super) fn with_directory(config: &Config) -> Result<(), &'static str> {
    match (config.machine.gpms(), &config.l3) {
        (1, Some(_)) => Ok(()),
        (1, None) => Err("an L3 behind the directory ([l3])"),
        _ => Err("one L2 for all cores (machine.gpus = 1 and machine.gpms_per_gpu = 1)"),
    }
}

fn with_write_caches(config: &Config) -> Result<(), &'static str> {
    with_directory(config)?;
    match &config.write_caches {
        Some(_) => Ok(()),
        None => Err("write caches with their S-FIFOs ([write_caches])"),
    }
}
