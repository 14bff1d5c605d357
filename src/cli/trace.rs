//! `warpsmith replay`: a memory system without cores.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::gpu::{MachineArgs, read};
use super::{Outcome, UserError, say, say_json};
use crate::gpu::replay::{Settings, Trace, replay};
use crate::gpu::systems::gpudet::NONDET;
use crate::report::replay::ReplayReport;

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Operations of cores, one a line: `CLOCK CORE load|store|atomic ADDRESS BYTES`, or
    /// `CLOCK CORE release|acquire cta|gpu|sys`. A core takes its own in order, none before its clock
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    #[command(flatten)]
    machine: MachineArgs,
    /// Loads, and stores that are acknowledged, that a core has in flight at most
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    outstanding: u32,
}

pub(super) fn run(args: &ReplayArgs, json: bool) -> Outcome {
    let trace = Trace::parse(&args.trace.display().to_string(), &read(&args.trace)?)?;
    let (config, machine) = args.machine.config()?;
    let system = args.machine.system(&config)?;
    system.check(&config, &machine)?;
    if (system.make)(&config).policy().is_some() {
        let name = system.name;
        return Err(UserError::new(format!(
            "{name} decides which warps issue, and a trace has none: replay it on another system, such as {}",
            NONDET.name
        )));
    }
    let (seed, outstanding) = (args.machine.perturb, args.outstanding);
    let settings = Settings { config: &config, system, seed, outstanding };
    let replayed = replay(&trace, settings)?;
    let report = ReplayReport { trace: trace.file, machine, system, perturb: seed, replayed };
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(ExitCode::SUCCESS)
}
