//! The validation unit as a sequential program: figure 4.6 over the metadata table and the stall
//! buffer, one access or release after the other, in the order that the unit shows on `issued`. That
//! order is its own choice, as retries and releases come between requests; all else follows from it.

use std::collections::VecDeque;

use super::channels::{
    Access, DECIDED, Decided, ERROR, ISSUED, Issue, Issued, OVERFLOW_REQ, OVERFLOW_RESP, Outcome,
    RELEASE, REQ, RESP, ROLL, ROLLED, Release, Response, Roll,
};
use super::corners;
use super::exercise::Comparison;
use super::params::Params;
use crate::getm_metadata::exercise::through_unit;
use crate::getm_metadata::{self, Answer, Metadata, Op, Table, Verdict};
use crate::getm_stall_buffer::{self as stall_buffer, Parked, RetryResult, StallBuffer};
use crate::kit::*;
use crate::verification::{self, ExpectedSink};

/// The reference model.
#[derive(Clone, Debug)]
pub struct Validation {
    params: Params,
    table: Table,
    waiters: Waiters,
    /// The first comparison behind those of the table.
    lines: usize,
    /// Accepted and not issued.
    requests: VecDeque<Access>,
    releases: VecDeque<Release>,
    /// The unit has stopped for a roll-over.
    stopped: bool,
    /// It has been told to stop, or to go on, and has not done so.
    told_to_stop: bool,
    told_to_go: bool,
}

/// The stall buffer, and the waiters that it has woken.
#[derive(Clone, Debug)]
struct Waiters {
    buffer: StallBuffer,
    woken: Woken,
    corners: Corners,
}

#[derive(Clone, Debug, Default)]
struct Woken {
    waiters: Vec<Access>,
    had_room: bool,
}

impl ExpectedSink for Woken {
    fn expect(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            stall_buffer::RETRY => self.waiters.push(Access::decode(payload)),
            stall_buffer::PARKED => self.had_room = Parked::decode(payload).room,
            _ => panic!("the stall buffer is not misused"),
        }
    }
}

impl Waiters {
    fn new(p: &Params) -> Self {
        Self {
            buffer: StallBuffer::new(&p.stall_buffer()),
            woken: Woken::default(),
            corners: Corners::new(stall_buffer::BLOCK.corners.len(), &p.stall_buffer().exercise()),
        }
    }

    /// Whether a waiter was woken: a stop wakes all.
    fn any(&self) -> bool {
        !self.woken.waiters.is_empty()
    }

    fn tell(&mut self, channel: usize, payload: &[u64]) {
        let Self { buffer, woken, corners } = self;
        buffer.accept(channel, payload, &mut verification::Outcome { sink: woken, corners });
    }

    /// Whether there was room.
    fn park(&mut self, access: Access) -> bool {
        self.tell(stall_buffer::PARK, &access.encode());
        self.woken.had_room
    }

    fn release(&mut self, address: u64, all: bool) {
        self.tell(stall_buffer::RELEASE, &stall_buffer::Release { address, all }.encode());
    }

    /// The waiter that was woken of that address leaves.
    fn take(&mut self, address: u64) -> Option<Access> {
        let at = self.woken.waiters.iter().position(|waiter| waiter.address == address)?;
        let access = self.woken.waiters.remove(at);
        let Self { buffer, woken, corners } = self;
        let mut outcome = verification::Outcome { sink: woken, corners };
        buffer.taken(stall_buffer::RETRY, &access.encode(), &mut outcome);
        Some(access)
    }

    fn result(&mut self, address: u64, reserved: bool) {
        self.tell(stall_buffer::RETRY_RESULT, &RetryResult { address, reserved }.encode());
    }
}

