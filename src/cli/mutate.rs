//! `warpsmith mutate`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::design::DesignArgs;
use super::dut::DutArgs;
use super::junit::JunitArgs;
use super::progress::while_told;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::flow::mutate::mutation::MutationKind;
use crate::flow::mutate::planting::Selection;
use crate::flow::mutate::{MutationOptions, mutate};
use crate::flow::synth::Subject;
use crate::flow::users::Purpose;
use crate::report;

#[derive(Debug, Args)]
pub(super) struct MutateArgs {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    dut: DutArgs,
    /// Kinds of faults, separated by commas: yosys, comparator, limit, ram, address, swap, reset; own is all
    /// but yosys
    #[arg(long, value_name = "KINDS", default_value = "all", value_parser = MutationKind::read_list)]
    kinds: std::vec::Vec<MutationKind>,
    /// List all comparisons of variables, and for each bit whether it is found, equivalent or open: the same
    /// as --kinds comparator --every, as a table
    #[arg(long, conflicts_with_all = ["kinds", "count", "every"])]
    comparators: bool,
    /// Mutants to make, about the same number of each kind
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Make all mutants, with one row per RAM bit and none of yosys's kind
    #[arg(long, conflicts_with = "count")]
    every: bool,
    /// Keep only mutants whose change, signal or line contains this text, such as the name of a register
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Leave out faults inside of parts that are blocks of their own: those blocks have scores of their own
    #[arg(long)]
    outside_parts: bool,
    /// Seed of the draw and of co-simulation
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=i32::MAX as i64))]
    seed: u32,
    /// Requests for each mutant, until it is found
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    requests: u64,
    /// Mutants judged in parallel. Default: one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Processor time of the longest proof about a mutant that co-simulation does not find
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    proof_limit: u64,
    /// Exit with 1 if a smaller percentage of the faults is found
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    at_least: Option<f64>,
    /// Folder for netlists, proofs and verdicts, from which an interrupted run resumes. Default:
    /// flow-out/mutate/BLOCK-PRESET
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    junit: JunitArgs,
}

pub(super) fn run(args: &MutateArgs, json: bool) -> Outcome {
    args.junit.with_error(|| judge(args, json))
}

fn judge(args: &MutateArgs, json: bool) -> Outcome {
    let design = args.design.design()?;
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    if args.dut.reset_clocks().is_some_and(|clocks| clocks > 1) {
        let what = "--reset-clocks: `mutate` resets for one clock, in proofs too; leave it out";
        return Err(UserError::new(what.to_string()));
    }
    let source = args.dut.verilog(&design.circuit(), Purpose::Synthesis)?;
    let (every, seed) = (args.every || args.comparators, args.seed);
    let mut kinds =
        if args.comparators { vec![MutationKind::Comparator] } else { args.kinds.clone() };
    if every {
        kinds.retain(|kind| *kind != MutationKind::Yosys);
    }
    if kinds.is_empty() {
        let what = "`--every` makes no mutants of kind yosys: give `--count N`, or another kind";
        return Err(UserError::new(what.to_string()));
    }
    let selection =
        Selection { kinds, count: (!every).then_some(args.count), seed, only: args.only.clone() };
    let options = MutationOptions {
        selection,
        outside_parts: args.outside_parts,
        source,
        requests: args.requests,
        jobs: args.jobs.map_or_else(cores, usize::from),
        proof_limit: Duration::from_secs(args.proof_limit),
        folder: args.out.clone().unwrap_or_else(|| {
            let name = args.design.folder_name(&design.params());
            let whose = if args.dut.is_given() { "-dut" } else { "" };
            PathBuf::from("flow-out/mutate").join(name + whose)
        }),
    };
    let subject = Subject { design: &*design, preset: args.design.name() };
    let record = while_told(json, |tell| mutate(&subject, &options, tell))?;
    args.junit.write(|| report::junit::of_mutation(&record))?;
    match json {
        true => say_json(&record)?,
        false if args.comparators => say(report::mutate::comparators(&record)),
        false => say(report::mutate::text(&record)),
    }
    let is_below = |least: f64| record.score_percent.is_some_and(|score| score < least);
    Ok(ExitCode::from(if args.at_least.is_some_and(is_below) { MISMATCH } else { 0 }))
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=100.0).contains(&value) => Ok(value),
        _ => Err("a percentage from 0 to 100 is accepted".to_string()),
    }
}
