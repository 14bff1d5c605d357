//! `warpsmith transactions` from the outside.

mod support;

use serde_json::Value;
use support::{Ended, Scratch, run};

fn transactions(arguments: &[&str]) -> Ended {
    run(&Scratch::new(), &[&["transactions"], arguments].concat())
}

fn report(arguments: &[&str]) -> Value {
    let ended = transactions(&[arguments, &["--preset", "fpga", "--json"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    support::schema::document(&ended)
}

#[test]
fn every_workload_of_the_paper_prints_the_figures_of_its_trace() {
    let report = report(
        &"--cores 4 --warps 32 --concurrency 8 --lanes 8 --transactions 4 --partitions 3 --latency 20 \
          --back-off 20"
            .split_whitespace()
            .collect::<Vec<_>>(),
    );
    assert_eq!(report["serializable"], true);
    let traces = report["traces"].as_array().expect("traces");
    assert_eq!(traces.len(), 4);
    for trace in traces {
        assert_eq!(trace["committed"], 32 * 8 * 4, "{trace}");
        let access = trace["metadata_accesses"]["mean_clocks"].as_f64().expect("a mean");
        assert!((1.0..1.1).contains(&access), "{trace}");
    }
    let of = |name: &str| traces.iter().find(|trace| trace["workload"] == name).expect("a trace");
    let high = of("hash_high");
    assert!(high["most_queued_addresses"].as_u64() >= Some(1), "{high}");
    assert!(high["requests_per_address"].as_f64() >= Some(1.0), "{high}");
    // Among the hash tables the largest has the fewest aborts.
    let aborts = |trace: &Value| {
        let reasons = trace["aborts"].as_object().expect("reasons").values();
        reasons.map(|count| count.as_u64().expect("a count")).sum::<u64>()
    };
    assert!(aborts(high) > 2 * aborts(of("hash_low")), "{high}");
}

#[test]
fn a_seed_decides_the_run() {
    let clocks = |seed: &str| {
        let size = ["--warps", "20", "--lanes", "4", "--workload", "bank", "--seed", seed];
        report(&size)["traces"][0]["clocks"].clone()
    };
    assert_eq!(clocks("5"), clocks("5"));
    assert_ne!(clocks("5"), clocks("6"));
}

#[test]
fn short_timestamps_roll_over() {
    let size = ["--warps", "40", "--lanes", "4", "--transactions", "5", "--workload", "hash_high"];
    let report = report(&[&size[..], &["--set", "timestamp_bits=10"]].concat());
    assert!(report["traces"][0]["roll_overs"].as_u64() > Some(2), "{report}");
}

#[test]
fn what_cannot_run_is_refused() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let ended = transactions(arguments);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    };
    refused(&["--workload", "queue"], &["queue", "all, hash_high"]);
    refused(&["--preset", "tiny"], &["granule of 2 bytes", "8 to 128"]);
    refused(&["--set", "faithful=true"], &["faithful"]);
    refused(&["--set", "owner_bits=4"], &["--warps 720", "16 warps"]);
    refused(&["--set", "write_count_bits=1"], &["write_count_bits", "2 to 16"]);
    let short = ["--preset", "fpga", "--set", "owner_bits=6", "--set", "timestamp_bits=7"];
    refused(&[&short[..], &["--warps", "64"]].concat(), &["--warps 64", "63 warps"]);
    refused(&["--warps", "4097"], &["4097", "1..=4096"]);
    refused(&["--lanes", "65"], &["65", "1..=64"]);
    refused(&["--begins", "now"], &["now", "after-core, after-warp"]);
    refused(&["--transactions", "65537"], &["65537", "1..=65536"]);
    refused(&["--set", "address_bits=16"], &["23040 transactions", "hash_high", "16 bits"]);
    refused(&["--commit-dut", "none.v"], &["--commit-dut: ", "none.v"]);
}
