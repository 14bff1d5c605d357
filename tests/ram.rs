//! RAM macros: CACTI's estimates, and choosing macros from a folder of libraries.

mod support;

use serde_json::Value;
use support::tiny_library::TinyLibrary;
use support::{Ended, Scratch, needs, program, refused, run, run_with};
use warpsmith::flow::cacti::Cacti;
use warpsmith::flow::opensta::OPENSTA;
use warpsmith::flow::yosys::YOSYS;

fn json(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{ended:?}");
    support::schema::document(ended)
}

/// Whether CACTI is installed. Without it a test is reported as skipped, but fails in CI.
fn needs_cacti(test: &str) -> bool {
    let Err(why) = Cacti::find() else { return true };
    assert!(std::env::var_os("CI").is_none(), "{test}: {why}");
    eprintln!("skipped: {test}: {why}");
    false
}

fn figure(record: &Value, name: &str) -> f64 {
    record[name].as_f64().unwrap_or_else(|| panic!("no {name}: {record}"))
}

/// `synth --target asic` of the preset `fpga`, which has 256 rows of 26 bits and four tag RAMs of 23, for a
/// tiny library.
fn synth(scratch: &Scratch, ram: &str) -> Ended {
    let library = scratch.path("tiny.lib");
    std::fs::write(&library, TinyLibrary::new().text()).expect("writable");
    let library = library.display().to_string();
    let arguments = ["synth", "hmg_directory", "--preset", "fpga", "--target", "asic", "--json"];
    let options = ["--liberty", &library, "--clock", "200", "--ram", ram];
    run(scratch, &[&arguments[..], &options].concat())
}

/// The slowest of the paths that begin at a RAM, in nanoseconds.
fn from_ram(record: &Value) -> f64 {
    let groups = record["path_groups"].as_array().expect("groups");
    let from = groups.iter().filter(|group| group["from"] == "ram");
    from.map(|group| figure(group, "delay_ns")).fold(0.0, f64::max)
}

#[test]
fn a_ram_has_area_timing_and_power_for_its_shape_and_ports() {
    if !needs_cacti("a_ram_has_area_timing_and_power_for_its_shape_and_ports") {
        return;
    }
    let scratch = Scratch::new();
    let ram = |size: &str, ports: &str, nm: &str| {
        let arguments = ["ram", size, "--ports", ports, "--nm", nm, "--clock", "500", "--json"];
        json(&run(&scratch, &arguments))
    };
    let one = ram("1024x64", "1rw", "32");
    assert_eq!(one["modelled"], one["asked"]);
    let area = |ram: &Value| figure(ram, "area_um2");
    assert!(area(&ram("2048x64", "1rw", "32")) > 1.5 * area(&one));
    assert!(area(&ram("1024x64", "1r1w", "32")) > 1.2 * area(&one));
    assert!(area(&ram("1024x64", "1rw", "65")) > 2.0 * area(&one));
    let port = figure(&one, "read_pj").max(figure(&one, "write_pj"));
    // Picojoules at 500 MHz are half as many milliwatts.
    let power = port * 0.5 + figure(&one, "leakage_mw");
    assert!((figure(&one, "power_mw") - power).abs() < 1e-9, "{one}");
    // A RAM of some kilobytes at 32 nm takes between 0.001 and 1 mm2.
    assert!((1e3..1e6).contains(&area(&one)), "{one}");
}

#[test]
fn what_is_too_small_for_cacti_is_made_larger_and_told_so() {
    if !needs_cacti("what_is_too_small_for_cacti_is_made_larger_and_told_so") {
        return;
    }
    let scratch = Scratch::new();
    for (size, rows, width) in [("2x13", 32, 16), ("2x1", 64, 8), ("2x4000", 32, 4000)] {
        let ram = json(&run(&scratch, &["ram", size, "--json"]));
        assert_eq!(
            (&ram["modelled"]["rows"], &ram["modelled"]["width"]),
            (&rows.into(), &width.into())
        );
    }
    let text = run(&scratch, &["ram", "2x13"]).stdout;
    assert!(text.contains("32x16") && text.contains("requested: 2x13 with 1r1w ports"), "{text}");
}

