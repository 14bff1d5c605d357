//! Results as JUnit XML: a test suite for a run of the command.
//!
//! A failure is what the command calls one, and what it did not find: a surviving mutant, an assertion that is
//! neither proven nor refuted. What says nothing about the design, such as a mutant that is proven equivalent,
//! is skipped, with the reason.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use warpsmith_testbench::dut::Origin;
use warpsmith_testbench::episode::EpisodeStats;

use super::axioms::AxiomReport;
use super::cosim::{CosimReport, MismatchReport};
use super::litmus::LitmusReport;
use super::teeth::TeethReport;
use crate::flow::mutate::record::{Judged, MutantVerdict, MutationRecord};
use crate::flow::prove::equivalence::{Equivalence, EquivalenceRecord};
use crate::flow::prove::record::{AssertionVerdict, ProveRecord};

pub use quick_junit::TestSuite as Suite;

/// The XML of a suite.
pub fn text(mut suite: TestSuite) -> String {
    // Servers group cases by their class.
    for case in &mut suite.test_cases {
        case.set_classname(suite.name.clone());
    }
    let mut report = Report::new("warpsmith");
    report.add_test_suite(suite);
    report.to_string().expect("writing to memory does not fail")
}

/// A command that ended with exit code 2.
pub fn of_error(command: &str, message: &str) -> TestSuite {
    let mut suite = TestSuite::new(command);
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(message);
    suite.add_test_case(TestCase::new(command, status));
    suite
}

/// A co-simulation: a case for each episode of the block, and of each part that was tested alone. With
/// `require_corners` a missed corner is a failure, else the case is skipped.
pub fn of_cosim(report: &CosimReport, require_corners: bool) -> TestSuite {
    let mut suite = suite("cosim", report.block, &report.preset, report.seconds);
    suite.add_property(("stream", report.stream.as_str()));
    suite.add_property(("stalls", report.stalls.name()));
    if let Some(seed) = report.seed {
        suite.add_property(("seed", seed.to_string().as_str()));
    }
    if let Some(origin) = &report.origin {
        add_origin(&mut suite, origin);
    }
    suite.add_test_cases(episodes(report.block, report));
    for part in &report.parts {
        let name = format!("{}.{}", part.instance, part.block);
        suite.add_test_cases(match (&part.report, &part.not_tested) {
            (Some(report), _) => episodes(&name, report),
            (None, why) => vec![skipped(part.instance, why.as_deref().unwrap_or_default())],
        });
    }
    let missed = report.missed_corners.join("; ");
    // A replay is one stream, which meets what it meets.
    if report.mismatch.is_none() && report.seed.is_some() {
        suite.add_test_case(match (missed.is_empty(), require_corners) {
            (true, _) => passed("corners"),
            (false, true) => failed("corners", &format!("missed: {missed}")),
            (false, false) => skipped("corners", &format!("missed: {missed}")),
        });
    }
    suite
}

/// Whose the modules of a user's Verilog are, as properties.
fn add_origin(suite: &mut TestSuite, origin: &Origin) {
    suite.add_property(("modules.yours", origin.users.join(", ").as_str()));
    suite.add_property(("modules.ours", origin.ours.join(", ").as_str()));
}

fn episodes(name: &str, report: &CosimReport) -> Vec<TestCase> {
    let case = |(index, stats): (usize, &EpisodeStats)| {
        let name = format!("{name} episode {index}");
        let found = report.mismatch.as_ref().filter(|found| found.episode == index as u64);
        let case = found.map_or_else(|| passed(&name), |found| mismatch(&name, found));
        let case = with_property(case, "requests", &stats.accepted.to_string());
        with_property(case, "clocks", &stats.clocks.to_string())
    };
    report.summary.each.iter().enumerate().map(case).collect()
}

