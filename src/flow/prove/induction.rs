//! Induction over one clock: each assertion must follow from all of them a clock before.
//!
//! Sby would ask in one query whether any assertion can fail at the end of the step. That can exceed the
//! solver although each alone takes seconds; so each gets a query of its own, on the SMT-LIB text that sby
//! made of the design for the first clock.

use std::collections::BTreeMap;
use std::mem::replace;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::Job;
use super::bounded::{self, Mode};
use super::record::Task;
use super::unbounded::Outcome;
use crate::flow::tool::ToolError;
use crate::flow::{FlowError, parallel};

/// The SMT-LIB text that sby's run of the first clock leaves.
const DESIGN: &str = "base/model/design_smt2.smt2";

/// The outcome of each assertion of a design, by name.
pub type Outcomes = BTreeMap<String, Outcome>;

/// Tries to prove all assertions of the design within the job's time limit. Assertions that do not follow
/// from the whole set are dropped, and so on with the smaller set until it is inductive.
///
/// # Errors
/// [`FlowError::Tool`], [`FlowError::File`]; [`FlowError::Report`] if an answer of the solver is malformed.
pub fn run(job: &Job<'_>) -> Result<(Outcomes, Vec<Task>), FlowError> {
    let started = Instant::now();
    (job.tell)("induction: the first clock");
    let base = bounded::run(job, Mode::Base, 1, job.limit)?.task;
    let design = Design::read(job)?;
    if base.ended != "pass" {
        let open = |name: &String| {
            (name.clone(), Outcome::Open("the first clock of the induction is not proven".into()))
        };
        return Ok((design.assertions.iter().map(open).collect(), vec![base]));
    }
    let mut kept: Vec<usize> = (0..design.assertions.len()).collect();
    let mut outcomes = Outcomes::new();
    let mut why = "it does not follow from the others by induction";
    loop {
        let implied = implied(job, &design, &kept, started)?;
        if implied.len() == kept.len() {
            break;
        }
        let left_out = kept.iter().filter(|assertion| !implied.contains(assertion));
        let why = match started.elapsed() < job.limit {
            true => replace(&mut why, "it follows by induction only from unproven assertions"),
            false => "time limit of the induction",
        };
        outcomes.extend(left_out.map(|out| (design.name(*out), Outcome::Open(why.to_string()))));
        kept = implied;
    }
    let steps = Task {
        name: "induction".to_string(),
        ended: format!("{} of {} steps", kept.len(), design.assertions.len()),
        seconds: started.elapsed().as_secs_f64() - base.seconds,
    };
    let proven = || Outcome::Proven("induction".to_string());
    outcomes.extend(kept.iter().map(|assertion| (design.name(*assertion), proven())));
    Ok((outcomes, vec![base, steps]))
}

/// The assertions that follow from all of them a clock before.
fn implied(
    job: &Job<'_>,
    design: &Design,
    assertions: &[usize],
    started: Instant,
) -> Result<Vec<usize>, FlowError> {
    let proven = AtomicUsize::new(0);
    let of = assertions.len();
    let steps = parallel::each(assertions, |&assertion| {
        let is_implied = step(job, design, assertions, assertion, started)?;
        if is_implied {
            let proven = proven.fetch_add(1, Ordering::Relaxed) + 1;
            (job.tell)(&format!("induction: {proven} of {of} assertions"));
        }
        Ok(is_implied.then_some(assertion))
    });
    steps.into_iter().filter_map(Result::transpose).collect()
}

/// A design in yosys's SMT-LIB: functions of its state, named after its top module.
struct Design {
    text: String,
    top: String,
    /// Names of its assertions, in order.
    assertions: Vec<String>,
}

impl Design {
    fn read(job: &Job<'_>) -> Result<Self, FlowError> {
        let text = job.folder.read(DESIGN)?;
        let broken = |what: String| FlowError::Report { path: job.folder.file(DESIGN), what };
        let says = |what: &'static str| {
            text.lines()
                .filter_map(move |line| line.strip_prefix("; yosys-smt2-")?.strip_prefix(what))
        };
        let top = says("topmod ").next().map(|name| name.trim().to_string());
        let top = top.ok_or_else(|| broken("it names no top module".to_string()))?;
        let assertions = says("assert ").map(|stated| {
            let (_, name) = stated.split_once(' ')?;
            Some(name.split_whitespace().next()?.to_string())
        });
        let assertions: Option<Vec<_>> = assertions.collect();
        let assertions =
            assertions.ok_or_else(|| broken("an assertion has no name".to_string()))?;
        Ok(Self { top, assertions, text })
    }

    fn name(&self, assertion: usize) -> String {
        self.assertions[assertion].clone()
    }

    /// The query whether a clock in which `hold` hold can be followed by one in which `assertion` fails.
    /// Neither is the first clock, and the assumptions hold in both.
    fn step(&self, hold: &[usize], assertion: usize) -> String {
        let Self { text, top, .. } = self;
        let mut query = format!("(set-logic QF_UFBV)\n{text}\n");
        for state in ["s0", "s1"] {
            query += &format!("(declare-fun {state} () |{top}_s|)\n");
            query += &format!("(assert (|{top}_h| {state}))\n(assert (|{top}_u| {state}))\n");
            query += &format!("(assert (not (|{top}_is| {state})))\n");
        }
        for held in hold {
            query += &format!("(assert (|{top}_a {held}| s0))\n");
        }
        query
            + &format!(
                "(assert (|{top}_t| s0 s1))\n(assert (not (|{top}_a {assertion}| s1)))\n(check-sat)\n"
            )
    }
}

/// Whether the step to an assertion is proven; false if it fails or time runs out.
fn step(
    job: &Job<'_>,
    design: &Design,
    hold: &[usize],
    assertion: usize,
    started: Instant,
) -> Result<bool, FlowError> {
    let (query, log) = (format!("step{assertion}.smt2"), format!("step{assertion}.log"));
    job.folder.write(&query, &design.step(hold, assertion))?;
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
            what: "yices answered neither sat nor unsat".to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::flow::folder::Folder;
    use crate::flow::prove::Programs;

    /// Which assertions are proven of a counter that counts from 2 to 0 cyclically.
    fn proven(programs: &Programs, assertions: &[&str]) -> Vec<usize> {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = Folder::empty(scratch.path()).expect("empty");
        let stated = (0..).zip(assertions);
        let stated = stated.map(|(i, that)| format!("a{i}: assert ({that});\n"));
        let text = format!(
            "module top(input wire clk);\nreg rst = 1;\nalways @(posedge clk) rst <= 0;\n\
             reg [2:0] count;\nreg fresh;\nalways @(posedge clk) fresh <= rst;\n\
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
        let (outcomes, _) = run(&job).unwrap_or_else(|error| panic!("{error}"));
        let proven = outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Proven(_)));
        proven.map(|(name, _)| name[1..].parse().expect("a number")).collect()
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
        assert_eq!(proven(&["count != 3"]), [0]);
        // True, but only inductive together with the first.
        assert_eq!(proven(&["count != 3", "count != 4"]), [0, 1]);
        assert!(proven(&["count != 4"]).is_empty());
        // Fails in a clock after the first; the next follows only from it.
        assert_eq!(proven(&["count != 1", "count != 3", "count != 4"]), [1, 2]);
        // Fails only in the clock after the reset.
        assert!(proven(&["!fresh"]).is_empty());
    }
}
