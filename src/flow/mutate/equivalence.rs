//! Whether a mutant can be told apart from the circuit: a proof that it cannot, or a trace.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use warpsmith_testbench::bench::Bench;

use super::miter::{Miter, miter};
use super::planting::{PROOF_NETLIST, Planted};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::tool::{Program, ToolError};
use crate::flow::yosys::run_script;

/// The programs that proofs need.
#[derive(Clone, Debug)]
pub struct Provers {
    /// Makes the miter a netlist of AND gates and registers.
    pub yosys: Program,
    /// Proves.
    pub abc: Program,
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

/// Tries to prove a mutant equivalent, or to tell it apart, in `limit`.
///
/// # Errors
/// See [`FlowError`]. A tool that fails or runs out of time leaves the proof open.
pub fn equivalence(
    provers: &Provers,
    folder: &Folder,
    planted: &Planted,
    bench: &Bench<'_>,
    number: u32,
    limit: Duration,
) -> Result<Proof, FlowError> {
    let run = Run { provers, folder, name: format!("mutant-{number}"), limit };
    match run.prove(&miter(planted, bench, number), bench) {
        Err(FlowError::Tool(error @ (ToolError::Failed { .. } | ToolError::TimedOut { .. }))) => {
            Ok(Proof::Open(error.to_string()))
        }
        other => other,
    }
}

struct Run<'a> {
    provers: &'a Provers,
    folder: &'a Folder,
    /// Of the files, but for their extensions.
    name: String,
    limit: Duration,
}

impl Run<'_> {
    fn prove(&self, miter: &Miter, bench: &Bench<'_>) -> Result<Proof, FlowError> {
        let started = Instant::now();
        let name = &self.name;
        self.folder.write(&format!("{name}.v"), &miter.verilog)?;
        let script = format!(
            "read_rtlil {PROOF_NETLIST}\nread_verilog {name}.v\nhierarchy -check -top miter\n\
             proc\nflatten\nopt -full\ntechmap\nopt -fast\nsimplemap\ndffunmap\n\
             abc -g AND -fast\nopt_clean\nwrite_aiger -zinit -map {name}.map {name}.aig\n"
        );
        run_script(
            &self.provers.yosys,
            self.folder,
            &format!("{name}-gates"),
            &script,
            self.limit,
        )?;
        // What circuit and mutant have in common goes first. Then each way gets its share of the
        // time: one is quick to prove, another to find a short trace, and at last the first again.
        self.abc(
            "merge",
            &format!("read_aiger {name}.aig; strash; scorr; write_aiger {name}.small.aig"),
        )?;
        let shares = [("pdr", 10), ("bmc3", 3), ("pdr", 1)];
        for (step, (engine, share)) in shares.into_iter().enumerate() {
            let left = self.limit.saturating_sub(started.elapsed());
            let seconds = (left.as_secs() / share).max(1);
            let commands = format!(
                "read_aiger {name}.small.aig; {engine} -T {seconds}; write_cex -n {name}.cex"
            );
            let log = self.abc(&format!("{}-{engine}", step + 1), &commands)?;
            if log.contains("Property proved") || log.contains("networks are equivalent") {
                return Ok(Proof::Equivalent);
            }
            if log.contains("was asserted in frame") {
                return self.trace(miter, bench).map(Proof::Different);
            }
        }
        Ok(Proof::Open(format!("no proof and no trace in {} s", self.limit.as_secs())))
    }

    /// Runs commands and gives what was printed.
    fn abc(&self, step: &str, commands: &str) -> Result<String, FlowError> {
        let log = format!("{}-abc-{step}.log", self.name);
        // Its own limits are kept loosely.
        let limit = self.limit + Duration::from_secs(30);
        // It fails where there is no trace to be written, which is no failure.
        self.provers.abc.try_run(self.folder.path(), &["-q", commands], &log, limit)?;
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
        let mut words = line.split_whitespace();
        let (kind, index) = (words.next()?, words.next()?.parse::<usize>().ok()?);
        let (bit, name) = (words.next()?.parse::<usize>().ok()?, words.next()?);
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
