//! The report of final states under many seeds.

use serde::Serialize;

use super::{table, thousands};
use crate::gpu::determinism::Difference;
use crate::gpu::memory::System;

/// Outcomes shown with their seeds.
const SHOWN: usize = 8;

/// The report of `warpsmith determinism`.
#[derive(Debug, Serialize)]
pub struct DeterminismReport {
    /// The module.
    pub file: String,
    /// Preset or file of the machine.
    pub machine: String,
    /// The memory system.
    pub system: System,
    /// Perturbed runs.
    pub seeds: u64,
    /// Different final states, each with its seeds.
    pub outcomes: Vec<Vec<u64>>,
    /// The first difference between runs.
    pub among_seeds: Option<Differing>,
    /// Who wrote the word last that they differ in, in the order of their seeds; empty if they differ in no word.
    pub writers: Vec<String>,
    /// Whether the runs were compared with the oracle.
    pub oracle: bool,
    /// The first difference between a run and the oracle.
    pub beside_oracle: Option<Differing>,
    /// Transfers of RTL that were compared with the reference.
    pub compared_transfers: Option<u64>,
    /// A difference between RTL and its reference, which ended the runs.
    pub mismatch: Option<String>,
}

/// A difference between two runs.
#[derive(Debug, Serialize)]
pub struct Differing {
    /// Their seeds; twice the same where the other is the oracle.
    pub seeds: [u64; 2],
    /// The first quantity that differs.
    #[serde(flatten)]
    pub difference: Difference,
}

impl DeterminismReport {
    /// A report without runs. Those of a deterministic system are compared with its oracle.
    pub fn new(system: System, seeds: u64, oracle: bool) -> Self {
        Self {
            file: String::new(),
            machine: String::new(),
            system,
            seeds,
            outcomes: Vec::new(),
            among_seeds: None,
            writers: Vec::new(),
            oracle,
            beside_oracle: None,
            compared_transfers: None,
            mismatch: None,
        }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let compared = self.compared_transfers.map(|compared| {
            ["transfers compared with references".to_string(), thousands(compared)]
        });
        let oracle = match (&self.oracle, &self.beside_oracle) {
            (false, _) => "none: the system promises nothing".to_string(),
            (true, None) => "equal".to_string(),
            (true, Some(_)) => "DIFFERENT".to_string(),
        };
        let rows = [
            ["machine".to_string(), format!("{}, {}", self.machine, self.system.name)],
            ["runs".to_string(), thousands(self.seeds)],
            ["different outcomes".to_string(), thousands(self.outcomes.len() as u64)],
            ["oracle".to_string(), oracle],
        ];
        let mut text = table([self.file.as_str(), ""], rows.into_iter().chain(compared));
        if let Some(Differing { seeds: [one, other], difference }) = &self.among_seeds {
            text += &format!("\nseeds {one} and {other} differ: {difference}\n");
            for (seed, writer) in [one, other].into_iter().zip(&self.writers) {
                text += &format!("  last written with seed {seed} by {writer}\n");
            }
        }
        if let Some(Differing { seeds: [seed, _], difference }) = &self.beside_oracle {
            text += &format!("\nseed {seed} and the oracle differ: {difference}\n");
        }
        if let Some(mismatch) = &self.mismatch {
            text += &format!("\n{mismatch}\n");
        }
        if self.outcomes.len() > 1 {
            for seeds in self.outcomes.iter().take(SHOWN) {
                let named: Vec<_> = seeds.iter().take(SHOWN).map(u64::to_string).collect();
                let more = if seeds.len() > SHOWN { ", ..." } else { "" };
                text += &format!("{} runs: seeds {}{more}\n", seeds.len(), named.join(", "));
            }
            if self.outcomes.len() > SHOWN {
                text += &format!("and {} more\n", self.outcomes.len() - SHOWN);
            }
        }
        text
    }
}
