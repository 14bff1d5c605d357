//! Relativistic coherence at the command line: kernels with the circuit in all banks of the L2, logical time in profiles.

#[path = "sequential_consistency/by_hand.rs"]
mod by_hand;
mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use by_hand::{ByHand, OLD, machine};
use serde_json::Value;
use support::{Ended, Scratch, needs_verilator, refused, replaced, run, schema};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::memory::RtlSettings;
use warpsmith::gpu::systems::relativistic::SEQUENTIAL;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::relativistic_l2::Params;
use warpsmith_rtl::verilog::{EmitOptions, emit};
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::dut::Dut;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels");

fn run_kernel(scratch: &Scratch, kernel: &str, more: &[&str]) -> Ended {
    let [module, launch] = ["ptx", "toml"].map(|kind| format!("{FOLDER}/{kernel}.{kind}"));
    let machine = ["--preset", SEQUENTIAL.small, "--system", SEQUENTIAL.name];
    run(scratch, &[&["run", &module, "--launch", &launch], &machine[..], more].concat())
}

/// Every kernel that has a launch file.
fn kernels() -> BTreeSet<String> {
    let files = std::fs::read_dir(FOLDER).expect("kernels");
    let paths = files.map(|file| file.expect("a file").path());
    let launches = paths.filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
    launches.map(|path| path.file_stem().expect("a name").display().to_string()).collect()
}

/// Runs a kernel with the circuit in all banks; the transfers that were compared.
fn compared(kernel: &str, more: &[&str]) -> u64 {
    let scratch = Scratch::new();
    let rtl = ["--rtl", "relativistic_l2", "--json"];
    let ended = run_kernel(&scratch, kernel, &[&rtl[..], more].concat());
    assert_eq!(ended.code, 0, "{kernel} {more:?}: {ended:?}");
    let report = schema::document(&ended);
    assert_eq!(report["as_expected"], true, "{kernel}");
    let compared = report["timing"]["compared_transfers"].as_u64().expect("a count");
    println!("{kernel} {more:?}: {compared} transfers compared");
    compared
}

#[test]
fn kernels_end_right_with_rtl_in_all_banks() {
    for kernel in ["vector_add", "bank_transfer", "hash_insert"] {
        assert!(compared(kernel, &["--perturb", "1"]) > 100, "{kernel}");
    }
}

#[test]
#[ignore = "nightly: every kernel"]
fn every_kernel_ends_right_with_rtl_in_all_banks() {
    let all = kernels();
    assert!(all.len() > 15, "{all:?}");
    // Its transactions need a system that has them.
    for kernel in all.iter().filter(|kernel| *kernel != "hash_insert_tx") {
        for more in [&[][..], &["--perturb", "1"], &["--perturb", "2"]] {
            assert!(compared(kernel, more) > 20, "{kernel}");
        }
    }
}

/// The Verilog of a bank of a machine, in which a store comes at the end of the last lease, not after it.
fn broken_bank(scratch: &Scratch, config: &Config) -> PathBuf {
    let (l2, leases) = (&config.l2, &config.leases);
    let (_, paper) = Params::presets().into_iter().find(|it| it.0 == "paper").expect("a preset");
    let params = Params {
        cores: config.machine.cores(),
        sets: l2.bytes / (l2.banks * l2.ways * 128),
        ways: l2.ways,
        mshrs: leases.mshrs,
        timestamp_bits: leases.timestamp_bits,
        lease_min: leases.lease_min,
        lease_doublings: leases.lease_doublings,
        ..paper
    };
    let files = emit(&params.circuit(), &EmitOptions::default()).expect("no two modules of a name");
    let top = files.into_iter().find(|file| file.file_name() == "relativistic_l2.v");
    let path = scratch.path("mine.v");
    std::fs::write(&path, top.expect("the top module").text).expect("writable");
    replaced(&path, "(stage5_found_exp + 5'd1)", "stage5_found_exp");
    path
}

#[test]
fn a_fault_in_an_emitted_bank_is_found_while_a_kernel_runs() {
    if !needs_verilator("a_fault_in_an_emitted_bank_is_found_while_a_kernel_runs") {
        return;
    }
    let scratch = Scratch::new();
    let config = Config::preset(SEQUENTIAL.small).expect("a preset");
    let file = broken_bank(&scratch, &config).display().to_string();
    let rtl = ["--rtl", "relativistic_l2", "--dut", &file, "--ours", "all", "--perturb", "1"];
    let ended = run_kernel(&scratch, "life", &rtl);
    assert_eq!(ended.code, 1, "{ended:?}");
    for words in ["kernel life", "relativistic_l2@bank", "`resp` expected", "ver=0x01"] {
        assert!(ended.stdout.contains(words), "`{words}` is missing: {}", ended.stdout);
    }
}

