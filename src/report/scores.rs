//! The report of recorded mutation scores.

use crate::flow::mutate::record::Counts;
use crate::scores::{Run, Score, State};

use super::{table, thousands};

/// A run of a block.
pub struct Row<'a> {
    /// Name of the block.
    pub block: &'a str,
    /// The run.
    pub run: &'a Run,
    /// How it stands against its record.
    pub state: State,
    /// Its score, if there is one.
    pub score: Option<&'a Score>,
}

/// The scores as text: a table, and the survivors.
pub fn text<'a>(rows: impl Iterator<Item = Row<'a>>) -> String {
    let rows: Vec<_> = rows.collect();
    let titles = [
        "block",
        "preset",
        "faults",
        "requests",
        "killed",
        "equivalent",
        "argued",
        "survived",
        "score",
        "record",
    ];
    let mut parts = vec![table(titles, rows.iter().map(cells).collect::<Vec<_>>())];
    for Row { block, score, .. } in &rows {
        let Some(Score { run, survivors, .. }) = score else { continue };
        let of = |survivor| format!("{block}, {}: survived: {survivor}", run.preset);
        parts.extend(survivors.iter().map(of));
    }
    parts.join("\n")
}

fn cells(row: &Row<'_>) -> [String; 10] {
    let Run { preset, faults, count, seed, requests } = row.run;
    let faults = match count {
        Some(count) => format!("{} {count}, seed {seed}", faults.name()),
        None => faults.name().to_string(),
    };
    let (block, preset) = (row.block.to_string(), preset.clone());
    let state = match row.state {
        State::Recorded => "",
        State::Stale => "of another circuit",
        State::Missing => "missing",
    };
    let none = || "-".to_string();
    let numbers = row.score.map(|score| {
        let Counts { killed, killed_by_proof, equivalent, argued, survived, .. } = score.counts;
        [killed + killed_by_proof, equivalent, argued, survived].map(|n| thousands(n.into()))
    });
    let percent = row.score.and_then(|score| score.counts.score_percent());
    let percent = percent.map_or_else(none, |percent| format!("{percent:.1} %"));
    let [killed, equivalent, argued, survived] =
        numbers.unwrap_or_else(|| std::array::from_fn(|_| none()));
    let (requests, state) = (thousands(*requests), state.to_string());
    [block, preset, faults, requests, killed, equivalent, argued, survived, percent, state]
}
