//! A mismatch: its replay file, its counts, and a soak that finds it.

use quick_junit::NonSuccessKind;
use serde_json::Value;

use crate::json;
use crate::support::junit::{messages, suite};
use crate::support::{Scratch, needs_verilator, refused, replaced, run};

#[test]
fn a_mismatch_is_replayed_from_its_file() {
    if !needs_verilator("a_mismatch_is_replayed_from_its_file") {
        return;
    }
    let scratch = Scratch::new();
    run(&scratch, &["emit", "hmg_directory", "--out", "out"]);
    let dut = "out/hmg_directory/tiny/hmg_directory.v";
    replaced(&scratch.path(dut), "= sharers_hit & ~stage4_source;", "= sharers_hit;");
    let junit = ["--junit", "out/junit.xml"];
    let ended = run(
        &scratch,
        &[&["cosim", "hmg_directory", "--ours", "all", "--dut", dut], &junit[..]].concat(),
    );
    assert_eq!(ended.code, 1, "{ended:?}");
    let failures = messages(&suite(&scratch.path(junit[1])), NonSuccessKind::Failure);
    assert!(
        failures.len() == 1 && failures[0].contains("`inv` expected no transfer"),
        "{failures:?}"
    );
    for word in ["MISMATCH", "First divergent transfer", "Last transfers", "Registers", "replay"] {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
    assert_eq!(ended.stderr, "", "nothing of the search for a small stream is told");
    for file in ["mismatch.fst", "mismatch.dut.fst"] {
        let file = scratch.path(&format!("flow-out/cosim/hmg_directory-tiny/{file}"));
        assert!(file.metadata().is_ok_and(|file| file.len() > 200), "{file:?}");
    }
    let left = std::fs::read_dir(scratch.path(".")).expect("a folder");
    let mut left: Vec<_> = left.map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["flow-out", "out"], "nothing is strewn over the current folder");
    let file = "flow-out/cosim/hmg_directory-tiny/mismatch.json";
    let again =
        run(&scratch, &["cosim", "hmg_directory", "--ours", "all", "--dut", dut, "--replay", file]);
    assert_eq!(again.code, 1, "{again:?}");
    let ours = run(&scratch, &["cosim", "hmg_directory", "--replay", file]);
    assert_eq!(ours.code, 0, "our circuit is right on the same stream: {ours:?}");
    let other = run(&scratch, &["cosim", "hmg_directory", "--set", "ways=4", "--replay", file]);
    refused(&other, &[file, "parameters"]);
}

