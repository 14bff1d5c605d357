//! The record of proofs.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use warpsmith_testbench::dut::Origin;

use crate::flow::synth::record::ToolUsed;

/// The proofs of one design.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProveRecord {
    /// The block.
    pub block: String,
    /// Preset, or `custom`.
    pub preset: String,
    /// Its parameters.
    pub params: toml::Table,
    /// Origin of the Verilog: `emitted`, or the user's files.
    pub circuit: String,
    /// Whose each module is, of a user's Verilog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Assumptions in the user's Verilog, each with its place: the verdict holds where they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Every assertion.
    pub assertions: Vec<Assertion>,
    /// Every cover.
    pub covers: Vec<Cover>,
    /// Why the block's contract is not among the assertions, if so; the assertions of its channels and
    /// circuit always are.
    pub without_properties: Option<String>,
    /// Corners of co-simulation without a cover.
    pub corners_without_cover: Vec<String>,
    /// The runs.
    pub tasks: Vec<Task>,
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// SHA-256 of everything that the findings depend on: see [`super::reuse`].
    pub key: String,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The folder of Verilog, scripts, logs and traces.
    #[serde(default)]
    pub folder: PathBuf,
}

/// A property that must hold at every clock.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Assertion {
    /// Instance and label.
    pub name: String,
    /// The verdict.
    pub verdict: AssertionVerdict,
}

/// The verdict on an assertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum AssertionVerdict {
    /// It holds for all time.
    Proven {
        /// The engine.
        by: String,
    },
    /// It holds in every run of `clocks` clocks; nothing is known of longer ones.
    Bounded {
        /// Clocks after reset.
        clocks: u32,
    },
    /// It fails.
    Fails {
        /// The clock in which it is violated, counted from the reset.
        clock: Option<u32>,
        /// The trace, in the folder.
        trace: Option<String>,
    },
    /// Undecided.
    NotProven {
        /// The reason.
        why: String,
    },
}

/// A situation that must be possible.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cover {
    /// Instance and label.
    pub name: String,
    /// The clock in which it is first met, counted from the reset; none if it was not met.
    pub clock: Option<u32>,
}

/// A run of the prover.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// How it ended.
    pub ended: String,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl ProveRecord {
    /// Whether an assertion fails.
    pub fn fails(&self) -> bool {
        self.assertions.iter().any(|a| matches!(a.verdict, AssertionVerdict::Fails { .. }))
    }

    /// Whether an assertion has neither a proof, a bound nor a violation.
    pub fn has_open_assertion(&self) -> bool {
        self.assertions.iter().any(|a| matches!(a.verdict, AssertionVerdict::NotProven { .. }))
    }

    /// Whether a cover was searched for and not met.
    pub fn has_unmet_cover(&self) -> bool {
        self.covers.iter().any(|cover| cover.clock.is_none())
    }
}
