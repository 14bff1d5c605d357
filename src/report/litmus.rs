//! What litmus tests have seen.

use serde::Serialize;

use super::{heading, table, thousands};
use crate::gpu::coherence::System;
use crate::gpu::litmus::{Condition, Counts, Test, Variant};

/// A test in a scope and place on a memory system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LitmusRow {
    /// The test.
    pub test: String,
    /// Scope and place.
    pub variant: String,
    /// The memory system.
    pub system: System,
    /// Runs.
    pub runs: u64,
    /// Runs that ended as they must not, by condition.
    pub forbidden: Vec<(String, u64)>,
    /// Runs that ended as they may, by condition.
    pub allowed: Vec<(String, u64)>,
    /// Conditions that cannot be seen on this memory system.
    pub not_expected: Vec<String>,
}

impl LitmusRow {
    /// Counts with what they are of.
    pub fn new(test: &Test, variant: Variant, system: System, counts: Counts) -> Self {
        let with = |conditions: &[Condition], counts: Vec<u64>| {
            conditions.iter().map(|it| it.text.clone()).zip(counts).collect()
        };
        let excepted = |it: &&Condition| it.except.iter().any(|name| name == system.name());
        Self {
            test: test.name.clone(),
            variant: variant.to_string(),
            system,
            runs: counts.runs,
            forbidden: with(&test.forbidden, counts.forbidden),
            allowed: with(&test.allowed, counts.allowed),
            not_expected: test.allowed.iter().filter(excepted).map(|it| it.text.clone()).collect(),
        }
    }
}

/// What `warpsmith litmus` reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LitmusReport {
    /// The machine.
    pub machine: String,
    /// The seed.
    pub seed: u64,
    /// Every test in every scope and place on every memory system.
    pub rows: Vec<LitmusRow>,
    /// Allowed conditions that were never seen on a memory system, in whatever scope and place.
    pub never_seen: Vec<(String, System, String)>,
    /// Nothing forbidden was seen, and all that is allowed was.
    pub as_allowed: bool,
}

impl LitmusReport {
    /// Judges the rows.
    pub fn new(machine: String, seed: u64, rows: Vec<LitmusRow>) -> Self {
        let mut never_seen = Vec::new();
        for row in &rows {
            for (condition, _) in &row.allowed {
                let same = |it: &&LitmusRow| it.test == row.test && it.system == row.system;
                let seen = rows.iter().filter(same).flat_map(|it| &it.allowed);
                let seen: u64 = seen.filter(|it| it.0 == *condition).map(|it| it.1).sum();
                let entry = (row.test.clone(), row.system, condition.clone());
                if seen == 0
                    && !row.not_expected.contains(condition)
                    && !never_seen.contains(&entry)
                {
                    never_seen.push(entry);
                }
            }
        }
        let clean = rows.iter().flat_map(|row| &row.forbidden).all(|(_, count)| *count == 0);
        Self { machine, seed, as_allowed: clean && never_seen.is_empty(), never_seen, rows }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let seen = |counts: &[(String, u64)]| {
            let counts: Vec<_> = counts.iter().map(|(_, count)| thousands(*count)).collect();
            if counts.is_empty() { "-".to_string() } else { counts.join(" / ") }
        };
        let row = |row: &LitmusRow| {
            let (forbidden, allowed) = (seen(&row.forbidden), seen(&row.allowed));
            let system = row.system.name().to_string();
            let runs = thousands(row.runs);
            [row.test.clone(), row.variant.clone(), system, runs, forbidden, allowed]
        };
        let header = ["test", "scope, place", "system", "runs", "forbidden seen", "allowed seen"];
        let mut text = table(header, self.rows.iter().map(row));
        let all = self.rows.iter().flat_map(|row| {
            let of = |it: &(String, u64)| {
                (it.1 > 0).then(|| {
                    [
                        row.test.clone(),
                        row.variant.clone(),
                        row.system.name().to_string(),
                        it.0.clone(),
                    ]
                })
            };
            row.forbidden.iter().filter_map(of).collect::<Vec<_>>()
        });
        let wrong: Vec<_> = all.collect();
        if !wrong.is_empty() {
            text += &format!("\n{}\n", heading("Forbidden, but seen"));
            text += &table(["test", "scope, place", "system", "condition"], wrong);
        }
        if !self.never_seen.is_empty() {
            let missing = self.never_seen.iter();
            let missing = missing.map(|it| [it.0.clone(), it.1.name().to_string(), it.2.clone()]);
            text += &format!("\n{}\n", heading("Allowed, but never seen"));
            text += &table(["test", "system", "condition"], missing);
        }
        let runs: u64 = self.rows.iter().map(|row| row.runs).sum();
        text + &match self.as_allowed {
            true => format!(
                "\n\n{} runs: nothing forbidden was seen, all that is allowed was",
                thousands(runs)
            ),
            false => format!("\n\n{} runs: NOT AS ALLOWED; seed {}", thousands(runs), self.seed),
        }
    }
}
