//! The record of a kernel's run, and how it is shown.

use serde::Serialize;

use super::{heading, number, table, thousands};
use crate::gpu::launch::ResultOf;

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
    /// What the kernel printed.
    pub printed: String,
    /// Buffers with expected contents.
    pub results: Vec<ResultOf>,
    /// Whether all are as expected.
    pub as_expected: bool,
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
