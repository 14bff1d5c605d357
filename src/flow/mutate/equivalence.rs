//! Whether a mutant can be told apart from the circuit: a proof that it cannot, or a trace.

use std::collections::HashMap;
use std::time::Duration;

use warpsmith_blocks::block::Design;
use warpsmith_testbench::bench::Bench;

use super::miter::{Miter, miter};
use super::planting::{Planted, ProofNetlist};
use super::properties::searchable;
use crate::flow::FlowError;
use crate::flow::abc::ABC;
use crate::flow::folder::Folder;
use crate::flow::prove::Programs;
use crate::flow::synth::record::ToolUsed;
use crate::flow::tool::{Program, ToolError};
use crate::flow::yosys::{YOSYS, run_script};

/// The programs that proofs need.
#[derive(Clone, Debug)]
pub struct Provers {
    /// Makes the miter a netlist of AND gates and registers.
    pub yosys: Program,
    /// Proves equivalence.
    pub abc: Program,
    /// Search for broken properties, or why that cannot be done.
    pub properties: Result<Programs, String>,
}

impl Provers {
    /// Finds what a design's mutants need.
    ///
    /// # Errors
    /// See [`FlowError`].
    pub fn find(design: &dyn Design) -> Result<Self, FlowError> {
        Ok(Self { yosys: YOSYS.find()?, abc: ABC.find()?, properties: searchable(design)? })
    }

    /// What a record says of them.
    pub fn used(&self) -> Vec<ToolUsed> {
        let mut used: Vec<_> = [&self.yosys, &self.abc].map(ToolUsed::from).into();
        let searching = self.properties.iter().flat_map(Programs::used);
        used.extend(searching.filter(|tool| tool.name != self.yosys.name));
        used
    }
}

/// What a proof came to.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No legal use tells the two apart.
    Equivalent,
    /// This one does.
    Different(Trace),
    /// Neither was found.
    Open(String),
}

/// Legal use after which circuit and mutant differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// For each clock the words of the inputs, as in the circuit's port layout. The first is a reset,
    /// in the last the two differ.
    pub clocks: Vec<Vec<u64>>,
    /// What differs.
    pub differs: String,
}

impl Proof {
    /// That it was not tried.
    pub fn not_tried() -> Self {
        Proof::Open("its memories are large, and their reads clocked".to_string())
    }
}

/// Bits of memory that are registers in proofs. Larger memories are cut out: they would be more registers
/// than any engine copes with.
pub const MOST_MEMORY_BITS: u64 = 4096;

/// Tries to prove a mutant equivalent, or to tell it apart; `limit` is the time of the processor that
/// the longest attempt is given. Files have names that begin with `name`.
///
/// # Errors
/// See [`FlowError`]. A tool that fails or runs out of time leaves the proof open.
pub fn equivalence(
    provers: &Provers,
    folder: &Folder,
    planted: &Planted,
    bench: &Bench<'_>,
    (choice, name): (u32, String),
    limit: Duration,
) -> Result<Proof, FlowError> {
    let Some(netlist) = &planted.for_proofs else { return Ok(Proof::not_tried()) };
    let run = Run { provers, folder, name, limit };
    match run.prove(&miter(planted, netlist, bench, choice), netlist, bench) {
        Err(FlowError::Tool(
            ToolError::Failed { name, log, .. } | ToolError::TimedOut { name, log, .. },
        )) => Ok(Proof::Open(format!("{name} came to no end; see {}", log.display()))),
        other => other,
    }
}

/// How to decide a miter: ABC's engines, each with the part of the limit that it is given. The first
/// proves most equivalences at once, the second finds short traces, the last has all the time.
const ATTEMPTS: [(&str, u64); 3] = [("pdr", 20), ("bmc3", 5), ("pdr", 1)];
/// What a tool may take on the clock, for each second of the processor.
const PATIENCE: u32 = 10;

/// Why a difference counts for nothing where memories were cut out.
const CUT: &str = "it depends on what its memories hold, which were cut out of the proof";

struct Run<'a> {
    provers: &'a Provers,
    folder: &'a Folder,
    /// Of the files, but for their extensions.
    name: String,
    limit: Duration,
}

impl Run<'_> {
    fn prove(
        &self,
        miter: &Miter,
        netlist: &ProofNetlist,
        bench: &Bench<'_>,
    ) -> Result<Proof, FlowError> {
        let (netlist, is_cut) = (&netlist.file, !netlist.rams.is_empty());
        let name = &self.name;
        self.folder.write(&format!("{name}.v"), &miter.verilog)?;
        let script = format!(
            "read_verilog {name}.v\nproc\nopt -fast\ntechmap\nsimplemap\ndffunmap\n\
             read_rtlil {netlist}\nhierarchy -check -top miter\n\
             flatten\nopt -noff -fast\naigmap\nopt_clean\n\
             write_aiger -zinit -map {name}.map {name}.aig\n"
        );
        let patience = self.limit * PATIENCE;
        run_script(&self.provers.yosys, self.folder, &format!("{name}-gates"), &script, patience)?;
        // What circuit and mutant have in common goes first.
        let commands =
            format!("read_aiger {name}.aig; strash; scorr; write_aiger {name}-small.aig");
        self.abc("merge", &commands)?;
        for (step, (engine, part)) in (1..).zip(ATTEMPTS) {
            let seconds = self.limit.as_secs().div_ceil(part);
            let commands = format!(
                "read_aiger {name}-small.aig; {engine} -T {seconds}; write_cex -n {name}.cex"
            );
            let log = self.abc(&format!("{step}-{engine}"), &commands)?;
            if log.contains("Property proved") {
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
        Ok(Proof::Open(format!("no proof and no trace in {limit} s of the processor")))
    }

    /// Runs commands and gives what was printed.
    fn abc(&self, step: &str, commands: &str) -> Result<String, FlowError> {
        let log = format!("{}-abc-{step}.log", self.name);
        // Its own limits are kept loosely.
        // It fails where there is no trace to be written, which is no failure.
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
            what: "no trace in the form that was expected".to_string(),
        })
    }
}

/// Reads `pi12@3=1`, where input 12 has the name and bit that the map gives it.
fn read_trace(cex: &str, map: &str, miter: &Miter, bench: &Bench<'_>) -> Option<Trace> {
    let layout = bench.layout();
    let mut ports = HashMap::new();
    let mut outputs = HashMap::new();
    for line in map.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        // There are other kinds of lines, among them counts.
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
