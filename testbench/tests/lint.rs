//! Emitted Verilog is deterministic, and clean without waivers in every tool that reads it.

mod support {
    pub mod designs;
    pub mod tools;
}

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use support::designs::{memory, modules};
use support::tools;
use tempfile::TempDir;
use warpsmith_rtl::library::{fifo, skid_buffer};
use warpsmith_rtl::verilog::{EmitOptions, VerilogFile, emit};
use warpsmith_rtl::{Collision, Module, ModuleBuilder};

/// In the second reading of every design, memories of more bits than this are RAM macros.
const MACRO_BITS: u64 = 0;

/// A design and its Verilog in a folder of its own.
struct Emitted {
    what: String,
    top: String,
    /// Whether it has empty modules for RAM macros.
    macros: bool,
    names: Vec<String>,
    folder: TempDir,
}

impl Emitted {
    fn new(what: &str, module: &Module, options: &EmitOptions) -> Self {
        let files = emit(module, options).expect("no two modules of one name");
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in &files {
            fs::write(folder.path().join(file.file_name()), &file.text).expect("a writable folder");
        }
        let names = files.iter().map(VerilogFile::file_name).collect();
        let macros = options.black_box_memories_above.is_some();
        Self { what: what.to_string(), top: module.name.clone(), macros, names, folder }
    }

    /// Runs a tool; the error is its output.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let output = Command::new(program).args(arguments).current_dir(self.folder.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        match output.status.success() && said.trim().is_empty() {
            true => Ok(()),
            false => Err(format!("{}: {program} {}:\n{said}", self.what, arguments.join(" "))),
        }
    }

    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }
}

fn verilator(design: &Emitted) -> Result<(), String> {
    let arguments = ["--lint-only", "-Wall", "--default-language", "1364-2005", "--top-module"];
    // An empty module uses and drives nothing; all other modules are the same text as without macros.
    let macros = ["-Wno-UNUSEDSIGNAL", "-Wno-UNDRIVEN"];
    let macros = if design.macros { &macros[..] } else { &[] };
    design.run("verilator", &[&arguments[..], &[&design.top], macros, &design.names()].concat())
}

fn iverilog(design: &Emitted) -> Result<(), String> {
    let arguments = ["-g2005", "-Wall", "-t", "null", "-s", &design.top];
    design.run("iverilog", &[&arguments[..], &design.names()].concat())
}

fn yosys(design: &Emitted) -> Result<(), String> {
    for read in ["read_verilog", "read_verilog -formal"] {
        let files = design.names.join(" ");
        // Every warning is an error. Black boxes are not read.
        let script =
            format!("{read} {files}; hierarchy -check -top {}; proc; check -assert", design.top);
        design.run("yosys", &["-q", "-e", ".", "-p", &script])?;
    }
    Ok(())
}

/// Runs the check on all designs and reports all failures.
fn check_all(designs: &[Emitted], check: impl Fn(&Emitted) -> Result<(), String> + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut failures = Vec::new();
        let more = || designs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        while let Some(design) = more() {
            failures.extend(check(design).err());
        }
        failures
    };
    let failures = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.map(|worker| worker.join().expect("no panic")).concat()
    });
    let count = failures.len();
    assert!(count == 0, "{count} of {} designs:\n{}", designs.len(), failures.join("\n"));
}

#[test]
fn verilator_has_nothing_to_say() {
    if tools::verilator() {
        check_all(&all(), verilator);
    }
}

#[test]
fn iverilog_has_nothing_to_say() {
    if tools::there("iverilog", &["-V"], "apt-get install iverilog") {
        check_all(&all(), iverilog);
    }
}

#[test]
fn yosys_has_nothing_to_say() {
    if tools::there("yosys", &["-V"], "apt-get install yosys") {
        check_all(&all(), yosys);
    }
}

#[test]
fn slang_has_nothing_to_say() {
    if !tools::there("python3", &["-c", "import pyslang.driver"], "pip install pyslang") {
        return;
    }
    let designs = all();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/lint_pyslang.py");
    let argument = |d: &Emitted| {
        format!("{}:{}{}", d.folder.path().display(), d.top, if d.macros { ":macros" } else { "" })
    };
    let output = Command::new("python3").arg(script).args(designs.iter().map(argument)).output();
    let output = output.expect("python3 was there a moment ago");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let folders = designs.iter().map(|d| format!("{} is {}\n", d.folder.path().display(), d.what));
    let clean = output.status.success() && said.trim().is_empty();
    assert!(clean, "{said}{}", folders.collect::<String>());
}

