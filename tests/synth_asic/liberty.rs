//! Liberty files as others write them: every tool reads them alike, or they are refused before a tool runs.

use serde_json::Value;
use warpsmith::flow::liberty::{Library, write};

use crate::support::tiny_library::TinyLibrary;
use crate::support::{Scratch, refused};
use crate::{gzip, record, synth, tools};

const UNITS: &str = "  time_unit : \"1ns\";\n";

/// The text of the tiny library, with one text in place of another that is there.
fn with(from: &str, to: &str) -> String {
    let text = TinyLibrary::new().text();
    assert!(text.contains(from), "`{from}` is missing");
    text.replace(from, to)
}

/// The tiny library with these lines before its units.
fn stating(lines: &str) -> String {
    with(UNITS, &format!("{lines}\n{UNITS}"))
}

fn put(scratch: &Scratch, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = scratch.path(name);
    std::fs::write(&path, text).expect("writable");
    path.display().to_string()
}

/// What the tools read of a library.
fn copy(scratch: &Scratch, text: impl AsRef<[u8]>) -> String {
    let path = put(scratch, "copied.lib", text);
    let library = Library::read(path.as_ref()).expect("a library");
    write::write(&library, |_| true).expect("the same library")
}

/// Figures, and notes, of the directory in a library of this text.
fn measured(scratch: &Scratch, text: &str) -> (Value, String) {
    let path = put(scratch, "measured.lib", text);
    let mut record = record(&synth(scratch, &["--liberty", &path]));
    let notes = record["notes"].to_string();
    let figures = ["cells", "asic", "fmax", "power"].map(|name| record[name].take());
    (Value::Array(figures.into()), notes)
}

#[test]
fn every_way_to_write_a_library_gives_the_tools_the_same_text() {
    let scratch = Scratch::new();
    let text = TinyLibrary::new().text();
    let same = copy(&scratch, &text);
    let unquoted = with("\"!(A|B)\"", "!(A+B)").replace("\"!(A&B)\"", "! (A * B)");
    let rows = with("\"0.02, 0.4\", \"0.1, 0.5\"", "\"0.02, 0.4, 0.1, 0.5\"");
    for (name, written) in [
        ("unquoted functions", unquoted),
        ("{ on the next line", text.replace(" {", "\n\n{")),
        ("a byte-order mark", format!("\u{feff}{text}")),
        ("lines that end as in DOS", text.replace('\n', "\r\n")),
        ("lines that end as in old Mac OS", text.replace('\n', "\r")),
        ("no semicolons", text.replace(";\n", "\n")),
        ("comments at values", with("area : 1.5;", "area : 1.5 // um2")),
        ("a table in one row", rows.clone()),
        ("numbers without quotes", rows.replace("\"0.02, 0.4, 0.1, 0.5\"", "0.02, 0.4, 0.1, 0.5")),
        ("units in capitals", with("(1,pf)", "(1, PF)").replace("\"1ns\"", "\"1 NS\"")),
        ("an attribute twice", with("area : 1.5;", "area : 7; area : 1.5;")),
        ("a value over two lines", with("\"!(A|B)\"", "\"!(A| \\\n B)\"")),
        ("nothing in its place", with("    area : 6;", "    dont_use : false; area : 6;")),
        ("templates at the end", {
            let at = text.find("  lu_table_template (setup)").expect("a template");
            let end = text[at..].find("\n  }\n").expect("its end") + at + 5;
            let rest = text[end..].trim_end().strip_suffix('}').expect("the end");
            format!("{}{rest}{}}}\n", &text[..at], &text[at..end])
        }),
    ] {
        let what = copy(&scratch, &written);
        assert!(what == same, "{name}: {what}");
    }
    let capacitance = with(
        "pin (A) { direction : input; capacitance : 0.002; }",
        "pin (A) { direction : input; }",
    );
    let defaulted =
        capacitance.replace(UNITS, "  default_input_pin_cap : 0.002;\n  time_unit : \"1ns\";\n");
    let capacitances =
        |text: &str| copy(&scratch, text).matches("      capacitance : 0.002").count();
    assert_eq!(capacitances(&defaulted), capacitances(&text));
}

