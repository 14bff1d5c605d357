//! Co-simulation of a block: episodes over its straps, corners, verdict.

mod lanes;
mod small;
mod summary;

use std::path::Path;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use warpsmith_blocks::verification::StimulusRng;

use self::lanes::{Lane, side_by_side, with_waves};
use self::small::make_small;
use self::summary::summarise;
pub use self::summary::{ChannelSummary, CornerSummary, Summary};
use crate::agents::Stalls;
use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::episode::{Episode, Replay, Source};
use crate::lockstep::{Failure, run};
use crate::mismatch::{Divergence, Mismatch};
use crate::model::Model;
use crate::window::{WavesTo, Windowed};

/// Clocks in the waves after a divergence.
const RUN_ON: u64 = 16;
/// Most episodes of a run, each with its own straps, beside the brief ones; the last has half of the requests.
const EPISODES: u64 = 32;
/// Brief episodes for each of these. They come first: a wrong state after a reset shows in a few requests, but not
/// after each reset.
const BRIEF: u64 = 2;
const BRIEF_REQUESTS: u64 = 128;
/// Requests that make an episode worth its reset.
const EPISODE_REQUESTS: u64 = 4096;

/// A co-simulation to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Requests in all.
    pub requests: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Index of the stream.
    pub stream: usize,
    /// Stalls of the environment.
    pub stalls: Stalls,
    /// Number of episodes; none: as many as are worth their resets, at most 32, and twice as many brief ones.
    pub episodes: Option<u64>,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Circuit and reference agreed in every transfer.
    Equal,
    /// They diverged.
    Diverged(Box<Divergent>),
}

/// A run that diverged.
#[derive(Clone, Debug)]
pub struct Divergent {
    /// The first occurrence of the divergence.
    pub mismatch: Mismatch,
    /// The episode of the first occurrence, from 0.
    pub episode: u64,
    /// The shrunk stream and its divergence; none if only the whole run diverges.
    pub small: Option<(Replay, Mismatch)>,
}

/// Runs a plan on models of a circuit, writing waves if a file is given. `progress` receives the number of
/// offered requests.
///
/// Without waves the long episode and the short ones run side by side, whatever the number of cores, so that the
/// result does not depend on it.
///
/// # Errors
/// Fails if no model can be built or the waves cannot be written.
pub fn cosim(
    bench: &Bench<'_>,
    models: &Models,
    plan: &Plan,
    waves: Option<&WavesTo>,
    progress: &mut dyn FnMut(u64),
) -> Result<(Summary, Verdict), CosimError> {
    let planned = Planned::new(bench, plan);
    let Lane { mut each, mut corners, failed } = match waves {
        Some(waves) => with_waves(bench, models, &planned, waves, progress)?,
        None => side_by_side(bench, models, &planned, progress)?,
    };
    let Some((index, episode, failure)) = failed else {
        return Ok((summarise(bench, each, &corners), Verdict::Equal));
    };
    corners.add(&failure.corners);
    let small = make_small(bench, models, &episode, &failure)?;
    let Failure { mismatch, stats, .. } = *failure;
    each.push(stats);
    let divergent = Divergent { mismatch, episode: index, small };
    Ok((summarise(bench, each, &corners), Verdict::Diverged(Box::new(divergent))))
}

/// The model with its waves open; whether they are of the whole run.
fn waving(
    mut model: Box<dyn Model>,
    waves: Option<&WavesTo>,
) -> Result<(Box<dyn Model>, bool), CosimError> {
    let Some(WavesTo { path, window }) = waves else { return Ok((model, false)) };
    Ok(match window {
        Some(window) => (Box::new(Windowed::new(model, path, window.clone())), false),
        None => {
            model.open_waves(path)?;
            (model, true)
        }
    })
}

/// The first mismatch of a plan, if any, in lockstep on this thread and without shrinking: for callers that
/// run many.
///
/// # Errors
/// Fails if no model can be built.
pub fn first_mismatch(
    bench: &Bench<'_>,
    models: &Models,
    plan: &Plan,
) -> Result<Option<Mismatch>, CosimError> {
    let mut model = models.instance()?;
    let planned = Planned::new(bench, plan);
    let mut episodes = planned.episodes(true);
    Ok(episodes.find_map(|(_, episode)| Some(run(bench, &mut *model, &episode, 0).err()?.mismatch)))
}

/// The episodes of a plan.
struct Planned {
    plan: Plan,
    brief: u64,
    count: u64,
    /// Strap values of the episodes, used cyclically.
    straps: Vec<Vec<u64>>,
    rng: StimulusRng,
}

impl Planned {
    fn new(bench: &Bench<'_>, plan: &Plan) -> Self {
        let mut rng = StimulusRng::seed_from_u64(plan.seed);
        let straps = shuffled_straps(bench, &mut rng);
        let worth = (plan.requests / EPISODE_REQUESTS).clamp(1, EPISODES);
        let count = plan.episodes.unwrap_or(worth).clamp(1, plan.requests.max(1));
        let brief = if plan.episodes.is_none() && worth > 1 { BRIEF * worth } else { 0 };
        Self { plan: *plan, brief, count, straps, rng }
    }

