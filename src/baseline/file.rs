//! The file of a baseline: figures, tolerances, and tool versions.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize, Serializer};

use super::compare::{Comparison, FigureVerdict};
use super::{BaselineError, Candidate, Setup};
use crate::flow::synth::record::{Library, ToolUsed};
use crate::measure::Figures;
use crate::measure::metric::METRICS;
use crate::measure::throughput::Traffic;

/// A baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Name of the block.
    pub block: String,
    /// Its preset.
    pub preset: String,
    /// Target name on the command line.
    pub target: String,
    /// The device or library used.
    pub device: String,
    /// Number of placements, with seeds 1, 2, ...
    pub seeds: u32,
    /// The clock constraint in MHz, if the target is timed.
    pub clock_mhz: Option<f64>,
    /// Stream of requests for measuring clocks per request.
    pub stream: String,
    /// Number of requests.
    pub requests: u64,
    /// SHA-256 of the emitted Verilog without its comments.
    pub verilog: String,
    /// The parameters of the preset.
    pub params: toml::Table,
    /// Versions of tools, hashes of libraries.
    pub tools: BTreeMap<String, String>,
    /// The figures by their names.
    pub metrics: BTreeMap<String, Kept>,
}

/// A recorded figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The figure.
    #[serde(serialize_with = "whole_if_it_is")]
    pub value: f64,
    /// Largest change, up or down, that counts as none, in percent.
    #[serde(serialize_with = "whole_if_it_is")]
    pub tolerance_percent: f64,
    /// Why it was recorded worse than before, and by how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

fn whole_if_it_is<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        true => serializer.serialize_i64(*value as i64),
        false => serializer.serialize_f64(*value),
    }
}

impl Baseline {
    /// The baseline of these figures, with the tolerances of an earlier one.
    ///
    /// # Errors
    /// Fails if the preset does not exist any more.
    pub fn new(
        candidate: &Candidate<'_>,
        figures: &Figures,
        earlier: Option<&Baseline>,
    ) -> Result<Self, BaselineError> {
        let synth = figures.synth.as_ref();
        let kept = METRICS.iter().filter_map(|metric| {
            let earlier = earlier.and_then(|earlier| earlier.metrics.get(metric.name));
            let tolerance = earlier.map_or(metric.tolerance_percent, |kept| kept.tolerance_percent);
            let reason = earlier.and_then(|earlier| earlier.reason.clone());
            let kept = Kept { value: (metric.of)(figures)?, tolerance_percent: tolerance, reason };
            Some((metric.name.to_string(), kept))
        });
        let Setup { preset, seeds, traffic, .. } = candidate.setup.clone();
        Ok(Self {
            block: candidate.block.name.to_string(),
            preset,
            target: candidate.target_name.to_string(),
            device: synth.map(|synth| synth.target.clone()).unwrap_or_default(),
            seeds,
            clock_mhz: synth.and_then(|synth| Some(synth.fmax.as_ref()?.asked_mhz)),
            stream: traffic.stream,
            requests: traffic.requests,
            verilog: candidate.verilog()?,
            params: candidate.design()?.params(),
            tools: synth.map(|s| versions(&s.tools, &s.libraries)).unwrap_or_default(),
            metrics: kept.collect(),
        })
    }

    /// The same with the clocks per request of these figures: area and timing follow from the Verilog.
    #[must_use]
    pub fn with_clocks_of(&self, figures: &Figures) -> Self {
        let mut new = self.clone();
        for metric in METRICS {
            let kept = new.metrics.get_mut(metric.name);
            if let (Some(kept), Some(value)) = (kept, (metric.of)(figures)) {
                kept.value = value;
            }
        }
        new
    }

    /// Keeps the reason for what became worse, and drops that of what became better.
    ///
    /// # Errors
    /// Fails if a figure became worse and there is no reason.
    pub fn explain(
        &mut self,
        comparison: &Comparison,
        reason: Option<&str>,
    ) -> Result<(), BaselineError> {
        for change in &comparison.changes {
            let Some(kept) = self.metrics.get_mut(&change.metric) else { continue };
            match (change.verdict, change.old, reason) {
                (FigureVerdict::Better, ..) => kept.reason = None,
                (FigureVerdict::Worse, Some(old), Some(reason)) => {
                    kept.reason = Some(format!("{old} before: {reason}"));
                }
                (FigureVerdict::Worse, Some(old), None) => {
                    let (block, metric) = (self.block.clone(), change.metric.clone());
                    return Err(BaselineError::Worse { block, metric, old, new: kept.value });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a file; none if it does not exist.
    ///
    /// # Errors
    /// Fails if it cannot be read or is malformed.
    pub fn read(path: &Path) -> Result<Option<Self>, BaselineError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(BaselineError::Read { path: path.to_owned(), source }),
        };
        let wrong = |why: String| BaselineError::Format { path: path.to_owned(), why };
        let baseline: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        for (name, Kept { value, tolerance_percent, .. }) in &baseline.metrics {
            if crate::measure::metric::find(name).is_none() {
                return Err(wrong(format!("there is no metric `{name}`")));
            }
            if !(value.is_finite() && *value >= 0.0) {
                return Err(wrong(format!("{name} is {value}; accepted: 0 or more")));
            }
            if !(tolerance_percent.is_finite() && *tolerance_percent >= 0.0) {
                return Err(wrong(format!(
                    "tolerance_percent of {name} is {tolerance_percent}; accepted: 0 or more"
                )));
            }
        }
        Ok(Some(baseline))
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let record = super::record_command(&self.block, &self.target);
        let compare = record.trim_end_matches(" --record");
        format!(
            "# Recorded by `{record}`; compared by `{compare}`.\n\
             # Tolerances are kept when it is recorded anew.\n\n{}",
            toml::to_string(self).expect("a baseline is TOML")
        )
    }

    /// The measurement setup.
    pub fn setup(&self) -> Setup {
        Setup {
            preset: self.preset.clone(),
            seeds: self.seeds,
            clock_mhz: self.clock_mhz,
            traffic: Traffic { stream: self.stream.clone(), requests: self.requests },
        }
    }
}

/// Versions of tools and hashes of libraries by name.
pub fn versions(tools: &[ToolUsed], libraries: &[Library]) -> BTreeMap<String, String> {
    let tools = tools.iter().map(|tool| (tool.name.clone(), tool.version.clone()));
    let libraries = libraries.iter().map(|library| (library.name.clone(), library.sha256.clone()));
    tools.chain(libraries).collect()
}
