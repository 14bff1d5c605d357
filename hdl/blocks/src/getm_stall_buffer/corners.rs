//! The situations that verification of the stall buffer must have met.

use super::params::Params;
use crate::kit::*;

corners! {
    LINE_FULL "park into a full line",
    BUFFER_FULL "park for another address while every line is taken",
    EVERY_ENTRY_TAKEN "every entry of every line taken",
    PARK_AGAIN "a retried access parks again",
    PARK_AGAIN_FULL "a retried access parks again and finds its line full",
    PARK_WHILE_RETRIED "park for an address while another access to it is retried",
    PARK_BEHIND_CHOSEN "park with a smaller warpts than the chosen waiter's",
    PARK_AS_RETRY_LEAVES "park into a full line at the clock at which its retry is taken",
    PARK_AND_RELEASE "park and release of one address in one clock",
    PARK_AND_RELEASE_FIRST "park and release in one clock, nobody else waits",
    PARK_AND_RELEASE_CHOSEN "park and release in one clock, the newcomer is chosen before others",
    PARK_AND_RESULT "park and result of one address in one clock",
    RESULT_AND_RELEASE "result and release of one address in one clock",
    RELEASE_OF_NOBODY "release that nobody waits for",
    RELEASE_UNDER_WAY "release of an address whose retry is under way",
    RELEASE_OF_ALL "release of all wakes two addresses or more",
    EQUAL_WARPTS "two waiters with the smallest warpts",
    RESULT_WAKES_NEXT "result: not reserved, the next waiter goes",
    RESULT_RESERVED "result: reserved, others wait on",
    RELEASED_AGAIN "result: reserved, but released since, the next waiter goes",
    RESULT_WITHOUT_WAITERS "result: nobody waits",
    ERROR_RESULT "result of a retry that is not under way",
    TWO_AWAKE "retries of two addresses wait to be taken",
    RETRY_STALLED "retry stalled",
}

stalled! { RETRY_STALLED: RETRY for 1 }

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        RELEASE_OF_ALL | TWO_AWAKE => p.lines >= 2,
        PARK_AND_RELEASE_CHOSEN | PARK_BEHIND_CHOSEN | EQUAL_WARPTS => p.entries >= 2,
        BUFFER_FULL => p.granule_bits() >= 32 || 1 << p.granule_bits() > u64::from(p.lines),
        EVERY_ENTRY_TAKEN => p.granule_bits() >= 32 || 1 << p.granule_bits() >= u64::from(p.lines),
        _ => true,
    }
}
