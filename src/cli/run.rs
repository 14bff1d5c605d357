//! `warpsmith run`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::isa;
use crate::gpu::launch::{LaunchFile, prepare};
use crate::gpu::machine;
use crate::gpu::memory::Flat;
use crate::gpu::simt::Image;
use crate::report::run::RunReport;

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Module of kernels, as clang writes it
    #[arg(value_name = "KERNEL.ptx")]
    module: PathBuf,
    /// How to launch which kernel, on what data, and what to expect (TOML)
    #[arg(long, value_name = "FILE.toml")]
    launch: PathBuf,
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
    let mut memory = Flat::new(device, &image.program.constants);
    let start = Instant::now();
    let outcome = machine::run(&image, prepared.kernel, &prepared.launch, &mut memory)?;
    let seconds = start.elapsed().as_secs_f64();
    let results = prepared.results(&memory.device);
    let as_expected = results.iter().all(|result| result.differ == 0);
    let report = RunReport {
        kernel: image.program.body(prepared.kernel).name.clone(),
        file: args.module.display().to_string(),
        grid: prepared.launch.grid,
        block: prepared.launch.block,
        warp_instructions: outcome.warp_instructions,
        thread_instructions: outcome.thread_instructions,
        seconds,
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

fn read(path: &Path) -> Result<String, UserError> {
    std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("{}: {error}", path.display())))
}
