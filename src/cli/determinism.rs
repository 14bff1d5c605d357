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
    /// How to launch which kernel, on what data (TOML)
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

    let oracle = match system.deterministic {
        true => Some(program.run_on_oracle(&config)?),
        false => None,
    };
    let progress = runs_bar(args.seeds, json);
    let mut outcomes: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let (mut first, mut among_seeds, mut beside_oracle) = (None, None, None);
    let (mut compared, mut mismatch) = (0, None);
    for seed in args.first_seed..args.first_seed + args.seeds {
        let state = match program.run(on, Some(seed)) {
            Err(RunError::Launch(found @ LaunchError::Mismatch { .. })) => {
                mismatch = Some(format!("seed {seed}: {found}"));
                break;
            }
            state => state?,
        };
        compared += state.compared;
        outcomes.entry(state.digest()).or_default().push(seed);
        let counters: &[&str] = if oracle.is_some() { &DETERMINISTIC } else { &[] };
        if let (None, Some(oracle)) = (&beside_oracle, &oracle) {
            let differs = state.difference(oracle, counters);
            beside_oracle = differs.map(|difference| Differing { seeds: [seed, seed], difference });
        }
        if let (None, Some((of, first))) = (&among_seeds, &first) {
            let differs = state.difference(first, counters);
            among_seeds = differs.map(|difference| Differing { seeds: [seed, *of], difference });
        }
        first.get_or_insert((seed, state));
        progress.inc(1);
    }
    progress.finish_and_clear();
    let writers = match &among_seeds {
        Some(Differing { seeds, difference: Difference::Memory { at, .. } }) => {
            let writer = |seed: &u64| program.last_writer(on, Some(*seed), *at);
            seeds.iter().map(writer).collect::<Result<Vec<_>, _>>()?
        }
        _ => Vec::new(),
    };
    let named = |write: Option<Write>| match write {
        None => "nobody".to_string(),
        Some(Write { file, line, thread, .. }) => format!("{thread}, {file}:{line}"),
    };
    let writers: Vec<_> = writers.into_iter().map(named).collect();
    let report = DeterminismReport {
        file: args.module.display().to_string(),
        machine,
        system,
        seeds: args.seeds,
        outcomes: outcomes.into_values().collect(),
        among_seeds,
        writers,
        oracle: oracle.is_some(),
        beside_oracle,
        compared_transfers: args.rtl.shadows().then_some(compared),
        mismatch,
    };
    let differs = report.among_seeds.is_some() || report.beside_oracle.is_some();
    let is_broken = oracle.is_some() && differs || report.mismatch.is_some();
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if is_broken { ExitCode::from(MISMATCH) } else { ExitCode::SUCCESS })
}
