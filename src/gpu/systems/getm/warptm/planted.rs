//! Errors that can be planted in WarpTM.

use super::super::planted::{
    FIRST_STORE_COMMITS, OWN_STORE_UNSEEN, OWNERSHIP_MISSES, SPILL_LOSES_LOG,
};
use crate::machine::planted::RETRY_KEEPS_REGISTERS;
use crate::memory::PlantedError;

/// Logs pass validation whatever they have loaded.
pub const VALIDATION_SKIPPED: PlantedError = PlantedError::named("validation-skipped");
/// A log is validated while one before it, with a conflict, is not over.
pub const HAZARDS_IGNORED: PlantedError = PlantedError::named("hazards-ignored");
/// Transactions that only load commit silently, whatever was written since.
pub const TEMPORAL_CONFLICTS_IGNORED: PlantedError =
    PlantedError::named("temporal-conflicts-ignored");
/// The core decides at the first verdict.
pub const DECIDES_EARLY: PlantedError = PlantedError::named("decides-early");
/// What committed transactions have yet to write counts as no conflict.
pub const UNWRITTEN_IGNORED: PlantedError = PlantedError::named("unwritten-ignored");

/// Those of WarpTM and EAPG.
pub const WARPTM: [PlantedError; 9] = [
    RETRY_KEEPS_REGISTERS,
    OWN_STORE_UNSEEN,
    SPILL_LOSES_LOG,
    OWNERSHIP_MISSES,
    FIRST_STORE_COMMITS,
    VALIDATION_SKIPPED,
    HAZARDS_IGNORED,
    TEMPORAL_CONFLICTS_IGNORED,
    DECIDES_EARLY,
];

/// Those of the eager variant.
pub const EAGER: [PlantedError; 7] = [
    RETRY_KEEPS_REGISTERS,
    OWN_STORE_UNSEEN,
    SPILL_LOSES_LOG,
    OWNERSHIP_MISSES,
    FIRST_STORE_COMMITS,
    VALIDATION_SKIPPED,
    UNWRITTEN_IGNORED,
];
