//! What must hold whatever the reference says. It knows clocks: it keeps each draw with its own, and of each
//! GPU the two totals of the paper, of which the remaining triangles are the difference.

use std::collections::VecDeque;

use super::channels::{
    DRAW, Draw, ERROR, ErrorReport, GRANT, Grant, NOT_SCHEDULED, PROCESSED, QUERY, Query, TOTALS,
    Totals,
};
use super::params::Params;
use super::{corners, exercise, rules};
use crate::kit::*;
use crate::verification::ChannelView;

/// A draw that was accepted.
struct Due {
    clock: u64,
    gpu: usize,
    triangles: u64,
}

/// The run-time checks.
pub(super) struct DrawContract {
    p: Params,
    clock: u64,
    /// Of each GPU: triangles of its draws, of its grants that were taken, and of its reports.
    scheduled: Vec<u64>,
    given: Vec<u64>,
    processed: Vec<u64>,
    /// Draws whose grants are not taken.
    due: VecDeque<Due>,
    /// Answers and errors with the clocks in which they are due.
    answers: VecDeque<(u64, Totals)>,
    errors: VecDeque<(u64, u64)>,
    /// Whether some GPU did not have many remaining after the last clocks, the oldest first.
    room: VecDeque<bool>,
    last: LastClock,
    stalls: Stalls,
}

/// What happened in the last clock, for corners.
#[derive(Default)]
struct LastClock {
    /// Where its draw goes.
    drew: Option<usize>,
    reports: Vec<u64>,
    /// Who had the fewest before it.
    fewest: usize,
    /// Who would have the fewest without the reports.
    fewest_without_reports: usize,
    /// Whose grant was taken, and its triangles.
    taken: Option<usize>,
    given: u64,
}

fn fewest(remaining: impl Iterator<Item = u64>) -> usize {
    let mut best = (0, u64::MAX);
    for (gpu, value) in remaining.enumerate() {
        if value < best.1 {
            best = (gpu, value);
        }
    }
    best.0
}

impl DrawContract {
    pub(super) fn new(p: &Params) -> Self {
        let zeros = vec![0; p.gpus as usize];
        Self {
            p: p.clone(),
            clock: 0,
            scheduled: zeros.clone(),
            given: zeros.clone(),
            processed: zeros.clone(),
            due: VecDeque::new(),
            answers: VecDeque::new(),
            errors: VecDeque::new(),
            room: VecDeque::new(),
            last: LastClock { reports: zeros, ..LastClock::default() },
            stalls: Stalls::new(corners::STALLED),
        }
    }

    fn remaining(&self) -> impl Iterator<Item = u64> {
        self.scheduled.iter().zip(&self.processed).map(|(all, done)| all - done)
    }

    fn check_grant(&mut self, grant: ChannelView<'_>) -> Result<(), Violation> {
        let (clock, latency) = (self.clock, u64::from(self.p.report_latency) + 1);
        let due = self.due.front().filter(|due| clock >= due.clock + latency);
        rules::GRANTS_IN_TIME.require(due.is_some() == grant.valid, || match due {
            Some(due) => {
                format!("the grant of the draw of clock {} is not offered at {clock}", due.clock)
            }
            None => format!("a grant is offered at clock {clock}, and none is due"),
        })?;
        let Some(due) = due else { return Ok(()) };
        let Grant { gpu } = Grant::decode(grant.payload);
        rules::FEWEST_REMAINING.require(gpu == due.gpu as u64, || {
            let Due { clock, gpu: fewest, triangles } = due;
            format!("the draw of {triangles} triangles of clock {clock} goes to GPU {gpu}, and GPU {fewest} had the fewest")
        })
    }

