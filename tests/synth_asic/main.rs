//! `warpsmith synth --target asic`: its measurements and errors.

#[path = "../support/mod.rs"]
mod support;

mod liberty;
mod libraries;

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use support::tiny_library::TinyLibrary;
use support::{Ended, Scratch, needs, needs_verilator, program, refused, run, run_with};
use warpsmith::flow::opensta::OPENSTA;
use warpsmith::flow::yosys::YOSYS;

fn record(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{ended:?}");
    support::schema::document(ended)
}

/// `synth hmg_directory --target asic --json` with further arguments.
fn synth(scratch: &Scratch, arguments: &[&str]) -> Ended {
    run(scratch, &[&["synth", "hmg_directory", "--target", "asic", "--json"], arguments].concat())
}

fn tools(test: &str) -> bool {
    needs(test, &YOSYS) && needs(test, &OPENSTA)
}

/// Tools, and osu018 as installed by Debian.
fn tools_and_osu018(test: &str) -> bool {
    let library = Path::new("/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
    if !library.exists() {
        let why = "osu018 is missing; Debian: apt-get install qflow-tech-osu018";
        assert!(std::env::var_os("CI").is_none(), "{test}: {why}");
        eprintln!("skipped: {test}: {why}");
    }
    library.exists() && tools(test)
}

fn gzip(path: &Path, text: &str) {
    let mut file =
        GzEncoder::new(std::fs::File::create(path).expect("writable"), Compression::fast());
    file.write_all(text.as_bytes()).expect("writable");
    file.finish().expect("writable");
}

/// Writes the library to a file and returns its path.
fn write(scratch: &Scratch, name: &str, library: &TinyLibrary) -> String {
    let path = scratch.path(name);
    match name.ends_with(".gz") {
        true => gzip(&path, &library.text()),
        false => std::fs::write(&path, library.text()).expect("writable"),
    }
    path.display().to_string()
}

#[test]
fn a_preset_on_osu018_has_area_timing_and_power() {
    if !tools_and_osu018("a_preset_on_osu018_has_area_timing_and_power") {
        return;
    }
    let scratch = Scratch::new();
    let record = record(&synth(&scratch, &[]));
    assert_eq!(record["target"], "osu018_stdcells");
    assert_eq!(record["stage"], "pre_layout");
    assert_eq!(record["libraries"][0]["corner"], "typical: process 1, 1.8 V, 25 C");
    // The registers, the memories, and the data of their read ports.
    assert_eq!(record["asic"]["flip_flops"], 124 + 26 + 13, "{record}");
    assert_eq!(record["rams"][0]["mapped_to"], "flip-flops");
    assert_eq!(record["asic"]["nand2_um2"], 24.0);
    let um2 = record["asic"]["logic_um2"].as_f64().expect("an area");
    let kge = record["asic"]["kge"].as_f64().expect("gates");
    assert!((um2 / 24.0 / 1000.0 - kge).abs() < 1e-9 && kge > 1.0, "{record}");
    let cells = record["cells"].as_object().expect("cells");
    let count: u64 = cells.values().filter_map(Value::as_u64).sum();
    assert_eq!(record["asic"]["cells"], count);

    let path = &record["critical_path"];
    let period = 1000.0 / record["fmax"]["median_mhz"].as_f64().expect("a frequency");
    let delay = path["delay_ns"].as_f64().expect("a delay");
    assert!((period - delay).abs() < 1e-3, "{period} is not the path's {delay}");
    let steps = path["steps"].as_array().expect("steps");
    let sum: f64 = steps.iter().filter_map(|step| step["delay_ns"].as_f64()).sum();
    assert!((sum - delay).abs() < 1e-6, "the steps do not add up: {path}");
    assert_eq!(steps[0]["kind"], "clk-to-q");
    assert_eq!(steps.last().expect("steps")["kind"], "setup");
    for end in ["from", "to"] {
        let name = path[end].as_str().expect("a name");
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "{end} has no name: {path}");
    }
    for part in ["dynamic_mw", "leakage_mw"] {
        assert!(record["power"][part].as_f64() > Some(0.0), "{record}");
    }
    let notes = record["notes"].to_string();
    assert!(notes.contains("before layout") && notes.contains("latches (1)"), "{notes}");
}

#[test]
fn every_block_has_figures_on_osu018() {
    if !tools_and_osu018("every_block_has_figures_on_osu018") {
        return;
    }
    let scratch = Scratch::new();
    for block in warpsmith_blocks::all() {
        let arguments = ["synth", block.name, "--target", "asic", "--json"];
        let record = record(&run(&scratch, &arguments));
        assert!(record["fmax"]["median_mhz"].as_f64() > Some(10.0), "{record}");
        assert!(record["asic"]["kge"].as_f64() > Some(0.1), "{record}");
    }
}

