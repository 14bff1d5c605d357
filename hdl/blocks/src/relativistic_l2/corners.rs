//! The situations that verification of the bank must have met.

use super::bank::{Bank, Effect};
use super::channels::{Kind, Misuse, Op, Request, RollOver};
use super::exercise;
use super::params::Params;
use super::ways::{Mshr, State, Way};
use crate::kit::*;

corners! {
    MISS_ON_EVICTED "a miss on the block that the request before it has evicted",
    READ_JOINS_READ "GETS in IV, behind another core's",
    READ_JOINS_STORE "GETS in IV, behind a store",
    STORE_JOINS_READ "WRITE in IV, the first of this miss",
    STORE_JOINS_STORE "WRITE in IV, behind another",
    STORE_LATER "WRITE in IV later than its m.ver",
    ALL_READ "all cores read one miss",
    NONE_READS "a fill without readers",
    ATOMIC_WAITS "ATOMIC waits for a block in IV",
    WAITS_FOR_ATOMIC "a request waits for a block in IAV",
    SET_FETCHING "a miss waits, and every way of its set is IV or IAV",
    NO_MSHR "a miss waits for an MSHR",
    CLEAN_VICTIM "a victim that is not written back",
    DIRTY_VICTIM "a victim that is written back",
    DIRTY_VICTIM_OF_STORE "a victim of a store that is written back",
    OTHER_VICTIM "the victim is not the way that was used longest ago: that one is fetched",
    MNOW_RISES "an eviction raises mnow",
    EVICTED_AND_FILLED "a fill in a set right behind an eviction in it",
    FILLED_AND_EVICTED "an eviction in a set right behind a fill in it",
    RENEWED "a copy is renewed",
    RENEWED_AT_LARGEST "a copy is renewed, and its lease is the largest already",
    SMALLEST_LEASE "a grant of the smallest lease",
    EXP_IS_VER "GETS with exp = ver: DATA",
    EXP_IS_NEXT "GETS with exp = ver + 1: RENEW",
    LEASE_KEPT "a grant that ends before an earlier one: exp stays",
    EQUAL_VER "a store that gets the ver of the one before it",
    STORE_AT_NOW "a store at its now, above ver and exp",
    STORE_BEHIND_LEASE "a store one behind the block's exp, above its now",
    CLIPPED "a lease clipped at the limit",
    AT_LIMIT "a grant at the limit",
    REFUSED "a refused lease",
    REFUSED_AT_FILL "a refused lease at a fill",
    VER_LAST "a store at the last time",
    MNOW_LAST "a miss with mnow at the last time",
    WANTED "a roll-over is wanted",
    ROLL_FETCHING "roll with fetches under way",
    ROLL_AT_REST "roll without",
    RESERVED_OP "error: reserved op",
    CORE_OUT_OF_RANGE "error: core out of range",
    SECOND_GETS "error: second GETS of a core for a block that is fetched",
    LEASE_TOO_LATE "error: exp above the limit",
    NOTHING_FETCHED "error: filled of an MSHR that fetches nothing",
    REQUEST_INSIDE "error: roll with a request inside",
    BACK_TO_BACK "requests to one block in consecutive clocks",
    STORE_BEHIND_READ "WRITE right behind a GETS of its block, in the next clock",
    READ_BEHIND_STORE "GETS right behind a WRITE of its block, in the next clock",
    FILL_WHILE_DRAM_STALLED "a fill while dram is stalled",
    REQ_STALLED "req stalled",
    FILLED_STALLED "filled stalled",
    ROLL_STALLED "roll stalled",
    RESP_STALLED "resp stalled",
    DRAM_STALLED "dram stalled for 8 clocks",
    ARRAY_STALLED "array stalled",
    ROLLED_STALLED "rolled stalled",
}

