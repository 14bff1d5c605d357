//! The rules of the commit unit: what the run-time contract holds it to.

use crate::rule::rules;

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
        "an item without meaning raises its code, and no other item does",
        "README: Ports, errors";
}
