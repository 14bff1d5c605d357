//! Shared by the tests of `warpsmith prove`.

use std::fs::{self, OpenOptions};
use std::io::Write;

use serde_json::Value;
use warpsmith::flow::abc::ABC;
use warpsmith::flow::prove::bounded::{SBY, YICES};
use warpsmith::flow::yosys::YOSYS;

use super::junit::suite;
use super::{Ended, Scratch, needs, replaced, run};

/// The recorded proofs, a document for each block.
pub const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proofs");

/// Whether the programs are installed; else the test is reported as skipped.
pub fn provers(test: &str) -> bool {
    needs(test, &YOSYS) && needs(test, &SBY) && needs(test, &YICES) && needs(test, &ABC)
}

/// The record printed by a run.
pub fn json(ended: &Ended) -> Value {
    super::schema::document(ended)
}

/// The command of a recorded proof: its document is BLOCK.json, or BLOCK.SEARCH.json of one search.
pub fn command(document: &str) -> Vec<&str> {
    let (block, search) = document.split_once('.').expect("a name and an extension");
    let options = match search {
        "json" => &["--timeout", "900"][..],
        "bounded.json" => &["--only", "bounded", "--depth", "16"],
        "unbounded.json" => &["--only", "unbounded", "--timeout", "900"],
        other => panic!("no such search: {other}"),
    };
    [&["prove", block, "--json"], options].concat()
}

/// A recorded proof: found again, or proven anew if something that it depends on has changed.
pub fn proof(scratch: &Scratch, document: &str, options: &[&str]) -> Ended {
    let recorded = format!("{RECORDED}/{document}");
    let ended = run(scratch, &[&command(document)[..], &["--reuse", &recorded], options].concat());
    let key = fs::read_to_string(&recorded).ok().and_then(|text| {
        let record: Value = serde_json::from_str(&text).ok()?;
        Some(record["key"].clone())
    });
    if ended.code != 2 && key != Some(json(&ended)["key"].clone()) {
        made_anew(document);
    }
    ended
}

/// Tells the end of `.ci/run` of a record whose key is another: every run makes it anew.
pub fn made_anew(record: &str) {
    let list = concat!(env!("CARGO_TARGET_TMPDIR"), "/made-anew");
    let mut list = OpenOptions::new().create(true).append(true).open(list).expect("writable");
    writeln!(list, "tests/proofs/{record}").expect("writable");
}

/// Proves the contract of a block for all time, including these assertions, and that `corners` corners can be
/// met.
#[track_caller]
pub fn is_proven(block: &str, names: &[&str], corners: usize) {
    let scratch = Scratch::new();
    let ended = proof(&scratch, &format!("{block}.json"), &["--junit", "proof.xml"]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let record = json(&ended);
    let assertions = record["assertions"].as_array().expect("a list");
    for assertion in assertions {
        assert_eq!(assertion["verdict"]["verdict"], "proven", "{assertion}");
    }
    for name in names {
        assert!(assertions.iter().any(|assertion| assertion["name"] == *name), "{name} is stated");
    }
    let covers = record["covers"].as_array().expect("a list");
    let met = covers.iter().filter(|cover| {
        assert!(cover["clock"].is_u64(), "met: {cover}");
        cover["name"].as_str().expect("a name").starts_with("properties.corner_")
    });
    assert_eq!(met.count(), corners, "{block}");
    let suite = suite(&scratch.path("proof.xml"));
    let covers = record["covers"].as_array().expect("a list");
    assert_eq!((suite.tests, suite.failures), (assertions.len() + covers.len(), 0));
}

/// Runs bounded proofs of the faulty circuit, with these files replacing emitted ones; returns the failing
/// assertions.
pub fn failing(block: &str, depth: u32, edits: &[(&str, &str)], files: &[&str]) -> Vec<String> {
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["emit", block, "--out", "out"]).code, 0);
    let path = scratch.path(&format!("out/{block}/tiny/{block}.v"));
    edits.iter().for_each(|(from, to)| replaced(&path, from, to));
    let clocks = depth.to_string();
    let mut arguments =
        vec!["prove", block, "--ours", "all", "--dut", path.to_str().expect("a path of ours")];
    files.iter().for_each(|file| arguments.extend(["--dut", file]));
    arguments.extend(["--only", "bounded", "--depth", &clocks, "--json"]);
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 1, "a fault is exit code 1: {}{}", ended.stdout, ended.stderr);
    let record = json(&ended);
    let assertions = record["assertions"].as_array().expect("a list").iter();
    let fails = assertions.filter(|assertion| assertion["verdict"]["verdict"] == "fails");
    fails
        .map(|assertion| {
            let trace = assertion["verdict"]["trace"].as_str().expect("a trace");
            let folder = record["folder"].as_str().expect("a folder");
            assert!(std::path::Path::new(folder).join(trace).exists(), "{trace} is there");
            assert!(assertion["verdict"]["clock"].as_u64().expect("a clock") < u64::from(depth));
            assertion["name"].as_str().expect("a name").to_string()
        })
        .collect()
}

/// Asserts that the faulty circuit breaks the rule within `depth` clocks.
#[track_caller]
pub fn assert_fails(block: &str, depth: u32, edits: &[(&str, &str)], rule: &str) {
    let failing = failing(block, depth, edits, &[]);
    assert!(failing.iter().any(|name| name == rule), "{rule} should fail: {failing:?}");
}