#[test]
fn the_netlist_is_the_design() {
    let test = "the_netlist_is_the_design";
    if !(tools_and_osu018(test) && needs_verilator(test)) {
        return;
    }
    let scratch = Scratch::new();
    record(&synth(&scratch, &["--out", "made"]));
    // The cells as Verilog, from their functions in the library.
    let script = "read_liberty cells/0-osu018_stdcells.lib\nread_verilog netlist.v\n\
                  hierarchy -top hmg_directory\nflatten\nopt_clean -purge\nwrite_verilog flat.v\n";
    std::fs::write(scratch.path("made/flat.ys"), script).expect("writable");
    let yosys = YOSYS.find().expect("yosys").path;
    let flat = std::process::Command::new(yosys)
        .args(["-q", "-s", "flat.ys"])
        .current_dir(scratch.path("made"))
        .output()
        .expect("yosys starts");
    assert!(flat.status.success(), "{flat:?}");
    let arguments = ["cosim", "hmg_directory", "--dut", "made/flat.v", "--requests", "20000"];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("EQUAL"), "{ended:?}");
}

#[test]
fn clock_and_activity_are_those_asked_for() {
    if !tools_and_osu018("clock_and_activity_are_those_asked_for") {
        return;
    }
    let scratch = Scratch::new();
    let group = |record: &Value, from: &str, to: &str, figure: &str| {
        let groups = record["path_groups"].as_array().expect("groups");
        let group = groups.iter().find(|group| group["from"] == from && group["to"] == to);
        group.expect("such paths")[figure].as_f64().expect("a figure")
    };
    let slow = record(&synth(&scratch, &["--clock", "100"]));
    let fast = record(&synth(&scratch, &["--clock", "1000"]));
    let slack = |record: &Value| group(record, "registers", "registers", "slack_ns");
    assert!(slack(&slow) > 5.0 && slack(&fast) < 0.0, "{slow} {fast}");
    assert!(fast["notes"].to_string().contains("the requested 1000 MHz are not met"));
    // A third of the period is outside: of 10 ns a path into a register has 6.67.
    let inside = group(&slow, "ports", "registers", "delay_ns");
    let spare = group(&slow, "ports", "registers", "slack_ns");
    assert!((inside + spare - 20.0 / 3.0).abs() < 1e-3, "{slow}");
    let mhz = group(&slow, "ports", "registers", "fmax_mhz");
    assert!((mhz - 1000.0 / (1.5 * inside)).abs() < 1e-6, "{slow}");

    let dynamic = |record: &Value| record["power"]["dynamic_mw"].as_f64().expect("a power");
    assert!((8.0..12.0).contains(&(dynamic(&fast) / dynamic(&slow))), "{slow} {fast}");
    let busy = record(&synth(&scratch, &["--activity", "0.4"]));
    assert!(dynamic(&busy) > 1.2 * dynamic(&slow), "{slow} {busy}");
}

#[test]
fn only_cells_meant_for_logic_are_used() {
    if !tools("only_cells_meant_for_logic_are_used") {
        return;
    }
    let scratch = Scratch::new();
    let library = write(&scratch, "tiny.lib.gz", &TinyLibrary::new());
    let record = record(&synth(&scratch, &["--liberty", &library]));
    let cells = record["cells"].as_object().expect("cells");
    for (name, _) in cells {
        let meant = ["INV", "BUF", "NAND2", "NOR2", "DFFN", "TIE0", "TIE1"];
        assert!(meant.contains(&name.as_str()), "{name} is used: {record}");
    }
    // With its inverter the complementary flip-flop is smaller than the other one.
    assert_eq!(cells["DFFN"], 163);
    assert_eq!(record["asic"]["nand2_um2"], 1.5);
    let notes = record["notes"].to_string();
    for left_out in ["marked dont_use (1)", "hold buffers (1)", "delay cells (1)", "latches (1)"] {
        assert!(notes.contains(left_out), "{left_out}: {notes}");
    }
    for left_out in ["scan flip-flops (1)", "clock gates (1)", "cells without output (1)"] {
        assert!(notes.contains(left_out), "{left_out}: {notes}");
    }
}