#[test]
fn the_counts_of_a_mismatch_are_those_of_its_channels() {
    if !needs_verilator("the_counts_of_a_mismatch_are_those_of_its_channels") {
        return;
    }
    let scratch = Scratch::new();
    run(&scratch, &["emit", "hmg_directory", "--out", "out"]);
    let dut = "out/hmg_directory/tiny/hmg_directory.v";
    // Reported by the model itself, early in the first episode.
    let text = std::fs::read_to_string(scratch.path(dut)).expect("emitted");
    let end = text.rfind("endmodule").expect("a module");
    let check =
        "always @(posedge clk) if (!rst && inv_valid && inv_sharers == 5) $error(\"five\");";
    std::fs::write(scratch.path(dut), format!("{}{check}\nendmodule\n", &text[..end])).unwrap();
    let arguments =
        ["cosim", "hmg_directory", "--ours", "all", "--dut", dut, "--out", "found", "--json"];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert_eq!(ended.stderr.matches("five").count(), 1, "told once: {}", ended.stderr);
    let report = json(&ended);
    let first = &report["mismatch"]["first"];
    assert!(first["accepted"].as_u64() > Some(0), "{report}");
    assert_eq!((&report["requests"], &report["clocks"]), (&first["accepted"], &first["clock"]));
    let channels = report["channels"].as_array().expect("channels");
    let offered = channels.iter().filter(|channel| channel["judgement"].is_null());
    let taken: u64 = offered.map(|channel| channel["transfers"].as_u64().expect("a count")).sum();
    assert_eq!(report["requests"], taken);
    let corners = report["corners"].as_array().expect("corners");
    assert!(corners.iter().any(|corner| corner["count"].as_u64() > Some(0)), "{report}");
    assert!(report["clocks_per_request"].as_f64() >= Some(1.0), "{report}");

    let soak = [
        "soak",
        "hmg_directory",
        "--preset",
        "tiny",
        "--ours",
        "all",
        "--dut",
        dut,
        "--for",
        "1h",
        "--json",
    ];
    let ended = run(&scratch, &[&soak[..], &["--requests", "50000"]].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    let soak = json(&ended);
    assert_eq!((&soak["verdict"], &soak["ended"]), (&"mismatch".into(), &"mismatch".into()));
    assert_eq!(soak["mismatch"]["replay_file"], "flow-out/soak/hmg_directory/mismatch.json");

    // The written file is accepted, but not without its offers.
    let file = "found/mismatch.json";
    assert_eq!(report["mismatch"]["replay_file"], file);
    let text = std::fs::read_to_string(scratch.path(file)).expect("written");
    let mut replay: Value = serde_json::from_str(&text).expect("JSON");
    let offers = replay["offers"].as_array_mut().expect("offers");
    assert!(!offers.is_empty());
    offers[0]["clock"] = (1u64 << 60).into();
    std::fs::write(scratch.path("late.json"), replay.to_string()).unwrap();
    refused(
        &run(&scratch, &["cosim", "hmg_directory", "--replay", "late.json"]),
        &["offer 0", "1000000"],
    );
    replay["offers"] = Value::Array(Vec::new());
    std::fs::write(scratch.path("none.json"), replay.to_string()).unwrap();
    refused(
        &run(&scratch, &["cosim", "hmg_directory", "--replay", "none.json"]),
        &["none.json", "no offers"],
    );
}

#[test]
fn a_soak_goes_on_where_it_was_interrupted() {
    let scratch = Scratch::new();
    let soak = |time: &str| {
        let arguments =
            ["soak", "hmg_directory", "--preset", "tiny", "--requests", "2000", "--json"];
        run(&scratch, &[&arguments[..], &["--for", time]].concat())
    };
    let first = soak("1s");
    assert_eq!(first.code, 0, "{first:?}");
    let first = json(&first);
    assert_eq!((&first["ended"], &first["earlier_runs"]), (&"time".into(), &0.into()));
    assert!(first["seconds"].as_f64() >= Some(1.0), "{first}");
    let runs = first["runs"].as_u64().expect("a count");
    assert_eq!(first["presets"][0]["requests"], 2000 * runs);
    // An incomplete line is repeated; with the same time the soak ends at once.
    let journal = scratch.path("flow-out/soak/hmg_directory/soak.jsonl");
    let lines = std::fs::read_to_string(&journal).expect("a journal");
    assert_eq!(lines.lines().count() as u64, runs);
    let again = json(&soak("1s"));
    assert_eq!((&again["runs"], &again["earlier_runs"]), (&runs.into(), &runs.into()));
    let cut = &lines[..lines.len() / 2];
    std::fs::write(&journal, cut).expect("writable");
    let kept = cut.matches('\n').count() as u64;
    let more = json(&soak("2s"));
    assert_eq!(more["earlier_runs"], kept);
    assert!(more["runs"].as_u64() > Some(kept), "{more}");
    let lines = std::fs::read_to_string(&journal).expect("a journal");
    let point = |line: &str| {
        let run: Value = serde_json::from_str(line).expect("a run");
        ["stream", "stalls", "seed"].map(|field| run[field].to_string())
    };
    let mut points: Vec<_> = lines.lines().map(point).collect();
    points.sort();
    points.dedup();
    assert_eq!(points.len() as u64, more["runs"].as_u64().unwrap(), "no run is made twice");
    refused(&run(&scratch, &["soak", "hmg_directory", "--for", "soon"]), &["soon", "30m"]);
}
