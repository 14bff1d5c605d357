//! What must hold whatever the reference says, against an ideal table without limits: it knows the
//! true timestamps and reservation of every granule, by what was decided. Aborts may be more than
//! needed, since timestamps of granules that are not reserved are approximate; successes may not.

use std::collections::{BTreeMap, VecDeque};

use super::channels::{
    Access, DECIDED, ISSUED, Issue, Issued, Outcome, RELEASE, REQ, RESP, ROLL, ROLLED, Release,
    Response, Roll,
};
use super::corners;
use super::params::Params;
use super::rules;
use crate::getm_metadata::exercise::InFlight;
use crate::getm_metadata::{self, Metadata, Op, Verdict};
use crate::kit::*;

/// The run-time checks.
#[derive(Default)]
pub(super) struct ValidationContract {
    params: Params,
    /// The true metadata of every granule that was touched.
    truth: BTreeMap<u64, Metadata>,
    requests: VecDeque<Access>,
    releases: VecDeque<Release>,
    /// Issued and not decided, and whether in the clock after the one before.
    in_table: VecDeque<(Entered, bool)>,
    neighbours: InFlight,
    clock: u64,
    /// The clock at which something was issued to the table.
    entered: u64,
    /// Verdicts that are to be answered.
    answers: VecDeque<(Access, Verdict)>,
    /// Accesses that wait, or found no room for it and have not been answered yet.
    waiting: Vec<Access>,
    /// From a stop to the clear.
    stopped: bool,
    /// Told to stop, or to go on, and has not done so.
    told: bool,
    /// What is to be said on `rolled`.
    to_say: VecDeque<u64>,
    resp_stalled_for: u64,
    stalls: Stalls,
}

/// What entered the table.
#[derive(Clone, Copy)]
enum Entered {
    Access(Access),
    Release(Release),
    Clear,
}

impl ValidationContract {
    pub(super) fn new(params: &Params) -> Self {
        Self { params: params.clone(), stalls: Stalls::new(corners::STALLED), ..Self::default() }
    }

    fn granule(&self, address: u64) -> u64 {
        self.params.address_of(self.params.granule_of(address))
    }

    fn of_granule(&self, access: Access) -> Access {
        Access { address: self.granule(access.address), ..access }
    }

    fn issued(&mut self, issued: &Issued) -> Result<(), Violation> {
        let Issued { what, access } = *issued;
        let in_its_time = match what {
            Issue::Release => true,
            Issue::Request | Issue::Retry | Issue::Stop => !self.stopped,
            Issue::Clear | Issue::RefusedRequest | Issue::RefusedRetry => self.stopped,
        };
        rules::ROLLS_OVER
            .require(in_its_time, || format!("{what:?} of {access}; stopped: {}", self.stopped))?;
        let told = |detail: &str| format!("{what:?} of {access}: {detail}");
        let taken = rules::ISSUED_AS_TAKEN;
        match what {
            Issue::Request | Issue::RefusedRequest => {
                let next = self.requests.pop_front().map(|next| self.of_granule(next));
                taken.require(next == Some(access), || told("it is not the next request"))?;
            }
            Issue::Retry | Issue::RefusedRetry => {
                let waiter = self.waiting.iter().position(|waiter| *waiter == access);
                let at = waiter.ok_or_else(|| taken.broken(told("it does not wait")))?;
                self.waiting.remove(at);
            }
            Issue::Release => {
                let next = self.releases.pop_front();
                let release = next.ok_or_else(|| taken.broken(told("there is no release")))?;
                let is_next = self.granule(release.address) == access.address;
                taken.require(is_next, || told("it is not the next release"))?;
                self.enter(Entered::Release(release));
            }
            Issue::Clear => {
                self.enter(Entered::Clear);
                self.told = false;
            }
            Issue::Stop => {
                (self.stopped, self.told) = (true, false);
                self.to_say.push_back(0);
            }
        }
        match what {
            Issue::Request | Issue::Retry => self.enter(Entered::Access(access)),
            // The code of the answer; the table is not asked.
            Issue::RefusedRequest | Issue::RefusedRetry => {
                self.answers.push_back((access, Verdict::Error));
            }
            _ => {}
        }
        Ok(())
    }

