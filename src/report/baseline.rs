//! The report of a comparison with baselines.

use super::{heading, number, table};
use crate::baseline::compare::{Change, Comparison, FigureVerdict};

/// The comparison as text, under a title.
pub fn text(title: &str, comparison: &Comparison) -> String {
    let rows = comparison.changes.iter().map(row);
    let header = ["metric", "old", "new", "ratio", "tolerance", "verdict"];
    let mut text = format!("{}\n{}", heading(title), table(header, rows));
    for change in &comparison.changes {
        if let Some(reason) = &change.reason {
            text += &format!("\n{}, {reason}", change.metric);
        }
    }
    for (name, old, new) in &comparison.setup {
        text += &format!("\n{name} changed from {old} to {new}");
    }
    text
}

fn row(change: &Change) -> [String; 6] {
    let figure = |value: Option<f64>| value.map_or("-".to_string(), number);
    let verdict = match change.verdict {
        FigureVerdict::Same => "same",
        FigureVerdict::Better => "BETTER",
        FigureVerdict::Worse => "WORSE",
        FigureVerdict::New => "NEW",
        FigureVerdict::Gone => "GONE",
    };
    [
        change.metric.clone(),
        figure(change.old),
        figure(change.new),
        change.ratio.map_or("-".to_string(), |ratio| format!("{ratio:.3}")),
        format!("{} %", number(change.tolerance_percent)),
        verdict.to_string(),
    ]
}
