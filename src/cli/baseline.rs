//! `warpsmith baseline`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use warpsmith_blocks::block::Block;

use super::design::find;
use super::progress::while_told;
use super::target::TargetArg;
use super::{Blocks, MISMATCH, Outcome, UserError, say, say_json};
use crate::baseline::compare::Comparison;
use crate::baseline::file::Baseline;
use crate::baseline::{BaselineError, Candidate, Setup};
use crate::emission::Emission;
use crate::flow::synth::Target;
use crate::flow::{Tell, parallel};
use crate::measure::throughput::{REQUESTS, Traffic};
use crate::report;

/// Seeds of a new baseline: few, because comparisons are frequent.
const SEEDS: u32 = 3;

#[derive(Debug, Args)]
pub(super) struct BaselineArgs {
    /// Name of the block; all blocks if omitted
    block: Option<String>,
    /// Target of the baseline
    #[arg(long, value_enum, default_value_t = TargetArg::Ecp5)]
    target: TargetArg,
    /// Write the measured figures as the new baseline, with the tolerances of the old one
    #[arg(long)]
    record: bool,
    /// Why a figure may become worse by more than its tolerance; it is kept beside the figure
    #[arg(long, value_name = "TEXT", requires = "record")]
    reason: Option<String>,
    /// Place and route only blocks whose Verilog is not as recorded: for the others, area and timing would
    /// be the same again
    #[arg(long, conflicts_with_all = ["preset", "seeds"])]
    changed: bool,
    /// Preset to record. Default: that of the old baseline, else fpga
    #[arg(long, requires = "record")]
    preset: Option<String>,
    /// Placements to record, with seeds 1, 2, ... Default: as in the old baseline, else 3
    #[arg(long, value_name = "N", requires = "record", value_parser = clap::value_parser!(u32).range(1..=100))]
    seeds: Option<u32>,
    /// Folder of the baselines, with one file BLOCK.TARGET.toml each
    #[arg(long, value_name = "DIR", default_value = "tests/baselines")]
    baselines: PathBuf,
    /// Folder for the tools' files, with a folder for each block and target
    #[arg(long, value_name = "DIR", default_value = "flow-out/baseline")]
    out: PathBuf,
    /// Time limit of each tool run
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

#[derive(Serialize)]
struct Compared {
    block: &'static str,
    target: &'static str,
    file: PathBuf,
    recorded: bool,
    /// Whether area and timing were measured.
    placed: bool,
    differs: bool,
    #[serde(flatten)]
    comparison: Option<Comparison>,
}

/// A block with its recorded baseline.
struct Task<'a> {
    candidate: Candidate<'a>,
    path: PathBuf,
    old: Option<Baseline>,
}

impl Task<'_> {
    /// Recorded LUTs: the run time of place and route grows with them.
    fn luts(&self) -> f64 {
        let old = self.old.as_ref();
        old.and_then(|old| old.metrics.get("lut")).map_or(0.0, |kept| kept.value)
    }
}

pub(super) fn run(args: &BaselineArgs, json: bool) -> Outcome {
    let blocks = match &args.block {
        Some(name) => vec![find(name)?],
        None => warpsmith_blocks::all().to_vec(),
    };
    let target = args.target.plain();
    // Reports anything that cannot be compared before the first tool runs.
    let tasks = blocks.into_iter().map(|block| task(args, block, &target));
    let mut tasks = tasks.collect::<Result<Vec<_>, _>>()?;
    // The largest first: if it started last, the other cores would be idle while it runs.
    tasks.sort_by(|a, b| b.luts().total_cmp(&a.luts()));
    let results = while_told(json, |tell| parallel::each(&tasks, |task| compare(args, task, tell)));
    let mut all = Vec::new();
    for compared in results {
        let compared = compared?;
        if !json {
            print(&compared);
        }
        all.push(compared);
    }
    if json {
        say_json(&Blocks { blocks: &all })?;
    }
    let failed: Vec<_> = all.iter().filter(|c| c.differs && !c.recorded).collect();
    if !json && !failed.is_empty() {
        say("\nA change that is meant is recorded with:");
        tasks
            .iter()
            .filter(|task| failed.iter().any(|f| f.block == task.candidate.block.name))
            .for_each(|task| {
                say(format!("  {}", task.candidate.record_command()));
            });
    }
    Ok(ExitCode::from(if failed.is_empty() { 0 } else { MISMATCH }))
}

fn task<'a>(
    args: &BaselineArgs,
    block: &'static Block,
    target: &'a Target,
) -> Result<Task<'a>, UserError> {
    let target_name = args.target.name();
    let path = args.baselines.join(format!("{}.{target_name}.toml", block.name));
    let old = Baseline::read(&path)?;
    let mut setup = old.as_ref().map_or_else(|| default_setup(block), Baseline::setup);
    setup.preset = args.preset.clone().unwrap_or(setup.preset);
    setup.seeds = args.seeds.unwrap_or(setup.seeds);
    let candidate = Candidate { block, target, target_name, setup };
    candidate.design()?;
    match &old {
        _ if args.record && !args.changed => {}
        Some(old) => candidate.check_tools(&path, old)?,
        None => {
            let record = candidate.record_command();
            return Err(BaselineError::Missing { path, record }.into());
        }
    }
    Ok(Task { candidate, path, old })
}

fn default_setup(block: &Block) -> Setup {
    let stream = block.streams[0].name.to_string();
    let traffic = Traffic { stream, requests: REQUESTS };
    Setup { preset: "fpga".to_string(), seeds: SEEDS, clock_mhz: None, traffic }
}

fn compare(args: &BaselineArgs, task: &Task<'_>, tell: Tell<'_>) -> Result<Compared, UserError> {
    let Task { candidate, path, old } = task;
    let block = candidate.block.name;
    let limit = Duration::from_secs(args.timeout);
    let folder = args.out.join(format!("{block}-{}", args.target.name()));
    let known = match old {
        Some(old) if args.changed => old.verilog == candidate.verilog()?,
        _ => false,
    };
    let tell = |what: &str| tell(&format!("{block}: {what}"));
    let figures = candidate.measure(limit, folder, known, &tell)?;
    let mut new = match old {
        Some(old) if known => old.with_clocks_of(&figures),
        _ => Baseline::new(candidate, &figures, old.as_ref())?,
    };
    let comparison = old.as_ref().map(|old| Comparison::of(old, &new));
    if args.record {
        if let Some(comparison) = &comparison {
            new.explain(comparison, args.reason.as_deref())?;
        }
        Emission { files: vec![(path.clone(), new.text())] }.write()?;
    }
    Ok(Compared {
        block,
        target: args.target.name(),
        file: path.clone(),
        recorded: args.record,
        placed: !known,
        differs: comparison.as_ref().is_none_or(Comparison::differs),
        comparison,
    })
}

fn print(compared: &Compared) {
    let Compared { block, target, file, recorded, placed, differs, comparison } = compared;
    if let Some(comparison) = comparison {
        say(report::baseline::text(&format!("{block} for {target}"), comparison));
    }
    match (recorded, differs) {
        (true, _) => say(format!("recorded {}", file.display())),
        (false, false) if !placed => say(format!(
            "as recorded in {}; its Verilog is too, so area and timing were not measured",
            file.display()
        )),
        (false, false) => say(format!("as recorded in {}", file.display())),
        (false, true) => say(format!("differs from {}", file.display())),
    }
}
