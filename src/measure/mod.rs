//! Figures of a design: what sweeps compare and baselines keep.

pub mod metric;
pub mod throughput;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use warpsmith_blocks::block::Design;

use self::throughput::{Throughput, ThroughputError, Traffic};
use crate::flow::synth::record::SynthRecord;
use crate::flow::synth::{Subject, SynthOptions, Target, synthesize};
use crate::flow::tool::ToolError;
use crate::flow::{FlowError, Tell};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Area and timing for this target. Each design replaces the options' folder by its own.
    pub synth: Option<(Target, SynthOptions)>,
    /// Clocks per request under this traffic.
    pub traffic: Option<Traffic>,
}

/// Measured figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// Area and timing.
    pub synth: Option<SynthRecord>,
    /// Clocks per request.
    pub cosim: Option<Throughput>,
}

/// Why a design has no figures.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// Synthesis failed.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// Co-simulation failed.
    #[error(transparent)]
    Throughput(#[from] ThroughputError),
}

impl MeasureError {
    /// The log of the failed tool.
    pub fn log(&self) -> Option<&Path> {
        let error: &ToolError = match self {
            Self::Flow(FlowError::Tool(error)) => error,
            Self::Flow(FlowError::Unplaceable { source, .. }) => source,
            _ => return None,
        };
        match error {
            ToolError::Failed { log, .. } | ToolError::TimedOut { log, .. } => Some(log),
            _ => None,
        }
    }

    /// Whether the circuit is wrong, rather than the tools or the input.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Throughput(ThroughputError::Mismatch { .. }))
    }
}

/// Measures a design. Tools work in `folder`, which is emptied first.
///
/// # Errors
/// Returns [`MeasureError`] without a partial result if either measurement fails.
pub fn measure(
    subject: &Subject<'_>,
    asked: &Asked,
    folder: PathBuf,
    tell: Tell<'_>,
) -> Result<Figures, MeasureError> {
    // The cheaper one first: synthesizing a wrong circuit is useless.
    let cosim = asked.traffic.as_ref().map(|traffic| run_traffic(subject.design, traffic, tell));
    let cosim = cosim.transpose()?;
    let synth = asked.synth.as_ref().map(|(target, options)| {
        synthesize(subject, target, &SynthOptions { folder, ..options.clone() }, tell)
    });
    Ok(Figures { synth: synth.transpose()?, cosim })
}

fn run_traffic(
    design: &dyn Design,
    traffic: &Traffic,
    tell: Tell<'_>,
) -> Result<Throughput, ThroughputError> {
    tell("co-simulation");
    throughput::measure(design, traffic)
}
