//! Points that single commands have measured, each with JSON files.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use warpsmith_blocks::block::Design;
use warpsmith_testbench::agents::Stalls;

use super::grid::Point;
use super::key::key;
use super::record::Outcome;
use super::run::Measure;
use crate::flow::FlowError;
use crate::flow::synth::Uses;
use crate::flow::synth::record::SynthRecord;
use crate::measure::throughput::{SEED, Throughput};
use crate::measure::{Asked, Figures};

/// Reads figures from a folder of files `<point>.synth.json` and `<point>.cosim.json`.
pub struct Gather<'a> {
    /// What was to be measured.
    pub asked: &'a Asked,
    /// The folder.
    pub folder: PathBuf,
}

/// The fields of `warpsmith cosim --json` that are used here.
#[derive(Deserialize)]
struct CosimJson {
    block: String,
    params: toml::Table,
    stream: String,
    stalls: Stalls,
    seed: Option<u64>,
    verdict: String,
    requests: u64,
    clocks_per_request: f64,
}

impl Gather<'_> {
    fn figures(&self, point: &Point, design: &dyn Design) -> Result<Figures, FlowError> {
        let name = point.file_name();
        let synth = self.asked.synth.as_ref().map(|_| self.synth(&name, design)).transpose()?;
        let cosim = self.asked.traffic.as_ref().map(|_| self.cosim(&name, design)).transpose()?;
        Ok(Figures { synth, cosim })
    }

    fn synth(&self, name: &str, design: &dyn Design) -> Result<SynthRecord, FlowError> {
        let (path, record) = self.read::<SynthRecord>(&format!("{name}.synth.json"))?;
        check(path, design, &record.block, &record.params)?;
        Ok(record)
    }

    fn cosim(&self, name: &str, design: &dyn Design) -> Result<Throughput, FlowError> {
        let (path, record) = self.read::<CosimJson>(&format!("{name}.cosim.json"))?;
        check(path.clone(), design, &record.block, &record.params)?;
        let wanted = self.asked.traffic.as_ref();
        let is_wanted = wanted.is_some_and(|traffic| {
            record.verdict != "mismatch"
                && (record.stalls, record.seed) == (Stalls::None, Some(SEED))
                && (&record.stream, record.requests) == (&traffic.stream, traffic.requests)
        });
        let CosimJson { stream, requests, clocks_per_request, .. } = record;
        match is_wanted {
            true => Ok(Throughput { stream, requests, clocks_per_request }),
            false => Err(FlowError::Report {
                path,
                what: "a co-simulation of other traffic, or one that found a mismatch".to_string(),
            }),
        }
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<(PathBuf, T), FlowError> {
        let path = self.folder.join(name);
        let bytes =
            fs::read(&path).map_err(|source| FlowError::File { path: path.clone(), source })?;
        let record = serde_json::from_slice(&bytes).map_err(|error| FlowError::Report {
            path: path.clone(),
            what: format!("not the JSON of warpsmith: {error}"),
        })?;
        Ok((path, record))
    }
}

fn check(
    path: PathBuf,
    design: &dyn Design,
    block: &str,
    params: &toml::Table,
) -> Result<(), FlowError> {
    match block == design.name() && *params == design.params() {
        true => Ok(()),
        false => Err(FlowError::Report {
            path,
            what: "of another block or other parameters than its name states".to_string(),
        }),
    }
}

impl Measure for Gather<'_> {
    fn key(&self, point: &Point, design: &dyn Design) -> Result<String, FlowError> {
        let figures = self.figures(point, design)?;
        // The tools are those of the record, wherever it was made.
        let uses =
            figures.synth.map(|synth| Uses { tools: synth.tools, libraries: synth.libraries });
        key(design, self.asked, &uses.unwrap_or_default())
    }

    fn measure(&self, point: &Point, design: &dyn Design, _: &str) -> Outcome {
        match self.figures(point, design) {
            Ok(figures) => Outcome::Measured(Box::new(figures)),
            Err(error) => Outcome::Failed { message: error.to_string(), log: None },
        }
    }
}
