//! The rules of the draw scheduler: what the run-time contract and the proofs hold it to.

use crate::kit::*;

rules! {
    FEWEST_REMAINING "fewest_remaining":
        "a draw goes to the GPU with the fewest remaining triangles, of equal ones the lowest; all earlier \
         draws count, and all reports of earlier clocks",
        "CHOPIN 6.4.4: distribute it to the GPU which has the fewest remaining triangles";
    GRANTS_IN_TIME "grants_in_time":
        "the grant of a draw is offered report_latency + 1 clocks after it, or once the grant before it \
         is taken; there is no other grant",
        "README: Pipelining and latency";
    TAKES_IN_TIME "takes_in_time":
        "a draw waits while the grants of report_latency + 2 draws are not taken, or if every GPU had \
         2^(remaining_bits - 1) triangles remaining report_latency + 2 clocks ago, and only then",
        "README: Ordering and stalls";
    REMAINING_FITS "remaining_fits":
        "no GPU has more triangles remaining than remaining_bits bits can say",
        "README: Ordering and stalls";
    TOTALS_CONSERVED "totals_conserved":
        "the totals are the triangles of all grants that were taken, and of all reports that were no \
         error, before the query",
        "CHOPIN 6.4.4: each GPU has an entry to record the number of scheduled and processed triangles";
    ANSWERS_IN_TIME "answers_in_time":
        "a query is answered report_latency - 1 clocks, and one for each segment of a total, after it, and \
         nothing else is",
        "README: Pipelining and latency";
    ERROR_AS_DUE "error_as_due":
        "a report of more triangles than the GPU was given and has not reported, and only such a one, \
         raises error report_latency - 1 clocks later",
        "README: Ports";
}
