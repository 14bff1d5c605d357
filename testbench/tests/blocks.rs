//! Every block beside its reference: equal in both simulators, for all presets and streams, with every corner
//! met.

mod support {
    pub mod equal;
    pub mod tools;
}

use warpsmith_rtl::simulator::{Execution, can_compile};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Summary};
use warpsmith_testbench::episode::{Episode, Source};
use warpsmith_testbench::lockstep::ports_of;

use support::equal::{design, equal};
use support::tools;

/// Every block with each of its presets.
fn designs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let presets = |block: &&'static warpsmith_blocks::block::Block| {
        let name = block.name;
        block.presets().into_iter().map(move |preset| (name, preset))
    };
    warpsmith_blocks::all().iter().flat_map(presets)
}

/// Requests after which the default stream has met every corner: at the size of the papers many memory rows
/// must be read.
fn enough_requests(block: &str, preset: &str) -> u64 {
    match (block, preset) {
        ("bloom_filter" | "hmg_directory", "paper") => 1_000_000,
        ("getm_validation", "paper") => 2_000_000,
        ("getm_metadata" | "getm_validation", "paper" | "fpga") => 1_000_000,
        ("getm_commit" | "getm_stall_buffer" | "zbuffer_commit", "paper") => 500_000,
        ("bloom_filter" | "chopin_draw_scheduler", "fpga") => 500_000,
        ("chopin_draw_scheduler", "paper") => 1_000_000,
        ("qr_write_cache", "paper" | "fpga") => 200_000,
        _ => 100_000,
    }
}

#[test]
fn every_preset_is_equal_and_small_ones_meet_every_corner() {
    for (block, preset) in designs() {
        for seed in [1, 2] {
            let design = design(block, preset);
            let plan =
                Plan { requests: 100_000, seed, stream: 0, stalls: Stalls::Random, episodes: None };
            let summary = equal(&*design, Backend::Native, &plan);
            if enough_requests(block, preset) <= plan.requests {
                all_are_met(&summary, &format!("{block}, {preset}, seed {seed}"));
            }
        }
    }
}

fn all_are_met(summary: &Summary, what: &str) {
    let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
    assert!(missed.is_empty(), "{what}: not met: {missed:?}");
}

#[test]
fn every_stream_is_equal_with_and_without_stalls() {
    for block in warpsmith_blocks::all() {
        let design = design(block.name, "tiny");
        for stream in 0..design.streams().len() {
            for stalls in [Stalls::None, Stalls::Random] {
                let plan = Plan { requests: 30_000, seed: 5, stream, stalls, episodes: None };
                equal(&*design, Backend::Native, &plan);
            }
        }
    }
}

#[test]
fn verilated_and_native_runs_are_the_same_run() {
    if !tools::verilator() {
        return;
    }
    for (block, preset) in designs() {
        let design = design(block, preset);
        let plan =
            Plan { requests: 50_000, seed: 11, stream: 0, stalls: Stalls::Random, episodes: None };
        let native = equal(&*design, Backend::Native, &plan);
        let verilated = equal(&*design, Backend::Verilator, &plan);
        assert_eq!(native.clocks, verilated.clocks, "{block}, {preset}: the same clock for each");
    }
}

#[test]
fn compiled_and_interpreted_circuits_show_the_same_ports_at_every_clock() {
    if let Err(reason) = can_compile() {
        assert!(std::env::var_os("CI").is_none(), "circuits are not compiled here: {reason}");
        println!("skipped: {reason}");
        return;
    }
    for (block, preset) in designs() {
        let design = design(block, preset);
        let circuit = design.circuit();
        let bench = Bench::new(&*design, &circuit);
        let source = Source::Stream { stream: 0, seed: 3, requests: u64::MAX };
        let straps = vec![0; bench.straps().len()];
        let (stalls, stall_seed) = (Stalls::Random, 4);
        let episode = Episode { straps: &straps, stalls, stall_seed, warm: true, source };
        let ports = |execution| {
            let mut model = Models::native(&circuit, execution).instance().expect("a model");
            ports_of(&bench, &mut *model, &episode, 2000)
        };
        let [compiled, interpreted] = [Execution::Compiled, Execution::Interpreted].map(ports);
        let differs = compiled.iter().zip(&interpreted).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{block}, {preset}: the first clock with other ports");
    }
}

/// At least `requests` requests of each preset, Verilated, with every corner met.
fn is_equal_over(requests: u64, seed: u64) {
    for (block, preset) in designs() {
        let design = design(block, preset);
        let requests = requests.max(enough_requests(block, preset));
        let plan = Plan { requests, seed, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&*design, Backend::Verilator, &plan);
        all_are_met(&summary, &format!("{block}, {preset}, seed {seed}"));
        println!("{block}, {preset}: {requests} requests, {} clocks", summary.clocks);
    }
}

#[test]
fn every_preset_meets_every_corner_in_200_thousand_to_two_million_requests() {
    if tools::verilator() {
        is_equal_over(200_000, 21);
    }
}

#[test]
#[ignore = "nightly: half an hour"]
fn every_block_is_equal_over_50_million_requests() {
    if tools::verilator() {
        is_equal_over(50_000_000, 22);
    }
}
