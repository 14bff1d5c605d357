//! The command line: one file per subcommand.
//!
//! Exit codes: 0 success, 1 a mismatch was found, 2 wrong input or a missing tool. With `--json` the standard
//! output is one document for every exit code, described by docs/json-schema.json.

mod baseline;
mod board;
mod boards;
mod claims;
mod completions;
mod cosim;
mod design;
mod determinism;
mod dut;
mod emit;
mod export;
mod frame;
mod gpu;
mod junit;
mod list;
mod litmus;
mod man;
mod measured;
mod mutate;
mod profile;
mod progress;
mod prove;
mod ram;
mod render;
mod replay;
mod report;
mod run;
mod scores;
mod show;
mod soak;
mod sweep;
mod synth;
mod target;
mod time_limit;
mod trace;
mod transactional;
mod transactions;

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser, Subcommand};
use serde::Serialize;
use serde_json::json;

/// Published GPU architecture blocks as Verilog, co-simulated against reference models.
#[derive(Debug, Parser)]
#[command(name = "warpsmith", version, max_term_width = 100, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 all is well, 1 a mismatch was found, 2 wrong input or missing tool."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the blocks
    List,
    /// Show a block (parameters, ports, storage, corners) or a memory system of `run` (places for RTL)
    Show(design::DesignArgs),
    /// Write a block's Verilog
    Emit(emit::EmitArgs),
    /// Write a block as a package: FuseSoC core, bind file of its contract, IP-XACT, testbench
    Export(export::ExportArgs),
    /// Run a block's circuit beside its reference under random traffic
    Cosim(cosim::CosimArgs),
    /// Co-simulate for a given time: seeds, presets, streams and stalls in turn
    Soak(soak::SoakArgs),
    /// Make small faults in a block's netlist and report which of them verification finds
    Mutate(mutate::MutateArgs),
    /// Print the recorded mutation scores of the blocks, or make them
    Scores(scores::ScoresArgs),
    /// Prove a block's properties, or two Verilog files equivalent
    Prove(prove::ProveArgs),
    /// Compare the papers' figures with ours
    Claims(claims::ClaimsArgs),
    /// Area, timing and power of a RAM, by CACTI
    Ram(ram::RamArgs),
    /// Area, timing and power on an FPGA or in a cell library
    Synth(synth::SynthArgs),
    /// Measure a block over a grid of parameters
    Sweep(sweep::SweepArgs),
    /// Write a page of all blocks and memory systems from what is recorded of them
    Report(report::ReportArgs),
    /// Compare area, Fmax and clocks per request with the recorded baseline
    Baseline(baseline::BaselineArgs),
    /// Put a block on an FPGA board: a bitstream, or requests through the board's line
    Board(board::BoardArgs),
    /// Print what became of every block on every FPGA board, or place and route what is not recorded
    Boards(boards::BoardsArgs),
    /// Run a CUDA kernel, compiled to PTX, on the behavioural GPU
    Run(run::RunArgs),
    /// Run a kernel under many seeds and count the states that it ends in
    Determinism(determinism::DeterminismArgs),
    /// Make a frame: with the statistics of a game, or of a model
    Frame(frame::FrameArgs),
    /// Draw a frame on one GPU or several, and write its picture
    Render(render::RenderArgs),
    /// Drive a memory system from a list of accesses, without cores
    Replay(trace::ReplayArgs),
    /// Run litmus tests of the GPU's memory systems
    Litmus(litmus::LitmusArgs),
    /// Run the transactional programs of GETM's paper as kernels on the GPU
    Transactions(transactions::TransactionsArgs),
    /// Print the completions of this command line for a shell
    Completions(completions::CompletionsArgs),
    /// Write a manual page for each subcommand
    Man(man::ManArgs),
}

/// An error that the user can correct: one message, exit code 2.
#[derive(Debug)]
pub struct UserError(String);