#[test]
fn a_tool_that_is_missing_fails_or_takes_too_long_is_named() {
    let scratch = Scratch::new();
    // Stands for a yosys that mapped nothing.
    let netlist = r#"{"modules": {"hmg_directory": {"cells": {}, "netnames": {}}}}"#;
    let yosys =
        format!("[ \"$1\" = -V ] && echo Yosys 0.70 && exit\necho '{netlist}' > netlist.json");
    let yosys = program(&scratch, "yosys", &yosys);
    let library = write(&scratch, "tiny.lib", &TinyLibrary::new());
    let with = |sta: &str, more: &[&str]| {
        let arguments = ["synth", "hmg_directory", "--target", "asic", "--liberty", &library];
        let variables = [("WARPSMITH_YOSYS", yosys.as_str()), ("WARPSMITH_STA", sta)];
        run_with(&scratch, &[&arguments, more].concat(), &variables)
    };
    let sta = |name: &str, script: &str| {
        let version = "[ \"$1\" = -version ] && echo 2.0.17 && exit";
        program(&scratch, name, &format!("{version}\n{script}"))
    };
    refused(&with("no-such-program", &[]), &["OpenSTA not found", "Debian's opensta"]);
    let fails = sta("fails", "echo the reason\nexit 3");
    refused(&with(&fails, &[]), &["OpenSTA failed", "timing.log", "the reason"]);
    let silent = sta("silent", "exit 0");
    refused(&with(&silent, &[]), &["timing.log", "did not come to the end"]);
    let errs = sta("errs", "echo Error: no port x\necho end of script");
    refused(&with(&errs, &[]), &["timing.log", "no port x"]);
    let odd = sta("odd", "echo '@path a'\necho end of script");
    refused(&with(&odd, &[]), &["timing.log", "not understood"]);
    let slow = sta("slow", "echo at work\nsleep 100");
    refused(&with(&slow, &["--timeout", "2"]), &["OpenSTA was stopped after 2 s", "at work"]);
}

#[test]
fn a_memory_without_a_source_of_macros_is_in_no_figure() {
    if !tools_and_osu018("a_memory_without_a_source_of_macros_is_in_no_figure") {
        return;
    }
    let scratch = Scratch::new();
    let record = record(&synth(&scratch, &["--preset", "fpga"]));
    assert_eq!(record["rams"][0]["mapped_to"], "a macro");
    assert_eq!(record["asic"]["ram_um2"], Value::Null);
    assert_eq!(record["asic"]["flip_flops"], 539);
    assert_eq!(record["power"]["ram_mw"], Value::Null);
    let groups = record["path_groups"].to_string();
    assert!(!groups.contains("ram"), "{groups}");
    assert!(record["notes"].to_string().contains("its area, power and the paths through it"));
}

#[test]
fn a_memory_may_have_a_stated_area_a_bit() {
    if !tools_and_osu018("a_memory_may_have_a_stated_area_a_bit") {
        return;
    }
    let scratch = Scratch::new();
    let record = record(&synth(&scratch, &["--preset", "fpga", "--ram", "bit:0.5"]));
    assert_eq!(record["asic"]["ram_um2"], 256.0 * 118.0 * 0.5);
    assert!(record["rams"][0]["source"].as_str().is_some_and(|s| s.contains("0.5 um2 per bit")));
    assert!(record["notes"].to_string().contains("gives no timing"));
}

#[test]
fn the_size_from_which_on_a_memory_is_a_macro_can_be_chosen() {
    if !tools_and_osu018("the_size_from_which_on_a_memory_is_a_macro_can_be_chosen") {
        return;
    }
    let scratch = Scratch::new();
    // The rows of `tiny` are two of 9 bits, the tags of its ways fewer.
    let flip_flops = |above: &str| {
        let record = record(&synth(&scratch, &["--ram-above", above, "--ram", "bit:1"]));
        record["asic"]["flip_flops"].as_u64().expect("a count")
    };
    assert_eq!(flip_flops("18"), 124 + 26 + 13);
    assert_eq!(flip_flops("17"), 124 + 26 + 13 - 18 - 9);
}

#[test]
fn a_point_of_a_sweep_is_measured_once_for_one_library() {
    if !tools("a_point_of_a_sweep_is_measured_once_for_one_library") {
        return;
    }
    let scratch = Scratch::new();
    let sweep = |library: &TinyLibrary| {
        let path = write(&scratch, "tiny.lib", library);
        let arguments = ["sweep", "hmg_directory", "--target", "asic", "--metrics", "synth"];
        let options = ["--vary", "ways=1", "--liberty", &path];
        let ended = run(&scratch, &[&arguments[..], &options].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.stdout + &ended.stderr
    };
    let library = TinyLibrary::new();
    let first = sweep(&library);
    assert!(first.contains("1 measured, 0 reused"), "{first}");
    let second = sweep(&library);
    assert!(second.contains("0 measured, 1 reused"), "{second}");
    let changed = sweep(&library.without("NOR2"));
    assert!(changed.contains("1 measured, 0 reused"), "{changed}");
}
