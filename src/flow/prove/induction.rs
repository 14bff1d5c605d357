//! Induction over one clock: each assertion follows from all of them a clock before.
//!
//! Sby would ask whether any of them can fail at the end of such a step. That can be more than the
//! solver can take, although each alone takes seconds; so each is asked for on its own, of the
//! SMT-LIB text of the design that sby has made for the first clock.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::Job;
use super::bounded::{self, Mode};
use super::record::Task;
use crate::flow::FlowError;
use crate::flow::tool::ToolError;

/// The text of the design, by sby's run for the first clock.
const DESIGN: &str = "base/model/design_smt2.smt2";

/// Tries to prove so many assertions, which are all of the design, within the job's limit; gives
/// whether it did.
///
/// # Errors
/// [`FlowError::Tool`], [`FlowError::File`]; [`FlowError::Report`] if a program's answer is none.
pub fn run(job: &Job<'_>, assertions: usize) -> Result<(bool, Vec<Task>), FlowError> {
    let started = Instant::now();
    (job.tell)("induction: the first clock");
    let base = bounded::run(job, Mode::Base, 1, job.limit)?.task;
    if base.ended != "pass" {
        return Ok((false, vec![base]));
    }
    let design = Design::read(job, assertions)?;
    let (next, proven) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failed: Mutex<Option<FlowError>> = Mutex::new(None);
    let work = || {
        loop {
            let assertion = next.fetch_add(1, Ordering::Relaxed);
            if assertion >= assertions {
                return;
            }
            match step(job, &design, assertion, started) {
                Ok(true) => {
                    let proven = proven.fetch_add(1, Ordering::Relaxed) + 1;
                    (job.tell)(&format!("induction: {proven} of {assertions} assertions"));
                    continue;
                }
                Ok(false) => {}
                Err(error) => *failed.lock().expect("no worker panics") = Some(error),
            }
            // They hold together or not at all.
            next.store(assertions, Ordering::Relaxed);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    if let Some(error) = failed.into_inner().expect("no worker panics") {
        return Err(error);
    }
    let proven = proven.into_inner();
    let steps = Task {
        name: "induction".to_string(),
        ended: format!("{proven} of {assertions} steps"),
        seconds: started.elapsed().as_secs_f64() - base.seconds,
    };
    Ok((proven == assertions, vec![base, steps]))
}

/// A design in SMT-LIB, as yosys writes it: functions of its state, named after its top module.
struct Design {
    text: String,
    top: String,
}

impl Design {
    fn read(job: &Job<'_>, assertions: usize) -> Result<Self, FlowError> {
        let text = job.folder.read(DESIGN)?;
        let broken = |what: String| FlowError::Report { path: job.folder.file(DESIGN), what };
        let says = |what: &'static str| {
            text.lines()
                .filter_map(move |line| line.strip_prefix("; yosys-smt2-")?.strip_prefix(what))
        };
        let top = says("topmod ").next().map(|name| name.trim().to_string());
        let top = top.ok_or_else(|| broken("it names no top module".to_string()))?;
        let stated = says("assert ").count();
        if stated != assertions {
            return Err(broken(format!("{stated} assertions, where the netlist has {assertions}")));
        }
        Ok(Self { text, top })
    }

    /// Whether a clock in which all assertions hold can be followed by one in which this does not.
    /// Neither is the first, and both are as assumed.
    fn step(&self, assertion: usize) -> String {
        let Self { text, top } = self;
        let mut query = format!("(set-logic QF_UFBV)\n{text}\n");
        for state in ["s0", "s1"] {
            query += &format!("(declare-fun {state} () |{top}_s|)\n");
            query += &format!("(assert (|{top}_h| {state}))\n(assert (|{top}_u| {state}))\n");
            query += &format!("(assert (not (|{top}_is| {state})))\n");
        }
        query
            + &format!(
                "(assert (|{top}_a| s0))\n(assert (|{top}_t| s0 s1))\n\
                 (assert (not (|{top}_a {assertion}| s1)))\n(check-sat)\n"
            )
    }
}

/// Whether the step to an assertion is proven; not, if it is wrong or time is over.
fn step(
    job: &Job<'_>,
    design: &Design,
    assertion: usize,
    started: Instant,
) -> Result<bool, FlowError> {
    let (query, log) = (format!("step{assertion}.smt2"), format!("step{assertion}.log"));
    job.folder.write(&query, &design.step(assertion))?;
    let left = job.limit.saturating_sub(started.elapsed());
    match job.programs.yices.run(job.folder.path(), &[&query], &log, left) {
        Ok(_) => {}
        Err(ToolError::TimedOut { .. }) => return Ok(false),
        Err(error) => return Err(error.into()),
    }
    match job.folder.read(&log)?.lines().last().map(str::trim) {
        Some("unsat") => Ok(true),
        Some("sat" | "unknown") => Ok(false),
        _ => Err(FlowError::Report {
            path: job.folder.file(log),
            what: "yices says neither sat nor unsat".to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::flow::folder::Folder;
    use crate::flow::prove::Programs;

    /// What is proven of a counter that goes round from 2 to 0, of so many assertions.
    fn proven(programs: &Programs, assertions: &[&str]) -> bool {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = Folder::empty(scratch.path()).expect("empty");
        let stated = (0..).zip(assertions);
        let stated = stated.map(|(i, that)| format!("a{i}: assert ({that});\n"));
        let text = format!(
            "module top(input wire clk, input wire rst);\nreg [2:0] count;\ninitial assume (rst);\n\
             always @(posedge clk) count <= rst || count == 2 ? 0 : count + 1;\n\
             always @(posedge clk) if (!rst) begin\n{}end\nendmodule\n",
            stated.collect::<String>()
        );
        folder.write("top.v", &text).expect("written");
        let job = Job {
            folder: &folder,
            files: vec!["top.v".to_string()],
            read: "read_verilog -formal -sv top.v\nprep -top top\nchformal -early\nopt_clean\n"
                .to_string(),
            programs,
            limit: Duration::from_secs(120),
            tell: &|_| (),
        };
        run(&job, assertions.len()).unwrap_or_else(|error| panic!("{error}")).0
    }

    #[test]
    fn what_follows_is_proven_and_nothing_else() {
        let programs = match Programs::find() {
            Ok(programs) => programs,
            Err(why) => {
                assert!(std::env::var_os("CI").is_none(), "{why}");
                eprintln!("skipped: what_follows_is_proven_and_nothing_else: {why}");
                return;
            }
        };
        let proven = |assertions: &[&str]| proven(&programs, assertions);
        assert!(proven(&["count != 3"]));
        // True, but it follows only together with the first.
        assert!(proven(&["count != 3", "count != 4"]));
        assert!(!proven(&["count != 4"]));
        // Wrong, in a clock after the first.
        assert!(!proven(&["count != 3", "count != 2"]));
        assert!(!proven(&["count != 7", "count != 3", "count < 2"]));
    }
}
