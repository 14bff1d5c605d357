//! Errors that can be planted in these systems.

use crate::memory::PlantedError;

/// A release passes what is in the S-FIFO: the flag overtakes what it guards.
pub const RELEASE_OVERTAKES: PlantedError = PlantedError::named("release-overtakes").for_tester(1);
/// A store that combines with another makes all bytes of the line dirty.
pub const LOSE_MASK: PlantedError = PlantedError::named("lose-mask").loses_stores().for_tester(1);
/// A store gets no entry in the S-FIFO.
pub const DROP_ENTRY: PlantedError = PlantedError::named("drop-entry").one_in(2).for_tester(20);
/// A read cache keeps a line that was invalidated on its way.
pub const KEEP_INVALIDATED: PlantedError = PlantedError::named("keep-invalidated").for_tester(1);
/// A load hits in the read cache although the line is marked as written.
pub const IGNORE_WRITTEN: PlantedError = PlantedError::named("ignore-written").for_tester(50);
/// The write cache of the L2 does not tell the L1s what it writes through.
pub const NO_BROADCAST: PlantedError = PlantedError::named("no-broadcast").one_in(2).for_tester(50);

/// Read-for-ownership: a line is not asked back from its owner.
pub const FORGET_OWNER: PlantedError =
    PlantedError::named("forget-owner").loses_stores().one_in(4).for_tester(50);
/// Read-for-ownership: a copy stays when another L1 gets the line to itself.
pub const KEEP_COPY: PlantedError = PlantedError::named("keep-copy").one_in(4).for_tester(50);
/// Read-for-ownership: an owner that evicts a line does not write it back.
pub const LOSE_WRITE_BACK: PlantedError =
    PlantedError::named("lose-write-back").loses_stores().one_in(2).for_tester(50);

/// The L2 keeps a line that was on its way when the CPU's store to it probed the L2.
pub const KEEP_PROBED: PlantedError = PlantedError::named("keep-probed").of_cpus();
/// The L2 acknowledges a probe without telling the L1s.
pub const PROBE_ENDS_AT_L2: PlantedError = PlantedError::named("probe-ends-at-l2").of_cpus();

/// All of them.
pub const ERRORS: [PlantedError; 11] = [
    RELEASE_OVERTAKES,
    LOSE_MASK,
    DROP_ENTRY,
    KEEP_INVALIDATED,
    IGNORE_WRITTEN,
    NO_BROADCAST,
    FORGET_OWNER,
    KEEP_COPY,
    LOSE_WRITE_BACK,
    KEEP_PROBED,
    PROBE_ENDS_AT_L2,
];