#[test]
fn sizes_ports_and_feature_sizes_that_cannot_be_are_refused() {
    let scratch = Scratch::new();
    for arguments in [
        &["ram", "0x8"][..],
        &["ram", "8"],
        &["ram", "99999999x99999999"],
        &["ram", "8x8", "--ports", "0r"],
        &["ram", "8x8", "--ports", "1q"],
        &["ram", "8x8", "--nm", "7"],
        &["claims", "--cacti=7"],
    ] {
        refused(&run(&scratch, arguments), &["error:"]);
    }
}

#[test]
fn without_cacti_its_package_is_named() {
    let scratch = Scratch::new();
    for command in [&["ram", "1024x64"][..], &["claims", "--cacti"]] {
        let ended = run_with(&scratch, command, &[("PATH", ""), ("WARPSMITH_CACTI", "")]);
        refused(&ended, &["CACTI not found", "zigzag-dse"]);
    }
    let ended = run_with(&scratch, &["ram", "8x8"], &[("WARPSMITH_CACTI", "/bin/sh")]);
    refused(&ended, &["/bin/sh is not CACTI", "tech_params", "WARPSMITH_CACTI"]);
}

#[test]
fn a_cacti_that_has_no_answer_fails_or_takes_too_long_is_told_with_its_log() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("tech_params")).expect("writable");
    let ram = |script: &str| {
        let cacti = program(&scratch, "cacti", script);
        let arguments = ["ram", "1024x64", "--timeout", "2"];
        run_with(&scratch, &arguments, &[("WARPSMITH_CACTI", &cacti)])
    };
    let log = "cacti/ram/cacti.log";
    refused(
        &ram("echo no organization found"),
        &[log, "no answer", "1024x64", "no organization found"],
    );
    refused(&ram("echo a > ram.cfg.out"), &[log, "CACTI gives no `Area (mm2)`"]);
    refused(&ram("echo broken; exit 1"), &["CACTI failed", log, "broken"]);
    refused(&ram("sleep 100"), &["stopped after 2 s", log]);
}

#[test]
fn the_arrays_that_the_paper_counts_stand_beside_our_memories() {
    if !needs_cacti("the_arrays_that_the_paper_counts_stand_beside_our_memories") {
        return;
    }
    let scratch = Scratch::new();
    let claims = json(&run(&scratch, &["claims", "hmg_directory", "--cacti", "--json"]));
    let arrays = claims["blocks"][0]["arrays"].as_array().expect("arrays");
    let shapes: Vec<_> = arrays.iter().map(|a| (figure(a, "rows"), figure(a, "width"))).collect();
    // HMG VII-C: 12K entries of 55 bits; Table II: 3 MB of L2 for each GPM; then our rows, and our tags.
    assert_eq!(shapes[..3], [(12288.0, 55.0), (24576.0, 1024.0), (1024.0, 150.0)]);
    assert_eq!(shapes[3..], [(1024.0, 29.0); 12]);
    assert_eq!(arrays[1]["is_yardstick"], true);
    assert!(arrays[2..].iter().all(|array| array["is_ours"] == true));
    for array in [&arrays[0], &arrays[2]] {
        let share = figure(array, "area_mm2") / figure(&arrays[1], "area_mm2") * 100.0;
        assert!((figure(array, "percent_of_yardstick") - share).abs() < 1e-9);
        assert!((0.5..10.0).contains(&share), "{array}");
    }
    let without = json(&run(&scratch, &["claims", "hmg_directory", "--json"]));
    assert_eq!(without["blocks"][0]["arrays"], Value::Null);
}

