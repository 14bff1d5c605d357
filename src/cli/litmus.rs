//! `warpsmith litmus`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::gpu::read;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::coherence::System;
use crate::gpu::config::Config;
use crate::gpu::litmus::{self, TESTS, Test};
use crate::report::litmus::{LitmusReport, LitmusRow};

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
    /// Runs of each test in each scope and place
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// Of all that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(args: &LitmusArgs, json: bool) -> Outcome {
    let config = Config::preset(&args.preset)?;
    let systems = match &args.system[..] {
        "all" => System::ALL.to_vec(),
        name => vec![System::named(name).ok_or_else(|| {
            let known = System::ALL.map(System::name).join(", ");
            UserError::new(format!("no memory system {name}; there are: all, {known}"))
        })?],
    };
    let mut rows = Vec::new();
    for test in tests(args)? {
        for variant in test.variants(&config.machine) {
            for system in &systems {
                let counts =
                    litmus::run(&test, variant, &config, *system, args.runs, args.seed, None)?;
                rows.push(LitmusRow::new(&test, variant, *system, counts));
            }
        }
    }
    let report = LitmusReport::new(args.preset.clone(), args.seed, rows);
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if report.as_allowed { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
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
