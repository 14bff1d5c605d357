//! `warpsmith transactions` from the outside.

mod support;

use serde_json::Value;
use support::{Ended, Scratch, broken_validation_unit, needs_verilator, run};

fn transactions(arguments: &[&str]) -> Ended {
    run(&Scratch::new(), &[&["transactions", "--size", "small"], arguments].concat())
}

fn report(arguments: &[&str]) -> Value {
    let ended = transactions(&[arguments, &["--json"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    support::schema::document(&ended)
}

#[test]
fn every_workload_of_the_paper_prints_what_its_validation_units_count() {
    let report = report(&["--metadata-clocks"]);
    assert_eq!((&report["correct"], &report["system"]), (&true.into(), &"getm".into()));
    assert_eq!(report["metadata_entries"], serde_json::json!([6144, 1536]));
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 9);
    let count = |run: &Value, name: &str| run["transactions"]["units"][name].as_u64();
    for run in runs {
        assert!(run["transactions"]["commits"].as_u64() > Some(0), "{run}");
        let metadata = &run["transactions"]["units"]["metadata"];
        let [requests, clocks] = ["requests", "clocks"].map(|name| metadata[name].as_f64());
        let mean = clocks.expect("clocks") / requests.expect("requests");
        assert!((1.0..1.1).contains(&mean), "{mean}: {run}");
    }
    let of = |name: &str| runs.iter().find(|run| run["workload"] == name).expect("a run");
    let high = of("hash_high");
    let accesses = count(high, "queued_access_clocks");
    assert!(count(high, "most_queued_addresses") >= Some(2), "{high}");
    assert!(accesses > count(high, "queued_address_clocks"), "nobody waits twice: {high}");
}

#[test]
fn contention_makes_transactions_abort_and_wait() {
    let run = |workload| report(&["--workload", workload])["runs"][0]["transactions"].clone();
    let [high, low] = ["hash_high", "hash_low"].map(run);
    let waits = |run: &Value| run["units"]["queued_access_clocks"].as_u64().expect("a count");
    assert!(waits(&high) > 2 * waits(&low), "{high} {low}");
    // Lanes that meet in the table of owners abort in both.
    let aborts = |run: &Value| {
        let reasons = run["aborts"].as_object().expect("reasons").iter();
        let by_units = reasons.filter(|(why, _)| *why != "LANE");
        by_units.map(|(_, count)| count.as_u64().expect("a count")).sum::<u64>()
    };
    assert!(aborts(&high) > aborts(&low), "{high} {low}");
}

#[test]
fn a_seed_decides_the_run() {
    let clocks = |seed: &str| {
        report(&["--workload", "bank", "--perturb", seed])["runs"][0]["cycles"].clone()
    };
    assert_eq!(clocks("5"), clocks("5"));
    assert_ne!(clocks("5"), clocks("6"));
}

#[test]
fn short_timestamps_roll_over_beside_the_circuits_of_the_ring() {
    let report = report(&[
        "--workload",
        "hash_high",
        "--set",
        "timestamp_bits=13",
        "--rtl",
        "getm_rollover_ring",
    ]);
    let run = &report["runs"][0];
    assert!(run["transactions"]["roll_overs"].as_u64() > Some(2), "{report}");
    assert!(run["compared_transfers"].as_u64() > Some(60), "{report}");
}

/// Tables of so few entries that nearly all times are those of evicted granules, and no pause.
const OVERESTIMATES: [&str; 16] = [
    "--workload",
    "bank",
    "--concurrency",
    "0",
    "--set",
    "back_off=0",
    "--set",
    "patience=200000",
    "--set",
    "ways=1",
    "--set",
    "rows_per_way=2",
    "--set",
    "bloom_ways=1",
    "--set",
    "bloom_rows=2",
];

#[test]
fn transactions_that_abort_each_other_for_ever_end_because_one_runs_alone() {
    let never = transactions(&[&OVERESTIMATES[..], &["--set", "alone_after=0"]].concat());
    assert_eq!(never.code, 1, "{never:?}");
    let found = "no transaction has committed for 200000 clocks";
    assert!(never.stdout.contains(found), "{never:?}");
    let alone = |more: &[&str]| {
        let run = report(&[&OVERESTIMATES, more].concat())["runs"][0].clone();
        run["transactions"]["alone"].as_u64().expect("it is counted")
    };
    assert!(alone(&[]) > 0);
    assert_eq!(alone(&["--faithful"]), 0);
}

#[test]
fn broken_verilog_in_the_place_of_a_unit_is_found_beside_its_reference() {
    if !needs_verilator("broken_verilog_in_the_place_of_a_unit_is_found_beside_its_reference") {
        return;
    }
    let scratch = Scratch::new();
    let file = broken_validation_unit(&scratch);
    let place = ["--rtl", "getm_validation@partition0", "--validation-dut", &file, "--ours", "all"];
    let ended = transactions(&[&["--workload", "hash_high"], &place[..]].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    for word in ["kernel hash_table_tx", "partition 0", "getm_validation", "store to 0x"] {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
}

#[test]
fn what_cannot_run_is_refused() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let ended = transactions(arguments);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{arguments:?}: {ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    };
    refused(&["--workload", "queue"], &["queue", "all, hash_high"]);
    refused(&["--system", "tm"], &["tm", "warptm-el"]);
    refused(&["--system", "warptm", "--metadata-clocks"], &["--metadata-clocks", "warptm", "getm"]);
    refused(&["--preset", "tiny"], &["tiny", "getm_15"]);
    refused(&["--concurrency", "4097"], &["4097", "0..=4096"]);
    refused(&["--set", "rows=4"], &["rows=4", "rows_per_way"]);
    refused(&["--set", "ways"], &["--set ways", "NAME=VALUE"]);
    refused(&["--set", "ways=9"], &["transactions.ways", "9", "1 to 8"]);
    refused(&["--set", "ways=many"], &["ways=many", "a whole number from 0 to 4294967295"]);
    refused(&["--set", "ways=4294967296"], &["ways is 4294967296", "to 4294967295"]);
    refused(&["--set", "seed=18446744073709551615"], &["seed", "from 0 to 9223372036854775807"]);
    refused(&["--set", "faithful=3"], &["faithful is 3", "true or false"]);
    refused(&["--set", "validation_mhz=fast"], &["validation_mhz", "a number"]);
    refused(&["--set", "timestamp_bits=7"], &["timestamp_bits", "7", "to 48"]);
    refused(&["--set", "granule_bytes=8"], &["granule_bytes", "16 to 128"]);
    refused(&["--set", "concurrency=4"], &["concurrency=4", "--concurrency"]);
    for option in [&["--set", "ways=3"][..], &["--faithful"], &["--concurrency", "2"]] {
        refused(&[&["--system", "locks"], option].concat(), &[option[0], "locks", "warptm-el"]);
    }
    refused(&["--system", "warptm", "--rtl", "getm_commit"], &["warptm", "no place"]);
    refused(&["--rtl", "getm_commit@partition6"], &["partition6", "getm_commit@partition0 to 5"]);
    refused(&["--commit-dut", "none.v"], &["--commit-dut: ", "none.v"]);
    refused(&["--validation-dut", "v.v", "--system", "eapg"], &["v.v", "eapg", "no place"]);
}
