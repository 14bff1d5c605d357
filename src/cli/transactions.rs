//! `warpsmith transactions`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use warpsmith_blocks::block::Design;
use warpsmith_blocks::{getm_commit, getm_validation};
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::transactions::machine::{Load, Machine, MachineError};
use warpsmith_testbench::transactions::run::Begins;
use warpsmith_testbench::transactions::units::Designs;
use warpsmith_testbench::transactions::workload::{NAMED, Named};

use super::cosim::{BackendArg, StallsArg};
use super::design::DesignArgs;
use super::dut::DutArgs;
use super::progress::while_waiting;
use super::workloads::WorkloadArgs;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::report::transactions::{TraceRow, TransactionsReport};

#[derive(Debug, Args)]
pub(super) struct TransactionsArgs {
    /// Workload, or `all` for the paper's
    #[arg(long, value_name = "NAME", default_value = "all")]
    workload: String,
    /// Preset of both units (paper), or of the GPU with --system (getm_15)
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Parameter of the validation unit that overrides the preset
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Cores
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=64))]
    cores: u64,
    /// Warps; default: 48 on each of the paper's 15 cores
    #[arg(long, value_name = "N", default_value_t = 720, value_parser = clap::value_parser!(u64).range(1..=4096))]
    warps: u64,
    /// Warps of a core that run transactions at once, 0 for no limit on the GPU; default: the workload's number in
    /// table 4.4
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=4096))]
    concurrency: Option<u64>,
    /// Lanes of a warp
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=64))]
    lanes: u64,
    /// Transactions of each lane
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    transactions: u64,
    /// Memory partitions, each with a validation and a commit unit
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=64))]
    partitions: u64,
    /// Longest time of a message between a core and a partition in clocks; the paper's LLC has 330
    #[arg(long, value_name = "CLOCKS", default_value_t = 330, value_parser = clap::value_parser!(u64).range(0..=10_000))]
    latency: u64,
    /// Clocks of the pause after an abort, for each abort so far
    #[arg(long, value_name = "CLOCKS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(0..=10_000))]
    back_off: u64,
    /// Logical time at which new transactions begin
    #[arg(long, value_enum, default_value_t = BeginsArg::AfterCore)]
    begins: BeginsArg,
    /// Clocks of the validation unit per clock of the commit unit; 2 in the paper
    #[arg(long, value_name = "CLOCKS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=16))]
    commit_clock: u64,
    /// Stalls at the units' channels
    #[arg(long, value_enum, default_value_t = StallsArg::None)]
    stalls: StallsArg,
    /// Simulator of the circuits
    #[arg(long, value_enum, default_value_t = BackendArg::Native)]
    backend: BackendArg,
    /// Your own Verilog in the place of the validation unit, as with `cosim --dut`
    #[arg(long, value_name = "FILE.v")]
    validation_dut: Vec<PathBuf>,
    /// Your own Verilog in the place of the commit unit
    #[arg(long, value_name = "FILE.v")]
    commit_dut: Vec<PathBuf>,
    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    on_gpu: WorkloadArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BeginsArg {
    /// The latest time that any warp of the core was told
    AfterCore,
    /// The latest time that the warp was told; 0 at first
    AfterWarp,
}

impl From<BeginsArg> for Begins {
    fn from(begins: BeginsArg) -> Self {
        match begins {
            BeginsArg::AfterCore => Begins::AfterCore,
            BeginsArg::AfterWarp => Begins::AfterWarp,
        }
    }
}

