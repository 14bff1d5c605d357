//! ASIC targets: yosys and abc for a cell library, OpenSTA for timing and power.
//!
//! Memories above a size become RAM macros: black boxes for yosys, and for OpenSTA a library of their own
//! with the timing of their source. Logic is mapped to the cells that `usable` permits.

mod cells;
mod lacks;
mod mapped;
mod mapping;
mod notes;
mod ram;
mod result;
mod timing;
mod usable;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use warpsmith_rtl::Module;
use warpsmith_rtl::verilog::{EmitOptions, emit};

use self::cells::Cells;
use self::mapped::Mapped;
use self::mapping::{Mapping, map};
use self::ram::{Estimate, Memory};
use self::result::Rams;
use self::timing::{Timed, Timing, time};
use super::record::{SynthRecord, ToolUsed};
use super::{Subject, SynthOptions, Uses};
use crate::constraints::sdc;
use crate::flow::cacti::{Cacti, Shape};
use crate::flow::folder::Folder;
use crate::flow::liberty::Library;
use crate::flow::opensta::OPENSTA;
use crate::flow::tool::Program;
use crate::flow::yosys::YOSYS;
use crate::flow::{FlowError, Tell, netlist};

/// Options of an ASIC flow.
#[derive(Clone, Debug)]
pub struct AsicOptions {
    /// Cell libraries in Liberty format; osu018 of Debian if empty.
    pub liberty: Vec<PathBuf>,
    /// Memories of more bits than this become macros.
    pub ram_above_bits: u64,
    /// Source of a macro's area and timing; if absent, the figures exclude macros.
    pub ram: Option<RamSource>,
    /// Transitions per clock that every input is assumed to make.
    pub activity: f64,
}

/// Source of a RAM macro's area, timing and power.
#[derive(Clone, Debug, PartialEq)]
pub enum RamSource {
    /// CACTI 7 at a feature size.
    Cacti {
        /// Feature size in nanometres.
        nanometres: u32,
    },
    /// The macros of a folder of Liberty files.
    Liberty(PathBuf),
    /// A fixed area per bit in square micrometres.
    PerBit(f64),
}

/// The memories of a circuit and their shapes.
pub fn memory_shapes(circuit: &Module) -> Vec<(String, Shape)> {
    let memories = ram::memories(circuit, 0);
    memories.into_iter().map(|memory| (memory.path.clone(), ram::cacti::shape(&memory))).collect()
}

/// The default library, and the package that provides it.
const DEFAULT_LIBRARY: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
const DEFAULT_PACKAGE: &str = "qflow-tech-osu018";
/// The default clock in MHz.
const DEFAULT_CLOCK_MHZ: f64 = 100.0;

/// Synthesizes a design for a cell library.
///
/// # Errors
/// Returns [`FlowError`] if an input is unusable or a tool is missing or fails.
pub fn synthesize(
    subject: &Subject<'_>,
    asic: &AsicOptions,
    options: &SynthOptions,
    tell: Tell<'_>,
) -> Result<SynthRecord, FlowError> {
    let started = Instant::now();
    let tools = Tools::find(asic, tell)?;
    tell("reading the cell library");
    let libraries = read_libraries(&asic.liberty)?;
    let cells = Cells::choose(&libraries)?;
    let circuit = subject.design.circuit();
    let memories = ram::memories(&circuit, asic.ram_above_bits);
    let macros = match &asic.ram {
        Some(RamSource::Liberty(folder)) => ram::macros::read(folder)?,
        _ => Vec::new(),
    };
    let folder = Folder::empty(&options.folder)?;
    let clock_mhz = options.clock_mhz.unwrap_or(DEFAULT_CLOCK_MHZ);
    let flow = Flow { subject, circuit: &circuit, asic, options, folder, tools, tell, clock_mhz };
    let estimates = flow.estimates(&memories, &macros)?;
    let mapped = flow.map(&cells, &memories)?;
    let rams = Rams { memories: &memories, estimates: &estimates };
    let timed = flow.time(&cells, &rams, &mapped)?;
    let mut record = flow.record(&cells, &libraries, &rams, &mapped, timed)?;
    record.seconds = started.elapsed().as_secs_f64();
    Ok(record)
}

/// The tools and libraries that these options use.
///
/// # Errors
/// If a tool is missing or too old, or a library cannot be read.
pub fn uses(asic: &AsicOptions) -> Result<Uses, FlowError> {
    let tools = Tools::find(asic, &|_| ())?;
    let libraries = read_libraries(&asic.liberty)?;
    Ok(Uses { tools: tools.used(), libraries: libraries.iter().map(Into::into).collect() })
}

/// The programs of the flow.
struct Tools {
    yosys: Program,
    sta: Program,
    cacti: Option<Cacti>,
}

impl Tools {
    fn find(asic: &AsicOptions, tell: Tell<'_>) -> Result<Self, FlowError> {
        tell("starting yosys (from PyPI it compiles itself at its first start: a minute)");
        let yosys = YOSYS.find()?;
        let sta = OPENSTA.find()?;
        let cacti = match asic.ram {
            Some(RamSource::Cacti { .. }) => Some(Cacti::find()?),
            _ => None,
        };
        Ok(Self { yosys, sta, cacti })
    }

