//! `warpsmith litmus`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::gpu::read;
use super::junit::JunitArgs;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::config::Config;
use crate::gpu::litmus::axioms::{self, Judgement};
use crate::gpu::litmus::{self, NoCpus, Settings, TESTS, Test, Variant, WEAK_LOADS};
use crate::gpu::systems::quick_release::QUICK_RELEASE;
use crate::gpu::systems::{System, errors};
use crate::report::axioms::{AxiomReport, Outcomes};
use crate::report::junit;
use crate::report::litmus::{LitmusReport, LitmusRow};
use crate::report::teeth::{TeethReport, rows as teeth_rows};

#[derive(Debug, Args)]
pub(super) struct LitmusArgs {
    /// Test files; the built-in tests if omitted
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Memory system, or `all` that the machine has the parts for; with `--teeth` on `small` and `small_apu`, all whose
    /// small machine that is
    #[arg(long, value_name = "NAME", default_value = "all")]
    system: String,
    /// Machine
    #[arg(long, value_name = "NAME", default_value = "small")]
    preset: String,
    /// Minimum runs of each test in each scope and place; up to 20 times as many, until every allowed outcome
    /// was seen
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// Longest time in clocks for which a core delays a load, so that later instructions pass it
    #[arg(long, value_name = "CLOCKS", default_value_t = WEAK_LOADS, value_parser = clap::value_parser!(u32).range(1..))]
    weak_loads: u32,
    /// Plant errors in the cores and memory systems, one at a time; run each test up to `--runs` times with
    /// each; report which forbidden lines it shows, and what is excused
    #[arg(long)]
    teeth: bool,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print all outcomes that the axioms of PTX's memory model allow for each test, and run nothing
    #[arg(long, conflicts_with_all = ["without_axioms", "junit"])]
    outcomes: bool,
    /// Do not compare the tests with the axioms
    #[arg(long)]
    without_axioms: bool,
    #[command(flatten)]
    junit: JunitArgs,
}

/// The runs, and the axioms' verdicts on the same tests.
#[derive(Serialize)]
struct Document<R> {
    #[serde(flatten)]
    runs: R,
    /// None with `--without-axioms`.
    axioms: Option<AxiomReport>,
}

/// All outcomes that the axioms allow.
#[derive(Serialize)]
struct AllOutcomes {
    outcomes: Vec<Outcomes>,
}

pub(super) fn run(args: &LitmusArgs, json: bool) -> Outcome {
    args.junit.with_error(|| examine(args, json))
}

