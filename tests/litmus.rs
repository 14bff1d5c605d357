//! Litmus tests on every memory system; what is forbidden shows when a protocol has an error.

mod support;

use support::{Scratch, run};
use warpsmith::gpu::PlantedError;
use warpsmith::gpu::coherence::System;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::litmus::{self, TESTS, Test};
use warpsmith::report::litmus::{LitmusReport, LitmusRow};

/// Runs of a test in each scope and place.
const RUNS: u64 = 60;
const SEED: u64 = 1;

fn tests() -> Vec<Test> {
    let parsed = TESTS.iter().map(|(file, text)| litmus::parse(file, text));
    parsed.map(|test| test.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn report(system: System, runs: u64, planted: Option<PlantedError>) -> LitmusReport {
    let config = Config::preset("small").expect("a preset");
    let mut rows = Vec::new();
    for test in tests() {
        for variant in test.variants(&config.machine) {
            let counts = litmus::run(&test, variant, &config, system, runs, SEED, planted);
            let counts = counts.unwrap_or_else(|error| panic!("{error}"));
            rows.push(LitmusRow::new(&test, variant, system, counts));
        }
    }
    LitmusReport::new("small".into(), SEED, rows)
}

fn as_allowed(system: System) {
    let report = report(system, RUNS, None);
    assert!(report.as_allowed, "{}", report.text());
}

#[test]
fn no_remote_caching_shows_what_is_allowed_and_nothing_else() {
    as_allowed(System::NoRemoteCaching);
}

#[test]
fn software_coherence_shows_what_is_allowed_and_nothing_else() {
    as_allowed(System::Software);
}

#[test]
fn hierarchical_software_coherence_shows_what_is_allowed_and_nothing_else() {
    as_allowed(System::SoftwareHierarchical);
}

#[test]
fn nhcc_shows_what_is_allowed_and_nothing_else() {
    as_allowed(System::Nhcc);
}

#[test]
fn hmg_shows_what_is_allowed_and_nothing_else() {
    as_allowed(System::Hmg);
}

#[test]
fn ideal_caching_shows_what_is_allowed_and_nothing_else() {
    as_allowed(System::Ideal);
}

/// With an error in the protocol, something forbidden is seen.
fn is_seen(system: System, error: PlantedError) {
    let report = report(system, RUNS, Some(error));
    let seen: u64 = report.rows.iter().flat_map(|row| &row.forbidden).map(|it| it.1).sum();
    assert!(seen > 0, "{error:?} in {}", system.name());
}

#[test]
fn invalidations_that_are_not_sent_are_seen() {
    is_seen(System::Nhcc, PlantedError::SkipInvalidation(2));
    is_seen(System::Hmg, PlantedError::SkipInvalidation(2));
}

#[test]
fn sharers_that_are_not_recorded_are_seen() {
    is_seen(System::Nhcc, PlantedError::ForgetSharer(2));
    is_seen(System::Hmg, PlantedError::ForgetSharer(2));
}

#[test]
fn a_test_of_ones_own_is_run_and_judged() {
    let scratch = Scratch::new();
    let text = "litmus own\nthread\n st.weak x 1\nthread\n ld.weak r0 x\n";
    std::fs::write(scratch.path("fine.litmus"), format!("{text}forbidden x=0\nallowed 1:r0=0\n"))
        .expect("writable");
    std::fs::write(scratch.path("wrong.litmus"), format!("{text}forbidden 1:r0=0\n"))
        .expect("writable");
    let runs = ["--runs", "100", "--system", "hmg"];
    let fine = run(&scratch, &[&["litmus", "fine.litmus"], &runs[..]].concat());
    assert_eq!(fine.code, 0, "{fine:?}");
    assert!(fine.stdout.contains("other GPU"), "{fine:?}");
    let wrong = run(&scratch, &[&["litmus", "wrong.litmus"], &runs[..]].concat());
    assert_eq!(wrong.code, 1, "{wrong:?}");
    assert!(wrong.stdout.contains("Forbidden, but seen"), "{wrong:?}");
}

#[test]
fn wrong_tests_are_exit_code_2_and_name_the_line() {
    let scratch = Scratch::new();
    for (text, words) in [
        ("thread\n ld.weak r0 x\nforbidden 0:r0=1\n", ["t.litmus:3", "litmus NAME"]),
        ("litmus a\nthread\n ld.weak r9 x\n", ["t.litmus:3", "r0 to r7"]),
        ("litmus a\nthread\n ld.weak r0\n", ["t.litmus:3", "ld REGISTER LOCATION"]),
        ("litmus a\nthread\n ld.strong r0 x\n", ["t.litmus:3", "strong"]),
        ("litmus a\nthread\n st.weak x y\n", ["t.litmus:3", "y is no number"]),
        ("litmus a\nthread\n st.weak x 1\nforbidden y=1\n", ["t.litmus:4", "locations x"]),
        ("litmus a\nthread\n st.weak x 1\nforbidden x=1 except me\n", ["t.litmus:4", "hmg"]),
        ("litmus a\nthread\n st.weak x 1\n", ["t.litmus:3", "forbidden CONDITION"]),
        (
            "litmus a\nthread\n fence.acquire.release.weak.sys\nforbidden 0:r0=1\n",
            ["t.litmus:4", "r0"],
        ),
    ] {
        std::fs::write(scratch.path("t.litmus"), text).expect("writable");
        let ended = run(&scratch, &["litmus", "t.litmus"]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{text}: {ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    }
}
