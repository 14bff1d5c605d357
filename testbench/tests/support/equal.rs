//! Runs of a block that must find no difference.

#![allow(dead_code, reason = "each test file uses a part")]

use warpsmith_blocks::block::Design;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Summary, Verdict, cosim};

/// A block with one of its presets.
pub fn design(block: &str, preset: &str) -> Box<dyn Design> {
    let block = warpsmith_blocks::find(block).expect("the block");
    block.configure(preset, &[]).expect("a preset")
}

/// Runs a plan, which must end with [`Verdict::Equal`].
pub fn equal(design: &dyn Design, backend: Backend, plan: &Plan) -> Summary {
    let circuit = design.circuit();
    let bench = Bench::new(design, &circuit);
    let models = Models::of_circuit(&circuit, backend, false).expect("models");
    let (summary, verdict) = cosim(&bench, &models, plan, None, &mut |_| {}).expect("a run");
    let name = design.name();
    assert!(matches!(verdict, Verdict::Equal), "{name}, {plan:?}: {verdict:#?}");
    assert_eq!(summary.requests, plan.requests, "{name}");
    summary
}
