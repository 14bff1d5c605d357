//! The report of litmus tests.

use serde::Serialize;

use super::{heading, table, thousands};
use crate::gpu::litmus::{Condition, Counts, Mechanism, Test, Variant};
use crate::gpu::systems::System;

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
    /// Runs with a forbidden outcome, by condition.
    pub forbidden: Vec<(String, u64)>,
    /// Runs with an allowed outcome, by condition.
    pub allowed: Vec<(String, u64)>,
    /// Allowed conditions that cannot occur here, each with its excuse.
    pub excused: Vec<(String, String)>,
}

impl LitmusRow {
    /// The counts of a test.
    pub fn new(test: &Test, variant: Variant, system: System, counts: Counts) -> Self {
        let with = |conditions: &[Condition], counts: Vec<u64>| {
            conditions.iter().map(|condition| condition.text.clone()).zip(counts).collect()
        };
        let excused = |condition: &Condition| {
            Some((
                condition.text.clone(),
                condition.excuse(&test.name, system, variant)?.to_string(),
            ))
        };
        Self {
            test: test.name.clone(),
            variant: variant.to_string(),
            system,
            runs: counts.runs,
            forbidden: with(&test.forbidden, counts.forbidden),
            allowed: with(&test.allowed, counts.allowed),
            excused: test.allowed.iter().filter_map(excused).collect(),
        }
    }
}

/// Tests and memory systems in words.
pub(super) fn said_not_applicable(pairs: &[[String; 2]]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let column = |at: usize| {
        let mut names: Vec<&str> = Vec::new();
        for pair in pairs {
            if !names.contains(&&pair[at][..]) {
                names.push(&pair[at]);
            }
        }
        names.join(", ")
    };
    let (tests, systems) = (column(0), column(1));
    format!("\n\nNot applicable without a CPU side: {tests}; on {systems}")
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
    /// Allowed conditions that were never seen: test, scope and place, memory system, condition.
    pub never_seen: Vec<[String; 4]>,
    /// Conditions that were seen although excused, in the same form.
    pub seen_though_excused: Vec<[String; 4]>,
    /// Built-in tests that need more places than the machine has.
    pub left_out: Vec<String>,
    /// Tests with threads on CPUs, each with a memory system that has no CPU side on this machine.
    pub not_applicable: Vec<[String; 2]>,
    /// Tests that were not run, each with the reason.
    pub not_run: Vec<[String; 2]>,
    /// No forbidden outcome was seen, and every allowed one was.
    pub as_allowed: bool,
}

impl LitmusReport {
    /// Judges the rows.
    pub fn new(machine: String, seed: u64, rows: Vec<LitmusRow>) -> Self {
        let (mut never_seen, mut seen_though_excused) = (Vec::new(), Vec::new());
        for row in &rows {
            for (condition, count) in &row.allowed {
                let excuse = row.excused.iter().find(|(excused, _)| excused == condition);
                // A deterministic system may show any of the allowed outcomes.
                let may_show = Mechanism::Deterministic.name();
                let system = row.system.name.to_string();
                let cell = [row.test.clone(), row.variant.clone(), system, condition.clone()];
                match (count, excuse) {
                    (0, None) => never_seen.push(cell),
                    (1.., Some((_, excuse))) if excuse != may_show => {
                        seen_though_excused.push(cell);
                    }
                    _ => {}
                }
            }
        }
        let clean = rows.iter().flat_map(|row| &row.forbidden).all(|(_, count)| *count == 0);
        let as_allowed = clean && never_seen.is_empty() && seen_though_excused.is_empty();
        Self {
            machine,
            seed,
            as_allowed,
            left_out: Vec::new(),
            not_applicable: Vec::new(),
            not_run: Vec::new(),
            never_seen,
            seen_though_excused,
            rows,
        }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let seen = |counts: &[(String, u64)]| {
            let counts: Vec<_> = counts.iter().map(|(_, count)| thousands(*count)).collect();
            if counts.is_empty() { "-".to_string() } else { counts.join(" / ") }
        };
        let row = |row: &LitmusRow| {
            let (forbidden, allowed) = (seen(&row.forbidden), seen(&row.allowed));
            let system = row.system.name.to_string();
            let runs = thousands(row.runs);
            [row.test.clone(), row.variant.clone(), system, runs, forbidden, allowed]
        };
        let header = ["test", "scope, place", "system", "runs", "forbidden seen", "allowed seen"];
        let mut text = table(header, self.rows.iter().map(row));
        let all = self.rows.iter().flat_map(|row| {
            let cell = |(condition, count): &(String, u64)| {
                (*count > 0).then(|| {
                    [
                        row.test.clone(),
                        row.variant.clone(),
                        row.system.name.to_string(),
                        condition.clone(),
                    ]
                })
            };
            row.forbidden.iter().filter_map(cell).collect::<Vec<_>>()
        });
        let wrong: Vec<_> = all.collect();
        if !wrong.is_empty() {
            text += &format!("\n{}\n", heading("Forbidden, but seen"));
            text += &table(["test", "scope, place", "system", "condition"], wrong);
        }
        for (title, cells) in [
            ("Allowed, but never seen", &self.never_seen),
            ("Excused, but seen", &self.seen_though_excused),
        ] {
            if !cells.is_empty() {
                text += &format!("\n{}\n", heading(title));
                text += &table(["test", "scope, place", "system", "condition"], cells.clone());
            }
        }
        if !self.left_out.is_empty() {
            text += &format!(
                "\n\nLeft out, for the machine is too small: {}",
                self.left_out.join(", ")
            );
        }
        text += &said_not_applicable(&self.not_applicable);
        for [test, reason] in &self.not_run {
            text += &format!("\n\nNot run: {test}: {reason}");
        }
        let runs: u64 = self.rows.iter().map(|row| row.runs).sum();
        text + &match self.as_allowed {
            _ if self.rows.is_empty() => String::new(),
            true => format!(
                "\n\n{} runs: nothing forbidden was seen, all that is allowed was",
                thousands(runs)
            ),
            false => format!("\n\n{} runs: NOT AS ALLOWED; seed {}", thousands(runs), self.seed),
        }
    }
}
