//! The situations that verification of the table must have met.

use super::access::{Effect, End, Insertion, Place, Verdict};
use super::channels::{Misuse, Op, OverflowOp, Request};
use super::exercise::is_crowded;
use super::params::Params;
use crate::kit::*;

corners! {
    LOAD_SUCCEEDS "load succeeds",
    STORE_RESERVES "store reserves a granule",
    STORE_OF_OWNER "store by the transaction that has reserved the granule",
    LOAD_OF_OWNER "load by the transaction that has reserved the granule",
    SAME_WARP_LATER "access by the owner's warp at another time",
    LOAD_PARKS "load of a reserved granule is to wait",
    STORE_PARKS "store to a reserved granule is to wait",
    ABORT_WAR "load aborts: WAR",
    ABORT_WAW "store aborts: WAW",
    ABORT_RAW "store aborts: RAW",
    ABORT_COUNT "store aborts: COUNT",
    RELEASE_PART "release that leaves writes under way",
    RELEASE_LAST "release of the last writes",
    CLEAR "clear",
    NOT_RESERVED "error: release of a granule that is not reserved",
    WRONG_COUNT "error: release of no writes or too many",
    LAST_TIMESTAMP "error: access at the largest timestamp",
    CLEAR_WHILE_RESERVED "error: clear while a granule is reserved",
    VICTIM "an entry that nobody reserves makes room",
    VICTIM_AGAIN "a victim is accessed by the next request",
    ALL_RESERVED "all candidates are reserved",
    KICKS_SOME "an insertion displaces entries and ends in a bank",
    KICKS_MOST "an insertion displaces as many entries as are allowed",
    DISPLACED_AGAIN "a displaced entry is accessed by the next request",
    STASH_FILLS "an entry goes to an empty place in the stash",
    STASH_VICTIM "a stash entry that nobody reserves makes room",
    STASH_HIT "an access finds its granule in the stash",
    STASH_RELEASE "the last release of a stash entry",
    OVERFLOW_INSERT "stash full: an entry goes to the overflow space",
    OVERFLOW_MISS "the overflow space is asked in vain",
    OVERFLOW_UPDATE "an entry in the overflow space changes",
    OVERFLOW_REMOVE "an entry in the overflow space is released: to the Bloom filter",
    OVERFLOW_STALLED "overflow_req stalled",
    RESP_STALLED "resp stalled",
    SAME_GRANULE_BACK_TO_BACK "same granule in consecutive clocks",
    SAME_GRANULE_ONE_APART "same granule with one request between, no gaps",
    SAME_GRANULE_TWO_APART "same granule with two requests between, no gaps",
    NEW_IN_ONE_ROW "two new granules to one row of one bank, in consecutive clocks",
    NEW_IN_ONE_BLOOM_ROW "two new granules to one row of the Bloom filter, in consecutive clocks",
}

stalled! { OVERFLOW_STALLED: OVERFLOW_REQ for 1, RESP_STALLED: RESP for 1 }

/// Two requests of one granule, by how many others are between them.
pub(super) const SAME_GRANULE: [usize; 3] =
    [SAME_GRANULE_BACK_TO_BACK, SAME_GRANULE_ONE_APART, SAME_GRANULE_TWO_APART];

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    let kicks = p.max_kicks > 0;
    match corner {
        KICKS_SOME => kicks && p.ways > 1,
        KICKS_MOST | DISPLACED_AGAIN => kicks,
        STASH_FILLS | STASH_VICTIM | STASH_HIT | STASH_RELEASE => p.stash > 0,
        OVERFLOW_INSERT | OVERFLOW_MISS | OVERFLOW_UPDATE | OVERFLOW_REMOVE | OVERFLOW_STALLED => {
            is_crowded(p)
        }
        SAME_WARP_LATER => p.timestamp_bits > 1,
        // With one bit, one write is the most, and a release has no part.
        RELEASE_PART | STORE_OF_OWNER => p.write_count_bits > 1,
        _ => true,
    }
}

/// Counts what one request's effect shows. `before` is the request before it.
pub(super) fn count_effect(
    p: &Params,
    granule: u64,
    effect: &Effect,
    before: Option<&(Request, Effect)>,
    corners: &mut Corners,
) {
    let op = effect.answer.op;
    count_verdict(op, effect, corners);
    if let Some(Insertion { displaced, end }) = &effect.insertion {
        let kicks = displaced.len();
        corners.count(VICTIM, *end == End::Victim);
        corners.count(ALL_RESERVED, kicks > 0 || !matches!(end, End::Empty | End::Victim));
        corners.count(KICKS_SOME, kicks > 0 && matches!(end, End::Empty | End::Victim));
        corners.count(KICKS_MOST, kicks > 0 && kicks == p.max_kicks as usize);
        corners.count(STASH_FILLS, *end == End::Stash);
        corners.count(STASH_VICTIM, *end == End::StashVictim);
        corners.count(OVERFLOW_INSERT, *end == End::Overflow);
    }
    let in_stash = matches!(effect.place, Place::Stash(_));
    corners.count(STASH_HIT, in_stash && op != Op::Release);
    corners.count(STASH_RELEASE, in_stash && op == Op::Release && !effect.answer.reserved);
    for asked in &effect.overflow {
        match asked.op {
            OverflowOp::Lookup => corners.count(OVERFLOW_MISS, effect.place == Place::Absent),
            OverflowOp::Update => corners.hit(OVERFLOW_UPDATE),
            OverflowOp::Remove => corners.hit(OVERFLOW_REMOVE),
            OverflowOp::Insert => {}
        }
    }
    if let Some((_, before)) = before
        && op != Op::Clear
    {
        corners.count(VICTIM_AGAIN, before.victim.is_some_and(|(victim, _)| victim == granule));
        let displaced = before.insertion.as_ref().map(|insertion| &insertion.displaced);
        let again = displaced.is_some_and(|displaced| displaced.contains(&granule));
        corners.count(DISPLACED_AGAIN, again);
    }
}

fn count_verdict(op: Op, effect: &Effect, corners: &mut Corners) {
    if let Some(misuse) = effect.error {
        corners.hit(match misuse {
            Misuse::NotReserved => NOT_RESERVED,
            Misuse::WrongCount => WRONG_COUNT,
            Misuse::LastTimestamp => LAST_TIMESTAMP,
            Misuse::ClearWhileReserved => CLEAR_WHILE_RESERVED,
        });
        return;
    }
    let reserved_before = effect.reserved_before;
    corners.hit(match (op, effect.answer.verdict) {
        (Op::Load, Verdict::Success) if reserved_before => LOAD_OF_OWNER,
        (Op::Load, Verdict::Success) => LOAD_SUCCEEDS,
        (Op::Store, Verdict::Success) if reserved_before => STORE_OF_OWNER,
        (Op::Store, Verdict::Success) => STORE_RESERVES,
        (Op::Load, Verdict::Park) => LOAD_PARKS,
        (_, Verdict::Park) => STORE_PARKS,
        (_, Verdict::AbortWar) => ABORT_WAR,
        (_, Verdict::AbortWaw) => ABORT_WAW,
        (_, Verdict::AbortRaw) => ABORT_RAW,
        (_, Verdict::AbortCount) => ABORT_COUNT,
        (Op::Release, _) if effect.answer.reserved => RELEASE_PART,
        (Op::Release, _) => RELEASE_LAST,
        (Op::Clear, _) => CLEAR,
        (Op::Load | Op::Store, Verdict::Error) => unreachable!("counted above"),
    });
    corners.count(SAME_WARP_LATER, effect.same_warp_later);
}
