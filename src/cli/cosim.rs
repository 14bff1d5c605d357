//! `warpsmith cosim`

mod mismatch;
mod subject;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use sha2::{Digest, Sha256};
use warpsmith_blocks::block::{Design, Part};
use warpsmith_rtl::Module;
use warpsmith_rtl::simulator::can_compile;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{self, Plan, Verdict};
use warpsmith_testbench::window::WavesTo;

use self::mismatch::{refuse_dead, report_mismatch};
use self::subject::Subject;
use super::design::DesignArgs;
use super::dut::DutArgs;
use super::junit::JunitArgs;
use super::progress::{bar, while_waiting};
use super::time_limit::TimeLimit;
use super::{MISMATCH, Outcome, UserError, replay, say, say_json};
use crate::emission;
use crate::report::cosim::{CosimReport, PartReport};
use crate::report::junit;

#[derive(Clone, Debug, Args)]
pub(super) struct CosimArgs {
    #[command(flatten)]
    pub(super) design: DesignArgs,
    /// Simulator of the circuit
    #[arg(long, value_enum, default_value_t = BackendArg::Native)]
    pub(super) backend: BackendArg,
    /// Requests to run
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) requests: u64,
    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Stream of requests; `warpsmith show` lists them. Default: the block's first
    #[arg(long, value_name = "NAME")]
    pub(super) stream: Option<String>,
    /// Episodes, each after a reset and with other straps; the last has half of the requests. Default: one
    /// for 4,096 requests, at most 32, after twice as many of 128 requests
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "replay")]
    pub(super) episodes: Option<u64>,
    /// Exit with 1 if a reachable corner was not met
    #[arg(long, conflicts_with = "replay")]
    pub(super) require_corners: bool,
    /// Stalls of the environment
    #[arg(long, value_enum, default_value_t = StallsArg::Random)]
    pub(super) stalls: StallsArg,
    #[command(flatten)]
    pub(super) dut: DutArgs,
    /// Stop after this many seconds, including the build, with exit code 2
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) time_limit: Option<u64>,
    /// Replay the stream of a mismatch from its file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["requests", "seed", "stream", "stalls"])]
    pub(super) replay: Option<PathBuf>,
    /// Write waves, .vcd or .fst: of the run, or on a mismatch of the shrunk stream
    #[arg(long, value_name = "FILE")]
    pub(super) waves: Option<PathBuf>,
    /// No waves of the shrunk stream on a mismatch, for which a Verilated circuit is built once more
    #[arg(long, conflicts_with = "waves")]
    pub(super) no_waves: bool,
    /// Waves of the run from this clock on, counted from power-up; the run is as fast as without waves before
    #[arg(long, value_name = "N", requires = "waves")]
    pub(super) from: Option<u64>,
    /// Waves of the run before this clock
    #[arg(long, value_name = "M", requires = "waves")]
    pub(super) to: Option<u64>,
    /// Folder for the files about a mismatch. Default: flow-out/cosim/BLOCK-PRESET
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Also write the circuit's Verilog to this folder, as `emit --out` does
    #[arg(long, value_name = "DIR")]
    pub(super) emit: Option<PathBuf>,
    #[command(flatten)]
    pub(super) junit: JunitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BackendArg {
    /// The native simulator: nothing to install; long runs are compiled to machine code
    Native,
    /// The native simulator without compiling
    Interpreter,
    /// Verilator, on the emitted Verilog
    Verilator,
}

