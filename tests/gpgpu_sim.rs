//! The preset `gtx480_gpgpusim` beside figures recorded of GPGPU-Sim 4.2.

mod support;

use serde_json::Value;
use support::{Scratch, run};
use warpsmith::gpu::config::Config;

const REDUCTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/reduction.ptx");
/// Clocks of GPGPU-Sim 4.2, SM2_GTX480, with empty caches.
const CLOCKS_OF_REDUCTION: f64 = 35_743.0;

/// The sum of a million floats.
const LAUNCH: &str = "grid = [90]\nblock = [256]\nregisters = 20\n\
    [[arguments]]\nname = \"in\"\ntype = \"f32\"\ncount = 1048576\nfill = 1.0\n\
    [[arguments]]\nname = \"sum\"\ntype = \"f32\"\ncount = 1\nexpected = 1048576.0\n\
    [[arguments]]\ntype = \"s32\"\nvalue = 1048576\n";

fn run_reduction(machine: &[&str], config: Option<&str>) -> Value {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("launch.toml"), LAUNCH).expect("writable");
    if let Some(config) = config {
        std::fs::write(scratch.path("machine.toml"), config).expect("writable");
    }
    let arguments = ["run", REDUCTION, "--launch", "launch.toml", "--json"];
    let ended = run(&scratch, &[&arguments, machine].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    serde_json::from_str(&ended.stdout).expect("JSON")
}

fn clocks(report: &Value) -> f64 {
    report["timing"]["cycles"].as_f64().expect("clocks")
}

#[test]
fn a_kernel_takes_the_clocks_that_gpgpu_sim_takes() {
    let report = run_reduction(&["--preset", "gtx480_gpgpusim"], None);
    let share = clocks(&report) / CLOCKS_OF_REDUCTION;
    assert!((0.9..1.1).contains(&share), "{share}");
    // Each sector of 32 bytes takes a burst.
    let reads = report["timing"]["statistics"]["dram"]["reads"].as_u64();
    assert!(reads.is_some_and(|reads| (131_072..131_100).contains(&reads)), "{reads:?}");
}

#[test]
fn without_sectors_memory_gives_twice_as_much() {
    let mut config = Config::preset("gtx480_gpgpusim").expect("a preset");
    config.simulator.as_mut().expect("the simulator's memory").l2.sector_bytes = 128;
    let text = toml::to_string(&config).expect("TOML");
    let report = run_reduction(&["--config", "machine.toml"], Some(&text));
    let share = clocks(&report) / CLOCKS_OF_REDUCTION;
    assert!((0.4..0.65).contains(&share), "{share}");
}

#[test]
fn a_memory_system_cannot_be_chosen_beside_that_of_the_simulator() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("launch.toml"), LAUNCH).expect("writable");
    let machine = ["--preset", "gtx480_gpgpusim", "--system", "hmg"];
    let arguments = [&["run", REDUCTION, "--launch", "launch.toml"], &machine[..]].concat();
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("--preset gtx480"), "{ended:?}");
}

#[test]
fn memories_that_cannot_be_built_are_refused_by_field() {
    let preset = include_str!("../src/gpu/config/presets/gtx480_gpgpusim.toml");
    for (from, to, field) in [
        ("sector_bytes = 32", "sector_bytes = 33", "simulator.l2.sector_bytes"),
        ("virtual_channels = 1", "virtual_channels = 0", "simulator.network.virtual_channels"),
        ("inject_flits = 9", "inject_flits = 3", "simulator.network.inject_flits"),
        ("clock_mhz = 924.0", "clock_mhz = 0.0", "dram.chips.clock_mhz"),
        ("bank_groups = 4", "bank_groups = 3", "dram.chips.timing.bank_groups"),
    ] {
        let text = preset.replacen(from, to, 1);
        let error = Config::parse(&text).expect_err("refused").to_string();
        assert!(error.contains(field), "{error}");
    }
}
