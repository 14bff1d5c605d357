//! Errors that can be planted in GPUDet.

use crate::memory::PlantedError;

/// A fence ends no quantum.
pub const FENCE_IGNORED: PlantedError = PlantedError::named("fence-ends-no-quantum");
/// A workgroup passes a barrier although it has stored in this quantum (4.2.1, as in the thesis).
pub const BARRIER_PASSED_WITH_STORES: PlantedError =
    PlantedError::named("barrier-passed-with-stores");
/// All wavefronts of a workgroup stop when the first does.
pub const ALL_STOP_WITH_THE_FIRST: PlantedError = PlantedError::named("all-stop-with-the-first");
/// The next workgroup of a slot drops the stores of the one before.
pub const NEXT_DROPS_LOG: PlantedError = PlantedError::named("next-workgroup-drops-log");
/// The next workgroup of a slot sees the stores of the one before.
pub const NEXT_SEES_LOG: PlantedError = PlantedError::named("next-workgroup-sees-log");
/// `%clock` reads clocks.
pub const REAL_CLOCK: PlantedError = PlantedError::named("real-clock");
/// A load does not see the stores of its wavefront.
pub const OWN_STORES_UNSEEN: PlantedError = PlantedError::named("own-stores-unseen");
/// A Bloom filter loses every other line: a false negative.
pub const FILTER_LOSES_LINES: PlantedError = PlantedError::named("filter-loses-lines");
/// A search of a store buffer begins at the oldest entry.
pub const OLDEST_FIRST: PlantedError = PlantedError::named("log-searched-oldest-first");
/// A search takes all wanted bytes from an entry, whatever its mask is.
pub const MASK_IGNORED: PlantedError = PlantedError::named("log-mask-ignored");
/// L1 caches keep lines of memory when the next quantum begins.
pub const L1_KEPT: PlantedError = PlantedError::named("l1-kept");
/// Commit mode begins before all loads are answered.
pub const LOADS_IN_FLIGHT: PlantedError = PlantedError::named("commit-with-loads-in-flight");
/// The next quantum begins before commits are acknowledged.
pub const COMMITS_UNACKNOWLEDGED: PlantedError = PlantedError::named("commits-not-awaited");
/// Store buffers are not emptied after commit mode.
pub const LOG_KEPT: PlantedError = PlantedError::named("log-kept");
/// Serial mode comes before commit mode.
pub const SERIAL_FIRST: PlantedError = PlantedError::named("serial-before-commit");
/// The largest wavefront's number has priority.
pub const PRIORITY_REVERSED: PlantedError = PlantedError::named("priority-reversed");
/// A depth has the wavefront's number within its core.
pub const DEPTH_OF_CORE: PlantedError = PlantedError::named("depth-from-number-in-core");
/// The quantum's number begins again with each launch.
pub const QUANTUM_RESTARTS: PlantedError = PlantedError::named("quantum-restarts");
/// A depth wraps without a reset.
pub const NO_ROLL_OVER: PlantedError = PlantedError::named("depth-wraps");
/// All cores perform their atomics at once.
pub const ALL_CORES_AT_ONCE: PlantedError = PlantedError::named("atomics-of-all-cores");
/// The atomics of a core go in any order.
pub const ANY_ORDER: PlantedError = PlantedError::named("atomics-in-any-order");
/// The next core does not wait for the atomics of the one before.
pub const ATOMICS_UNACKNOWLEDGED: PlantedError = PlantedError::named("atomics-not-awaited");
/// Atomics without a result are not waited for.
pub const RESULTLESS_UNACKNOWLEDGED: PlantedError =
    PlantedError::named("atomics-without-result-not-awaited");
/// `malloc` and `free` are performed in parallel mode.
pub const MALLOC_AT_ONCE: PlantedError = PlantedError::named("malloc-at-once");
/// Workgroups go to the first free slot.
pub const FIRST_FREE_SLOT: PlantedError = PlantedError::named("first-free-slot");
/// A quantum ends by clock.
pub const ENDS_BY_CLOCK: PlantedError = PlantedError::named("quantum-ends-by-clock");
/// Any one of the lanes that store to one byte wins.
pub const ANY_LANE_WINS: PlantedError = PlantedError::named("any-lane-wins");

/// All of them.
pub const ERRORS: [PlantedError; 27] = [
    FENCE_IGNORED,
    BARRIER_PASSED_WITH_STORES,
    ALL_STOP_WITH_THE_FIRST,
    NEXT_DROPS_LOG,
    NEXT_SEES_LOG,
    REAL_CLOCK,
    OWN_STORES_UNSEEN,
    FILTER_LOSES_LINES,
    OLDEST_FIRST,
    MASK_IGNORED,
    L1_KEPT,
    LOADS_IN_FLIGHT,
    COMMITS_UNACKNOWLEDGED,
    LOG_KEPT,
    SERIAL_FIRST,
    PRIORITY_REVERSED,
    DEPTH_OF_CORE,
    QUANTUM_RESTARTS,
    NO_ROLL_OVER,
    ALL_CORES_AT_ONCE,
    ANY_ORDER,
    ATOMICS_UNACKNOWLEDGED,
    RESULTLESS_UNACKNOWLEDGED,
    MALLOC_AT_ONCE,
    FIRST_FREE_SLOT,
    ENDS_BY_CLOCK,
    ANY_LANE_WINS,
];
