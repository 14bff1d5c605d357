//! `warpsmith run`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::gpu::{MachineArgs, RtlArgs, read};
use super::profile::ProfileArgs;
use super::transactional::TransactionArgs;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::isa::{Kernel, Module, TensorCore};
use crate::gpu::launch::{LaunchFile, Prepared, prepare};
use crate::gpu::machine::{
    self, Checks, Divergence, Launch, LaunchError, Machine, TimedOutcome, Warning, digest_of_memory,
};
use crate::gpu::memory::{Device, Flat};
use crate::gpu::simt::Image;
use crate::report::profile::ProfileReport;
use crate::report::run::{DigestReport, LaunchReport, RunReport, TimingReport};

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Module of kernels, as clang writes it
    #[arg(value_name = "KERNEL.ptx")]
    module: PathBuf,
    /// How to launch which kernel, on what data, and what to expect (TOML)
    #[arg(long, value_name = "FILE.toml")]
    launch: PathBuf,
    /// Timed machine, or functional simulation without caches and time
    #[arg(long, value_enum, default_value_t = Timing::On)]
    timing: Timing,
    #[command(flatten)]
    machine: MachineArgs,
    /// Take `.gpu` for the GPU that runs the CTA instead of all GPUs of the launch
    #[arg(long)]
    scopes_as_written: bool,
    /// Write the final contents of a buffer to a file, elements with the lowest byte first; repeat for more
    #[arg(long, value_name = "BUFFER=FILE", value_parser = buffer_and_file)]
    save: Vec<(String, PathBuf)>,
    /// Tell SHA-256 of global memory at the end, and of all registers at the exit of threads
    #[arg(long)]
    digest: bool,
    /// Checks: strict stops at errors; lenient warns where GPUs would go on. With --timing off, races looks for data
    /// races, and memory for reads of what nobody wrote, freed blocks, and blocks that are never freed. Default: as the launch file
    /// says
    #[arg(long, value_enum)]
    checks: Option<ChecksArg>,
    /// Races that are failures: all, or those of stores that do not always store equal values
    #[arg(long, value_enum, default_value_t = RacesArg::Unequal)]
    races: RacesArg,
    /// How lanes of a warp that have diverged take turns. Default: as the launch file says, else fair
    #[arg(long, value_enum)]
    divergence: Option<DivergenceArg>,
    /// How tensor cores add products. Default: as those of the module's `.target`
    #[arg(long, value_enum)]
    mma: Option<MmaArg>,
    #[command(flatten)]
    transactions: TransactionArgs,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    rtl: RtlArgs,
}

/// Bytes between variables where accesses past their ends are looked for.
const GAP: u32 = 128;

/// Races that are failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RacesArg {
    Unequal,
    All,
}

/// Check levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChecksArg {
    Strict,
    Lenient,
    Races,
    Memory,
}

impl From<ChecksArg> for Checks {
    fn from(checks: ChecksArg) -> Self {
        match checks {
            ChecksArg::Strict => Self::Strict,
            ChecksArg::Lenient => Self::Lenient,
            ChecksArg::Races => Self::Races,
            ChecksArg::Memory => Self::Memory,
        }
    }
}

/// Turns of diverged lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DivergenceArg {
    /// Lanes that turn in a loop for long give way to those that they may wait for
    Fair,
    /// One path runs to its end, as on hardware before sm_70
    Stack,
}

impl From<DivergenceArg> for Divergence {
    fn from(divergence: DivergenceArg) -> Self {
        match divergence {
            DivergenceArg::Fair => Self::Fair,
            DivergenceArg::Stack => Self::Stack,
        }
    }
}

/// Sums of tensor cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MmaArg {
    /// Four products at a time, cut off
    Volta,
    /// The same with one bit more
    Turing,
    /// Eight products at a time
    Ampere,
    /// Exact, rounded once
    Nearest,
}

impl From<MmaArg> for TensorCore {
    fn from(mma: MmaArg) -> Self {
        match mma {
            MmaArg::Volta => Self::Volta,
            MmaArg::Turing => Self::Turing,
            MmaArg::Ampere => Self::Ampere,
            MmaArg::Nearest => Self::Nearest,
        }
    }
}

