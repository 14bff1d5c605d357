//! The report of transactional workloads on the GPU.

use std::time::Duration;

use serde::Serialize;

use super::{heading, number, table, thousands};
use crate::gpu::config::Config;
use crate::gpu::memory::{MetadataClocks, Statistics, TransactionCounts, UnitCounts};
use crate::gpu::systems::System;
use crate::gpu::workloads::{Ran, Workload};

/// Workloads on a machine.
#[derive(Debug, Clone, Serialize)]
pub struct TransactionsReport {
    /// Preset of the machine, with what was changed.
    pub machine: String,
    /// Its memory system.
    pub system: System,
    /// The seed of the perturbation.
    pub perturb: Option<u64>,
    /// Entries of all precise metadata tables and of all recency filters, of GETM.
    pub metadata_entries: Option<[u64; 2]>,
    /// One per workload.
    pub runs: Vec<WorkloadRow>,
    /// Whether every result is right, and every run serializable.
    pub correct: bool,
}

/// A workload's run.
#[derive(Debug, Clone, Serialize)]
pub struct WorkloadRow {
    /// Name of the workload.
    pub workload: &'static str,
    /// The paper's name of it, if it is in the paper.
    pub paper: Option<&'static str>,
    /// The paper's aborts per 1,000 commits on this system (table 4.4).
    pub paper_aborts: Option<u32>,
    /// Warps of a core that run transactions at once, 0 for no limit; none with locks.
    pub concurrency: Option<u32>,
    /// The figures, if the run is right.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// The error, if it is not.
    pub error: Option<String>,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// The figures of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Clocks of the cores.
    pub cycles: u64,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Transfers of RTL that were compared with the reference.
    pub compared_transfers: u64,
    /// Counts of the memory hierarchy.
    pub statistics: Statistics,
    /// Counts of transactions, if the system has them.
    pub transactions: Option<TransactionCounts>,
}

impl WorkloadRow {
    /// A run of a workload.
    pub fn new(
        workload: Workload,
        system: System,
        concurrency: Option<u32>,
        ran: Result<Ran, String>,
        time: Duration,
    ) -> Self {
        let (figures, error) = match ran {
            Ok(Ran { cycles, warp_instructions, statistics, transactions, compared, .. }) => {
                let compared_transfers = compared;
                let figures = Figures {
                    cycles,
                    warp_instructions,
                    compared_transfers,
                    statistics,
                    transactions,
                };
                (Some(figures), None)
            }
            Err(error) => (None, Some(error)),
        };
        Self {
            workload: workload.name,
            paper: workload.paper.map(|paper| paper.name),
            paper_aborts: workload.aborts(system),
            concurrency,
            figures,
            error,
            seconds: time.as_secs_f64(),
        }
    }

    fn cells(&self) -> [String; 10] {
        let or_dash = |text: Option<String>| text.unwrap_or("-".to_string());
        let figures = self.figures.as_ref();
        let counts = figures.and_then(|figures| figures.transactions.as_ref());
        let count =
            |of: fn(&TransactionCounts) -> u64| or_dash(counts.map(|counts| thousands(of(counts))));
        let limit = self.concurrency.map(|limit| match limit {
            0 => "no limit".to_string(),
            limit => limit.to_string(),
        });
        [
            self.workload.to_string(),
            or_dash(self.paper.map(String::from)),
            or_dash(limit),
            or_dash(figures.map(|figures| thousands(figures.cycles))),
            count(|counts| counts.commits),
            or_dash(counts.map(|counts| number(counts.aborts_per_1000()))),
            or_dash(self.paper_aborts.map(|aborts| thousands(aborts.into()))),
            count(|counts| counts.execution_clocks),
            count(|counts| counts.wait_clocks),
            count(|counts| counts.alone),
        ]
    }
}

/// What the paper has of the validation units, and where.
const PAPER: [[&str; 6]; 2] = [
    ["paper", "", "about 1", "about 1", "at most 12", "about 1"],
    ["", "", "figure 4.13", "figure 4.13", "figure 4.15", "figure 4.16"],
];

impl WorkloadRow {
    /// What the validation units count.
    fn units(&self) -> Option<[String; 6]> {
        let counts = self.figures.as_ref()?.transactions.as_ref()?;
        let units = counts.units.as_ref()?;
        let metadata = units.metadata.as_ref();
        let mean = |mean: Option<f64>| mean.map_or("-".to_string(), |mean| format!("{mean:.3}"));
        Some([
            self.workload.to_string(),
            thousands(counts.roll_overs),
            mean(metadata.and_then(MetadataClocks::mean)),
            mean(metadata.and_then(MetadataClocks::crowded_mean)),
            thousands(units.most_queued_addresses),
            mean(UnitCounts::requests_per_address(units)),
        ])
    }
}

impl TransactionsReport {
    /// Runs on a machine.
    pub fn new(
        machine: String,
        config: &Config,
        system: System,
        perturb: Option<u64>,
        runs: Vec<WorkloadRow>,
    ) -> Self {
        let correct = runs.iter().all(|run| run.error.is_none());
        let metadata_entries = (system.name == "getm").then(|| config.metadata_entries());
        Self { machine, system, perturb, metadata_entries, runs, correct }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let header = [
            "workload",
            "paper",
            "warps of a core",
            "clocks",
            "commits",
            "aborts per 1,000",
            "paper's",
            "warp clocks in transactions",
            "waiting for them",
            "ran alone",
        ];
        let mut text = format!("{}, {}\n", self.machine, self.system.name);
        text += &table(header, self.runs.iter().map(WorkloadRow::cells));
        text.push('\n');
        text += &self.units_text();
        let errors = self.runs.iter().filter_map(|run| Some((run.workload, run.error.as_ref()?)));
        for (workload, error) in errors {
            text += &format!("\n{}\n{error}\n", heading(workload));
        }
        let figures = self.runs.iter().filter_map(|run| run.figures.as_ref());
        let compared: u64 = figures.map(|figures| figures.compared_transfers).sum();
        if compared > 0 {
            text += &format!("transfers of RTL compared, all equal: {}\n", thousands(compared));
        }
        if self.correct {
            text += match System::TRANSACTIONAL.contains(&self.system) {
                true => "all results as in plain Rust; all launches serializable\n",
                false => "all results as in plain Rust\n",
            };
        }
        text
    }

    /// The table of the validation units; nothing without any.
    fn units_text(&self) -> String {
        let rows: Vec<_> = self.runs.iter().filter_map(WorkloadRow::units).collect();
        let Some([precise, approximate]) = self.metadata_entries.filter(|_| !rows.is_empty())
        else {
            return String::new();
        };
        let header = [
            "validation units",
            "roll-overs",
            "metadata access",
            "of a table > 90 % full",
            "queued addresses",
            "requests per address",
        ];
        let paper = PAPER.map(|row| row.map(str::to_string));
        format!(
            "\n{}\nentries of all tables: {} precise, {} approximate; the paper's: 4,096 and 1,024\n",
            table(header, rows.into_iter().chain(paper)),
            thousands(precise),
            thousands(approximate)
        )
    }
}
