//! The yardstick: a C++ loop around a Verilated model, without checks.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use warpsmith_rtl::{Module, PortLayout, PortSlot};
use warpsmith_testbench::backend::{BackendError, verilog_source};

use super::recorded::{Recorded, checked_output};

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
    /// Builds the loop that plays a recorded run back.
    pub fn build(circuit: &Module, recorded: &Recorded) -> Result<Self, BackendError> {
        let bare = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        let path = bare.folder.path();
        let bytes: Vec<u8> = recorded.inputs.iter().flat_map(|word| word.to_le_bytes()).collect();
        write(path.join("stimulus"), &bytes);
        let source = verilog_source(circuit)?;
        let mut arguments: Vec<_> = VERILATOR_FLAGS.split_whitespace().collect();
        arguments.extend(["--top-module", &source.top]);
        for file in &source.files {
            write(path.join(&file.name), file.text.as_bytes());
            arguments.push(&file.name);
        }
        call(path, "verilator", &arguments);
        write(path.join("main.cpp"), program(&circuit.port_layout(), recorded.sum).as_bytes());
        compile(path);
        Ok(bare)
    }

    /// Plays the stimulus back for about `seconds`; clocks per second of the fastest pass and of all.
    pub fn clocks_per_second(&self, seconds: f64) -> [f64; 2] {
        let path = self.folder.path();
        let program = path.join("bare").to_string_lossy().into_owned();
        let answer = call(path, &program, &["stimulus", &seconds.to_string()]);
        let mut numbers = answer.split_whitespace().map(|n| n.parse::<f64>().expect("a number"));
        [(); 2].map(|()| {
            let (clocks, nanoseconds) = (numbers.next().unwrap(), numbers.next().unwrap());
            clocks / nanoseconds * 1e9
        })
    }
}

/// The loop as C++. `sum` is the expected sum of the first output in the first pass, as in the recorded run.
fn program(layout: &PortLayout, sum: u64) -> String {
    let (mut fields, mut loads, mut puts) = (String::new(), String::new(), String::new());
    for PortSlot { name, width, offset } in &layout.inputs {
        let at = format!("words[{offset}]");
        if *width <= 64 {
            let bits = width.next_power_of_two().max(8);
            writeln!(fields, "    std::uint{bits}_t {name};").unwrap();
            writeln!(loads, "        next.{name} = {at};").unwrap();
            writeln!(puts, "            model.{name} = now.{name};").unwrap();
        } else {
            let halves = width.div_ceil(32);
            writeln!(fields, "    std::uint32_t {name}[{halves}];").unwrap();
            writeln!(loads, "        std::memcpy(next.{name}, &{at}, sizeof next.{name});")
                .unwrap();
            writeln!(
                puts,
                "            std::memcpy(&model.{name}[0], now.{name}, sizeof now.{name});"
            )
            .unwrap();
        }
    }
    let (words, output) = (layout.input_words(), &layout.outputs[checked_output(layout)].name);
    format!(
        r#"#include "Vmodel.h"
#include "verilated.h"
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
            sum += now.rst ? 0 : model.{output};
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
    double total = 0, best = 1e300;
    for (auto now = start; std::chrono::duration<double, std::nano>(now - start).count() < limit;) {{
        sum += pass();
        const auto end = Clock::now();
        const double spent = std::chrono::duration<double, std::nano>(end - now).count();
        best = std::min(best, spent);
        total += spent;
        clocks += stimulus.size();
        now = end;
    }}
    std::printf("%llu %.0f %llu %.0f %llu\n", (unsigned long long)stimulus.size(), best,
                (unsigned long long)clocks, total, (unsigned long long)sum);
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
