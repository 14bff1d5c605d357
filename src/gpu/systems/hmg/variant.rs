//! The six systems: the four that the HMG paper compares, and its two bounds (section VI).

use super::planted::{
    DO_NOT_FORWARD, DROP_HERE_ONLY, EFFECT_AT_HOME, FLUSH_HERE_ONLY, FORGET_SHARER, KEEP_COPIES,
    PRESENT_LATE, SKIP_INVALIDATION,
};
use super::{Hmg, System};
use crate::isa::Scope;
use crate::memory::Homes;
use crate::memory::planted::{ATOMICS_STORE_TWICE, KEEP_L1, OVERTAKE};

/// In what the systems differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant {
    pub(super) routing: Routing,
    pub(super) coherence: Coherence,
    /// Whether an L2 keeps lines whose home is in another GPU.
    pub(super) keeps_lines_of_other_gpus: bool,
}

/// The way of a request that misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Routing {
    /// From the GPM to the home.
    Direct,
    /// By the home in the GPU of the GPM.
    ByGpuHome,
}

/// How the L2 caches learn that a copy is old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coherence {
    /// They do not: who acquires empties those on his way to the home.
    Bulk,
    /// A directory at the home tells them.
    Directory,
    /// All copies are always those of the home.
    Free,
}

const SOFTWARE_VARIANT: Variant = Variant {
    routing: Routing::Direct,
    coherence: Coherence::Bulk,
    keeps_lines_of_other_gpus: true,
};

/// No L2 keeps lines of other GPUs; within a GPU as [`SOFTWARE`].
pub const NO_REMOTE_CACHING: System = System {
    name: "no-remote-caching",
    about: "software coherence; no L2 keeps lines of other GPUs",
    make: |config| {
        Hmg::boxed(config, Variant { keeps_lines_of_other_gpus: false, ..SOFTWARE_VARIANT })
    },
    ..SOFTWARE
};

/// Software coherence: an acquire empties caches in bulk. All GPMs are alike.
pub const SOFTWARE: System = System {
    errors: &[KEEP_L1, FLUSH_HERE_ONLY, OVERTAKE, ATOMICS_STORE_TWICE, KEEP_COPIES],
    ..System::new(
        "software",
        "software coherence: an acquire empties caches in bulk; all GPMs are alike",
        |config| Hmg::boxed(config, SOFTWARE_VARIANT),
    )
};

/// The same with a home in each GPU, between the GPM and the home of the machine.
pub const SOFTWARE_HIERARCHICAL: System = System {
    name: "software-hierarchical",
    about: "software coherence with a home in each GPU before that of the machine",
    errors: &[KEEP_L1, FLUSH_HERE_ONLY, OVERTAKE, ATOMICS_STORE_TWICE, KEEP_COPIES, DROP_HERE_ONLY],
    make: |config| Hmg::boxed(config, Variant { routing: Routing::ByGpuHome, ..SOFTWARE_VARIANT }),
    ..SOFTWARE
};

/// Non-hierarchical hardware coherence: directories that know every GPM (section IV).
pub const NHCC: System = System {
    name: "nhcc",
    about: "hardware coherence: directories that know every GPM (HMG, section IV)",
    errors: &[
        KEEP_L1,
        FLUSH_HERE_ONLY,
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        SKIP_INVALIDATION,
        FORGET_SHARER,
        PRESENT_LATE,
    ],
    places: super::rtl::places,
    make: |config| {
        Hmg::boxed(config, Variant { coherence: Coherence::Directory, ..SOFTWARE_VARIANT })
    },
    ..SOFTWARE
};

/// Hierarchical hardware coherence: directories of GPMs and of GPUs (section V).
pub const HMG: System = System {
    name: "hmg",
    about: "hierarchical hardware coherence: directories of GPMs and of GPUs (HMG, section V)",
    errors: &[
        KEEP_L1,
        FLUSH_HERE_ONLY,
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        SKIP_INVALIDATION,
        FORGET_SHARER,
        DO_NOT_FORWARD,
        PRESENT_LATE,
    ],
    make: |config| {
        let (routing, coherence) = (Routing::ByGpuHome, Coherence::Directory);
        Hmg::boxed(config, Variant { routing, coherence, ..SOFTWARE_VARIANT })
    },
    ..NHCC
};

/// Caching whose coherence costs nothing: a bound, not a design. It takes every message of the
/// others but for invalidations, at the same clocks; so it stays with them.
pub const IDEAL: System = System {
    name: "ideal",
    about: "caching whose coherence costs nothing: a bound",
    errors: &[KEEP_L1, FLUSH_HERE_ONLY, OVERTAKE, ATOMICS_STORE_TWICE, EFFECT_AT_HOME],
    effect_at_once: true,
    unseen: &[FLUSH_HERE_ONLY],
    make: |config| {
        let (routing, coherence) = (Routing::ByGpuHome, Coherence::Free);
        Hmg::boxed(config, Variant { routing, coherence, ..SOFTWARE_VARIANT })
    },
    ..SOFTWARE
};

impl Variant {
    /// Whether there is a home in each GPU.
    pub(super) fn is_hierarchical(self) -> bool {
        self.routing == Routing::ByGpuHome
    }

    /// Whether copies are always those of the home: then what L2 caches hold is not looked at, and
    /// all data is in memory.
    pub(super) fn is_ideal(self) -> bool {
        self.coherence == Coherence::Free
    }

    /// Where a GPM sends a request that it does not answer; none if it is the home.
    #[inline]
    pub(super) fn next(self, homes: &Homes, gpm: u32, line: u32) -> Option<u32> {
        let home = homes.home(line);
        if home == gpm {
            return None;
        }
        if self.is_hierarchical() {
            let gpu_home = homes.gpu_home(gpm, line);
            if gpu_home != gpm {
                return Some(gpu_home);
            }
        }
        Some(home)
    }

    /// Whether requests of a scope are answered by this GPM: it is the home for the scope (V-B).
    /// With one level of homes there is no other than that of the machine (IV-B).
    #[inline]
    pub(super) fn is_home(self, homes: &Homes, gpm: u32, line: u32, scope: Scope) -> bool {
        match (self.routing, scope) {
            (Routing::Direct, _) | (_, Scope::Sys) => homes.home(line) == gpm,
            (Routing::ByGpuHome, _) => homes.gpu_home(gpm, line) == gpm,
        }
    }

    /// Whether the L2 of a GPM keeps a line.
    #[inline]
    pub(super) fn keeps(self, homes: &Homes, gpm: u32, line: u32) -> bool {
        self.keeps_lines_of_other_gpus
            || homes.topology.gpu(homes.home(line)) == homes.topology.gpu(gpm)
    }
}
