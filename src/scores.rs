//! Mutation scores of the blocks at every preset, recorded in a file for each block.
//!
//! A score is recorded with the circuit it was made of, as a hash of its Verilog without comments. One of
//! another circuit is stale.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use warpsmith_blocks::block::Block;
use warpsmith_blocks::parameters::ParameterError;

use crate::baseline::circuit_key;
use crate::flow::mutate::mutation::MutationKind;
use crate::flow::mutate::planting::Selection;
use crate::flow::mutate::record::{Counts, Judged, MutantVerdict};
use crate::flow::mutate::{MutationOptions, mutate};
use crate::flow::synth::Subject;
use crate::flow::{FlowError, Tell};

/// Processor time of the longest proof about one mutant.
const PROOF_LIMIT: Duration = Duration::from_secs(20);

/// Why scores cannot be read or made.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// The file cannot be read.
    #[error("cannot read scores {}: {source}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is malformed.
    #[error("{} is not a file of scores: {why}", path.display())]
    Format {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The block has no such preset.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A tool is missing or failed.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

/// The faults of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Faults {
    /// Every bit of every comparison of two variables ignored, outside of parts that have scores of their own.
    Comparators,
    /// A sample of all kinds but yosys's.
    Own,
    /// A sample of yosys's mutations.
    Yosys,
}

impl Faults {
    /// Name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Faults::Comparators => "comparators",
            Faults::Own => "own",
            Faults::Yosys => "yosys",
        }
    }
}

/// A run of mutation that every block is to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Preset of the block.
    pub preset: String,
    /// Its faults.
    pub faults: Faults,
    /// Mutants to draw; every one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Seed of the draw and of co-simulation.
    pub seed: u32,
    /// Requests for each mutant, until it is found.
    pub requests: u64,
}

impl Run {
    /// The runs of a block, over its presets.
    pub fn all() -> Vec<Self> {
        let run = |preset: &str, faults, count, seed| Self {
            preset: preset.to_string(),
            faults,
            count,
            seed,
            requests: if preset == "tiny" { 100_000 } else { 1_000_000 },
        };
        vec![
            run("tiny", Faults::Comparators, None, 1),
            run("tiny", Faults::Own, Some(120), 1),
            run("tiny", Faults::Yosys, Some(200), 1),
            run("fpga", Faults::Comparators, None, 1),
            run("fpga", Faults::Own, Some(120), 1),
            run("fpga", Faults::Yosys, Some(200), 101),
            run("fpga", Faults::Yosys, Some(200), 102),
            run("paper", Faults::Comparators, None, 1),
            run("paper", Faults::Own, Some(60), 1),
        ]
    }

    /// The kinds of its mutants.
    fn kinds(&self) -> Vec<MutationKind> {
        match self.faults {
            Faults::Comparators => vec![MutationKind::Comparator],
            Faults::Own => MutationKind::OWN.to_vec(),
            Faults::Yosys => vec![MutationKind::Yosys],
        }
    }

    /// The equivalent command.
    pub fn command(&self, block: &str) -> String {
        let Self { preset, faults, count, seed, requests } = self;
        let faults = match faults {
            Faults::Comparators => "--comparators --outside-parts",
            Faults::Own => "--kinds own",
            Faults::Yosys => "--kinds yosys",
        };
        let count = count.map(|count| format!(" --count {count}")).unwrap_or_default();
        let limit = PROOF_LIMIT.as_secs();
        format!(
            "warpsmith mutate {block} --preset {preset} {faults}{count} --seed {seed} \
             --requests {requests} --proof-limit {limit}"
        )
    }
}

/// The score of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// SHA-256 of the circuit's Verilog without comments.
    pub verilog: String,
    /// Number of mutants with each verdict.
    #[serde(flatten)]
    pub counts: Counts,
    /// Where each survivor is, and its change.
    #[serde(default)]
    pub survivors: Vec<String>,
}

/// The scores of a block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// One for each run.
    #[serde(default)]
    pub scores: Vec<Score>,
}

impl Scores {
    /// The file of a block's scores.
    pub fn path(folder: &Path, block: &str) -> PathBuf {
        folder.join(format!("{block}.toml"))
    }

