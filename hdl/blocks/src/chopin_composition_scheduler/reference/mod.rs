//! The scheduler as a sequential program (6.4.5, figures 6.10 and 6.11). Of what comes at one clock,
//! `finished` counts first, then `done`; what is taken from `start` counts last.
//!
//! A start is chosen some clocks before it is taken, so it need not count the last events. The reference
//! therefore keeps the table as it was after each of the last events, and lets the start be the preferred one
//! of any of them, but never of an earlier one than that of the start before it.

mod table;

use std::collections::VecDeque;

use super::channels::{
    DONE, DONE_ERROR, ERROR, FINISHED, Finished, Misuse, NEVER_STARTED, START, Start, Transfer,
};
use super::exercise;
use super::params::Params;
use crate::kit::*;
pub use table::Row;
use table::Table;

/// Events that a start need not count: a `finished` and a `done` in each of the last two clocks before the
/// one in which it is chosen.
const LATE_EVENTS: usize = 4;

/// The reference model.
#[derive(Clone, Debug)]
pub struct CompositionScheduler {
    /// The table after each of the last events, the latest last.
    views: VecDeque<Table>,
    /// Any start that is allowed is as good as the preferred one.
    any_policy: bool,
}

impl CompositionScheduler {
    /// No GPU has finished a group.
    pub fn new(params: &Params) -> Self {
        Self { views: VecDeque::from([Table::new(params)]), any_policy: false }
    }

    /// The same, but it leaves open which of several pairs goes first.
    pub fn of_any_policy(params: &Params) -> Self {
        Self { any_policy: true, ..Self::new(params) }
    }

    /// The table after the last event, a row a GPU.
    pub fn rows(&self) -> &[Row] {
        &self.latest().rows
    }

    /// The transfer that starts next, if one may.
    pub fn preferred(&self) -> Option<Start> {
        self.latest().preferred()
    }

    fn latest(&self) -> &Table {
        self.views.back().expect("a view")
    }

    fn finished(&mut self, finished: Finished, corners: &mut Corners) -> Result<(), Misuse> {
        let mut table = self.latest().clone();
        table.finished(finished, corners)?;
        self.views.push_back(table);
        Ok(())
    }

    fn done(&mut self, done: Transfer, corners: &mut Corners) -> bool {
        let dst = self.latest().rows.get(done.dst as usize);
        if let Some(source) = dst.and_then(|row| row.receiving) {
            let place = done.dst as usize;
            corners.compare_at(exercise::SOURCES, place, done.src, source as u64);
        }
        let mut table = self.latest().clone();
        let is_known = table.done(done, corners);
        if is_known {
            self.views.push_back(table);
        }
        is_known
    }

    /// The start that was expected where this one is taken.
    fn start(&mut self, start: Start, corners: &mut Corners) -> Option<Start> {
        let fits = |table: &Table| match self.any_policy {
            true => table.may_start(start.src as usize, start.dst as usize),
            false => table.preferred() == Some(start),
        };
        let Some(known) = self.views.iter().position(fits) else { return self.preferred() };
        self.views.drain(..known);
        let expected = Start { cgid: self.views[0].rows[start.dst as usize].cgid(), ..start };
        self.latest().count_start(&start, corners);
        self.views.iter_mut().for_each(|table| table.start(&start));
        self.views.drain(..self.views.len().saturating_sub(LATE_EVENTS + 1));
        Some(expected)
    }
}

impl Reference for CompositionScheduler {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            FINISHED => {
                let misuse = self.finished(Finished::decode(payload), outcome.corners).err();
                if let Some(misuse) = misuse {
                    outcome.sink.expect(ERROR, &[misuse as u64]);
                }
            }
            DONE => {
                if !self.done(Transfer::decode(payload), outcome.corners) {
                    outcome.sink.expect(DONE_ERROR, &[NEVER_STARTED]);
                }
            }
            _ => panic!("channel {channel} is no input"),
        }
    }

    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        if channel != START {
            return;
        }
        if let Some(expected) = self.start(Start::decode(payload), outcome.corners) {
            outcome.sink.expect(START, &expected.encode());
        }
    }

    fn choose(&self) -> Option<(usize, Vec<u64>)> {
        Some((START, self.preferred()?.encode().to_vec()))
    }

    fn state(&self) -> Vec<String> {
        let next = self.preferred().map(|start| format!("preferred: {start}"));
        let rows = self.rows().iter().enumerate();
        next.into_iter().chain(rows.map(|(gpu, row)| format!("GPU {gpu}: {row}"))).collect()
    }
}
