//! Whether a mutant breaks one of the block's properties: a bounded search.

use std::fmt::Write as _;
use std::time::Duration;

use warpsmith_blocks::block::Design;
use warpsmith_rtl::{PortLayout, PortSlot};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

use super::equivalence::PlantedMutant;
use super::planting::{CHOOSER, LIMIT, Planted};
use crate::flow::FlowError;
use crate::flow::prove::record::AssertionVerdict;
use crate::flow::prove::{Programs, ProveOptions, Searches, prove};
use crate::flow::synth::Subject;
use crate::flow::tool::{Program, ToolError};
use crate::flow::users::Verilog;
use crate::flow::yosys::run_script;

/// Depth of the search where no difference is known, the reset included: seconds for a small block, but
/// minutes with a few clocks more.
pub const CLOCKS: u32 = 10;
/// Clocks to search beyond the first known difference, since its effect may show a little later.
pub const BEYOND: u32 = 2;

/// The programs that search a design's properties, or why they cannot be searched.
///
/// # Errors
/// [`FlowError::Tool`] if a program exists but does not work.
pub fn searchable(design: &dyn Design) -> Result<Result<Programs, String>, FlowError> {
    if let Err(none) = design.properties(false) {
        return Ok(Err(none.to_string()));
    }
    match Programs::find() {
        Ok(programs) => Ok(Ok(programs)),
        Err(why @ (ToolError::Missing { .. } | ToolError::TooOld { .. })) => {
            Ok(Err(why.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}

/// The result of a search for a broken property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// The property, and the clock in which it is violated.
    Broken(String),
    /// None is violated, or the time ran out.
    Nothing,
    /// A tool refuses the circuit, with these words.
    Refused(String),
}

/// The assertion that the mutant violates within the given number of clocks, if any. The file `<name>.v`
/// has the mutant on its own.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing.
pub fn violated(
    yosys: &Program,
    mutant: &PlantedMutant<'_>,
    subject: &Subject<'_>,
    clocks: u32,
    limit: Duration,
) -> Result<Searched, FlowError> {
    let file = alone(yosys, mutant)?;
    let PlantedMutant { planted, folder, name, .. } = *mutant;
    let options = ProveOptions {
        depth: clocks,
        cover_depth: None,
        limit,
        each: limit,
        searches: Searches { unbounded: false, bounded: true, cover: false },
        reuse: None,
        source: Some(Verilog::plain(VerilogSource { top: planted.top.clone(), files: vec![file] })),
        folder: folder.file(format!("{name}-properties")),
    };
    let record = match prove(subject, &options, &|_| {}) {
        Err(FlowError::Tool(ToolError::TimedOut { .. })) => return Ok(Searched::Nothing),
        Err(FlowError::Input(what)) => return Ok(Searched::Refused(what)),
        Err(FlowError::Tool(ToolError::Failed { name, tail, .. })) => {
            let last = tail.lines().last().unwrap_or_default();
            return Ok(Searched::Refused(format!("{name}: {last}")));
        }
        found => found?,
    };
    let broken = record.assertions.iter().find_map(|assertion| match assertion.verdict {
        AssertionVerdict::Fails { clock: Some(clock), .. } => {
            Some(Searched::Broken(format!("{} in clock {clock}", assertion.name)))
        }
        _ => None,
    });
    Ok(broken.unwrap_or(Searched::Nothing))
}

/// The Verilog of one mutant alone.
fn alone(yosys: &Program, mutant: &PlantedMutant<'_>) -> Result<VerilogFile, FlowError> {
    let PlantedMutant { planted, choice, bench, folder, name, .. } = *mutant;
    let top = &planted.top;
    folder.write(&format!("{name}-choice.v"), &chosen(planted, bench.layout(), choice))?;
    let netlist = &planted.verilog.files[0].name;
    let file = format!("{name}.v");
    let script = format!(
        "read_verilog {netlist}\nrename {top} with_mutants\nread_verilog {name}-choice.v\n\
         hierarchy -check -top {top}\nproc\nflatten\nopt -full\nopt_clean -purge\n\
         write_verilog -noattr {file}\n"
    );
    run_script(yosys, folder, &format!("{name}-alone"), &script, LIMIT)?;
    Ok(VerilogFile { text: folder.read(&file)?, name: file })
}

/// Wraps the netlist in the circuit's module with the chooser fixed.
fn chosen(planted: &Planted, layout: &PortLayout, choice: u32) -> String {
    let Planted { top, width, .. } = planted;
    let mut text = format!("module {top} (\n    input wire clk");
    let mut ports = ".clk(clk)".to_string();
    for (direction, slots) in [("input", &layout.inputs), ("output", &layout.outputs)] {
        for PortSlot { name, width, .. } in slots {
            let _ = write!(text, ",\n    {direction} wire [{}:0] {name}", width - 1);
            let _ = write!(ports, ", .{name}({name})");
        }
    }
    text + &format!(
        "\n);\n    with_mutants chosen ({ports}, .{CHOOSER}({width}'d{choice}));\nendmodule\n"
    )
}
