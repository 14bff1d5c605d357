//! The report of transactions against GETM's circuits.

use std::collections::BTreeMap;

use serde::Serialize;
use warpsmith_testbench::transactions::machine::{Load, Trace};
use warpsmith_testbench::transactions::metadata_access::Clocks;
use warpsmith_testbench::transactions::run::RunError;
use warpsmith_testbench::transactions::workload::Named;

use super::{heading, table, thousands};

/// The record of a run of transactions.
#[derive(Clone, Debug, Serialize)]
pub struct TransactionsReport {
    /// Preset of both units, or `custom`.
    pub preset: String,
    /// Parameters of the validation unit.
    pub validation: toml::Table,
    /// Parameters of the commit unit.
    pub commit: toml::Table,
    /// What simulates the two units: `native`, `verilator`, or Verilog files.
    pub circuits: [String; 2],
    /// Size and settings of the load.
    #[serde(flatten)]
    pub load: Load,
    /// One per workload.
    pub traces: Vec<TraceRow>,
    /// Whether every run is serializable and its final memory correct.
    pub serializable: bool,
}

/// A workload's run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceRow {
    /// Name of the workload.
    pub workload: &'static str,
    /// The paper's name of it, if it is in the paper.
    pub paper: Option<&'static str>,
    /// The paper's aborts per 1,000 commits (table 4.4).
    pub paper_aborts: Option<u32>,
    /// Warps of a core that ran transactions at once.
    pub concurrency: u64,
    /// The figures, if the run is correct.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// The error, if it is not.
    pub error: Option<String>,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// The figures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Committed transactions.
    pub committed: usize,
    /// Aborted transactions, by reason.
    pub aborts: BTreeMap<&'static str, u64>,
    /// Clocks of the validation units.
    pub clocks: u64,
    /// Number of roll-overs of the timestamps.
    pub roll_overs: u64,
    /// Requests to the metadata tables, and their mean in clocks (figure 4.13).
    pub metadata_accesses: Access,
    /// The same for requests that met a table more than 90 % full.
    pub crowded_metadata_accesses: Access,
    /// Requests to the tables' overflow space in memory.
    pub overflow_requests: u64,
    /// Most granules with waiters at once, in all stall buffers (figure 4.15).
    pub most_queued_addresses: usize,
    /// Mean number of accesses waiting for a granule, over the clocks with any (figure 4.16).
    pub requests_per_address: Option<f64>,
}

/// Requests to the metadata tables.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Access {
    /// Number of requests.
    pub requests: u64,
    /// Mean in clocks; none without requests.
    pub mean_clocks: Option<f64>,
}

impl From<Clocks> for Access {
    fn from(clocks: Clocks) -> Self {
        Self { requests: clocks.requests, mean_clocks: clocks.mean() }
    }
}

impl TraceRow {
    /// A run of a workload.
    pub fn new(
        named: &Named,
        concurrency: u64,
        run: Result<Trace, RunError>,
        seconds: f64,
    ) -> Self {
        let (figures, error) = match run {
            Ok(trace) => (Some(Figures::new(trace)), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let (paper, paper_aborts) = named.paper.unzip();
        Self { workload: named.name, paper, paper_aborts, concurrency, figures, error, seconds }
    }
}

impl Figures {
    fn new(Trace { report, accesses, overflow_requests }: Trace) -> Self {
        let (accesses_waiting, granules) = report.waiting;
        Self {
            committed: report.summary.committed,
            aborts: report.aborts,
            clocks: report.clocks,
            roll_overs: report.roll_overs,
            metadata_accesses: accesses.all.into(),
            crowded_metadata_accesses: accesses.crowded.into(),
            overflow_requests,
            most_queued_addresses: report.most_waited_for,
            requests_per_address: (granules > 0).then(|| accesses_waiting as f64 / granules as f64),
        }
    }

    fn cells(&self) -> [String; 8] {
        let mean = |mean: Option<f64>| mean.map_or("-".to_string(), |mean| format!("{mean:.3}"));
        let aborts: u64 = self.aborts.values().sum();
        let crowded = self.crowded_metadata_accesses;
        [
            thousands(self.committed as u64),
            format!("{:.0}", 1000.0 * aborts as f64 / self.committed as f64),
            thousands(self.clocks),
            thousands(self.roll_overs),
            mean(self.metadata_accesses.mean_clocks),
            mean(crowded.mean_clocks),
            self.most_queued_addresses.to_string(),
            mean(self.requests_per_address),
        ]
    }
}

impl TransactionsReport {
    /// The runs of a load.
    pub fn new(
        preset: String,
        [validation, commit]: [toml::Table; 2],
        circuits: [String; 2],
        load: &Load,
        traces: Vec<TraceRow>,
    ) -> Self {
        Self {
            preset,
            validation,
            commit,
            circuits,
            load: *load,
            serializable: traces.iter().all(|trace| trace.error.is_none()),
            traces,
        }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let header = [
            "workload",
            "committed",
            "aborts per 1,000",
            "clocks",
            "roll-overs",
            "metadata access",
            "of a table > 90 % full",
            "queued addresses",
            "requests per address",
        ];
        let row = |trace: &TraceRow| {
            let name = match trace.paper {
                Some(paper) => format!("{} ({paper})", trace.workload),
                None => trace.workload.to_string(),
            };
            let none = || std::array::from_fn(|_| "-".to_string());
            let cells = trace.figures.as_ref().map_or_else(none, Figures::cells);
            let [a, mut b, c, d, e, f, g, h] = cells;
            if let Some(paper) = trace.paper_aborts {
                b += &format!(" (paper {paper})");
            }
            [name, a, b, c, d, e, f, g, h]
        };
        let paper = ["paper", "", "", "", "", "about 1", "about 1", "at most 12", "about 1"];
        let source = [
            "",
            "",
            "table 4.4",
            "",
            "",
            "figure 4.13",
            "figure 4.13",
            "figure 4.15",
            "figure 4.16",
        ];
        let rows = self.traces.iter().map(row);
        let mut text =
            table(header, rows.chain([paper, source].map(|row| row.map(str::to_string))));
        for trace in &self.traces {
            if let Some(error) = &trace.error {
                text += &format!("\n{}\n{error}", heading(trace.workload));
            }
        }
        let Load { partitions, cores, warps, lanes, seed, .. } = self.load;
        let [validation, commit] = &self.circuits;
        let verdict = if self.serializable {
            "SERIALIZABLE: every load, the order of time, and memory at the end"
        } else {
            "WRONG"
        };
        text += &format!(
            "\n\nentries of all tables: {} precise, {} approximate; the paper's: 4,096 and 1,024",
            self.entries("rows_per_way", "ways"),
            self.entries("bloom_rows", "bloom_ways")
        );
        text + &format!(
            "\n{verdict}; {warps} warps of {lanes} lanes on {cores} cores, {partitions} partitions, preset \
             {}, validation unit {validation}, commit unit {commit}, seed {seed}",
            self.preset
        )
    }

    /// Table entries of all partitions, from the parameters `rows` and `ways`.
    fn entries(&self, rows: &str, ways: &str) -> String {
        let [rows, ways] = [rows, ways].map(|name| {
            let value = self.validation.get(name).and_then(toml::Value::as_integer);
            value.and_then(|value| u64::try_from(value).ok()).unwrap_or(0)
        });
        thousands(self.load.partitions * rows * ways)
    }
}
