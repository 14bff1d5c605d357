//! `warpsmith report`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use warpsmith_blocks::block::Block;

use super::design::find;
use super::progress::while_told;
use super::{Outcome, UserError, say, say_json};
use crate::emission::Emission;
use crate::records::{self, Record, Wanted};
use crate::report::overview::page::{self, Pictures};
use crate::report::overview::{
    Folders, Given, KERNELS, Overview, block_diagram, file, timing_diagram,
};

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Documents of your own to show as well: what cosim, prove, synth, sweep and run print with --json, and the
    /// journal of a sweep
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only this block; repeat for more. Default: all, and the kernels
    #[arg(long, value_name = "NAME")]
    block: Vec<String>,
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Its format. Default: by the file's ending
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// First run the commands of cosim, synth and run whose record is missing or of earlier inputs
    #[arg(long)]
    record: bool,
    /// Folder of recorded documents, one file a block and one of the kernels
    #[arg(long, value_name = "DIR", default_value = "tests/records")]
    records: PathBuf,
    /// Folder of the baselines
    #[arg(long, value_name = "DIR", default_value = "tests/baselines")]
    baselines: PathBuf,
    /// Folder of the mutation scores
    #[arg(long, value_name = "DIR", default_value = "tests/scores")]
    scores: PathBuf,
    /// Folder of the proofs, each what prove prints with --json
    #[arg(long, value_name = "DIR", default_value = "tests/proofs")]
    proofs: PathBuf,
    /// Folder of the kernels
    #[arg(long, value_name = "DIR", default_value = "tests/kernels")]
    kernels: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One file with its pictures, which needs no network
    Html,
    /// Tables without pictures
    Md,
}

pub(super) fn run(args: &ReportArgs, json: bool) -> Outcome {
    let blocks = match &args.block[..] {
        [] => warpsmith_blocks::all().to_vec(),
        names => names.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };
    let format = format(args)?;
    let folders = Folders {
        records: args.records.clone(),
        baselines: args.baselines.clone(),
        scores: args.scores.clone(),
        proofs: args.proofs.clone(),
        kernels: args.kernels.clone(),
    };
    let given = args
        .files
        .iter()
        .map(|path| Ok(Given { file: path.clone(), found: records::read_document(path)? }));
    let given = given.collect::<Result<Vec<_>, UserError>>()?;
    if args.record {
        if args.block.is_empty() {
            let wanted = records::of_kernels(&folders.kernels)?;
            record(&folders.records, KERNELS, &wanted, json)?;
        }
        for block in &blocks {
            record(&folders.records, block.name, &records::of_block(block)?, json)?;
        }
    }
    let overview = Overview::gather(&folders, &blocks, given)?;
    if json {
        say_json(&overview)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = match format {
        Format::Html => page::html(&overview, &pictures(&blocks)?),
        Format::Md => page::markdown(&overview),
    };
    Emission { files: vec![(args.out.clone(), text)] }.write()?;
    say(format!("wrote {}", args.out.display()));
    let missing: BTreeSet<_> = overview.missing.iter().collect();
    if !missing.is_empty() {
        say(format!("{} records are missing or stale; made by:", missing.len()));
        missing.iter().for_each(|command| say(format!("  {command}")));
    }
    Ok(ExitCode::SUCCESS)
}

fn format(args: &ReportArgs) -> Result<Format, UserError> {
    let ending = args.out.extension().and_then(|ending| ending.to_str());
    match (args.format, ending) {
        (Some(format), _) => Ok(format),
        (None, Some("html" | "htm")) => Ok(Format::Html),
        (None, Some("md")) => Ok(Format::Md),
        (None, _) => Err(UserError::new(format!(
            "--out {}: the ending says no format; accepted: .html, .md, or --format html|md",
            args.out.display()
        ))),
    }
}

/// Runs what is missing or stale, and writes the file after each run.
fn record(folder: &Path, of: &str, wanted: &[Wanted], json: bool) -> Result<(), UserError> {
    let path = file(folder, of);
    let mut known: Vec<Record> = records::read(&path)?;
    known.retain(|record| wanted.iter().any(|wanted| wanted.run == record.run));
    for wanted in wanted {
        let is_current = |record: &Record| record.run == wanted.run && record.key == wanted.key;
        if known.iter().any(is_current) {
            continue;
        }
        let made = while_told(json, |tell| {
            tell(&wanted.run);
            records::make(wanted)
        })?;
        known.retain(|record| record.run != made.run);
        known.push(made);
        known.sort_by(|one, other| one.run.cmp(&other.run));
        Emission { files: vec![(path.clone(), records::text(&known))] }.write()?;
    }
    Ok(())
}

/// A block diagram and a timing diagram of each block.
fn pictures(blocks: &[&'static Block]) -> Result<Pictures, UserError> {
    let of_block = |block: &&Block| {
        let (fpga, tiny) = (block.configure("fpga", &[])?, block.configure("tiny", &[])?);
        Ok(vec![
            (
                "Parts and channels at preset fpga; memories dashed".to_string(),
                block_diagram::svg(&*fpga),
            ),
            (
                "Transfers at preset tiny, payloads in hexadecimal while they are valid"
                    .to_string(),
                timing_diagram::svg(&*tiny)?,
            ),
        ])
    };
    blocks.iter().map(of_block).collect()
}