impl Validation {
    /// A unit of which nothing is known yet.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            table: Table::within_unit(&params.table()),
            waiters: Waiters::new(params),
            lines: through_unit(&params.table()).len(),
            requests: VecDeque::new(),
            releases: VecDeque::new(),
            stopped: false,
            told_to_stop: false,
            told_to_go: false,
        }
    }

    /// What the table knows of the granule of an address.
    pub fn metadata(&self, address: u64) -> Metadata {
        self.table.metadata(address)
    }

    /// The address of the granule.
    fn granule(&self, address: u64) -> u64 {
        self.params.address_of(self.params.granule_of(address))
    }

    /// Parks an access; whether there was room.
    fn park(&mut self, access: Access, corners: &mut Corners) -> bool {
        self.count_lines(access.address, Comparison::Line, corners);
        for (_, _, waiters) in self.waiters.buffer.lines() {
            let of_line = waiters.iter().filter(|waiter| waiter.address == access.address);
            let waiters = self.lines + Comparison::Waiters as usize;
            of_line.for_each(|waiter| corners.compare(waiters, waiter.warpts, access.warpts));
        }
        self.waiters.park(access)
    }

    /// The granule of an address meets those of the lines.
    fn count_lines(&self, address: u64, comparison: Comparison, corners: &mut Corners) {
        let granule = self.params.granule_of(address);
        for (line, of_line, _) in self.waiters.buffer.lines() {
            corners.compare_at(self.lines + comparison as usize, line, of_line, granule);
        }
    }

    /// A request, a retry or a release goes through the table.
    fn through_table(
        &mut self,
        request: &getm_metadata::Request,
        outcome: &mut verification::Outcome<'_>,
    ) -> Answer {
        let effect = self.table.apply_and_count(request, Some(&mut *outcome.corners));
        for asked in &effect.overflow {
            outcome.sink.expect(OVERFLOW_REQ, &asked.encode());
        }
        if let Some(misuse) = effect.error {
            outcome.sink.expect(ERROR, &[misuse as u64]);
        }
        outcome.sink.expect(DECIDED, &Decided { verdict: effect.answer.verdict }.encode());
        effect.answer
    }

    /// Figure 4.6.
    fn access(&mut self, access: Access, is_retry: bool, outcome: &mut verification::Outcome<'_>) {
        let Access { store, warp, warpts, .. } = access;
        let access = Access { address: self.granule(access.address), ..access };
        let (op, address) = (if store { Op::Store } else { Op::Load }, access.address);
        let (count, tag) = (0, u64::from(is_retry));
        let request = getm_metadata::Request { op, address, warp, warpts, count, tag };
        let answer = self.through_table(&request, outcome);
        corners::count_access(is_retry, store, answer.verdict, outcome.corners);
        let parks = answer.verdict == Verdict::Park;
        let waits = parks && self.park(access, outcome.corners);
        if is_retry {
            // Else those left may be earlier than the one that has reserved the granule meanwhile, and
            // must not wait for it.
            let stored = store && answer.verdict == Verdict::Success;
            self.waiters.result(access.address, parks || stored);
        }
        if waits {
            return;
        }
        let ended = match answer.verdict {
            Verdict::Success => Outcome::Success,
            Verdict::Park => Outcome::AbortFull,
            Verdict::AbortWar => Outcome::AbortWar,
            Verdict::AbortWaw => Outcome::AbortWaw,
            Verdict::AbortRaw => Outcome::AbortRaw,
            Verdict::AbortCount => Outcome::AbortCount,
            Verdict::Error => unreachable!("no access is made at the largest timestamp"),
        };
        corners::count_outcome(is_retry, ended, outcome.corners);
        let timestamp = match ended {
            Outcome::AbortWar => answer.wts,
            _ => answer.wts.max(answer.rts),
        };
        let response = Response { access, outcome: ended, timestamp };
        outcome.sink.expect(RESP, &response.encode());
    }

    fn release(&mut self, release: Release, outcome: &mut verification::Outcome<'_>) {
        let Release { address, count } = release;
        let request =
            getm_metadata::Request { op: Op::Release, address, warp: 0, warpts: 0, count, tag: 0 };
        let answer = self.through_table(&request, outcome);
        corners::count_release(answer.verdict, self.stopped, outcome.corners);
        if answer.verdict == Verdict::Success && !answer.reserved {
            self.count_lines(address, Comparison::ReleasedLine, outcome.corners);
            self.waiters.release(self.granule(address), false);
        }
    }

    /// The answer to an access while timestamps roll over.
    fn refuse(&mut self, access: Access, outcome: &mut verification::Outcome<'_>) {
        let access = Access { address: self.granule(access.address), ..access };
        let response = Response { access, outcome: Outcome::AbortRollover, timestamp: 0 };
        outcome.sink.expect(RESP, &response.encode());
    }

    fn stop(&mut self, outcome: &mut verification::Outcome<'_>) {
        let by_itself = !self.told_to_stop;
        outcome.corners.hit(if by_itself { corners::STOPS_ITSELF } else { corners::TOLD_TO_STOP });
        self.stopped = true;
        self.told_to_stop = false;
        self.waiters.release(0, true);
        outcome.corners.count(corners::STOPS_WITH_WAITERS, self.waiters.any());
        outcome.sink.expect(ROLLED, &Roll { go: false }.encode());
    }

    fn clear(&mut self, outcome: &mut verification::Outcome<'_>) {
        let (op, [address, warp, warpts, count, tag]) = (Op::Clear, [0; 5]);
        let request = getm_metadata::Request { op, address, warp, warpts, count, tag };
        let answer = self.through_table(&request, outcome);
        self.told_to_go = false;
        // While a granule is reserved, the unit does not go on.
        if answer.verdict == Verdict::Success {
            self.stopped = false;
            outcome.corners.hit(corners::GOES_ON);
            outcome.sink.expect(ROLLED, &Roll { go: true }.encode());
        } else {
            outcome.corners.hit(corners::CLEAR_WHILE_RESERVED);
        }
    }

    /// Whether the unit may begin by itself: the next request has no time left.
    fn is_late(&self) -> bool {
        self.requests.front().is_some_and(|request| request.warpts >= self.params.limit())
    }

    /// What the unit says it does next, if it may.
    fn issue(&mut self, issued: &Issued, outcome: &mut verification::Outcome<'_>) {
        let Issued { what, access: Access { address, .. } } = *issued;
        let offset_bits = self.params.offset_bits();
        let granule = |address: u64| address >> offset_bits << offset_bits;
        let mut expect = |access: Access| {
            let access = Access { address: granule(access.address), ..access };
            outcome.sink.expect(ISSUED, &Issued { what, access }.encode());
        };
        let nothing = |address| Access { address, store: false, warp: 0, warpts: 0 };
        match what {
            Issue::Request if !self.stopped && !self.is_late() => {
                let Some(access) = self.requests.pop_front() else { return };
                expect(access);
                self.access(access, false, outcome);
            }
            Issue::Retry if !self.stopped => {
                let Some(access) = self.waiters.take(address) else { return };
                expect(access);
                self.access(access, true, outcome);
            }
            Issue::Release => {
                let Some(release) = self.releases.pop_front() else { return };
                expect(nothing(release.address));
                self.release(release, outcome);
            }
            Issue::Stop if !self.stopped && (self.told_to_stop || self.is_late()) => {
                expect(nothing(0));
                self.stop(outcome);
            }
            Issue::Clear if self.stopped && self.told_to_go && !self.waiters.any() => {
                expect(nothing(0));
                self.clear(outcome);
            }
            Issue::RefusedRequest if self.stopped => {
                let Some(access) = self.requests.pop_front() else { return };
                expect(access);
                outcome.corners.hit(corners::REFUSED_REQUEST);
                self.refuse(access, outcome);
            }
            Issue::RefusedRetry if self.stopped => {
                let Some(access) = self.waiters.take(address) else { return };
                expect(access);
                outcome.corners.hit(corners::REFUSED_RETRY);
                let reserved = self.table.metadata(address).is_reserved();
                outcome.corners.count(corners::REFUSED_BEFORE_RELEASE, reserved);
                self.refuse(access, outcome);
                self.waiters.result(address, false);
            }
            _ => {}
        }
    }
}

