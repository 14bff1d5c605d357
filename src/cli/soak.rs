//! `warpsmith soak`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use super::cosim::{BackendArg, CosimArgs, Prepared, StallsArg};
use super::design::{DesignArgs, find};
use super::dut::DutArgs;
use super::junit::JunitArgs;
use super::progress::soak_bar;
use super::time_limit::TimeLimit;
use super::{MISMATCH, Outcome, say, say_json};
use crate::journal::Journal;
use crate::report::soak::{Ended, SoakReport, SoakRun};

/// Exit code of an interrupted run, as in a shell.
const INTERRUPTED: u8 = 130;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 no difference was found in that time, 1 a mismatch, 2 wrong input or \
                  missing tool, 130 interrupted before the time was over."
)]
pub(super) struct SoakArgs {
    /// Name of the block; `warpsmith list` shows them
    block: String,
    /// Total time, including earlier runs in the same folder, such as 30m or 1h30m
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    time: Duration,
    /// Presets, in turn; all if omitted
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    preset: Vec<String>,
    /// Single parameter that overrides each preset
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Simulator of the circuit
    #[arg(long, value_enum, default_value_t = BackendArg::Native)]
    backend: BackendArg,
    /// Requests of each run
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    requests: u64,
    /// First seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    dut: DutArgs,
    /// Folder for the journal, from which an interrupted soak resumes, and for the files about a mismatch.
    /// Default: flow-out/soak/BLOCK
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &SoakArgs, json: bool) -> Outcome {
    let block = find(&args.block)?;
    let presets = match args.preset.is_empty() {
        true => block.presets().into_iter().map(str::to_string).collect(),
        false => args.preset.clone(),
    };
    let out = args.out.clone().unwrap_or_else(|| Path::new("flow-out/soak").join(block.name));
    let bases: Vec<_> = presets.iter().map(|preset| args.cosim(preset, &out)).collect();
    let prepared = bases.iter().map(Prepared::new).collect::<Result<Vec<_>, _>>()?;
    let circuits = prepared.iter().map(Prepared::fingerprint).collect::<Result<Vec<_>, _>>()?;
    let journal = out.join("soak.jsonl");
    let (mut file, mut runs) = Journal::open::<SoakRun>(&journal)?;
    // A mismatch is searched for again; runs of another circuit do not count.
    runs.retain(|run| circuits.contains(&run.circuit) && run.verdict != "mismatch");
    let earlier = runs.len();
    let done: BTreeSet<_> = runs.iter().map(SoakRun::key).collect();
    let mut spent: f64 = runs.iter().map(|run| run.seconds).sum();

    // For each seed: every stream with every kind of stalls, on every preset.
    let mut round = Vec::new();
    for stream in block.streams {
        for stalls in [StallsArg::Random, StallsArg::None, StallsArg::Long] {
            round.extend((0..presets.len()).map(|preset| (stream.name, stalls, preset)));
        }
    }
    let points = (args.seed..).flat_map(|seed| round.iter().map(move |point| (seed, point)));
    let interrupted = end_on_interrupt();
    let is_interrupted = || interrupted.load(Ordering::Relaxed);
    let unlimited = TimeLimit::new(None, json);
    let bar = soak_bar(args.time, json);
    let mut mismatch = None;
    for (seed, &(stream, stalls, preset)) in points {
        let asked =
            CosimArgs { seed, stream: Some(stream.to_string()), stalls, ..bases[preset].clone() };
        let planned = planned(&presets[preset], &circuits[preset], &asked);
        if done.contains(&planned.key()) {
            continue;
        }
        if spent >= args.time.as_secs_f64() || is_interrupted() {
            break;
        }
        bar.set_position(spent as u64);
        bar.set_message(planned.name());
        let start = Instant::now();
        let report = match prepared[preset].examine(&asked, &unlimited, true) {
            // An interrupt also ends the tool that builds a model.
            Err(_) if is_interrupted() => break,
            examined => examined?,
        };
        let seconds = start.elapsed().as_secs_f64();
        spent += seconds;
        let run = planned.ended(&report, seconds);
        file.append(&run)?;
        runs.push(run);
        if report.mismatch.is_some() {
            mismatch = report.mismatch;
            break;
        }
    }
    bar.finish_and_clear();
    let ended = match &mismatch {
        Some(_) => Ended::Mismatch,
        None if spent >= args.time.as_secs_f64() => Ended::Time,
        None => Ended::Interrupted,
    };
    let report = SoakReport::new(block.name, &presets, &runs, earlier, ended, mismatch, journal);
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(match ended {
        Ended::Time => ExitCode::SUCCESS,
        Ended::Mismatch => ExitCode::from(MISMATCH),
        Ended::Interrupted => ExitCode::from(INTERRUPTED),
    })
}

impl SoakArgs {
    /// A run on that preset, with the first stream and seed.
    fn cosim(&self, preset: &str, out: &Path) -> CosimArgs {
        CosimArgs {
            design: DesignArgs {
                block: self.block.clone(),
                preset: preset.to_string(),
                params: None,
                settings: self.settings.clone(),
            },
            backend: self.backend,
            requests: self.requests,
            seed: self.seed,
            stream: None,
            episodes: None,
            require_corners: false,
            stalls: StallsArg::Random,
            dut: self.dut.clone(),
            time_limit: None,
            replay: None,
            waves: None,
            no_waves: false,
            from: None,
            to: None,
            out: Some(out.to_owned()),
            emit: None,
            junit: JunitArgs::default(),
        }
    }
}

/// The run before its result is known.
fn planned(preset: &str, circuit: &str, asked: &CosimArgs) -> SoakRun {
    SoakRun {
        preset: preset.to_string(),
        circuit: circuit.to_string(),
        stream: asked.stream.clone().unwrap_or_default(),
        stalls: asked.stalls.into(),
        seed: asked.seed,
        asked: asked.requests,
        verdict: String::new(),
        requests: 0,
        clocks: 0,
        missed_corners: BTreeSet::new(),
        seconds: 0.0,
    }
}

/// A flag that the first interrupt sets; the second ends the process.
fn end_on_interrupt() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // A program that uses this library may have its own handler, which is kept.
    let _ = ctrlc::try_set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        eprintln!("ending after the current run; interrupt again to end at once");
    });
    interrupted
}

fn time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_secs(1) => Ok(time),
        _ => Err("a time of a second or more is accepted, like 90s, 30m or 1h30m".to_string()),
    }
}
