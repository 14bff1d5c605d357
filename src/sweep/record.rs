//! The record of a point.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::grid::Point;
use crate::measure::{Figures, MeasureError};

/// A point and its outcome: one line of a sweep's results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PointRecord {
    /// Hash of everything the outcome depends on; none if there is no circuit.
    pub key: Option<String>,
    /// Name of the block.
    pub block: String,
    /// Preset that the parameters override.
    pub preset: String,
    /// The varied parameters.
    pub varied: toml::Table,
    /// All parameters; empty if they are impossible.
    pub params: toml::Table,
    /// Outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The outcome of a point.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It has figures.
    Measured(Box<Figures>),
    /// A tool failed on it.
    Failed {
        /// The tool's message.
        message: String,
        /// The tool's whole output.
        log: Option<PathBuf>,
    },
    /// The circuit differs from its reference.
    Mismatch {
        /// The difference.
        message: String,
    },
    /// The parameters exclude each other.
    Impossible {
        /// The parameters, and the accepted values.
        message: String,
    },
}

impl PointRecord {
    /// The record of a point.
    pub fn new(
        block: &str,
        preset: &str,
        point: &Point,
        key: Option<String>,
        outcome: Outcome,
    ) -> Self {
        Self {
            key,
            block: block.to_string(),
            preset: preset.to_string(),
            varied: point.varied.iter().cloned().collect(),
            params: point.design.as_ref().map(|design| design.params()).unwrap_or_default(),
            outcome,
        }
    }

    /// Its figures, if it has any.
    pub fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            _ => None,
        }
    }
}

impl From<Result<Figures, MeasureError>> for Outcome {
    fn from(result: Result<Figures, MeasureError>) -> Self {
        match result {
            Ok(figures) => Outcome::Measured(Box::new(figures)),
            Err(error) if error.is_mismatch() => Outcome::Mismatch { message: error.to_string() },
            Err(error) => {
                Outcome::Failed { message: error.to_string(), log: error.log().map(PathBuf::from) }
            }
        }
    }
}
