//! The draw scheduler as a sequential program (6.4.4, figure 6.9). Of what comes at one clock, `draw` counts
//! first, then `query`, then `processed`; what is taken from `grant` counts last.

use std::collections::VecDeque;

use super::channels::{
    DRAW, Draw, ERROR, ErrorReport, GRANT, Grant, NOT_SCHEDULED, PROCESSED, QUERY, Query, TOTALS,
    Totals,
};
use super::params::Params;
use super::{corners, exercise};
use crate::kit::*;

/// The entry of a GPU.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Triangles of draws that go to it.
    scheduled: u64,
    /// Of these, triangles of grants that were taken.
    given: u64,
    /// Triangles that it has reported.
    processed: u64,
}

impl Entry {
    fn remaining(&self) -> u64 {
        self.scheduled - self.processed
    }

    /// Triangles that it can still report.
    fn held(&self) -> u64 {
        self.given - self.processed
    }
}

/// The reference model.
#[derive(Clone, Debug)]
pub struct DrawScheduler {
    params: Params,
    entries: Vec<Entry>,
    /// Draws whose grants are not taken: GPU and triangles, the oldest first.
    granted: VecDeque<(usize, u64)>,
}

impl DrawScheduler {
    /// Nothing is scheduled yet.
    pub fn new(params: &Params) -> Self {
        let entries = vec![Entry::default(); params.gpus as usize];
        Self { params: params.clone(), entries, granted: VecDeque::new() }
    }

    /// The triangles that remain of each GPU.
    pub fn remaining(&self) -> Vec<u64> {
        self.entries.iter().map(Entry::remaining).collect()
    }

    fn draw(&mut self, triangles: u64, outcome: &mut Outcome<'_>) {
        let remaining = self.remaining();
        // Of equal ones the first.
        let gpu = (0..remaining.len()).min_by_key(|&gpu| remaining[gpu]).expect("GPUs");
        self.entries[gpu].scheduled += triangles;
        self.granted.push_back((gpu, triangles));
        outcome.sink.expect(GRANT, &Grant { gpu: gpu as u64 }.encode());

        let corners = &mut outcome.corners;
        corners.count(corners::DRAW_OF_NONE, triangles == 0);
        corners.count(corners::DRAW_OF_MOST, triangles == self.params.largest_draw());
        let equal = remaining.iter().filter(|&&other| other == remaining[gpu]).count();
        corners.count(corners::TIE, equal > 1);
        corners.count(corners::ALL_EQUAL, equal == remaining.len() && remaining[gpu] > 0);
    }

    fn processed(&mut self, reports: &[u64], outcome: &mut Outcome<'_>) {
        let mut refused = 0;
        for (gpu, (entry, &report)) in self.entries.iter_mut().zip(reports).enumerate() {
            exercise::note_report(&self.params, gpu, report, entry.held(), outcome.corners);
            if report > entry.held() {
                refused |= 1 << gpu;
                continue;
            }
            outcome.corners.count(corners::REPORT_OF_ALL, report > 0 && report == entry.held());
            let before = self.params.wrapped(entry.processed);
            entry.processed += report;
            let wraps = self.params.wrapped(entry.processed) < before;
            outcome.corners.count(corners::TOTAL_WRAPS, wraps);
        }
        if refused != 0 {
            let error = ErrorReport { code: NOT_SCHEDULED, gpus: refused };
            outcome.sink.expect(ERROR, &error.encode());
            let all = refused.count_ones() == self.params.gpus;
            outcome.corners.count(corners::ERROR_OF_ALL, all);
            let counts = |(gpu, &report): (usize, &u64)| report > 0 && refused >> gpu & 1 == 0;
            outcome.corners.count(corners::ERROR_BESIDE, reports.iter().enumerate().any(counts));
        }
    }

    fn query(&self, gpu: u64, outcome: &mut Outcome<'_>) {
        let entry = self.entries.get(gpu as usize);
        let total = |of: fn(&Entry) -> u64| entry.map_or(0, |entry| self.params.wrapped(of(entry)));
        let totals = Totals { scheduled: total(|e| e.given), processed: total(|e| e.processed) };
        outcome.corners.count(corners::QUERY_OF_NONE, entry.is_none());
        if entry.is_some() {
            exercise::note_totals(gpu as usize, &totals, outcome.corners);
        }
        outcome.sink.expect(TOTALS, &totals.encode());
    }
}

impl Reference for DrawScheduler {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            DRAW => self.draw(Draw::decode(payload).triangles, outcome),
            QUERY => self.query(Query::decode(payload).gpu, outcome),
            PROCESSED => self.processed(payload, outcome),
            _ => panic!("channel {channel} is no input"),
        }
    }

    // A GPU has what it was given.
    fn taken(&mut self, channel: usize, _: &[u64], _: &mut Outcome<'_>) {
        if channel == GRANT
            && let Some((gpu, triangles)) = self.granted.pop_front()
        {
            self.entries[gpu].given += triangles;
        }
    }

    fn state(&self) -> Vec<String> {
        let entry = |(gpu, entry): (usize, &Entry)| {
            let Entry { scheduled, given, processed } = entry;
            let remaining = entry.remaining();
            format!(
                "GPU {gpu}: {remaining} remain: {scheduled} scheduled, {given} given, {processed} processed"
            )
        };
        let mut text: Vec<_> = self.entries.iter().enumerate().map(entry).collect();
        text.extend(
            self.granted.iter().map(|(gpu, t)| format!("  to be taken: {t} for GPU {gpu}")),
        );
        text
    }
}
