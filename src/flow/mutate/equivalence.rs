//! Whether a mutant is equivalent to the circuit: a proof, or a trace that distinguishes them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use warpsmith_blocks::block::Design;
use warpsmith_rtl::Module;
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::verilator::VerilogFile;

use super::miter::{Miter, miter};
use super::planting::Planted;
use super::proof_netlist::ProofNetlist;
use super::properties::searchable;
use crate::flow::FlowError;
use crate::flow::abc::{ABC, has_proven};
use crate::flow::folder::Folder;
use crate::flow::prove::Programs;
use crate::flow::synth::record::ToolUsed;
use crate::flow::tool::{Program, ToolError};
use crate::flow::yosys::{YOSYS, run_script};

/// The programs that equivalence proofs and property searches use.
#[derive(Clone, Debug)]
pub struct Provers {
    /// Turns the miter into an and-inverter graph.
    pub yosys: Program,
    /// Proves equivalence.
    pub abc: Program,
    /// Search for broken properties, or why it is unavailable.
    pub properties: Result<Programs, String>,
}

impl Provers {
    /// Finds the programs for a design.
    ///
    /// # Errors
    /// Returns [`FlowError`] if a required program is missing or too old.
    pub fn find(design: &dyn Design) -> Result<Self, FlowError> {
        Ok(Self { yosys: YOSYS.find()?, abc: ABC.find()?, properties: searchable(design)? })
    }

    /// The programs and versions for the record.
    pub fn used(&self) -> Vec<ToolUsed> {
        let mut used: Vec<_> = [&self.yosys, &self.abc].map(ToolUsed::from).into();
        let searching = self.properties.iter().flat_map(Programs::used);
        used.extend(searching.filter(|tool| tool.name != self.yosys.name));
        used
    }
}

/// A mutant in a planted netlist, with what its proofs need.
#[derive(Clone, Copy)]
pub struct PlantedMutant<'a> {
    /// The netlist.
    pub planted: &'a Planted,
    /// The chooser's value; 0 is the circuit itself.
    pub choice: u32,
    /// The bench of the design.
    pub bench: &'a Bench<'a>,
    /// What is assumed of its environment.
    pub assumed: Option<&'a Module>,
    /// The folder to work in.
    pub folder: &'a Folder,
    /// Prefix of file names.
    pub name: &'a str,
}

/// The result of an equivalence proof.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No legal use distinguishes the two.
    Equivalent,
    /// This use distinguishes them.
    Different(Trace),
    /// Undecided, with the reason.
    Open(String),
}

/// Legal use after which circuit and mutant differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The input words of each clock, in the circuit's port layout. The first clock is a reset; in the last
    /// one the two differ.
    pub clocks: Vec<Vec<u64>>,
    /// Name of the difference.
    pub differs: String,
}

impl Proof {
    /// The result where no proof was attempted.
    pub fn not_tried() -> Self {
        Proof::Open("it has large memories with clocked reads".to_string())
    }
}

/// Memory bits up to which memories become registers in proofs. Larger memories are cut out, since no engine
/// copes with so many registers.
pub const MOST_MEMORY_BITS: u64 = 4096;

/// Tries to prove a mutant equivalent, or to find a difference.
///
/// # Errors
/// Returns [`FlowError`] if a tool cannot be started or a file written. A tool that fails or runs out of time
/// leaves the proof open.
pub fn equivalence(
    provers: &Provers,
    mutant: &PlantedMutant<'_>,
    limit: Duration,
) -> Result<Proof, FlowError> {
    let PlantedMutant { planted, choice, bench, assumed, folder, name } = *mutant;
    let Some(netlist) = &planted.for_proofs else { return Ok(Proof::not_tried()) };
    let run = Run { provers, folder, name, limit, assumed };
    match run.prove(&miter(planted, netlist, bench, choice, assumed), netlist, bench) {
        Err(FlowError::Tool(ToolError::Failed { name, tail, .. })) => {
            let last = tail.lines().last().unwrap_or_default();
            Ok(Proof::Open(format!("undecided: {name}: {last}")))
        }
        Err(FlowError::Tool(ToolError::TimedOut { name, log, .. })) => {
            Ok(Proof::Open(format!("{name} did not finish; see {}", log.display())))
        }
        other => other,
    }
}

/// ABC's engines in the order in which they are tried, each with the fraction (1/n) of the limit that it
/// gets. The first proves most equivalences quickly, the second finds short traces, the last gets all the
/// time.
const ATTEMPTS: [(&str, u64); 3] = [("pdr", 20), ("bmc3", 5), ("pdr", 1)];
/// Wall-clock seconds allowed for each second of processor time.
const PATIENCE: u32 = 10;

/// And-gates of a miter above which no proof is tried: to merge what both have in common takes longer than any limit.
const MOST_GATES: u64 = 150_000;

/// Why a difference is discarded where memories were cut out.
const CUT: &str = "it depends on the contents of memories, which were cut out of the proof";

struct Run<'a> {
    provers: &'a Provers,
    folder: &'a Folder,
    name: &'a str,
    limit: Duration,
    assumed: Option<&'a Module>,
}