    /// Reads a block's scores; none if the file does not exist.
    ///
    /// # Errors
    /// Fails if it cannot be read or is malformed.
    pub fn read(folder: &Path, block: &str) -> Result<Self, ScoreError> {
        let path = Self::path(folder, block);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(source) => return Err(ScoreError::Read { path, source }),
        };
        toml::from_str(&text).map_err(|error| ScoreError::Format { path, why: error.to_string() })
    }

    /// The text of the file.
    pub fn text(&self, block: &str) -> String {
        let text = toml::to_string(self).expect("scores are TOML");
        format!("# Made by `warpsmith scores {block} --run`.\n\n{text}")
    }

    /// The score of a run.
    pub fn of(&self, run: &Run) -> Option<&Score> {
        self.scores.iter().find(|score| score.run == *run)
    }

    /// Puts a score in, in the order of [`Run::all`]; runs that are no longer there are dropped.
    pub fn put(&mut self, score: Score) {
        let mut old = std::mem::take(&mut self.scores);
        old.retain(|other| other.run != score.run);
        old.push(score);
        let in_order = Run::all().into_iter();
        self.scores =
            in_order.filter_map(|run| old.iter().find(|score| score.run == run).cloned()).collect();
    }
}

/// How a run stands against its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its score is of the present circuit.
    Recorded,
    /// Its score is of another circuit.
    Stale,
    /// It has no score.
    Missing,
}

/// How a run of the block stands.
///
/// # Errors
/// Fails if the block has no such preset.
pub fn state(block: &Block, scores: &Scores, run: &Run) -> Result<State, ScoreError> {
    let Some(score) = scores.of(run) else { return Ok(State::Missing) };
    let design = block.configure(&run.preset, &[])?;
    Ok(if circuit_key(&*design)? == score.verilog { State::Recorded } else { State::Stale })
}

/// Makes the score of a run in `folder`, which also keeps the verdicts so far.
///
/// # Errors
/// Fails if a tool is missing or fails.
pub fn make(
    block: &Block,
    run: &Run,
    jobs: usize,
    folder: PathBuf,
    tell: Tell<'_>,
) -> Result<Score, ScoreError> {
    let design = block.configure(&run.preset, &[])?;
    let Run { preset, count, seed, requests, .. } = run.clone();
    let options = MutationOptions {
        selection: Selection { kinds: run.kinds(), count, seed, only: None },
        outside_parts: run.faults == Faults::Comparators,
        source: None,
        requests,
        jobs,
        proof_limit: PROOF_LIMIT,
        folder,
    };
    let subject = Subject { design: &*design, preset: &preset };
    let record = mutate(&subject, &options, tell)?;
    let survives = |judged: &&Judged| matches!(judged.verdict, MutantVerdict::Survived { .. });
    Ok(Score {
        run: run.clone(),
        verilog: circuit_key(&*design)?,
        counts: record.counts,
        survivors: record.mutants.iter().filter(survives).map(describe).collect(),
    })
}

fn describe(judged: &Judged) -> String {
    let mutant = &judged.mutant;
    let place = mutant.location.as_ref().map(|place| format!("{}:{}: ", place.file, place.line));
    let signal = mutant.signal.as_ref().map(|signal| format!(", at {signal}"));
    format!("{}{}{}", place.unwrap_or_default(), mutant.change, signal.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(run: Run, killed: u32) -> Score {
        let counts = Counts { killed, ..Counts::default() };
        Score { run, verilog: "0".to_string(), counts, survivors: vec!["a.v:1: odd".to_string()] }
    }

    #[test]
    fn scores_are_read_as_they_were_written_in_the_order_of_the_runs() {
        let runs = Run::all();
        let mut scores = Scores::default();
        for (killed, run) in (1..).zip(runs.iter().rev()) {
            scores.put(score(run.clone(), killed));
        }
        scores.put(score(runs[0].clone(), 99));
        let order: Vec<_> = scores.scores.iter().map(|score| score.run.clone()).collect();
        assert_eq!((order, scores.scores[0].counts.killed), (runs, 99));
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(Scores::path(folder.path(), "b"), scores.text("b")).unwrap();
        assert_eq!(Scores::read(folder.path(), "b").unwrap(), scores);
        assert_eq!(Scores::read(folder.path(), "none").unwrap(), Scores::default());
    }

    #[test]
    fn a_score_of_another_circuit_is_stale() {
        let block = warpsmith_blocks::find("getm_stall_buffer").unwrap();
        let run = Run::all().remove(0);
        let mut scores = Scores::default();
        assert_eq!(state(block, &scores, &run).unwrap(), State::Missing);
        scores.put(score(run.clone(), 1));
        assert_eq!(state(block, &scores, &run).unwrap(), State::Stale);
        let design = block.configure("tiny", &[]).unwrap();
        scores.scores[0].verilog = circuit_key(&*design).unwrap();
        assert_eq!(state(block, &scores, &run).unwrap(), State::Recorded);
    }
}