fn mismatch(name: &str, mismatch: &MismatchReport) -> TestCase {
    let first = mismatch.small.as_ref().unwrap_or(&mismatch.first);
    let rule = first.rule.as_ref();
    let message = rule.map_or(first.divergence.to_string(), |rule| {
        format!("{}: {} ({})", first.divergence, rule.rule, rule.source)
    });
    let mut case = failed(name, &message);
    case.set_system_out(mismatch.text());
    case
}

/// A proof: a case for each assertion and each cover.
pub fn of_proof(record: &ProveRecord) -> TestSuite {
    let mut suite = suite("prove", &record.block, &record.preset, record.seconds);
    record.origin.iter().for_each(|origin| add_origin(&mut suite, origin));
    if !record.assumptions.is_empty() {
        suite.add_property(("assumed", record.assumptions.join("; ").as_str()));
    }
    for assertion in &record.assertions {
        let name = &assertion.name;
        suite.add_test_case(match &assertion.verdict {
            AssertionVerdict::Proven { by } => with_property(passed(name), "proven by", by),
            AssertionVerdict::Bounded { clocks } => {
                with_property(passed(name), "holds for clocks", &clocks.to_string())
            }
            AssertionVerdict::Fails { clock, trace } => {
                let clock = clock.map_or(String::new(), |clock| format!(" at clock {clock}"));
                let trace = trace.as_deref().map_or(String::new(), |file| format!(", see {file}"));
                failed(name, &format!("fails{clock}{trace}"))
            }
            AssertionVerdict::NotProven { why } => failed(name, &format!("not proven: {why}")),
        });
    }
    for cover in &record.covers {
        suite.add_test_case(match cover.clock {
            Some(clock) => with_property(passed(&cover.name), "met at clock", &clock.to_string()),
            None => failed(&cover.name, "not met"),
        });
    }
    suite
}

/// The comparison of two designs: one case.
pub fn of_equivalence(record: &EquivalenceRecord) -> TestSuite {
    let mut suite = suite("prove", &record.top, "equivalence", record.seconds);
    suite.add_test_case(match &record.verdict {
        Equivalence::Proven { by } => with_property(passed(&record.top), "proven by", by),
        Equivalence::Different { trace, .. } => failed(
            &record.top,
            &format!(
                "in step {} {} is {} in the first and {} in the second",
                trace.step, trace.output, trace.values[0], trace.values[1]
            ),
        ),
        Equivalence::NotProven { why } => failed(&record.top, &format!("not proven: {why}")),
    });
    suite
}

/// A run of mutation: a case for each mutant.
pub fn of_mutation(record: &MutationRecord) -> TestSuite {
    let mut suite = suite("mutate", record.block, &record.preset, record.seconds);
    record.origin.iter().for_each(|origin| add_origin(&mut suite, origin));
    suite.add_property(("seed", record.seed.to_string().as_str()));
    suite.add_property(("requests", record.requests.to_string().as_str()));
    suite.add_test_cases(record.mutants.iter().map(mutant));
    suite
}

fn mutant(judged: &Judged) -> TestCase {
    let Judged { mutant, verdict, .. } = judged;
    let place = mutant.location.as_ref();
    let place = place.map_or(String::new(), |at| format!(" in {}:{}", at.file, at.line));
    let name = format!("{} {}{place}", mutant.number, mutant.change);
    let mut case = match verdict {
        MutantVerdict::Killed { how, requests } => {
            let case = with_property(passed(&name), "found by", how);
            with_property(case, "after requests", &requests.to_string())
        }
        MutantVerdict::KilledByProof { how } => with_property(passed(&name), "found by", how),
        MutantVerdict::Equivalent => skipped(&name, "proven equivalent"),
        MutantVerdict::Argued { how } => skipped(&name, how),
        MutantVerdict::Survived { open, .. } => match open {
            Some(why) => failed(&name, &format!("not found, and not proven equivalent: {why}")),
            None => failed(&name, "not found"),
        },
    };
    case.set_time(Duration::from_secs_f64(judged.simulation_seconds + judged.proof_seconds));
    case
}

