//! Errors that can be planted in these systems.

use crate::memory::PlantedError;

/// A release or a fence does not write a dirty line back.
pub const FORGET_DIRTY: PlantedError =
    PlantedError::named("forget-dirty").loses_stores().one_in(4).for_tester(50);
/// A line is written back with all its bytes, and not only those that are dirty.
pub const WRITE_BACK_WHOLE: PlantedError =
    PlantedError::named("write-back-whole").loses_stores().one_in(4).for_tester(50);
/// The L2 does not ask the owner for its line.
pub const FORGET_L1_OWNER: PlantedError =
    PlantedError::named("forget-l1-owner").loses_stores().one_in(4).for_tester(4);
/// An owner that is asked for its line does not write back what is dirty beside it: a lazy release is never pushed.
pub const NEVER_PUSH: PlantedError = PlantedError::named("never-push");
/// An owner evicts a line without a write-back.
pub const EVICT_OWNED: PlantedError =
    PlantedError::named("evict-owned").loses_stores().one_in(2).for_tester(20);
/// An acquire of an owned line takes every release in it for one of its own CTA.
pub const TRUST_OWNED: PlantedError = PlantedError::named("trust-owned");

/// All of them.
pub const ERRORS: [PlantedError; 6] =
    [FORGET_DIRTY, WRITE_BACK_WHOLE, FORGET_L1_OWNER, NEVER_PUSH, EVICT_OWNED, TRUST_OWNED];
