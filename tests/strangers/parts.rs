//! A part of the user's Verilog that is a block of its own is tested alone too.

use std::path::Path;

use serde_json::Value;

use super::support::{Scratch, needs_verilator, run, schema};

/// A run of a stream of loads only, with changed modules of the validation unit.
fn loads(scratch: &Scratch, changed: &[(&str, &str, &str)], code: i32) -> Value {
    let arguments = "cosim getm_validation --stream loads --requests 20000 --ours all --json";
    let mut arguments: Vec<_> = arguments.split(' ').map(str::to_string).collect();
    for (file, from, to) in changed {
        let emitted = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl-out/getm_validation/tiny");
        let text = std::fs::read_to_string(emitted.join(file)).expect("emitted Verilog");
        assert!(text.contains(from), "{file}: {from}");
        std::fs::write(scratch.path(file), text.replace(from, to)).expect("a file");
        arguments.extend(["--dut".to_string(), file.to_string()]);
    }
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let ended = run(scratch, &arguments);
    assert_eq!(ended.code, code, "{ended:?}");
    schema::document(&ended)
}

#[test]
fn what_the_whole_does_not_bring_about_in_a_part_is_found_of_the_part_alone() {
    if !needs_verilator("what_the_whole_does_not_bring_about_in_a_part") {
        return;
    }
    let scratch = Scratch::new();
    // With loads only, nothing is released.
    let fault = ("getm_metadata.v", "wire releases = ", "wire releases = 1'b0 & ");
    let report = loads(&scratch, &[fault], 1);
    assert_eq!((&report["verdict"], &report["mismatch"]), (&"mismatch".into(), &Value::Null));
    let parts = report["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 1, "the stall buffer is ours: {parts:?}");
    assert_eq!(
        (&parts[0]["instance"], &parts[0]["block"]),
        (&"metadata".into(), &"getm_metadata".into())
    );
    let found = &parts[0]["report"]["mismatch"];
    let replay = found["replay"].as_str().expect("a command");
    assert!(replay.starts_with("warpsmith cosim getm_metadata --preset tiny --set "), "{replay}");
    let replay: Vec<_> = replay.split(' ').skip(1).collect();
    assert_eq!(run(&scratch, &replay).code, 1, "{replay:?}");
}

#[test]
fn a_part_with_ports_of_its_own_is_tested_in_the_whole_only() {
    if !needs_verilator("a_part_with_ports_of_its_own_is_tested_in_the_whole_only") {
        return;
    }
    let changed = [
        ("getm_metadata.v", "req_tag", "req_label"),
        ("getm_validation.v", ".req_tag(", ".req_label("),
    ];
    let report = loads(&Scratch::new(), &changed, 0);
    let part = &report["parts"][0];
    let why = part["not_tested"].as_str().expect("a reason");
    assert!(part["report"].is_null() && why.contains("req_tag"), "{why}");
}
