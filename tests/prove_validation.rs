//! The contract of the validation unit is proven except for two rules, which hold for some clocks; each of
//! the other rules fails for some fault. An ideal table in the place of the metadata table answers in the
//! next clock, so that few clocks suffice.

mod support;

use support::Scratch;
use support::prove::{failing, json, proof, provers};

const IDEAL_TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/handwritten/getm_metadata.v");

/// Asserts that a fault of the circuit breaks these rules.
#[track_caller]
fn breaks(what: &str, (from, to): (&str, &str), depth: u32, rules: &[&str]) {
    if !provers(what) {
        return;
    }
    let failing = failing("getm_validation", depth, &[(from, to)], &[IDEAL_TABLE]);
    for rule in rules {
        let rule = format!("properties.{rule}");
        assert!(failing.contains(&rule), "{what}: {rule} should fail: {failing:?}");
    }
}

#[test]
fn the_contract_of_the_validation_unit_holds_for_some_clocks() {
    if !provers("the validation unit") {
        return;
    }
    let ended = proof(&Scratch::new(), "getm_validation.bounded.json", &[]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let record = json(&ended);
    let assertions = record["assertions"].as_array().expect("a list");
    // The assumptions about the table are asserted of the real one here.
    let of_the_table = "properties.part_metadata_reserved_exact";
    for name in ["properties.answered_once", "properties.nobody_stranded", of_the_table] {
        assert!(assertions.iter().any(|assertion| assertion["name"] == name), "{name} is stated");
    }
    for assertion in assertions {
        assert_eq!(assertion["verdict"]["verdict"], "bounded", "{assertion}");
        assert_eq!(assertion["verdict"]["clocks"], 16, "{assertion}");
    }
}

#[test]
fn all_but_two_rules_are_proven_given_the_contract_of_the_table() {
    if !provers("rules of the validation unit for all time") {
        return;
    }
    let ended = proof(&Scratch::new(), "getm_validation.unbounded.json", &[]);
    assert_eq!(ended.code, 1, "the rest is open: {}{}", ended.stdout, ended.stderr);
    let record = json(&ended);
    let assertions = record["assertions"].as_array().expect("a list");
    let proven = [
        "issued_as_taken",
        "answered_once",
        "later_start",
        "within_reach",
        "load_in_time",
        "store_in_time",
        "owner_succeeds",
        "waits_for_owner",
        "release_counted",
        "cleared_unreserved",
        "rolls_over",
    ];
    for rule in proven {
        let name = format!("properties.{rule}");
        let found = assertions.iter().find(|assertion| assertion["name"] == *name);
        let verdict = &found.unwrap_or_else(|| panic!("{name} is stated"))["verdict"];
        assert_eq!(verdict["verdict"], "proven", "{rule}");
        let by = verdict["by"].as_str().expect("an argument");
        assert!(by.ends_with("given the contract of getm_metadata"), "{rule}: {by}");
    }
}

#[test]
fn a_store_validated_as_a_load_breaks_the_rules_of_isolation() {
    let edit = ("(access_store ? 2'd1 : 2'd0)", "2'd0");
    let rules = ["load_in_time", "store_in_time", "cleared_unreserved", "answered_once"];
    breaks("a store validated as a load", edit, 10, &rules);
}

#[test]
fn a_release_of_another_count_is_miscounted_and_others_wait_for_nobody() {
    let edit = ("wire [1:0] issues_count = written_count;", "wire [1:0] issues_count = 2'd1;");
    breaks("a release of another count", edit, 8, &["release_counted", "waits_for_owner"]);
}

#[test]
fn an_owner_that_is_taken_for_another_does_not_succeed() {
    let edit = (".req_warp(issues_warp)", ".req_warp(1'b0)");
    breaks("an owner taken for another", edit, 8, &["owner_succeeds"]);
}

#[test]
fn an_access_that_is_shown_as_another_was_not_taken() {
    let edit = ("assign issued_store = shown_store;", "assign issued_store = 1'b0;");
    breaks("an access shown as another", edit, 5, &["issued_as_taken"]);
}

#[test]
fn an_abort_that_reports_the_earlier_time_starts_too_early() {
    let edit =
        ("(metadata_resp_rts < metadata_resp_wts)", "(metadata_resp_rts > metadata_resp_wts)");
    breaks("the earlier time reported", edit, 8, &["later_start"]);
}

#[test]
fn an_access_that_enters_while_the_unit_is_stopped_is_no_roll_over() {
    let edit = ("~stopped & can_answer;", "can_answer;");
    breaks("an access while stopped", edit, 6, &["rolls_over"]);
}

#[test]
fn requests_that_are_taken_without_a_place_are_more_than_can_be_remembered() {
    let edit = ("assign request_room = request_in_ready;", "assign request_room = 1'b1;");
    breaks("requests taken without a place", edit, 8, &["within_reach"]);
}
