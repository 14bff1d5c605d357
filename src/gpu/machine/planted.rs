//! Errors that can be planted in the cores.

use crate::memory::PlantedError;

/// Releasing accesses wait for nothing.
pub const RELEASE_DOES_NOTHING: PlantedError = PlantedError::named("release-does-nothing");
/// Acquiring accesses order nothing.
pub const ACQUIRE_DOES_NOTHING: PlantedError = PlantedError::named("acquire-does-nothing");
/// Fences order nothing.
pub const FENCE_DOES_NOTHING: PlantedError = PlantedError::named("fence-does-nothing");
/// A load may take its value later than all that comes after it in its thread, whatever order
/// there is between them.
pub const LOADS_PASS_LOADS: PlantedError = PlantedError::named("loads-pass-loads");
/// A store or an atomic may take effect later than all that comes after it in its thread, whatever
/// order there is between them.
pub const STORES_PASS_STORES: PlantedError = PlantedError::named("stores-pass-stores");

/// Lanes that run their transaction again keep the registers of the time before. It belongs to the systems that
/// have transactions.
pub const RETRY_KEEPS_REGISTERS: PlantedError = PlantedError::named("retry-keeps-registers");

/// Those of all systems.
pub const ERRORS: [PlantedError; 5] = [
    RELEASE_DOES_NOTHING,
    ACQUIRE_DOES_NOTHING,
    FENCE_DOES_NOTHING,
    LOADS_PASS_LOADS,
    STORES_PASS_STORES,
];
