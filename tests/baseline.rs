//! Baselines: every block is as recorded, and any change, for better or worse, is reported.

mod support;

use std::fs;

use serde_json::Value;
use support::{Ended, Scratch, needs, program, refused, replaced, run, run_with};
use warpsmith::flow::nextpnr;
use warpsmith::flow::yosys::YOSYS;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/baselines");

fn json(ended: &Ended) -> Value {
    support::schema::document(ended)
}

#[test]
fn every_block_is_as_recorded() {
    as_recorded("every_block_is_as_recorded", &["--changed"]);
}

#[test]
#[ignore = "nightly: minutes of place and route"]
fn every_block_is_as_recorded_placed_again() {
    as_recorded("every_block_is_as_recorded_placed_again", &[]);
}

fn as_recorded(test: &str, more: &[&str]) {
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ECP5)) {
        return;
    }
    let ended = run(&Scratch::new(), &[&["baseline", "--baselines", RECORDED], more].concat());
    if ended.code == 2 && ended.stderr.contains("is not comparable") {
        assert!(std::env::var_os("CI").is_none(), "{test}: {}", ended.stderr);
        eprintln!("skipped: {test}: {}", ended.stderr);
        return;
    }
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn a_change_beyond_its_tolerance_is_noticed_whether_better_or_worse() {
    let test = "a_change_beyond_its_tolerance_is_noticed_whether_better_or_worse";
    if !needs(test, &YOSYS) {
        return;
    }
    let scratch = Scratch::new();
    let baseline = ["baseline", "hmg_directory", "--target", "xc7"];
    let baseline = |more: &[&str]| run(&scratch, &[&baseline[..], more].concat());
    let recorded = baseline(&["--record", "--preset", "tiny", "--seeds", "1"]);
    assert_eq!(recorded.code, 0, "{recorded:?}");
    let file = scratch.path("tests/baselines/hmg_directory.xc7.toml");
    let text = fs::read_to_string(&file).expect("recorded");
    let value = |metric: &str| -> u64 {
        let table: toml::Table = text.parse().expect("TOML");
        table["metrics"][metric]["value"].as_integer().expect("a count") as u64
    };
    let kept = |metric: &str, value: u64| format!("[metrics.{metric}]\nvalue = {value}\n");
    let (lut, ff) = (value("lut"), value("ff"));

    // As if it had been larger and with fewer registers.
    replaced(&file, "tolerance_percent = 2\n", "tolerance_percent = 50\n");
    replaced(&file, &kept("lut", lut), &kept("lut", lut * 3));
    replaced(&file, &kept("ff", ff), &kept("ff", ff - 1));
    // Its Verilog is as recorded, so only a block with other Verilog is placed again.
    let unchanged = baseline(&["--changed", "--json"]);
    assert_eq!((unchanged.code, &json(&unchanged)["blocks"][0]["placed"]), (0, &false.into()));
    replaced(&file, "verilog = \"", "verilog = \"0");
    let changed = baseline(&["--changed", "--json"]);
    assert_eq!(changed.code, 1, "{changed:?}");
    assert_eq!(json(&changed)["blocks"][0]["placed"], true);
    let changes = &json(&changed)["blocks"][0]["changes"];
    let verdict = |metric: &str| {
        let change = changes.as_array().expect("changes").iter().find(|c| c["metric"] == metric);
        change.expect("the metric")["verdict"].clone()
    };
    assert_eq!((verdict("lut"), verdict("ff")), ("better".into(), "worse".into()), "{changes}");
    assert_eq!(verdict("clocks_per_request"), "same");

    // Recorded again, with an edited tolerance; then nothing differs.
    let anew = baseline(&["--record"]);
    refused(&anew, &["ff of hmg_directory", "--reason"]);
    let anew = baseline(&["--record", "--reason", "one more bit"]);
    assert_eq!(anew.code, 0, "{anew:?}");
    for words in ["BETTER", "WORSE", "0.333", "recorded"] {
        assert!(anew.stdout.contains(words), "`{words}` is missing: {}", anew.stdout);
    }
    let reason = format!("reason = \"{} before: one more bit\"\n", ff - 1);
    let whole = format!("{}tolerance_percent = 0\n", kept("ff", ff));
    let expected = text.replace("tolerance_percent = 2\n", "tolerance_percent = 50\n");
    let expected = expected.replace(&whole, &format!("{whole}{reason}"));
    assert_eq!(fs::read_to_string(&file).expect("recorded"), expected);

    // Clocks alone, without a tool: the area stays as it was written.
    replaced(&file, &kept("lut", lut), &kept("lut", lut * 3));
    replaced(
        &file,
        "[metrics.clocks_per_request]\nvalue = ",
        "[metrics.clocks_per_request]\nvalue = 1",
    );
    let clocks = baseline(&["--record", "--changed", "--json"]);
    assert_eq!((clocks.code, &json(&clocks)["blocks"][0]["placed"]), (0, &false.into()));
    let larger = expected.replace(&kept("lut", lut), &kept("lut", lut * 3));
    assert_eq!(fs::read_to_string(&file).expect("recorded"), larger);
    refused(&baseline(&["--record", "--changed", "--seeds", "2"]), &["--changed", "--seeds"]);
}

#[test]
fn a_baseline_of_another_tool_version_is_not_compared() {
    let scratch = Scratch::new();
    let yosys = program(&scratch, "yosys", "echo 'Yosys 0.99 (odd)'");
    let nextpnr = program(&scratch, "nextpnr", "echo 'nextpnr (Version 0.98)'");
    let variables = [("WARPSMITH_YOSYS", &*yosys), ("WARPSMITH_NEXTPNR_ECP5", &*nextpnr)];
    let arguments = ["baseline", "hmg_directory", "--baselines", RECORDED];
    let ended = run_with(&scratch, &arguments, &variables);
    let record = "warpsmith baseline hmg_directory --target ecp5 --record";
    refused(&ended, &["not comparable", "Yosys 0.70", "Yosys 0.99", "requirements.txt", record]);
}

#[test]
fn a_baseline_that_is_missing_or_broken_is_refused() {
    let scratch = Scratch::new();
    let arguments = ["baseline", "hmg_directory", "--baselines", "b"];
    refused(&run(&scratch, &arguments), &["b/hmg_directory.ecp5.toml", "--record"]);
    fs::create_dir(scratch.path("b")).unwrap();
    let whole = fs::read_to_string(format!("{RECORDED}/hmg_directory.ecp5.toml")).unwrap();
    let cases = [
        ("[metrics.lut]", "[metrics.luts]", "luts"),
        ("tolerance_percent = 5", "tolerance_percent = -5", "accepted: 0 or more"),
        ("seeds = ", "seeds = -", "seeds"),
        ("preset = \"fpga\"", "preset = \"huge\"", "huge"),
        ("block = ", "block = = ", "block"),
    ];
    for (from, to, word) in cases {
        fs::write(scratch.path("b/hmg_directory.ecp5.toml"), whole.replace(from, to)).unwrap();
        let yosys = program(&scratch, "yosys", "echo 'Yosys 0.99 (odd)'");
        let variables = [("WARPSMITH_YOSYS", &*yosys), ("WARPSMITH_NEXTPNR_ECP5", &*yosys)];
        refused(&run_with(&scratch, &arguments, &variables), &[word]);
    }
    refused(&run(&scratch, &["baseline", "odd"]), &["odd", "hmg_directory"]);
    refused(&run(&scratch, &["baseline", "--preset", "tiny"]), &["--record"]);
}
