//! The situations that verification of the directory must have met.

use super::channels::{Effect, Op, Request};
use super::exercise::is_crowded;
use super::params::Params;
use crate::kit::*;

corners! {
    LOAD_HITS "remote load of a tracked block",
    STORE_INVALIDATES_OTHERS "remote store invalidates the other sharers",
    STORE_BY_ONLY_SHARER "remote store by the only sharer: no invalidation",
    LOCAL_STORE_INVALIDATES "local store invalidates all sharers",
    LOCAL_MISS "local request to an untracked block",
    ATOMIC_HIT "atomic to a tracked block",
    EVICT_ONE "eviction of an entry with one sharer",
    EVICT_MANY "eviction of an entry with several sharers",
    EVICT_REQUESTER "eviction of an entry that the requester shares",
    INVALIDATE_FORWARDED "invalidate forwarded to GPM sharers",
    INVALIDATE_WITHOUT_GPM "invalidate of an entry with GPU sharers only",
    INVALIDATE_MISS "invalidate of an untracked block",
    DOWNGRADE_LEAVES_OTHERS "downgrade that leaves other sharers",
    DOWNGRADE_LAST "downgrade by the last sharer",
    DOWNGRADE_THEN_LOAD "downgrade, then a load by the same node",
    RELEASE "release",
    RELEASE_BEHIND_STALLED_INV "release presented while an invalidation waits",
    ERROR_REQUEST "request without meaning",
    SAME_BLOCK_BACK_TO_BACK "same block in consecutive clocks",
    SAME_SET_BACK_TO_BACK "same set, other block in consecutive clocks",
    SAME_SET_ONE_APART "same set with one request between, no gaps",
    SAME_SET_TWO_APART "same set with two requests between, no gaps",
    ALTERNATING_EVICTIONS "two evictions in one set in consecutive clocks",
    TAG_LOW_BIT "two blocks of one set whose tags differ in the lowest bit, in consecutive clocks",
    TAG_HIGH_BIT "two blocks of one set whose tags differ in the highest bit, in consecutive clocks",
    FALSE_SHARING "two lines of one entry stored by two nodes, one after the other",
    INV_STALLED "inv stalled",
    INV_STALLED_LONG "inv stalled for 8 clocks or more",
    RESP_STALLED "resp stalled",
}

stalled! { INV_STALLED: INV for 1, INV_STALLED_LONG: INV for 8, RESP_STALLED: RESP for 1 }

/// Two requests of one set, by how many others are between them.
pub(super) const SAME_SET: [usize; 3] =
    [SAME_SET_BACK_TO_BACK, SAME_SET_ONE_APART, SAME_SET_TWO_APART];

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    let many_sharers = p.sharers() >= 2;
    let gpms = p.gpm_sharers() >= 1;
    let gpus = p.hierarchical && p.gpus >= 2;
    let crowded = is_crowded(p);
    match corner {
        EVICT_ONE | EVICT_REQUESTER | ALTERNATING_EVICTIONS => crowded,
        STORE_INVALIDATES_OTHERS => many_sharers,
        EVICT_MANY => many_sharers && crowded,
        DOWNGRADE_LEAVES_OTHERS => many_sharers,
        INVALIDATE_FORWARDED => gpms && gpus,
        INVALIDATE_WITHOUT_GPM | INVALIDATE_MISS => gpus,
        FALSE_SHARING => many_sharers && p.lines_per_entry >= 2,
        _ => true,
    }
}

pub(super) fn count_effect(request: &Request, source: u64, effect: &Effect, corners: &mut Corners) {
    let Effect { response, invalidation, error } = effect;
    let told = invalidation.map_or(0, |inv| inv.sharers);
    if error.is_some() {
        corners.hit(ERROR_REQUEST);
    }
    let (Some(op), None) = (request.op, error) else { return };
    let is_store = matches!(op, Op::Store | Op::Atomic);
    if op == Op::Release {
        corners.hit(RELEASE);
    }
    if response.hit {
        match op {
            Op::Load if source != 0 => corners.hit(LOAD_HITS),
            Op::Atomic => corners.hit(ATOMIC_HIT),
            Op::Invalidate if told != 0 => corners.hit(INVALIDATE_FORWARDED),
            Op::Invalidate => corners.hit(INVALIDATE_WITHOUT_GPM),
            _ => {}
        }
        if is_store {
            corners.hit(match (source, told) {
                (0, _) => LOCAL_STORE_INVALIDATES,
                (_, 0) => STORE_BY_ONLY_SHARER,
                _ => STORE_INVALIDATES_OTHERS,
            });
        }
    } else {
        match op {
            Op::Invalidate => corners.hit(INVALIDATE_MISS),
            Op::Load | Op::Store | Op::Atomic if source == 0 => corners.hit(LOCAL_MISS),
            _ => {}
        }
    }
    if response.evicted {
        corners.hit(if told.count_ones() == 1 { EVICT_ONE } else { EVICT_MANY });
        if told & source != 0 {
            corners.hit(EVICT_REQUESTER);
        }
    }
}
