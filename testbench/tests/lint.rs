//! Emitted Verilog is clean, without waivers, in every tool that reads it, and it is the same text
//! every time.

mod support {
    pub mod tools;
}

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use support::tools;
use tempfile::TempDir;
use warpsmith_blocks::block::Design;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::library::{arbiter, fifo, h3, min_tree, one_hot, record, skid_buffer};
use warpsmith_rtl::verilog::{EmitOptions, VerilogFile, emit};
use warpsmith_rtl::{Collision, Module, ModuleBuilder, address_bits};

/// Memories of more bits than this are RAM macros in the second reading of every design.
const MACRO_BITS: u64 = 0;

/// A design and its Verilog in a folder of its own.
struct Emitted {
    what: String,
    top: String,
    /// Whether there are empty modules in it, for RAM macros.
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

    /// What a tool says: nothing, or what is wrong.
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
    // An empty module uses and drives nothing; all other modules are the same text as without.
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
        // Every warning is an error. A black box is not looked into.
        let script =
            format!("{read} {files}; hierarchy -check -top {}; proc; check -assert", design.top);
        design.run("yosys", &["-q", "-e", ".", "-p", &script])?;
    }
    Ok(())
}

/// Runs the check on all designs and tells of all that fail.
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

/// All designs, with memories as Verilog and, where there are any, as RAM macros.
fn all() -> Vec<Emitted> {
    let mut designs = Vec::new();
    for (what, module) in modules() {
        designs.push(Emitted::new(&what, &module, &EmitOptions::default()));
        if has_memory(&module) {
            let options = EmitOptions { black_box_memories_above: Some(MACRO_BITS) };
            designs.push(Emitted::new(&format!("{what} with RAM macros"), &module, &options));
        }
    }
    designs
}

fn has_memory(module: &Module) -> bool {
    !module.memories.is_empty() || module.instances.iter().any(|i| has_memory(&i.module))
}

fn modules() -> Vec<(String, Module)> {
    let mut modules = Vec::new();
    for width in [1, 8, 65] {
        modules.push((format!("skid_buffer({width})"), skid_buffer::skid_buffer(width)));
    }
    for (width, depth) in [(1, 2), (8, 3), (64, 8), (65, 13)] {
        modules.push((format!("fifo({width}, {depth})"), fifo::fifo(width, depth)));
    }
    for requesters in [1, 2, 3, 8, 65] {
        modules.push((format!("round_robin({requesters})"), arbiter::round_robin(requesters)));
    }
    for count in [1, 2, 3, 8, 13] {
        modules.push((format!("functions of {count}"), functions(count)));
    }
    modules.push(("relay".to_string(), relay()));
    for collision in [Collision::ReadFirst, Collision::WriteFirst, Collision::Undefined] {
        for (rows, width, lanes) in [(2, 1, 1), (5, 12, 3), (16, 66, 66)] {
            let what = format!("memory({rows}, {width}, {lanes}, {collision:?})");
            modules.push((what, memory(rows, width, lanes, collision)));
        }
    }
    for (rows, width) in [(2, 1), (5, 12), (16, 66)] {
        let what = format!("memory_without_clock({rows}, {width})");
        modules.push((what, memory_without_clock(rows, width)));
    }
    modules.push(("leftovers".to_string(), leftovers()));
    modules.push(("expressions".to_string(), expressions()));
    modules.extend(designs().into_iter().map(|(what, design)| (what, design.circuit())));
    modules
}

