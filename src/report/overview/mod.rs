//! The report of everything that is known of the blocks and the memory systems.
//!
//! It only reads: claims and diagrams follow from the blocks, everything else from records. What has no
//! record, or one of other inputs, is named with the command that makes it.

pub mod block_diagram;
pub mod page;
pub mod timing_diagram;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use warpsmith_blocks::block::Block;
use warpsmith_blocks::claim::Claim;

use crate::baseline::file::Baseline;
use crate::baseline::{BaselineError, circuit_key, record_command};
use crate::records::{self, Document, KernelRun, Record, RecordError, Wanted};
use crate::scores::{self, Run, Score, ScoreError, Scores, State};

/// The folders of the records.
#[derive(Clone, Debug)]
pub struct Folders {
    /// Of the commands' documents.
    pub records: PathBuf,
    /// Of the baselines.
    pub baselines: PathBuf,
    /// Of the mutation scores.
    pub scores: PathBuf,
    /// Of the proofs.
    pub proofs: PathBuf,
    /// Of the kernels.
    pub kernels: PathBuf,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum OverviewError {
    /// A record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A baseline cannot be used.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// A mutation score cannot be used.
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// Something that a command finds.
#[derive(Clone, Debug, Serialize)]
pub struct Cell<T> {
    /// The command that makes the record.
    pub command: String,
    /// Whether the record is there, and of the present inputs.
    pub state: State,
    /// What it found, also if it is stale.
    pub found: Option<T>,
}

/// Everything known.
#[derive(Serialize)]
pub struct Overview {
    /// The blocks.
    pub blocks: Vec<BlockOverview>,
    /// Every kernel on every memory system.
    pub kernels: Vec<Cell<KernelRun>>,
    /// Documents given by the user that are of no block of ours: his kernels.
    pub given: Vec<Given>,
    /// Commands whose record is missing or stale.
    pub missing: Vec<String>,
}

/// What is known of a block.
#[derive(Serialize)]
pub struct BlockOverview {
    /// The block.
    #[serde(serialize_with = "name")]
    pub block: &'static Block,
    /// Co-simulations and syntheses, in the order of [`records::of_block`], and the proof.
    pub runs: Vec<Cell<Document>>,
    /// Area and timing on the ECP5, with clocks per request.
    pub baseline: Cell<BTreeMap<String, f64>>,
    /// Mutation scores.
    pub scores: Vec<ScoreCell>,
    /// The paper's figures beside ours, at preset `paper`.
    pub claims: Vec<JudgedClaim>,
    /// Documents given by the user.
    pub given: Vec<Given>,
}

/// A mutation score.
#[derive(Debug, Serialize)]
pub struct ScoreCell {
    /// Its faults.
    pub run: Run,
    /// Percentage of killed among killed and survived.
    pub percent: Option<f64>,
    /// The record.
    #[serde(flatten)]
    pub cell: Cell<Score>,
}

/// A figure of a paper beside ours.
#[derive(Debug, Serialize)]
pub struct JudgedClaim {
    /// Both figures.
    #[serde(flatten)]
    pub claim: Claim,
    /// Difference of ours in percent.
    pub delta_percent: f64,
}

/// A document given by the user.
#[derive(Debug, Serialize)]
pub struct Given {
    /// Its file.
    pub file: PathBuf,
    /// The document.
    pub found: Document,
}

fn name<S: serde::Serializer>(block: &&Block, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(block.name)
}

/// The file of a block's records, or of the kernels'.
pub fn file(folder: &Path, of: &str) -> PathBuf {
    folder.join(format!("{of}.jsonl"))
}

/// Name of the file of the kernels' records.
pub const KERNELS: &str = "kernels";

impl Overview {
    /// Gathers the records of these blocks, of the kernels, and the user's documents.
    ///
    /// # Errors
    /// Fails if a record is malformed.
    pub fn gather(
        folders: &Folders,
        blocks: &[&'static Block],
        given: Vec<Given>,
    ) -> Result<Self, OverviewError> {
        let recorded: Vec<Record> = records::read(&file(&folders.records, KERNELS))?;
        let kernels = records::of_kernels(&folders.kernels)?.into_iter();
        let kernels = kernels.map(|wanted| cell(wanted, &recorded).map(kernel_run)).collect();
        let (mut of_blocks, mut others) = (Vec::new(), Vec::new());
        given.into_iter().for_each(|given| match given.found.block() {
            Some(_) => of_blocks.push(given),
            None => others.push(given),
        });
        let mut all = Vec::new();
        for block in blocks {
            let (own, rest) =
                of_blocks.into_iter().partition(|given| given.found.block() == Some(block.name));
            of_blocks = rest;
            all.push(BlockOverview::gather(folders, block, own)?);
        }
        let mut overview = Self { blocks: all, kernels, given: others, missing: Vec::new() };
        overview.missing = overview.find_missing();
        Ok(overview)
    }

    fn find_missing(&self) -> Vec<String> {
        let mut commands = Vec::new();
        let mut look = |state: State, command: &String| {
            if state != State::Recorded {
                commands.push(command.clone());
            }
        };
        for block in &self.blocks {
            block.runs.iter().for_each(|cell| look(cell.state, &cell.command));
            look(block.baseline.state, &block.baseline.command);
            block.scores.iter().for_each(|score| look(score.cell.state, &score.cell.command));
        }
        self.kernels.iter().for_each(|cell| look(cell.state, &cell.command));
        commands
    }
}

impl BlockOverview {
    fn gather(
        folders: &Folders,
        block: &'static Block,
        given: Vec<Given>,
    ) -> Result<Self, OverviewError> {
        let recorded: Vec<Record> = records::read(&file(&folders.records, block.name))?;
        let runs = records::of_block(block)?.into_iter().map(|wanted| cell(wanted, &recorded));
        let runs = runs.chain([proof(&folders.proofs, block)?]);
        let design = block.configure("paper", &[]).map_err(RecordError::from)?;
        let claims = design.claims().into_iter();
        Ok(Self {
            block,
            runs: runs.collect(),
            baseline: baseline(&folders.baselines, block)?,
            scores: score_cells(&folders.scores, block)?,
            claims: claims
                .map(|claim| JudgedClaim { delta_percent: claim.delta_percent(), claim })
                .collect(),
            given,
        })
    }
}

impl Document {
    /// The block that it is about.
    pub fn block(&self) -> Option<&str> {
        match self {
            Document::Cosim(cosim) => Some(&cosim.block),
            Document::Prove(prove) => Some(&prove.block),
            Document::Synth(synth) => Some(&synth.block),
            Document::Sweep(sweep) => sweep.points.first().map(|point| point.block.as_str()),
            Document::Run(_) => None,
        }
    }
}

impl<T> Cell<T> {
    fn map<U>(self, of: impl FnOnce(T) -> Option<U>) -> Cell<U> {
        Cell { command: self.command, state: self.state, found: self.found.and_then(of) }
    }
}

/// The recorded proof; the one without a bound if there are two. Tests find it again by its own key.
fn proof(folder: &Path, block: &Block) -> Result<Cell<Document>, RecordError> {
    let file = |ending: &str| folder.join(format!("{}{ending}", block.name));
    let files = [file(".json"), file(".unbounded.json")];
    let found = files.iter().find(|file| file.exists());
    let found = found.map(|file| records::read_document(file)).transpose()?;
    let command = format!("warpsmith prove {} --timeout 900", block.name);
    let state = if found.is_some() { State::Recorded } else { State::Missing };
    Ok(Cell { command, state, found })
}

fn kernel_run(document: Document) -> Option<KernelRun> {
    match document {
        Document::Run(run) => Some(run),
        _ => None,
    }
}

fn cell(wanted: Wanted, recorded: &[Record]) -> Cell<Document> {
    let record = recorded.iter().find(|record| record.run == wanted.run);
    let state = match record {
        None => State::Missing,
        Some(record) if record.key == wanted.key => State::Recorded,
        Some(_) => State::Stale,
    };
    Cell { command: wanted.run, state, found: record.map(|record| record.found.clone()) }
}

fn baseline(folder: &Path, block: &Block) -> Result<Cell<BTreeMap<String, f64>>, OverviewError> {
    let command = record_command(block.name, "ecp5");
    let baseline = Baseline::read(&folder.join(format!("{}.ecp5.toml", block.name)))?;
    let Some(baseline) = baseline else {
        return Ok(Cell { command, state: State::Missing, found: None });
    };
    let design = block.configure(&baseline.preset, &[]).map_err(RecordError::from)?;
    let is_current = circuit_key(&*design).map_err(RecordError::from)? == baseline.verilog;
    let figures = baseline.metrics.iter().map(|(name, kept)| (name.clone(), kept.value));
    let state = if is_current { State::Recorded } else { State::Stale };
    Ok(Cell { command, state, found: Some(figures.collect()) })
}

fn score_cells(folder: &Path, block: &'static Block) -> Result<Vec<ScoreCell>, OverviewError> {
    let recorded = Scores::read(folder, block.name)?;
    let mut cells = Vec::new();
    for run in Run::all() {
        let found = recorded.of(&run).cloned();
        let state = scores::state(block, &recorded, &run)?;
        let command = format!("warpsmith scores {} --preset {} --run", block.name, run.preset);
        let percent = found.as_ref().and_then(|score| score.counts.score_percent());
        cells.push(ScoreCell { run, percent, cell: Cell { command, state, found } });
    }
    Ok(cells)
}