/// Without a reference beside the circuit: message passing, to a core that has a copy of the data.
#[test]
fn a_fault_in_an_emitted_bank_is_found_by_the_oracle() {
    if !needs_verilator("a_fault_in_an_emitted_bank_is_found_by_the_oracle") {
        return;
    }
    let (scratch, config) = (Scratch::new(), machine(1, false));
    let mut dut = Dut::of_files(&[broken_bank(&scratch, &config)]);
    dut.ours = vec!["all".into()];
    for (dut, data) in [(None, 1), (Some(dut), OLD)] {
        let is_broken = dut.is_some();
        let places = vec!["relativistic_l2".into()];
        let rtl = RtlSettings { places, backend: Backend::Native, dut, shadow: false };
        let mut room = ByHand::with_rtl(&config, &[rtl]);
        let (writer, reader) = ([0, 0], [1, 0]);
        assert_eq!(room.load(reader, 0), OLD);
        assert_eq!(room.store(writer, 0, 1), if is_broken { 1 } else { 2 });
        room.store(writer, 1, 1);
        assert_eq!([1, 0].map(|word| room.load(reader, word)), [1, data]);
        let told = room.judged();
        println!("{told:?}");
        let says = |words: &str| told.as_ref().is_some_and(|told| told.contains(words));
        assert_eq!(says("a load of words word 0 gets 0x9, not 0x1"), is_broken);
        assert_eq!(says("warp 0 of core 0 stores at logical time 1"), is_broken);
    }
}

#[test]
fn counters_and_logical_time_are_told() {
    let scratch = Scratch::new();
    let more = ["--profile", "--timeline", "t.svg"];
    let ended = run_kernel(&scratch, "bank_transfer", &[&more[..], &["--json"]].concat());
    let report = schema::document(&ended);
    let counters = &report["timing"]["counters"];
    for name in ["leases_granted", "expired_loads", "renewals", "roll_overs"] {
        assert!(counters[name].as_u64() > Some(0), "{name}: {counters}");
    }
    assert!(counters["leases_granted"].as_u64() > counters["renewals"].as_u64(), "{counters}");
    let times = report["profile"]["timeline"]["logical_time"].as_array().expect("by core");
    assert_eq!(times.len(), 4);
    // Of two CTAs, on two cores.
    let busy = times.iter().filter_map(Value::as_array).filter(|times| !times.is_empty());
    assert_eq!(busy.clone().count(), 2);
    for times in busy {
        let times: Vec<_> = times.iter().flat_map(Value::as_u64).collect();
        // Times have 5 bits, and fall only when time rolls over.
        assert!(times.iter().all(|time| *time < 32) && times.iter().any(|time| *time > 0));
        let falls = times.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
        assert!(Some(falls) <= counters["roll_overs"].as_u64(), "{times:?}");
    }
    let svg = std::fs::read_to_string(scratch.path("t.svg")).expect("the timeline");
    assert!(svg.contains("logical time of each core") && svg.contains("core 3"));
    let ended = run_kernel(&scratch, "bank_transfer", &more);
    for name in ["leases_granted", "expired_loads", "renewals", "roll_overs"] {
        assert!(ended.stdout.contains(name), "{name}: {}", ended.stdout);
    }
    // Others have no such time.
    let [module, launch] = ["ptx", "toml"].map(|kind| format!("{FOLDER}/vector_add.{kind}"));
    let ended = run(&scratch, &["run", &module, "--launch", &launch, "--timeline", "other.svg"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let svg = std::fs::read_to_string(scratch.path("other.svg")).expect("the timeline");
    assert!(!svg.contains("logical time"));
}

#[test]
fn show_prints_the_tables_of_the_protocol() {
    let scratch = Scratch::new();
    let shown = run(&scratch, &["show", "relativistic-sc"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    for words in [
        "L1 of a core",
        "| load | GETS{now, lease of the old copy}; to IV | hit |",
        "Bank of the L2",
        "| IAV | waits | waits | waits | never |",
        "| `timestamp_bits` | 32 (3.4.4) | 4 to 48 |",
        "small_relativistic: relativistic_l2@bank0 to 1",
        "roll-without-drain",
    ] {
        assert!(shown.stdout.contains(words), "`{words}` is missing: {}", shown.stdout);
    }
    let document = schema::document(&run(&scratch, &["show", "relativistic-sc", "--json"]));
    let errors = document["planted_errors"].as_array().expect("names");
    assert_eq!(errors.len(), SEQUENTIAL.errors.len());
    assert!(document["tables"].as_str().is_some_and(|tables| shown.stdout.contains(tables)));
    let unknown = run(&scratch, &["show", "relativistic"]);
    refused(
        &unknown,
        &["`relativistic`", "hmg_directory", "memory systems are:", "relativistic-sc"],
    );
}
