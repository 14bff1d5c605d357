//! `warpsmith emit`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::design::DesignArgs;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::emission::{self, Emission};

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(false).args(["block", "all"]))]
pub(super) struct EmitArgs {
    #[command(flatten)]
    design: Option<DesignArgs>,
    /// Every block at every preset, with constraints
    #[arg(long, conflicts_with_all = ["preset", "params", "settings"])]
    all: bool,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "rtl-out")]
    out: PathBuf,
    /// Folder for the constraints that --all writes
    #[arg(long, value_name = "DIR", default_value = "constraints", requires = "all")]
    constraints: PathBuf,
    /// Write nothing; exit with 1 if a file differs from what would be written
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct Emitted {
    files: Vec<PathBuf>,
    stale: Vec<PathBuf>,
    bytes: usize,
}

pub(super) fn run(args: &EmitArgs, json: bool) -> Outcome {
    let emission = match &args.design {
        Some(chosen) => {
            let design = chosen.design()?;
            let folder = args.out.join(design.name()).join(chosen.name());
            emission::of_design(&*design, &folder)?
        }
        None => all(args)?,
    };
    let stale = match args.check {
        true => emission.stale(),
        false => {
            emission.write()?;
            Vec::new()
        }
    };
    let record = Emitted {
        bytes: emission.files.iter().map(|(_, text)| text.len()).sum(),
        files: emission.files.into_iter().map(|(path, _)| path).collect(),
        stale,
    };
    let is_stale = !record.stale.is_empty();
    if json {
        say_json(&record)?;
    } else if args.check {
        record.stale.iter().for_each(|path| say(format!("differs  {}", path.display())));
        say(format!("{} of {} files differ", record.stale.len(), record.files.len()));
    } else {
        record.files.iter().for_each(|path| say(path.display()));
    }
    Ok(ExitCode::from(if is_stale { MISMATCH } else { 0 }))
}

fn all(args: &EmitArgs) -> Result<Emission, UserError> {
    let mut emission = Emission::default();
    for block in warpsmith_blocks::all() {
        for preset in block.presets() {
            let design = block.configure(preset, &[])?;
            let folder = args.out.join(block.name()).join(preset);
            emission.files.extend(emission::of_design(&*design, &folder)?.files);
            let path = args.constraints.join(block.name()).join(format!("{preset}.sdc"));
            emission.files.push((path, crate::constraints::sdc(&*design, &design.circuit())));
        }
    }
    Ok(emission)
}
