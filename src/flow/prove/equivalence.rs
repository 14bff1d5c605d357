//! Whether two Verilog designs with the same ports behave alike: RTL and RTL, or RTL and netlist.
//!
//! First, registers of the same name are matched: such a proof holds from any state. Where that fails, both
//! run side by side from a reset, with all register and memory bits that the reset does not set at zero.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::flow::abc::ABC;
use crate::flow::folder::Folder;
use crate::flow::netlist::{self, Direction};
use crate::flow::synth::record::ToolUsed;
use crate::flow::tool::{Program, ToolError};
use crate::flow::yosys::{YOSYS, run_script};
use crate::flow::{FlowError, Tell};

/// The designs to compare.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name and text of each file of each side.
    pub sides: [Vec<(String, String)>; 2],
    /// Top module of both.
    pub top: String,
    /// Time limit of each attempt.
    pub limit: Duration,
    /// The folder to work in.
    pub folder: PathBuf,
}

/// The record of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct EquivalenceRecord {
    /// Top module of both.
    pub top: String,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Equivalence,
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The folder of netlists and logs.
    pub folder: PathBuf,
}

/// Whether two designs behave alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Equivalence {
    /// They do.
    Proven {
        /// The argument.
        by: String,
    },
    /// They do not.
    Different {
        /// First clock, counted from the reset, in which the search found outputs to differ.
        clock: u32,
    },
    /// Undecided.
    NotProven {
        /// The reason.
        why: String,
    },
}

/// Compares two designs.
///
/// # Errors
/// Returns [`FlowError`] if an input is unusable or a tool is missing or fails.
pub fn compare(what: &Comparison, tell: Tell<'_>) -> Result<EquivalenceRecord, FlowError> {
    let started = Instant::now();
    tell("starting yosys (from PyPI it compiles itself at its first start: a minute)");
    let yosys = YOSYS.find()?;
    let abc = ABC.find()?;
    let folder = Folder::empty(&what.folder)?;
    for (side, files) in ["a", "b"].into_iter().zip(&what.sides) {
        for (name, text) in files {
            folder.write(&format!("{side}_{name}"), text)?;
        }
        tell(&format!("reading {side}"));
        run_script(&yosys, &folder, &format!("read-{side}"), &read(what, side, files), what.limit)?;
    }
    let ports = same_ports(&folder, &what.top)?;
    tell("matching registers by name");
    let verdict = match by_names(&yosys, &folder, what.limit)? {
        true => Equivalence::Proven { by: "registers matched by name, from any state".to_string() },
        false => {
            tell("running both from reset");
            from_reset(&yosys, &abc, &folder, &ports, what.limit)?
        }
    };
    Ok(EquivalenceRecord {
        top: what.top.clone(),
        verdict,
        tools: [&yosys, &abc].map(ToolUsed::from).into(),
        seconds: started.elapsed().as_secs_f64(),
        folder: folder.path().to_owned(),
    })
}

fn read(what: &Comparison, side: &str, files: &[(String, String)]) -> String {
    let names: Vec<_> = files.iter().map(|(name, _)| format!("{side}_{name}")).collect();
    let top = &what.top;
    format!(
        "read_verilog {}\nhierarchy -check -top {top}\nproc\nflatten\nmemory -nomap\nmemory_map\n\
         opt -fast\nopt_clean\nwrite_json {side}.json\nrename {top} {side}\nwrite_rtlil {side}.il\n",
        names.join(" ")
    )
}