stalled! {
    REQ_STALLED: REQ for 1,
    FILLED_STALLED: FILLED for 1,
    ROLL_STALLED: ROLL for 1,
    RESP_STALLED: RESP for 1,
    DRAM_STALLED: DRAM for 8,
    ARRAY_STALLED: ARRAY for 1,
    ROLLED_STALLED: ROLLED for 1,
}

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        // Else the evicted block's way is fetched until then.
        MISS_ON_EVICTED => p.ways > 1 && p.mshrs > 1,
        READ_JOINS_READ => p.cores > 1,
        SET_FETCHING => p.mshrs >= p.ways,
        NO_MSHR => p.mshrs < p.sets * p.ways,
        OTHER_VICTIM => p.ways > 1 && p.mshrs > 1,
        REQUEST_INSIDE => !p.faithful,
        _ => true,
    }
}

/// State of the bank before a request.
pub(super) struct Before {
    way: Option<Way>,
    mshr: Option<Mshr>,
    /// If it misses: the way that makes room.
    victim: Option<Way>,
    mnow: u64,
}

/// History that corners depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    /// Block and set of the eviction, and set of the fill, right before.
    evicted: Option<(u64, u64)>,
    filled: Option<u64>,
}

impl Met {
    pub fn before_request(&self, bank: &Bank, request: &Request) -> Before {
        let p = bank.params();
        let block = p.block_of(request.address);
        let set = p.set_of(block) as usize;
        let ways = bank.ways(set);
        let holds = |way: &Way| way.state != State::I && way.block == block;
        let way = ways.iter().copied().find(holds);
        let fetched = way.filter(|way| way.state == State::Iv);
        let mshr = fetched.and_then(|way| bank.mshr(way.mshr).cloned());
        let victim = bank.victim(set).filter(|_| way.is_none()).map(|way| ways[way]);
        Before { way, mshr, victim, mnow: bank.mnow() }
    }

    /// Counts the corners of a request that has been acted on.
    pub fn count_request(
        &mut self,
        bank: &Bank,
        before: &Before,
        request: &Request,
        effect: &Effect,
        corners: &mut Corners,
    ) {
        let p = bank.params();
        let block = p.block_of(request.address);
        let (evicted, filled) = (self.evicted.take(), self.filled.take());
        if effect.error.is_some() {
            return;
        }
        exercise::note_tags(p, bank, block, corners);
        if let Some(mshr) = &before.mshr {
            count_merge(p, request, mshr, corners);
        } else if let Some(way) = before.way {
            count_hit(p, request, &way, effect, corners);
        } else if let Some(victim) = before.victim {
            corners.count(MISS_ON_EVICTED, evicted.is_some_and(|(of, _)| of == block));
            corners.count(MNOW_LAST, before.mnow == p.last());
            if victim.state == State::V {
                let set = p.set_of(block);
                corners.count(FILLED_AND_EVICTED, filled == Some(set));
                let is_other = bank.has_older_fetch(set as usize, victim.used);
                corners.count(OTHER_VICTIM, is_other);
                corners.count(MNOW_RISES, bank.mnow() > before.mnow);
                count_eviction(request, effect, corners);
                self.evicted = Some((victim.block, set));
            }
        }
    }

    /// Counts the corners of a fill, before it is acted on; `head` is the request that may wait.
    pub fn count_fill(
        &mut self,
        bank: &Bank,
        mshr: u64,
        head: Option<&Request>,
        corners: &mut Corners,
    ) {
        let p = bank.params();
        let Some(mshr) = bank.mshr(mshr as usize) else { return };
        let evicted = self.evicted.take();
        corners.count(EVICTED_AND_FILLED, evicted.is_some_and(|(_, set)| set == mshr.set as u64));
        self.filled = Some(mshr.set as u64);
        let none_reads = mshr.readers.is_empty() && mshr.atomic.is_none();
        corners.count(NONE_READS, none_reads);
        corners.count(ALL_READ, mshr.readers.len() == p.cores as usize);
        let rd = if p.faithful { 0 } else { mshr.rd };
        let is_refused = !mshr.readers.is_empty() && mshr.ver.max(rd) > p.limit();
        corners.count(REFUSED_AT_FILL, is_refused);
        let Some(head) = head.filter(|head| bank.waits(head)) else { return };
        let block = p.block_of(head.address);
        match bank.find(block).map(|way| way.state) {
            Some(State::Iv) => corners.hit(ATOMIC_WAITS),
            Some(_) => corners.hit(WAITS_FOR_ATOMIC),
            None => {
                let no_way = bank.victim(p.set_of(block) as usize).is_none();
                corners.count(SET_FETCHING, no_way);
                corners.count(NO_MSHR, bank.free_mshr().is_none());
            }
        }
    }
}

