//! Runs small hand-written Verilog through the Verilator binding.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
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

fn options_in(cache: &Path) -> BuildOptions {
    BuildOptions { cache: Some(cache.to_owned()), ..BuildOptions::default() }
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
fn second_build_comes_from_the_cache() {
    require_verilator!(second_build_comes_from_the_cache);
    let (source, ports) = (source("counter", COUNTER), counter_layout());
    let first = build(&source, &ports);
    let modified = || fs::metadata(first.path()).unwrap().modified().unwrap();
    let before = modified();
    let second = build(&source, &ports);
    assert!(second.from_cache());
    assert_eq!((second.path(), modified()), (first.path(), before));
    let other = build(&self::source("counter", &COUNTER.replace("q + step", "q ^ step")), &ports);
    assert_ne!(other.path(), first.path());
}

#[test]
fn damaged_entries_are_built_again() {
    require_verilator!(damaged_entries_are_built_again);
    // A source of its own, so that no other test has the damaged file loaded.
    let text = format!("// damaged\n{COUNTER}");
    let (source, ports) = (source("counter", &text), counter_layout());
    let path = build(&source, &ports).path().to_owned();
    let whole = fs::read(&path).unwrap();
    let digest = path.with_file_name("sha256");
    let damages: [&dyn Fn(); 5] = [
        &|| fs::write(&path, &whole[..whole.len() / 2]).unwrap(),
        &|| fs::write(&path, "").unwrap(),
        &|| fs::remove_file(&path).unwrap(),
        &|| fs::remove_file(&digest).unwrap(),
        &|| {
            // Its digest matches, but it is not a shared object.
            fs::write(&path, "nonsense").unwrap();
            // SHA-256 of the eight-byte length and the text, as the cache computes it.
            fs::write(&digest, NONSENSE_DIGEST).unwrap();
        },
    ];
    for damage in damages {
        damage();
        let library = build(&source, &ports);
        assert!(!library.from_cache());
        count(&mut library.instance(), 10);
    }
    assert!(build(&source, &ports).from_cache());
}

const NONSENSE_DIGEST: &str = "acc63c0d6ad5e9ce2fadba9f814be44d362caae104bd51cdd6d799e8e155b2af";

/// Not a test itself: the child processes of the next test run it.
#[test]
fn child_builds() {
    let Some(cache) = env::var_os("WARPSMITH_TEST_CHILD_CACHE") else { return };
    let options = options_in(Path::new(&cache));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let source = source("counter", COUNTER);
                let library = VerilatedLibrary::build(&source, &counter_layout(), &options);
                count(&mut Arc::new(library.unwrap()).instance(), 10);
            });
        }
    });
}

