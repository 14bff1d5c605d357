//! The rules of the stall buffer: what the run-time contract and the proofs hold it to.

use crate::kit::*;

rules! {
    ANSWER_NEXT_CLOCK "answer_next_clock":
        "a park is answered in the next clock, and nothing else is",
        "README: Ports";
    REFUSED_ONLY_IF_FULL "refused_only_if_full":
        "an access is refused where its line is full, or where it needs a line and all are taken, and \
         only there",
        "GETM 4.5.2: if the buffer is full, the transaction aborts";
    LEAVES_ONCE "leaves_once":
        "an access that was parked leaves once, as it came, and no other does",
        "GETM 4.5.2: the oldest request re-enters the validation unit";
    WOKEN_BY_RELEASE "woken_by_release":
        "a waiter leaves only once its address was released, or after a retry that neither reserved it \
         nor parked again; of each address one at a time",
        "GETM 4.5.2: when #writes is decremented to 0";
    OLDEST_FIRST "oldest_first":
        "of the waiters as an address is released, the one with the smallest warpts leaves, of \
         equal ones the one that came first",
        "GETM 4.5.2: the oldest request (i.e., with the minimum warpts)";
    FAIR "fair":
        "from the clock after a waiter's release to its own retry, fewer retries are taken than there are \
         lines",
        "README: Ordering";
    NOBODY_STRANDED "nobody_stranded":
        "a waiter leaves after every release, and after a retry that neither reserved the address nor \
         parked again",
        "README: Overview; GETM names only the first";
    ERROR_AS_DUE "error_as_due":
        "the result of a retry that is not under way, and only such a one, raises error in the next \
         clock",
        "README: Ports";
}