    fn episodes(&self, warm: bool) -> impl Iterator<Item = (u64, Episode<'_>)> {
        let (Plan { requests, stream, stalls, .. }, brief) = (self.plan, self.brief);
        let (all, requests) = (brief + self.count, requests - brief * BRIEF_REQUESTS);
        let mut rng = self.rng.clone();
        (0..all).map(move |index| {
            let straps = &self.straps[index as usize % self.straps.len()];
            // The last episode is long: some faults need many requests since reset.
            let short = (requests / 2).checked_div(self.count - 1).unwrap_or(0).max(1);
            let requests = match index {
                _ if index < brief => BRIEF_REQUESTS,
                _ if index + 1 < all => short,
                _ => requests - short * (self.count - 1),
            };
            let seed = rng.next_u64();
            let source = Source::Stream { stream, seed, requests };
            // The requests before a reset begin as those after it, which meet what the reset did not clear.
            (index, Episode { straps, stalls, stall_seed: seed, warm, source })
        })
    }
}

/// Values of the straps in random order; all of them if there are few.
fn shuffled_straps(bench: &Bench<'_>, rng: &mut StimulusRng) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for strap in bench.straps() {
        let with = |straps: &Vec<u64>, value| [straps.as_slice(), &[value]].concat();
        let values = strap.values.min(1024);
        all = all.iter().flat_map(|s| (0..values).map(move |value| with(s, value))).collect();
    }
    all.shuffle(rng);
    all
}

/// Repeats a diverged episode in lockstep for the full report. A divergence that depends on earlier episodes
/// is reported as first seen. What the model prints is seen unless it was before.
fn all_about(
    bench: &Bench<'_>,
    models: &Models,
    episode: &Episode<'_>,
    was_mute: bool,
    seen: Box<Failure>,
) -> Box<Failure> {
    // What stops a model in the requests before the reset also stops it in those after one, which are judged.
    let stops =
        matches!(seen.mismatch.divergence, Divergence::Complaint { never_alive: false, .. });
    let is_early = stops && seen.mismatch.clock == 0;
    for warm in [is_early.then_some(false), Some(episode.warm)].into_iter().flatten() {
        let episode = Episode { warm, ..episode.clone() };
        let model = if was_mute { models.instance() } else { muted(models) };
        let again = model.map(|mut model| run(bench, &mut *model, &episode, 0));
        if let Ok(Err(failure)) = again {
            return failure;
        }
    }
    seen
}

/// A model without output: the first run has already printed it.
fn muted(models: &Models) -> Result<Box<dyn Model>, BackendError> {
    let mut model = models.instance()?;
    model.mute();
    Ok(model)
}

/// Writes waves of a recorded episode until some clocks after a divergence.
///
/// # Errors
/// As [`replay`].
pub fn write_waves(
    bench: &Bench<'_>,
    models: &Models,
    recorded: &Replay,
    path: &Path,
) -> Result<(), CosimError> {
    let waves = WavesTo { path: path.to_owned(), window: None };
    run_recorded(bench, muted(models)?, recorded, Some(&waves)).map(drop)
}

/// Runs a recorded episode once until some clocks after a divergence, writing waves if a file is given.
///
/// # Errors
/// Fails if no model can be built or the waves cannot be written.
pub fn replay(
    bench: &Bench<'_>,
    models: &Models,
    recorded: &Replay,
    waves: Option<&WavesTo>,
) -> Result<(Summary, Verdict), CosimError> {
    run_recorded(bench, models.instance()?, recorded, waves)
}

fn run_recorded(
    bench: &Bench<'_>,
    model: Box<dyn Model>,
    recorded: &Replay,
    waves: Option<&WavesTo>,
) -> Result<(Summary, Verdict), CosimError> {
    let (mut model, _) = waving(model, waves)?;
    let result = run(bench, &mut *model, &recorded.episode(), RUN_ON);
    model.close_waves()?;
    let (stats, corners, verdict) = match result {
        Ok((stats, corners)) => (stats, corners, Verdict::Equal),
        Err(failure) => {
            let Failure { mismatch, stats, corners, .. } = *failure;
            let divergent = Divergent { mismatch, episode: 0, small: None };
            (stats, corners, Verdict::Diverged(Box::new(divergent)))
        }
    };
    Ok((summarise(bench, vec![stats], &corners), verdict))
}

/// Why a co-simulation could not run.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    /// No model can be built.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The waves could not be written.
    #[error(transparent)]
    Waves(#[from] crate::model::ModelError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brief_episodes_come_first_and_the_last_has_half_of_the_requests() {
        let block = warpsmith_blocks::find("hmg_directory").expect("the directory");
        let design = block.configure("tiny", &[]).expect("a preset");
        let circuit = design.circuit();
        let bench = Bench::new(&*design, &circuit);
        let lengths = |requests, episodes| -> Vec<u64> {
            let plan = Plan { requests, seed: 1, stream: 0, stalls: Stalls::None, episodes };
            let length = |(_, episode): (u64, Episode<'_>)| match episode.source {
                Source::Stream { requests, .. } => requests,
                _ => panic!("a stream is planned"),
            };
            Planned::new(&bench, &plan).episodes(true).map(length).collect()
        };
        for (requests, brief, all) in
            [(1, 0, 1), (8_191, 0, 1), (8_192, 4, 6), (100_000, 48, 72), (1_000_000, 64, 96)]
        {
            let lengths = lengths(requests, None);
            assert_eq!((lengths.len(), lengths.iter().sum::<u64>()), (all, requests));
            assert!(lengths[..brief].iter().all(|&length| length == BRIEF_REQUESTS));
            let last = lengths.last().expect("an episode");
            assert!(2 * last >= requests - BRIEF_REQUESTS * brief as u64, "{lengths:?}");
        }
        assert_eq!(lengths(1_000, Some(3)), [250, 250, 500]);
    }
}
