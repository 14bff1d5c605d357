//! The report of a kernel run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::profile::ProfileReport;
use super::{number, section, table, thousands};
use crate::gpu::launch::ResultOf;
use crate::gpu::machine::{TimedOutcome, Warning};
use crate::gpu::memory::TransactionCounts;
use crate::gpu::systems::System;
use crate::gpu::{Hits, Link, Statistics, Traffic, Way};

/// The report of `warpsmith run`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// The module.
    pub file: String,
    /// Launches, in order.
    pub launches: Vec<LaunchReport>,
    /// Repetitions of all launches.
    pub repeat: u32,
    /// Instructions of all launches, counted for each warp.
    pub warp_instructions: u64,
    /// Instructions of all launches, counted for each thread.
    pub thread_instructions: u64,
    /// Wall time of the run.
    pub seconds: f64,
    /// Counts of the timed machine; none for a functional run.
    pub timing: Option<TimingReport>,
    /// What clocks were spent on, if asked for.
    pub profile: Option<ProfileReport>,
    /// What the kernel printed.
    pub printed: String,
    /// Digests, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<DigestReport>,
    /// What was gone past, if checks are lenient.
    pub warnings: Vec<Warning>,
    /// Buffers with expected contents.
    pub results: Vec<ResultOf>,
    /// The difference of RTL from its reference, if any; it ends the launch without results.
    pub mismatch: Option<String>,
    /// Whether all results are as expected.
    pub as_expected: bool,
}

/// SHA-256 digests in hexadecimal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DigestReport {
    /// Contents of global memory at the end.
    pub memory: String,
    /// Registers and predicates of all threads at their exit, of each launch.
    pub registers: Vec<String>,
}

/// A launch; counts are those of all its repetitions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LaunchReport {
    /// The kernel.
    pub kernel: String,
    /// CTAs along each axis.
    pub grid: [u32; 3],
    /// Threads of a CTA along each axis.
    pub block: [u32; 3],
    /// Instructions, counted for each warp.
    pub warp_instructions: u64,
    /// Instructions, counted for each thread.
    pub thread_instructions: u64,
    /// Timing; only on the timed machine.
    pub timing: Option<LaunchTiming>,
}

/// Timing of a launch.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LaunchTiming {
    /// Clocks of the cores.
    pub cycles: u64,
    /// CTAs per core at a time.
    pub ctas_per_core: u32,
    /// Estimated 32-bit registers per thread.
    pub registers_per_thread: u32,
}

impl LaunchReport {
    /// Adds the counts of one run.
    pub fn add(&mut self, warp: u64, thread: u64, timed: Option<&TimedOutcome>) {
        self.warp_instructions += warp;
        self.thread_instructions += thread;
        if let Some(timed) = timed {
            let timing = self.timing.get_or_insert_default();
            timing.cycles += timed.cycles;
            timing.ctas_per_core = timed.ctas_per_core;
            timing.registers_per_thread = timed.registers_per_thread;
        }
    }

    fn shape([x, y, z]: [u32; 3]) -> String {
        format!("{x} x {y} x {z}")
    }

    /// A row of a table of launches.
    fn row(&self) -> [String; 6] {
        let timing = |count: fn(&LaunchTiming) -> u64| {
            self.timing.as_ref().map_or(String::new(), |timing| thousands(count(timing)))
        };
        [
            self.kernel.clone(),
            Self::shape(self.grid),
            Self::shape(self.block),
            thousands(self.warp_instructions),
            timing(|timing| timing.cycles),
            timing(|timing| timing.ctas_per_core.into()),
        ]
    }
}

/// The timed machine's part of the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimingReport {
    /// Preset or file of the machine.
    pub machine: String,
    /// The memory system.
    pub system: System,
    /// The seed of the perturbation.
    pub perturb: Option<u64>,
    /// Clocks of the cores over all launches.
    pub cycles: u64,
    /// The same in microseconds at the machine's clock rate.
    pub microseconds: f64,
    /// Transfers of RTL that were compared with the reference and found equal; none without RTL in shadow.
    pub compared_transfers: Option<u64>,
    /// Counts of the memory hierarchy.
    pub statistics: Statistics,
    /// Counts of transactions, of a memory system that has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transactions: Option<TransactionCounts>,
    /// Counters of the memory system's own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<&'static str, u64>,
}

