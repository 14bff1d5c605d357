//! `warpsmith replay`: a memory system driven by a list of accesses.

mod support;

use std::fs;

use serde_json::Value;
use support::{Scratch, run, schema};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/traces/ping_pong.trace");

fn replayed(trace: &str, more: &[&str]) -> Value {
    let ended = run(&Scratch::new(), &[&["replay", trace, "--json"], more].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    schema::document(&ended)
}

#[test]
fn the_example_goes_from_gpu_to_gpu_and_hits_where_it_says() {
    let record = replayed(EXAMPLE, &["--preset", "small", "--system", "hmg"]);
    let statistics = &record["statistics"];
    assert_eq!(statistics["l1"]["hits"], 1, "{record}");
    assert_eq!((&record["accesses"], &record["answers"]), (&8.into(), &5.into()));
    assert!(statistics["traffic"]["between_gpus"].as_u64() > Some(300), "{record}");
    // The last line of the trace is not begun before its clock.
    assert!(record["clocks"].as_u64() > Some(2000), "{record}");
}

#[test]
fn a_seed_gives_one_run_and_another_seed_another() {
    let of =
        |seed: &str| replayed(EXAMPLE, &["--preset", "small", "--perturb", seed])["clocks"].clone();
    assert_eq!(of("1"), of("1"));
    assert!((2..6).any(|seed| of("1") != of(&seed.to_string())));
}

/// A core keeps so many loads in flight: with one, each waits for the one before.
#[test]
fn loads_overlap_as_far_as_they_may() {
    let scratch = Scratch::new();
    let line = |at: u32| format!("0 0 load {:#x} 128\n", at * 4096);
    let trace = scratch.path("loads.trace");
    fs::write(&trace, (0..32).map(line).collect::<String>()).expect("writable");
    let trace = trace.to_str().expect("a path of ours");
    let clocks = |most: &str| {
        let record = replayed(trace, &["--preset", "hmg_4x4", "--outstanding", most]);
        record["clocks"].as_u64().expect("a number")
    };
    assert!(clocks("1") > 8 * clocks("64"), "{} and {}", clocks("1"), clocks("64"));
}

#[test]
fn a_malformed_line_is_named_with_what_is_accepted() {
    let scratch = Scratch::new();
    for (line, words) in [
        ("0 0 load 0x1000", "`load` with 1 words after it"),
        ("0 0 load 0x1000 3", "3 bytes"),
        ("0 0 load 0x1001 4", "no multiple of 4"),
        ("0 0 load 0xffffffffffffffff 1", "addresses below"),
        ("0 99 load 0x1000 4", "no core 99"),
        ("0 0 release world", "no scope world"),
        ("x 0 load 0x1000 4", "clock `x`"),
        ("# nothing", "no operation"),
    ] {
        let file = scratch.path("mine.trace");
        fs::write(&file, format!("{line}\n")).expect("writable");
        let ended = run(&scratch, &["replay", "mine.trace", "--preset", "small"]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{line}: {ended:?}");
        let is_told = ended.stderr.contains("mine.trace:1: ") && ended.stderr.contains(words);
        assert!(is_told && ended.stderr.contains("accepted"), "{line}: {}", ended.stderr);
    }
}