    fn enter(&mut self, entered: Entered) {
        self.in_table.push_back((entered, self.entered + 1 == self.clock));
        self.entered = self.clock;
    }

    fn decided(&mut self, verdict: Verdict, corners: &mut Corners) -> Result<(), Violation> {
        let Some((entered, follows)) = self.in_table.pop_front() else {
            return Err(rules::ISSUED_AS_TAKEN.broken(format!("{verdict} about nothing")));
        };
        let request = match entered {
            Entered::Access(Access { address, store, warp, warpts }) => {
                let op = if store { Op::Store } else { Op::Load };
                getm_metadata::Request { op, address, warp, warpts, count: 0, tag: 0 }
            }
            Entered::Release(Release { address, count }) => {
                let (op, warp, warpts) = (Op::Release, 0, 0);
                getm_metadata::Request { op, address, warp, warpts, count, tag: 0 }
            }
            Entered::Clear => {
                self.neighbours = InFlight::default();
                return self.clear(verdict);
            }
        };
        let before = self.metadata(request.address);
        match entered {
            Entered::Access(access) => self.access(access, verdict)?,
            Entered::Release(release) => self.release(release, verdict)?,
            Entered::Clear => {}
        }
        // How the request stands to the one before it.
        let truth = [before, self.metadata(request.address)];
        let granule = self.params.granule_of(request.address);
        self.neighbours.done(&request, granule, (follows, verdict, true), truth, corners);
        Ok(())
    }

    /// What is true of the granule of an address.
    fn metadata(&self, address: u64) -> Metadata {
        self.truth.get(&self.granule(address)).copied().unwrap_or_default()
    }

    fn access(&mut self, access: Access, verdict: Verdict) -> Result<(), Violation> {
        let Access { address, store, warp, warpts } = access;
        let most_writes = (1 << self.params.write_count_bits) - 1;
        let faithful = self.params.faithful;
        let truth = self.truth.entry(address).or_default();
        let reserved = truth.writes != 0;
        let mine = reserved && truth.owner == warp && (faithful || truth.wts == warpts + 1);
        let written_later = truth.wts > warpts;
        let read_later = truth.rts > warpts;
        let broken = |rule: Rule, truth: &Metadata| {
            Err(rule.broken(format!("{access}: {verdict}; in truth {truth:?}")))
        };
        match verdict {
            Verdict::Success if store => {
                if !mine && (reserved || written_later || read_later) {
                    return broken(rules::STORE_IN_TIME, truth);
                }
                let wts = if mine { truth.wts } else { warpts + 1 };
                let writes = truth.writes + 1;
                *truth = Metadata { wts, rts: truth.rts, writes, owner: warp };
            }
            Verdict::Success => {
                if !mine && (reserved || written_later) {
                    return broken(rules::LOAD_IN_TIME, truth);
                }
                truth.rts = truth.rts.max(warpts);
            }
            Verdict::Park => {
                if mine || !reserved {
                    return broken(rules::WAITS_FOR_OWNER, truth);
                }
                self.waiting.push(access);
                return Ok(());
            }
            Verdict::AbortCount if mine && truth.writes == most_writes => {}
            Verdict::AbortWar | Verdict::AbortWaw | Verdict::AbortRaw if !mine => {}
            _ => return broken(rules::OWNER_SUCCEEDS, truth),
        }
        self.answers.push_back((access, verdict));
        Ok(())
    }

    fn release(&mut self, release: Release, verdict: Verdict) -> Result<(), Violation> {
        let truth = self.truth.entry(self.granule(release.address)).or_default();
        let legal = release.count >= 1 && release.count <= truth.writes;
        rules::RELEASE_COUNTED.require(legal == (verdict == Verdict::Success), || {
            format!("{release:?}: {verdict}; in truth {truth:?}")
        })?;
        truth.writes -= if legal { release.count } else { 0 };
        Ok(())
    }