fn examine(args: &LitmusArgs, json: bool) -> Outcome {
    let mut config = Config::preset(&args.preset)?;
    config.core.weak_loads = args.weak_loads;
    let systems: Vec<System> = match &args.system[..] {
        // Errors show on machines that have what they are about.
        "all" if args.teeth && System::ALL.iter().any(|it| it.small == args.preset) => {
            System::fitting(&config).filter(|system| system.small == args.preset).collect()
        }
        "all" => System::fitting(&config).collect(),
        name => {
            let system = System::named(name).ok_or_else(|| {
                let known: Vec<_> = System::known().map(|system| system.name).collect();
                let known = known.join(", ");
                UserError::new(format!("no memory system {name}; there are: all, {known}"))
            })?;
            if args.weak_loads == WEAK_LOADS && (system.fits)(&config).is_err() {
                config.core.weak_loads = 0;
            }
            system.check(&config, &args.preset)?;
            vec![system]
        }
    };
    let (machine, seed, most) = (args.preset.clone(), args.seed, args.runs.saturating_mul(20));
    let settings =
        |system| Settings { config: &config, system, seed, runs: args.runs, most, planted: None };
    let (tests, left_out) = tests(args, &config)?;
    if !args.files.is_empty() && !args.outcomes {
        tests.iter().try_for_each(|test| can_run(test, &systems, &config))?;
    }
    let claims_nothing = |it: &&Test| it.forbidden.is_empty() && it.allowed.is_empty();
    let without = tests.iter().filter(claims_nothing).find(|it| it.asked.is_empty());
    if let Some(test) = without.filter(|_| !args.outcomes) {
        return Err(UserError::new(format!(
            "{}: a line `forbidden CONDITION` or `allowed CONDITION` is missing; without one, \
             --outcomes prints what is allowed",
            test.file
        )));
    }
    if args.outcomes {
        return outcomes(&tests, &config, json);
    }
    let mut said = (!args.without_axioms).then(AxiomReport::default);
    let mut not_run: Vec<[String; 2]> = Vec::new();
    for test in &tests {
        let judged = said.is_some().then(|| judged(test, &config)).transpose()?.unwrap_or_default();
        if let Some(said) = &mut said {
            said.add(test, &judged);
        }
        let reason = why_not_run(test, &judged).filter(|_| !claims_nothing(&test));
        not_run.extend(reason.map(|reason| [test.name.clone(), reason]));
    }
    if let Some([test, reason]) = not_run.first().filter(|_| args.teeth) {
        return Err(UserError::new(format!("{test} cannot be run: {reason}")));
    }
    let is_run = |test: &&Test| not_run.iter().all(|[name, _]| *name != test.name);
    let (mut rows, mut lines, mut not_applicable) = (Vec::new(), Vec::new(), Vec::new());
    for test in tests.iter().filter(|test| !claims_nothing(test) && is_run(test)) {
        let (here, not): (Vec<&System>, Vec<_>) =
            systems.iter().partition(|system| test.check_cpus(**system, &config).is_ok());
        not_applicable.extend(not.iter().map(|system| [&test.name, system.name].map(String::from)));
        for variant in test.variants(&config.machine) {
            for system in here.iter().copied() {
                let settings = settings(*system);
                if args.teeth {
                    let teeth = litmus::teeth(test, variant, &settings, &errors())?;
                    lines.extend(teeth_rows(test, variant, *system, &teeth));
                } else {
                    let counts = litmus::run(test, variant, &settings)?;
                    rows.push(LitmusRow::new(test, variant, *system, counts));
                }
            }
        }
    }
    let (is_good, text, document) = if args.teeth {
        // A user's tests need not show every error.
        let all = args.files.is_empty();
        let report = TeethReport::new(machine, seed, args.runs, lines, all);
        let report = TeethReport { not_applicable, ..report };
        args.junit.write(|| junit::of_teeth(&report, said.as_ref()))?;
        (report.complete, report.text(), serde_json::to_value(&report)?)
    } else {
        let report = LitmusReport::new(machine, seed, rows);
        let report = LitmusReport { left_out, not_applicable, not_run, ..report };
        args.junit.write(|| junit::of_litmus(&report, said.as_ref()))?;
        (report.as_allowed, report.text(), serde_json::to_value(&report)?)
    };
    let agrees = said.as_ref().is_none_or(|said| said.agrees);
    match json {
        true => say_json(&Document { runs: document, axioms: said })?,
        false => {
            say(text);
            if let Some(said) = said {
                say(format!("\n{}", said.text()));
            }
        }
    }
    Ok(if is_good && agrees { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

/// Reason for which a test with claims is not run.
fn why_not_run(test: &Test, judged: &[(Variant, Judgement)]) -> Option<String> {
    if judged.iter().any(|(_, judgement)| judgement.outcomes.is_empty()) {
        let what = "no execution ends that the axioms follow: a barrier never opens, or threads branch back more often";
        return Some(what.to_string());
    }
    if let Some(line) = test.line_with_proxy() {
        let what = "no memory system here has surfaces, textures, constants or aliases with ways of their own";
        return Some(format!("line {line}: {what}; the axioms judge it"));
    }
    let line = test.open_barrier()?;
    Some(format!("line {line}: a barrier whose number is in a register needs a number of threads"))
}

/// Refuses a test that no memory system, or not the one that was asked for, can run.
fn can_run(test: &Test, systems: &[System], config: &Config) -> Result<(), NoCpus> {
    let run = |system: &System| test.check_cpus(*system, config);
    match systems {
        [system] => run(system),
        _ if systems.iter().any(|system| run(system).is_ok()) => Ok(()),
        // It is the machine that lacks a CPU side.
        _ => run(&QUICK_RELEASE),
    }
}

/// The axioms' judgement of a test in each scope and place.
fn judged(test: &Test, config: &Config) -> Result<Vec<(Variant, Judgement)>, UserError> {
    let judge = |variant| {
        let judgement = axioms::judge(test, variant, &config.machine).map_err(|limit| {
            UserError::new(format!(
                "{}: {limit}, in {variant}: too large for the axioms; `--without-axioms` only runs it",
                test.file
            ))
        })?;
        Ok((variant, judgement))
    };
    test.variants(&config.machine).into_iter().map(judge).collect()
}

fn outcomes(tests: &[Test], config: &Config, json: bool) -> Outcome {
    let mut all = Vec::new();
    for test in tests {
        let judged = judged(test, config)?.into_iter();
        all.extend(judged.map(|(variant, judgement)| Outcomes::new(test, variant, judgement)));
    }
    match json {
        true => say_json(&AllOutcomes { outcomes: all })?,
        false => all.iter().for_each(|outcomes: &Outcomes| say(outcomes.text())),
    }
    Ok(ExitCode::SUCCESS)
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

/// The tests, and the names of built-in tests that do not fit the machine.
fn tests(args: &LitmusArgs, config: &Config) -> Result<(Vec<Test>, Vec<String>), UserError> {
    if args.files.is_empty() {
        let parsed = TESTS.iter().map(|(file, text)| litmus::parse(file, text));
        let tests = parsed.collect::<Result<Vec<_>, _>>()?.into_iter();
        let (fit, left_out): (Vec<_>, Vec<_>) = tests.partition(|test| test.fits(&config.machine));
        return Ok((fit, left_out.into_iter().map(|test| test.name).collect()));
    }
    let mut tests = Vec::new();
    for path in &args.files {
        let test = litmus::parse(&path.display().to_string(), &read(path)?)?;
        if !test.fits(&config.machine) {
            return Err(does_not_fit(&test, args, config));
        }
        tests.push(test);
    }
    Ok((tests, Vec::new()))
}
