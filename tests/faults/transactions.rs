//! Faults in the emitted Verilog of the validation or commit unit, found by transactions on both units
//! together.

use serde_json::Value;

use crate::support::{Scratch, needs_verilator, replaced, run};

/// A text replaced in a unit's file, and the workload that must find it.
struct Fault {
    unit: Unit,
    file: &'static str,
    edit: (&'static str, &'static str),
    workload: &'static str,
}

#[derive(Clone, Copy)]
enum Unit {
    /// With this many timestamp bits.
    Validation(u32),
    Commit,
}

const VALIDATION: Unit = Unit::Validation(24);
/// Its timestamps roll over repeatedly.
const ROLLING: Unit = Unit::Validation(14);
const COMMIT: Unit = Unit::Commit;

/// Runs transactions on the faulty unit, in every partition, without a reference beside it; returns the error found.
fn found(fault: &Fault) -> Option<String> {
    if !needs_verilator("faults") {
        return None;
    }
    let scratch = Scratch::new();
    let (block, option, set, timestamps) = match fault.unit {
        Unit::Validation(bits) => {
            let set = format!("timestamp_bits={bits}");
            ("getm_validation", "--validation-dut", set.clone(), set)
        }
        Unit::Commit => {
            let (set, default) = ("word_bytes=8", "timestamp_bits=24");
            ("getm_commit", "--commit-dut", set.to_string(), default.to_string())
        }
    };
    let emitted =
        run(&scratch, &["emit", block, "--preset", "paper", "--set", &set, "--out", "out"]);
    assert_eq!(emitted.code, 0, "{}", emitted.stderr);
    let path = scratch.path("out").join(block).join("custom").join(fault.file);
    replaced(&path, fault.edit.0, fault.edit.1);
    let dut = path.to_str().expect("a path of ours");
    let size = ["--size", "small", "--shadow", "off", "--json"];
    let set = ["--set", "patience=50000", "--set", &timestamps];
    let workload = ["transactions", option, dut, "--ours", "all", "--workload", fault.workload];
    let ended = run(&scratch, &[&workload[..], &size, &set].concat());
    assert_eq!(ended.code, 1, "a fault is exit code 1: {}{}", ended.stdout, ended.stderr);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["correct"], false);
    let error = report["runs"][0]["error"].as_str().expect("what is wrong");
    println!("{error}");
    Some(error.to_string())
}

/// Two transactions use a granule at once, one of them wrongly: which rule is first seen to be broken depends
/// on their timing.
const CONFLICT: &[&str] = &[
    "the validation unit reports error",
    "no serial execution",
    "an uncommitted store",
    "their timestamps are",
    "in plain Rust",
];
/// Nothing is released, or no warp is told.
const STUCK: &[&str] = &["no transaction has committed"];

/// Memory is told to write what was not sent so.
const UNWRITTEN: &[&str] = &["which no log has", "a part of the word"];

/// Faults: name, unit and file, text with its replacement, workload, and words of the error.
macro_rules! faults {
    ($($name:ident: $unit:expr, $file:literal, $from:literal => $to:literal, $workload:expr, $words:expr;)*) => {$(
        #[test]
        fn $name() {
            let (edit, workload) = (($from, $to), $workload);
            let fault = Fault { unit: $unit, file: $file, edit, workload };
            let Some(error) = found(&fault) else { return };
            assert!($words.iter().any(|words| error.contains(words)), "{error}");
        }
    )*};
}

faults! {
    a_store_over_a_later_write_that_goes_on: VALIDATION, "getm_validation.v",
        "assign resp_outcome = responses_outcome;" =>
        "assign resp_outcome = (responses_outcome == 3'd3) ? 3'd0 : responses_outcome;",
        "list", CONFLICT;
    a_store_over_a_later_read_that_goes_on: VALIDATION, "getm_validation.v",
        "assign resp_outcome = responses_outcome;" =>
        "assign resp_outcome = (responses_outcome == 3'd4) ? 3'd0 : responses_outcome;",
        "list", CONFLICT;
    whoever_is_to_wait_and_goes_on: VALIDATION, "getm_metadata.v",
        "assign resp_verdict = answer_verdict;" =>
        "assign resp_verdict = (answer_verdict == 3'd1) ? 3'd0 : answer_verdict;",
        "list", CONFLICT;
    waiters_that_no_release_wakes: VALIDATION, "getm_validation.v",
        "assign stall_release_valid_in = wakes | stall_release_all_in;" =>
        "assign stall_release_valid_in = stall_release_all_in;",
        "list", STUCK;
    a_roll_over_that_never_ends: ROLLING, "getm_validation.v",
        "assign rolled_go = ~says_stopped;" => "assign rolled_go = 1'b0;",
        "list", STUCK;
    a_write_too_few_that_is_released: COMMIT, "getm_commit.v",
        "assign release_count = release_buffer_count;" =>
        "assign release_count = release_buffer_count - 10'd1;",
        "hash_high", ["the validation unit reports error 1", "no transaction has committed"];
    a_byte_that_no_log_has: COMMIT, "getm_commit.v",
        "assign write_bytes = region_buffer_bytes;" =>
        "assign write_bytes = region_buffer_bytes | 32'h8;",
        "hash_high", UNWRITTEN;
    writes_to_a_granule_of_which_one_is_released: COMMIT, "getm_commit.v",
        "place1_count <= sum[9:0];" => "place1_count <= item_count;",
        "hash_high", STUCK;
    a_write_too_many_that_is_released: COMMIT, "getm_commit.v",
        "assign release_count = release_buffer_count;" =>
        "assign release_count = release_buffer_count + 10'd1;",
        "hash_high", ["writes too many", "the validation unit reports error 1"];
    a_region_at_the_wrong_address: COMMIT, "getm_commit.v",
        "assign write_address = {region_buffer_granule, 5'd0};" =>
        "assign write_address = {region_buffer_granule ^ 43'd1, 5'd0};",
        "hash_high", ["is written to", "the validation unit reports error 1"];
    a_byte_that_is_not_written: COMMIT, "getm_commit.v",
        "assign write_bytes = region_buffer_bytes;" =>
        "assign write_bytes = region_buffer_bytes & 32'hfffffff7;",
        "hash_high", UNWRITTEN;
    a_wrong_value: COMMIT, "getm_commit.v",
        "assign write_data = region_buffer_data;" =>
        "assign write_data = region_buffer_data ^ 256'd1;",
        "hash_high", UNWRITTEN;
    the_end_of_a_log_that_is_not_seen: COMMIT, "getm_commit.v",
        "|\n        {16{_item_kind_is2}});" => ");",
        "list", STUCK;
}
