//! `warpsmith transactions`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use warpsmith_blocks::block::{Block, Design};
use warpsmith_blocks::getm_commit::GetmCommit;
use warpsmith_blocks::getm_validation::GetmValidation;
use warpsmith_testbench::backend::{Backend, Models, user_source};
use warpsmith_testbench::transactions::machine::{Load, Machine, MachineError};
use warpsmith_testbench::transactions::units::Designs;
use warpsmith_testbench::transactions::workload::{MOST_TRANSACTIONS, MOST_WARPS, NAMED, Named};

use super::cosim::{BackendArg, StallsArg};
use super::design::DesignArgs;
use super::progress::while_waiting;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::report::transactions::{TraceRow, TransactionsReport};

#[derive(Debug, Args)]
pub(super) struct TransactionsArgs {
    /// Workload, or `all`
    #[arg(long, value_name = "NAME", default_value = "all")]
    workload: String,
    /// Preset of both units
    #[arg(long, default_value = "paper")]
    preset: String,
    /// Parameter of the validation unit put over the preset
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Warps that run transactions at once; by default 8 on each of the paper's 15 cores
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=MOST_WARPS))]
    warps: u64,
    /// Transactions of each warp
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_TRANSACTIONS))]
    transactions: u64,
    /// Memory partitions, each with a validation and a commit unit
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=64))]
    partitions: u64,
    /// Clocks that a message from a core to a partition takes at most
    #[arg(long, value_name = "CLOCKS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(0..=10_000))]
    latency: u64,
    /// Clocks of the validation unit for one of the commit unit; 2 in the paper
    #[arg(long, value_name = "CLOCKS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=16))]
    commit_clock: u64,
    /// Stalls of whoever stands at the units' channels
    #[arg(long, value_enum, default_value_t = StallsArg::None)]
    stalls: StallsArg,
    /// What simulates the circuits
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
}

pub(super) fn run(args: &TransactionsArgs, json: bool) -> Outcome {
    let workloads = workloads(&args.workload)?;
    let designs = designs(args)?;
    let parameters = [&designs.validation as &dyn Design, &designs.commit].map(Design::params);
    check_room(args, &designs, &workloads)?;
    let backend = Backend::from(args.backend);
    let machine = while_waiting("building the models", json, || machine(args, designs, backend))?;
    let load = Load {
        partitions: args.partitions,
        warps: args.warps,
        transactions: args.transactions,
        latency: args.latency,
        commit_clock: args.commit_clock,
        stalls: args.stalls.into(),
        seed: args.seed,
    };
    let mut traces = Vec::new();
    for named in workloads {
        let start = Instant::now();
        let ran = while_waiting(named.name, json, || machine.run(&load, &named.workload));
        let ran = match ran {
            Err(MachineError::Run(error)) => Err(error),
            other => Ok(other?),
        };
        traces.push(TraceRow::new(named, ran, start.elapsed().as_secs_f64()));
    }
    let preset = if args.settings.is_empty() { &args.preset } else { "custom" };
    let circuits = [&args.validation_dut, &args.commit_dut].map(|files| name(files, args.backend));
    let report = TransactionsReport::new(preset.to_string(), parameters, circuits, &load, traces);
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if report.serializable { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

fn workloads(name: &str) -> Result<Vec<&'static Named>, UserError> {
    let found: Vec<_> = NAMED.iter().filter(|named| name == "all" || named.name == name).collect();
    if found.is_empty() {
        let known: Vec<_> = NAMED.iter().map(|named| named.name).collect();
        let known = known.join(", ");
        return Err(UserError::new(format!("no workload {name}; there are: all, {known}")));
    }
    Ok(found)
}

/// The two units, each at the preset of that name.
fn designs(args: &TransactionsArgs) -> Result<Designs, UserError> {
    let design = |block: &str, settings: &[String]| {
        let design = DesignArgs {
            block: block.to_string(),
            preset: args.preset.clone(),
            params: None,
            settings: settings.to_vec(),
        };
        design.design()
    };
    let validation = design(GetmValidation.name(), &args.settings)?.params();
    let commit = design(GetmCommit.name(), &[])?.params();
    Ok(Designs::new(&validation.try_into()?, &commit.try_into()?)?)
}

/// Whether every warp has a number, and every word an address.
fn check_room(
    args: &TransactionsArgs,
    designs: &Designs,
    workloads: &[&Named],
) -> Result<(), UserError> {
    let params = &designs.validation.params;
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
    // Addresses are values too, as those of nodes in a hash table.
    let bits = params.address_bits.min(u32::BITS);
    for named in workloads {
        let last = named.workload.last_address(args.warps, args.transactions);
        if last >> bits != 0 {
            return Err(UserError::new(format!(
                "--transactions {}: {} then uses the address 0x{last:x}, which has more than {bits} \
                 bits",
                args.transactions, named.name
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
    let models = |design: &dyn Design, files: &[PathBuf]| -> Result<Models, UserError> {
        let circuit = design.circuit();
        if files.is_empty() {
            return Ok(Models::of_circuit(&circuit, backend, false)?);
        }
        let source = user_source(&circuit, files)?;
        Ok(Models::of_verilog(&source, &circuit.port_layout(), false)?)
    };
    let validation = models(&designs.validation, &args.validation_dut)?;
    let commit = models(&designs.commit, &args.commit_dut)?;
    Ok(Machine::of_models(designs, validation, commit, backend)?)
}

/// What simulates a unit.
fn name(files: &[PathBuf], backend: BackendArg) -> String {
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    match (files.is_empty(), backend) {
        (false, _) => files.join(", "),
        (true, BackendArg::Native) => "native".to_string(),
        (true, BackendArg::Verilator) => "verilator".to_string(),
    }
}
