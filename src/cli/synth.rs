//! `warpsmith synth`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::design::DesignArgs;
use super::dut::DutArgs;
use super::progress::while_told;
use super::target::TargetArgs;
use super::{Outcome, UserError, say, say_json};
use crate::flow::Tell;
use crate::flow::synth::fpga::{Family, Source, synthesize_verilog};
use crate::flow::synth::{Subject, Target, synthesize};
use crate::flow::users::Purpose;
use crate::report;

#[derive(Debug, Args)]
pub(super) struct SynthArgs {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    dut: DutArgs,
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
    let record = match users(args, &subject, &target)? {
        Some((source, family)) => {
            let synthesize = |tell: Tell<'_>| synthesize_verilog(&source, family, &options, tell);
            let mut record = while_told(json, synthesize)?;
            record.notes.push(format!("of your Verilog: {}", args.dut.names()));
            record
        }
        None => while_told(json, |tell| synthesize(&subject, &target, &options, tell))?,
    };
    match json {
        true => say_json(&record)?,
        false => say(report::synth::text(&record)),
    }
    Ok(ExitCode::SUCCESS)
}

/// The user's Verilog, if any.
fn users(
    args: &SynthArgs,
    subject: &Subject<'_>,
    target: &Target,
) -> Result<Option<(Source, Family)>, UserError> {
    let family = match target {
        Target::Fpga(family) => Some(*family),
        Target::Asic(_) if args.dut.is_given() => {
            let what = "--dut: the RAM macros of target `asic` are those of our circuit; accepted with \
                        Verilog of your own: ecp5, ice40, xc7";
            return Err(UserError::new(what.to_string()));
        }
        Target::Asic(_) => None,
    };
    let verilog = args.dut.verilog(&subject.design.circuit(), Purpose::Synthesis)?;
    let (Some(verilog), Some(family)) = (verilog, family) else { return Ok(None) };
    let source = Source {
        block: subject.design.name().to_string(),
        preset: subject.preset.to_string(),
        params: subject.design.params(),
        verilog,
        clock: "clk".to_string(),
        memories: None,
    };
    Ok(Some((source, family)))
}

/// One folder per set of parameters and target, so that no run empties another's.
fn default_folder(args: &SynthArgs, params: &toml::Table) -> PathBuf {
    let name = args.design.folder_name(params);
    let whose = if args.dut.is_given() { "-dut" } else { "" };
    PathBuf::from("flow-out/synth").join(format!("{name}-{}{whose}", args.target.target.name()))
}
