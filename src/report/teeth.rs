//! Which planted errors litmus tests see, and which outcomes are excused.

use serde::Serialize;

use super::litmus::said_not_applicable;
use super::{heading, table, table_of, thousands};
use crate::gpu::PlantedError;
use crate::gpu::litmus::{Condition, Mechanism, Place, Test, Tooth, Variant, excuse_of_error};
use crate::gpu::systems::{self, System};

/// A line of a test in a scope and place of a memory system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToothRow {
    /// The test.
    pub test: String,
    /// Scope and place.
    pub variant: String,
    /// The place.
    pub place: &'static str,
    /// The memory system.
    pub system: System,
    /// `forbidden`, or `allowed`, for which no errors are planted.
    pub claim: &'static str,
    /// The condition.
    pub condition: String,
    /// The memory system or mechanism that excuses the condition's absence.
    pub excuse: Option<String>,
    /// Planted errors.
    pub planted: Vec<&'static str>,
    /// Errors with which the condition was seen.
    pub seen: Vec<&'static str>,
}

/// The report of `warpsmith litmus --teeth`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TeethReport {
    /// The machine.
    pub machine: String,
    /// The seed.
    pub seed: u64,
    /// Most runs of a test per error.
    pub runs: u64,
    /// Every line of every test in every scope and place on every memory system.
    pub lines: Vec<ToothRow>,
    /// Forbidden lines without an excuse that no error has shown.
    pub toothless: Vec<[String; 4]>,
    /// Forbidden lines that an error has shown although excused.
    pub seen_though_excused: Vec<[String; 4]>,
    /// Errors that no test has shown on a memory system although not excused, and excused errors that one has
    /// shown.
    pub errors: Vec<[String; 2]>,
    /// Tests with threads on CPUs, each with a memory system that has no CPU side on this machine.
    pub not_applicable: Vec<[String; 2]>,
    /// Whether the three lists before are empty.
    pub complete: bool,
}

/// The rows of a test in a scope and place of a memory system.
pub fn rows(test: &Test, variant: Variant, system: System, teeth: &[Tooth]) -> Vec<ToothRow> {
    let row = |claim, condition: &Condition| ToothRow {
        test: test.name.clone(),
        variant: variant.to_string(),
        place: variant.place.name(),
        system,
        claim,
        condition: condition.text.clone(),
        excuse: condition.excuse(&test.name, system, variant).map(String::from),
        planted: Vec::new(),
        seen: Vec::new(),
    };
    let names = |errors: &[PlantedError]| errors.iter().map(|error| error.name).collect();
    let forbidden = teeth.iter().map(|tooth| ToothRow {
        planted: names(&tooth.planted),
        seen: names(&tooth.seen),
        ..row("forbidden", &tooth.condition)
    });
    forbidden.chain(test.allowed.iter().map(|condition| row("allowed", condition))).collect()
}

impl ToothRow {
    /// Whether it is excused, and must not be seen.
    fn is_strictly_excused(&self) -> bool {
        self.excuse.as_ref().is_some_and(|excuse| {
            let mechanism = Mechanism::ALL.into_iter().find(|it| it.name() == excuse);
            mechanism.is_none_or(|it| it.is_strict(self.system))
        })
    }

    fn cell(&self) -> [String; 4] {
        let system = self.system.name.to_string();
        [self.test.clone(), self.variant.clone(), system, self.condition.clone()]
    }
}

impl TeethReport {
    /// Judges the lines. If all errors were planted, each must show somewhere.
    pub fn new(machine: String, seed: u64, runs: u64, lines: Vec<ToothRow>, all: bool) -> Self {
        let forbidden = || lines.iter().filter(|line| line.claim == "forbidden");
        let toothless: Vec<_> = forbidden()
            .filter(|line| line.seen.is_empty() && line.excuse.is_none())
            .map(ToothRow::cell)
            .collect();
        let seen_though_excused: Vec<_> = forbidden()
            .filter(|line| !line.seen.is_empty() && line.is_strictly_excused())
            .map(ToothRow::cell)
            .collect();
        let mut errors = Vec::new();
        for error in systems::errors().into_iter().filter(|_| all) {
            for system in System::ALL {
                let mut lines = forbidden().filter(|line| line.system == system);
                if !lines.clone().any(|line| line.planted.contains(&error.name)) {
                    continue;
                }
                let is_seen = lines.any(|line| line.seen.contains(&error.name));
                let excuse = excuse_of_error(error, system);
                if excuse.map_or(!is_seen, |it| is_seen && it.is_strict(system)) {
                    errors.push([error.name.to_string(), system.name.to_string()]);
                }
            }
        }
        let complete = toothless.is_empty() && seen_though_excused.is_empty() && errors.is_empty();
        let not_applicable = Vec::new();
        Self {
            machine,
            seed,
            runs,
            lines,
            toothless,
            seen_though_excused,
            errors,
            not_applicable,
            complete,
        }
    }