    fn used(&self) -> Vec<ToolUsed> {
        let cacti = self.cacti.iter().map(|cacti| &cacti.program);
        [&self.yosys, &self.sta].into_iter().chain(cacti).map(ToolUsed::from).collect()
    }
}

fn read_libraries(paths: &[PathBuf]) -> Result<Vec<Library>, FlowError> {
    if !paths.is_empty() {
        return paths.iter().map(|path| Library::read(path)).collect();
    }
    let path = Path::new(DEFAULT_LIBRARY);
    match path.exists() {
        true => Ok(vec![Library::read(path)?]),
        false => Err(FlowError::Input(format!(
            "no cell library: {DEFAULT_LIBRARY} is missing; it comes with Debian's \
             {DEFAULT_PACKAGE}. Or name one with --liberty"
        ))),
    }
}

/// One run of the flow.
struct Flow<'a> {
    subject: &'a Subject<'a>,
    circuit: &'a Module,
    asic: &'a AsicOptions,
    options: &'a SynthOptions,
    folder: Folder,
    tools: Tools,
    tell: Tell<'a>,
    clock_mhz: f64,
}

impl Flow<'_> {
    /// The source's estimate of each macro, by module.
    fn estimates(
        &self,
        memories: &[Memory<'_>],
        macros: &[ram::macros::Macro],
    ) -> Result<BTreeMap<String, Estimate>, FlowError> {
        let mut estimates = BTreeMap::new();
        for memory in memories.iter().filter(|memory| memory.is_macro) {
            if estimates.contains_key(&memory.module) {
                continue;
            }
            let estimate = match (&self.asic.ram, &self.tools.cacti) {
                (Some(RamSource::Cacti { nanometres }), Some(cacti)) => {
                    (self.tell)(&format!("CACTI: {}", memory.path));
                    let shape = ram::cacti::shape(memory);
                    let (name, limit) = (&memory.module, self.options.limit);
                    let said = cacti.estimate(&self.folder, name, &shape, *nanometres, limit)?;
                    Some(ram::cacti::estimate(memory, cacti, &said, self.clock_mhz))
                }
                (Some(RamSource::PerBit(area)), _) => Some(ram::per_bit(memory, *area)),
                (Some(RamSource::Liberty(_)), _) => {
                    ram::macros::estimate(macros, memory, self.clock_mhz)
                }
                _ => None,
            };
            estimates.extend(estimate.map(|estimate| (memory.module.clone(), estimate)));
        }
        Ok(estimates)
    }

    /// Maps to the netlist of cells and macros.
    fn map(&self, cells: &Cells<'_>, memories: &[Memory<'_>]) -> Result<Mapped, FlowError> {
        let (folder, top) = (&self.folder, &self.circuit.name);
        (self.tell)("synthesis and mapping");
        let emit_options = EmitOptions {
            black_box_memories_above: Some(self.asic.ram_above_bits),
            ..EmitOptions::default()
        };
        let mut verilog = Vec::new();
        for file in emit(self.circuit, &emit_options)? {
            let name = format!("rtl/{}", file.file_name());
            folder.write(&name, &file.text)?;
            verilog.push(name);
        }
        let libraries = cells.write(folder)?;
        let period_ps = 1e6 / self.clock_mhz;
        let mapping = Mapping { top, verilog: &verilog, libraries: &libraries, period_ps };
        map(&self.tools.yosys, folder, cells, &mapping, self.options.limit)?;
        let mut outputs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, cell) in &cells.usable {
            outputs.insert(name.to_string(), cell.outputs().map(|pin| pin.name.clone()).collect());
        }
        for memory in memories.iter().filter(|memory| memory.is_macro) {
            let reads = (0..memory.ir.read_ports.len()).map(|i| format!("r{i}_data"));
            outputs.insert(memory.module.clone(), reads.collect());
        }
        Ok(Mapped::new(netlist::module(folder, "netlist.json", top)?, outputs))
    }

    fn time(
        &self,
        cells: &Cells<'_>,
        rams: &Rams<'_>,
        mapped: &Mapped,
    ) -> Result<Timed, FlowError> {
        let folder = &self.folder;
        (self.tell)("timing and power");
        folder.write("constraints.sdc", &sdc(self.subject.design, self.circuit))?;
        let (mut libraries, mut instances) = (cells.files(), Vec::new());
        for memory in rams.macros() {
            let timing = rams.estimates.get(&memory.module).and_then(|e| e.timing.as_ref());
            let name = format!("ram/{}.lib", memory.module);
            let text = ram::liberty::library(&memory.module, memory.ir, timing, cells.load);
            folder.write(&name, &text)?;
            libraries.push(name);
            instances.push(memory.path.clone());
        }
        let timing = Timing {
            top: &self.circuit.name,
            libraries: &libraries,
            rams: &instances,
            period_ns: 1e3 / self.clock_mhz,
            activity: self.asic.activity,
            straps: &self.subject.design.straps(),
        };
        time(&self.tools.sta, folder, cells, mapped, &timing, self.options.limit)
    }
}
