//! `warpsmith export`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::design::DesignArgs;
use super::progress::while_waiting;
use super::{MISMATCH, Outcome, say, say_json};
use crate::export;
use crate::flow::fusesoc::{self, FUSESOC, TargetRun};

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    design: DesignArgs,
    /// Folder of cores; the package goes to DIR/BLOCK/PRESET, or DIR/BLOCK/custom_HASH with other parameters
    #[arg(long, value_name = "DIR")]
    fusesoc: PathBuf,
    /// Prefix of every module name and of the core's name, such as gpu0_
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    prefix: String,
    /// Replace files that were edited, and files of the same names that export did not write
    #[arg(long)]
    force: bool,
    /// Then run a target of the core by FuseSoC; repeat for more. Exit with 1 if it fails
    #[arg(long, value_enum, value_name = "TARGET")]
    run: Vec<Target>,
    /// Folder of the builds and logs of --run. Default: flow-out/export
    #[arg(long, value_name = "DIR", default_value = "flow-out/export", hide_default_value = true)]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// All warnings of Verilator
    Lint,
    /// A recorded simulation with the contract checked, Verilated
    Sim,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Lint => "lint",
            Target::Sim => "sim",
        }
    }
}

#[derive(Serialize)]
struct Exported {
    core: String,
    files: Vec<PathBuf>,
    removed: Vec<PathBuf>,
    assertions: usize,
    assumptions: usize,
    without_properties: Option<String>,
    clocks: usize,
    same_modules: Vec<PathBuf>,
    runs: Vec<TargetRun>,
}

pub(super) fn run(args: &ExportArgs, json: bool) -> Outcome {
    let design = args.design.design()?;
    let mut export = export::of_block(&*design, &args.fusesoc, &args.prefix)?;
    export.folders.force = args.force;
    // A missing tool is known before anything is written.
    let fusesoc = if args.run.is_empty() { None } else { Some(FUSESOC.find()?) };
    let removed = export.folders.write()?;
    let mut runs = Vec::new();
    for target in &args.run {
        let fusesoc = fusesoc.as_ref().expect("found above");
        let target = target.name();
        let out = args.out.join(format!("{}-{target}", export.package));
        runs.push(while_waiting("running FuseSoC", json, || {
            fusesoc::run(fusesoc, &export.folder, &export.core, target, &out)
        })?);
    }
    let record = Exported {
        core: export.core,
        files: export.folders.files.into_iter().map(|(path, _)| path).collect(),
        removed,
        assertions: export.assertions,
        assumptions: export.assumptions,
        without_properties: export.without_properties,
        clocks: export.clocks,
        same_modules: export.same_modules,
        runs,
    };
    match json {
        true => say_json(&record)?,
        false => tell(&record, &args.fusesoc),
    }
    let failed = record.runs.iter().any(|run| !run.passed);
    Ok(ExitCode::from(if failed { MISMATCH } else { 0 }))
}

fn tell(record: &Exported, cores: &std::path::Path) {
    record.files.iter().for_each(|path| say(path.display()));
    record.removed.iter().for_each(|path| say(format!("removed  {}", path.display())));
    say(format!(
        "{}: {} assertions and {} assumptions in the bind file, {} clocks in the testbench",
        record.core, record.assertions, record.assumptions, record.clocks
    ));
    if let Some(why) = &record.without_properties {
        say(format!("The bind file has the rules of the channels only: {why}"));
    }
    for folder in &record.same_modules {
        let folder = folder.display();
        say(format!(
            "{folder} has modules of the same names: for both in one design, use --prefix"
        ));
    }
    let cores = super::design::quoted(&cores.display().to_string());
    say(format!("Lint it: fusesoc --cores-root {cores} run --target=lint {}", record.core));
    say(format!("Simulate it: fusesoc --cores-root {cores} run --target=sim {}", record.core));
    say(format!(
        "Prove it, with sby: fusesoc --cores-root {cores} run --target=formal {}",
        record.core
    ));
    for run in &record.runs {
        let ended = if run.passed { "passed" } else { "FAILED" };
        say(format!("\n{} {ended}, {}:\n{}", run.target, run.log.display(), run.tail));
    }
}