#[test]
fn what_tools_take_differently_is_written_in_one_way() {
    let scratch = Scratch::new();
    // To abc `^` goes after `*`, `0` is no pin, and a brace in a string counts.
    let copied = copy(&scratch, with("\"!(A|B)\"", "\"!(A + A ^ 0 * B)\""));
    assert!(copied.contains("function : \"!(A|(A&B))\""), "{copied}");
    let copied = copy(&scratch, stating("  comment : \"a { b\";"));
    assert!(copied.contains("comment : \"a b\""), "{copied}");
    // Neither reads a list of related pins.
    let nand = "related_pin : \"A\"; timing_sense : negative_unate;";
    let copied =
        copy(&scratch, with(nand, "related_pin : \"A B\"; timing_sense : negative_unate;"));
    assert!(!copied.contains("\"A B\"") && copied.contains("related_pin : \"B\""), "{copied}");
    // A delay that depends on nothing is a table for abc, and the same everywhere.
    let scalar = with(
        "cell_rise (delay) { values (\"0.02, 0.4\", \"0.1, 0.5\"); }",
        "cell_rise (scalar) { values (\"0.3\"); }",
    );
    let copied = copy(&scratch, &scalar);
    assert!(copied.contains("values (\"0.3, 0.3\", \"0.3, 0.3\")"), "{copied}");
    // The state of a flip-flop has one name in OpenSTA and two in yosys.
    let copied = copy(&scratch, with("ff (IQ,IQN)", "ff (IQ)").replace("\"IQN\"", "\"!IQ\""));
    assert!(copied.contains("ff (IQ, IQ_complement)"), "{copied}");
    assert!(copied.contains("function : \"IQ_complement\""), "{copied}");
    // OpenSTA knows the variables of energies by other names than those of delays.
    let energy =
        "internal_power () { related_pin : \"A\"; power (delay) { values (\"1, 2, 3, 4\"); } }";
    let copied =
        copy(&scratch, with("function : \"!A\";", &format!("function : \"!A\"; {energy}")));
    assert!(copied.contains("values (\"1, 2\", \"3, 4\")"), "{copied}");
    assert!(copied.contains("variable_1 : \"input_transition_time\""), "{copied}");
}

#[test]
fn dynamic_power_is_at_a_voltage_of_the_library_or_absent() {
    if !tools("dynamic_power_is_at_a_voltage_of_the_library_or_absent") {
        return;
    }
    let scratch = Scratch::new();
    let typical = "operating_conditions (typ) { process : 1; voltage : 1.1; temperature : 25; }";
    let slow = "operating_conditions (slow) { process : 1; voltage : 0.9; temperature : 125; }";
    let default = "default_operating_conditions : typ;";
    let dynamic = |text: &str| {
        let (figures, notes) = measured(&scratch, text);
        (figures[3]["dynamic_mw"].as_f64(), notes)
    };
    let (expected, notes) = dynamic(&stating(&format!("{typical} {default}")));
    assert!(expected > Some(0.01), "{expected:?}");
    assert!(notes.contains("1.1 V from operating conditions `typ`"), "{notes}");
    let unstated = with("  nom_voltage : 1.1;", "");
    let instead = |lines: &str| unstated.replace(UNITS, &format!("{lines}\n{UNITS}"));
    for (text, source) in [
        (TinyLibrary::new().text(), "1.1 V from `nom_voltage`"),
        (stating(typical), "1.1 V from `typ`, its only operating conditions"),
        (stating(&format!("{default} {typical}")), "1.1 V from operating conditions `typ`"),
        (stating(&format!("{slow} {default}")), "default operating conditions `typ` are not in it"),
        (stating(&format!("{slow} {typical}")), "no operating conditions are its default"),
        (instead(typical), "1.1 V from `typ`"),
        (instead("voltage_map (VDD, 1.1); voltage_map (VSS, 0.0);"), "1.1 V from `voltage_map`"),
    ] {
        let (power, notes) = dynamic(&text);
        assert_eq!(power, expected, "{source}");
        assert!(notes.contains(source), "{source}: {notes}");
    }
    let (power, _) =
        dynamic(&stating(&format!("{typical} {slow} default_operating_conditions : slow;")));
    let ratio = power.expect("a power") / expected.expect("a power");
    assert!((ratio - (0.9_f64 / 1.1).powi(2)).abs() < 1e-3, "{ratio}");
    for text in [unstated.clone(), instead("voltage_map (VDD, 1.1); voltage_map (VDDL, 0.8);")] {
        let (power, notes) = dynamic(&text);
        assert_eq!(power, None);
        assert!(notes.contains("no dynamic power, since no voltage is known"), "{notes}");
    }
}

