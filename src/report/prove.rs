//! The report of proofs.

use crate::flow::prove::equivalence::{Equivalence, EquivalenceRecord};
use crate::flow::prove::record::{AssertionVerdict, ProveRecord};

use super::cosim::modules;
use super::{heading, table, table_of};

/// The record as text.
pub fn text(record: &ProveRecord) -> String {
    let mut parts = vec![heading(&format!("{} ({})", record.block, record.preset))];
    let assertions = record.assertions.iter().map(|assertion| {
        let (verdict, how) = words(&assertion.verdict);
        [assertion.name.clone(), verdict.to_string(), how]
    });
    parts.push(table(["assertion", "verdict", "how"], assertions));
    if !record.covers.is_empty() {
        parts.push(heading("Covers"));
        let covers = record.covers.iter().map(|cover| {
            let met =
                cover.clock.map_or("not met".to_string(), |clock| format!("in clock {clock}"));
            [cover.name.clone(), met]
        });
        parts.push(table(["cover", "met"], covers));
    }
    if let Some(why) = &record.without_properties {
        parts
            .push(format!("only the assertions of its channels and its circuit are checked, not its contract: {why}"));
    }
    for corner in &record.corners_without_cover {
        parts.push(format!("no cover for the corner: {corner}"));
    }
    parts.extend(record.origin.as_ref().map(modules));
    parts.push(heading("Runs"));
    let tasks = record
        .tasks
        .iter()
        .map(|task| [task.name.clone(), task.ended.clone(), format!("{:.1} s", task.seconds)]);
    parts.push(table(["run", "ended", "time"], tasks));
    parts.extend(record.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.version)));
    parts.push(format!("logs and traces in {}", record.folder.display()));
    for assumption in &record.assumptions {
        parts.push(format!("assumed by your Verilog: {assumption}"));
    }
    parts.push(verdict(record));
    parts.join("\n")
}

fn words(verdict: &AssertionVerdict) -> (&'static str, String) {
    match verdict {
        AssertionVerdict::Proven { by } => ("proven", format!("for all time, by {by}")),
        AssertionVerdict::Bounded { clocks } => {
            ("holds", format!("for {clocks} clocks after power-up"))
        }
        AssertionVerdict::Fails { clock, trace } => {
            let clock = clock.map(|clock| format!("in clock {clock}")).unwrap_or_default();
            let trace = trace.as_ref().map(|trace| format!(", trace {trace}")).unwrap_or_default();
            ("FAILS", clock + &trace)
        }
        AssertionVerdict::NotProven { why } => ("not proven", why.clone()),
    }
}

fn verdict(record: &ProveRecord) -> String {
    let count = |wanted: &str| {
        record.assertions.iter().filter(|assertion| words(&assertion.verdict).0 == wanted).count()
    };
    let met = record.covers.iter().filter(|cover| cover.clock.is_some()).count();
    let open = record.has_open_assertion() || record.has_unmet_cover();
    let word = match (record.fails(), open) {
        (true, _) => "FAILS",
        (false, true) => "OPEN",
        (false, false) => "HOLDS",
    };
    let assumed = match record.assumptions.len() {
        0 => String::new(),
        1 => ", given 1 assumption of yours".to_string(),
        count => format!(", given {count} assumptions of yours"),
    };
    format!(
        "{word}: of {} assertions {} proven, {} hold for some clocks, {} not proven, {} fail; {met} of \
         {} covers met{assumed}",
        record.assertions.len(),
        count("proven"),
        count("holds"),
        count("not proven"),
        count("FAILS"),
        record.covers.len(),
    )
}

/// A comparison as text.
pub fn equivalence(record: &EquivalenceRecord) -> String {
    let mut parts = Vec::new();
    let verdict = match &record.verdict {
        Equivalence::Proven { by } => format!("EQUIVALENT from {}: proven by {by}", record.from),
        Equivalence::Different { trace, .. } => {
            parts.push(heading("Counterexample"));
            let columns = std::iter::once("step".to_string()).chain(trace.columns.iter().cloned());
            let rows = trace.rows.iter().map(|(step, values)| {
                std::iter::once(step.to_string()).chain(values.iter().cloned()).collect::<Vec<_>>()
            });
            parts.push(table_of(&columns.collect::<Vec<_>>(), rows));
            let simulated = trace.simulated.as_deref().unwrap_or("the files");
            parts.push(format!(
                "simulated in Icarus Verilog: {simulated}; waves: {}",
                trace.waves.join(" ")
            ));
            format!(
                "DIFFERENT from {}: in step {} {} is {} in the first and {} in the second",
                record.from, trace.step, trace.output, trace.values[0], trace.values[1]
            )
        }
        Equivalence::NotProven { why } => format!("NOT PROVEN from {}: {why}", record.from),
    };
    parts.extend(record.notes.iter().map(|note| format!("note: {note}")));
    let clocks = match record.clocks.as_slice() {
        [] => "no clock".to_string(),
        clocks => format!("clocks: {}", clocks.join(", ")),
    };
    parts.push(format!(
        "{clocks}; {:.1} s; netlists, logs and waves in {}",
        record.seconds,
        record.folder.display()
    ));
    parts.push(verdict);
    parts.join("\n")
}
