//! Runs the missing points of a sweep in parallel and keeps each result.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use thiserror::Error;
use warpsmith_blocks::block::Design;

use super::grid::Point;
use super::journal::Journal;
use super::record::{Outcome, PointRecord};
use crate::flow::FlowError;
use crate::journal::JournalError;

/// Measures one point.
pub trait Measure: Sync {
    /// Hash of everything the figures depend on.
    ///
    /// # Errors
    /// Fails if a tool or library is missing.
    fn key(&self, point: &Point, design: &dyn Design) -> Result<String, FlowError>;

    /// The figures, or why there are none.
    fn measure(&self, point: &Point, design: &dyn Design, key: &str) -> Outcome;
}

/// A finished sweep.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Every point, in the order of the grid.
    pub records: Vec<PointRecord>,
    /// Points with figures from an earlier run.
    pub reused: usize,
}

/// Why a sweep stopped early. Finished points are kept.
#[derive(Debug, Error)]
pub enum SweepError {
    /// A tool or library is missing.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// Results cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Progress of a sweep.
pub enum Event<'a> {
    /// Number of points to measure; the others have results or are impossible.
    Missing(usize),
    /// A point was started.
    Started(&'a Point),
    /// A point has ended.
    Ended(&'a Point),
}

/// The input of a sweep.
pub struct Sweep<'a> {
    /// Name of the block.
    pub block: &'a str,
    /// Preset that the points vary.
    pub preset: &'a str,
    /// The grid.
    pub points: &'a [Point],
    /// Points to measure in parallel.
    pub jobs: NonZeroUsize,
}

impl Sweep<'_> {
    /// Measures the points that the journal lacks.
    ///
    /// # Errors
    /// Returns [`SweepError`] if the sweep cannot go on. A failed point is an outcome, not an error.
    pub fn run(
        &self,
        measure: &dyn Measure,
        journal: &mut Journal,
        progress: &mut dyn FnMut(Event<'_>),
    ) -> Result<Finished, SweepError> {
        let keys = self.keys(measure)?;
        let have = |key: &String| journal.measured(key).is_some();
        let reused = keys.iter().flatten().filter(|key| have(key)).count();
        // Points with the same circuit are measured once.
        let missing: BTreeMap<&String, usize> = keys
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(index, key)| Some((key.as_ref()?, index)))
            .filter(|(key, _)| !have(key))
            .collect();
        let mut missing: Vec<_> = missing.into_iter().map(|(key, index)| (index, key)).collect();
        missing.sort_unstable();
        progress(Event::Missing(missing.len()));
        let outcomes = self.measure_all(measure, &missing, journal, progress)?;

        let outcome = |key: &String| match (outcomes.get(key), journal.measured(key)) {
            (Some(outcome), _) => outcome.clone(),
            (None, Some(record)) => record.outcome.clone(),
            (None, None) => unreachable!("every point was measured"),
        };
        let record = |(point, key): (&Point, &Option<String>)| {
            let outcome = match (key, &point.design) {
                (Some(key), _) => outcome(key),
                (None, Err(message)) => Outcome::Impossible { message: message.clone() },
                (None, Ok(_)) => unreachable!("every design has a key"),
            };
            PointRecord::new(self.block, self.preset, point, key.clone(), outcome)
        };
        Ok(Finished { records: self.points.iter().zip(&keys).map(record).collect(), reused })
    }

    fn keys(&self, measure: &dyn Measure) -> Result<Vec<Option<String>>, FlowError> {
        let key = |point: &Point| {
            point.design.as_ref().ok().map(|d| measure.key(point, &**d)).transpose()
        };
        self.points.iter().map(key).collect()
    }

    /// The outcomes of the points with these indices and keys.
    fn measure_all(
        &self,
        measure: &dyn Measure,
        missing: &[(usize, &String)],
        journal: &mut Journal,
        progress: &mut dyn FnMut(Event<'_>),
    ) -> Result<BTreeMap<String, Outcome>, JournalError> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let work = |sender: mpsc::Sender<_>| {
            while !stop.load(Ordering::Relaxed) {
                let Some(&(index, key)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                let point = &self.points[index];
                let Ok(design) = &point.design else { continue };
                // The receiver is gone only if the sweep is being given up.
                let _ = sender.send((point, key, None));
                let _ = sender.send((point, key, Some(measure.measure(point, &**design, key))));
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.jobs.get().min(missing.len()) {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            let mut outcomes = BTreeMap::new();
            for (point, key, outcome) in receiver {
                let Some(outcome) = outcome else {
                    progress(Event::Started(point));
                    continue;
                };
                let key = key.clone();
                let record = PointRecord::new(
                    self.block,
                    self.preset,
                    point,
                    Some(key.clone()),
                    outcome.clone(),
                );
                journal.append(&record).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                outcomes.insert(key, outcome);
                progress(Event::Ended(point));
            }
            Ok(outcomes)
        })
    }
}
