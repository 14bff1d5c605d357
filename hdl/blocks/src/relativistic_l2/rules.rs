//! The rules of the bank: what the run-time contract and the proofs hold it to.

use crate::kit::*;

rules! {
    STORES_RISE "stores_rise":
        "the stores of a block have non-falling vers, across evictions, in the order in which the bank acts",
        "Ren 3.4.1, rule 2; 3.4.4: reading or writing a reloaded block will cause any outstanding leases for it to expire";
    STORES_AFTER_LEASES "stores_after_leases":
        "the ver of a store is above every lease of its block that was granted before, across evictions",
        "Ren 3.4.1, rule 3: beyond the expiration time of the last outstanding lease";
    LEASE_COVERS "lease_covers":
        "a lease is 0, or reaches from now and ver up to the limit",
        "Ren 3.4.1, rule 1; figure 3.5b; README: The end of time";
    RENEWED_UNCHANGED "renewed_unchanged":
        "a copy is renewed only if nothing was stored to its block since it was granted",
        "Ren 3.4.5: it needs to know whether the L1's previous lease is older than ver";
    READ_AFTER_STORES "read_after_stores":
        "the array reads a block after it has written all stores that came before",
        "README: Ports; Ren 3.4.4";
    ACCESS_OF_ANSWER "access_of_answer":
        "each DATA and RESULT has one read or atomic of the array, in the same order, and each WRITE a write",
        "README: Ports";
    ANSWERED_ONCE "answered_once":
        "each well-formed request is answered once, with its core, block and tag",
        "Ren figure 3.5b";
    ONE_FETCH "one_fetch":
        "a block has one fetch under way, and an MSHR one block",
        "Ren 3.4.3: any additional request is merged into the MSHR";
    FETCHED_STAYS "fetched_stays":
        "a block that is fetched is no victim",
        "Ren figure 3.5b: evict in IV and IAV stalls";
    FILLED_ONCE "filled_once":
        "a block is filled once for each fetch of it",
        "Ren figure 3.5b; README: Ports";
    ISSUED_IN_ORDER "issued_in_order":
        "requests are acted on in their order, and so are fills",
        "README: Ordering and stalls";
    ERROR_AS_DUE "error_as_due":
        "a malformed transfer raises its code as it is shown on issued, and no other does",
        "README: Ports, errors";
    ROLLED_AT_REST "rolled_at_rest":
        "a roll-over comes when no block is fetched and all answers have left, and no request is acted on between \
         roll and its end",
        "README: Roll-over; Ren 3.4.4";
    WANTED_ONCE "wanted_once":
        "a roll-over is wanted once between roll-overs",
        "README: The end of time";
}

// Checked by the run-time contract alone: a bound of many clocks, and what needs all requests that are not answered.
rules! {
    NOT_BEFORE_NOW "not_before_now":
        "a store's ver and a lease's end are not before the now of their request",
        "Ren 3.4.1, rules 1 and 2";
    SECOND_GETS "second_gets":
        "a GETS is refused as a second one only while its core's first is not answered",
        "README: Ports, errors";
    FILLED_IN_TIME "filled_in_time":
        "filled is taken within cores + 4 clocks while resp and array are, whatever req and dram do",
        "README: Deadlock argument";
}
