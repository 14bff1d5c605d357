//! Measures points with the tools of this machine.

use std::path::PathBuf;

use warpsmith_blocks::block::Design;

use super::grid::Point;
use super::key::key;
use super::record::Outcome;
use super::run::Measure;
use crate::flow::FlowError;
use crate::flow::synth::{Subject, Uses};
use crate::measure::{Asked, measure};

/// Runs the tools.
pub struct Live<'a> {
    asked: &'a Asked,
    uses: Uses,
    folder: PathBuf,
}

impl<'a> Live<'a> {
    /// Finds the tools. Each point gets its own folder in `folder`.
    ///
    /// # Errors
    /// Fails if a tool or library is missing.
    pub fn new(asked: &'a Asked, folder: PathBuf) -> Result<Self, FlowError> {
        let uses = asked.synth.as_ref().map(|(target, _)| target.uses()).transpose()?;
        Ok(Self { asked, uses: uses.unwrap_or_default(), folder })
    }
}

impl Measure for Live<'_> {
    fn key(&self, _: &Point, design: &dyn Design) -> Result<String, FlowError> {
        key(design, self.asked, &self.uses)
    }

    fn measure(&self, _: &Point, design: &dyn Design, key: &str) -> Outcome {
        // Named by the key, so that no folder of another grid or tool version is emptied.
        let folder = self.folder.join(&key[..16]);
        let subject = Subject { design, preset: "custom" };
        measure(&subject, self.asked, folder, &|_| ()).into()
    }
}
