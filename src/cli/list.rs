//! `warpsmith list`

use std::process::ExitCode;

use serde::Serialize;

use super::{Blocks, Outcome, say, say_json};
use crate::report::table;

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    summary: &'static str,
    paper: &'static str,
    presets: Vec<&'static str>,
}

pub(super) fn run(json: bool) -> Outcome {
    let blocks: Vec<_> = warpsmith_blocks::all()
        .iter()
        .map(|block| Listed {
            name: block.name,
            summary: block.summary,
            paper: block.paper,
            presets: block.presets(),
        })
        .collect();
    if json {
        say_json(&Blocks { blocks: &blocks })?;
        return Ok(ExitCode::SUCCESS);
    }
    let rows =
        blocks.iter().map(|b| [b.name.to_string(), b.presets.join(" "), b.summary.to_string()]);
    say(table(["block", "presets", "what"], rows));
    Ok(ExitCode::SUCCESS)
}
