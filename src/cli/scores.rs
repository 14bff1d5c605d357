//! `warpsmith scores`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde::Serialize;
use warpsmith_blocks::block::Block;

use super::design::find;
use super::progress::while_told;
use super::{Blocks, MISMATCH, Outcome, UserError, say, say_json};
use crate::emission::Emission;
use crate::report;
use crate::scores::{Run, Score, Scores, State, make, state};

#[derive(Debug, Args)]
pub(super) struct ScoresArgs {
    /// Name of the block; all blocks if omitted
    block: Option<String>,
    /// Only this preset
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Runs to make now and to record; without it, the recorded scores are printed
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, default_missing_value = "missing")]
    run: Option<Which>,
    /// Mutants judged in parallel. Default: one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Folder of the scores, with one file BLOCK.toml each
    #[arg(long, value_name = "DIR", default_value = "tests/scores")]
    scores: PathBuf,
    /// Folder for netlists, proofs and verdicts, from which an interrupted run resumes
    #[arg(long, value_name = "DIR", default_value = "flow-out/scores")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Those whose score is of another circuit
    Stale,
    /// Those, and those without a score
    Missing,
    /// All of them: a score that is lower than recorded is exit code 1
    All,
}

/// The scores of a block.
#[derive(Serialize)]
struct BlockScores {
    block: &'static str,
    runs: Vec<RunScore>,
}

#[derive(Serialize)]
struct RunScore {
    #[serde(flatten)]
    run: Run,
    /// The command of this run alone.
    mutate: String,
    state: State,
    /// Whether it was made now.
    made: bool,
    /// Percentage of killed among killed and survived; none if there is no score or no fault.
    score_percent: Option<f64>,
    /// Whether it is lower than recorded.
    lower: bool,
    score: Option<Score>,
}

pub(super) fn run(args: &ScoresArgs, json: bool) -> Outcome {
    let blocks = match &args.block {
        Some(name) => vec![find(name)?],
        None => warpsmith_blocks::all().to_vec(),
    };
    let mut runs = Run::all();
    if let Some(preset) = &args.preset {
        runs.retain(|run| run.preset == *preset);
        if runs.is_empty() {
            let what = format!("no scores are kept of preset `{preset}`; accepted: ");
            return Err(UserError::new(what + "tiny, fpga, paper"));
        }
    }
    // A malformed file is an error before the first run.
    let read = |block: &&'static Block| Scores::read(&args.scores, block.name);
    let recorded = blocks.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    for (block, mut scores) in blocks.into_iter().zip(recorded) {
        let of_run = |run: &Run| of_run(args, block, &mut scores, run, json);
        let runs = runs.iter().map(of_run).collect::<Result<Vec<_>, _>>()?;
        all.push(BlockScores { block: block.name, runs });
    }
    match json {
        true => say_json(&Blocks { blocks: &all })?,
        false => {
            let rows = all.iter().flat_map(|of| of.runs.iter().map(move |run| (of.block, run)));
            let rows = rows.map(|(block, RunScore { run, state, score, .. })| {
                report::scores::Row { block, run, state: *state, score: score.as_ref() }
            });
            say(report::scores::text(rows));
        }
    }
    let is_lower = all.iter().flat_map(|of| &of.runs).any(|run| run.lower);
    Ok(ExitCode::from(if is_lower { MISMATCH } else { 0 }))
}

fn of_run(
    args: &ScoresArgs,
    block: &'static Block,
    scores: &mut Scores,
    run: &Run,
    json: bool,
) -> Result<RunScore, UserError> {
    let mut state = state(block, scores, run)?;
    let made = match (args.run, state) {
        (None, _) | (Some(Which::Stale), State::Missing) => false,
        (Some(Which::All), _) => true,
        (Some(_), state) => state != State::Recorded,
    };
    let mutate = run.command(block.name);
    let earlier = scores.of(run).and_then(|score| score.counts.score_percent());
    if made {
        let name = format!("{}-{}-{}-{}", block.name, run.preset, run.faults.name(), run.seed);
        let jobs = args.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            usize::from,
        );
        let score = while_told(json, |tell| {
            let tell = |what: &str| tell(&format!("{mutate}: {what}"));
            make(block, run, jobs, args.out.join(name), &tell)
        })?;
        scores.put(score);
        let path = Scores::path(&args.scores, block.name);
        Emission { files: vec![(path, scores.text(block.name))] }.write()?;
        state = State::Recorded;
    }
    let score = scores.of(run).cloned();
    let score_percent = score.as_ref().and_then(|score| score.counts.score_percent());
    let lower = made && earlier.zip(score_percent).is_some_and(|(earlier, now)| now < earlier);
    Ok(RunScore { run: run.clone(), mutate, state, made, score_percent, lower, score })
}
