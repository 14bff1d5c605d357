//! The rules of the table: what the run-time contract and the proofs hold it to.

use crate::kit::*;

// Of the contract at run time and of the proofs.
rules! {
    ONE_ANSWER "one_answer":
        "every request is answered once, in order, and comes back with its answer",
        "README: Ports";
    NEVER_TOO_EARLY "never_too_early":
        "the timestamps of a granule are never below those of its last accesses",
        "GETM 4.5.2: approximated provided that the only errors are overestimates";
    RESERVED_EXACT "reserved_exact":
        "while a granule is reserved, its wts, owner and count of writes are exact: a reservation is \
         never lost, nor made up",
        "GETM 4.5.2: the table must keep all metadata of all locations of in-flight transactions";
    NO_LATER_WRITE_IS_READ "no_later_write_is_read":
        "a load succeeds or waits only if the granule was written no later, or by its own transaction",
        "GETM 4.4.1: if L.wts > T.warpts, T must abort";
    NO_SEEN_VALUE_IS_CHANGED "no_seen_value_is_changed":
        "a store succeeds or waits only if the granule was written and read no later, or written by \
         its own transaction",
        "GETM 4.4.1: writing where L.rts > T.warpts is not permitted";
    RESERVED_IS_THE_OWNERS "reserved_is_the_owners":
        "an access to a reserved granule succeeds only for the transaction that reserves it; others \
         wait, and none waits on a free granule",
        "GETM 4.4.1: encounter-time locks; figure 4.6";
    ABORT_HAS_A_CAUSE "abort_has_a_cause":
        "an access aborts only for the conflict that it names, and never on its own reservation \
         unless no more writes can be counted",
        "GETM figure 4.6: WAR, WAW, RAW; README: Overview for COUNT";
    ERROR_AS_DUE "error_as_due":
        "a malformed request raises its code once, before its answer is presented, and no other \
         request does",
        "README: Ports, errors";
    OVERFLOW_IN_ORDER "overflow_in_order":
        "the overflow space is asked only while an entry is there; what enters is reserved and new, \
         what changes or leaves is there",
        "GETM 4.5.2: the precise table and stash can spill to an overflow space; README: Overflow";
}

// Of the proofs alone.
rules! {
    WITHIN_REACH "within_reach":
        "no more requests are without an answer, codes raised early, and lookups unanswered than the \
         properties can remember",
        "a limit of the proof";
}
