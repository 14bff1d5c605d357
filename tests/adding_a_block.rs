//! The block of docs/adding-a-block.md, as a reader types it in.

mod support;

#[path = "../examples/own_block/credit_counter.rs"]
mod credit_counter;

use std::path::PathBuf;
use std::time::Duration;

use credit_counter::BLOCK;
use support::prove::provers;
use support::{Scratch, needs_verilator, says};
use warpsmith::flow::prove::record::{AssertionVerdict, ProveRecord};
use warpsmith::flow::prove::{ProveOptions, Searches, prove};
use warpsmith::flow::synth::Subject;
use warpsmith::flow::users::Verilog;
use warpsmith_blocks::block::Design;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Verdict, cosim, first_mismatch};
use warpsmith_testbench::mismatch::{Divergence, Mismatch};
use warpsmith_testbench::verilator::VerilogSource;

const PLAN: Plan =
    Plan { requests: 20_000, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };

#[test]
fn the_page_shows_the_block_as_it_is_compiled() {
    let page = include_str!("../docs/adding-a-block.md");
    assert!(
        page.contains(include_str!("../examples/own_block/credit_counter.rs")),
        "the page is stale"
    );
    let lines = page.lines().count();
    assert!(lines <= 150, "{lines} lines");
}

/// Parameters of a type of one's own, and all else that the macros write.
const OWN_TYPE: &str = r#"
use warpsmith_blocks::kit::*;
use warpsmith_blocks::serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "warpsmith_blocks::serde", rename_all = "snake_case")]
pub enum Order { Oldest, Youngest }

parameters! {
    /// Parameters.
    pub struct Params {
        order: Order, "who is first", Words("\"oldest\" or \"youngest\"");
        address_bits: u32, "bits of an address", range(8, 64);
        granule_bytes: u32, "bytes of a granule", power(1, 64);
    }
    presets: tiny { order: Order::Oldest, address_bits: 8, granule_bytes: 4 }
}

granules!(Params);

codes! {
    pub enum Kind { Load, Store, }
}
"#;

#[test]
fn the_block_compiles_in_a_crate_that_depends_on_ours_alone() {
    let scratch = Scratch::new();
    let write = |name: &str, text: &str| std::fs::write(scratch.path(name), text).unwrap();
    write("lib.rs", "pub mod credit_counter; pub mod own_type;");
    write("credit_counter.rs", include_str!("../examples/own_block/credit_counter.rs"));
    write("own_type.rs", OWN_TYPE);
    // What cargo built for this test; there are several if features or flags changed.
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap();
    let ours = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libwarpsmith_blocks-") && name.ends_with(".rlib")
    };
    let paths = std::fs::read_dir(built).unwrap().map(|entry| entry.unwrap().path()).filter(ours);
    let newest = paths.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).unwrap();
    let library = format!("warpsmith_blocks={}", newest.display());
    // Crates in the folder of dependencies are for ours: the source cannot name them.
    let dependencies = format!("dependency={}", built.display());
    let options = ["--edition=2024", "--crate-type=lib", "--emit=metadata", "lib.rs"];
    let crates = ["--extern", &library, "-L", &dependencies];
    let (ok, said) = says(&scratch.path(""), "rustc", &[&options[..], &crates].concat());
    assert!(ok, "{said}");
}

fn configured(preset: &str) -> Box<dyn Design> {
    BLOCK.configure(preset, &[]).expect("a preset")
}

fn is_equal(backend: Backend) {
    for preset in BLOCK.presets() {
        let design = configured(preset);
        let circuit = design.circuit();
        let models = Models::of_circuit(&circuit, backend, false).expect("models");
        let bench = Bench::new(&*design, &circuit);
        let (summary, verdict) = cosim(&bench, &models, &PLAN, None, &mut |_| {}).expect("a run");
        assert!(matches!(verdict, Verdict::Equal), "{preset}: {verdict:#?}");
        assert_eq!(summary.requests, PLAN.requests);
        assert_eq!(summary.missed().count(), 0, "{preset}: {:?}", summary.corners);
    }
}

#[test]
fn the_circuit_is_equal_to_the_reference_and_meets_every_corner() {
    is_equal(Backend::Native);
}