impl Run<'_> {
    fn prove(
        &self,
        miter: &Miter,
        netlist: &ProofNetlist,
        bench: &Bench<'_>,
    ) -> Result<Proof, FlowError> {
        let (netlist, is_cut) = (&netlist.file, !netlist.rams.is_empty());
        let name = self.name;
        self.folder.write(&format!("{name}.v"), &miter.verilog)?;
        let assumed = self.assumed.map(|module| self.assumed(module)).transpose()?;
        let script = format!(
            "read_verilog {name}.v\n{}proc\nopt -fast\n\
             chformal -assert -remove\nchformal -cover -remove\nasync2sync\n\
             chformal -assume -early\nchformal -lower\ntechmap\nsimplemap\ndffunmap\n\
             read_rtlil {netlist}\nhierarchy -check -top miter\n\
             flatten\nopt -noff -fast\nsetundef -anyseq\naigmap\nopt_clean\n\
             write_aiger -zinit -map {name}.map {name}.aig\n",
            assumed.unwrap_or_default()
        );
        let patience = self.limit * PATIENCE;
        run_script(&self.provers.yosys, self.folder, &format!("{name}-gates"), &script, patience)?;
        let gates = self.gates()?;
        if gates > MOST_GATES {
            return Ok(Proof::Open(format!("{gates} gates are too many for a proof")));
        }
        // First merge what circuit and mutant have in common.
        let commands =
            format!("read_aiger {name}.aig; fold; strash; scorr; write_aiger {name}-small.aig");
        self.abc("merge", &commands)?;
        for (step, (engine, part)) in (1..).zip(ATTEMPTS) {
            let seconds = self.limit.as_secs().div_ceil(part);
            let commands = format!(
                "read_aiger {name}-small.aig; {engine} -T {seconds}; write_cex -n {name}.cex"
            );
            let log = self.abc(&format!("{step}-{engine}"), &commands)?;
            if has_proven(&log) {
                return Ok(Proof::Equivalent);
            }
            if log.contains("was asserted in frame") {
                if is_cut {
                    return Ok(Proof::Open(CUT.to_string()));
                }
                return self.trace(miter, bench).map(Proof::Different);
            }
        }
        let limit = self.limit.as_secs();
        Ok(Proof::Open(format!("neither a proof nor a trace within {limit} s of processor time")))
    }

    /// And-gates of the miter: the sixth word of its file, `aig <most> <inputs> <latches> <outputs> <gates>`.
    fn gates(&self) -> Result<u64, FlowError> {
        let path = self.folder.file(format!("{}.aig", self.name));
        let file = match std::fs::read(&path) {
            Ok(file) => file,
            Err(source) => return Err(FlowError::File { path, source }),
        };
        let line = String::from_utf8_lossy(file.split(|byte| *byte == b'\n').next().unwrap_or(&[]));
        let gates = line.split_whitespace().nth(5).and_then(|gates| gates.parse().ok());
        gates.ok_or_else(|| FlowError::Report { path, what: "unexpected first line".to_string() })
    }

    /// Writes the properties, and gives the commands that read them.
    fn assumed(&self, properties: &Module) -> Result<String, FlowError> {
        let source = verilog_source(properties)?;
        let mut read = String::new();
        for VerilogFile { name: file, text } in &source.files {
            let file = format!("{}-{file}", self.name);
            self.folder.write(&file, text)?;
            let _ = writeln!(read, "read_verilog -formal {file}");
        }
        Ok(read)
    }

    /// Runs ABC commands and returns their output.
    fn abc(&self, step: &str, commands: &str) -> Result<String, FlowError> {
        let log = format!("{}-abc-{step}.log", self.name);
        // ABC keeps its own limits only roughly. It exits with an error if there is no trace to write.
        let patience = self.limit * PATIENCE;
        self.provers.abc.try_run(self.folder.path(), &["-q", commands], &log, patience)?;
        self.folder.read(&log)
    }

    fn trace(&self, miter: &Miter, bench: &Bench<'_>) -> Result<Trace, FlowError> {
        let file = format!("{}.cex", self.name);
        let cex = self.folder.read(&file)?;
        let map = self.folder.read(&format!("{}.map", self.name))?;
        read_trace(&cex, &map, miter, bench).ok_or_else(|| FlowError::Report {
            path: self.folder.file(file),
            what: "unexpected form of a trace".to_string(),
        })
    }
}

/// Reads lines such as `pi12@3=1`; the map gives name and bit of input 12.
fn read_trace(cex: &str, map: &str, miter: &Miter, bench: &Bench<'_>) -> Option<Trace> {
    let layout = bench.layout();
    let mut ports = HashMap::new();
    let mut outputs = HashMap::new();
    for line in map.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        // Other kinds of lines, such as counts, are skipped.
        let [kind, index, bit, name] = words[..] else { continue };
        let (index, bit): (usize, usize) = (index.parse().ok()?, bit.parse().ok()?);
        match kind {
            "input" => layout.input(name).map(|port| ports.insert(index, (port.offset, bit))),
            "output" => outputs.insert(index, bit).map(|_| None),
            _ => None,
        };
    }
    let mut clocks: Vec<Vec<u64>> = Vec::new();
    let mut falsified = None;
    for line in cex.lines() {
        if let Some(output) = line.strip_prefix("# FALSIFYING OUTPUTS:") {
            let output: usize = output.trim().strip_prefix("po")?.parse().ok()?;
            falsified = miter.compared.get(*outputs.get(&output)?);
        }
        let Some((input, rest)) = line.strip_prefix("pi").and_then(|line| line.split_once('@'))
        else {
            continue;
        };
        let (clock, value) = rest.split_once('=')?;
        let (input, clock): (usize, usize) = (input.parse().ok()?, clock.parse().ok()?);
        if clocks.len() <= clock {
            clocks.resize(clock + 1, vec![0; layout.input_words()]);
        }
        if let (Some((offset, bit)), "1") = (ports.get(&input), value.trim()) {
            clocks[clock][offset + bit / 64] |= 1 << (bit % 64);
        }
    }
    Some(Trace { clocks, differs: falsified?.clone() })
}
