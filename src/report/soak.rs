//! The report of a soak: many co-simulations of one block.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use warpsmith_testbench::agents::Stalls;

use super::cosim::{CosimReport, MismatchReport};
use super::{heading, table, thousands};

/// Most missed corners of a preset in the table.
const SHOWN_MISSED: usize = 2;

/// One run as recorded in the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SoakRun {
    /// Preset.
    pub preset: String,
    /// Hash of the simulated circuit.
    pub circuit: String,
    /// Stream of requests.
    pub stream: String,
    /// Stalls of the environment.
    pub stalls: Stalls,
    /// Seed of everything random.
    pub seed: u64,
    /// Requested number of requests.
    pub asked: u64,
    /// `equal`, `no_difference_found` or `mismatch`.
    pub verdict: String,
    /// Requests accepted.
    pub requests: u64,
    /// Clocks.
    pub clocks: u64,
    /// Reachable corners that the run missed.
    pub missed_corners: BTreeSet<String>,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl SoakRun {
    /// What identifies a run.
    pub fn key(&self) -> (String, String, &'static str, u64, u64) {
        (self.circuit.clone(), self.stream.clone(), self.stalls.name(), self.seed, self.asked)
    }

    /// The same run with its result.
    pub fn ended(self, report: &CosimReport, seconds: f64) -> Self {
        let summary = &report.summary;
        Self {
            verdict: report.verdict.to_string(),
            requests: summary.requests,
            clocks: summary.clocks,
            missed_corners: summary.missed().map(|corner| corner.name.clone()).collect(),
            seconds,
            ..self
        }
    }

    /// Name in messages.
    pub fn name(&self) -> String {
        let Self { preset, stream, stalls, seed, .. } = self;
        format!("{preset}, stream {stream}, stalls {}, seed {seed}", stalls.name())
    }
}

/// Why a soak ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The time was over.
    Time,
    /// A mismatch was found.
    Mismatch,
    /// It was interrupted.
    Interrupted,
}

/// All runs of a preset.
#[derive(Clone, Debug, Serialize)]
pub struct PresetReport {
    /// Preset.
    pub preset: String,
    /// Runs.
    pub runs: usize,
    /// Requests accepted.
    pub requests: u64,
    /// Clocks.
    pub clocks: u64,
    /// Reachable corners that no run met.
    pub missed_corners: Vec<String>,
}

/// The record of a soak.
#[derive(Clone, Debug, Serialize)]
pub struct SoakReport {
    /// Name of the block.
    pub block: &'static str,
    /// `equal` if every preset ran and met every reachable corner, `no_difference_found`, or
    /// `mismatch`.
    pub verdict: &'static str,
    /// Why it ended.
    pub ended: Ended,
    /// Wall time of all runs in seconds.
    pub seconds: f64,
    /// Number of runs.
    pub runs: usize,
    /// Runs that were already in the journal.
    pub earlier_runs: usize,
    /// Requests accepted.
    pub requests: u64,
    /// Clocks.
    pub clocks: u64,
    /// Results by preset.
    pub presets: Vec<PresetReport>,
    /// The last run, or the one with the mismatch.
    pub last: Option<SoakRun>,
    /// The divergence.
    pub mismatch: Option<MismatchReport>,
    /// The journal, one JSON line per run.
    pub journal: PathBuf,
}