#[test]
fn the_verilog_is_equal_to_the_reference_and_meets_every_corner() {
    if needs_verilator("the Verilog of the credit counter is equal to the reference") {
        is_equal(Backend::Verilator);
    }
}

#[test]
fn a_circuit_of_one_credit_more_is_found() {
    let three = configured("tiny");
    let circuit = BLOCK.configure("tiny", &[("credits".to_string(), 4.into())]);
    let circuit = circuit.expect("4 credits").circuit();
    let models = Models::of_circuit(&circuit, Backend::Native, false).expect("models");
    let found = first_mismatch(&Bench::new(&*three, &circuit), &models, &PLAN).expect("a run");
    assert!(found.is_some());
}

/// The emitted Verilog with a text replaced, which stands there once.
fn faulty(from: &str, to: &str) -> VerilogSource {
    let mut source = verilog_source(&configured("tiny").circuit()).expect("it is emitted");
    let text = &mut source.files[0].text;
    assert_eq!(text.matches(from).count(), 1, "`{from}` stands once in\n{text}");
    *text = text.replace(from, to);
    source
}

/// What co-simulation finds in faulty Verilog.
fn found(from: &str, to: &str) -> Mismatch {
    let design = configured("tiny");
    let circuit = design.circuit();
    let models = Models::of_verilog(&faulty(from, to), &circuit.port_layout(), false);
    let bench = Bench::new(&*design, &circuit);
    let found = first_mismatch(&bench, &models.expect("models"), &PLAN).expect("a run");
    found.expect("a mismatch")
}

#[test]
fn faults_in_the_verilog_are_found() {
    if !needs_verilator("faults in the Verilog of the credit counter") {
        return;
    }
    let wrong_slot = found("slot + 2'd1", "slot + 2'd2").divergence;
    assert!(matches!(wrong_slot, Divergence::Different { .. }), "{wrong_slot:?}");
    let no_error = found("return_valid & ~(|out)", "1'b0");
    assert!(no_error.rule.is_some_and(|broken| broken.detail.starts_with("error_as_due")));
    // The reference leaves it open when a credit is granted: only a rule is broken.
    let withheld = found("out_next != 2'd3", "out_next < 2'd2");
    assert!(matches!(withheld.divergence, Divergence::Contract { .. }), "{withheld:?}");
    assert!(withheld.rule.is_some_and(|broken| broken.detail.starts_with("none_withheld")));
}

fn proof(source: Option<VerilogSource>) -> ProveRecord {
    let scratch = Scratch::new();
    let unbounded = source.is_none();
    let options = ProveOptions {
        depth: 10,
        cover_depth: None,
        limit: Duration::from_secs(300),
        each: Duration::from_secs(60),
        searches: Searches { unbounded, bounded: !unbounded, cover: unbounded },
        reuse: None,
        source: source.map(Verilog::plain),
        folder: scratch.path("proof"),
    };
    let design = configured("tiny");
    let subject = Subject { design: &*design, preset: "tiny" };
    prove(&subject, &options, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn its_rules_are_proven_for_all_time_and_every_corner_can_be_met() {
    if !provers("the credit counter is proven") {
        return;
    }
    let record = proof(None);
    for assertion in &record.assertions {
        assert!(matches!(assertion.verdict, AssertionVerdict::Proven { .. }), "{assertion:?}");
    }
    for name in ["within_limit", "none_withheld", "error_as_due"] {
        let name = format!("properties.{name}");
        assert!(record.assertions.iter().any(|assertion| assertion.name == name), "{name}");
    }
    assert!(!record.has_unmet_cover(), "{:?}", record.covers);
    assert!(record.corners_without_cover.is_empty(), "{:?}", record.corners_without_cover);
}

#[test]
fn a_proof_fails_where_too_many_credits_are_granted() {
    if !provers("a proof of a faulty credit counter") {
        return;
    }
    let record = proof(Some(faulty("out_next != 2'd3", "1'b1")));
    let fails = |name: &str| {
        let found = record.assertions.iter().find(|assertion| assertion.name == name);
        matches!(found.expect("it is stated").verdict, AssertionVerdict::Fails { .. })
    };
    assert!(fails("properties.within_limit"));
    assert!(!fails("properties.error_as_due"));
}
