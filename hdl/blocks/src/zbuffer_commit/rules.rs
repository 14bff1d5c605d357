//! The rules of the Z-buffer commit unit: what the run-time contract and the proofs hold it to.

use crate::kit::*;

// Of the contract at run time and of the proofs.
rules! {
    SMALLEST_WINS "smallest_wins":
        "a request writes the words whose depth is not above the smallest that came before, with its \
         data, and no others",
        "GPUDet 4.4.3: less than or equal the current depth; README: Ties";
    ACKNOWLEDGED_ONCE "acknowledged_once":
        "a request is acknowledged once, after all earlier ones of its block",
        "GPUDet 4.4.3: the request buffer releases the entry and sends an acknowledgement";
    VISIBLE_FIRST "visible_first":
        "a request is acknowledged after the L2 has acknowledged what it writes",
        "GPUDet 4.4.3: when both depth and color values are being updated";
    ONE_AT_A_TIME "one_at_a_time":
        "of a block, one request at a time is under way, in the order of their arrival",
        "GPUDet 4.4.3: no other requests are accessing the same memory location";
    ENTRY_FREE "entry_free":
        "no entry has two transfers to the L2 of a kind that are not answered",
        "README: Ports";
    READ_ONCE "read_once":
        "depths are read for a live request, and only if the Z-cache does not have them",
        "GPUDet 4.4.3: in case of miss in the Z-Cache";
    READ_AFTER_WRITE "read_after_write":
        "depths are read after the L2 has acknowledged that they were written",
        "README: Ordering";
    WRITTEN_AS_COMPARED "written_as_compared":
        "an evicted block has the smallest depths of the requests that are done with it",
        "GPUDet 4.4.3: miss accesses may cause a write back";
    RESET_AT_REST "reset_at_rest":
        "the Z-buffer is cleared when every earlier request is acknowledged and every write done, and \
         the reset is done after it was cleared",
        "GPUDet 4.4.2: resetting the Z-Buffer only when the ID overflows";
    ERROR_AS_DUE "error_as_due":
        "a malformed request raises its code, and no other request does",
        "README: Ports, errors";
}

// Of the contract at run time alone: they are bounds of many clocks.
rules! {
    ENTRIES_USED "entries_used":
        "while fewer requests are under way than there are entries, the next one is taken",
        "GPUDet 4.4.3: the request buffer; 5.2: 16 entries";
    IN_TIME "in_time":
        "a request whose depths are in the Z-cache, or for which there must be a way and a comparator \
         entry, waits for no other block's; the oldest request goes first",
        "GPUDet 4.4.3: overlap or even reorder requests of different addresses";
}