impl SoakReport {
    /// The report of these runs, the first `earlier_runs` of them from the journal.
    pub fn new(
        block: &'static str,
        presets: &[String],
        runs: &[SoakRun],
        earlier_runs: usize,
        ended: Ended,
        mismatch: Option<MismatchReport>,
        journal: PathBuf,
    ) -> Self {
        let presets: Vec<_> =
            presets.iter().map(|preset| PresetReport::new(preset, runs)).collect();
        let met = |preset: &PresetReport| preset.runs > 0 && preset.missed_corners.is_empty();
        Self {
            block,
            verdict: match (&mismatch, presets.iter().all(met)) {
                (Some(_), _) => "mismatch",
                (None, true) => "equal",
                (None, false) => "no_difference_found",
            },
            ended,
            seconds: runs.iter().map(|run| run.seconds).sum(),
            runs: runs.len(),
            earlier_runs,
            requests: runs.iter().map(|run| run.requests).sum(),
            clocks: runs.iter().map(|run| run.clocks).sum(),
            presets,
            last: runs.last().cloned(),
            mismatch,
            journal,
        }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let rows = self.presets.iter().map(|preset| {
            let missed = &preset.missed_corners;
            let more = if missed.len() > SHOWN_MISSED { "; ..." } else { "" };
            let shown = missed[..missed.len().min(SHOWN_MISSED)].join("; ");
            [
                preset.preset.clone(),
                thousands(preset.runs as u64),
                thousands(preset.requests),
                thousands(preset.clocks),
                format!("{} {shown}{more}", missed.len()),
            ]
        });
        let header = ["preset", "runs", "requests", "clocks", "corners missed by all runs"];
        let mut text = vec![heading(self.block), table(header, rows)];
        if let (Some(mismatch), Some(run)) = (&self.mismatch, &self.last) {
            text.push(format!("\nthe run with the mismatch: {}", run.name()));
            text.push(mismatch.text());
        }
        let verdict = match self.verdict {
            "equal" => "EQUAL",
            "mismatch" => "MISMATCH",
            _ => "NO DIFFERENCE FOUND",
        };
        let ended = match self.ended {
            Ended::Interrupted => ", interrupted: the same command goes on",
            _ => "",
        };
        text.push(format!(
            "\n{verdict}: {} requests in {} runs, {} of them earlier, {:.0} s{ended}\njournal {}",
            thousands(self.requests),
            thousands(self.runs as u64),
            thousands(self.earlier_runs as u64),
            self.seconds,
            self.journal.display()
        ));
        text.join("\n")
    }
}

impl PresetReport {
    fn new(preset: &str, runs: &[SoakRun]) -> Self {
        let of_preset: Vec<_> = runs.iter().filter(|run| run.preset == preset).collect();
        let missed = of_preset.iter().map(|run| run.missed_corners.clone());
        let missed = missed.reduce(|all, run| all.intersection(&run).cloned().collect());
        Self {
            preset: preset.to_string(),
            runs: of_preset.len(),
            requests: of_preset.iter().map(|run| run.requests).sum(),
            clocks: of_preset.iter().map(|run| run.clocks).sum(),
            missed_corners: missed.unwrap_or_default().into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(preset: &str, missed: &[&str]) -> SoakRun {
        SoakRun {
            preset: preset.to_string(),
            circuit: String::new(),
            stream: "mixed".to_string(),
            stalls: Stalls::None,
            seed: 1,
            asked: 10,
            verdict: "no_difference_found".to_string(),
            requests: 10,
            clocks: 20,
            missed_corners: missed.iter().map(|name| name.to_string()).collect(),
            seconds: 1.0,
        }
    }

    fn verdict(presets: &[&str], runs: &[SoakRun]) -> &'static str {
        let presets: Vec<_> = presets.iter().map(|name| name.to_string()).collect();
        let journal = PathBuf::new();
        SoakReport::new("block", &presets, runs, 0, Ended::Time, None, journal).verdict
    }

    #[test]
    fn runs_are_equal_together_if_each_corner_was_met_by_one_on_every_preset() {
        let runs = [run("tiny", &["a", "b"]), run("tiny", &["b", "c"]), run("tiny", &["a"])];
        assert_eq!(verdict(&["tiny"], &runs), "equal");
        assert_eq!(verdict(&["tiny"], &runs[..2]), "no_difference_found");
        assert_eq!(verdict(&["tiny", "fpga"], &runs), "no_difference_found", "fpga never ran");
    }
}
