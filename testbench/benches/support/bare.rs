//! The yardstick: a C++ loop around a Verilated model, without checks.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use warpsmith_rtl::{Bits, Module, PortLayout, PortSlot};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{BackendError, Models, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::model::{Model, ModelError};
use warpsmith_testbench::{
    episode::{Episode, Source},
    lockstep::run,
};

/// Requests of the recorded run, which is played back repeatedly. Few enough that the inputs stay in the
/// cache.
const REQUESTS: u64 = 100_000;
/// As in `src/verilator/build.rs`.
const VERILATOR_FLAGS: &str = "--cc -O3 --assert --no-timing -Wno-fatal --x-assign unique \
                               --x-initial unique --prefix Vmodel --Mdir model";
/// As in `src/verilator/compile.rs`, but for a program rather than a shared object.
const COMPILER_FLAGS: &str = "-O2 -pthread -w -I. -Imodel -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 \
                              -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 -DVL_TIME_CONTEXT";

/// A compiled loop with its stimulus.
pub struct BareLoop {
    folder: tempfile::TempDir,
}

impl BareLoop {
    /// Records a run of the bench and builds the loop that plays it back.
    pub fn build(
        bench: &Bench<'_>,
        circuit: &Module,
        models: &Models,
    ) -> Result<Self, BackendError> {
        let bare = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        let path = bare.folder.path();
        let mut recorder = Recorder { model: models.instance()?, inputs: Vec::new(), sum: 0 };
        let source = Source::Stream { stream: 0, seed: 1, requests: REQUESTS };
        let straps = vec![0; bench.straps().len()];
        let episode =
            Episode { straps: &straps, stalls: Stalls::Random, stall_seed: 2, warm: false, source };
        run(bench, &mut recorder, &episode, 0).expect("it is equal");

        write(path.join("stimulus"), &recorder.inputs);
        let source = verilog_source(circuit)?;
        let mut arguments: Vec<_> = VERILATOR_FLAGS.split_whitespace().collect();
        arguments.extend(["--top-module", &source.top]);
        for file in &source.files {
            write(path.join(&file.name), file.text.as_bytes());
            arguments.push(&file.name);
        }
        call(path, "verilator", &arguments);
        write(path.join("main.cpp"), program(bench.layout(), recorder.sum).as_bytes());
        compile(path);
        Ok(bare)
    }

    /// Plays the stimulus back for about `seconds`.
    pub fn clocks_per_second(&self, seconds: f64) -> f64 {
        let path = self.folder.path();
        let program = path.join("bare").to_string_lossy().into_owned();
        let answer = call(path, &program, &["stimulus", &seconds.to_string()]);
        let mut numbers = answer.split_whitespace().map(|n| n.parse::<f64>().expect("a number"));
        let (clocks, nanoseconds) = (numbers.next().unwrap(), numbers.next().unwrap());
        clocks / nanoseconds * 1e9
    }
}

/// Records the inputs of every clock, and the sum of the first output.
struct Recorder {
    model: Box<dyn Model>,
    inputs: Vec<u8>,
    sum: u64,
}

impl Model for Recorder {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        self.inputs.extend(inputs.iter().flat_map(|word| word.to_le_bytes()));
        let sound = self.model.clock(inputs, outputs);
        self.sum += outputs[0];
        sound
    }

    fn complaint(&mut self) -> Option<String> {
        self.model.complaint()
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        self.model.registers()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        self.model.open_waves(path)
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        self.model.close_waves()
    }
}

/// The loop as C++. `sum` is the expected sum of the first output in the first pass, as in the recorded run.
fn program(layout: &PortLayout, sum: u64) -> String {
    let (mut fields, mut loads, mut puts) = (String::new(), String::new(), String::new());
    for PortSlot { name, width, offset } in &layout.inputs {
        let bits = width.next_power_of_two().max(8);
        assert!(bits <= 64, "port `{name}` is wider than a word");
        writeln!(fields, "    std::uint{bits}_t {name};").unwrap();
        writeln!(loads, "        next.{name} = words[{offset}];").unwrap();
        writeln!(puts, "            model.{name} = now.{name};").unwrap();
    }
    let (words, output) = (layout.input_words(), &layout.outputs[0].name);
    format!(
        r#"#include "Vmodel.h"
#include "verilated.h"
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Inputs {{
{fields}}};

int main(int, char** arguments) {{
    std::vector<Inputs> stimulus;
    std::FILE* file = std::fopen(arguments[1], "rb");
    std::uint64_t words[{words}];
    while (std::fread(words, sizeof words, 1, file) == 1) {{
        Inputs next;
{loads}        stimulus.push_back(next);
    }}
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(0x5eed);
    Vmodel model{{&context, "TOP"}};
    auto pass = [&] {{
        std::uint64_t sum = 0;
        for (const Inputs& now : stimulus) {{
{puts}            model.clk = 0;
            model.eval();
            sum += model.{output};
            model.clk = 1;
            model.eval();
        }}
        return sum;
    }};
    if (pass() != {sum}u) {{
        std::fprintf(stderr, "the loop does not do what the recorded run did\n");
        return 1;
    }}
    using Clock = std::chrono::steady_clock;
    const double limit = std::atof(arguments[2]) * 1e9;
    const auto start = Clock::now();
    std::uint64_t clocks = 0, sum = 0;
    double nanoseconds = 0;
    while (nanoseconds < limit) {{
        sum += pass();
        clocks += stimulus.size();
        nanoseconds = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    }}
    std::printf("%llu %.0f %llu\n", (unsigned long long)clocks, nanoseconds,
                (unsigned long long)sum);
}}
"#
    )
}

/// One compilation unit, as the testbench does for models of this size.
fn compile(path: &Path) {
    let root = PathBuf::from(call(path, "verilator", &["--getenv", "VERILATOR_ROOT"]).trim());
    let include = root.join("include").to_string_lossy().into_owned();
    let generated = std::fs::read_dir(path.join("model")).expect("Verilator made it");
    let mut unit = String::from("#include \"main.cpp\"\n");
    let names = generated.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    for name in names.filter(|name| name.ends_with(".cpp")) {
        writeln!(unit, "#include \"model/{name}\"").unwrap();
    }
    write(path.join("unit.cpp"), unit.as_bytes());
    let runtime = [format!("{include}/verilated.cpp"), format!("{include}/verilated_threads.cpp")];
    let standard = format!("{include}/vltstd");
    let mut arguments: Vec<_> = COMPILER_FLAGS.split_whitespace().collect();
    arguments.extend(["-isystem", &include, "-isystem", &standard, "unit.cpp"]);
    arguments.extend(runtime.iter().map(String::as_str));
    arguments.extend(["-o", "bare"]);
    call(path, "g++", &arguments);
}

fn write(path: PathBuf, bytes: &[u8]) {
    std::fs::write(&path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// The output of a program.
fn call(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} failed: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
