//! `warpsmith determinism`: the final state of a program under many seeds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::gpu::{MachineArgs, RtlArgs, read};
use super::progress::runs_bar;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::determinism::{Difference, OnMachine, Program, RunError};
use crate::gpu::isa::Module;
use crate::gpu::launch::{LaunchFile, prepare};
use crate::gpu::machine::{LaunchError, Write};
use crate::gpu::simt::Image;
use crate::gpu::systems::gpudet::DETERMINISTIC;
use crate::report::determinism::{DeterminismReport, Differing};

#[derive(Debug, Args)]
pub(super) struct DeterminismArgs {
    /// Module of kernels, as clang writes it
    #[arg(value_name = "KERNEL.ptx")]
    module: PathBuf,
    /// Launches: kernels, their shapes and data (TOML)
    #[arg(long, value_name = "FILE.toml")]
    launch: PathBuf,
    /// Perturbed runs
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Seed of the first; the others follow
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    first_seed: u64,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    rtl: RtlArgs,
}

pub(super) fn run(args: &DeterminismArgs, json: bool) -> Outcome {
    if args.machine.perturb.is_some() {
        return Err(UserError::new("--perturb: give the seeds as --seeds N and --first-seed SEED"));
    }
    let module = Module::parse(&args.module.display().to_string(), &read(&args.module)?)?;
    let told = |error: &dyn std::fmt::Display| {
        UserError::new(format!("{}: {error}", args.launch.display()))
    };
    let file: LaunchFile = toml::from_str(&read(&args.launch)?).map_err(|error| told(&error))?;
    let known: Vec<_> = module.kernel_names().map(String::from).collect();
    let wanted = file.kernels(&known).map_err(|error| told(&error))?;
    let image = Image::new(module.lower(wanted.iter().map(String::as_str))?);
    let folder = args.launch.parent().unwrap_or(Path::new("."));
    let prepared = prepare(&image.program, &file, folder).map_err(|error| told(&error))?;
    let (config, machine) = args.machine.config()?;
    let system = args.machine.system(&config)?;
    system.check(&config, &machine)?;
    let rtl = args.rtl.settings()?;
    let on = OnMachine { config: &config, system, rtl: &rtl };
    let repeated = (0..prepared.repeat).flat_map(|_| prepared.launches.iter().cloned());
    let launches: Vec<_> = repeated.collect();
    let (device, constants) = (&prepared.device, &prepared.constants[..]);
    let program = Program { image: &image, launches: &launches, device, constants };
    let report = DeterminismReport {
        file: args.module.display().to_string(),
        machine,
        ..compared(args, program, on, json)?
    };
    let differs = report.among_seeds.is_some() || report.beside_oracle.is_some();
    let is_broken = report.oracle && differs || report.mismatch.is_some();
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if is_broken { ExitCode::from(MISMATCH) } else { ExitCode::SUCCESS })
}

/// Runs a program under all seeds, and compares its final states.
fn compared(
    args: &DeterminismArgs,
    program: Program,
    on: OnMachine,
    is_quiet: bool,
) -> Result<DeterminismReport, UserError> {
    let is_promised = on.system.deterministic;
    let oracle = is_promised.then(|| program.run_on_oracle(on.config)).transpose()?;
    let counters: &[&str] = if is_promised { &DETERMINISTIC } else { &[] };
    let mut report = DeterminismReport::new(on.system, args.seeds, is_promised);
    let mut outcomes: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let (mut first, mut transfers) = (None, 0);
    let progress = runs_bar(args.seeds, is_quiet);
    for seed in (0..args.seeds).map(|at| args.first_seed.wrapping_add(at)) {
        let state = match program.run(on, Some(seed)) {
            Err(RunError::Launch(found @ LaunchError::Mismatch { .. })) => {
                report.mismatch = Some(format!("seed {seed}: {found}"));
                break;
            }
            state => state?,
        };
        transfers += state.compared;
        outcomes.entry(state.digest()).or_default().push(seed);
        if let (None, Some(oracle)) = (&report.beside_oracle, &oracle) {
            let differs = state.difference(oracle, counters);
            let seeds = [seed, seed];
            report.beside_oracle = differs.map(|difference| Differing { seeds, difference });
        }
        if let (None, Some((of, first))) = (&report.among_seeds, &first) {
            let differs = state.difference(first, counters);
            let seeds = [seed, *of];
            report.among_seeds = differs.map(|difference| Differing { seeds, difference });
        }
        first.get_or_insert((seed, state));
        progress.inc(1);
    }
    progress.finish_and_clear();
    report.outcomes = outcomes.into_values().collect();
    report.compared_transfers = args.rtl.shadows().then_some(transfers);
    report.writers = writers(program, on, report.among_seeds.as_ref())?;
    Ok(report)
}

/// The last writers of the word in which two runs differ.
fn writers(
    program: Program,
    on: OnMachine,
    differing: Option<&Differing>,
) -> Result<Vec<String>, UserError> {
    let Some(Differing { seeds, difference: Difference::Memory { at, .. } }) = differing else {
        return Ok(Vec::new());
    };
    let name = |seed: &u64| {
        let last = program.last_writer(on, Some(*seed), *at)?;
        Ok(last.map_or("nobody".to_string(), |Write { file, line, thread, .. }| {
            format!("{thread}, {file}:{line}")
        }))
    };
    seeds.iter().map(name).collect()
}
