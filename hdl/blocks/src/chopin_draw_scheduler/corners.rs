//! The situations that verification of the draw scheduler must have met.

use super::params::Params;
use crate::kit::*;

corners! {
    DRAW_OF_NONE "draw of 0 triangles",
    DRAW_OF_MOST "draw of as many triangles as one can have",
    BACK_TO_BACK "draw in the clock after another, which changed who has the fewest",
    TIE "several GPUs have the fewest",
    TIE_BY_DRAW "several GPUs have the fewest, a clock after a draw to another than the lowest of them",
    ALL_EQUAL "all GPUs have equally many, and some",
    REPORT_IN_TIME "report in the clock before a draw, which changed who has the fewest",
    REPORT_TOO_LATE "report in the clock of a draw, which would have changed who has the fewest",
    ALL_REPORT "all GPUs report in a clock in which a grant is taken",
    REPORT_OF_ALL "a GPU reports all that it was given",
    REPORT_OF_TAKEN "report in the clock after its grant was taken",
    REPORT_TOO_EARLY "error: report in the clock in which its grant is taken",
    ERROR_OF_ALL "error: reports of all GPUs at once",
    ERROR_BESIDE "error: a report beside one that counts",
    ALL_LOADED "draw waits because every GPU has many remaining",
    ALL_IN_FLIGHT "draw waits because many grants are not taken",
    QUERY_AFTER_REPORT "query in the clock after a report of that GPU",
    QUERY_WITH_REPORT "query in the clock of a report of that GPU",
    QUERY_AS_TAKEN "query in the clock in which a grant of that GPU is taken",
    QUERY_OF_NONE "query of a GPU that is not there",
    TOTAL_WRAPS "a total wraps around",
    GRANT_STALLED "grant stalled",
}

stalled! { GRANT_STALLED: GRANT for 1 }

/// Totals of more bits do not wrap around in a run.
const BITS_THAT_WRAP: u32 = 12;

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        QUERY_OF_NONE => !p.gpus.is_power_of_two(),
        TOTAL_WRAPS => p.counter_bits <= BITS_THAT_WRAP,
        _ => true,
    }
}
