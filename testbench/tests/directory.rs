//! The directory's circuit beside its reference: equal, at full rate, with the latency that its page
//! gives.

use warpsmith_blocks::block::Design;
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Summary, Verdict, cosim};

fn design(preset: &str) -> Box<dyn Design> {
    let block = warpsmith_blocks::find("hmg_directory").expect("the block");
    block.configure(preset, &[]).expect("a preset")
}

/// Runs a plan, which must end equal.
fn equal(design: &dyn Design, backend: Backend, plan: &Plan) -> Summary {
    let circuit = design.circuit();
    let bench = Bench::new(design, &circuit);
    let models = Models::of_circuit(&circuit, backend, false).expect("models");
    let (summary, verdict) = cosim(&bench, &models, plan, None, &mut |_| {}).expect("a run");
    assert!(matches!(verdict, Verdict::Equal), "{plan:?}: {verdict:#?}");
    assert_eq!(summary.requests, plan.requests);
    summary
}

fn stream(design: &dyn Design, name: &str) -> usize {
    design.streams().iter().position(|stream| stream.name == name).expect("a stream")
}

#[test]
fn every_preset_is_equal_and_meets_every_corner() {
    for preset in ["tiny", "fpga", "paper"] {
        for seed in [1, 2] {
            let design = design(preset);
            let plan = Plan { requests: 100_000, seed, stream: 0, stalls: Stalls::Random };
            let summary = equal(&*design, Backend::Native, &plan);
            let missed: Vec<_> = summary.missed().map(|corner| corner.name).collect();
            assert!(missed.is_empty(), "{preset}, seed {seed}: not met: {missed:?}");
        }
    }
}

#[test]
fn every_stream_is_equal_with_and_without_stalls() {
    let design = design("tiny");
    for stream in 0..design.streams().len() {
        for stalls in [Stalls::None, Stalls::Random] {
            let plan = Plan { requests: 30_000, seed: 5, stream, stalls };
            equal(&*design, Backend::Native, &plan);
        }
    }
}

#[test]
fn verilated_and_native_runs_are_the_same_run() {
    let missing = std::process::Command::new("verilator").arg("--version").output().is_err();
    if missing {
        assert!(
            std::env::var_os("CI").is_none(),
            "verilator is missing: apt-get install verilator"
        );
        eprintln!("skipped: verilated_and_native_runs_are_the_same_run: verilator is missing");
        return;
    }
    for preset in ["tiny", "fpga", "paper"] {
        let design = design(preset);
        let plan = Plan { requests: 50_000, seed: 11, stream: 0, stalls: Stalls::Random };
        let native = equal(&*design, Backend::Native, &plan);
        let verilated = equal(&*design, Backend::Verilator, &plan);
        assert_eq!(native.clocks, verilated.clocks, "{preset}: the same clock for every transfer");
    }
}

#[test]
fn one_request_is_accepted_per_clock_when_nothing_stalls() {
    for preset in ["tiny", "fpga", "paper"] {
        let design = design(preset);
        for name in ["mixed", "random", "same-set", "same-block"] {
            let stream = stream(&*design, name);
            let plan = Plan { requests: 20_000, seed: 3, stream, stalls: Stalls::None };
            let rate = equal(&*design, Backend::Native, &plan).clocks_per_request;
            assert_eq!(rate, 1.0, "{preset}, {name}: {rate} clocks per request");
        }
    }
}

#[test]
fn an_invalidation_comes_five_clocks_after_its_request_and_the_answer_six() {
    let design = design("tiny");
    let mut circuit = Simulator::new(&design.circuit()).expect("a circuit");
    let set = |circuit: &mut Simulator, port: &str, width, value| {
        circuit.set(port, Bits::new(width, value));
    };
    set(&mut circuit, "rst", 1, 1);
    circuit.clock();
    set(&mut circuit, "rst", 1, 0);
    set(&mut circuit, "inv_ready", 1, 1);
    set(&mut circuit, "resp_ready", 1, 1);
    (0..8).for_each(|_| circuit.clock());
    assert_eq!(circuit.get("init_done"), Bits::new(1, 1));

    // A load by GPM 1, then a local store to the same block, in consecutive clocks.
    let (mut invalidation, mut answers) = (None, Vec::new());
    for clock in 0..12 {
        set(&mut circuit, "req_valid", 1, u64::from(clock < 2));
        set(&mut circuit, "req_op", 3, clock.min(1));
        set(&mut circuit, "req_source_kind", 2, 1 - clock.min(1));
        set(&mut circuit, "req_source_index", 2, 1);
        circuit.clock();
        if circuit.get("inv_valid") == Bits::new(1, 1) {
            invalidation = Some(clock);
        }
        if circuit.get("resp_valid") == Bits::new(1, 1) {
            answers.push(clock);
        }
    }
    assert_eq!(invalidation, Some(1 + 5), "of the store, accepted in clock 1");
    assert_eq!(answers, [6, 1 + 6]);
}