/// All designs, with memories as Verilog and, if they have any, as RAM macros.
fn all() -> Vec<Emitted> {
    let mut designs = Vec::new();
    for (what, module) in modules() {
        designs.push(Emitted::new(&what, &module, &EmitOptions::default()));
        if has_memory(&module) {
            let options = EmitOptions {
                black_box_memories_above: Some(MACRO_BITS),
                ..EmitOptions::default()
            };
            designs.push(Emitted::new(&format!("{what} with RAM macros"), &module, &options));
        }
    }
    designs
}

fn has_memory(module: &Module) -> bool {
    !module.memories.is_empty() || module.instances.iter().any(|i| has_memory(&i.module))
}

#[test]
fn emission_is_the_same_every_time_and_one_module_a_file() {
    let (first, second) = (modules(), modules());
    let emitted = |module, limit| {
        let options = EmitOptions { black_box_memories_above: limit, ..EmitOptions::default() };
        emit(module, &options).expect("no two modules of one name")
    };
    for ((what, module), (_, again)) in first.iter().zip(&second) {
        let whole = emitted(module, None);
        for limit in [None, Some(MACRO_BITS)] {
            let files = emitted(module, limit);
            assert_eq!(files, emitted(again, limit), "{what}");
            for (file, plain) in files.iter().zip(&whole) {
                assert!(file == plain || file.text.contains("(* blackbox *)"), "{what}");
            }
            assert_eq!(files[0].module, module.name);
            let names: BTreeSet<_> = files.iter().map(VerilogFile::file_name).collect();
            assert_eq!(names.len(), files.len(), "{what}");
            for file in &files {
                let starts: Vec<_> =
                    file.text.lines().filter(|l| l.starts_with("module ")).collect();
                assert_eq!(starts, [format!("module {} (", file.module)], "{what}");
                assert_eq!(file.text.matches("endmodule").count(), 1, "{what}");
                assert_eq!(file.file_name(), format!("{}.v", file.module));
                assert!(
                    file.text.ends_with("endmodule\n`default_nettype wire\n")
                        && file.text.is_ascii(),
                    "{what}"
                );
                let untidy = |line: &str| line.ends_with(' ') || line.contains('\t');
                assert!(!file.text.lines().any(untidy), "{what}: {}", file.text);
            }
        }
    }
}

/// Identifiers of the text, without comments, sized numbers and macros.
fn identifiers(text: &str) -> BTreeSet<String> {
    let code: Vec<_> = text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$'`".contains(c);
    let code = code.join("\n");
    let words = code.split(|c| !is_part(c)).filter(|w| !w.contains(['\'', '`', '$']));
    words.filter(|w| w.starts_with(|c: char| !c.is_ascii_digit())).map(str::to_string).collect()
}

#[test]
fn only_verilog_2005_keywords_are_used_and_no_name_is_reserved() {
    let keywords = "module endmodule input output wire reg localparam assign always posedge begin \
                    end if else case default endcase initial assert assume cover";
    let keywords: BTreeSet<&str> = keywords.split_whitespace().collect();
    for (what, module) in modules() {
        for file in emit(&module, &EmitOptions::default()).expect("no two modules of one name") {
            for name in identifiers(&file.text) {
                let plain = name.trim_start_matches('_').to_lowercase();
                if keywords.contains(name.as_str()) || name.starts_with('_') || plain.is_empty() {
                    continue;
                }
                // Names that the builder rejects are reserved.
                let refused = std::panic::catch_unwind(|| ModuleBuilder::new(&plain)).is_err();
                assert!(!refused, "{what}: `{name}` is a reserved word");
            }
        }
    }
}

/// Names that the writer merely numbered, such as `_data_next_3`.
fn numbered(text: &str) -> BTreeSet<String> {
    let is_numbered = |name: &String| {
        let end = name.rsplit('_').next().unwrap_or_default();
        name.starts_with('_') && !end.is_empty() && end.bytes().all(|c| c.is_ascii_digit())
    };
    identifiers(text).into_iter().filter(is_numbered).collect()
}

