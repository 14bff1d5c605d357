//! Errors that can be planted in transactions.

use crate::machine::planted::RETRY_KEEPS_REGISTERS;
use crate::memory::PlantedError;

/// A load does not see what its lane has stored.
pub const OWN_STORE_UNSEEN: PlantedError = PlantedError::named("own-store-unseen");
/// What is in a line of a redo log is lost when the line leaves the L1.
pub const SPILL_LOSES_LOG: PlantedError = PlantedError::named("spill-loses-log");
/// The ownership table forgets every other word.
pub const OWNERSHIP_MISSES: PlantedError = PlantedError::named("ownership-misses");
/// A transaction commits before its stores are validated.
pub const COMMIT_BEFORE_VALIDATION: PlantedError = PlantedError::named("commit-before-validation");
/// A lane that must abort commits.
pub const ABORT_IGNORED: PlantedError = PlantedError::named("abort-ignored");
/// Of the stores of a transaction, the first to each word is sent, not the last.
pub const FIRST_STORE_COMMITS: PlantedError = PlantedError::named("first-store-commits");
/// The stores of lanes that have aborted are committed too.
pub const ABORTED_STORES_COMMIT: PlantedError = PlantedError::named("aborted-stores-commit");
/// What lanes that have aborted had reserved is not released.
pub const ABORTED_KEEP_RESERVATION: PlantedError = PlantedError::named("aborted-keep-reservation");
/// A load of a transaction hits in the L1.
pub const LOADS_HIT_L1: PlantedError = PlantedError::named("loads-hit-l1");
/// The log of a warp loses its last word.
pub const LOG_LOSES_LAST: PlantedError = PlantedError::named("log-loses-last");
/// A load is not validated.
pub const LOAD_UNVALIDATED: PlantedError = PlantedError::named("load-unvalidated");

/// All of them.
pub const ERRORS: [PlantedError; 12] = [
    RETRY_KEEPS_REGISTERS,
    OWN_STORE_UNSEEN,
    SPILL_LOSES_LOG,
    OWNERSHIP_MISSES,
    COMMIT_BEFORE_VALIDATION,
    ABORT_IGNORED,
    FIRST_STORE_COMMITS,
    ABORTED_STORES_COMMIT,
    ABORTED_KEEP_RESERVATION,
    LOADS_HIT_L1,
    LOG_LOSES_LAST,
    LOAD_UNVALIDATED,
];