/// Every block at every preset, and the blocks that are known here at odd parameters.
fn designs() -> Vec<(String, Box<dyn Design>)> {
    let mut designs = Vec::new();
    let mut add = |block: &str, preset: &str, settings: &str| {
        let table: toml::Table = settings.parse().expect("settings are TOML");
        let settings_list: Vec<_> = table.into_iter().collect();
        let block = warpsmith_blocks::find(block).expect("a block");
        let what = format!("{} {preset} {}", block.name(), settings.replace('\n', " "));
        let design = block.configure(preset, &settings_list);
        designs.push((what.clone(), design.unwrap_or_else(|error| panic!("{what}: {error}"))));
    };
    for block in warpsmith_blocks::all() {
        for preset in block.presets() {
            add(block.name(), preset, "");
        }
    }
    for settings in [
        "ways = 1",
        "ways = 1\nreplacement = 'tree_plru'",
        "ways = 1\nreplacement = 'round_robin'",
        "ways = 3",
        "ways = 3\nreplacement = 'round_robin'",
        "ways = 12",
        "ways = 12\nreplacement = 'round_robin'\nhierarchical = false",
        "ways = 2\nreplacement = 'tree_plru'",
        "ways = 8\nreplacement = 'tree_plru'\nhierarchical = false",
        "ways = 16\nreplacement = 'tree_plru'",
        "hierarchical = false",
        "lines_per_entry = 1",
        "lines_per_entry = 1\nhierarchical = false\nways = 1",
        "gpms_per_gpu = 1\ngpus = 2",
        "gpms_per_gpu = 1\ngpus = 5",
        "gpms_per_gpu = 1\ngpus = 2\nhierarchical = false",
        "gpms_per_gpu = 2\ngpus = 1",
        "gpms_per_gpu = 4\ngpus = 1",
        "gpms_per_gpu = 4\ngpus = 1\nhierarchical = false",
        "gpms_per_gpu = 2\ngpus = 2",
        "gpms_per_gpu = 1\ngpus = 2\nways = 1\nlines_per_entry = 1\nline_bytes = 4",
        "gpms_per_gpu = 32\ngpus = 32",
        "address_bits = 64",
    ] {
        let preset = if settings.contains("address") { "fpga" } else { "tiny" };
        add("hmg_directory", preset, settings);
    }
    designs
}

/// All combinational parts in one module.
fn functions(count: u32) -> Module {
    let m = ModuleBuilder::new(&format!("functions_of_{count}"));
    let index = m.input("index", address_bits(count));
    let requests = m.input("requests", count);
    let values: Vec<_> = (0..count).map(|i| m.input(&format!("value_{i}"), 5)).collect();
    let decoded = m.output("decoded", one_hot::decode(index, count));
    m.output("encoded", one_hot::encode(requests));
    m.output("selected", one_hot::select(decoded, &values));
    m.output("lowest", arbiter::priority(requests));
    m.output("any", one_hot::any_of(&m, requests.to_bits()));
    let (value, position) = min_tree::minimum(&values);
    m.output("smallest", value);
    m.output("position", position);
    m.output("hash", h3::H3::new(count, 6, 3).circuit(requests));
    m.finish()
}

fn relay() -> Module {
    let m = ModuleBuilder::new("relay");
    let fields = record::Fields::new().with("kind", 3, "What it is.").with("body", 70, "The rest.");
    let input = Stream::input(&m, "from", &fields);
    let buffered = skid_buffer::buffer(&m, "first", input);
    fifo::buffer(&m, "second", buffered, 3).output(&m, "to");
    m.finish()
}

fn memory(rows: u32, width: u32, lanes: u32, collision: Collision) -> Module {
    let m = ModuleBuilder::new("memory_user");
    let memory = m.memory("ram", rows, width, lanes, collision).doc("What is kept.");
    let (data, row) = (m.input("data", width), m.input("row", address_bits(rows)));
    let (write, read) = (m.input("write", 1), m.input("read", 1));
    memory.write(write, row, data);
    memory.write_lanes(read, !row, !data, m.input("lanes", lanes));
    m.output("first", memory.read("first_data", read, row));
    m.output("second", memory.read("second_data", m.lit(1, 1), !row));
    m.finish()
}

fn memory_without_clock(rows: u32, width: u32) -> Module {
    let m = ModuleBuilder::new("row_user");
    let memory = m.memory("ram", rows, width, 1, Collision::ReadFirst);
    let row = m.input("row", address_bits(rows));
    memory.write(m.input("write", 1), row, m.input("data", width));
    m.output("now", memory.read_without_clock("row_now", row));
    m.finish()
}