impl TimingReport {
    fn rows(&self, warp_instructions: u64) -> Vec<[String; 2]> {
        let seed = self.perturb.map_or(String::new(), |seed| format!(", perturbed by {seed}"));
        let rows = [
            ("machine", format!("{}, {}{seed}", self.machine, self.system.name)),
            ("clocks", thousands(self.cycles)),
            ("microseconds", number(self.microseconds)),
            (
                "warp instructions/clock",
                number(warp_instructions as f64 / self.cycles.max(1) as f64),
            ),
        ];
        let compared = self
            .compared_transfers
            .map(|count| ("transfers compared, all equal", thousands(count)));
        let transactions = self.transactions.iter().flat_map(rows_of_transactions);
        let counters = self.counters.iter().map(|(name, count)| (*name, thousands(*count)));
        let memory = memory_rows(&self.statistics);
        let all =
            rows.into_iter().chain(memory).chain(transactions).chain(counters).chain(compared);
        all.map(|(name, value)| [name.to_string(), value]).collect()
    }
}

/// Rows about the memory hierarchy.
pub(super) fn memory_rows(statistics: &Statistics) -> Vec<(&'static str, String)> {
    let Statistics { lines, l1, texture, l2_remote, l2_home, dram, traffic, coherence } =
        statistics;
    let hits = |Hits { hits, misses }: &Hits| {
        let share = *hits as f64 / (hits + misses).max(1) as f64 * 100.0;
        format!("{} of {} ({}%)", thousands(*hits), thousands(hits + misses), number(share))
    };
    let first = [
        ("lines loaded", thousands(lines.loads)),
        ("lines stored to", thousands(lines.stores)),
        ("lines with atomics", thousands(lines.atomics)),
        ("L1 hits", hits(l1)),
    ];
    let texture = texture.as_ref().map(|texture| ("texture cache hits", hits(texture)));
    let rest = [
        ("L2 hits, not at home", hits(l2_remote)),
        ("L2 hits, at home", hits(l2_home)),
        ("DRAM lines read", thousands(dram.reads)),
        ("DRAM lines written", thousands(dram.writes)),
        ("DRAM rows that were open", thousands(dram.row_hits)),
        ("bytes between GPMs", thousands(traffic.between_gpms)),
        ("bytes between GPUs", thousands(traffic.between_gpus)),
        ("invalidations", thousands(coherence.invalidations)),
        ("lines they found", thousands(coherence.invalidated_lines)),
        ("lines dropped by acquires", thousands(coherence.dropped_lines)),
        ("releases", thousands(coherence.releases)),
        ("acquires", thousands(coherence.acquires)),
    ];
    first.into_iter().chain(texture).chain(rest).collect()
}

