//! The rules of the directory: what the run-time contract and the proofs hold it to.

use crate::kit::*;

// Of the contract at run time and of the proofs.
rules! {
    NO_LOST_SHARER "no_lost_sharer":
        "a node that loaded or stored since its last invalidation or downgrade is a sharer",
        "HMG IV-B, Table I: add s to sharers";
    EVICTION_TELLS_ALL "eviction_tells_all":
        "an entry that makes room for another tells all its sharers: no set tracks more blocks than \
         it has ways",
        "HMG IV-B: Directory Entry Eviction/Replacement";
    EVICTION_ONLY_IF_FULL "eviction_only_if_full":
        "an entry is replaced only where its set is full",
        "HMG IV-A: directory capacity eviction; README: Configuration, replacement";
    NO_SPURIOUS_INVALIDATION "no_spurious_invalidation":
        "an invalidation is sent for a store to a shared block, an eviction or a forwarded \
         invalidate, and at most one a request",
        "HMG IV-A: invalidations are sent only in two cases; V-B for the forwarded one";
    SOURCE_SPARED "source_spared":
        "a store does not invalidate its own source",
        "HMG Table I: inv other sharers";
    ANSWER_AFTER_INVALIDATION "answer_after_invalidation":
        "an answer is presented only after its invalidation was accepted; so a release is answered \
         once every earlier invalidation has left",
        "HMG IV-B: Release";
    INVALIDATION_WELL_FORMED "invalidation_well_formed":
        "an invalidation has at least one sharer and an aligned address",
        "README: Ports";
    ANSWER_FLAGS "answer_flags":
        "hit: the block had sharers; allocated: it gets its first; evicted: only if allocated",
        "HMG Table I: state I and V";
    ERROR_AS_DUE "error_as_due":
        "a malformed request, and no other, raises error with its code, before its answer",
        "README: Errors";
}

// Of the proofs alone: co-simulation judges them by what it expects to come out, and when.
rules! {
    INVALIDATION_OF_A_REQUEST "invalidation_of_a_request":
        "an invalidation that no answer has accounted for belongs to a request that waits for one",
        "HMG IV-A: invalidations are sent only in two cases";
    ONE_ANSWER "one_answer":
        "an answer belongs to a request",
        "README: Ports";
    INIT_DONE_STAYS "init_done_stays":
        "init_done is low after reset, and stays once it is high",
        "README: Ports";
    READY_AFTER_INIT "ready_after_init":
        "no request is taken before init_done",
        "README: Ports";
    INIT_ENDS "init_ends":
        "init_done rises within four clocks a row and 15 more",
        "README: Ports";
    TAKES_IN_TIME "takes_in_time":
        "a request is taken within 15 clocks of inv and resp being taken",
        "README: Deadlock argument";
    ANSWERS_IN_TIME "answers_in_time":
        "the oldest request is answered within 15 clocks of inv and resp being taken",
        "README: Deadlock argument";
    WITHIN_REACH "within_reach":
        "at most 8 requests wait for an answer: more the properties do not follow",
        "a limit of the proof";
}
