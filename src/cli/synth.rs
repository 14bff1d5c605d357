//! `warpsmith synth`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::design::DesignArgs;
use super::progress::while_told;
use super::target::TargetArgs;
use super::{Outcome, say, say_json};
use crate::flow::synth::{Subject, synthesize};
use crate::report;

#[derive(Debug, Args)]
pub(super) struct SynthArgs {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// Folder for Verilog, scripts, logs and reports. Default: flow-out/synth/BLOCK-PRESET-TARGET
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &SynthArgs, json: bool) -> Outcome {
    let design = args.design.design()?;
    let target = args.target.target()?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(args, &design.params()));
    let subject = Subject { design: &*design, preset: args.design.name() };
    let options = args.target.options(folder);
    let record = while_told(json, |tell| synthesize(&subject, &target, &options, tell))?;
    match json {
        true => say_json(&record)?,
        false => say(report::synth::text(&record)),
    }
    Ok(ExitCode::SUCCESS)
}

/// One for every set of parameters and target, so that no run empties another's.
fn default_folder(args: &SynthArgs, params: &toml::Table) -> PathBuf {
    let name = args.design.folder_name(params);
    PathBuf::from("flow-out/synth").join(format!("{name}-{}", args.target.target.name()))
}
