//! The report of a replayed trace.

use serde::Serialize;

use super::run::{memory_rows, section_of_links};
use super::{number, table, thousands};
use crate::gpu::memory::System;
use crate::gpu::replay::Replayed;

/// The report of `warpsmith replay`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayReport {
    /// The trace.
    pub trace: String,
    /// Preset or file of the machine.
    pub machine: String,
    /// The memory system.
    pub system: System,
    /// The seed of the perturbation.
    pub perturb: Option<u64>,
    /// Its counts.
    #[serde(flatten)]
    pub replayed: Replayed,
}

impl ReplayReport {
    /// The report as text.
    pub fn text(&self) -> String {
        let Replayed { accesses, clocks, answers, mean_latency, longest_latency, statistics } =
            &self.replayed;
        let seed = self.perturb.map_or(String::new(), |seed| format!(", perturbed by {seed}"));
        let rows = [
            ("machine", format!("{}, {}{seed}", self.machine, self.system.name)),
            ("accesses", thousands(*accesses)),
            ("clocks", thousands(*clocks)),
            ("answers", thousands(*answers)),
            ("clocks until an answer", number(*mean_latency)),
            ("at most", thousands(*longest_latency)),
        ];
        let rows = rows.into_iter().chain(memory_rows(statistics));
        let rows = rows.map(|(name, value)| [name.to_string(), value]);
        table([self.trace.as_str(), ""], rows) + &section_of_links(&statistics.traffic)
    }
}
