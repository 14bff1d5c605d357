//! Baselines: figures of the blocks that may not change unnoticed.
//!
//! A baseline holds nothing of the machine or the day: for the same tool versions, the same seeds
//! give the same placement everywhere.

pub mod compare;
pub mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;
use warpsmith_blocks::block::{Block, Design};
use warpsmith_blocks::parameters::ParameterError;

use self::file::Baseline;
use crate::flow::synth::{Subject, SynthOptions, Target};
use crate::flow::{FlowError, Tell};
use crate::measure::throughput::Traffic;
use crate::measure::{Asked, Figures, MeasureError, measure};

/// Why there is nothing to compare.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// Nothing was recorded.
    #[error(
        "there is no baseline {}; record one with `{record}`, or name the folder of the baselines \
         with --baselines", path.display()
    )]
    Missing {
        /// The file that there should be.
        path: PathBuf,
        /// The command that makes it.
        record: String,
    },
    /// The file cannot be read.
    #[error("cannot read baseline {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no baseline.
    #[error("{} is no baseline: {why}", path.display())]
    Format {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It was recorded with other tools.
    #[error(
        "{} is not comparable: it was recorded with other versions.{differences}\nInstall those \
         (tests/requirements.txt names the packages), or record anew with `{record}`",
        path.display()
    )]
    OtherTools {
        /// The baseline.
        path: PathBuf,
        /// A line for each tool or library, then and now.
        differences: String,
        /// The command that records anew.
        record: String,
    },
    /// The preset is gone.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A tool is missing.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// The block cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
}

/// How a block is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Its preset.
    pub preset: String,
    /// Placements, with the seeds 1, 2, ...
    pub seeds: u32,
    /// The clock to ask for in MHz; the target's default if absent.
    pub clock_mhz: Option<f64>,
    /// Traffic for clocks per request.
    pub traffic: Traffic,
}

/// A block on a target, ready to be measured.
pub struct Candidate<'a> {
    /// The block.
    pub block: &'a Block,
    /// The target.
    pub target: &'a Target,
    /// As it is called on the command line.
    pub target_name: &'a str,
    /// How it is measured.
    pub setup: Setup,
}

impl Candidate<'_> {
    /// The design.
    ///
    /// # Errors
    /// If the block has no such preset.
    pub fn design(&self) -> Result<Box<dyn Design>, BaselineError> {
        Ok(self.block.configure(&self.setup.preset, &[])?)
    }

    /// The figures. Tools work in `folder`, each run of one within the limit.
    ///
    /// # Errors
    /// See [`BaselineError`].
    pub fn measure(
        &self,
        limit: Duration,
        folder: PathBuf,
        tell: Tell<'_>,
    ) -> Result<Figures, BaselineError> {
        let design = self.design()?;
        let Setup { seeds, clock_mhz, .. } = self.setup;
        let options = SynthOptions { clock_mhz, seeds, limit, folder: folder.clone() };
        let asked = Asked {
            synth: Some((self.target.clone(), options)),
            traffic: Some(self.setup.traffic.clone()),
        };
        let subject = Subject { design: &*design, preset: &self.setup.preset };
        Ok(measure(&subject, &asked, folder, tell)?)
    }

    /// The command that records its baseline.
    pub fn record_command(&self) -> String {
        record_command(self.block.name, self.target_name)
    }

    /// Insists on the tools that the baseline was recorded with.
    ///
    /// # Errors
    /// [`BaselineError::OtherTools`].
    pub fn check_tools(&self, path: &Path, baseline: &Baseline) -> Result<(), BaselineError> {
        let uses = self.target.uses()?;
        let found = file::versions(&uses.tools, &uses.libraries);
        let names: BTreeSet<_> = found.keys().chain(baseline.tools.keys()).collect();
        let version = |of: &BTreeMap<String, String>, name: &str| {
            of.get(name).map_or("none".to_string(), |version| format!("`{version}`"))
        };
        let differ = names.into_iter().filter(|name| found.get(*name) != baseline.tools.get(*name));
        let differences: String = differ
            .map(|name| {
                let (then, now) = (version(&baseline.tools, name), version(&found, name));
                format!("\n{name}: recorded with {then}, here is {now}")
            })
            .collect();
        if differences.is_empty() {
            return Ok(());
        }
        let record = self.record_command();
        Err(BaselineError::OtherTools { path: path.to_owned(), differences, record })
    }
}

/// The command that records the baseline of a block on a target.
pub fn record_command(block: &str, target: &str) -> String {
    format!("warpsmith baseline {block} --target {target} --record")
}
