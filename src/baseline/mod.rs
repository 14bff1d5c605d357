//! Baselines: figures of the blocks that may not change unnoticed.
//!
//! A baseline does not depend on machine or date: for the same tool versions, the same seeds give the same
//! placement.

pub mod compare;
pub mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use thiserror::Error;
use warpsmith_blocks::block::{Block, Design};
use warpsmith_blocks::parameters::ParameterError;
use warpsmith_testbench::backend::verilog_source;

use self::file::Baseline;
use crate::emission::hash_verilog;
use crate::flow::synth::{Subject, SynthOptions, Target};
use crate::flow::{FlowError, Tell};
use crate::measure::throughput::Traffic;
use crate::measure::{Asked, Figures, MeasureError, measure};

/// Why a comparison is impossible.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// There is no baseline.
    #[error(
        "there is no baseline {}; record one with `{record}`, or name the folder of the baselines \
         with --baselines", path.display()
    )]
    Missing {
        /// The expected file.
        path: PathBuf,
        /// The command that records it.
        record: String,
    },
    /// The file cannot be read.
    #[error("cannot read baseline {}: {source}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is malformed.
    #[error("{} is not a baseline: {why}", path.display())]
    Format {
        /// Its path.
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
        /// One line per tool or library: old and new version.
        differences: String,
        /// The command that records it again.
        record: String,
    },
    /// A figure to record is worse than the recorded one.
    #[error(
        "{metric} of {block} became worse by more than its tolerance, from {old} to {new}; \
         say why with --reason TEXT, which stays in the baseline"
    )]
    Worse {
        /// The block.
        block: String,
        /// The figure.
        metric: String,
        /// Its recorded value.
        old: f64,
        /// Its measured value.
        new: f64,
    },
    /// The preset does not exist any more.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A tool is missing or failed.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// The block cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
}

/// How to measure a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Its preset.
    pub preset: String,
    /// Number of placements, with seeds 1, 2, ...
    pub seeds: u32,
    /// The clock constraint in MHz; the target's default if absent.
    pub clock_mhz: Option<f64>,
    /// Traffic for measuring clocks per request.
    pub traffic: Traffic,
}

/// A block on a target, ready to be measured.
pub struct Candidate<'a> {
    /// The block.
    pub block: &'a Block,
    /// The target.
    pub target: &'a Target,
    /// Name of the target on the command line.
    pub target_name: &'a str,
    /// How to measure it.
    pub setup: Setup,
}

impl Candidate<'_> {
    /// The design.
    ///
    /// # Errors
    /// Fails if the block has no such preset.
    pub fn design(&self) -> Result<Box<dyn Design>, BaselineError> {
        Ok(self.block.configure(&self.setup.preset, &[])?)
    }

    /// SHA-256 of the emitted Verilog without its comments. With the tools and the setup it determines
    /// area and timing.
    ///
    /// # Errors
    /// Fails if the block has no such preset.
    pub fn verilog(&self) -> Result<String, BaselineError> {
        Ok(circuit_key(&*self.design()?)?)
    }

    /// Measures the block in `folder`, without area and timing if these are `known`; `limit` is the time
    /// limit of each tool run.
    ///
    /// # Errors
    /// Returns [`BaselineError`] if the preset is unknown or a measurement fails.
    pub fn measure(
        &self,
        limit: Duration,
        folder: PathBuf,
        known: bool,
        tell: Tell<'_>,
    ) -> Result<Figures, BaselineError> {
        let design = self.design()?;
        let Setup { seeds, clock_mhz, .. } = self.setup;
        let options = SynthOptions { clock_mhz, seeds, limit, folder: folder.clone() };
        let asked = Asked {
            synth: (!known).then(|| (self.target.clone(), options)),
            traffic: Some(self.setup.traffic.clone()),
        };
        let subject = Subject { design: &*design, preset: &self.setup.preset };
        Ok(measure(&subject, &asked, folder, tell)?)
    }

    /// The command that records its baseline.
    pub fn record_command(&self) -> String {
        record_command(self.block.name, self.target_name)
    }

    /// Requires the tool versions that the baseline was recorded with.
    ///
    /// # Errors
    /// [`BaselineError::OtherTools`] if a version differs.
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

/// SHA-256 of a design's Verilog without comments.
///
/// # Errors
/// Fails if the circuit cannot be written.
pub fn circuit_key(design: &dyn Design) -> Result<String, FlowError> {
    let mut files = verilog_source(&design.circuit())?.files;
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let mut hash = Sha256::new();
    files.iter().for_each(|file| hash_verilog(&mut hash, &file.name, &file.text));
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The command that records the baseline of a block on a target.
pub fn record_command(block: &str, target: &str) -> String {
    format!("warpsmith baseline {block} --target {target} --record")
}
