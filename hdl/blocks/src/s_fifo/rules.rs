//! The rules of the synchronization FIFO: what the run-time contract and the proofs hold it to.

use crate::kit::*;

rules! {
    IN_ORDER "in_order":
        "entries leave in the order in which they came, as they came, each once",
        "QuickRelease 3: they have a logical FIFO organization";
    ONLY_WHEN_DUE "only_when_due":
        "an entry leaves only if a release came after it or is it, or if it is the oldest of as many as \
         the FIFO has entries",
        "QuickRelease 3.1.1: the data stays until it is evicted or reaches the head";
    DUE_IN_TIME "due_in_time":
        "an entry that is due is offered two clocks after it became so, or in the clock after the one \
         ahead of it left",
        "QuickRelease 3.1.3: the marker causes the controller to begin dequeuing";
    TAKES_WHILE_ROOM "takes_while_room":
        "an entry is accepted while there are fewer than depth + 2, and only then",
        "README: Pipelining and latency";
    ERROR_AS_DUE "error_as_due":
        "an entry of a reserved kind, and only such a one, raises error in the next clock",
        "README: Ports";
}
