//! The rules of the write cache: what the run-time contract and the proofs hold it to.

use crate::kit::*;

rules! {
    LAST_VALUES "last_values":
        "a block is written through with the bytes stored since it was last, each the last one stored",
        "QuickRelease 3: a bitmask to track which bytes in a block are dirty";
    MERGED_IN_ORDER "merged_in_order":
        "stores are merged in the order in which they came",
        "README: Pipelining and latency";
    ONLY_WITH_CAUSE "only_with_cause":
        "a block is written through only if the FIFO drains its entry, another needs its place, or a byte of it \
         that is not dirty is read, or it is the target of an atomic",
        "QuickRelease 3.1.1: until it is selected for eviction or reaches the head of the S-FIFO";
    EVICTS_OLDER "evicts_older":
        "a store that needs a place does not evict the block that got its place in the set last, if there is another",
        "README: Pipelining and latency";
    WRITES_BEFORE_RELEASE "writes_before_release":
        "every store accepted before a release goes down before it",
        "QuickRelease 3.1.3: all prior writes from the wavefront have reached an ordering point";
    RELEASE_INVALIDATES "release_invalidates":
        "a release ends, or goes down, after every read cache acknowledged the invalidations of all stores before \
         it",
        "QuickRelease 3.1.3: any corresponding value in a read-only cache has been invalidated";
    INVALIDATES_FIRST "invalidates_first":
        "what is written through is invalidated in the read caches, before it goes down",
        "QuickRelease 3.1.1: the controller also will invalidate the block";
    NOT_TOO_MANY "not_too_many":
        "no read cache has more invalidations to acknowledge than it may have",
        "README: Configuration";
    READS_WHAT_WAS_STORED "reads_what_was_stored":
        "a read hits if all its bytes are dirty, and sees them; else it is forwarded behind what is dirty of its \
         block",
        "QuickRelease 3.1.2";
    FORWARDED_IN_ORDER "forwarded_in_order":
        "reads and atomics go down in their order, once, as they came, behind the stores to their block",
        "QuickRelease 3.1.1: the atomic is forwarded immediately";
    ATOMIC_BEFORE_RELEASE "atomic_before_release":
        "a release waits for the completion of every atomic before it",
        "QuickRelease 3.1.1: an atomic also inserts a write marker";
    RELEASED_ONCE "released_once":
        "releases go down or end once each, in their order",
        "QuickRelease 3.1.3";
    ANSWERED_AT_ONCE "answered_at_once":
        "a release of the level below is acknowledged in the next clock",
        "README: Ports";
    ERROR_AS_DUE "error_as_due":
        "a request of a wavefront that waits for the end of its release, or a store of no byte, raises error in \
         the next clock, and no other does",
        "QuickRelease 3.1.3: the store can proceed after the release completes";
    MOVES_ON "moves_on":
        "what is inside does not stay while neither the way down nor read caches nor atomics withhold anything",
        "README: Deadlock argument";
}
