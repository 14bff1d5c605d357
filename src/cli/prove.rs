//! `warpsmith prove`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::design::DesignArgs;
use super::dut::DutArgs;
use super::junit::JunitArgs;
use super::progress::while_told;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::flow::prove::equivalence::{Comparison, Equivalence, compare};
use crate::flow::prove::{ProveOptions, Searches, prove, reuse};
use crate::flow::synth::Subject;
use crate::flow::users::Purpose;
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 every assertion is proven or holds for --depth clocks and every \
                  cover is met, or the two designs are equivalent; 1 something fails, or is neither \
                  proven nor refuted within the limits; 2 wrong input or missing tool."
)]
pub(super) struct ProveArgs {
    #[command(flatten)]
    design: Option<DesignArgs>,
    /// Clocks of the bounded proof
    #[arg(long, value_name = "CLOCKS", default_value_t = 14, value_parser = clap::value_parser!(u32).range(2..=1000))]
    depth: u32,
    /// Clocks within which covers must be met. Default: the block's own number, 25 for most
    #[arg(long, value_name = "CLOCKS", value_parser = clap::value_parser!(u32).range(2..=1000))]
    cover_depth: Option<u32>,
    /// Time limit of the bounded proof, of the covers, and of each attempt of --equiv
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    timeout: u64,
    /// Time limit of the unbounded proof of each assertion
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    each: u64,
    /// Run one search only
    #[arg(long, value_enum)]
    only: Option<Search>,
    #[command(flatten)]
    dut: DutArgs,
    /// Whether the second design may stand in the first one's place: RTL and RTL, or RTL and a netlist. Each is a
    /// file or a file list (.f). --top names the module, or both as FIRST,SECOND. -I, -D and -G are for both, or for
    /// one: -D b:NETLIST. SYNTHESIS is defined. --map, --tie and --reset are about the ports of the second
    #[arg(long, value_names = ["A.v", "B.v"], num_args = 2, requires = "top", conflicts_with_all = ["block", "only", "dut"])]
    equiv: Vec<PathBuf>,
    /// The JSON document of an earlier run: printed again if the Verilog, the properties, the options and
    /// the tools are the same; else the proof is run
    #[arg(long, value_name = "FILE.json", conflicts_with = "equiv")]
    reuse: Option<PathBuf>,
    /// Folder for Verilog, scripts, logs and traces. Default: flow-out/prove/BLOCK-PRESET
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    junit: JunitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Search {
    /// For all time, each assertion on its own
    Unbounded,
    /// All assertions, for --depth clocks
    Bounded,
    /// A run that meets each cover
    Cover,
}

pub(super) fn run(args: &ProveArgs, json: bool) -> Outcome {
    args.junit.with_error(|| search(args, json))
}

fn search(args: &ProveArgs, json: bool) -> Outcome {
    match (&args.design, args.equiv.as_slice()) {
        (_, [a, b]) => equivalence(args, [a, b], json),
        (Some(chosen), _) => properties(args, chosen, json),
        (None, _) => Err(UserError::new(
            "a block, like `warpsmith prove hmg_directory`, or --equiv A.v B.v --top MODULE is needed",
        )),
    }
}

fn properties(args: &ProveArgs, chosen: &DesignArgs, json: bool) -> Outcome {
    let design = chosen.design()?;
    let circuit = design.circuit();
    if args.dut.reset_clocks().is_some_and(|clocks| clocks > 1) {
        let what = "--reset-clocks: proofs reset for one clock; cosim resets for more";
        return Err(UserError::new(what.to_string()));
    }
    let source = args.dut.verilog(&circuit, Purpose::Proof)?;
    let wanted = |search| args.only.is_none_or(|only| only == search);
    let options = ProveOptions {
        depth: args.depth,
        cover_depth: args.cover_depth,
        limit: Duration::from_secs(args.timeout),
        each: Duration::from_secs(args.each),
        searches: Searches {
            unbounded: wanted(Search::Unbounded),
            bounded: wanted(Search::Bounded),
            cover: wanted(Search::Cover),
        },
        source,
        reuse: args.reuse.as_deref().map(reuse::read).transpose()?,
        folder: args.out.clone().unwrap_or_else(|| {
            PathBuf::from("flow-out/prove").join(chosen.folder_name(&design.params()))
        }),
    };
    let subject = Subject { design: &*design, preset: chosen.name() };
    let record = while_told(json, |tell| prove(&subject, &options, tell))?;
    args.junit.write(|| report::junit::of_proof(&record))?;
    match json {
        true => say_json(&record)?,
        false => say(report::prove::text(&record)),
    }
    let ok = !record.fails() && (args.only == Some(Search::Cover) || !record.has_open_assertion());
    Ok(ExitCode::from(if ok && !record.has_unmet_cover() { 0 } else { MISMATCH }))
}

fn equivalence(args: &ProveArgs, files: [&PathBuf; 2], json: bool) -> Outcome {
    let what = Comparison {
        sides: [args.dut.side("a:", files[0])?, args.dut.side("b:", files[1])?],
        tops: args.dut.tops()?,
        reset_clocks: args.dut.reset_clocks().map_or(1, |clocks| clocks as u32),
        limit: Duration::from_secs(args.timeout),
        folder: args.out.clone().unwrap_or_else(|| "flow-out/prove/equivalence".into()),
    };
    let record = while_told(json, |tell| compare(&what, tell))?;
    args.junit.write(|| report::junit::of_equivalence(&record))?;
    match json {
        true => say_json(&record)?,
        false => say(report::prove::equivalence(&record)),
    }
    let proven = matches!(record.verdict, Equivalence::Proven { .. });
    Ok(ExitCode::from(if proven { 0 } else { MISMATCH }))
}