/// Inputs, outputs of instances and bits that nothing reads, and wires whose conditions are decided.
fn leftovers() -> Module {
    let m = ModuleBuilder::new("leftovers");
    let (a, b) = (m.input("a", 8), m.input("b", 1));
    m.input("unread", 4);
    m.output("part", a.slice(2..5));
    let low = (a + 3).named("low_of_sum");
    m.output("low", low.truncate(4));
    let arbiter = arbiter::round_robin(2);
    m.instance("dropped", &arbiter, &[("requests", a.slice(0..2)), ("advance", b)]);
    let decided = m.wire("decided", 3);
    decided.set(0);
    m.when(m.lit(1, 1), || decided.set(5));
    m.output("constant", *decided);
    let twice = m.wire("twice", 3);
    twice.set(1);
    twice.set(a.truncate(3));
    m.output("last", *twice);
    let held = m.reg_without_reset("held", 2);
    m.when(b, || held.set(a.slice(6..8)));
    m.output("kept", *held);
    let never = m.reg("never_written", 2, 1);
    m.output("constant_register", *never);
    m.assert("reads_more", a.ne(b.repeat(8)) | (*held).eq(*never), "Only this reads some bits.");
    m.cover("seen", b, "It is seen.");
    m.assume("given", !b | a.any(), "It is given.");
    m.finish()
}

/// Shapes of expressions that a tool might have an opinion on.
fn expressions() -> Module {
    let m = ModuleBuilder::new("shapes");
    let (a, b, bit) = (m.input("a", 7), m.input("b", 7), m.input("one", 1));
    let by = m.input("by", 40);
    m.output("reduced", m.concat(&[(!a).parity(), (!a).any(), (!!a).all(), !a.parity()]));
    m.output("shifted", m.concat(&[a.shift_left(by), a.shift_right(by), a.shift_right_signed(by)]));
    m.output("far_away", a.shift_left(m.lit(40, 1 << 39)) | a.shift_right(m.lit(3, 7)));
    m.output(
        "shifted_bit",
        m.concat(&[bit.shift_left(b), bit.shift_right(b), bit.shift_right_signed(b)]),
    );
    m.output(
        "extremes",
        m.concat(&[
            a.lt(127),
            a.le(126),
            a.lt(1),
            a.gt(126),
            a.ge(127),
            a.lt(0),
            a.ge(0),
            a.le(127),
            a.gt(127),
        ]),
    );
    m.output(
        "signed_extremes",
        m.concat(&[
            a.lt_signed(64),
            a.le_signed(63),
            a.le_signed(64),
            a.lt_signed(127),
            a.lt_signed(0),
        ]),
    );
    m.output(
        "one_bit",
        m.concat(&[
            bit.lt(a.bit(0)),
            bit.le(a.bit(1)),
            bit.lt_signed(a.bit(2)),
            bit.le_signed(0),
            bit.eq(a.bit(3)),
            bit + a.bit(4),
            bit - a.bit(5),
            bit * a.bit(6),
        ]),
    );
    m.output("signs", a.sign_extend(40) + b.zero_extend(40) + bit.sign_extend(40));
    m.output("carry", a.add_with_carry(b));
    m.output(
        "bits_of_expressions",
        m.concat(&[(a + b).bit(6), (a - b).bit(0), a.repeat(3).bit(20)]),
    );
    m.output("masked", a & b.eq(3).repeat(7));
    m.output("chosen", bit.mux(a * b, (!bit).mux(a, b)));
    m.output("square", a.zero_extend(14) * a.zero_extend(14));
    m.finish()
}

#[test]
fn emission_is_the_same_every_time_and_one_module_a_file() {
    let (first, second) = (modules(), modules());
    let emitted = |module, limit| {
        let options = EmitOptions { black_box_memories_above: limit };
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
                assert!(file.text.ends_with("endmodule\n") && file.text.is_ascii(), "{what}");
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
                // What the builder refuses is reserved.
                let refused = std::panic::catch_unwind(|| ModuleBuilder::new(&plain)).is_err();
                assert!(!refused, "{what}: `{name}` is a reserved word");
            }
        }
    }
}

/// The number of memories that yosys finds in a design, and the bits of each.
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

/// A tool that finds nothing in anything would pass the tests above.
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
