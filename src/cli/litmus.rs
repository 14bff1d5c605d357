//! `warpsmith litmus`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::gpu::read;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::PlantedError;
use crate::gpu::coherence::System;
use crate::gpu::config::Config;
use crate::gpu::litmus::{self, Settings, TESTS, Test, WEAK_LOADS};
use crate::report::litmus::{LitmusReport, LitmusRow};
use crate::report::teeth::{TeethReport, rows as teeth_rows};

#[derive(Debug, Args)]
pub(super) struct LitmusArgs {
    /// Tests; those of the program if none are named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Memory system, or `all`
    #[arg(long, value_name = "NAME", default_value = "all")]
    system: String,
    /// Machine
    #[arg(long, value_name = "NAME", default_value = "small")]
    preset: String,
    /// Least runs of each test in each scope and place; up to 20 times as many, until all that is
    /// allowed was seen
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// Longest time in clocks for which a core holds a load, so that what comes later passes it
    #[arg(long, value_name = "CLOCKS", default_value_t = WEAK_LOADS, value_parser = clap::value_parser!(u32).range(1..))]
    weak_loads: u32,
    /// Plant errors in the cores and in the memory systems, one at a time, run each test up to
    /// `--runs` times, and tell which forbidden lines show each, and what is excused
    #[arg(long)]
    teeth: bool,
    /// Of all that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(args: &LitmusArgs, json: bool) -> Outcome {
    let mut config = Config::preset(&args.preset)?;
    config.core.weak_loads = args.weak_loads;
    let systems = match &args.system[..] {
        "all" => System::ALL.to_vec(),
        name => vec![System::named(name).ok_or_else(|| {
            let known = System::ALL.map(System::name).join(", ");
            UserError::new(format!("no memory system {name}; there are: all, {known}"))
        })?],
    };
    let (machine, seed, most) = (args.preset.clone(), args.seed, args.runs.saturating_mul(20));
    let settings = |system| Settings {
        config: &config,
        system,
        seed,
        runs: if args.teeth { 0 } else { args.runs },
        most: if args.teeth { args.runs } else { most },
        planted: None,
    };
    let (mut rows, mut lines, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for test in tests(args)? {
        if !test.fits(&config.machine) {
            if !args.files.is_empty() {
                return Err(does_not_fit(&test, args, &config).into());
            }
            left_out.push(test.name);
            continue;
        }
        for variant in test.variants(&config.machine) {
            for system in &systems {
                let settings = settings(*system);
                if args.teeth {
                    let teeth =
                        litmus::teeth(&test, variant, &settings, &PlantedError::ALL, false)?;
                    lines.extend(teeth_rows(&test, variant, *system, &teeth));
                } else {
                    let counts = litmus::run(&test, variant, &settings)?;
                    rows.push(LitmusRow::new(&test, variant, *system, counts));
                }
            }
        }
    }
    let (is_good, text, document) = if args.teeth {
        // Of a user's tests nobody expects that they show every error.
        let all = args.files.is_empty();
        let report = TeethReport::new(machine, seed, args.runs, lines, all);
        (report.complete, report.text(), serde_json::to_value(&report)?)
    } else {
        let report = LitmusReport { left_out, ..LitmusReport::new(machine, seed, rows) };
        (report.as_allowed, report.text(), serde_json::to_value(&report)?)
    };
    match json {
        true => say_json(&document)?,
        false => say(text),
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

fn does_not_fit(test: &Test, args: &LitmusArgs, config: &Config) -> UserError {
    let machine = &config.machine;
    UserError::new(format!(
        "{} places its threads where {} has nothing: it has GPUs 0 to {} of GPMs 0 to {}",
        test.name,
        args.preset,
        machine.gpus - 1,
        machine.gpms_per_gpu - 1
    ))
}

fn tests(args: &LitmusArgs) -> Result<Vec<Test>, UserError> {
    if args.files.is_empty() {
        let parsed = TESTS.iter().map(|(file, text)| litmus::parse(file, text));
        return Ok(parsed.collect::<Result<_, _>>()?);
    }
    let mut tests = Vec::new();
    for path in &args.files {
        tests.push(litmus::parse(&path.display().to_string(), &read(path)?)?);
    }
    Ok(tests)
}
