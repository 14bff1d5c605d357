//! What must hold whatever the reference says, against an ideal table without limits: it knows the
//! true timestamps and reservation of every granule, by what was decided. Aborts may be more than
//! needed, since timestamps of granules that nobody reserves are approximate; successes may not.

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
use crate::rule::Rule;
use crate::verification::{Channels, Contract, Corners, Stalls, Violation};

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
        address >> self.params.offset_bits() << self.params.offset_bits()
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
        if !in_its_time {
            let detail = format!("{what:?} of {access}; stopped: {}", self.stopped);
            return Err(rules::ROLLS_OVER.broken(detail));
        }
        let broken = |detail: &str| {
            Err(rules::ISSUED_AS_TAKEN.broken(format!("{what:?} of {access}: {detail}")))
        };
        match what {
            Issue::Request | Issue::RefusedRequest => {
                let next = self.requests.pop_front().map(|next| self.of_granule(next));
                if next != Some(access) {
                    return broken("it is not the next request");
                }
            }
            Issue::Retry | Issue::RefusedRetry => {
                let Some(at) = self.waiting.iter().position(|waiter| *waiter == access) else {
                    return broken("it does not wait");
                };
                self.waiting.remove(at);
            }
            Issue::Release => {
                let Some(release) = self.releases.pop_front() else {
                    return broken("there is no release");
                };
                if self.granule(release.address) != access.address {
                    return broken("it is not the next release");
                }
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
        match self.in_table.pop_front() {
            Some((Entered::Access(access), follows)) => {
                let Access { address, store, warp, warpts } = access;
                let op = if store { Op::Store } else { Op::Load };
                let request =
                    getm_metadata::Request { op, address, warp, warpts, count: 0, tag: 0 };
                let before = self.metadata(address);
                self.access(access, verdict)?;
                let truth = [before, self.metadata(address)];
                self.count(&request, (follows, verdict), truth, corners);
                Ok(())
            }
            Some((Entered::Release(release), follows)) => {
                let Release { address, count } = release;
                let (op, warp, warpts) = (Op::Release, 0, 0);
                let request = getm_metadata::Request { op, address, warp, warpts, count, tag: 0 };
                let before = self.metadata(address);
                self.release(release, verdict)?;
                let truth = [before, self.metadata(address)];
                self.count(&request, (follows, verdict), truth, corners);
                Ok(())
            }
            Some((Entered::Clear, _)) => {
                self.neighbours = InFlight::default();
                self.clear(verdict)
            }
            None => Err(rules::ISSUED_AS_TAKEN.broken(format!("{verdict} about nothing"))),
        }
    }

    /// What is true of the granule of an address.
    fn metadata(&self, address: u64) -> Metadata {
        self.truth.get(&self.granule(address)).copied().unwrap_or_default()
    }

    /// Counts how a request stands to the one before it.
    fn count(
        &mut self,
        request: &getm_metadata::Request,
        (follows, verdict): (bool, Verdict),
        truth: [Metadata; 2],
        corners: &mut Corners,
    ) {
        let granule = request.address >> self.params.offset_bits();
        self.neighbours.done(request, granule, (follows, verdict, true), truth, corners);
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
        if legal != (verdict == Verdict::Success) {
            let detail = format!("{release:?}: {verdict}; in truth {truth:?}");
            return Err(rules::RELEASE_COUNTED.broken(detail));
        }
        truth.writes -= if legal { release.count } else { 0 };
        Ok(())
    }

    fn clear(&mut self, verdict: Verdict) -> Result<(), Violation> {
        if verdict != Verdict::Success {
            return Ok(());
        }
        if self.truth.values().any(Metadata::is_reserved) {
            let detail = format!("in truth {:?}", self.truth);
            return Err(rules::CLEARED_UNRESERVED.broken(detail));
        }
        self.truth.clear();
        self.stopped = false;
        self.to_say.push_back(1);
        Ok(())
    }

    fn answered(&mut self, response: &Response) -> Result<(), Violation> {
        let Response { access, outcome, timestamp } = *response;
        let broken = |rule: Rule, detail: &str| Err(rule.broken(format!("{response}: {detail}")));
        if outcome == Outcome::AbortFull {
            let Some(at) = self.waiting.iter().rposition(|waiter| *waiter == access) else {
                return broken(rules::ANSWERED_ONCE, "it was not to wait");
            };
            self.waiting.remove(at);
            return Ok(());
        }
        let due = match self.answers.pop_front() {
            Some((of, verdict)) if of == access => verdict,
            other => return broken(rules::ANSWERED_ONCE, &format!("due was {other:?}")),
        };
        let same = match outcome {
            Outcome::AbortRollover => due == Verdict::Error,
            _ => due as u64 == outcome as u64,
        };
        if !same {
            return broken(rules::ANSWERED_ONCE, &format!("the verdict was {due}"));
        }
        let aborts = matches!(outcome, Outcome::AbortWar | Outcome::AbortWaw | Outcome::AbortRaw);
        match aborts && timestamp <= access.warpts {
            true => broken(rules::LATER_START, "the same start would abort again"),
            false => Ok(()),
        }
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
            let due = self.to_say.pop_front();
            if due != Some(payload[0]) {
                let detail = format!("rolled says {}, due was {due:?}", payload[0]);
                return Err(rules::ROLLS_OVER.broken(detail));
            }
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
        let reserved =
            |access: &Access| self.truth.get(&access.address).is_some_and(Metadata::is_reserved);
        match self.waiting.iter().find(|access| self.stopped || !reserved(access)) {
            Some(access) => Err(rules::NOBODY_STRANDED.broken(format!("{access} waits for ever"))),
            None if self.told || !self.to_say.is_empty() => {
                let detail = "it was told and did not, or did not say so".to_string();
                Err(rules::ROLLS_OVER.broken(detail))
            }
            None => Ok(()),
        }
    }
}
