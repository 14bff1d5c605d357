//! The record of a synthesis.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use warpsmith_testbench::dut::Origin;

use crate::flow::liberty;

/// Area, timing and power of one design on one target, with everything they depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SynthRecord {
    /// The block.
    pub block: String,
    /// Preset, or `custom`.
    pub preset: String,
    /// Its parameters.
    pub params: toml::Table,
    /// Target: family, device and speed grade, or library.
    pub target: String,
    /// How far the flow went.
    pub stage: Stage,
    /// Cells of each type.
    pub cells: BTreeMap<String, u64>,
    /// Area on an FPGA.
    pub fpga: Option<FpgaArea>,
    /// Area in an ASIC library.
    pub asic: Option<AsicArea>,
    /// Memories and their mapping.
    pub rams: Vec<Ram>,
    /// Timing; absent if no tool reports it.
    pub fmax: Option<Fmax>,
    /// The slowest path of the median seed.
    pub critical_path: Option<CriticalPath>,
    /// The slowest path of each pair of end kinds, if the flow distinguishes them.
    #[serde(default)]
    pub path_groups: Vec<PathGroup>,
    /// Power, with the activity it assumes.
    pub power: Option<Power>,
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// Cell libraries.
    pub libraries: Vec<Library>,
    /// Whose each module is, of a user's Verilog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Notes that qualify the figures.
    pub notes: Vec<String>,
    /// Wall time of the flow in seconds.
    pub seconds: f64,
    /// The folder of inputs, logs and reports.
    pub folder: PathBuf,
}

/// The last stage of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Mapped to cells; timing, if any, without wires, clock tree or placement.
    PreLayout,
    /// Placed and routed on a device.
    Routed,
}

/// Area on an FPGA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FpgaArea {
    /// Look-up tables, those in carry chains included.
    pub lut: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs.
    pub bram: u64,
}

/// Area in an ASIC library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AsicArea {
    /// Standard cells.
    pub cells: u64,
    /// Flip-flops among them.
    pub flip_flops: u64,
    /// Area of the standard cells in square micrometres.
    pub logic_um2: f64,
    /// Area of the RAMs in square micrometres; absent if no source gives it.
    pub ram_um2: Option<f64>,
    /// The smallest two-input NAND of the library in square micrometres.
    pub nand2_um2: f64,
    /// Area of the standard cells in thousands of such NANDs.
    pub kge: f64,
}

/// A memory of the design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ram {
    /// Its module.
    pub name: String,
    /// Rows.
    pub rows: u32,
    /// Bits in a row.
    pub width: u32,
    /// Rows times width.
    pub bits: u64,
    /// What it was mapped to: block RAM cells, flip-flops, a macro.
    pub mapped_to: String,
    /// Area in square micrometres, for a macro.
    pub area_um2: Option<f64>,
    /// Source of the macro's area and timing.
    pub source: Option<String>,
    /// Shortest time between two accesses of the macro in nanoseconds, if known.
    #[serde(default)]
    pub cycle_ns: Option<f64>,
}

/// Highest clock frequencies in MHz, over placements that differ in their random seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fmax {
    /// Slowest.
    pub min_mhz: f64,
    /// Median.
    pub median_mhz: f64,
    /// Fastest.
    pub max_mhz: f64,
    /// Of each seed; one value for a flow without seeds.
    pub seeds_mhz: Vec<f64>,
    /// The clock constraint.
    pub asked_mhz: f64,
}

impl Fmax {
    /// Statistics of at least one frequency. The median of an even number is the lower middle one.
    pub fn of(seeds_mhz: Vec<f64>, asked_mhz: f64) -> Self {
        let mut sorted = seeds_mhz.clone();
        sorted.sort_by(f64::total_cmp);
        Self {
            min_mhz: sorted[0],
            median_mhz: sorted[(sorted.len() - 1) / 2],
            max_mhz: sorted[sorted.len() - 1],
            seeds_mhz,
            asked_mhz,
        }
    }
}

/// A path between registers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Start: a register or port by the design's name.
    pub from: String,
    /// End.
    pub to: String,
    /// Its length in nanoseconds, set-up time included.
    pub delay_ns: f64,
    /// The steps.
    pub steps: Vec<PathStep>,
}

/// Kind of a path's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathEnd {
    /// Flip-flops.
    Registers,
    /// RAM macros.
    Ram,
    /// Ports, with part of the period outside.
    Ports,
}

/// The slowest path between two kinds of ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathGroup {
    /// Kind of the start.
    pub from: PathEnd,
    /// Kind of the end.
    pub to: PathEnd,
    /// Slack at the requested clock in nanoseconds.
    pub slack_ns: f64,
    /// The path's delay inside the design in nanoseconds, set-up time included.
    pub delay_ns: f64,
    /// The clock at which the slack is zero, in MHz.
    pub fmax_mhz: f64,
}

impl PathGroup {
    /// Whether the paths begin or end at a RAM macro.
    pub fn is_of_ram(&self) -> bool {
        [self.from, self.to].contains(&PathEnd::Ram)
    }
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// Clock-to-output, logic, routing or setup.
    pub kind: String,
    /// The net, or the nearest named signal.
    pub signal: String,
    /// Type of the cell, if it is one.
    pub cell: Option<String>,
    /// Delay in nanoseconds.
    pub delay_ns: f64,
}

/// Power in milliwatts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// Dynamic, of cells and nets; absent if the library states no voltage.
    pub dynamic_mw: Option<f64>,
    /// Leakage; absent if the library does not state it of every cell used.
    pub leakage_mw: Option<f64>,
    /// Of the RAM macros, if their source gives it; not included in the other two.
    pub ram_mw: Option<f64>,
    /// The clock of these figures.
    pub clock_mhz: f64,
    /// Assumed transitions per clock of every input except `rst` and the straps.
    pub activity: f64,
}

/// A program that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUsed {
    /// Name.
    pub name: String,
    /// The version it prints.
    pub version: String,
}

impl From<&crate::flow::tool::Program> for ToolUsed {
    fn from(program: &crate::flow::tool::Program) -> Self {
        Self { name: program.name.to_string(), version: program.version_text.clone() }
    }
}

/// A cell library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Its file, without folders.
    pub file: String,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// Name of the library.
    pub name: String,
    /// Process, voltage and temperature as stated in the file.
    pub corner: String,
}

impl From<&liberty::Library> for Library {
    fn from(library: &liberty::Library) -> Self {
        Self {
            file: library.file_name(),
            sha256: library.sha256.clone(),
            name: library.name.clone(),
            corner: library.corner.clone(),
        }
    }
}
