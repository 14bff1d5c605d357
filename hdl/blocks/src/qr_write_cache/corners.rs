//! The situations that verification of the write cache must have met.

use super::params::Params;
use crate::kit::*;

corners! {
    COMBINED "store to a dirty block",
    EVICTION "store that evicts a block",
    EVICTED_BEFORE_DRAINED "a block evicted, and written again before its first entry drains",
    DRAINED "a block written through without an eviction, read or atomic",
    STORE_AND_DRAIN "a store merged and a block written through in one clock",
    FULL_WITHOUT_RELEASE "a block drains while no release is inside",
    RELEASES_BACK_TO_BACK "release right after a release",
    RELEASE_NOTHING_DIRTY "release while nothing is dirty",
    STORE_BEHIND_RELEASE "store while a release waits",
    RELEASE_WAITS_FOR_INV "release waits for read caches alone",
    INV_LIMIT "as many invalidations outstanding as may be",
    ATOMIC_TO_DIRTY "atomic to a dirty block",
    ATOMIC_TO_CLEAN "atomic to a block that is not dirty",
    ATOMIC_DONE_LATE "release waits for an atomic",
    READ_HIT "read whose bytes are all dirty",
    READ_PARTIAL "read of a block of which other bytes are dirty",
    READ_MISS "read of a block that is not dirty",
    EARLY_FLAG "store of a wavefront right after its release",
    EARLY_RELEASE "release of a wavefront that waits for its release",
    NO_BYTES "store of no byte",
    FLAG_PUSHED "release without an answer",
    REQ_STALLED "req stalled",
    DOWN_STALLED "down stalled",
}

stalled! { REQ_STALLED: REQ for 1, DOWN_STALLED: DOWN for 1 }

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        EARLY_FLAG | EARLY_RELEASE => p.level == 1,
        READ_PARTIAL => p.block_bytes > 1,
        _ => true,
    }
}