fn count_merge(p: &Params, request: &Request, mshr: &Mshr, corners: &mut Corners) {
    let is_gets = request.op == Some(Op::Gets);
    corners.count(READ_JOINS_READ, is_gets && !mshr.readers.is_empty());
    corners.count(READ_JOINS_STORE, is_gets && mshr.written);
    corners.count(STORE_JOINS_READ, !is_gets && !mshr.written);
    corners.count(STORE_JOINS_STORE, !is_gets && mshr.written);
    corners.count(STORE_LATER, !is_gets && request.now > p.sum(mshr.ver, 1));
}

fn count_hit(p: &Params, request: &Request, way: &Way, effect: &Effect, corners: &mut Corners) {
    let Some(response) = effect.responses.first() else { return };
    if request.op != Some(Op::Gets) {
        corners.count(EQUAL_VER, response.ver == way.ver);
        corners.count(STORE_AT_NOW, request.now > way.ver && request.now > p.sum(way.exp, 1));
        let is_behind = way.exp >= request.now && response.ver == way.exp + 1;
        corners.count(STORE_BEHIND_LEASE, is_behind && way.exp > way.ver);
        corners.count(VER_LAST, response.ver == p.last());
        return;
    }
    let t = request.now.max(way.ver);
    let end = t + p.lease(way.k);
    corners.count(REFUSED, response.exp == 0);
    corners.count(AT_LIMIT, t == p.limit());
    corners.count(CLIPPED, t <= p.limit() && end > p.limit());
    corners.count(SMALLEST_LEASE, way.k == 0);
    corners.count(LEASE_KEPT, response.exp > 0 && end < way.exp);
    let granted = response.exp > 0 && request.exp > 0;
    corners.count(EXP_IS_VER, granted && request.exp == way.ver);
    corners.count(EXP_IS_NEXT, granted && request.exp == way.ver + 1);
    let is_renewed = response.kind == Kind::Renew;
    corners.count(RENEWED, is_renewed);
    corners.count(RENEWED_AT_LARGEST, is_renewed && way.k == p.lease_doublings);
}

fn count_eviction(request: &Request, effect: &Effect, corners: &mut Corners) {
    let is_dirty = effect.fetch.is_some_and(|fetch| fetch.evict);
    corners.count(DIRTY_VICTIM, is_dirty);
    corners.count(CLEAN_VICTIM, !is_dirty);
    corners.count(DIRTY_VICTIM_OF_STORE, is_dirty && request.op == Some(Op::Write));
}

/// Counts the corners of an effect.
pub(super) fn count_effect(effect: &Effect, corners: &mut Corners) {
    corners.count(WANTED, effect.rolled == Some(RollOver::Wanted));
    if let Some(misuse) = effect.error {
        corners.hit(match misuse {
            Misuse::ReservedOp => RESERVED_OP,
            Misuse::CoreOutOfRange => CORE_OUT_OF_RANGE,
            Misuse::SecondGets => SECOND_GETS,
            Misuse::LeaseTooLate => LEASE_TOO_LATE,
            Misuse::NothingFetched => NOTHING_FETCHED,
            Misuse::RequestInside => REQUEST_INSIDE,
        });
    }
}

/// Counts a roll-over as it comes.
pub(super) fn count_roll(bank: &Bank, is_sound: bool, corners: &mut Corners) {
    corners.count(ROLL_FETCHING, is_sound && bank.fetches());
    corners.count(ROLL_AT_REST, is_sound && !bank.fetches());
}