    fn clear(&mut self, verdict: Verdict) -> Result<(), Violation> {
        if verdict != Verdict::Success {
            return Ok(());
        }
        let is_free = !self.truth.values().any(Metadata::is_reserved);
        rules::CLEARED_UNRESERVED.require(is_free, || format!("in truth {:?}", self.truth))?;
        self.truth.clear();
        self.stopped = false;
        self.to_say.push_back(1);
        Ok(())
    }

    fn answered(&mut self, response: &Response) -> Result<(), Violation> {
        let Response { access, outcome, timestamp } = *response;
        let told = |detail: &str| format!("{response}: {detail}");
        let once = rules::ANSWERED_ONCE;
        if outcome == Outcome::AbortFull {
            let waiter = self.waiting.iter().rposition(|waiter| *waiter == access);
            let at = waiter.ok_or_else(|| once.broken(told("it was not to wait")))?;
            self.waiting.remove(at);
            return Ok(());
        }
        let due = match self.answers.pop_front() {
            Some((of, verdict)) if of == access => verdict,
            other => return Err(once.broken(told(&format!("due was {other:?}")))),
        };
        let same = match outcome {
            Outcome::AbortRollover => due == Verdict::Error,
            _ => due as u64 == outcome as u64,
        };
        once.require(same, || told(&format!("the verdict was {due}")))?;
        let aborts = matches!(outcome, Outcome::AbortWar | Outcome::AbortWaw | Outcome::AbortRaw);
        let is_later = !aborts || timestamp > access.warpts;
        rules::LATER_START.require(is_later, || told("the same start would abort again"))
    }

    fn count_stalls(&mut self, stalled: bool, release_taken: bool, corners: &mut Corners) {
        self.resp_stalled_for = (self.resp_stalled_for + 1) * u64::from(stalled);
        let long = self.resp_stalled_for >= 32;
        corners.count(corners::RELEASE_BEHIND_STALLED_RESP, long && release_taken);
    }
}

impl Contract for ValidationContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.clock += 1;
        // A unit that has stopped need not be told again, and no other is to go on.
        self.told |= channels.taken(ROLL).is_some_and(|roll| Roll::decode(roll).go == self.stopped);
        // What is answered, decided and issued at a clock was taken, issued and decided before it.
        if let Some(payload) = channels.taken(RESP) {
            self.answered(&Response::decode(payload))?;
        }
        if let Some(payload) = channels.taken(ROLLED) {
            let (said, due) = (payload[0], self.to_say.pop_front());
            let detail = || format!("rolled says {said}, due was {due:?}");
            rules::ROLLS_OVER.require(due == Some(said), detail)?;
        }
        if let Some(payload) = channels.taken(DECIDED) {
            let verdict = Verdict::ALL.get(payload[0] as usize).copied();
            self.decided(verdict.unwrap_or(Verdict::Error), corners)?;
        }
        if let Some(issued) = channels.taken(ISSUED).and_then(Issued::of) {
            self.issued(&issued)?;
        }
        let release = channels.taken(RELEASE).map(Release::decode);
        self.requests.extend(channels.taken(REQ).map(Access::decode));
        self.releases.extend(release);
        let resp = channels.at(RESP);
        self.stalls.clock(channels, corners);
        self.count_stalls(resp.valid && !resp.ready, release.is_some(), corners);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        let left = [
            (rules::MOVES_ON, "requests were not issued", self.requests.len()),
            (rules::MOVES_ON, "releases were not issued", self.releases.len()),
            (rules::MOVES_ON, "of what was issued was not decided", self.in_table.len()),
            (rules::ANSWERED_ONCE, "accesses were not answered", self.answers.len()),
        ];
        for (rule, what, count) in left {
            rule.require(count == 0, || format!("{count} {what} at the end"))?;
        }
        let reserved =
            |access: &Access| self.truth.get(&access.address).is_some_and(Metadata::is_reserved);
        let stranded = self.waiting.iter().find(|access| self.stopped || !reserved(access));
        stranded.map_or(Ok(()), |access| {
            Err(rules::NOBODY_STRANDED.broken(format!("{access} waits for ever")))
        })?;
        rules::ROLLS_OVER.require(!self.told && self.to_say.is_empty(), || {
            "it was told and did not, or did not say so".to_string()
        })
    }
}
