//! `warpsmith claims`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use warpsmith_blocks::claim::Claim;

use super::design::find;
use super::progress::while_told;
use super::{Blocks, Outcome, say, say_json};
use crate::flow::arrays::{Modelled, model};
use crate::flow::cacti::Cacti;
use crate::flow::folder::Folder;
use crate::report::{self, heading, number, table};

#[derive(Debug, Args)]
pub(super) struct ClaimsArgs {
    /// Names of blocks; all blocks if omitted
    #[arg(value_name = "BLOCK")]
    blocks: Vec<String>,
    /// Preset of our figures
    #[arg(long, default_value = "paper")]
    preset: String,
    /// Model the papers' arrays and our memories with CACTI at this feature size in nanometres; 32 if omitted
    #[arg(
        long,
        value_name = "NM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "32",
        value_parser = clap::value_parser!(u32).range(22..=90)
    )]
    cacti: Option<u32>,
    /// Folder for CACTI's input and output
    #[arg(long, value_name = "DIR", default_value = "flow-out/claims")]
    out: PathBuf,
    /// Time limit of each run of CACTI
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

#[derive(Serialize)]
struct BlockClaims {
    block: &'static str,
    preset: String,
    claims: Vec<JsonClaim>,
    /// Empty without CACTI.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrays: Vec<Modelled>,
}

#[derive(Serialize)]
struct JsonClaim {
    #[serde(flatten)]
    claim: Claim,
    delta_percent: f64,
}

pub(super) fn run(args: &ClaimsArgs, json: bool) -> Outcome {
    let blocks = match &args.blocks[..] {
        [] => warpsmith_blocks::all().to_vec(),
        names => names.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };
    let cacti = match args.cacti {
        Some(nanometres) => Some((Cacti::find()?, Folder::empty(&args.out)?, nanometres)),
        None => None,
    };
    let limit = Duration::from_secs(args.timeout);
    let mut all = Vec::new();
    for block in blocks {
        let design = block.configure(&args.preset, &[])?;
        let claims = design.claims();
        let arrays = match &cacti {
            Some((cacti, folder, nanometres)) => {
                while_told(json, |tell| model(&*design, cacti, *nanometres, folder, limit, tell))?
            }
            None => Vec::new(),
        };
        let with_delta = |claim: Claim| JsonClaim { delta_percent: claim.delta_percent(), claim };
        all.push(BlockClaims {
            block: block.name,
            preset: args.preset.clone(),
            claims: claims.into_iter().map(with_delta).collect(),
            arrays,
        });
    }
    if json {
        say_json(&Blocks { blocks: &all })?;
        return Ok(ExitCode::SUCCESS);
    }
    for BlockClaims { block, preset, claims, arrays } in &all {
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
        if let Some((cacti, _, nanometres)) = cacti.as_ref().filter(|_| !arrays.is_empty()) {
            say(report::ram::arrays(block, arrays, *nanometres, &cacti.program.version_text));
        }
    }
    if let Some((cacti, _, nanometres)) = &cacti {
        let arrays: Vec<_> = all.iter().flat_map(|block| &block.arrays).collect();
        let source = &cacti.program.version_text;
        report::ram::counterparts(&arrays, *nanometres, source).into_iter().for_each(say);
    }
    Ok(ExitCode::SUCCESS)
}
