//! `warpsmith man`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use serde::Serialize;

use super::{Cli, Outcome, UserError, say, say_json};
use crate::emission::Emission;

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Folder of the pages, such as ~/.local/share/man/man1; files of the same names are replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Pages {
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &ManArgs, json: bool) -> Outcome {
    let mut command = Cli::command().disable_help_subcommand(true);
    // Gives each subcommand its full name, such as warpsmith-emit.
    command.build();
    let pages = std::iter::once(&command).chain(command.get_subcommands()).map(page);
    let pages = pages.collect::<Result<Vec<_>, _>>()?.into_iter();
    let files = pages.map(|(name, text)| (args.out.join(name), text)).collect();
    let emission = Emission { files };
    emission.write()?;
    let files = emission.files.into_iter().map(|(path, _)| path).collect();
    match json {
        true => say_json(&Pages { files })?,
        false => files.iter().for_each(|path| say(path.display())),
    }
    Ok(ExitCode::SUCCESS)
}

/// File name and text of a page.
fn page(command: &Command) -> Result<(String, String), UserError> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok((page.get_filename(), String::from_utf8_lossy(&text).into_owned()))
}
