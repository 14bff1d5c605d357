//! `warpsmith boards`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use serde::Serialize;
use warpsmith_blocks::block::Block;

use super::design::find;
use super::progress::while_told;
use super::{Outcome, UserError, say, say_json};
use crate::baseline::file::Baseline;
use crate::emission::Emission;
use crate::flow::board::Kind;
use crate::records::boards::{self, Placed};
use crate::records::{read, text};
use crate::report::board::{Cell, Row, table};
use crate::scores::State;

#[derive(Debug, Args)]
pub(super) struct BoardsArgs {
    /// Only this block; repeat for more. Default: all
    #[arg(long, value_name = "NAME")]
    block: Vec<String>,
    /// First place and route what is missing, or of earlier inputs or other tool versions
    #[arg(long)]
    record: bool,
    /// With --record, only for this board
    #[arg(long, value_enum, requires = "record")]
    board: Option<Kind>,
    /// File of the records
    #[arg(long, value_name = "FILE", default_value = "tests/boards.jsonl")]
    records: PathBuf,
    /// Folder of the baselines
    #[arg(long, value_name = "DIR", default_value = "tests/baselines")]
    baselines: PathBuf,
    /// Folder for the tools' files, with a folder for each block and board
    #[arg(long, value_name = "DIR", default_value = "flow-out/board")]
    out: PathBuf,
    /// Time limit of each tool run
    #[arg(long, value_name = "SECONDS", default_value_t = 7200, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

#[derive(Serialize)]
struct Boards {
    blocks: Vec<Row>,
    /// Commands whose record is missing or stale.
    missing: Vec<String>,
}

pub(super) fn run(args: &BoardsArgs, json: bool) -> Outcome {
    let blocks = match &args.block[..] {
        [] => warpsmith_blocks::all().to_vec(),
        names => names.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };
    let mut recorded: Vec<Placed> = read(&args.records)?;
    if args.record {
        record(args, &blocks, &mut recorded, json)?;
    }
    let rows = blocks.iter().map(|block| row(args, block, &recorded));
    let blocks = rows.collect::<Result<Vec<_>, _>>()?;
    let cells = blocks.iter().flat_map(|row| row.boards.iter().map(|cell| (row.block, cell)));
    let command =
        |block, board| format!("warpsmith boards --record --block {block} --board {board}");
    let missing = cells.filter(|(_, cell)| cell.state != State::Recorded);
    let missing = missing.map(|(block, cell)| command(block, cell.board)).collect();
    let boards = Boards { blocks, missing };
    if json {
        say_json(&boards)?;
        return Ok(ExitCode::SUCCESS);
    }
    say(table(&boards.blocks));
    if !boards.missing.is_empty() {
        say(format!("\n{} records are missing or stale; made by:", boards.missing.len()));
        boards.missing.iter().for_each(|command| say(format!("  {command}")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes what is missing or stale, and writes the file after each.
fn record(
    args: &BoardsArgs,
    blocks: &[&'static Block],
    recorded: &mut Vec<Placed>,
    json: bool,
) -> Result<(), UserError> {
    let kinds = args.board.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
    for kind in kinds {
        let tools = kind.tools()?;
        for block in blocks {
            let (state, found) = boards::find(recorded, block, kind)?;
            if state == State::Recorded && found.is_some_and(|placed| placed.tools == tools) {
                continue;
            }
            let folder = args.out.join(format!("{}-{}", block.name, kind.name()));
            let limit = Duration::from_secs(args.timeout);
            let made = while_told(json, |tell| boards::make(block, kind, folder, limit, tell))?;
            recorded.retain(|old| (&old.block, &old.board) != (&made.block, &made.board));
            recorded.push(made);
            recorded
                .sort_by(|one, other| (&one.block, &one.board).cmp(&(&other.block, &other.board)));
            Emission { files: vec![(args.records.clone(), text(recorded))] }.write()?;
        }
    }
    Ok(())
}

fn row(args: &BoardsArgs, block: &'static Block, recorded: &[Placed]) -> Result<Row, UserError> {
    let baseline = Baseline::read(&args.baselines.join(format!("{}.ecp5.toml", block.name)))?;
    let fmax = baseline.and_then(|baseline| Some(baseline.metrics.get("fmax")?.value));
    let cell = |kind: &Kind| {
        let (state, found) = boards::find(recorded, block, *kind)?;
        Ok(Cell { board: kind.name(), state, found: found.cloned() })
    };
    let boards = Kind::ALL.iter().map(cell).collect::<Result<_, UserError>>()?;
    Ok(Row { block: block.name, boards, baseline_fmax_mhz: fmax })
}

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = match self {
            Self::Ulx3s => "Radiona ULX3S with an ECP5 LFE5U-85F, speed grade 6",
            Self::Hx8k => "Lattice iCE40-HX8K-B-EVN",
        };
        Some(PossibleValue::new(self.name()).help(about))
    }
}
