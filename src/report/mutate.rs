//! The report of a mutation run.

use std::collections::BTreeMap;

use crate::flow::mutate::record::{Counts, Judged, KindCounts, MutantVerdict, MutationRecord};
use crate::flow::mutate::replay::Difference;

use super::cosim::modules;
use super::{heading, table, thousands};

/// Most requests and resets of a trace in the text; the record has all.
const SHOWN: usize = 12;

/// The record as text.
pub fn text(record: &MutationRecord) -> String {
    let title = format!("Mutants of {} ({}), seed {}", record.block, record.preset, record.seed);
    let mut parts = vec![heading(&title), counts(record)];
    if record.kinds.len() > 1 {
        parts.push(kinds(record));
    }
    let survivors = record.mutants.iter().filter_map(|judged| match &judged.verdict {
        MutantVerdict::Survived { difference, open } => Some((judged, difference.as_ref(), open)),
        _ => None,
    });
    for (judged, difference, open) in survivors {
        parts.push(survivor(judged, difference, open.as_deref()));
    }
    parts.extend(record.origin.as_ref().map(modules));
    if let Some(why) = &record.properties_not_searched {
        parts.push(format!("no search for broken properties: {why}"));
    }
    parts.push(String::new());
    parts.push(score(record));
    parts.join("\n")
}

/// All comparisons of a run over comparator bits, with the verdicts on their bits.
pub fn comparators(record: &MutationRecord) -> String {
    let title = format!("Comparators of {} ({})", record.block, record.preset);
    let mut cells: BTreeMap<_, Vec<&Judged>> = BTreeMap::new();
    for judged in &record.mutants {
        let place = judged.mutant.location.as_ref().map(|place| (&place.file, place.line));
        cells.entry((place, &judged.mutant.mutation.cell)).or_default().push(judged);
    }
    let rows = cells.iter().map(|((place, _), bits)| {
        let place = place.map_or("?".to_string(), |(file, line)| format!("{file}:{line}"));
        let change = bits.first().map_or("", |judged| judged.mutant.change.as_str());
        let compared = change.split('`').nth(1).unwrap_or(change);
        let counts = Counts::of(bits.iter().copied());
        let open = bits.iter().filter(|bit| matches!(bit.verdict, MutantVerdict::Survived { .. }));
        let open: Vec<_> = open.map(|bit| bit.mutant.mutation.bit.to_string()).collect();
        [
            place,
            compared.to_string(),
            bits.len().to_string(),
            (counts.killed + counts.killed_by_proof).to_string(),
            (counts.equivalent + counts.argued).to_string(),
            open.join(" "),
        ]
    });
    let titles = ["place", "comparison", "bits", "found", "equivalent", "open bits"];
    [heading(&title), table(titles, rows), counts(record), String::new(), score(record)].join("\n")
}

fn counts(record: &MutationRecord) -> String {
    let counts = &record.counts;
    let row = |what: &str, count: u32, how: &str| {
        [thousands(count.into()), what.to_string(), how.to_string()]
    };
    let found = format!("co-simulation, at most {} requests", thousands(record.requests));
    let mut rows = vec![row("killed", counts.killed, &found)];
    if counts.killed_by_proof > 0 {
        rows.push(row(
            "killed",
            counts.killed_by_proof,
            "a property of the block that the circuit keeps",
        ));
    }
    rows.push(row("equivalent", counts.equivalent, "proven for every legal use"));
    if counts.argued > 0 {
        rows.push(row("equivalent", counts.argued, "an argument with a check"));
    }
    rows.push(row("survived", counts.survived - counts.open, "distinguishable from the circuit"));
    if counts.open > 0 {
        rows.push(row("survived", counts.open, "neither distinguished nor proven equivalent"));
    }
    table(["mutants", "verdict", "by"], rows)
}

fn kinds(record: &MutationRecord) -> String {
    let row = |of: &KindCounts| {
        let Counts { killed, killed_by_proof, equivalent, argued, survived, .. } = of.counts;
        let score = of.score_percent.map_or("-".to_string(), |score| format!("{score:.1} %"));
        let numbers = [killed + killed_by_proof, equivalent + argued, survived];
        let [killed, equivalent, survived] = numbers.map(|number| thousands(number.into()));
        [of.kind.name().to_string(), killed, equivalent, survived, score]
    };
    let titles = ["kind", "killed", "equivalent", "survived", "score"];
    table(titles, record.kinds.iter().map(row).collect::<Vec<_>>())
}

fn survivor(judged: &Judged, difference: Option<&Difference>, open: Option<&str>) -> String {
    let mutant = &judged.mutant;
    let place = match &mutant.location {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "no place known".to_string(),
    };
    let mut lines = vec![heading(&format!("Survived: mutant {}, {place}", mutant.number))];
    lines.extend(mutant.location.iter().map(|place| place.text.clone()));
    let signal = mutant.signal.iter().map(|signal| format!(", at `{signal}`"));
    lines.push(format!("{}{}", mutant.change, signal.collect::<String>()));
    if let Some(Difference { clock, port, original, mutant, before }) = difference {
        lines.push(format!(
            "differs at clock {clock} on `{port}`: the circuit {original}, the mutant {mutant}; before:"
        ));
        let skipped = before.len().saturating_sub(SHOWN);
        if skipped > 0 {
            lines.push(format!("  ... {skipped} more"));
        }
        lines.extend(before[skipped..].iter().map(|line| format!("  {line}")));
    }
    lines.extend(open.map(|why| format!("neither distinguished nor proven equivalent: {why}")));
    lines.join("\n")
}

fn score(record: &MutationRecord) -> String {
    let bold = anstyle::Style::new().bold();
    let score = match record.score_percent {
        Some(score) => format!("{bold}{score:.1} %{bold:#} of the faults were found"),
        None => "no score: every mutant is equivalent".to_string(),
    };
    let sum = |of: fn(&Judged) -> f64| record.mutants.iter().map(of).sum::<f64>();
    let simulation = sum(|judged| judged.simulation_seconds);
    let proofs = sum(|judged| judged.proof_seconds);
    let resumed = match record.resumed {
        0 => String::new(),
        resumed => format!(" ({resumed} verdicts of an earlier run)"),
    };
    format!(
        "{score}\n{:.1} s; in all jobs {simulation:.1} s of co-simulation, {proofs:.1} s of \
         proofs{resumed}; netlists and proofs in {}",
        record.seconds,
        record.folder.display()
    )
}
