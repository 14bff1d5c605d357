//! What synthesis comes to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::flow::liberty;

/// Area, timing and power of one design on one target, and all that they depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SynthRecord {
    /// The block.
    pub block: String,
    /// Preset, or `custom`.
    pub preset: String,
    /// Its parameters.
    pub params: toml::Table,
    /// What it is made for: family, device, speed grade, or library.
    pub target: String,
    /// How far it went, and so what the figures contain: see [`Stage`].
    pub stage: Stage,
    /// Cells of each type.
    pub cells: BTreeMap<String, u64>,
    /// Area on an FPGA.
    pub fpga: Option<FpgaArea>,
    /// Area in an ASIC library.
    pub asic: Option<AsicArea>,
    /// Memories and what they became.
    pub rams: Vec<Ram>,
    /// Timing; absent where no tool gives any.
    pub fmax: Option<Fmax>,
    /// The slowest path of the median seed.
    pub critical_path: Option<CriticalPath>,
    /// The slowest path between each two kinds of ends, where a flow tells them apart.
    #[serde(default)]
    pub path_groups: Vec<PathGroup>,
    /// Power, with the activity it assumes.
    pub power: Option<Power>,
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// Cell libraries.
    pub libraries: Vec<Library>,
    /// What a reader must know beside the figures.
    pub notes: Vec<String>,
    /// Wall time of the flow in seconds.
    pub seconds: f64,
    /// Where inputs, logs and reports are kept.
    pub folder: PathBuf,
}

/// How far a flow went.
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
    /// Of which flip-flops.
    pub flip_flops: u64,
    /// Area of the standard cells in square micrometres.
    pub logic_um2: f64,
    /// Area of the RAMs in square micrometres; absent if nothing says it.
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
    /// Area in square micrometres, if it is a macro.
    pub area_um2: Option<f64>,
    /// Where area and timing of the macro come from.
    pub source: Option<String>,
    /// Shortest time between two accesses of the macro in nanoseconds, if its source says it.
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
    /// Each seed's; one entry for a flow without seeds.
    pub seeds_mhz: Vec<f64>,
    /// The clock that the tools were asked for.
    pub asked_mhz: f64,
}

impl Fmax {
    /// Of at least one frequency. The median of an even number is the lower of the middle two.
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
    /// Where it starts: a register or port by the design's name.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Its length in nanoseconds, set-up time included.
    pub delay_ns: f64,
    /// The steps.
    pub steps: Vec<PathStep>,
}

/// What a path begins or ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathEnd {
    /// Flip-flops.
    Registers,
    /// RAM macros.
    Ram,
    /// Ports, which have a part of the period outside.
    Ports,
}

/// The slowest of the paths between two kinds of ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathGroup {
    /// Where they begin.
    pub from: PathEnd,
    /// Where they end.
    pub to: PathEnd,
    /// Time to spare at the clock asked for, in nanoseconds; negative if it is missed.
    pub slack_ns: f64,
    /// What the path takes inside the design in nanoseconds, set-up time included.
    pub delay_ns: f64,
    /// The clock at which there is nothing to spare, in MHz.
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
    /// Nanoseconds.
    pub delay_ns: f64,
}

/// Power in milliwatts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// Inside cells and in switching nets.
    pub dynamic_mw: f64,
    /// Leakage.
    pub leakage_mw: f64,
    /// Of the RAM macros, where their source says it; not contained in the other two.
    pub ram_mw: Option<f64>,
    /// The clock that it is for.
    pub clock_mhz: f64,
    /// Transitions per clock that every input was assumed to make but those that keep their value,
    /// which are `rst` and the straps.
    pub activity: f64,
}

/// A program that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUsed {
    /// What it is called.
    pub name: String,
    /// What it prints as its version.
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
    /// SHA-256 of that, in hex.
    pub sha256: String,
    /// The name that it gives itself.
    pub name: String,
    /// Process, voltage and temperature as it states them.
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