    fn check_readiness(
        &mut self,
        draw: ChannelView<'_>,
        corners: &mut Corners,
    ) -> Result<(), Violation> {
        let in_flight = self.due.len() >= self.p.draws_in_flight() as usize;
        let window = self.p.report_latency as usize + 2;
        let had_room = self.room.len() < window || self.room[0];
        let waits_duly = in_flight || !had_room;
        rules::TAKES_IN_TIME.require(draw.ready != waits_duly, || {
            format!(
                "ready: {}, at clock {} with {} in flight",
                draw.ready,
                self.clock,
                self.due.len()
            )
        })?;
        corners.count(corners::ALL_IN_FLIGHT, draw.valid && in_flight);
        corners.count(corners::ALL_LOADED, draw.valid && !draw.ready && !in_flight);
        Ok(())
    }

    fn check_answers(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        let (totals, error) = (channels.at(TOTALS), channels.at(ERROR));
        let clock = self.clock;
        let answer = take_due(&mut self.answers, clock);
        rules::ANSWERS_IN_TIME.require(answer.is_some() == totals.valid, || {
            format!(
                "an answer is due at clock {clock}: {}, given: {}",
                answer.is_some(),
                totals.valid
            )
        })?;
        if let Some((_, answer)) = answer {
            let given = Totals::decode(totals.payload);
            rules::TOTALS_CONSERVED
                .require(given == answer, || format!("{given:?}, due were {answer:?}"))?;
        }
        let due = take_due(&mut self.errors, clock).map(|(_, gpus)| gpus);
        let raised = error.valid.then(|| ErrorReport::decode(error.payload));
        let as_due = due.map(|gpus| ErrorReport { code: NOT_SCHEDULED, gpus }) == raised;
        rules::ERROR_AS_DUE
            .require(as_due, || format!("due of GPUs: {due:x?}, raised: {raised:x?}"))
    }

    fn draw(&mut self, triangles: u64, corners: &mut Corners) -> Result<(), Violation> {
        let remaining: Vec<_> = self.remaining().collect();
        let gpu = fewest(self.remaining());
        exercise::note_choice(&remaining, gpu, self.last.drew, corners);
        let tie = remaining.iter().filter(|&&other| other == remaining[gpu]).count() > 1;
        corners.count(corners::TIE_BY_DRAW, tie && self.last.drew.is_some_and(|last| last != gpu));
        self.scheduled[gpu] += triangles;
        self.due.push_back(Due { clock: self.clock, gpu, triangles });
        let remaining = self.scheduled[gpu] - self.processed[gpu];
        rules::REMAINING_FITS.require(remaining >> self.p.remaining_bits == 0, || {
            format!("{remaining} triangles of GPU {gpu}")
        })
    }

    fn query(&mut self, gpu: usize) {
        let total = |of: &[u64]| of.get(gpu).map_or(0, |&total| self.p.wrapped(total));
        let totals = Totals { scheduled: total(&self.given), processed: total(&self.processed) };
        let latency = u64::from(self.p.report_latency - 1 + self.p.segments());
        self.answers.push_back((self.clock + latency, totals));
    }

    fn report(&mut self, reports: &[u64]) {
        let mut refused = 0;
        for (gpu, &report) in reports.iter().enumerate() {
            match self.processed[gpu] + report <= self.given[gpu] {
                true => self.processed[gpu] += report,
                false => refused |= 1 << gpu,
            }
        }
        if refused != 0 {
            self.errors.push_back((self.clock + u64::from(self.p.report_latency) - 1, refused));
        }
    }

    fn take(&mut self) {
        if let Some(Due { gpu, triangles, .. }) = self.due.pop_front() {
            self.given[gpu] += triangles;
        }
    }

