//! What `warpsmith run` tells of where clocks went.

use std::path::{Path, PathBuf};

use clap::Args;

use super::UserError;
use crate::emission::Emission;
use crate::gpu::config::Config;
use crate::gpu::isa::Program;
use crate::gpu::machine::Machine;
use crate::gpu::machine::profile::Profile;
use crate::report::profile::ProfileReport;
use crate::report::{timeline, trace};

#[derive(Debug, Args)]
pub(super) struct ProfileArgs {
    /// Tell what warps spent their clocks on, by lines of the source (`.loc`) or else of the module
    #[arg(long)]
    profile: bool,
    /// Draw what cores and warps did over time (SVG)
    #[arg(long, value_name = "FILE.svg")]
    timeline: Option<PathBuf>,
    /// Write launches, CTAs and waits of warps in the Chrome trace event format, which Perfetto opens
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
}

impl ProfileArgs {
    /// Rejects arguments that would have no effect.
    pub(super) fn refuse(&self, because: &str) -> Result<(), UserError> {
        let given = [
            (self.profile, "--profile"),
            (self.timeline.is_some(), "--timeline"),
            (self.trace.is_some(), "--trace"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(UserError::new(format!(
                "{name} needs the timed machine, which {because} excludes"
            ))),
            None => Ok(()),
        }
    }

    /// Lets the machine count, if anything is asked for.
    pub(super) fn apply(&self, machine: &mut Machine, program: &Program, config: &Config) {
        if self.profile || self.timeline.is_some() || self.trace.is_some() {
            machine.profile(Profile::new(program, config, self.trace.is_some()));
        }
    }

    /// Writes the files that are asked for, and gives the report. The text of source files is looked for beside the
    /// module.
    pub(super) fn report(
        &self,
        profile: Option<Profile>,
        program: &Program,
        clock_mhz: f64,
    ) -> Result<Option<ProfileReport>, UserError> {
        let Some(profile) = profile else { return Ok(None) };
        let mut files = Vec::new();
        if let Some(file) = &self.timeline {
            files.push((file.clone(), timeline::svg(&program.file, &profile.timeline)));
        }
        if let (Some(file), Some(spans)) = (&self.trace, &profile.trace) {
            files.push((file.clone(), trace::text(spans, program, clock_mhz)));
        }
        Emission { files }.write()?;
        let folder = Path::new(&program.file).parent().unwrap_or(Path::new("")).to_path_buf();
        let text = |file: &str| {
            let beside = folder.join(Path::new(file).file_name()?);
            std::fs::read_to_string(file).or_else(|_| std::fs::read_to_string(beside)).ok()
        };
        Ok(self.profile.then(|| ProfileReport::new(&profile, program, text)))
    }
}