/// Rows about transactions.
fn rows_of_transactions(counts: &TransactionCounts) -> [(&'static str, String); 11] {
    let reasons = counts.aborts.iter().map(|(why, count)| format!("{why} {}", thousands(*count)));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let verdict = match counts.serializable_launches {
        0 => "no transactions".to_string(),
        launches => format!(
            "serializable; {} conflicts in order, launches {launches}",
            thousands(counts.conflicts)
        ),
    };
    [
        ("transactions committed", thousands(counts.commits)),
        ("aborted", if reasons.is_empty() { "none".to_string() } else { reasons }),
        ("aborts per 1,000 commits", number(counts.aborts_per_1000())),
        ("accesses validated", thousands(counts.validations)),
        ("warp clocks in transactions", thousands(counts.execution_clocks)),
        ("warp clocks waiting for them", thousands(counts.wait_clocks)),
        ("lines of redo logs", thousands(counts.log_lines)),
        ("of them left the L1", thousands(counts.spilled_lines)),
        ("warps that ran alone", thousands(counts.alone)),
        ("roll-overs of timestamps", thousands(counts.roll_overs)),
        ("oracle", verdict),
    ]
}

/// The table of links; empty if there are none.
pub(super) fn section_of_links(traffic: &Traffic) -> String {
    let links = traffic.gpm_links.iter().chain(&traffic.gpu_links).chain(&traffic.directory);
    let links: Vec<_> = links.map(row_of_link).collect();
    if links.is_empty() {
        return String::new();
    }
    let header =
        ["link", "sent", "bytes", "of its bandwidth", "received", "bytes", "of its bandwidth"];
    section("Links", header, links)
}

/// A link's row: sent and received traffic.
fn row_of_link(link: &Link) -> [String; 7] {
    let way = |way: &Way| {
        let share = format!("{}%", number(way.utilisation * 100.0));
        [thousands(way.messages), thousands(way.bytes), share]
    };
    let ([a, b, c], [d, e, f]) = (way(&link.out), way(&link.into));
    [link.port.clone(), a, b, c, d, e, f]
}

impl RunReport {
    /// The report as text.
    pub fn text(&self) -> String {
        if let Some(mismatch) = &self.mismatch {
            return mismatch.clone();
        }
        let mut text = self.printed.clone();
        let lanes = self.thread_instructions as f64 / self.warp_instructions.max(1) as f64;
        let rate = self.warp_instructions as f64 / self.seconds.max(1e-9) / 1e6;
        let row = |name: &str, value: String| [name.to_string(), value];
        let mut rows = Vec::new();
        let title = match &self.launches[..] {
            [launch] if self.repeat == 1 => {
                rows.push(row("CTAs", LaunchReport::shape(launch.grid)));
                rows.push(row("threads in each", LaunchReport::shape(launch.block)));
                rows.extend(launch.timing.as_ref().map(|timing| {
                    let LaunchTiming { ctas_per_core, registers_per_thread, .. } = timing;
                    let value =
                        format!("{ctas_per_core} ({registers_per_thread} registers per thread)");
                    row("CTAs in a core at a time", value)
                }));
                launch.kernel.clone()
            }
            launches => {
                let made = launches.len() as u64 * u64::from(self.repeat);
                rows.push(row("launches", thousands(made)));
                self.file.clone()
            }
        };
        rows.extend([
            row("warp instructions", thousands(self.warp_instructions)),
            row("thread instructions", thousands(self.thread_instructions)),
            row("lanes active", format!("{} of 32", number(lanes))),
            row("million warp instructions/s", number(rate)),
        ]);
        rows.extend(self.timing.iter().flat_map(|timing| timing.rows(self.warp_instructions)));
        text += &table([title.as_str(), ""], rows);
        if let Some(DigestReport { memory, registers }) = &self.digest {
            let registers =
                registers.iter().map(|it| ["registers at exit".to_string(), it.clone()]);
            let rows = [["memory".to_string(), memory.clone()]].into_iter().chain(registers);
            text += &section("Digests", ["of", "SHA-256"], rows);
        }
        if self.launches.len() > 1 {
            let header = [
                "kernel",
                "CTAs",
                "threads in each",
                "warp instructions",
                "clocks",
                "CTAs in a core",
            ];
            text += &section("Launches", header, self.launches.iter().map(LaunchReport::row));
        }
        if let Some(timing) = &self.timing {
            text += &section_of_links(&timing.statistics.traffic);
        }
        if let Some(profile) = &self.profile {
            text += &profile.text();
        }
        for (title, of_equal_values) in
            [("Warnings", false), ("Races of stores of equal values, which change nothing", true)]
        {
            let mut those = self.warnings.iter().filter(|it| it.of_equal_values == of_equal_values);
            let row = |warning: &Warning| {
                [warning.place.clone(), warning.what.clone(), thousands(warning.count)]
            };
            if those.clone().next().is_some() {
                text += &section(title, ["place", "first met", "times"], those.by_ref().map(row));
            }
        }
        if !self.results.is_empty() {
            let row = |result: &ResultOf| {
                let verdict = if result.differ == 0 { "as expected" } else { "DIFFERENT" };
                let elements = thousands(result.elements as u64);
                let differ = thousands(result.differ as u64);
                [result.buffer.clone(), elements, differ, verdict.to_string()]
            };
            text += &section(
                "Buffers",
                ["buffer", "elements", "differ", ""],
                self.results.iter().map(row),
            );
        }
        let differences = self.results.iter().flat_map(|result| {
            let of = |index| format!("{}[{index}]", result.buffer);
            result.first.iter().map(move |it| [of(it.index), it.found.clone(), it.expected.clone()])
        });
        let differences: Vec<_> = differences.collect();
        if !differences.is_empty() {
            text += &section("First differences", ["element", "found", "expected"], differences);
        }
        text
    }
}
