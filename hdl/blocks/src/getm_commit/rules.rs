//! The rules of the commit unit: what the run-time contract and the proofs hold it to.

use crate::kit::*;

// Of the contract at run time and of the proofs.
rules! {
    LAST_WRITE_WINS "last_write_wins":
        "a region carries, for each byte, the last of the committed writes that are released with it, \
         in the order of the log, and no other byte",
        "GETM figure 4.6: combine write data; thesis 4.5.3";
    RELEASE_AFTER_WRITE "release_after_write":
        "a release is presented only after its region was accepted by the LLC",
        "GETM 4.4.1: the cache line reflects the transaction once its writes are released";
    COUNTS_RELEASED "counts_released":
        "every write that is counted in a log is released once, those of one region in the order of \
         the log",
        "GETM figure 4.6: add #writes from each coalesced operation, decrement";
    LOG_ENDS "log_ends":
        "once a log has ended, all writes of the items up to its end are released",
        "GETM 4.4.1: each entry of the log is written and the #writes entry is decremented";
    ERROR_AS_DUE "error_as_due":
        "a malformed item raises its code, and no other item does",
        "README: Ports, errors";
}

// Of the proofs alone: co-simulation judges them by what it expects to come out, and when.
rules! {
    WELL_FORMED "well_formed":
        "a write and a release have the address of a region; a write has a byte, and zeros where it \
         has none",
        "README: Ports";
    TAKES_IN_TIME "takes_in_time":
        "an item is taken within 8 clocks of write and release being taken",
        "README: Deadlock argument";
    RELEASES_IN_TIME "releases_in_time":
        "while write and release are taken and something that has ended or was written is not \
         released, a release is presented every 8 clocks; those of other regions go before at most as \
         often as there are places for regions",
        "README: Deadlock argument";
    RAISES_IN_TIME "raises_in_time":
        "an error is raised within 8 clocks of write and release being taken",
        "README: Ports, errors";
    WITHIN_REACH "within_reach":
        "no more writes of a region are due, regions written but not released, and errors to be \
         raised than the properties can remember",
        "a limit of the proof";
}
