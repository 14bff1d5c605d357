//! The situations that verification of the Z-buffer commit unit must have met.

use super::channels::{Misuse, Request};
use super::params::{Granularity, Params};
use super::reference::Effect;
use crate::kit::*;

corners! {
    WINS_ALL "a request wins all of its words",
    WINS_SOME "a request wins some of its words",
    LOSES "a request with a mask wins nothing",
    EQUAL "a request wins at the depth that is there",
    EMPTY_MASK "a request with an empty mask",
    SMALLEST "a request at the smallest depth",
    LARGEST "a request at the largest depth",
    MISALIGNED "error: the address is not that of a block",
    PART_OF_WORD "error: only a part of a word is in the mask",
    THREE_EQUAL "three live requests to one block at one depth",
    ALL_ON_ONE "all entries hold requests to one block",
    SET_LOCKED "a request finds its set locked",
    COMPARATORS_TAKEN "a request finds no comparator entry",
    FETCHED_AGAIN "depths are read again after they were written back",
    WRITE_BACK_AWAITED "a request waits until its depths are written back",
    OUT_OF_ORDER_DATA "depths come in another order than they were read",
    OVERTAKEN "a request is acknowledged before an older one",
    RESET_BUSY "reset while requests are under way",
    RESET_WRITING "reset while depths are being written back",
    FULL "req stalled for 4 clocks or more: every entry is taken, or a reset is under way",
    ACK_STALLED "ack stalled",
    ZREAD_STALLED "zread stalled",
    ZWRITE_STALLED "zwrite stalled",
    COLOR_STALLED "color stalled",
    ZCLEAR_STALLED "zclear stalled",
    RESET_DONE_STALLED "reset_done stalled",
}

stalled! {
    FULL: REQ for 4,
    ACK_STALLED: ACK for 1,
    ZREAD_STALLED: ZREAD for 1,
    ZWRITE_STALLED: ZWRITE for 1,
    COLOR_STALLED: COLOR for 1,
    ZCLEAR_STALLED: ZCLEAR for 1,
    RESET_DONE_STALLED: RESET_DONE for 1,
}

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        WINS_SOME => p.depths() > 1,
        PART_OF_WORD => p.granularity == Granularity::Word,
        THREE_EQUAL => p.request_entries >= 3,
        SET_LOCKED => p.request_entries > p.ways && p.comparator_entries >= p.ways,
        COMPARATORS_TAKEN => p.request_entries > p.comparator_entries,
        OUT_OF_ORDER_DATA => p.comparator_entries > 1,
        _ => true,
    }
}

pub(super) fn count_effect(p: &Params, request: &Request, effect: &Effect, corners: &mut Corners) {
    if let Some(misuse) = effect.error {
        corners.hit(match misuse {
            Misuse::Misaligned => MISALIGNED,
            Misuse::PartOfWord => PART_OF_WORD,
        });
        return;
    }
    let asked =
        request.mask.iter().step_by(p.mask_bit_of(1) as usize).filter(|&&bit| bit == 1).count();
    let won = effect.wins.iter().filter(|&&won| won).count();
    let depth_of = |depth: usize| request.depth[p.request_depth_of(depth as u32) as usize];
    let is_equal = |depth: usize| effect.wins[depth] && depth_of(depth) == effect.before[depth];
    corners.count(WINS_ALL, won == asked && won > 0);
    corners.count(WINS_SOME, 0 < won && won < asked);
    corners.count(LOSES, won == 0 && asked > 0);
    corners.count(EQUAL, (0..effect.wins.len()).any(is_equal));
    corners.count(EMPTY_MASK, asked == 0);
    corners.count(SMALLEST, asked > 0 && depth_of(0) == p.largest_depth() + 1);
    corners.count(LARGEST, asked > 0 && depth_of(0) == p.largest_depth());
}