#[test]
fn the_rows_of_getms_table_4_5_stand_beside_our_memories() {
    if !needs_cacti("the_rows_of_getms_table_4_5_stand_beside_our_memories") {
        return;
    }
    let scratch = Scratch::new();
    let arguments = ["claims", "getm_stall_buffer", "getm_validation", "getm_commit", "--cacti"];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    // The paper's totals: each row appears once, though two blocks have the stall buffer.
    for words in ["0.736 mm2, 176.98 mW", "not built"] {
        assert!(ended.stdout.contains(words), "`{words}` is missing: {}", ended.stdout);
    }
    let claims = json(&run(&scratch, &[&arguments[..], &["--json"]].concat()));
    let blocks = claims["blocks"].as_array().expect("blocks").iter();
    let arrays: Vec<_> =
        blocks.flat_map(|block| block["arrays"].as_array().expect("arrays")).collect();
    let ours = |what: &str| {
        let is_it = |array: &&&Value| array["what"].as_str().is_some_and(|it| it.starts_with(what));
        &arrays.iter().find(is_it).expect("an array")["ours"]
    };
    assert_eq!(figure(ours("precise tables"), "bytes"), 65536.0);
    assert_eq!(figure(ours("approximate tables"), "bytes"), 2.0 * 8192.0);
    assert!(figure(ours("write buffers"), "bytes") > 6.0 * 16384.0);
    assert_eq!([ours("stall buffers"), ours("warpts tables")], [&Value::Null; 2]);
    let precise = ours("precise tables");
    assert!(figure(precise, "leakage_mw") < figure(precise, "power_mw"));
}

#[test]
fn paths_through_a_ram_of_cacti_are_timed_apart() {
    let test = "paths_through_a_ram_of_cacti_are_timed_apart";
    if !(needs_cacti(test) && needs(test, &YOSYS) && needs(test, &OPENSTA)) {
        return;
    }
    let scratch = Scratch::new();
    let record = json(&synth(&scratch, "cacti:90"));
    let ram = |size| json(&run(&scratch, &["ram", size, "--nm", "90", "--clock", "200", "--json"]));
    let (ram, tags) = (ram("256x26"), ram("256x23"));
    let made = &record["rams"][0];
    assert_eq!(made["mapped_to"], "macro of 256x32");
    assert_eq!(made["area_um2"], ram["area_um2"]);
    let all = |name| figure(&ram, name) + 4.0 * figure(&tags, name);
    assert!((figure(&record["asic"], "ram_um2") - all("area_um2")).abs() < 1e-6, "{record}");
    assert!((figure(&record["power"], "ram_mw") - all("power_mw")).abs() < 1e-6, "{record}");
    assert!(made["source"].as_str().is_some_and(|source| source.ends_with("at 90 nm")));
    // Besides the access there is at least a flip-flop's set-up time.
    let access = figure(&ram, "access_ns");
    assert!(from_ram(&record) > access + 0.05, "{record}");
    assert!(from_ram(&record) < access + 2.0, "{record}");
    let notes = record["notes"].to_string();
    assert!(notes.contains("two technologies in one figure"), "{notes}");
}

/// A RAM macro in Liberty format with these address bits, data bits and ports.
fn macro_library(name: &str, address: u32, width: u32, ports: u32, area: f64) -> String {
    let bus = |name: &str, width: u32, more: &str| {
        format!("    bus ({name}) {{ bus_type : b{width}; {more} }}\n")
    };
    let arc = |kind: &str, tables: [&str; 2], value: &str| {
        let tables = tables.map(|t| format!("{t} (t) {{ values (\"{value}\", \"{value}\"); }}"));
        format!("timing () {{ related_pin : \"CK\"; timing_type : {kind}; {} }}", tables.concat())
    };
    let setup = arc("setup_rising", ["rise_constraint", "fall_constraint"], "0.25, 0.3");
    let delay = arc("rising_edge", ["cell_rise", "cell_fall"], "0.8, 1.5");
    let mut body = String::new();
    for i in 0..ports {
        body += &bus(&format!("ADDR{i}"), address, &format!("direction : input; {setup}"));
    }
    body += &bus("BIST_ADDR", address, &format!("direction : input; {setup}"));
    body += &bus("DIN", width, &format!("direction : input; {setup}"));
    body += &bus("DOUT", width, &format!("direction : output; {delay}"));
    format!(
        "library ({name}) {{\n  time_unit : \"1ns\";\n  capacitive_load_unit (1, pf);\n  \
         leakage_power_unit : \"1uW\";\n  nom_voltage : 1.1;\n  cell ({name}) {{\n    area : {area};\n    \
         cell_leakage_power : 10;\n    memory () {{ type : ram; address_width : {address}; \
         word_width : {width}; }}\n    pin (CK) {{ direction : input; clock : true; min_period : 6.25; \
         internal_power () {{ rise_power (scalar) {{ values (\"5\"); }} }} }}\n{body}  }}\n}}\n"
    )
}