#[test]
fn processes_and_threads_build_the_same_model_at_once() {
    require_verilator!(processes_and_threads_build_the_same_model_at_once);
    let cache = tempfile::tempdir().unwrap();
    let child = || {
        Command::new(env::current_exe().unwrap())
            .args(["child_builds", "--exact"])
            .env("WARPSMITH_TEST_CHILD_CACHE", cache.path())
            .spawn()
            .unwrap()
    };
    let children: Vec<Child> = (0..2).map(|_| child()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(fs::read_dir(cache.path().join("tmp")).unwrap().count(), 0, "left-over files");
    let options = options_in(cache.path());
    let source = source("counter", COUNTER);
    let library = VerilatedLibrary::build(&source, &counter_layout(), &options).unwrap();
    assert!(library.from_cache());
}

#[test]
fn unusable_cache_is_named() {
    require_verilator!(unusable_cache_is_named);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let cache = file.join("cache");
    let source = source("counter", COUNTER);
    let error =
        VerilatedLibrary::build(&source, &counter_layout(), &options_in(&cache)).unwrap_err();
    assert!(matches!(error, VerilatorError::Cache { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("WARPSMITH_CACHE"), "{message}");
    assert!(message.contains(cache.to_str().unwrap()), "{message}");
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
fn the_end_of_a_simulation_spares_the_process() {
    require_verilator!(the_end_of_a_simulation_spares_the_process);
    let text = "module dut(input clk, input [7:0] a, output reg [7:0] q);
  always @(posedge clk) begin
    q <= a;
    if (a == 1) $finish;
    if (a == 2) $stop;
    if (a == 3) $error(\"three\");
    if (a == 4) $fatal;
    assert (a != 5);
  end
endmodule
";
    let file = VerilogFile { name: "dut.sv".to_owned(), text: text.to_owned() };
    let source = VerilogSource { top: "dut".to_owned(), files: vec![file] };
    let library = build(&source, &layout(&[("a", 8)], &[("q", 8)]));
    for (input, line, what) in
        [(1, 4, "$finish"), (2, 5, "$stop"), (3, 6, "$error"), (4, 7, ""), (5, 8, "assertion")]
    {
        let mut model = library.instance();
        clock(&mut model, &[9]);
        assert_eq!(clock(&mut model, &[10]), [9]);
        assert_eq!(model.stopped(), None);
        assert_eq!(clock(&mut model, &[input]), [10]);
        let reason = model.stopped().expect("the model has stopped");
        assert!(reason.contains(&format!("dut.sv:{line}")), "{reason}");
        assert!(reason.contains(what), "{reason}");
        assert_eq!(clock(&mut model, &[11]), [10], "a stopped model stands still");
        let mut another = library.instance();
        clock(&mut another, &[12]);
        assert_eq!(another.stopped(), None);
    }
}

#[test]
fn combinational_loop_spares_the_process() {
    require_verilator!(combinational_loop_spares_the_process);
    let text = "module dut(input clk, input a, output y);
      wire b = a ? ~c : 1'b0; wire c = b; assign y = c; endmodule";
    let mut model = build(&source("dut", text), &layout(&[("a", 1)], &[("y", 1)])).instance();
    assert_eq!(clock(&mut model, &[0]), [0]);
    assert_eq!(model.stopped(), None);
    clock(&mut model, &[1]);
    let reason = model.stopped().expect("the model has stopped");
    assert!(reason.contains("converge"), "{reason}");
}

#[test]
fn waves_are_written() {
    require_verilator!(waves_are_written);
    let source = source("counter", COUNTER);
    let ports = counter_layout();
    let with_waves = BuildOptions { trace: true, ..options() };
    let library = Arc::new(VerilatedLibrary::build(&source, &ports, &with_waves).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut model = library.instance();
    count(&mut model, 3);
    for name in ["first.fst", "second.fst"] {
        let path = folder.path().join(name);
        model.open_waves(&path).unwrap();
        count(&mut model, 300);
        if name == "first.fst" {
            model.close_waves();
        } else {
            model = library.instance();
        }
        assert!(fs::metadata(&path).unwrap().len() > 100);
    }
    let nowhere = folder.path().join("missing").join("waves.fst");
    let error = model.open_waves(&nowhere).unwrap_err();
    assert!(matches!(error, VerilatorError::Waves { .. }), "{error}");
    count(&mut model, 3);
    let error = build(&source, &ports).instance().open_waves(folder.path().join("w")).unwrap_err();
    assert!(matches!(error, VerilatorError::NoWaves), "{error}");
}

/// A register that is never assigned.
const NOISE: &str = "module noise(input clk, input [3:0] a, output reg [31:0] q);
  always @(posedge clk) if (a == 15) q <= {28'd0, a};
endmodule
";

fn noise_layout() -> PortLayout {
    layout(&[("a", 4)], &[("q", 32)])
}

#[test]
fn power_up_brings_other_noise_that_the_seed_decides() {
    require_verilator!(power_up_brings_other_noise_that_the_seed_decides);
    let mut model = build(&source("noise", NOISE), &noise_layout()).instance();
    let mut noise = |seed| {
        model.power_up(seed);
        clock(&mut model, &[0])[0]
    };
    let first: Vec<_> = (0..8).map(&mut noise).collect();
    let again: Vec<_> = (0..8).map(&mut noise).collect();
    assert_eq!(first, again);
    let other: std::collections::BTreeSet<_> = first.iter().collect();
    assert_eq!(other.len(), 8, "{first:?}");
}

#[test]
fn waves_begin_with_the_noise_of_the_power_up() {
    require_verilator!(waves_begin_with_the_noise_of_the_power_up);
    let with_waves = BuildOptions { trace: true, ..options() };
    let library = VerilatedLibrary::build(&source("noise", NOISE), &noise_layout(), &with_waves);
    let mut model = Arc::new(library.unwrap()).instance();
    let folder = tempfile::tempdir().unwrap();
    let mut waves = |name: &str, power_up_first: bool| {
        let path = folder.path().join(name);
        model.power_up(if power_up_first { 7 } else { 8 });
        model.open_waves(&path).unwrap();
        // Again as lockstep does it, after the waves were opened.
        model.power_up(7);
        let first = clock(&mut model, &[0]);
        // Once waves are being written, the model keeps its state.
        model.power_up(9);
        assert_eq!(clock(&mut model, &[0]), first);
        model.close_waves();
        // The header contains the time of day.
        fs::read(path).unwrap()[330..].to_vec()
    };
    assert_eq!(waves("a.fst", true), waves("b.fst", false));
}

#[test]
fn loops_without_an_end_stop_and_the_next_power_up_begins_anew() {
    require_verilator!(loops_without_an_end_stop_and_the_next_power_up_begins_anew);
    let text = "module dut(input clk, input [7:0] a, output reg [31:0] n);
      always @(posedge clk) begin
        n = 0;
        while (n < {24'd0, a} || a == 9) n = n + 1;
      end
    endmodule";
    let ports = layout(&[("a", 8)], &[("n", 32)]);
    let mut model = build(&source("dut", text), &ports).instance();
    clock(&mut model, &[200]);
    assert_eq!(clock(&mut model, &[0]), [200], "a loop that ends");
    clock(&mut model, &[9]);
    let stopped = model.stopped().expect("a loop that does not");
    assert!(stopped.contains("a loop does not end") && stopped.contains("dut.v:4"), "{stopped}");
    model.power_up(1);
    assert_eq!(model.stopped(), None);
    clock(&mut model, &[3]);
    assert_eq!(clock(&mut model, &[0]), [3]);
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
