//! Emitted Verilog against Verilog written by hand by a good engineer: the same ports, behaviour, harness,
//! tools and seeds.
//!
//! `testbench/tests/library` tests that the hand-written FIFO and arbiter behave like ours.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use support::{Scratch, needs, needs_verilator, run};
use warpsmith::flow::nextpnr;
use warpsmith::flow::synth::SynthOptions;
use warpsmith::flow::synth::fpga::{Family, Source, synthesize_verilog};
use warpsmith::flow::users::Verilog;
use warpsmith::flow::yosys::YOSYS;
use warpsmith_rtl::Module;
use warpsmith_rtl::library::{arbiter, fifo};
use warpsmith_rtl::verilog::{EmitOptions, VerilogFile as EmittedFile, emit};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

/// Largest ratio of emitted to hand-written LUTs and flip-flops.
const AREA: f64 = 1.05;
/// Smallest ratio of emitted to hand-written median Fmax.
const FMAX: f64 = 0.95;

/// The compared figures of a circuit.
struct Figures {
    lut: u64,
    ff: u64,
    fmax: f64,
}

fn source(name: &str, top: &str, files: Vec<VerilogFile>) -> Source {
    Source {
        block: name.to_string(),
        preset: "custom".to_string(),
        params: toml::Table::new(),
        verilog: Verilog::plain(VerilogSource { top: top.to_string(), files }),
        clock: "clk".to_string(),
        memories: None,
    }
}

fn emitted(name: &str, module: &Module) -> Source {
    let files = emit(module, &EmitOptions::default()).expect("no two modules of one name");
    let file = |file: EmittedFile| VerilogFile { name: file.file_name(), text: file.text };
    source(name, &module.name, files.into_iter().map(file).collect())
}

fn written(name: &str) -> Source {
    let file = format!("{name}.v");
    let text = fs::read_to_string(folder().join(&file)).expect("it is in the repository");
    source(name, name, vec![VerilogFile { name: file, text }])
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/handwritten")
}

fn figures(source: &Source, clock_mhz: f64, seeds: u32) -> Figures {
    let options = SynthOptions {
        clock_mhz: Some(clock_mhz),
        seeds,
        limit: Duration::from_secs(600),
        folder: Scratch::new().path("run"),
    };
    let record = synthesize_verilog(source, Family::Ecp5, &options, &|_| {}).expect("figures");
    let area = record.fpga.expect("an FPGA has area");
    Figures { lut: area.lut, ff: area.ff, fmax: record.fmax.expect("it is routed").median_mhz }
}

/// Measures both circuits in one run, prints the figures and returns the violated ratios.
fn compare(name: &str, module: &Module, clock_mhz: f64, seeds: u32) -> Vec<String> {
    let ours = figures(&emitted(name, module), clock_mhz, seeds);
    let theirs = figures(&written(name), clock_mhz, seeds);
    let area = |ours: u64, theirs: u64| ours as f64 / theirs as f64;
    let (lut, ff) = (area(ours.lut, theirs.lut), area(ours.ff, theirs.ff));
    let fmax = ours.fmax / theirs.fmax;
    println!("{name}, median of {seeds} seeds: emitted / by hand");
    println!("  LUT  {:6} / {:6} = {lut:.3}", ours.lut, theirs.lut);
    println!("  FF   {:6} / {:6} = {ff:.3}", ours.ff, theirs.ff);
    println!("  Fmax {:6.1} / {:6.1} = {fmax:.3}", ours.fmax, theirs.fmax);
    let mut broken = Vec::new();
    for (what, ratio, kept) in
        [("LUT", lut, lut <= AREA), ("FF", ff, ff <= AREA), ("Fmax", fmax, fmax >= FMAX)]
    {
        if !kept {
            broken.push(format!("{name}: {what} {ratio:.3}"));
        }
    }
    broken
}

#[test]
fn the_directory_for_fpgas_is_as_small_and_fast_as_by_hand() {
    let test = "the_directory_for_fpgas_is_as_small_and_fast_as_by_hand";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ECP5)) {
        return;
    }
    let block = warpsmith_blocks::find("hmg_directory").expect("the block");
    let circuit = block.configure("fpga", &[]).expect("a preset").circuit();
    let broken = compare("hmg_directory", &circuit, 150.0, 5);
    assert!(broken.is_empty(), "at most {AREA} of area, at least {FMAX} of Fmax: {broken:?}");
}

#[test]
fn the_directory_written_by_hand_is_the_same_directory() {
    if !needs_verilator("the_directory_written_by_hand_is_the_same_directory") {
        return;
    }
    let scratch = Scratch::new();
    let dut = folder().join("hmg_directory.v");
    let dut = dut.to_str().expect("a path of ours");
    let arguments = ["cosim", "hmg_directory", "--preset", "fpga", "--requests", "200000"];
    let ended = run(&scratch, &[&arguments[..], &["--dut", dut]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("EQUAL: 200,000 requests"), "{ended:?}");
    // It accepts one request per clock, like ours.
    let ended = run(&scratch, &[&arguments[..], &["--dut", dut, "--stalls", "none"]].concat());
    assert!(ended.stdout.contains("1.00 clocks per request"), "{ended:?}");
}

#[test]
fn the_librarys_fifo_and_arbiter_are_as_small_and_fast_as_by_hand() {
    let test = "the_librarys_fifo_and_arbiter_are_as_small_and_fast_as_by_hand";
    if !(needs(test, &YOSYS) && needs(test, &nextpnr::ECP5)) {
        return;
    }
    let mut broken = compare("fifo", &fifo::fifo(32, 16), 400.0, 5);
    broken.extend(compare("round_robin", &arbiter::round_robin(8), 400.0, 5));
    assert!(broken.is_empty(), "at most {AREA} of area, at least {FMAX} of Fmax: {broken:?}");
}