/// The inputs, which both sides must have in common.
fn same_ports(folder: &Folder, top: &str) -> Result<Vec<(String, usize)>, FlowError> {
    let ports = |side: &str| -> Result<Vec<_>, FlowError> {
        let module = netlist::module(folder, &format!("{side}.json"), top)?;
        let port = |(name, port): (String, netlist::Port)| (name, port.direction, port.bits.len());
        Ok(module.ports.into_iter().map(port).collect())
    };
    let (a, b) = (ports("a")?, ports("b")?);
    if let Some((name, ..)) = a.iter().find(|port| !b.contains(port)) {
        return Err(FlowError::Input(format!(
            "port {name} of {top} is not the same in both; the same ports, with the same widths, \
             are accepted"
        )));
    }
    if let Some((name, ..)) = b.iter().find(|port| !a.contains(port)) {
        return Err(FlowError::Input(format!("port {name} of {top} is only in the second")));
    }
    let inputs = a.into_iter().filter(|(_, direction, _)| *direction == Direction::Input);
    Ok(inputs.map(|(name, _, width)| (name, width)).collect())
}

fn by_names(yosys: &Program, folder: &Folder, limit: Duration) -> Result<bool, FlowError> {
    let script = "read_rtlil a.il\nread_rtlil b.il\nequiv_make a b both\nhierarchy -top both\n\
                  opt_clean\nequiv_simple -undef\nequiv_induct -undef -seq 5\nequiv_status\n";
    match run_script(yosys, folder, "names", script, limit) {
        Ok(_) => Ok(folder.read("names.log")?.contains("Equivalence successfully proven!")),
        Err(FlowError::Tool(ToolError::TimedOut { .. })) => Ok(false),
        Err(other) => Err(other),
    }
}

fn from_reset(
    yosys: &Program,
    abc: &Program,
    folder: &Folder,
    inputs: &[(String, usize)],
    limit: Duration,
) -> Result<Equivalence, FlowError> {
    folder.write("top.v", &top(inputs))?;
    let script = "read_rtlil a.il\nread_rtlil b.il\nmiter -equiv -flatten -make_outputs a b miter\n\
                  read_verilog -formal -sv top.v\nhierarchy -check -top top\nproc\nflatten\n\
                  async2sync\nsetundef -zero -undriven\nsetundef -zero -init\nopt -fast\n\
                  techmap\nopt -fast\nsimplemap\ndffunmap\naigmap\nopt_clean\n\
                  write_aiger -zinit miter.aig\n";
    run_script(yosys, folder, "miter", script, limit)?;
    let seconds = limit.as_secs();
    let engines = [("bmc3", seconds.div_ceil(4)), ("pdr", seconds)];
    for (engine, seconds) in engines {
        let commands = format!("read_aiger miter.aig; strash; scorr; {engine} -T {seconds}");
        let log = format!("{engine}.log");
        let patience = limit * 4 + Duration::from_secs(60);
        match abc.run(folder.path(), &["-c", &commands], &log, patience) {
            Ok(_) => {}
            Err(ToolError::TimedOut { .. }) => continue,
            Err(error) => return Err(error.into()),
        }
        let text = folder.read(&log)?;
        if text.contains("Property proved") || text.contains("The network has no latches") {
            return Ok(Equivalence::Proven { by: format!("{engine}, from reset") });
        }
        if let Some((_, rest)) = text.split_once("was asserted in frame ") {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            return Ok(Equivalence::Different { clock: digits.parse().unwrap_or(0) });
        }
    }
    Ok(Equivalence::NotProven { why: format!("time limit of {} s", limit.as_secs()) })
}

/// The miter, with a reset in the first clock and differences counted only after it.
fn top(inputs: &[(String, usize)]) -> String {
    let mut ports = "input wire clk".to_string();
    let mut connections = String::new();
    for (name, width) in inputs {
        let value = match name.as_str() {
            "clk" => "clk",
            "rst" => "!started",
            other => {
                ports += &format!(",\n    input wire [{}:0] {other}", width - 1);
                other
            }
        };
        connections += &format!(".in_{name}({value}), ");
    }
    format!(
        "module top ({ports},\n    output wire differs\n);\n    reg started = 1'b0;\n\
         \x20   always @(posedge clk) started <= 1'b1;\n    wire trigger;\n\
         \x20   miter miter ({connections}.trigger(trigger));\n\
         \x20   assign differs = started && trigger;\nendmodule\n"
    )
}
