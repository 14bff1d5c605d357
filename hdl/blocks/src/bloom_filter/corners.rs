//! The situations that verification of the Bloom filters must have met.

use super::params::Params;
use crate::kit::*;

corners! {
    QUERY_1_BEHIND "query right behind the insertion that makes it hit",
    QUERY_2_BEHIND "query 2 stages behind the insertion that makes it hit",
    QUERY_3_BEHIND "query 3 stages behind the insertion that makes it hit",
    INSERTS_BACK_TO_BACK "insertions of two lines by one wavefront, back to back",
    CLEAR_BETWEEN "insertion, clear and query, back to back",
    CLEAR_ALL_BETWEEN "insertion, clear of all and query, back to back",
    INSERT_BEHIND_CLEAR "insertion right behind the clear of lines of its wavefront",
    CLEAR_ALL_FULL "clear of all with a request in each stage ahead of it and behind it",
    FALSE_POSITIVE "false positive",
    FULL_ROW "hit in a row with every bit one",
    OTHER_WAVEFRONT "miss of a line that another wavefront has inserted",
    NOTHING_INSERTED "query of a wavefront that has inserted nothing",
    NO_SUCH_INSERT "insertion by a wavefront that there is not",
    NO_SUCH_QUERY "query by a wavefront that there is not",
    NO_SUCH_CLEAR "clear of a wavefront that there is not",
    REQ_STALLED "req stalled",
    RESP_STALLED "resp stalled",
    RESP_STALLED_LONG "resp stalled for 8 clocks",
}

stalled! { REQ_STALLED: REQ for 1, RESP_STALLED: RESP for 1, RESP_STALLED_LONG: RESP for 8 }

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        // Fewer lines than bits of a sub-array do not fill it; more than these are not inserted by traffic.
        FULL_ROW => p.line_bits >= p.index_bits() && p.row_bits() <= 2048,
        // Else each line has a bit of its own in each sub-array.
        FALSE_POSITIVE => p.line_bits > p.index_bits(),
        OTHER_WAVEFRONT => p.wavefronts > 1,
        _ => true,
    }
}
