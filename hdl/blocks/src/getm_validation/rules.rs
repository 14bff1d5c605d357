//! The rules of the validation unit: what the run-time contract holds it to.

use crate::kit::*;

rules! {
    ISSUED_AS_TAKEN "issued_as_taken":
        "requests and releases are issued once each, as they came and in their order; a retry is of an \
         access that waits",
        "README: Ports";
    MOVES_ON "moves_on":
        "what was taken from req and release is issued, and what was told on roll is done and said, \
         while no channel makes the unit wait",
        "README: Ports";
    LOAD_IN_TIME "load_in_time":
        "a load succeeds only if no logically later transaction has written its granule, and no \
         other has reserved it",
        "GETM 4.4.1, figure 4.6";
    STORE_IN_TIME "store_in_time":
        "a store succeeds only if no logically later transaction has written or read its granule, and \
         no other has reserved it",
        "GETM 4.4.1, figure 4.6";
    OWNER_SUCCEEDS "owner_succeeds":
        "a transaction that has reserved a granule loads and stores it, up to the most writes that can \
         be counted",
        "GETM 4.4.1: it bypasses the rts and wts timestamp checks";
    WAITS_FOR_OWNER "waits_for_owner":
        "an access waits only for a granule that another transaction has reserved",
        "GETM 4.4.1: write lock check";
    RELEASE_COUNTED "release_counted":
        "a release of as many writes as are under way, or fewer, is done, and no other",
        "GETM 4.4.1: commit and cleanup";
    ANSWERED_ONCE "answered_once":
        "each access is answered once, in the order of the verdicts, or waits",
        "README: Ports";
    LATER_START "later_start":
        "an abort reports a timestamp that the transaction is not later than",
        "GETM 4.4.1: aborts and advancing logical time";
    NOBODY_STRANDED "nobody_stranded":
        "no access waits for a granule that is not reserved, nor for any while the unit is stopped",
        "README: Overview, Roll-over";
    ROLLS_OVER "rolls_over":
        "told to stop or to go on, the unit does so, and says so when it did; while it is stopped no \
         access enters the table",
        "GETM 4.5.2: timestamp rollover";
    CLEARED_UNRESERVED "cleared_unreserved":
        "the table is cleared only while no granule is reserved",
        "GETM 4.5.2: timestamp rollover";
}

// Of the proofs alone.
rules! {
    WITHIN_REACH "within_reach":
        "no more is taken and not issued, issued and not decided, and decided and not answered than the \
         properties can remember",
        "a limit of the proof";
}
