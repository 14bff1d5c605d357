//! README.md: its table of figures is that of the records, and its example emits the Verilog beside it.
//! `UPDATE_EXPECT=1 cargo test --test readme` writes both.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;
use warpsmith_rtl::{ModuleBuilder, verilog};

fn path(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

fn read(of: &str) -> String {
    std::fs::read_to_string(path(of)).unwrap_or_else(|error| panic!("{of}: {error}"))
}

/// One test at a time writes.
static README: Mutex<()> = Mutex::new(());

/// Compares the text between two marks with what it should be, or writes it.
fn between(begin: &str, end: &str, wanted: &str) {
    let _alone = README.lock();
    let readme = read("README.md");
    let (before, rest) = readme.split_once(begin).unwrap_or_else(|| panic!("no {begin}"));
    let (found, after) = rest.split_once(end).unwrap_or_else(|| panic!("no {end}"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let new = format!("{before}{begin}{wanted}{end}{after}");
        std::fs::write(path("README.md"), new).expect("writable");
    } else {
        assert_eq!(found, wanted, "to write it: UPDATE_EXPECT=1 cargo test --test readme");
    }
}

fn with_commas(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Assertions that a block's recorded proof proves for all time.
fn proven(block: &str) -> String {
    let whole = format!("tests/proofs/{block}.json");
    let file =
        if path(&whole).exists() { whole } else { format!("tests/proofs/{block}.unbounded.json") };
    let record: Value = serde_json::from_str(&read(&file)).expect("JSON");
    let assertions = record["assertions"].as_array().expect("assertions");
    let is_proven = |assertion: &&Value| assertion["verdict"]["verdict"] == "proven";
    let (all, proven) = (assertions.len(), assertions.iter().filter(is_proven).count());
    if proven == all { format!("all {all}") } else { format!("{proven} of {all}") }
}

fn row(block: &str) -> String {
    let record: toml::Table =
        read(&format!("tests/baselines/{block}.ecp5.toml")).parse().expect("TOML");
    let value = |metric: &str| {
        let value = &record["metrics"][metric]["value"];
        value.as_float().or(value.as_integer().map(|count| count as f64)).expect("a number")
    };
    let [lut, ff, bram] = ["lut", "ff", "bram"].map(|metric| with_commas(value(metric)));
    let (fmax, clocks, proven) = (value("fmax"), value("clocks_per_request"), proven(block));
    format!("| `{block}` | {lut} | {ff} | {bram} | {fmax:.1} MHz | {clocks:.2} | {proven} |\n")
}

#[test]
fn the_figures_are_those_of_the_records() {
    let rows: String = warpsmith_blocks::all().iter().map(|block| row(block.name)).collect();
    let table = format!(
        "\n| preset `fpga` | ECP5 LUT | FF | block RAM | Fmax, median of 3 seeds | clocks/request | \
         assertions proven for all time, on `tiny` |\n|---|---|---|---|---|---|---|\n{rows}"
    );
    between("<!-- figures -->", "<!-- end of figures -->", &table);
}

#[test]
fn the_example_emits_the_verilog_beside_it() {
    let m = ModuleBuilder::new("counter");
    let enable = m.input("enable", 1);
    let count = m.reg("count", 8, 0);
    m.when(enable, || count.set(*count + 1));
    m.output("value", *count);
    let counter = m.finish();
    let source =
        include_str!("readme.rs").lines().skip_while(|line| !line.contains("ModuleBuilder::new"));
    let readme = read("README.md");
    for line in source.take(6) {
        assert!(readme.contains(line.trim()), "README.md: no {}", line.trim());
    }
    let files = verilog::emit(&counter, &Default::default()).expect("Verilog");
    let (_, module) = files[0].text.split_once("module").expect("a module");
    let (module, _) = module.split_once("endmodule").expect("its end");
    between("```verilog\n", "```", &format!("module{module}endmodule\n"));
}
