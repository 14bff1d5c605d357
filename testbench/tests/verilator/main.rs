//! Runs small hand-written Verilog through the Verilator binding.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;

use warpsmith_rtl::{PortLayout, words};
use warpsmith_testbench::verilator::{
    BuildOptions, Direction, VerilatedLibrary, VerilatedModel, VerilatorError, VerilogFile,
    VerilogSource,
};

const COUNTER: &str = "module counter(input clk, input rst, input [7:0] step, output reg [7:0] q);
  always @(posedge clk) if (rst) q <= 0; else q <= q + step;
endmodule
";

/// Whether Verilator is installed. If not, the calling test is reported as skipped, except in continuous
/// integration, where it fails.
fn verilator_there(test: &str) -> bool {
    if Command::new("verilator").arg("--version").output().is_ok() {
        return true;
    }
    assert!(env::var_os("CI").is_none(), "verilator not found: apt-get install verilator");
    // Bypasses the test harness, which captures the output of passing tests.
    let mut stderr = io::stderr();
    writeln!(stderr, "{test}: skipped: verilator missing").unwrap();
    false
}

macro_rules! require_verilator {
    ($test:ident) => {
        if !verilator_there(stringify!($test)) {
            return;
        }
    };
}

mod cache;
mod runs;

fn source(top: &str, text: &str) -> VerilogSource {
    let file = VerilogFile { name: format!("{top}.v"), text: text.to_owned() };
    VerilogSource { top: top.to_owned(), files: vec![file] }
}

fn layout(inputs: &[(&str, u32)], outputs: &[(&str, u32)]) -> PortLayout {
    let mut layout = PortLayout::default();
    inputs.iter().for_each(|&(name, width)| layout.push_input(name, width));
    outputs.iter().for_each(|&(name, width)| layout.push_output(name, width));
    layout
}

fn counter_layout() -> PortLayout {
    layout(&[("rst", 1), ("step", 8)], &[("q", 8)])
}

/// Options with a cache that all these tests share and later runs reuse.
fn options() -> BuildOptions {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilator-cache");
    BuildOptions { cache: Some(cache), ..BuildOptions::default() }
}

fn build(source: &VerilogSource, layout: &PortLayout) -> Arc<VerilatedLibrary> {
    Arc::new(VerilatedLibrary::build(source, layout, &options()).unwrap())
}

fn build_error(text: &str, layout: &PortLayout) -> VerilatorError {
    VerilatedLibrary::build(&source("dut", text), layout, &options()).unwrap_err()
}

fn clock(model: &mut VerilatedModel, inputs: &[u64]) -> Vec<u64> {
    model.inputs_mut().copy_from_slice(inputs);
    model.clock();
    model.outputs().to_vec()
}

/// Resets a counter and counts up to `clocks`.
fn count(model: &mut VerilatedModel, clocks: u64) {
    clock(model, &[1, 1]);
    for expected in 0..clocks {
        assert_eq!(clock(model, &[0, 1]), [expected % 256]);
    }
}

#[test]
fn counter_counts() {
    require_verilator!(counter_counts);
    let library = build(&source("counter", COUNTER), &counter_layout());
    count(&mut library.instance(), 1000);
}

#[test]
fn ports_of_any_width_pass_both_ways() {
    require_verilator!(ports_of_any_width_pass_both_ways);
    let widths = [1, 8, 9, 16, 17, 32, 33, 63, 64, 65, 96, 128, 200, 2050];
    let mut ports = PortLayout::default();
    let (mut header, mut body) = ("input clk".to_owned(), String::new());
    for width in widths {
        ports.push_input(format!("a{width}"), width);
        ports.push_output(format!("y{width}"), width);
        let top = width - 1;
        header += &format!(", input [{top}:0] a{width}, output [{top}:0] y{width}");
        body += &format!("assign y{width} = a{width};\n");
    }
    let text = format!("module pass({header});\n{body}endmodule\n");
    let mut model = build(&source("pass", &text), &ports).instance();
    assert_eq!(model.outputs().len(), ports.output_words());
    let mut word = 0x0123_4567_89ab_cdef_u64;
    for round in 0..4 {
        for input in model.inputs_mut() {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // All ones sets every top bit and the bits above, which must be dropped.
            *input = if round == 0 { u64::MAX } else { word };
        }
        let mut expected = model.inputs_mut().to_vec();
        for slot in &ports.inputs {
            expected[slot.range().end - 1] &= u64::MAX >> (slot.words() as u32 * 64 - slot.width);
        }
        model.clock();
        assert_eq!(model.outputs(), expected);
    }
    assert_eq!(words(2050), 33);
}

