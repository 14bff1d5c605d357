//! Errors that can be planted in these systems. Those that happen sometimes happen every other time.

use crate::memory::PlantedError;

/// A release waits for the L2 of its GPM only.
pub const FLUSH_HERE_ONLY: PlantedError = PlantedError::named("flush-here-only");
/// Software coherence: an acquire does not invalidate L2 caches.
pub const KEEP_COPIES: PlantedError = PlantedError::named("keep-copies");
/// Software coherence with homes in GPUs: an acquire invalidates the L2 of its own GPM only.
pub const DROP_HERE_ONLY: PlantedError = PlantedError::named("drop-here-only");
/// An invalidation is not sent.
pub const SKIP_INVALIDATION: PlantedError =
    PlantedError::named("skip-invalidation").one_in(2).for_tester(50);
/// A load that a directory should record is not shown to it.
pub const FORGET_SHARER: PlantedError =
    PlantedError::named("forget-sharer").one_in(2).for_tester(50);
/// The home of a GPU does not forward an invalidation from another GPU.
pub const DO_NOT_FORWARD: PlantedError = PlantedError::named("do-not-forward").for_tester(1);
/// Loads are shown to the directory only after the next store to their block: its rule is broken.
pub const PRESENT_LATE: PlantedError = PlantedError::named("present-late").for_tester(1);
/// Ideal caching: stores take effect at the home, not at the first cache.
pub const EFFECT_AT_HOME: PlantedError = PlantedError::named("effect-at-home");

/// All of them.
pub const ERRORS: [PlantedError; 8] = [
    FLUSH_HERE_ONLY,
    KEEP_COPIES,
    DROP_HERE_ONLY,
    SKIP_INVALIDATION,
    FORGET_SHARER,
    DO_NOT_FORWARD,
    PRESENT_LATE,
    EFFECT_AT_HOME,
];
