//! Errors that are planted in the machine, to see whether tests find them.

use crate::gpu::coherence::{Coherence, Routing, System};
use crate::gpu::litmus::Mechanism;

/// An error that is planted in the cores or in the memory system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedError {
    /// Releasing accesses wait for nothing.
    ReleaseDoesNothing,
    /// Acquiring accesses order nothing.
    AcquireDoesNothing,
    /// Fences order nothing.
    FenceDoesNothing,
    /// A load may take its value later than all that comes after it in its thread, whatever order
    /// there is between them.
    LoadsPassLoads,
    /// A store or an atomic may take effect later than all that comes after it in its thread,
    /// whatever order there is between them.
    StoresPassStores,
    /// An acquire leaves the L1 as it is.
    KeepL1,
    /// A release waits for the L2 of its GPM only.
    FlushHereOnly,
    /// Messages from one end to another may overtake each other.
    Overtake,
    /// What an atomic has made of its words is stored once more, later.
    AtomicsStoreTwice,
    /// Software coherence: an acquire leaves L2 caches as they are.
    KeepCopies,
    /// Software coherence with homes in GPUs: an acquire empties the L2 of its own GPM only.
    DropHereOnly,
    /// One invalidation in this many is not sent.
    SkipInvalidation(u32),
    /// One load in this many that a directory should record is not shown to it.
    ForgetSharer(u32),
    /// The home of a GPU keeps an invalidation from another GPU to itself.
    DoNotForward,
    /// Loads are shown to the directory only after the next store to their block: its rule is
    /// broken.
    PresentLate,
    /// Ideal caching: stores take effect at the home, not where they are first seen.
    EffectAtHome,
}

impl PlantedError {
    /// All of them; those that happen sometimes happen every other time.
    pub const ALL: [Self; 16] = [
        Self::ReleaseDoesNothing,
        Self::AcquireDoesNothing,
        Self::FenceDoesNothing,
        Self::LoadsPassLoads,
        Self::StoresPassStores,
        Self::KeepL1,
        Self::FlushHereOnly,
        Self::Overtake,
        Self::AtomicsStoreTwice,
        Self::KeepCopies,
        Self::DropHereOnly,
        Self::SkipInvalidation(2),
        Self::ForgetSharer(2),
        Self::DoNotForward,
        Self::PresentLate,
        Self::EffectAtHome,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReleaseDoesNothing => "release-does-nothing",
            Self::AcquireDoesNothing => "acquire-does-nothing",
            Self::FenceDoesNothing => "fence-does-nothing",
            Self::LoadsPassLoads => "loads-pass-loads",
            Self::StoresPassStores => "stores-pass-stores",
            Self::KeepL1 => "keep-l1",
            Self::FlushHereOnly => "flush-here-only",
            Self::Overtake => "overtake",
            Self::AtomicsStoreTwice => "atomics-store-twice",
            Self::KeepCopies => "keep-copies",
            Self::DropHereOnly => "drop-here-only",
            Self::SkipInvalidation(_) => "skip-invalidation",
            Self::ForgetSharer(_) => "forget-sharer",
            Self::DoNotForward => "do-not-forward",
            Self::PresentLate => "present-late",
            Self::EffectAtHome => "effect-at-home",
        }
    }

    /// Whether it is an error of the cores, which every memory system has in front of it.
    pub fn is_of_core(self) -> bool {
        matches!(
            self,
            Self::ReleaseDoesNothing
                | Self::AcquireDoesNothing
                | Self::FenceDoesNothing
                | Self::LoadsPassLoads
                | Self::StoresPassStores
        )
    }

    /// Whether a memory system has what the error is about.
    pub fn concerns(self, system: System) -> bool {
        let coherence = system.coherence();
        match self {
            Self::KeepCopies => coherence == Coherence::Bulk,
            Self::DropHereOnly => {
                coherence == Coherence::Bulk && system.routing() == Routing::ByGpuHome
            }
            Self::SkipInvalidation(_) | Self::ForgetSharer(_) | Self::PresentLate => {
                coherence == Coherence::Directory
            }
            Self::DoNotForward => system == System::Hmg,
            Self::EffectAtHome => coherence == Coherence::Free,
            _ => true,
        }
    }

    /// What keeps every test from seeing it on a memory system that it concerns.
    pub fn excuse(self, system: System) -> Option<Mechanism> {
        match self {
            Self::FlushHereOnly if system == System::Ideal => Some(Mechanism::EffectAtOnce),
            _ => None,
        }
    }
}