    /// Corners of what comes at this clock, before it counts.
    fn count(&self, channels: &Channels<'_>, corners: &mut Corners) {
        let drawn = channels.taken(DRAW).is_some();
        let reports = channels.taken(PROCESSED);
        let queried = channels.taken(QUERY).map(|query| Query::decode(query).gpu as usize);
        let taken = channels.taken(GRANT).and(self.due.front()).map(|due| due.gpu);
        let now = fewest(self.remaining());
        let changed = now != self.last.fewest;
        corners.count(corners::BACK_TO_BACK, drawn && self.last.drew.is_some() && changed);
        let in_time = drawn && now != self.last.fewest_without_reports;
        corners.count(corners::REPORT_IN_TIME, in_time);

        let has_report = |gpu: usize| reports.is_some_and(|reports| reports[gpu] > 0);
        let last_had_report = |gpu: usize| self.last.reports[gpu] > 0;
        let gpus = self.p.gpus as usize;
        let all = taken.is_some() && (0..gpus).all(has_report);
        corners.count(corners::ALL_REPORT, all);
        if let Some(gpu) = queried.filter(|&gpu| gpu < gpus) {
            corners.count(corners::QUERY_AFTER_REPORT, last_had_report(gpu));
            corners.count(corners::QUERY_WITH_REPORT, has_report(gpu));
            corners.count(corners::QUERY_AS_TAKEN, taken == Some(gpu));
        }
        let Some(reports) = reports else { return };
        let held = |gpu: usize| self.given[gpu] - self.processed[gpu];
        if drawn {
            let counted = self.remaining().enumerate().map(|(gpu, remaining)| {
                remaining - if reports[gpu] <= held(gpu) { reports[gpu] } else { 0 }
            });
            corners.count(corners::REPORT_TOO_LATE, fewest(counted) != now);
        }
        // Only what was taken in the last clock, or in this one, makes it fit, or would.
        if let Some((gpu, triangles)) = self.last.taken.map(|gpu| (gpu, self.last.given)) {
            let fits = reports[gpu] <= held(gpu) && reports[gpu] + triangles > held(gpu);
            corners.count(corners::REPORT_OF_TAKEN, fits);
        }
        if let (Some(gpu), Some(due)) = (taken, self.due.front()) {
            let too_early = reports[gpu] > held(gpu) && reports[gpu] <= held(gpu) + due.triangles;
            corners.count(corners::REPORT_TOO_EARLY, too_early);
        }
    }
}

/// Takes the oldest if it is due at this clock.
fn take_due<T>(waiting: &mut VecDeque<(u64, T)>, clock: u64) -> Option<(u64, T)> {
    let is_due = waiting.front().is_some_and(|(due, _)| *due == clock);
    if is_due { waiting.pop_front() } else { None }
}

impl Contract for DrawContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.stalls.clock(channels, corners);
        self.check_grant(channels.at(GRANT))?;
        self.check_readiness(channels.at(DRAW), corners)?;
        self.check_answers(channels)?;
        self.count(channels, corners);

        let before = fewest(self.remaining());
        let drawn = channels.taken(DRAW);
        if let Some(draw) = drawn {
            self.draw(Draw::decode(draw).triangles, corners)?;
        }
        if let Some(query) = channels.taken(QUERY) {
            self.query(Query::decode(query).gpu as usize);
        }
        let without_reports = fewest(self.remaining());
        let reports = channels.taken(PROCESSED).map(<[u64]>::to_vec);
        if let Some(reports) = &reports {
            self.report(reports);
        }
        let taken = channels.taken(GRANT).and(self.due.front());
        let (taken, given) = taken.map_or((None, 0), |due| (Some(due.gpu), due.triangles));
        if taken.is_some() {
            self.take();
        }
        self.last = LastClock {
            drew: drawn.map(|_| before),
            reports: reports.unwrap_or_else(|| vec![0; self.p.gpus as usize]),
            fewest: before,
            fewest_without_reports: without_reports,
            taken,
            given,
        };
        let has_room = self.remaining().any(|remaining| remaining < self.p.many());
        self.room.push_back(has_room);
        if self.room.len() > self.p.report_latency as usize + 2 {
            self.room.pop_front();
        }
        self.clock += 1;
        Ok(())
    }
}
