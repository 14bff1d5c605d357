//! `warpsmith claims`

use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use warpsmith_blocks::claim::Claim;

use super::design::find;
use super::{Outcome, say, say_json};
use crate::report::{heading, number, table};

#[derive(Debug, Args)]
pub(super) struct ClaimsArgs {
    /// Name of the block; all blocks if it is left out
    block: Option<String>,
    /// Preset whose figures are ours
    #[arg(long, default_value = "paper")]
    preset: String,
}

#[derive(Serialize)]
struct BlockClaims {
    block: &'static str,
    preset: String,
    claims: Vec<JsonClaim>,
}

#[derive(Serialize)]
struct JsonClaim {
    #[serde(flatten)]
    claim: Claim,
    delta_percent: f64,
}

pub(super) fn run(args: &ClaimsArgs, json: bool) -> Outcome {
    let blocks = match &args.block {
        Some(name) => vec![find(name)?],
        None => warpsmith_blocks::all().to_vec(),
    };
    let mut all = Vec::new();
    for block in blocks {
        let claims = block.configure(&args.preset, &[])?.claims();
        let with_delta = |claim: Claim| JsonClaim { delta_percent: claim.delta_percent(), claim };
        all.push(BlockClaims {
            block: block.name(),
            preset: args.preset.clone(),
            claims: claims.into_iter().map(with_delta).collect(),
        });
    }
    if json {
        say_json(&all)?;
        return Ok(ExitCode::SUCCESS);
    }
    for BlockClaims { block, preset, claims } in &all {
        say(heading(&format!("{block} ({preset})")));
        let rows = claims.iter().map(|JsonClaim { claim, delta_percent }| {
            [
                claim.what.clone(),
                format!("{} {}", number(claim.paper), claim.unit),
                format!("{} {}", number(claim.ours), claim.unit),
                format!("{delta_percent:+.1} %"),
                claim.source.to_string(),
                claim.how.clone(),
            ]
        });
        say(table(["figure", "paper", "ours", "delta", "source", "how ours is counted"], rows));
    }
    Ok(ExitCode::SUCCESS)
}