#[test]
fn combinational_path_is_seen_in_the_same_clock() {
    require_verilator!(combinational_path_is_seen_in_the_same_clock);
    let text = "module dut(input clk, input [7:0] a, output [7:0] y, output reg [7:0] q);
      assign y = ~a; always @(posedge clk) q <= a; endmodule";
    let ports = layout(&[("a", 8)], &[("y", 8), ("q", 8)]);
    let mut model = build(&source("dut", text), &ports).instance();
    assert_eq!(clock(&mut model, &[0x0f])[0], 0xf0);
    assert_eq!(clock(&mut model, &[0x55]), [0xaa, 0x0f]);
}

#[test]
fn unusual_declarations_are_accepted() {
    require_verilator!(unusual_declarations_are_accepted);
    // One-bit vectors, offset and ascending ranges, names reserved by C++ or Verilator, a lint warning, an
    // extra output, a folder in a file name, and no clock.
    let top = "`include \"dut.vh\"
      module dut(input [0:0] delete, input [8:1] a__b, input [0:7] up, output [7:0] y,
        output [7:0] extra); sub s(a__b + `ONE, y); assign extra = up; wire [3:0] w = 8'd3;
      endmodule";
    let sub = "module sub(input [7:0] a, output [7:0] y); assign y = a; endmodule";
    let file =
        |name: &str, text: &str| VerilogFile { name: name.to_owned(), text: text.to_owned() };
    let files =
        vec![file("dut.sv", top), file("parts/sub.v", sub), file("dut.vh", "`define ONE 8'd1\n")];
    let source = VerilogSource { top: "dut".to_owned(), files };
    let ports = layout(&[("delete", 1), ("a__b", 8), ("up", 8)], &[("y", 8)]);
    let mut model = build(&source, &ports).instance();
    assert_eq!(clock(&mut model, &[1, 41, 7]), [42]);
}

#[test]
fn models_do_not_disturb_each_other() {
    require_verilator!(models_do_not_disturb_each_other);
    let up = build(&source("counter", COUNTER), &counter_layout());
    let text = COUNTER.replace("q + step", "q - step");
    let down = build(&source("counter", &text), &counter_layout());
    let (mut first, mut second, mut third) = (up.instance(), down.instance(), up.instance());
    for model in [&mut first, &mut second, &mut third] {
        clock(model, &[1, 0]);
    }
    for clocks in 0..100_u64 {
        assert_eq!(clock(&mut first, &[0, 1]), [clocks]);
        assert_eq!(clock(&mut second, &[0, 1]), [clocks.wrapping_neg() & 0xff]);
        assert_eq!(clock(&mut third, &[0, 2]), [(clocks * 2) & 0xff]);
    }
    drop((first, up));
    assert_eq!(clock(&mut third, &[0, 0]), [200]);
    // A model may move between threads, and its library may be used from several at once.
    let library = Arc::clone(third.library());
    thread::scope(|scope| {
        scope.spawn(move || assert_eq!(clock(&mut third, &[0, 0]), [200]));
        for _ in 0..2 {
            scope.spawn(|| count(&mut library.instance(), 20_000));
        }
    });
}

#[test]
fn memory_starts_random_but_reproducible() {
    require_verilator!(memory_starts_random_but_reproducible);
    let text = "module dut(input clk, input [9:0] a, output [31:0] y);
      reg [31:0] mem [0:1023]; assign y = mem[a];
      always @(posedge clk) mem[a] <= mem[a] + 1; endmodule";
    let library = build(&source("dut", text), &layout(&[("a", 10)], &[("y", 32)]));
    let contents = || {
        let mut model = library.instance();
        (0..1024).map(|address| clock(&mut model, &[address])[0]).collect::<Vec<_>>()
    };
    let first = contents();
    assert!(first.iter().filter(|&&word| word != 0).count() > 1000);
    thread::scope(|scope| {
        let others: Vec<_> = (0..4).map(|_| scope.spawn(contents)).collect();
        others.into_iter().for_each(|other| assert_eq!(other.join().unwrap(), first));
    });
}

#[test]
fn differing_ports_are_refused() {
    require_verilator!(differing_ports_are_refused);
    let text = "module dut(input clk, input [7:0] a, output [8:0] y); assign y = a; endmodule";
    match build_error(text, &layout(&[("a", 8), ("b", 3)], &[("y", 9)])) {
        VerilatorError::MissingPort { port, width: 3, direction: Direction::Input, found } => {
            assert_eq!((port.as_str(), found.contains("output y[9]")), ("b", true), "{found}");
        }
        other => panic!("{other}"),
    }
    match build_error(text, &layout(&[("a", 8)], &[("y", 8)])) {
        VerilatorError::PortWidth { port, expected: 8, found: 9 } => assert_eq!(port, "y"),
        other => panic!("{other}"),
    }
    match build_error(text, &layout(&[], &[("a", 8), ("y", 9)])) {
        VerilatorError::PortDirection { port, found: Direction::Input, .. } => {
            assert_eq!(port, "a");
        }
        other => panic!("{other}"),
    }
    match build_error(text, &layout(&[], &[("y", 9)])) {
        VerilatorError::ExtraInput { port, width: 8, .. } => assert_eq!(port, "a"),
        other => panic!("{other}"),
    }
    let clock_listed = build_error(text, &layout(&[("clk", 1), ("a", 8)], &[("y", 9)]));
    assert!(matches!(clock_listed, VerilatorError::ClockInLayout), "{clock_listed}");
    let wide_clock = build_error("module dut(input [1:0] clk); endmodule", &layout(&[], &[]));
    assert!(matches!(wide_clock, VerilatorError::PortWidth { .. }), "{wide_clock}");
    let array = "module dut(input clk, input [7:0] a [3:0]); endmodule";
    let ports = layout(&[("a", 32)], &[]);
    let file = VerilogFile { name: "dut.sv".to_owned(), text: array.to_owned() };
    let source = VerilogSource { top: "dut".to_owned(), files: vec![file] };
    let array = VerilatedLibrary::build(&source, &ports, &options()).unwrap_err();
    assert!(matches!(array, VerilatorError::UnsupportedPort { .. }), "{array}");
}

#[test]
fn wrong_source_is_refused_with_the_place() {
    require_verilator!(wrong_source_is_refused_with_the_place);
    let log = |text: &str| match build_error(text, &layout(&[], &[])) {
        VerilatorError::Verilate { log } => log,
        other => panic!("{other}"),
    };
    let syntax = log("module dut(input clk);\n  wire w = ;\nendmodule\n");
    assert!(syntax.contains("dut.v:2:") && syntax.contains("syntax error"), "{syntax}");
    assert!(!syntax.contains("/tmp") && !syntax.contains("Exiting"), "{syntax}");
    let module = log("module dut(input clk);\n  gone g(clk);\nendmodule\n");
    assert!(module.contains("dut.v:2:") && module.contains("gone"), "{module}");
    let top = log("module other(input clk); endmodule\n");
    assert!(top.contains("dut"), "{top}");
    for name in ["../dut.v", "/dut.v", "-dut.v", "dut.cpp", ""] {
        let file = VerilogFile { name: name.to_owned(), text: String::new() };
        let source = VerilogSource { top: "dut".to_owned(), files: vec![file] };
        let error = VerilatedLibrary::build(&source, &layout(&[], &[]), &options()).unwrap_err();
        assert!(matches!(error, VerilatorError::FileName { .. }), "{error}");
    }
}

#[test]
fn missing_tools_are_named_with_their_package() {
    let source = source("counter", COUNTER);
    let missing = PathBuf::from("/nowhere/to/be/found");
    let message = |options: BuildOptions| {
        let error = VerilatedLibrary::build(&source, &counter_layout(), &options).unwrap_err();
        assert!(matches!(error, VerilatorError::ToolMissing { .. }), "{error}");
        error.to_string()
    };
    let verilator = message(BuildOptions { verilator: missing.clone(), ..options() });
    assert!(verilator.contains("apt-get install verilator"), "{verilator}");
    require_verilator!(missing_tools_are_named_with_their_package);
    let compiler = message(BuildOptions { compiler: missing, ..options() });
    assert!(compiler.contains("apt-get install g++"), "{compiler}");
}

#[test]
fn a_module_that_two_files_define_is_refused() {
    require_verilator!(a_module_that_two_files_define_is_refused);
    let mut twice = source("counter", COUNTER);
    let text = COUNTER.replace("q + step", "q");
    twice.files.push(VerilogFile { name: "other.v".to_owned(), text });
    let error = VerilatedLibrary::build(&twice, &counter_layout(), &options()).unwrap_err();
    let VerilatorError::Verilate { log } = error else { panic!("{error}") };
    assert!(log.contains("counter.v:1:") && log.contains("other.v:1:"), "{log}");
}
