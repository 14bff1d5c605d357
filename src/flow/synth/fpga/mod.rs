//! FPGA targets: yosys, and nextpnr for the families that it supports.
//!
//! Emitted and other Verilog are treated alike. Yosys reads the files twice: once to learn ports, memories
//! and the author's names, and once to map the block within its own boundary inside the `harness`. Area is
//! that of the block's cells alone; the harness with the same cells is placed, routed and timed.

mod area;
mod family;
mod harness;
mod memories;
mod names;
mod notes;
mod path;
mod place;
mod scripts;
mod source;

use std::time::Instant;

pub use self::family::Family;
use self::family::Router;
use self::harness::{HARNESS, Ports};
use self::names::Names;
use self::place::Job;
pub use self::source::{ArrayMemory, Source};
use super::record::{Fmax, FpgaArea, Stage, SynthRecord, ToolUsed};
use super::{Subject, SynthOptions};
use crate::flow::folder::Folder;
use crate::flow::netlist::{self, Module};
use crate::flow::tool::{Program, Tool};
use crate::flow::yosys::{YOSYS, cells, run_script};
use crate::flow::{FlowError, Tell};

/// Synthesizes a design for an FPGA.
///
/// # Errors
/// Returns [`FlowError`] if an input is unusable, the design does not fit, or a tool is missing or fails.
pub fn synthesize(
    subject: &Subject<'_>,
    family: Family,
    options: &SynthOptions,
    tell: Tell<'_>,
) -> Result<SynthRecord, FlowError> {
    synthesize_verilog(&Source::of_design(subject)?, family, options, tell)
}

/// Synthesizes any Verilog for an FPGA, in the same way.
///
/// # Errors
/// As [`synthesize`].
pub fn synthesize_verilog(
    source: &Source,
    family: Family,
    options: &SynthOptions,
    tell: Tell<'_>,
) -> Result<SynthRecord, FlowError> {
    let started = Instant::now();
    source.check()?;
    let yosys = find(&YOSYS, tell)?;
    let router = match family.router() {
        Some(router) => Some((router, find(router.tool, tell)?)),
        None => None,
    };
    let folder = Folder::empty(&options.folder)?;
    let flow = Flow { source, family, options, folder, yosys, tell };
    let block = flow.read()?;
    let mut record = flow.map(&block)?;
    match &router {
        Some((router, nextpnr)) => flow.time(&block, router, nextpnr, &mut record)?,
        None => record.notes.push(notes::NO_ROUTER.to_string()),
    }
    record.seconds = started.elapsed().as_secs_f64();
    Ok(record)
}

fn find(tool: &'static Tool, tell: Tell<'_>) -> Result<Program, FlowError> {
    let name = tool.name;
    tell(&format!("starting {name} (from PyPI it compiles itself at its first start: a minute)"));
    Ok(tool.find()?)
}

/// One run of the flow.
struct Flow<'a> {
    source: &'a Source,
    family: Family,
    options: &'a SynthOptions,
    folder: Folder,
    yosys: Program,
    tell: Tell<'a>,
}

/// The block before mapping.
struct Block {
    unmapped: Module,
    ports: Ports,
    memories: Vec<ArrayMemory>,
    /// Script lines that read the files.
    read: String,
}

impl Flow<'_> {
    fn read(&self) -> Result<Block, FlowError> {
        let source = self.source;
        (self.tell)(&format!("reading {}", source.verilog.top));
        let read = source.write(&self.folder)?;
        self.script("read", &scripts::read(&read, &source.verilog.top))?;
        let unmapped = netlist::module(&self.folder, scripts::UNMAPPED, &source.verilog.top)?;
        let ports = Ports::of(&unmapped, &source.verilog.top, &source.clock)?;
        let memories = source.memories.clone().unwrap_or_else(|| memories::found(&unmapped));
        Ok(Block { unmapped, ports, memories, read })
    }

    /// Maps the block and counts its cells.
    fn map(&self, block: &Block) -> Result<SynthRecord, FlowError> {
        let Self { source, family, folder, .. } = self;
        (self.tell)(&format!("synthesizing {} for {}", source.verilog.top, family.name()));
        let harness = harness::verilog(&source.verilog.top, &source.clock, &block.ports);
        folder.write(&format!("{HARNESS}.v"), &harness)?;
        self.script("map", &scripts::map(&block.read, &source.verilog.top, *family))?;
        let cells = cells(folder, scripts::CELLS, &source.verilog.top)?;
        let mapped = netlist::module(folder, scripts::MAPPED, &source.verilog.top)?;
        let rams = memories::mapped(&block.memories, &mapped, *family);
        let (area, notes) = area::area(*family, &cells);
        Ok(self.record(cells, area, rams, notes))
    }

    fn record(
        &self,
        cells: std::collections::BTreeMap<String, u64>,
        area: FpgaArea,
        rams: Vec<super::record::Ram>,
        notes: Vec<String>,
    ) -> SynthRecord {
        SynthRecord {
            block: self.source.block.clone(),
            preset: self.source.preset.clone(),
            params: self.source.params.clone(),
            target: self.family.name().to_string(),
            stage: Stage::PreLayout,
            cells,
            fpga: Some(area),
            asic: None,
            rams,
            fmax: None,
            critical_path: None,
            path_groups: Vec::new(),
            power: None,
            tools: vec![ToolUsed::from(&self.yosys)],
            libraries: Vec::new(),
            origin: self.source.verilog.origin.clone(),
            notes,
            seconds: 0.0,
            folder: self.folder.path().to_owned(),
        }
    }

    /// Places, routes and times the mapped block.
    fn time(
        &self,
        block: &Block,
        router: &'static Router,
        nextpnr: &Program,
        record: &mut SynthRecord,
    ) -> Result<(), FlowError> {
        let (folder, options) = (&self.folder, self.options);
        let clock_mhz = options.clock_mhz.unwrap_or(router.default_mhz);
        let design = format!("{} ({})", self.source.block, self.source.preset);
        let job = Job { design, folder, json: scripts::PLACEABLE, clock_mhz, options };
        let placed = place::place(nextpnr, router, &job, self.tell)?;

        let fmax = Fmax::of(placed.seeds.iter().map(|seed| seed.mhz).collect(), clock_mhz);
        let mapped = netlist::module(folder, scripts::PLACEABLE, HARNESS)?;
        let names =
            Names::new(&block.unmapped, &block.ports, &block.memories, &mapped, self.family);
        let median = placed.seeds.iter().find(|seed| seed.mhz == fmax.median_mhz);
        let critical = median.map(|seed| &*seed.critical).unwrap_or_default();

        record.target = format!("{}: {}", self.family.name(), placed.device.name);
        record.stage = Stage::Routed;
        record.critical_path = path::critical_path(critical, &names);
        record.tools.push(ToolUsed::from(nextpnr));
        record.notes.extend(notes::placement(&placed, &block.ports));
        if path::is_in_harness(critical) {
            record.notes.push(notes::IN_HARNESS.to_string());
        }
        record.fmax = Some(fmax);
        Ok(())
    }

    fn script(&self, name: &str, text: &str) -> Result<(), FlowError> {
        run_script(&self.yosys, &self.folder, name, text, self.options.limit).map(drop)
    }
}
