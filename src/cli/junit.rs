//! `--junit`: the result of a command as a file that continuous-integration servers read.

use std::path::PathBuf;

use clap::Args;

use super::{COMMAND, Outcome, UserError};
use crate::emission::Emission;
use crate::report::junit::{self, Suite};

#[derive(Clone, Debug, Default, Args)]
pub(super) struct JunitArgs {
    /// Also write the result to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl JunitArgs {
    /// Runs the command; its error, exit code 2, goes to the file too.
    pub fn with_error(&self, run: impl FnOnce() -> Outcome) -> Outcome {
        run().inspect_err(|UserError(message)| {
            let command = COMMAND.get().map_or("", String::as_str);
            // The error that is told is the first one.
            let _ = self.write(|| junit::of_error(command, message));
        })
    }

    /// Writes the file, if one is wanted.
    pub fn write(&self, suite: impl FnOnce() -> Suite) -> Result<(), UserError> {
        let Some(path) = &self.junit else { return Ok(()) };
        let text = junit::text(suite());
        Ok(Emission { files: vec![(path.clone(), text)] }.write()?)
    }
}