    /// The excused share of a memory system's lines.
    pub fn excused(&self, system: System) -> f64 {
        let lines = self.lines.iter().filter(|line| line.system == system);
        let excused = lines.clone().filter(|line| line.excuse.is_some()).count();
        excused as f64 / lines.count().max(1) as f64
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", heading("Forbidden lines that each planted error shows"));
        text += &self.errors_table();
        text += &format!("\n{}\n", heading("Excused"));
        text += &self.excuses_table();
        text += &format!("\n{}\n", heading("Memory systems"));
        text += &self.systems_table();
        for (title, cells) in [
            ("Forbidden, but shown by no error", &self.toothless),
            ("Excused, but shown by an error", &self.seen_though_excused),
        ] {
            if !cells.is_empty() {
                text += &format!("\n{}\n", heading(title));
                text += &table(["test", "scope, place", "system", "condition"], cells.clone());
            }
        }
        if !self.errors.is_empty() {
            text +=
                &format!("\n{}\n", heading("Errors that are not seen, or are seen though excused"));
            text += &table(["error", "system"], self.errors.clone());
        }
        text += &said_not_applicable(&self.not_applicable);
        let cells = self.lines.iter().filter(|line| line.claim == "forbidden").count() as u64;
        let verdict = match self.complete {
            true => "each is shown by an error, or excused".to_string(),
            false => format!("NOT ALL ARE SHOWN; seed {}", self.seed),
        };
        text + &format!("\n\n{} forbidden lines in their places: {verdict}", thousands(cells))
    }

    /// For each error in each place: lines that show it, of all.
    fn errors_table(&self) -> String {
        let ran = |system: &System| self.lines.iter().any(|line| line.system == *system);
        let ran: Vec<_> = System::ALL.into_iter().filter(ran).collect();
        let mut rows = Vec::new();
        for error in systems::errors() {
            for place in Place::ALL {
                let count = |system: System| {
                    let lines = self.lines.iter().filter(|line| {
                        line.system == system
                            && line.place == place.name()
                            && line.planted.contains(&error.name)
                    });
                    let seen = lines.clone().filter(|line| line.seen.contains(&error.name)).count();
                    match lines.count() {
                        0 => String::new(),
                        all => format!("{seen}/{all}"),
                    }
                };
                let counts: Vec<_> = ran.iter().copied().map(count).collect();
                if counts.iter().any(|count| !count.is_empty()) {
                    let names = [error.name.to_string(), place.name().to_string()];
                    rows.push(names.into_iter().chain(counts).collect::<Vec<_>>());
                }
            }
        }
        let names = ran.iter().map(|system| system.name);
        let header: Vec<_> = ["error", "place"].into_iter().chain(names).collect();
        table_of(&header, rows)
    }

    /// What is excused, by what, and where.
    fn excuses_table(&self) -> String {
        let mut rows: Vec<([String; 4], Vec<&ToothRow>)> = Vec::new();
        for line in &self.lines {
            let Some(excuse) = &line.excuse else { continue };
            let claim = line.claim.to_string();
            let what = [excuse.clone(), line.test.clone(), claim, line.condition.clone()];
            match rows.iter_mut().find(|(known, _)| *known == what) {
                Some((_, lines)) => lines.push(line),
                None => rows.push((what, vec![line])),
            }
        }
        rows.sort_by(|one, other| one.0.cmp(&other.0));
        let row = |(what, lines): ([String; 4], Vec<&ToothRow>)| {
            let some = |count: usize, of: usize, names: Vec<&str>| match count == of {
                true => "all".to_string(),
                false => names.join(", "),
            };
            let systems = System::ALL
                .into_iter()
                .filter(|system| lines.iter().any(|line| line.system == *system));
            let systems: Vec<_> = systems.map(|system| system.name).collect();
            let places = Place::ALL.map(Place::name).into_iter();
            let places: Vec<_> =
                places.filter(|place| lines.iter().any(|line| line.place == *place)).collect();
            let [excuse, test, claim, condition] = what;
            let systems = some(systems.len(), System::ALL.len(), systems);
            [excuse, test, claim, condition, systems, places.join(", "), lines.len().to_string()]
        };
        let header = ["excused by", "test", "claim", "condition", "systems", "places", "cells"];
        let lines = table(header, rows.into_iter().map(row));
        let errors = systems::errors().into_iter().flat_map(|error| {
            System::ALL.into_iter().filter_map(move |system| {
                let excuse = excuse_of_error(error, system).filter(|_| system.has(error))?;
                Some([excuse.name(), error.name, system.name].map(String::from))
            })
        });
        let why =
            Mechanism::ALL.map(|mechanism| [mechanism.name(), mechanism.why()].map(String::from));
        format!(
            "{}\n{lines}\n{}",
            table(["mechanism", "what it is"], why),
            table(["excused by", "error that no test sees", "system"], errors)
        )
    }

    fn systems_table(&self) -> String {
        let row = |system: System| {
            let lines = self.lines.iter().filter(|line| line.system == system);
            let excused = lines.clone().filter(|line| line.excuse.is_some()).count();
            let share = format!("{:.0} %", 100.0 * self.excused(system));
            [system.name.to_string(), lines.count().to_string(), excused.to_string(), share]
        };
        let present = System::ALL.into_iter();
        let present = present.filter(|system| self.lines.iter().any(|line| line.system == *system));
        table(["system", "lines in their places", "excused", "share"], present.map(row))
    }
}
