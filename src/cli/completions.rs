//! `warpsmith completions`

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use super::{Cli, Outcome, say, say_json};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Serialize)]
struct Completions {
    shell: String,
    script: String,
}

pub(super) fn run(args: &CompletionsArgs, json: bool) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_names(), "warpsmith", &mut script);
    let script = String::from_utf8_lossy(&script).trim_end().to_string();
    match json {
        true => say_json(&Completions { shell: args.shell.to_string(), script })?,
        false => say(script),
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line with the names of blocks and presets as the only values of their arguments: the
/// subcommands check them themselves, for better messages.
fn with_names() -> clap::Command {
    let blocks: Vec<_> = warpsmith_blocks::all().iter().map(|block| block.name).collect();
    let mut presets: Vec<_> =
        warpsmith_blocks::all().iter().flat_map(|block| block.presets()).collect();
    presets.sort_unstable();
    presets.dedup();
    let mut command = Cli::command();
    let subcommands: Vec<_> =
        command.get_subcommands().map(|command| command.get_name().to_string()).collect();
    for name in subcommands {
        command = command.mut_subcommand(name, |mut subcommand| {
            let has = |id: &str| subcommand.get_arguments().any(|argument| argument.get_id() == id);
            // A preset of a block, not of a machine.
            if has("block") {
                if has("preset") {
                    let presets = PossibleValuesParser::new(&presets);
                    subcommand =
                        subcommand.mut_arg("preset", |preset| preset.value_parser(presets));
                }
                let blocks = PossibleValuesParser::new(&blocks);
                subcommand = subcommand.mut_arg("block", |block| block.value_parser(blocks));
            }
            subcommand
        });
    }
    command
}