pub(super) fn run(args: &TransactionsArgs, json: bool) -> Outcome {
    if let Some(system) = &args.on_gpu.system {
        let (preset, backend) = (args.preset.as_deref(), args.backend.chosen());
        return args.on_gpu.run(system, &args.workload, preset, args.concurrency, backend, json);
    }
    let workloads = workloads(&args.workload)?;
    if args.concurrency == Some(0) {
        return Err(UserError::new("--concurrency 0 is for --system: 1 to 4096 are accepted"));
    }
    let designs = designs(args)?;
    let parameters =
        [&designs.validation as &dyn Design, &designs.commit].map(|design| design.params());
    check_room(args, &designs, &workloads)?;
    let backend = args.backend.chosen();
    let machine = while_waiting("building the models", json, || machine(args, designs, backend))?;
    let load = Load {
        partitions: args.partitions,
        cores: args.cores,
        warps: args.warps,
        lanes: args.lanes,
        transactions: args.transactions,
        latency: args.latency,
        back_off: args.back_off,
        begins: args.begins.into(),
        commit_clock: args.commit_clock,
        stalls: args.stalls.into(),
        seed: args.seed,
    };
    let mut traces = Vec::new();
    for named in workloads {
        let start = Instant::now();
        let concurrency = args.concurrency.unwrap_or(named.concurrency);
        let run = || machine.run(&load, concurrency, &named.workload);
        let ran = while_waiting(named.name, json, run);
        let ran = match ran {
            Err(MachineError::Run(error)) => Err(error),
            other => Ok(other?),
        };
        traces.push(TraceRow::new(named, concurrency, ran, start.elapsed().as_secs_f64()));
    }
    let preset = if args.settings.is_empty() { args.preset() } else { "custom" };
    let circuits = [&args.validation_dut, &args.commit_dut].map(|files| name(files, args.backend));
    let report = TransactionsReport::new(preset.to_string(), parameters, circuits, &load, traces);
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if report.serializable { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

impl TransactionsArgs {
    /// Preset of both units.
    fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or("paper")
    }
}

fn workloads(name: &str) -> Result<Vec<&'static Named>, UserError> {
    let found: Vec<_> = NAMED
        .iter()
        .filter(|named| named.name == name || name == "all" && named.paper.is_some())
        .collect();
    if found.is_empty() {
        let known: Vec<_> = NAMED.iter().map(|named| named.name).collect();
        let known = known.join(", ");
        return Err(UserError::new(format!("no workload {name}; there are: all, {known}")));
    }
    Ok(found)
}

/// The two units at their presets.
fn designs(args: &TransactionsArgs) -> Result<Designs, UserError> {
    let design = |block: &str, settings: &[String]| {
        let design = DesignArgs {
            block: block.to_string(),
            preset: args.preset().to_string(),
            params: None,
            settings: settings.to_vec(),
        };
        design.design()
    };
    let validation = design(getm_validation::BLOCK.name, &args.settings)?.params();
    let commit = design(getm_commit::BLOCK.name, &[])?.params();
    Ok(Designs::new(&validation.try_into()?, &commit.try_into()?)?)
}

/// Checks that every warp has a number and every word an address.
fn check_room(
    args: &TransactionsArgs,
    designs: &Designs,
    workloads: &[&Named],
) -> Result<(), UserError> {
    let params = &designs.validation;
    let numbers = 1 << params.owner_bits;
    if args.warps > numbers {
        return Err(UserError::new(format!(
            "--warps {}: owner_bits = {} numbers 1 to {numbers} warps",
            args.warps, params.owner_bits
        )));
    }
    if args.warps > params.limit() {
        return Err(UserError::new(format!(
            "--warps {}: with timestamp_bits = {} the first timestamps of {} warps are before a \
             roll-over",
            args.warps,
            params.timestamp_bits,
            params.limit()
        )));
    }
    // Addresses are values too, such as pointers to hash-table nodes.
    let bits = params.address_bits.min(u32::BITS);
    let transactions = args.warps * args.lanes * args.transactions;
    for named in workloads {
        let last = named.workload.last_address(transactions);
        if last >> bits != 0 {
            return Err(UserError::new(format!(
                "{transactions} transactions, of --warps, --lanes and --transactions: {} then uses the \
                 address 0x{last:x}, which has more than {bits} bits",
                named.name
            )));
        }
    }
    Ok(())
}

fn machine(
    args: &TransactionsArgs,
    designs: Designs,
    backend: Backend,
) -> Result<Machine, UserError> {
    let models = |design: &dyn Design, files, option| -> Result<Models, UserError> {
        let circuit = design.circuit();
        Ok(match DutArgs::of_files(files, option).source(&circuit)? {
            None => Models::of_circuit(&circuit, backend, false)?,
            Some(source) => Models::of_verilog(&source, &circuit.port_layout(), false)?,
        })
    };
    let validation = models(&designs.validation, &args.validation_dut, "--validation-dut")?;
    let commit = models(&designs.commit, &args.commit_dut, "--commit-dut")?;
    Ok(Machine::of_models(designs, validation, commit, backend)?)
}

/// What simulates a unit.
fn name(files: &[PathBuf], backend: BackendArg) -> String {
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    match (files.is_empty(), backend) {
        (false, _) => files.join(", "),
        (true, BackendArg::Native) => "native".to_string(),
        (true, BackendArg::Interpreter) => "interpreter".to_string(),
        (true, BackendArg::Verilator) => "verilator".to_string(),
    }
}
