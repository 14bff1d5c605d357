//! `warpsmith run`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::gpu::{MachineArgs, RtlArgs, read};
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::isa;
use crate::gpu::launch::{LaunchFile, prepare};
use crate::gpu::machine::{self, LaunchError, Machine};
use crate::gpu::memory::Flat;
use crate::gpu::simt::Image;
use crate::report::run::{RunReport, TimingReport};

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Module of kernels, as clang writes it
    #[arg(value_name = "KERNEL.ptx")]
    module: PathBuf,
    /// How to launch which kernel, on what data, and what to expect (TOML)
    #[arg(long, value_name = "FILE.toml")]
    launch: PathBuf,
    /// On the timed machine, or functionally, without caches and time
    #[arg(long, value_enum, default_value_t = Timing::On)]
    timing: Timing,
    #[command(flatten)]
    machine: MachineArgs,
    /// Take `.gpu` for the GPU that a CTA runs on, not for all that the launch is spread over
    #[arg(long)]
    scopes_as_written: bool,
    #[command(flatten)]
    rtl: RtlArgs,
}

/// Whether time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Timing {
    On,
    Off,
}

pub(super) fn run(args: &RunArgs, json: bool) -> Outcome {
    let text = read(&args.module)?;
    let program = isa::load(&args.module.display().to_string(), &text)?;
    let told = |error: &dyn std::fmt::Display| {
        UserError::new(format!("{}: {error}", args.launch.display()))
    };
    let file: LaunchFile = toml::from_str(&read(&args.launch)?).map_err(|error| told(&error))?;
    let image = Image::new(program);
    let folder = args.launch.parent().unwrap_or(Path::new("."));
    let mut prepared = prepare(&image.program, &file, folder).map_err(|error| told(&error))?;
    let device = std::mem::take(&mut prepared.device);
    let (kernel, launch) = (prepared.kernel, &prepared.launch);
    let constants = &image.program.constants;
    let start = Instant::now();
    let (outcome, device, timing) = match args.timing {
        Timing::Off => {
            args.machine.refuse("--timing off")?;
            args.rtl.refuse("--timing off")?;
            let mut memory = Flat::new(device, constants);
            let outcome = machine::run(&image, kernel, launch, &mut memory)?;
            (outcome, memory.device, None)
        }
        Timing::On => {
            let (config, name) = args.machine.config()?;
            let system = args.machine.system()?;
            let mut machine = Machine::new(&config, system, args.machine.perturb);
            if args.scopes_as_written {
                machine = machine.with_scopes_as_written();
            }
            if let Some(settings) = args.rtl.settings(&config)? {
                machine.use_rtl(&settings)?;
            }
            machine.load(device, constants);
            let timed = match machine.run(&image, kernel, launch) {
                Err(mismatch @ LaunchError::Directory { .. }) => return differs(&mismatch, json),
                ended => ended?,
            };
            let report = TimingReport {
                machine: name,
                system,
                perturb: args.machine.perturb,
                cycles: timed.cycles,
                microseconds: timed.cycles as f64 / config.machine.clock_mhz,
                ctas_per_core: timed.ctas_per_core,
                registers_per_thread: timed.registers_per_thread,
                compared_transfers: args.rtl.shadows().then(|| machine.compared()),
                statistics: machine.statistics(),
            };
            (timed.outcome, machine.into_device(), Some(report))
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let results = prepared.results(&device);
    let as_expected = results.iter().all(|result| result.differ == 0);
    let report = RunReport {
        kernel: image.program.body(prepared.kernel).name.clone(),
        file: args.module.display().to_string(),
        grid: prepared.launch.grid,
        block: prepared.launch.block,
        warp_instructions: outcome.warp_instructions,
        thread_instructions: outcome.thread_instructions,
        seconds,
        timing,
        printed: outcome.printed,
        results,
        as_expected,
    };
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if as_expected { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

/// Tells that RTL differs from its reference.
fn differs(mismatch: &LaunchError, json: bool) -> Outcome {
    match json {
        true => say_json(&serde_json::json!({ "mismatch": mismatch.to_string() }))?,
        false => say(mismatch),
    }
    Ok(ExitCode::from(MISMATCH))
}
