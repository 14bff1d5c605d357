//! The rules of the Bloom filters: what the run-time contract and the proofs hold them to.

use crate::kit::*;

rules! {
    INSERTED_HITS "inserted_hits":
        "a line that its wavefront inserted since its last clear hits",
        "GPUDet 4.3: a Bloom filter summarizes the addresses updated in the write log";
    EMPTY_MISSES "empty_misses":
        "a query misses if its wavefront has inserted nothing since its last clear, or if there is no such wavefront",
        "GPUDet 4.3: a miss redirects the read to the normal access sequence";
    AS_THE_BITS "as_the_bits":
        "a query hits if and only if in each sub-array the bit of its line is that of a line which its \
         wavefront inserted since its last clear",
        "GPUDet 5.2: a Parallel Bloom Filter with 4 sub-arrays, each indexed with a different hash function";
    ANSWERED_IN_TIME "answered_in_time":
        "each query is answered once, in order, offered three clocks after it, where clocks with req_ready \
         low do not count",
        "README: Pipelining and latency";
    TAKES_UNLESS_TWO_WAIT "takes_unless_two_wait":
        "a request is accepted unless two answers wait to be taken, and only then not",
        "README: Pipelining and latency";
    ERROR_AS_DUE "error_as_due":
        "a request of a wavefront that there is not, and only such a one, raises error in the next clock",
        "README: Ports";
}
