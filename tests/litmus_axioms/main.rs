//! The axioms of PTX's memory model, against known verdicts and against an operational model.

mod interleaving;
mod table;

use std::collections::BTreeSet;

use table::{CELLS, TABLE};

use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa::Scope;
use warpsmith::gpu::litmus::axioms::{Axiom, Judgement, Limit, Verdict, judge};
use warpsmith::gpu::litmus::{self, Place, TESTS, Variant};

fn judged(text: &str, scope: Scope, place: Place) -> Judgement {
    let machine = Config::preset("small").expect("a preset").machine;
    let test = litmus::parse("t.litmus", text).unwrap_or_else(|error| panic!("{text}{error}"));
    judge(&test, Variant { scope, place }, &machine).unwrap_or_else(|error| panic!("{error}"))
}

/// Threads separated by `|`, instructions by `;`.
fn text(threads: &str, outcome: &str) -> String {
    let threads: String = threads
        .split('|')
        .map(|thread| format!("thread\n{}\n", thread.replace(';', "\n")))
        .collect();
    format!("litmus T\n{threads}forbidden {outcome}\n")
}

#[test]
fn verdicts_are_those_of_the_literature() {
    for (threads, outcome, cells, axiom) in TABLE {
        for ((scope, place), cell) in CELLS.into_iter().zip(cells.chars()) {
            let judgement = judged(&text(threads, outcome), scope, place);
            let verdict = &judgement.forbidden[0];
            let expected = cell == 'A';
            assert_eq!(
                verdict.is_allowed(),
                expected,
                "{threads}: {outcome} in {scope:?}, {place:?}: {verdict:?}"
            );
            if let (Verdict::Forbidden(by), Some(axiom)) = (verdict, axiom) {
                assert!(by.contains(&axiom), "{threads}: by {by:?}, not by {axiom}");
            }
        }
    }
}

/// Every axiom is needed: each alone forbids something.
#[test]
fn every_axiom_forbids_something_in_the_table() {
    let mut seen = BTreeSet::new();
    for (threads, outcome, ..) in TABLE {
        if let Verdict::Forbidden(by) =
            &judged(&text(threads, outcome), Scope::Sys, Place::OtherGpu).forbidden[0]
        {
            seen.extend(by.iter().copied());
        }
    }
    let all = [
        Axiom::Coherence,
        Axiom::FenceSc,
        Axiom::Atomicity,
        Axiom::NoThinAir,
        Axiom::ScPerLocation,
        Axiom::Causality,
    ];
    assert_eq!(seen, BTreeSet::from(all));
}

#[test]
fn the_lines_of_the_programs_tests_are_what_the_axioms_say() {
    let machine = Config::preset("small").expect("a preset").machine;
    for (file, text) in TESTS {
        let test = litmus::parse(file, text).unwrap_or_else(|error| panic!("{error}"));
        for variant in test.variants(&machine) {
            let judgement = judge(&test, variant, &machine).unwrap_or_else(|it| panic!("{it}"));
            for (line, verdict) in test.forbidden.iter().zip(&judgement.forbidden) {
                assert!(!verdict.is_allowed(), "{file}:{} {variant}: {verdict:?}", line.line);
            }
            for (line, verdict) in test.allowed.iter().zip(&judgement.allowed) {
                assert!(verdict.is_allowed(), "{file}:{} {variant}: {verdict:?}", line.line);
            }
        }
    }
}

#[test]
fn a_test_with_too_many_executions_is_refused_in_a_moment() {
    let machine = Config::preset("small").expect("a preset").machine;
    let variant = Variant { scope: Scope::Sys, place: Place::OtherGpu };
    let limit = |threads: &str| {
        let test = litmus::parse("t.litmus", &text(threads, "x=1")).expect("a test");
        judge(&test, variant, &machine).expect_err("a limit")
    };
    let counter = "loop 12; atom.relaxed.$.add r0 x 1; end";
    assert!(matches!(limit(&format!("{counter} | {counter}")), Limit::Ways(_)));
    let stores = "loop 5; st.relaxed.$ x 1; st.relaxed.$ x 2; end";
    assert!(matches!(limit(&format!("{stores} | {stores}")), Limit::Executions(_)));
    assert!(matches!(limit("loop 64; st.weak x 1; end"), Limit::Events(_)));
    let empty = "loop 64; loop 64; mov r0 1; mov r0 2; end; end; st.weak x r0";
    assert!(matches!(limit(empty), Limit::Instructions(_)));
}

/// Random programs and their outcomes on a machine that runs one instruction at a time.
#[test]
fn interleavings_are_allowed_and_fences_leave_nothing_else() {
    let (seed, mut random) = interleaving::random();
    let place = Place::OtherGpu;
    let mut more = 0;
    for turn in 0..150 {
        let program = interleaving::program(&mut random);
        let all = program.interleavings();
        let text = program.text(Some(&mut random));
        let allowed = judged(&text, Scope::Sys, place).outcomes;
        assert!(all.is_subset(&allowed), "seed {seed}, program {turn}\n{text}{all:?}\n{allowed:?}");
        more += usize::from(all.len() < allowed.len());
        let text = program.text(None);
        let allowed = judged(&text, Scope::Sys, place).outcomes;
        assert_eq!(all, allowed, "seed {seed}, program {turn}\n{text}");
    }
    assert!(more > 15, "seed {seed}: {more} programs of 150 are weaker than their interleavings");
}

#[test]
fn a_wider_scope_or_a_stronger_order_allows_no_more() {
    let (seed, mut random) = interleaving::random();
    let mut fewer = 0;
    for turn in 0..150 {
        let weak = interleaving::program(&mut random).text(Some(&mut random));
        let place = [Place::SameCta, Place::OtherCta, Place::OtherGpu][turn % 3];
        for (from, to) in [
            ("ld.weak", "ld.relaxed.cta"),
            ("st.weak", "st.relaxed.gpu"),
            ("relaxed.cta", "relaxed.sys"),
            ("ld.relaxed", "ld.acquire"),
            ("st.relaxed", "st.release"),
            ("fence.acq_rel", "fence.sc"),
        ] {
            let strong = weak.replace(from, to);
            let before = judged(&weak, Scope::Sys, place).outcomes;
            let after = judged(&strong, Scope::Sys, place).outcomes;
            assert!(after.is_subset(&before), "seed {seed}, program {turn}\n{weak}{strong}");
            fewer += usize::from(after.len() < before.len());
        }
    }
    assert!(fewer > 10, "seed {seed}: it matters in {fewer} cases only");
}
