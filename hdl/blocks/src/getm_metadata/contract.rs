//! What must hold whatever the reference says: answers against an ideal table without limits, which
//! needs neither hashes nor places.

use std::collections::{HashMap, HashSet, VecDeque};

use super::access::{Metadata, Verdict};
use super::channels::{
    Answer, ERROR, Misuse, OVERFLOW_REQ, Op, OverflowOp, OverflowRequest, REQ, RESP, Request,
};
use super::corners;
use super::exercise::InFlight;
use super::hashes::Hashes;
use super::params::Params;
use super::rules;
use crate::kit::*;

/// The run-time checks.
pub(super) struct TableContract {
    params: Params,
    hashes: Hashes,
    /// The true metadata of every granule accessed.
    ideal: HashMap<u64, Metadata>,
    reserved: u64,
    /// Requests, and whether each was accepted in the clock after the one before it.
    in_flight: VecDeque<(Request, bool)>,
    neighbours: InFlight,
    presented: bool,
    /// Codes raised that no answer has accounted for.
    raised: VecDeque<u64>,
    overflow: HashSet<u64>,
    clock: u64,
    /// Granules of accepted loads and stores.
    seen: HashSet<u64>,
    /// Granule, clock and whether it was new, of the last three accepted requests, the latest first.
    recent: [(u64, u64, bool); 3],
    stalls: Stalls,
}

/// A clock that never comes, nor do those after it.
const NEVER: u64 = u64::MAX / 2;