#[test]
fn leakage_is_that_of_all_cells_or_absent() {
    if !tools("leakage_is_that_of_all_cells_or_absent") {
        return;
    }
    let scratch = Scratch::new();
    let leakage = |text: &str| {
        let (figures, notes) = measured(&scratch, text);
        (figures[3]["leakage_mw"].as_f64(), notes)
    };
    let (expected, _) = leakage(&TinyLibrary::new().text());
    assert!(expected > Some(1e-5), "{expected:?}");
    let stated = "cell_leakage_power : 1;";
    let states = "leakage_power () { when : \"A\"; value : 1.5; } leakage_power () { when : \"!A\"; value : 0.5; }";
    let default =
        with(stated, "").replace(UNITS, &format!("  default_cell_leakage_power : 1;\n{UNITS}"));
    for text in [with(stated, states), with(stated, "leakage_power () { value : 1; }"), default] {
        let (same, notes) = leakage(&text);
        assert_eq!(same, expected, "{notes}");
    }
    let unit = "  leakage_power_unit : \"1nW\";";
    for (text, why) in [
        (with(unit, ""), "has no `leakage_power_unit`"),
        (with(stated, ""), "does not state it of the cells"),
        (with(stated, "cell_leakage_power : 0;"), "states 0 of every cell"),
    ] {
        let (power, notes) = leakage(&text);
        assert_eq!(power, None);
        assert!(notes.contains("no leakage: ") && notes.contains(why), "{notes}");
    }
}

#[test]
fn figures_are_without_wires_and_say_what_they_assume() {
    if !tools("figures_are_without_wires_and_say_what_they_assume") {
        return;
    }
    let scratch = Scratch::new();
    let (expected, notes) = measured(&scratch, &TinyLibrary::new().text());
    for assumed in [
        "1.1 V from",
        "time in 1000 ps",
        "leakage in 1 nW",
        "no wires",
        "0.1 transitions per clock",
    ] {
        assert!(notes.contains(assumed), "{assumed}: {notes}");
    }
    let wires = "wire_load (long) { capacitance : 0.1; resistance : 0.1; slope : 9; fanout_length (1, 99); }";
    let thresholds = with("  slew_upper_threshold_pct_rise : 80;", "");
    for (text, assumed) in [
        (
            stating(&format!("{wires} default_wire_load : long;")),
            "its `default_wire_load`, `long`, is not used",
        ),
        (stating("default_wire_load : missing;"), "is not used"),
        (thresholds, "does not state: slew_upper_threshold_pct_rise 80"),
        (with("  delay_model : table_lookup;\n", ""), "no wires"),
        (with("  voltage_unit : \"1V\";", ""), "no wires"),
    ] {
        let (figures, notes) = measured(&scratch, &text);
        assert_eq!(figures, expected, "{assumed}");
        assert!(notes.contains(assumed), "{assumed}: {notes}");
    }
}