#[test]
fn blocks_have_few_numbered_names_and_no_long_lines() {
    assert_eq!(numbered("wire _a_12 = _a_b3 & c_4; // _d_5").len(), 1);
    for block in warpsmith_blocks::all() {
        for preset in block.presets() {
            let what = format!("{} {preset}", block.name);
            let module = block.configure(preset, &[]).expect("a preset").circuit();
            let files = emit(&module, &EmitOptions::default()).expect("no two modules of one name");
            let names: Vec<_> = files.iter().flat_map(|file| numbered(&file.text)).collect();
            assert!(names.len() <= 20, "{what}: {names:?}");
            let long = files.iter().flat_map(|f| f.text.lines()).find(|line| line.len() > 120);
            assert_eq!(long, None, "{what}");
        }
    }
}

/// The memories that yosys finds in a design, with their number of bits.
fn memories(design: &Emitted) -> Vec<u64> {
    let script = format!(
        "read_verilog {}; hierarchy -top {}; proc; flatten; opt -full; memory -nomap; \
         tee -q -o cells dump t:$mem_v2 t:$mem",
        design.names.join(" "),
        design.top
    );
    let mut yosys = Command::new("yosys");
    yosys.args(["-q", "-p", &script]).current_dir(design.folder.path());
    let output = yosys.output().expect("yosys was there a moment ago");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let cells = fs::read_to_string(design.folder.path().join("cells")).expect("yosys wrote it");
    let number = |line: &str, name: &str| {
        let value = line.trim().strip_prefix(&format!("parameter \\{name} "))?;
        let bits = value.rsplit('\'').next().unwrap_or(value);
        match value.contains('\'') {
            true => u64::from_str_radix(bits, 2).ok(),
            false => value.parse().ok(),
        }
    };
    let all = |name: &str| cells.lines().filter_map(|l| number(l, name)).collect::<Vec<_>>();
    all("SIZE").into_iter().zip(all("WIDTH")).map(|(size, width)| size * width).collect()
}

#[test]
fn yosys_finds_each_memory_as_a_ram_and_no_other() {
    if !tools::there("yosys", &["-V"], "apt-get install yosys") {
        return;
    }
    fn rams(module: &Module) -> Vec<u64> {
        let own = module.memories.iter().map(|m| u64::from(m.rows) * u64::from(m.width));
        own.chain(module.instances.iter().flat_map(|i| rams(&i.module))).collect()
    }
    let fpga = warpsmith_blocks::find("hmg_directory").expect("the block");
    let directory = fpga.configure("fpga", &[]).expect("a preset").circuit();
    // A set of the directory is a row of each of its memories.
    let rows: Vec<_> = directory.memories.iter().map(|m| (m.name.as_str(), m.rows)).collect();
    let tags = ["way0_tags", "way1_tags", "way2_tags", "way3_tags"].map(|name| (name, 256));
    assert_eq!(rows, [&[("rows", 256)], &tags[..]].concat());
    let cases = [
        directory,
        fifo::fifo(8, 5),
        fifo::fifo(8, 33),
        memory(16, 66, 11, Collision::WriteFirst),
        skid_buffer::skid_buffer(8),
    ];
    for module in cases {
        let mut expected = rams(&module);
        let emitted = Emitted::new(&module.name, &module, &EmitOptions::default());
        let mut found = memories(&emitted);
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", module.name);
    }
}

/// The tests above would also pass with a tool that never finds anything.
#[test]
fn each_tool_finds_a_mistake() {
    let broken = |text: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("broken.v"), text).expect("a writable folder");
        let names = vec!["broken.v".to_string()];
        Emitted {
            what: "broken".to_string(),
            top: "broken".to_string(),
            macros: false,
            names,
            folder,
        }
    };
    let narrow = broken(
        "module broken (input wire [3:0] a, output wire [2:0] y);\n  assign y = a;\nendmodule\n",
    );
    if tools::verilator() {
        assert!(verilator(&narrow).is_err_and(|said| said.contains("WIDTH")));
    }
    if tools::there("iverilog", &["-V"], "apt-get install iverilog") {
        let implicit = broken("module broken (output wire y);\n  assign y = missing;\nendmodule\n");
        assert!(iverilog(&implicit).is_err());
    }
    if tools::there("yosys", &["-V"], "apt-get install yosys") {
        let undriven =
            broken("module broken (output wire y);\n  wire z;\n  assign y = z;\nendmodule\n");
        assert!(yosys(&undriven).is_err());
    }
    if tools::there("python3", &["-c", "import pyslang.driver"], "pip install pyslang") {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/lint_pyslang.py");
        let folder = format!("{}:broken", narrow.folder.path().display());
        assert!(
            narrow.run("python3", &[script, &folder]).is_err_and(|s| s.contains("width-trunc"))
        );
    }
}