impl UserError {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl<E: std::error::Error> From<E> for UserError {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// The result of a subcommand.
type Outcome = Result<ExitCode, UserError>;

/// Exit code of a mismatch.
const MISMATCH: u8 = 1;
/// Exit code of wrong input.
const WRONG_INPUT: u8 = 2;

/// Version of docs/json-schema.json; changes when a field is removed or changes its meaning.
const SCHEMA_VERSION: u32 = 1;

/// The subcommand of this process.
static COMMAND: OnceLock<String> = OnceLock::new();

/// Runs this process's command line.
pub fn main() -> ExitCode {
    // The only options before it are flags.
    let words = std::env::args_os().skip(1);
    let mut words = words.map(|word| word.to_string_lossy().into_owned());
    if let Some(name) = words.find(|word| !word.starts_with('-'))
        && Cli::command().find_subcommand(&name).is_some()
    {
        let _ = COMMAND.set(name);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not errors and go to the standard output.
            let _ = error.print();
            if !error.use_stderr() {
                return ExitCode::SUCCESS;
            }
            if std::env::args_os().any(|word| word == "--json") {
                let text = error.render().to_string();
                say_error(text.trim().trim_start_matches("error: "));
            }
            return ExitCode::from(WRONG_INPUT);
        }
    };
    let json = cli.json;
    let outcome = match cli.command {
        Command::List => list::run(json),
        Command::Show(args) => show::run(&args, json),
        Command::Emit(args) => emit::run(&args, json),
        Command::Export(args) => export::run(&args, json),
        Command::Cosim(args) => cosim::run(&args, json),
        Command::Soak(args) => soak::run(&args, json),
        Command::Mutate(args) => mutate::run(&args, json),
        Command::Scores(args) => scores::run(&args, json),
        Command::Prove(args) => prove::run(&args, json),
        Command::Claims(args) => claims::run(&args, json),
        Command::Ram(args) => ram::run(&args, json),
        Command::Synth(args) => synth::run(&args, json),
        Command::Sweep(args) => sweep::run(&args, json),
        Command::Report(args) => report::run(&args, json),
        Command::Baseline(args) => baseline::run(&args, json),
        Command::Board(args) => board::run(&args, json),
        Command::Boards(args) => boards::run(&args, json),
        Command::Run(args) => run::run(&args, json),
        Command::Determinism(args) => determinism::run(&args, json),
        Command::Frame(args) => frame::run(&args, json),
        Command::Render(args) => render::run(&args, json),
        Command::Replay(args) => trace::run(&args, json),
        Command::Litmus(args) => litmus::run(&args, json),
        Command::Transactions(args) => transactions::run(&args, json),
        Command::Completions(args) => completions::run(&args, json),
        Command::Man(args) => man::run(&args, json),
    };
    outcome.unwrap_or_else(|error| {
        tell(&error, json);
        ExitCode::from(WRONG_INPUT)
    })
}

/// Whether a command line, the program's name first, has a subcommand and options that exist.
///
/// # Errors
/// Returns the message that the command would print.
pub fn parse(words: &[&str]) -> Result<(), String> {
    Cli::try_parse_from(words).map(drop).map_err(|error| error.to_string())
}

/// Prints a user error.
fn tell(UserError(message): &UserError, json: bool) {
    let bold_red = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{bold_red}error:{bold_red:#} {message}");
    if json {
        say_error(message);
    }
}

/// Prints a line to the standard output. A closed pipe is not an error.
fn say(text: impl std::fmt::Display) {
    use std::io::{ErrorKind, Write};
    let mut stdout = anstream::stdout();
    let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        eprintln!("error: cannot write to the standard output: {error}");
        std::process::exit(WRONG_INPUT.into());
    }
}

/// The document printed with `--json`: its command, and a record or an error.
#[derive(Serialize)]
struct Document<T> {
    schema_version: u32,
    /// None if the command is unknown.
    command: Option<&'static String>,
    #[serde(flatten)]
    record: T,
}

/// The cause of exit code 2.
#[derive(Serialize)]
struct ErrorRecord {
    message: String,
}

/// Records of several blocks in one document.
#[derive(Serialize)]
struct Blocks<'a, T> {
    blocks: &'a [T],
}

/// Prints a record as JSON.
fn say_json(record: &impl Serialize) -> Result<(), UserError> {
    let document = Document { schema_version: SCHEMA_VERSION, command: COMMAND.get(), record };
    say(serde_json::to_string_pretty(&document)?);
    Ok(())
}

/// Prints the error of exit code 2 as JSON.
fn say_error(message: &str) {
    // A map of strings always serializes.
    let _ = say_json(&json!({ "error": ErrorRecord { message: message.to_string() } }));
}