impl TableContract {
    pub(super) fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            hashes: Hashes::new(params),
            ideal: HashMap::new(),
            reserved: 0,
            in_flight: VecDeque::new(),
            neighbours: InFlight::default(),
            presented: false,
            raised: VecDeque::new(),
            overflow: HashSet::new(),
            clock: 0,
            seen: HashSet::new(),
            recent: [(0, NEVER, false); 3],
            stalls: Stalls::new(corners::STALLED),
        }
    }

    /// The answer to the oldest request is presented for the first time.
    fn answer(&mut self, answer: &Answer, corners: &mut Corners) -> Result<(), Violation> {
        let Some((request, follows)) = self.in_flight.pop_front() else {
            return Err(rules::ONE_ANSWER.broken("an answer without a request".to_string()));
        };
        rules::ONE_ANSWER.require(answer.request() == Request { count: 0, ..request }, || {
            format!("{request} comes back as {}", answer.request())
        })?;
        let granule = self.params.granule_of(request.address);
        let truth = self.ideal.get(&granule).copied().unwrap_or_default();
        if let Some(misuse) = self.misuse(&request, truth) {
            let kept = !self.overflow.contains(&granule);
            let stands = (follows, Verdict::Error, kept);
            self.neighbours.done(&request, granule, stands, [truth; 2], corners);
            return self.expect_error(&request, misuse, answer);
        }
        let told = |what: &str| format!("{request} was answered {answer}; {what}");
        let is_answered = answer.verdict != Verdict::Error;
        rules::ERROR_AS_DUE.require(is_answered, || told("it is well formed"))?;
        if request.op == Op::Clear {
            self.ideal.clear();
            self.neighbours = InFlight::default();
            return Ok(());
        }
        let Metadata { wts, rts, writes, owner } = truth;
        rules::NEVER_TOO_EARLY.require(answer.wts >= wts && answer.rts >= rts, || {
            told(&format!("in truth wts={wts} rts={rts}"))
        })?;
        rules::RESERVED_EXACT.require(writes == 0 || answer.wts == wts, || {
            told(&format!("it is reserved by warp {owner} with wts={wts}"))
        })?;
        let after = match request.op {
            Op::Release => match answer.verdict {
                Verdict::Success => Metadata { writes: writes - request.count, ..truth },
                _ => return Err(rules::ONE_ANSWER.broken(told("a release succeeds"))),
            },
            _ => self.access(&request, truth, answer)?,
        };
        rules::RESERVED_EXACT.require(answer.reserved == (after.writes > 0), || {
            told(&format!("{} writes are under way", after.writes))
        })?;
        self.reserved += u64::from(writes == 0 && after.writes > 0);
        self.reserved -= u64::from(writes > 0 && after.writes == 0);
        self.ideal.insert(granule, after);
        let kept = !self.overflow.contains(&granule);
        let stands = (follows, answer.verdict, kept);
        self.neighbours.done(&request, granule, stands, [truth, after], corners);
        Ok(())
    }

    /// Whether the verdict of a load or store is one that isolation allows; the truth afterwards.
    fn access(
        &self,
        request: &Request,
        truth: Metadata,
        answer: &Answer,
    ) -> Result<Metadata, Violation> {
        let &Request { warp, warpts, .. } = request;
        let is_load = request.op == Op::Load;
        let reserved = truth.writes > 0;
        let of_owner = reserved && truth.owner == warp;
        let mine = of_owner && (self.params.faithful || truth.wts == warpts + 1);
        let full = truth.writes == self.params.most_writes();
        let written_later = answer.wts > warpts;
        let read_later = answer.rts > warpts;
        let broken = |rule: &crate::rule::Rule| {
            let Metadata { wts, rts, writes, owner } = truth;
            Err(rule.broken(format!(
                "{request} was answered {answer}; in truth wts={wts} rts={rts}, {writes} writes by \
                 warp {owner}"
            )))
        };
        match answer.verdict {
            Verdict::Success | Verdict::Park => {
                if is_load && written_later && !mine {
                    return broken(&rules::NO_LATER_WRITE_IS_READ);
                }
                if !is_load && (written_later || read_later) && !mine {
                    return broken(&rules::NO_SEEN_VALUE_IS_CHANGED);
                }
                if (answer.verdict == Verdict::Success) != (!reserved || mine) {
                    return broken(&rules::RESERVED_IS_THE_OWNERS);
                }
                if !is_load && mine && full {
                    return broken(&rules::RESERVED_EXACT);
                }
            }
            verdict => {
                let caused = match verdict {
                    Verdict::AbortWar => is_load && written_later && !mine,
                    Verdict::AbortWaw => !is_load && written_later && !mine,
                    Verdict::AbortRaw => !is_load && read_later && !written_later && !mine,
                    Verdict::AbortCount => !is_load && mine && full,
                    _ => false,
                };
                if !caused {
                    return broken(&rules::ABORT_HAS_A_CAUSE);
                }
            }
        }
        Ok(match (answer.verdict, is_load) {
            (Verdict::Success, true) => Metadata { rts: truth.rts.max(warpts), ..truth },
            (Verdict::Success, false) if mine => Metadata { writes: truth.writes + 1, ..truth },
            (Verdict::Success, false) => {
                Metadata { wts: warpts + 1, rts: truth.rts, writes: 1, owner: warp }
            }
            _ => truth,
        })
    }

    fn misuse(&self, request: &Request, truth: Metadata) -> Option<Misuse> {
        let at_last = request.warpts == self.params.last_timestamp();
        match request.op {
            Op::Load | Op::Store => at_last.then_some(Misuse::LastTimestamp),
            Op::Clear => (self.reserved > 0).then_some(Misuse::ClearWhileReserved),
            Op::Release if truth.writes == 0 => Some(Misuse::NotReserved),
            Op::Release => {
                (!(1..=truth.writes).contains(&request.count)).then_some(Misuse::WrongCount)
            }
        }
    }

    fn expect_error(
        &mut self,
        request: &Request,
        misuse: Misuse,
        answer: &Answer,
    ) -> Result<(), Violation> {
        let raised = self.raised.pop_front();
        rules::ERROR_AS_DUE.require(raised == Some(misuse as u64), || {
            format!("{request} is {misuse:?}, but what was raised is {raised:?}")
        })?;
        let zeros = Answer { wts: 0, rts: 0, reserved: false, ..*answer };
        let as_due = *answer == zeros && answer.verdict == Verdict::Error;
        rules::ERROR_AS_DUE.require(as_due, || format!("{request} was answered {answer}"))
    }

    fn asked(&mut self, asked: &OverflowRequest) -> Result<(), Violation> {
        let OverflowRequest { op, address, metadata } = *asked;
        let granule = self.params.granule_of(address);
        let aligned = self.params.address_of(granule) == address;
        let is_there = self.overflow.contains(&granule);
        let sound = match op {
            OverflowOp::Lookup => !self.overflow.is_empty(),
            OverflowOp::Insert => !is_there && metadata.is_reserved(),
            OverflowOp::Update => is_there && metadata.is_reserved(),
            OverflowOp::Remove => is_there,
        };
        rules::OVERFLOW_IN_ORDER.require(aligned && sound, || {
            format!("{op:?} of 0x{address:x}, {metadata:?}; there: {is_there}")
        })?;
        match op {
            OverflowOp::Insert => self.overflow.insert(granule),
            OverflowOp::Remove => self.overflow.remove(&granule),
            OverflowOp::Lookup | OverflowOp::Update => false,
        };
        Ok(())
    }

    fn count_neighbours(&mut self, request: &Request, corners: &mut Corners) {
        if request.op == Op::Clear {
            self.seen.clear();
            self.recent = [(0, NEVER, false); 3];
            return;
        }
        let granule = self.params.granule_of(request.address);
        let is_new = request.op != Op::Release && self.seen.insert(granule);
        for (i, &(other, at, _)) in self.recent.iter().enumerate() {
            let met = at + i as u64 + 1 == self.clock && other == granule;
            corners.count(corners::SAME_GRANULE[i], met);
        }
        let (other, at, other_is_new) = self.recent[0];
        if is_new && other_is_new && at + 1 == self.clock {
            let meet = |a: &mut dyn Iterator<Item = usize>, b: &mut dyn Iterator<Item = usize>| {
                a.zip(b).any(|(a, b)| a == b)
            };
            let rows = meet(&mut self.hashes.rows(granule), &mut self.hashes.rows(other));
            corners.count(corners::NEW_IN_ONE_ROW, rows);
            let (mut a, mut b) = (self.hashes.bloom_rows(granule), self.hashes.bloom_rows(other));
            corners.count(corners::NEW_IN_ONE_BLOOM_ROW, meet(&mut a, &mut b));
        }
        self.recent = [(granule, self.clock, is_new), self.recent[0], self.recent[1]];
    }
}

impl Contract for TableContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.clock += 1;
        let (req, resp) = (channels.at(REQ), channels.at(RESP));
        let (asked, error) = (channels.at(OVERFLOW_REQ), channels.at(ERROR));
        if req.fires() {
            let request = Request::decode(req.payload);
            let follows = self.recent[0].1 + 1 == self.clock;
            self.count_neighbours(&request, corners);
            self.in_flight.push_back((request, follows));
        }
        if error.valid {
            self.raised.push_back(error.payload[0]);
        }
        if resp.valid && !self.presented {
            self.answer(&Answer::decode(resp.payload), corners)?;
        }
        self.presented = resp.valid && !resp.ready;
        if asked.fires() {
            self.asked(&OverflowRequest::decode(asked.payload))?;
        }
        self.stalls.clock(channels, corners);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        if let Some(code) = self.raised.front() {
            return Err(rules::ERROR_AS_DUE.broken(format!("code {code} belongs to no request")));
        }
        self.in_flight.front().map_or(Ok(()), |(request, _)| {
            Err(rules::ONE_ANSWER.broken(format!("{request} was not answered")))
        })
    }
}