impl BackendArg {
    /// The simulator. Says so where the native one is slow because it cannot compile.
    pub(super) fn chosen(self) -> Backend {
        if let (BackendArg::Native, Err(reason)) = (self, can_compile()) {
            anstream::eprintln!("note: circuits are interpreted, which is slower: {reason}");
        }
        match self {
            BackendArg::Native => Backend::Native,
            BackendArg::Interpreter => Backend::Interpreter,
            BackendArg::Verilator => Backend::Verilator,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StallsArg {
    /// Every channel is always willing
    None,
    /// Every channel is willing or not, changing at random
    Random,
    /// As random, with pauses of 5,000 clocks
    Long,
}

impl From<StallsArg> for Stalls {
    fn from(stalls: StallsArg) -> Self {
        match stalls {
            StallsArg::None => Stalls::None,
            StallsArg::Random => Stalls::Random,
            StallsArg::Long => Stalls::Long,
        }
    }
}

pub(super) fn run(args: &CosimArgs, json: bool) -> Outcome {
    args.junit.with_error(|| compare(args, json))
}

fn compare(args: &CosimArgs, json: bool) -> Outcome {
    let limit = TimeLimit::new(args.time_limit, json);
    let prepared = Prepared::new(args)?;
    let mut report = prepared.examine(args, &limit, json)?;
    if report.mismatch.is_none() && args.replay.is_none() {
        let parts = prepared.design.parts();
        let parts = parts.iter().filter(|part| prepared.subject.defines(part.design.name()));
        let reports = parts.map(|part| alone(args, part, &limit, json));
        report.add_parts(reports.collect::<Result<_, _>>()?);
    }
    args.junit.write(|| junit::of_cosim(&report, args.require_corners))?;
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    let is_failure =
        report.verdict == "mismatch" || (args.require_corners && report.verdict != "equal");
    Ok(ExitCode::from(if is_failure { MISMATCH } else { 0 }))
}

/// Tests a part of the user's Verilog as a block of its own, which covers what the whole cannot cause in it.
fn alone(
    args: &CosimArgs,
    part: &Part,
    limit: &TimeLimit,
    quiet: bool,
) -> Result<PartReport, UserError> {
    let (instance, block) = (part.instance, part.design.name());
    let settings = part.design.params().into_iter();
    let settings = settings.map(|(name, value)| format!("{name}={}", plain(&value)));
    let design = DesignArgs { settings: settings.collect(), ..args.design.of_block(block) };
    let args = CosimArgs {
        design,
        dut: args.dut.of_part(),
        stream: None,
        waves: None,
        from: None,
        to: None,
        emit: None,
        out: args.out.as_ref().map(|out| out.join(instance)),
        ..args.clone()
    };
    let tested = |report, not_tested| PartReport { instance, block, report, not_tested };
    let prepared = match Prepared::new(&args) {
        Ok(prepared) => prepared,
        // The part has other ports than the block.
        Err(UserError(why)) => return Ok(tested(None, Some(why))),
    };
    Ok(tested(Some(Box::new(prepared.examine(&args, limit, quiet)?)), None))
}

/// A value in the syntax of `--set`.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// A prepared co-simulation, for any number of runs.
pub(super) struct Prepared<'a> {
    design: Box<dyn Design>,
    circuit: Module,
    subject: Subject<'a>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(args: &'a CosimArgs) -> Result<Self, UserError> {
        check_waves(
            args.waves.as_deref(),
            args.dut.is_given() || args.backend == BackendArg::Verilator,
        )?;
        waves_of(args)?;
        let design = args.design.design()?;
        stream_index(args, &*design)?;
        let circuit = design.circuit();
        let subject = Subject::new(args, &circuit)?;
        Ok(Self { design, circuit, subject })
    }

    /// A hash of the simulated circuit.
    pub(super) fn fingerprint(&self) -> Result<String, UserError> {
        let name = self.subject.name();
        let mut hash = Sha256::new();
        match &self.subject {
            Subject::Own(_) => hash.update(format!("{name} {:?}", verilog_source(&self.circuit)?)),
            Subject::User { source, dut } => {
                hash.update(format!("{name} {:?} {:?}", source.verilog, dut.reset_clocks()));
                for file in &source.reads {
                    let text = std::fs::read(&file.path).unwrap_or_default();
                    hash.update(format!("{} {:?}", text.len(), file.name));
                    hash.update(text);
                }
            }
        }
        let hash = hash.finalize();
        Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Runs the co-simulation and writes the files about a mismatch. `quiet` hides the progress.
    pub(super) fn examine(
        &self,
        args: &CosimArgs,
        limit: &TimeLimit,
        quiet: bool,
    ) -> Result<CosimReport, UserError> {
        let Self { design, circuit, subject } = self;
        let stream = stream_index(args, &**design)?;
        let bench = Bench::new(&**design, circuit);
        let recorded = args.replay.as_deref().map(|path| replay::read(path, &bench)).transpose()?;
        let recorded_clocks = recorded.as_ref().map(|recorded| recorded.reset_clocks);
        let reset_clocks = args.dut.reset_clocks().or(recorded_clocks).unwrap_or(1);
        let bench = bench.with_reset_clocks(reset_clocks);
        if let Some(folder) = &args.emit {
            let folder = folder.join(design.name()).join(args.design.name());
            let emission = emission::of_design(&**design, &folder, "")?;
            emission.write()?;
            if !quiet {
                emission
                    .files
                    .iter()
                    .for_each(|(path, _)| say(format!("wrote {}", path.display())));
            }
        }

        limit.doing("building the model");
        let models = while_waiting(
            "building the Verilated model",
            quiet || !subject.is_verilated(),
            || subject.models(&bench, circuit, args.waves.is_some()),
        )?;
        limit.doing("running");
        let waves = waves_of(args)?;
        let start = Instant::now();
        let (summary, verdict) = match &recorded {
            Some(recorded) => cosim::replay(&bench, &models, recorded, waves.as_ref())?,
            None => {
                let plan = Plan {
                    requests: args.requests,
                    seed: args.seed,
                    stream,
                    stalls: args.stalls.into(),
                    episodes: args.episodes,
                };
                let progress = bar(args.requests, quiet);
                let run = cosim::cosim(&bench, &models, &plan, waves.as_ref(), &mut |n| {
                    progress.set_position(n);
                    limit.ran(n);
                });
                progress.finish_and_clear();
                run?
            }
        };
        let seconds = start.elapsed().as_secs_f64();

        let mismatch = match verdict {
            Verdict::Equal => None,
            Verdict::Diverged(divergent) => {
                refuse_dead(&divergent, subject, reset_clocks)?;
                Some(report_mismatch(args, &bench, circuit, subject, *divergent)?)
            }
        };
        let is_mismatch = mismatch.is_some();
        let missed_corners: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        let met_all = recorded.is_none() && missed_corners.is_empty();
        let verdict = match (is_mismatch, met_all) {
            (true, _) => "mismatch",
            (false, true) => "equal",
            (false, false) => "no_difference_found",
        };
        Ok(CosimReport {
            block: design.name(),
            preset: args.design.name().to_string(),
            params: design.params(),
            circuit: subject.name(),
            origin: subject.origin().cloned(),
            stream: design.streams()[stream].name.to_string(),
            stalls: recorded.as_ref().map_or(args.stalls.into(), |recorded| recorded.stalls),
            seed: recorded.is_none().then_some(args.seed),
            verdict,
            clocks_per_second: summary.clocks as f64 / seconds.max(1e-9),
            summary,
            missed_corners,
            seconds,
            mismatch,
            parts: Vec::new(),
        })
    }
}

fn stream_index(args: &CosimArgs, design: &dyn Design) -> Result<usize, UserError> {
    let streams = design.streams();
    let Some(wanted) = &args.stream else { return Ok(0) };
    streams.iter().position(|stream| stream.name == wanted).ok_or_else(|| {
        let known: Vec<_> = streams.iter().map(|stream| stream.name).collect();
        UserError::new(format!(
            "{} has no stream `{wanted}`; it has: {}",
            design.name(),
            known.join(", ")
        ))
    })
}

/// The waves of a run.
fn waves_of(args: &CosimArgs) -> Result<Option<WavesTo>, UserError> {
    let window = match (args.from, args.to) {
        (None, None) => None,
        (from, to) => Some(from.unwrap_or(0)..to.unwrap_or(u64::MAX)),
    };
    if let Some(empty) = window.as_ref().filter(|window| window.is_empty()) {
        return Err(UserError::new(format!(
            "--from {} --to {}: no clock is in between; --to must be larger",
            empty.start, empty.end
        )));
    }
    Ok(args.waves.clone().map(|path| WavesTo { path, window }))
}

/// Rejects an unknown wave format before the run.
fn check_waves(path: Option<&Path>, verilated: bool) -> Result<(), UserError> {
    let Some(path) = path else { return Ok(()) };
    let accepted: &[&str] = if verilated { &["fst"] } else { &["fst", "vcd"] };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match accepted.contains(&extension) {
        true => Ok(()),
        false => Err(UserError::new(format!(
            "--waves {}: the file must end in .{}{}",
            path.display(),
            accepted.join(" or ."),
            if verilated { " where Verilator simulates" } else { "" }
        ))),
    }
}