/// Litmus tests: a case for each test in each scope and place on each memory system.
pub fn of_litmus(report: &LitmusReport, axioms: Option<&AxiomReport>) -> TestSuite {
    let mut suite = TestSuite::new("litmus");
    suite.add_property(("machine", report.machine.as_str()));
    suite.add_property(("seed", report.seed.to_string().as_str()));
    for row in &report.rows {
        let cell = [row.test.as_str(), row.variant.as_str(), row.system.name];
        let is_here = |listed: &&[String; 4]| listed[..3] == cell;
        let mut wrong: Vec<_> = (row.forbidden.iter().filter(|(_, count)| *count > 0))
            .map(|(condition, count)| format!("forbidden, seen {count} times: {condition}"))
            .collect();
        let listed = |list: &[[String; 4]], what: &str| -> Vec<_> {
            list.iter().filter(is_here).map(|cell| format!("{what}: {}", cell[3])).collect()
        };
        wrong.extend(listed(&report.never_seen, "allowed, never seen"));
        wrong.extend(listed(&report.seen_though_excused, "excused, but seen"));
        let case = passed_unless(&cell_name(&cell), &wrong);
        suite.add_test_case(with_property(case, "runs", &row.runs.to_string()));
    }
    add_axioms(&mut suite, axioms);
    suite
}

/// Planted errors: a case for each forbidden line of a test in each scope and place on each memory system,
/// and a failed one for each error that the tests judge wrongly.
pub fn of_teeth(report: &TeethReport, axioms: Option<&AxiomReport>) -> TestSuite {
    let mut suite = TestSuite::new("litmus --teeth");
    suite.add_property(("machine", report.machine.as_str()));
    suite.add_property(("seed", report.seed.to_string().as_str()));
    for line in report.lines.iter().filter(|line| line.claim == "forbidden") {
        let cell = [&line.test, &line.variant, line.system.name, &line.condition];
        let is_listed = |list: &[[String; 4]]| list.iter().any(|listed| listed[..] == cell);
        let mut wrong = Vec::new();
        if is_listed(&report.toothless) {
            wrong.push("no planted error shows it".to_string());
        }
        if is_listed(&report.seen_though_excused) {
            wrong.push("excused, but a planted error shows it".to_string());
        }
        suite.add_test_case(passed_unless(&cell_name(&cell), &wrong));
    }
    for [error, system] in &report.errors {
        suite.add_test_case(failed(
            &format!("{error} on {system}"),
            "shown or not shown, against its excuse",
        ));
    }
    add_axioms(&mut suite, axioms);
    suite
}

/// A case for each line of the tests, compared with the axioms.
fn add_axioms(suite: &mut TestSuite, axioms: Option<&AxiomReport>) {
    for line in axioms.iter().flat_map(|axioms| &axioms.lines) {
        let name = format!("axioms: {}:{} {} {}", line.file, line.line, line.claim, line.condition);
        let wrong = line.against().map(|(variant, verdict)| format!("{variant}: {verdict:?}"));
        suite.add_test_case(passed_unless(&name, &wrong.collect::<Vec<_>>()));
    }
}

fn cell_name(cell: &[&str]) -> String {
    cell.join(" | ")
}

fn suite(command: &str, block: &str, preset: &str, seconds: f64) -> TestSuite {
    let mut suite = TestSuite::new(format!("{command} {block} {preset}"));
    suite.set_time(Duration::from_secs_f64(seconds));
    suite
}

fn passed(name: &str) -> TestCase {
    TestCase::new(name, TestCaseStatus::success())
}

fn passed_unless(name: &str, wrong: &[String]) -> TestCase {
    match wrong.is_empty() {
        true => passed(name),
        false => failed(name, &wrong.join("; ")),
    }
}

fn failed(name: &str, message: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message);
    TestCase::new(name, status)
}

fn skipped(name: &str, why: &str) -> TestCase {
    let mut status = TestCaseStatus::skipped();
    status.set_message(why);
    TestCase::new(name, status)
}

fn with_property(mut case: TestCase, name: &str, value: &str) -> TestCase {
    case.add_property((name, value));
    case
}