#[test]
fn a_library_that_tools_would_misread_is_refused_with_file_line_and_cell() {
    if !tools("a_library_that_tools_would_misread_is_refused_with_file_line_and_cell") {
        return;
    }
    let scratch = Scratch::new();
    let refuses = |text: &[u8], words: &[&str]| {
        let path = put(&scratch, "bad.lib", text);
        refused(&synth(&scratch, &["--liberty", &path]), &[&["bad.lib"], words].concat());
        assert!(!scratch.path("flow-out").exists(), "something was begun");
    };
    let twice = with("  cell (BUF)", "  cell (INV) { area : 1; }\n  cell (BUF)");
    let inverter = "function : \"!A\"";
    let without_arcs = {
        let text = TinyLibrary::new().text();
        text.replace("related_pin : \"A\"", "related_pin : \"Z\"")
    };
    for (text, words) in [
        (TinyLibrary::new().without("BUF").text(), &["no buffer", "hold buffers (1), such as"][..]),
        (twice, &["line ", "cell INV is there twice", "remove one"]),
        (
            with(inverter, "max_fanout : 9"),
            &["no inverter", "cells without a function", "cell INV"],
        ),
        (
            with(inverter, "function : \"!A &&\""),
            &["no inverter", "cells without a function", "line 3"],
        ),
        (
            with("    area : 1;", "    dont_use : TRUE; area : 1;"),
            &["no inverter", "marked dont_use"],
        ),
        (with("    area : 1;", ""), &["no inverter", "cells without an area", "cell INV"]),
        (without_arcs, &["no inverter", "cells without delays", "cell INV"]),
        (with(" capacitance : 0.002;", ""), &["no inverter", "an input without capacitance"]),
        (
            with("setup_rising", "hold_rising"),
            &["no flip-flop", "without a set-up time", "cell DFF"],
        ),
        (
            with("\"0.1, 0.5\"); }", "\"0.1\"); }"),
            &["line 39", "cell INV", "has 3 numbers", "make 4"],
        ),
        (
            with("\"0.1, 0.5\"); }", "\"0.1, x\"); }"),
            &["line 39", "cell INV", "`x` is not a number"],
        ),
        (
            with("_template (delay)", "_template (other)"),
            &["cell INV", "names the template `delay`"],
        ),
        (
            with("_template (setup)", "_template (other)"),
            &["cell DFF:", "names the template `setup`"],
        ),
        (with("\"1ns\"", "\"1us\""), &["line 4", "`time_unit` is `1us`", "1ns is accepted"]),
        (with("(1,pf)", "(1,nf)"), &["line 9", "`capacitive_load_unit` is `1,nf`", "ff or pf"]),
        (with("\"1V\"", "\"1mV\""), &["line 5", "`voltage_unit` is `1mV`", "1V is accepted"]),
        (with("\"1nW\"", "\"3nW\""), &["line 8", "`leakage_power_unit` is `3nW`", "1nW"]),
        (with("nom_voltage : 1.1", "nom_voltage : 0"), &["line 11", "`0` is not a voltage"]),
        (with("table_lookup", "polynomial"), &["line 3", "`delay_model` is `polynomial`"]),
        (
            with("  cell (BUF)", "  include_file (b.lib);\n  cell (BUF)"),
            &["line ", "`include_file`"],
        ),
    ] {
        refuses(text.as_bytes(), words);
    }
    let text = TinyLibrary::new().text();
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    refuses(&[&[0xff, 0xfe], &wide[..]].concat(), &["line 1", "zero byte", "UTF-8"]);

    gzip(&scratch.path("whole.lib.gz"), &text);
    let mut packed = std::fs::read(scratch.path("whole.lib.gz")).expect("written");
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    refuses(&packed, &["damaged gzip file"]);

    let slow = put(&scratch, "slow.lib", with("nom_voltage : 1.1", "nom_voltage : 0.9"));
    let other = put(&scratch, "typ.lib", &text);
    let ended = synth(&scratch, &["--liberty", &other, &slow]);
    refused(&ended, &["typ.lib", "slow.lib", "different operating conditions", "0.9 V"]);
    let again = put(&scratch, "again.lib", &text);
    let ended = synth(&scratch, &["--liberty", &other, &again]);
    refused(&ended, &["typ.lib, line ", "again.lib, line ", "is there twice"]);
}