impl Reference for Validation {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut verification::Outcome<'_>) {
        match channel {
            REQ => self.requests.push_back(Access::decode(payload)),
            RELEASE => self.releases.push_back(Release::decode(payload)),
            // A unit that has stopped need not be told again, and no other is to go on.
            ROLL if Roll::decode(payload).go => {
                self.told_to_go |= self.stopped;
                let waits = self.stopped && self.waiters.any();
                outcome.corners.count(corners::TOLD_TO_GO_WITH_WAITERS, waits);
            }
            ROLL => self.told_to_stop |= !self.stopped,
            // The table knows what it has put there.
            OVERFLOW_RESP => {}
            _ => panic!("channel {channel} is no input"),
        }
    }

    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut verification::Outcome<'_>) {
        if channel == ISSUED
            && let Some(issued) = Issued::of(payload)
        {
            self.issue(&issued, outcome);
        }
    }

    /// Woken waiters before releases, and those before requests.
    fn choose(&self) -> Option<(usize, Vec<u64>)> {
        let nothing = Access { address: 0, store: false, warp: 0, warpts: 0 };
        let either = |refused, runs| if self.stopped { refused } else { runs };
        let (what, access) = if !self.stopped && (self.told_to_stop || self.is_late()) {
            (Issue::Stop, nothing)
        } else if let Some(waiter) = self.waiters.woken.waiters.first() {
            (either(Issue::RefusedRetry, Issue::Retry), *waiter)
        } else if let Some(release) = self.releases.front() {
            (Issue::Release, Access { address: release.address, ..nothing })
        } else if self.stopped && self.told_to_go {
            (Issue::Clear, nothing)
        } else {
            let request = self.requests.front()?;
            (either(Issue::RefusedRequest, Issue::Request), *request)
        };
        Some((ISSUED, Issued { what, access }.encode().to_vec()))
    }

    fn state(&self) -> Vec<String> {
        let mut text = Vec::new();
        if self.stopped {
            text.push("stopped for a roll-over".to_string());
        }
        text.extend(self.requests.iter().map(|request| format!("to be issued: {request}")));
        let releases = self.releases.iter();
        text.extend(releases.map(|r| format!("to be issued: release of 0x{:x}", r.address)));
        text.extend(self.waiters.buffer.state());
        text.extend(self.table.state());
        text
    }
}
