//! The episodes of a run: in two lanes side by side, or all on one model that writes waves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use warpsmith_blocks::corners::Corners;

use super::{CosimError, Planned, RUN_ON, all_about, muted, waving};
use crate::backend::Models;
use crate::bench::Bench;
use crate::episode::{Episode, EpisodeStats};
use crate::lockstep::{Failure, Progress, run_ahead, run_briefly, run_told};
use crate::window::WavesTo;

/// Episodes that ran one after the other on a model, up to one that failed.
pub(super) struct Lane<'e> {
    pub each: Vec<EpisodeStats>,
    pub corners: Corners,
    pub failed: Option<(u64, Episode<'e>, Box<Failure>)>,
}

impl<'e> Lane<'e> {
    fn empty(bench: &Bench<'_>) -> Self {
        Self { each: Vec::new(), corners: bench.corners(), failed: None }
    }

    /// Runs episodes by `run`, which gets what to tell of its progress.
    fn new(
        bench: &Bench<'_>,
        episodes: impl IntoIterator<Item = (u64, Episode<'e>)>,
        progress: Progress<'_>,
        mut run: impl FnMut(&Episode<'e>, Progress<'_>) -> Judged,
    ) -> Self {
        let mut lane = Self::empty(bench);
        let mut before = 0;
        for (index, episode) in episodes {
            match run(&episode, &mut |offered| progress(before + offered)) {
                Ok((stats, met)) => {
                    before += stats.accepted;
                    lane.each.push(stats);
                    lane.corners.add(&met);
                }
                Err(failure) => {
                    lane.failed = Some((index, episode, failure));
                    break;
                }
            }
        }
        lane
    }
}

type Judged = Result<(EpisodeStats, Corners), Box<Failure>>;

/// Runs the last, long episode beside the short ones. Among these counts the first failure, else its own. What
/// its model prints is seen only if it fails alone, so that an error is told once.
pub(super) fn side_by_side<'e>(
    bench: &Bench<'_>,
    models: &Models,
    planned: &'e Planned,
    progress: &mut dyn FnMut(u64),
) -> Result<Lane<'e>, CosimError> {
    let mut short: Vec<_> = planned.episodes(true).collect();
    let long = short.pop();
    // Each lane has a core. A judge of its own needs another.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let lanes = if short.is_empty() { 1 } else { 2 };
    let run_lane = |episodes: Vec<_>, mute: bool, progress: Progress<'_>| {
        if episodes.is_empty() {
            return Ok(Lane::empty(bench));
        }
        let mut model = if mute { muted(models)? } else { models.instance()? };
        Ok::<_, CosimError>(Lane::new(bench, episodes, progress, |episode, progress| {
            match cores >= 2 * lanes {
                true => run_ahead(bench, &mut *model, episode, progress),
                false => run_briefly(bench, &mut *model, episode, progress),
            }
        }))
    };
    let (offered, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let short = scope.spawn(|| {
            let lane = run_lane(short, false, &mut |n| {
                offered.store(n, Ordering::Relaxed);
                true
            });
            failed.store(!matches!(lane, Ok(Lane { failed: None, .. })), Ordering::Relaxed);
            lane
        });
        let long = run_lane(long.into_iter().collect(), lanes == 2, &mut |n| {
            progress(n + offered.load(Ordering::Relaxed));
            !failed.load(Ordering::Relaxed)
        });
        let mut lane = short.join().expect("an episode does not panic")?;
        let mut mute = false;
        if lane.failed.is_none() {
            let long = long?;
            lane.each.extend(long.each);
            lane.corners.add(&long.corners);
            lane.failed = long.failed;
            mute = lanes == 2;
        }
        if let Some((_, episode, failure)) = &mut lane.failed {
            *failure = all_about(bench, models, episode, mute, failure.clone());
        }
        Ok(lane)
    })
}

/// Runs all episodes on one model that writes waves: of the whole run, which end at a divergence, or of a window.
pub(super) fn with_waves<'e>(
    bench: &Bench<'_>,
    models: &Models,
    planned: &'e Planned,
    waves: &WavesTo,
    progress: &mut dyn FnMut(u64),
) -> Result<Lane<'e>, CosimError> {
    let (mut model, whole) = waving(models.instance()?, Some(waves))?;
    let progress: Progress<'_> = &mut |n| {
        progress(n);
        true
    };
    let lane =
        Lane::new(bench, planned.episodes(!whole), progress, |episode, progress| match whole {
            true => run_told(bench, &mut *model, episode, RUN_ON, progress),
            false => run_ahead(bench, &mut *model, episode, progress)
                .map_err(|failure| all_about(bench, models, episode, false, failure)),
        });
    model.close_waves()?;
    Ok(lane)
}
