//! The table of the documentation.

use std::fmt::Write;

use super::cell::{Expected, FLOWS, Flow};
use super::feature::Feature;

/// A row for each feature.
pub fn table(features: &[Feature]) -> String {
    let mut table = String::from(
        "| feature | `cosim` | `prove` | `prove --equiv` | `mutate` | `synth` |\n|---|---|---|---|---|---|\n",
    );
    for feature in features {
        let cells: Vec<_> = FLOWS.iter().map(|flow| cell(feature, *flow)).collect();
        writeln!(table, "| {} | {} |", feature.name, cells.join(" | ")).expect("a text");
    }
    table
}

fn cell(feature: &Feature, flow: Flow) -> String {
    if let Some(shown) = feature.shown.get(&flow) {
        return shown.clone();
    }
    let right = flow.expected(feature, false);
    if let Expected::Refusal(words) = &right {
        return format!("refused: {}", words[0].replace('|', "\\|"));
    }
    let told = match right {
        Expected::FlipFlops(_) => return "figures".to_string(),
        _ if feature.wrong.is_none() => return "right".to_string(),
        _ => flow.expected(feature, true),
    };
    match told {
        Expected::Refusal(words) if feature.wrong_refused.contains_key(&flow) => {
            format!("right; the error is refused: {}", words[0])
        }
        _ if feature.unseen.contains(&flow) => "right; not read".to_string(),
        _ => "both".to_string(),
    }
}
