//! Unbounded proofs by ABC's property directed reachability, one assertion at a time.

use std::time::{Duration, Instant};

use serde::Deserialize;

use super::Job;
use super::record::Task;
use crate::flow::FlowError;
use crate::flow::abc::{ABC, has_proven};
use crate::flow::tool::{Program, ToolError};
use crate::flow::yosys::run_script;

/// The outcome of an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds for all time; the argument.
    Proven(String),
    /// It fails, first in this clock of the search.
    Fails(u32),
    /// Undecided; the reason.
    Open(String),
}

/// The used part of the file of `write_aiger -ywmap`.
#[derive(Deserialize)]
struct Map {
    asserts: Vec<Vec<String>>,
}

/// Tries every assertion of the netlist in order, for at most `limit` each.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn run(
    job: &Job<'_>,
    names: &[String],
    limit: Duration,
) -> Result<(Vec<(String, Outcome)>, Task), FlowError> {
    let started = Instant::now();
    let abc = ABC.find()?;
    let mut outcomes = Vec::new();
    for (output, name) in names.iter().enumerate() {
        (job.tell)(&format!("unbounded: {name}"));
        outcomes.push((name.clone(), prove(job, &abc, output, limit)?));
    }
    let proven = outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Proven(_)));
    let task = Task {
        name: "unbounded".to_string(),
        ended: format!("{} of {} proven", proven.count(), outcomes.len()),
        seconds: started.elapsed().as_secs_f64(),
    };
    Ok((outcomes, task))
}

fn open(limit: Duration) -> Outcome {
    Outcome::Open(format!("time limit of {} s", limit.as_secs()))
}

/// Writes the and-inverter graph; returns the assertions in the order of its outputs.
///
/// # Errors
/// Returns [`FlowError`] if yosys fails.
pub fn netlist(job: &Job<'_>) -> Result<Vec<String>, FlowError> {
    let script = format!(
        "{}chformal -cover -remove\nasync2sync\nchformal -assume -early\nopt_clean\n\
         formalff -setundef -clk2ff -ff2anyinit -hierarchy\nsetundef -undriven -anyseq\nopt -fast\n\
         opt_clean\nsetattr -unset keep\ntechmap\nsetundef -anyseq\nopt\nsimplemap\ndffunmap\naigmap\nopt_clean\n\
         write_aiger -I -B -zinit -no-startoffset -ywmap unbounded.json unbounded.aig\n",
        job.read
    );
    run_script(&job.programs.yosys, job.folder, "unbounded", &script, job.limit)?;
    let map: Map =
        serde_json::from_value(job.folder.read_json("unbounded.json")?).map_err(|e| {
            FlowError::Report { path: job.folder.file("unbounded.json"), what: e.to_string() }
        })?;
    let name = |path: Vec<String>| {
        let parts = path.iter().map(|part| part.trim_start_matches('\\'));
        parts.collect::<Vec<_>>().join(".")
    };
    Ok(map.asserts.into_iter().map(name).collect())
}

fn prove(
    job: &Job<'_>,
    abc: &Program,
    output: usize,
    limit: Duration,
) -> Result<Outcome, FlowError> {
    let seconds = limit.as_secs();
    // Folds the assumptions in, then merges equivalent registers.
    let commands = format!(
        "read_aiger unbounded.aig; fold; strash; cone -s -O {output}; scleanup; scorr; pdr -T {seconds}"
    );
    let log = format!("unbounded-{output}.log");
    let patience = limit * 4 + Duration::from_secs(60);
    match abc.run(job.folder.path(), &["-c", &commands], &log, patience) {
        Ok(_) => {}
        Err(ToolError::TimedOut { .. }) => return Ok(open(limit)),
        Err(error) => return Err(error.into()),
    }
    let text = job.folder.read(&log)?;
    if has_proven(&text) {
        return Ok(Outcome::Proven("abc pdr".to_string()));
    }
    match text.split_once("was asserted in frame ") {
        Some((_, rest)) => {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            Ok(Outcome::Fails(digits.parse().unwrap_or(0)))
        }
        None if text.contains("Property proved") => Ok(open(limit)),
        None if text.contains("UNDECIDED") || text.contains("timeout") => Ok(open(limit)),
        None => Err(FlowError::Report {
            path: job.folder.file(log),
            what: "abc reported neither a proof nor a violation".to_string(),
        }),
    }
}
