//! `warpsmith emit`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::design::DesignArgs;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::emission::{self, Folders};

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(false).args(["block", "all"]))]
pub(super) struct EmitArgs {
    #[command(flatten)]
    design: Option<DesignArgs>,
    /// Every block at every preset, with constraints
    #[arg(long, conflicts_with_all = ["preset", "params", "settings"])]
    all: bool,
    /// Output folder
    #[arg(long, value_name = "DIR", default_value = "rtl-out")]
    out: PathBuf,
    /// Output folder of the constraints with --all
    #[arg(long, value_name = "DIR", default_value = "constraints", requires = "all")]
    constraints: PathBuf,
    /// Prefix of every module name, such as gpu0_, for two copies of a block in one design
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    #[arg(conflicts_with = "all")]
    prefix: String,
    /// Replace files that were edited, and files of the same names that emit did not write
    #[arg(long)]
    force: bool,
    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct Emitted {
    files: Vec<PathBuf>,
    stale: Vec<PathBuf>,
    removed: Vec<PathBuf>,
    bytes: usize,
}

pub(super) fn run(args: &EmitArgs, json: bool) -> Outcome {
    let mut folders = match &args.design {
        Some(chosen) => {
            let design = chosen.design()?;
            let name = format!("{}{}", args.prefix, design.name());
            emission::of_design(&*design, &args.out.join(name).join(chosen.name()), &args.prefix)?
        }
        None => all(args)?,
    };
    folders.force = args.force;
    let (stale, removed) = match args.check {
        true => (folders.stale()?, Vec::new()),
        false => (Vec::new(), folders.write()?),
    };
    let record = Emitted {
        bytes: folders.files.iter().map(|(_, text)| text.len()).sum(),
        files: folders.files.into_iter().map(|(path, _)| path).collect(),
        stale,
        removed,
    };
    let is_stale = !record.stale.is_empty();
    if json {
        say_json(&record)?;
    } else if args.check {
        record.stale.iter().for_each(|path| say(format!("differs  {}", path.display())));
        say(format!("{} of {} files differ", record.stale.len(), record.files.len()));
    } else {
        record.files.iter().for_each(|path| say(path.display()));
        record.removed.iter().for_each(|path| say(format!("removed  {}", path.display())));
    }
    Ok(ExitCode::from(if is_stale { MISMATCH } else { 0 }))
}

fn all(args: &EmitArgs) -> Result<Folders, UserError> {
    let mut folders = Folders::default();
    for block in warpsmith_blocks::all() {
        for preset in block.presets() {
            let design = block.configure(preset, &[])?;
            let folder = args.out.join(block.name).join(preset);
            folders.files.extend(emission::rtl_of_design(&*design, &folder, "")?.files);
            let folder = args.constraints.join(block.name);
            folders.push(&folder, &format!("{preset}.sdc"), emission::sdc(&*design));
        }
    }
    Ok(folders)
}
