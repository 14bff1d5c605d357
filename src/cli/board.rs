//! `warpsmith board`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use warpsmith_blocks::block::Design;
use warpsmith_testbench::board::{
    Board, Line, Ran, Run, SerialLine, SpiPins, UartPins, run as run_through,
};

use super::design::find;
use super::progress::{while_told, while_waiting};
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::flow::board::{BIT_CLOCKS, Kind, PRESET, bitstream, simulated};
use crate::report;

#[derive(Debug, Args)]
pub(super) struct BoardArgs {
    /// Name of the block, which is built at preset fpga; `warpsmith list` shows them
    block: String,
    /// The board
    #[arg(long, value_enum)]
    board: Kind,
    /// Build no bitstream, but run requests through the line of the Verilated top
    #[arg(long, conflicts_with = "port")]
    sim: bool,
    /// With --sim, use the SPI of the top and not its UART
    #[arg(long, requires = "sim")]
    spi: bool,
    /// Build no bitstream, but run requests through a board on this serial device
    #[arg(long, value_name = "DEVICE")]
    port: Option<PathBuf>,
    /// Number of requests, with --sim and --port
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    requests: u64,
    /// Seed of requests, straps and stalls, with --sim and --port
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Of 256 clocks so many without new offers, and as many without taken answers
    #[arg(long, value_name = "N", default_value_t = 0)]
    stalls: u8,
    /// Constraints in place of the board's own: LPF for ulx3s, PCF for hx8k
    #[arg(long, value_name = "FILE")]
    constraints: Option<PathBuf>,
    /// Folder for Verilog, scripts, logs, reports and the bitstream. Default: flow-out/board/BLOCK-BOARD
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Time limit of each tool run
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

/// A co-simulation through a line.
#[derive(Serialize)]
struct RunRecord {
    block: String,
    preset: &'static str,
    board: &'static str,
    /// The device, or none for the simulated board.
    port: Option<PathBuf>,
    seed: u64,
    requests: u64,
    compared: u64,
    /// The block's clocks in bursts.
    clocks: u64,
    clocks_per_request: f64,
    bursts: u64,
    repeated_frames: u64,
    mismatch: Option<String>,
    seconds: f64,
}

pub(super) fn run(args: &BoardArgs, json: bool) -> Outcome {
    let design = find(&args.block)?.configure(PRESET, &[])?;
    if let Some(port) = &args.port {
        let line = SerialLine::open(port).map_err(|error| {
            UserError::new(format!("cannot use the serial device {}: {error}", port.display()))
        })?;
        return through(args, &*design, line, json);
    }
    if args.sim {
        let pins = while_waiting("building the top", json, || simulated(&*design))?;
        return match args.spi {
            true => through(args, &*design, SpiPins::new(pins), json),
            false => through(args, &*design, UartPins::new(BIT_CLOCKS.into(), pins), json),
        };
    }
    let constraints = match &args.constraints {
        Some(path) => std::fs::read_to_string(path).map_err(|error| {
            UserError::new(format!("cannot read the constraints {}: {error}", path.display()))
        })?,
        None => args.board.constraints().to_string(),
    };
    let name = format!("{}-{}", args.block, args.board.name());
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("flow-out/board").join(name));
    let limit = Duration::from_secs(args.timeout);
    let record = while_told(json, |tell| {
        bitstream(&*design, args.board, &constraints, folder, limit, tell)
    })?;
    match json {
        true => say_json(&record)?,
        false => say(report::board::text(&record)),
    }
    Ok(ExitCode::SUCCESS)
}

fn through(args: &BoardArgs, design: &dyn Design, line: impl Line, json: bool) -> Outcome {
    let started = Instant::now();
    let what = Run { requests: args.requests, seed: args.seed, stalls: args.stalls };
    let mut board = Board::new(line);
    let running = || run_through(&mut board, design, &what);
    let ran: Ran = while_waiting("running requests through the board", json, running)?;
    let record = RunRecord {
        block: args.block.clone(),
        preset: PRESET,
        board: args.board.name(),
        port: args.port.clone(),
        seed: args.seed,
        requests: ran.requests,
        compared: ran.compared,
        clocks: ran.clocks,
        clocks_per_request: ran.clocks as f64 / ran.requests.max(1) as f64,
        bursts: ran.bursts,
        repeated_frames: board.repeated,
        mismatch: ran.mismatch,
        seconds: started.elapsed().as_secs_f64(),
    };
    if json {
        say_json(&record)?;
    } else {
        say(text(&record));
    }
    Ok(ExitCode::from(if record.mismatch.is_some() { MISMATCH } else { 0 }))
}

fn text(record: &RunRecord) -> String {
    let number = report::thousands;
    let verdict = match &record.mismatch {
        Some(mismatch) => format!("MISMATCH {mismatch}"),
        None => format!(
            "EQUAL: {} requests, {} transfers compared",
            number(record.requests),
            number(record.compared)
        ),
    };
    format!(
        "{verdict}\n{:.2} clocks/request in {} bursts, {} frames sent again, seed {}, {:.1} s",
        record.clocks_per_request,
        number(record.bursts),
        number(record.repeated_frames),
        record.seed,
        record.seconds
    )
}
