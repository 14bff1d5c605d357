//! The record of a kernel's run, and how it is shown.

use serde::Serialize;

use super::{heading, number, table, thousands};
use crate::gpu::coherence::System;
use crate::gpu::launch::ResultOf;
use crate::gpu::{Hits, Statistics};

/// What `warpsmith run` reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// The kernel.
    pub kernel: String,
    /// The module.
    pub file: String,
    /// CTAs along each axis.
    pub grid: [u32; 3],
    /// Threads of a CTA along each axis.
    pub block: [u32; 3],
    /// Instructions, counted for each warp.
    pub warp_instructions: u64,
    /// Instructions, counted for each thread.
    pub thread_instructions: u64,
    /// Wall time of the run.
    pub seconds: f64,
    /// What the timed machine counted; none of a functional run.
    pub timing: Option<TimingReport>,
    /// What the kernel printed.
    pub printed: String,
    /// Buffers with expected contents.
    pub results: Vec<ResultOf>,
    /// Whether all are as expected.
    pub as_expected: bool,
}

/// What the timed machine counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimingReport {
    /// The preset, or the file, of the machine.
    pub machine: String,
    /// The memory system.
    pub system: System,
    /// The seed of the perturbation.
    pub perturb: Option<u64>,
    /// Clocks of the cores.
    pub cycles: u64,
    /// The same at the machine's clock rate.
    pub microseconds: f64,
    /// CTAs that a core holds at a time.
    pub ctas_per_core: u32,
    /// 32-bit registers that a thread was taken to need.
    pub registers_per_thread: u32,
    /// Transfers of RTL that were compared with its reference, all of them equal; none without RTL
    /// in shadow.
    pub compared_transfers: Option<u64>,
    /// Counts of the memory hierarchy.
    pub statistics: Statistics,
}

impl TimingReport {
    fn rows(&self, warp_instructions: u64) -> Vec<[String; 2]> {
        let Statistics { lines, l1, l2_remote, l2_home, dram, traffic, coherence } =
            &self.statistics;
        let hits = |Hits { hits, misses }: &Hits| {
            let share = *hits as f64 / (hits + misses).max(1) as f64 * 100.0;
            format!("{} of {} ({}%)", thousands(*hits), thousands(hits + misses), number(share))
        };
        let seed = self.perturb.map_or(String::new(), |seed| format!(", perturbed by {seed}"));
        let rows = [
            ("machine", format!("{}, {}{seed}", self.machine, self.system.name())),
            ("clocks", thousands(self.cycles)),
            ("microseconds", number(self.microseconds)),
            (
                "warp instructions/clock",
                number(warp_instructions as f64 / self.cycles.max(1) as f64),
            ),
            (
                "CTAs in a core at a time",
                format!(
                    "{} ({} registers a thread)",
                    self.ctas_per_core, self.registers_per_thread
                ),
            ),
            ("lines loaded", thousands(lines.loads)),
            ("lines stored to", thousands(lines.stores)),
            ("lines with atomics", thousands(lines.atomics)),
            ("L1 hits", hits(l1)),
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
        let compared = self
            .compared_transfers
            .map(|count| ("transfers compared, all equal", thousands(count)));
        rows.into_iter().chain(compared).map(|(name, value)| [name.to_string(), value]).collect()
    }
}

impl RunReport {
    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = self.printed.clone();
        let shape = |[x, y, z]: [u32; 3]| format!("{x} x {y} x {z}");
        let lanes = self.thread_instructions as f64 / self.warp_instructions.max(1) as f64;
        let rate = self.warp_instructions as f64 / self.seconds.max(1e-9) / 1e6;
        let rows = [
            ["CTAs".to_string(), shape(self.grid)],
            ["threads in each".to_string(), shape(self.block)],
            ["warp instructions".to_string(), thousands(self.warp_instructions)],
            ["thread instructions".to_string(), thousands(self.thread_instructions)],
            ["lanes active".to_string(), format!("{} of 32", number(lanes))],
            ["million warp instructions/s".to_string(), number(rate)],
        ];
        let mut rows = rows.to_vec();
        rows.extend(self.timing.iter().flat_map(|timing| timing.rows(self.warp_instructions)));
        text += &table([self.kernel.as_str(), ""], rows);
        if !self.results.is_empty() {
            let row = |result: &ResultOf| {
                let verdict = if result.differ == 0 { "as expected" } else { "DIFFERENT" };
                let elements = thousands(result.elements as u64);
                let differ = thousands(result.differ as u64);
                [result.buffer.clone(), elements, differ, verdict.to_string()]
            };
            text += "\n";
            text += &heading("Buffers");
            text += "\n";
            text += &table(["buffer", "elements", "differ", ""], self.results.iter().map(row));
        }
        let differences = self.results.iter().flat_map(|result| {
            let of = |index| format!("{}[{index}]", result.buffer);
            result.first.iter().map(move |it| [of(it.index), it.found.clone(), it.expected.clone()])
        });
        let differences: Vec<_> = differences.collect();
        if !differences.is_empty() {
            text += "\n";
            text += &heading("First differences");
            text += "\n";
            text += &table(["element", "found", "expected"], differences);
        }
        text
    }
}
