//! Flows through external tools: synthesis, place and route, timing analysis, proofs.
//!
//! A flow runs a tool, keeps its log, and reads the tool's own report. What a tool does not report is absent
//! from the record, never estimated.

pub mod abc;
pub mod arrays;
pub mod board;
pub mod cacti;
pub mod folder;
pub mod fusesoc;
pub mod liberty;
pub mod mutate;
pub mod netlist;
pub mod nextpnr;
pub mod opensta;
pub mod parallel;
pub mod prove;
pub mod synth;
pub mod tool;
pub mod users;
pub mod yosys;

use std::path::PathBuf;

use thiserror::Error;

use tool::ToolError;

/// Why a flow has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FlowError {
    /// A tool is missing, of the wrong version, failed, or ran out of time.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The circuit has no Verilog.
    #[error(transparent)]
    Emit(#[from] warpsmith_rtl::verilog::EmitError),
    /// The circuit cannot be elaborated.
    #[error(transparent)]
    Netlist(#[from] warpsmith_rtl::netlist::NetlistError),
    /// No model can be built.
    #[error(transparent)]
    Backend(#[from] warpsmith_testbench::backend::BackendError),
    /// A co-simulation cannot be run.
    #[error(transparent)]
    Cosim(#[from] warpsmith_testbench::cosim::CosimError),
    /// A file of the flow cannot be read or written.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A tool's output is not as expected.
    #[error("{}: {what}", path.display())]
    Report {
        /// The report or log.
        path: PathBuf,
        /// What is missing or wrong in it.
        what: String,
    },
    /// A design needs more than the largest device of the target has.
    #[error("{design} does not fit {device}: it needs {over}")]
    DoesNotFit {
        /// The design.
        design: String,
        /// The largest device.
        device: String,
        /// What exceeds the device, with the available number of each.
        over: String,
    },
    /// A design fits a device by count, but has no placement, routing or timing.
    #[error("{design} could not be placed, routed and timed on {device}: {source}")]
    Unplaceable {
        /// The design.
        design: String,
        /// The largest device that was tried.
        device: String,
        /// The tool's error.
        source: Box<ToolError>,
    },
    /// An unusable input: a library or an option.
    #[error("{0}")]
    Input(String),
}

/// Reports the current step to the user.
pub type Tell<'a> = &'a (dyn Fn(&str) + Sync);