#[test]
fn macros_of_a_folder_are_put_side_by_side() {
    let test = "macros_of_a_folder_are_put_side_by_side";
    if !(needs(test, &YOSYS) && needs(test, &OPENSTA)) {
        return;
    }
    let scratch = Scratch::new();
    let folder = scratch.path("macros");
    std::fs::create_dir(&folder).expect("writable");
    let put = |name: &str, text: String| {
        std::fs::write(folder.join(format!("{name}.lib")), text).expect("writable");
    };
    put("cells", TinyLibrary::new().text());
    put("one", macro_library("one_256x16", 8, 16, 1, 100.0));
    put("small", macro_library("one_64x32", 6, 32, 1, 60.0));
    let chosen = || {
        let record = json(&synth(&scratch, &format!("liberty:{}", folder.display())));
        let ram = &record["rams"][0];
        let became = ram["mapped_to"].as_str().expect("what it became").to_string();
        (became, figure(ram, "area_um2"), record["notes"].to_string(), record.clone())
    };
    // Two of 256 rows are smaller than four of 64.
    let (became, area, notes, record) = chosen();
    assert_eq!((became.as_str(), area), ("2 one_256x16", 200.0));
    assert!(notes.contains("used by 2 ports at one clock, and one_256x16 has 1"), "{notes}");
    // The middle of the tables is the later value.
    assert!((1.55..3.5).contains(&from_ram(&record)), "{record}");
    // Its clock cannot be faster than 6.25 ns.
    assert_eq!(record["rams"][0]["cycle_ns"], 6.25);
    assert_eq!(record["fmax"]["median_mhz"], 160.0);
    assert!(notes.contains("allow 160.0 MHz, less than the requested 200 MHz"), "{notes}");
    // Two for each of five RAMs, at 5 pJ and 200 MHz, and 10 uW each.
    assert!((figure(&record["power"], "ram_mw") - 10.1).abs() < 1e-9, "{record}");

    // A macro with enough ports is chosen although it is larger, with the rows in its name.
    put("two", macro_library("two_96x128", 7, 128, 2, 300.0));
    let (became, area, notes, _) = chosen();
    assert_eq!((became.as_str(), area), ("3 two_96x128", 900.0));
    assert!(!notes.contains("ports at one clock"), "{notes}");
    assert!(notes.contains("choosing among 3 macros"), "{notes}");
}

#[test]
fn a_folder_without_macros_or_with_a_broken_library_is_refused() {
    let test = "a_folder_without_macros_or_with_a_broken_library_is_refused";
    if !(needs(test, &YOSYS) && needs(test, &OPENSTA)) {
        return;
    }
    let scratch = Scratch::new();
    refused(&synth(&scratch, "liberty:nowhere"), &["--ram liberty:nowhere", "cannot be read"]);
    std::fs::create_dir(scratch.path("macros")).expect("writable");
    refused(&synth(&scratch, "liberty:macros"), &["no RAM macro", "macros"]);
    std::fs::write(scratch.path("macros/cut.lib"), "library (x) {\n cell (y) {\n")
        .expect("writable");
    refused(&synth(&scratch, "liberty:macros"), &["cut.lib", "line 3", "the file ends"]);
    assert!(!scratch.path("flow-out").exists());
}