fn buffer_and_file(text: &str) -> Result<(String, PathBuf), String> {
    let (buffer, file) = text.split_once('=').ok_or("BUFFER=FILE is accepted")?;
    Ok((buffer.into(), file.into()))
}

/// Whether to model time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Timing {
    On,
    Off,
}

pub(super) fn run(args: &RunArgs, json: bool) -> Outcome {
    let text = read(&args.module)?;
    let told = |error: &dyn std::fmt::Display| {
        UserError::new(format!("{}: {error}", args.launch.display()))
    };
    let mut file: LaunchFile =
        toml::from_str(&read(&args.launch)?).map_err(|error| told(&error))?;
    file.checks = args.checks.map_or(file.checks, Checks::from);
    file.divergence = args.divergence.map_or(file.divergence, Divergence::from);
    let gap = if file.checks == Checks::Memory { GAP } else { 0 };
    let module = Module::parse_with_gaps(&args.module.display().to_string(), &text, gap)?;
    let known: Vec<_> = module.kernel_names().map(String::from).collect();
    let wanted = file.kernels(&known).map_err(|error| told(&error))?;
    let mut program = module.lower(wanted.iter().map(String::as_str))?;
    program.tensor_core = args.mma.map_or(program.tensor_core, TensorCore::from);
    let image = Image::new(program);
    let folder = args.launch.parent().unwrap_or(Path::new("."));
    let mut prepared = prepare(&image.program, &file, folder).map_err(|error| told(&error))?;
    let place = |name: &String| prepared.buffer(name).map_err(|error| told(&error));
    let saves = args.save.iter().map(|(name, file)| Ok((place(name)?, file)));
    let saves = saves.collect::<Result<Vec<_>, UserError>>()?;
    let device = std::mem::take(&mut prepared.device);
    prepared.launches.iter_mut().for_each(|(_, launch)| launch.digest = args.digest);
    let mut ran = Ran {
        launches: prepared.launches.iter().map(|launch| of_launch(&image, launch)).collect(),
        ..Ran::default()
    };
    let constants = std::mem::take(&mut prepared.constants);
    let start = Instant::now();
    if args.races == RacesArg::All && file.checks != Checks::Races {
        return Err(UserError::new("--races all: it needs --checks races"));
    }
    let device = match args.timing {
        Timing::Off => {
            functional(args, &image, &prepared, Flat::new(device, &constants), &mut ran)?
        }
        Timing::On if file.checks.fails() => {
            let checks = if file.checks == Checks::Races { "races" } else { "memory" };
            return Err(UserError::new(format!(
                "checks `{checks}`: they are looked for with --timing off"
            )));
        }
        Timing::On => timed(args, &image, &prepared, (device, &constants), &mut ran)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    let Ran { launches, printed, warnings, registers, timing, profile, mismatch } = ran;
    // An aborted launch leaves meaningless memory contents.
    let (saves, results) = match &mismatch {
        None => (saves, prepared.results(&device)),
        Some(_) => (Vec::new(), Vec::new()),
    };
    for ((address, bytes), file) in saves {
        let contents = device.get(address, bytes).unwrap_or_default();
        std::fs::write(file, contents)
            .map_err(|error| UserError::new(format!("{}: {error}", file.display())))?;
    }
    let counts = |warning: &Warning| args.races == RacesArg::All || !warning.of_equal_values;
    let is_wrong = file.checks.fails() && warnings.iter().any(counts);
    let as_expected =
        mismatch.is_none() && !is_wrong && results.iter().all(|result| result.differ == 0);
    let sum = |count: fn(&LaunchReport) -> u64| launches.iter().map(count).sum();
    let report = RunReport {
        file: args.module.display().to_string(),
        repeat: prepared.repeat,
        warp_instructions: sum(|launch| launch.warp_instructions),
        thread_instructions: sum(|launch| launch.thread_instructions),
        launches,
        seconds,
        timing,
        profile,
        printed,
        digest: args.digest.then(|| DigestReport { memory: digest_of_memory(&device), registers }),
        warnings,
        results,
        mismatch,
        as_expected,
    };
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if as_expected { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

/// Launches that ran.
#[derive(Default)]
struct Ran {
    launches: Vec<LaunchReport>,
    printed: String,
    warnings: Vec<Warning>,
    registers: Vec<String>,
    timing: Option<TimingReport>,
    profile: Option<ProfileReport>,
    mismatch: Option<String>,
}

impl Ran {
    fn count(&mut self, at: usize, outcome: machine::Outcome, timed: Option<&TimedOutcome>) {
        self.launches[at].add(outcome.warp_instructions, outcome.thread_instructions, timed);
        self.printed += &outcome.printed;
        self.registers.extend(outcome.registers);
        gather(&mut self.warnings, outcome.warnings);
    }
}

/// All launches, with their places in the file.
fn all<'p, 'i>(
    prepared: &'p Prepared<'i>,
) -> impl Iterator<Item = (usize, &'p (&'i Kernel, Launch))> {
    (0..prepared.repeat).flat_map(|_| prepared.launches.iter().enumerate())
}

fn functional(
    args: &RunArgs,
    image: &Image,
    prepared: &Prepared<'_>,
    mut memory: Flat,
    ran: &mut Ran,
) -> Result<Device, UserError> {
    args.machine.refuse("--timing off")?;
    args.rtl.refuse("--timing off")?;
    args.transactions.refuse("--timing off")?;
    args.profile.refuse("--timing off")?;
    for (at, (kernel, launch)) in all(prepared) {
        ran.count(at, machine::run(image, kernel, launch, &mut memory)?, None);
    }
    gather(&mut ran.warnings, machine::leaks(image, &mut memory.device));
    Ok(memory.device)
}

fn timed(
    args: &RunArgs,
    image: &Image,
    prepared: &Prepared<'_>,
    (device, constants): (Device, &[u8]),
    ran: &mut Ran,
) -> Result<Device, UserError> {
    let (mut config, name) = args.machine.config()?;
    let system = args.machine.system(&config)?;
    system.check(&config, &name)?;
    args.transactions.apply(&mut config, system)?;
    let mut machine = Machine::new(&config, system, args.machine.perturb);
    if args.scopes_as_written {
        machine = machine.with_scopes_as_written();
    }
    args.rtl.apply(&mut machine)?;
    args.profile.apply(&mut machine, &image.program, &config);
    machine.load(device, constants);
    let mut cycles = 0;
    for (at, (kernel, launch)) in all(prepared) {
        let timed = match machine.run(image, kernel, launch) {
            Err(found @ LaunchError::Mismatch { .. }) => {
                ran.mismatch = Some(found.to_string());
                break;
            }
            ended => ended?,
        };
        cycles += timed.cycles;
        ran.count(at, timed.outcome.clone(), Some(&timed));
    }
    let counted = machine.take_profile();
    ran.profile = args.profile.report(counted, &image.program, config.machine.clock_mhz)?;
    ran.timing = Some(TimingReport {
        machine: name,
        system,
        perturb: args.machine.perturb,
        cycles,
        microseconds: cycles as f64 / config.machine.clock_mhz,
        compared_transfers: args.rtl.shadows().then(|| machine.compared()),
        statistics: machine.statistics(),
        transactions: machine.transactions(),
        counters: machine.counters().into_iter().collect(),
    });
    Ok(machine.into_device())
}

/// Adds the warnings of a launch to those before; those of one place in the source are counted together.
fn gather(all: &mut Vec<Warning>, more: Vec<Warning>) {
    for warning in more {
        let is_same = |known: &&mut Warning| {
            (&known.place, known.of_equal_values) == (&warning.place, warning.of_equal_values)
        };
        match all.iter_mut().find(is_same) {
            Some(known) => known.count += warning.count,
            None => all.push(warning),
        }
    }
}

/// The report of a launch before it runs.
fn of_launch(image: &Image, (kernel, launch): &(&Kernel, Launch)) -> LaunchReport {
    LaunchReport {
        kernel: image.program.body(kernel).name.clone(),
        grid: launch.grid,
        block: launch.block,
        ..LaunchReport::default()
    }
}
