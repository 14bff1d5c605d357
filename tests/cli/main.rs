//! The command line from the outside: output, rejected input, exit codes.

#[path = "../support/mod.rs"]
mod support;

mod any_input;
mod installed;
mod junit;
mod mismatch;
mod shell;

use serde_json::Value;
use support::schema::{SCHEMA, check};
use support::{Ended, Scratch, needs_verilator, refused, replaced, run, run_with};
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::gpgpusim::GPGPUSIM;

fn json(ended: &Ended) -> Value {
    support::schema::document(ended)
}

#[test]
fn cosim_on_the_native_simulator_needs_nothing_and_meets_every_corner() {
    let scratch = Scratch::new();
    let ended = run_with(&scratch, &["cosim", "hmg_directory", "--json"], &[("PATH", "")]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = json(&ended);
    assert_eq!(report["verdict"], "equal");
    assert_eq!(report["requests"], 1_000_000);
    assert_eq!(report["seed"], 1);
    let corners = report["corners"].as_array().expect("corners");
    assert!(corners.len() > 20);
    for corner in corners {
        let met = corner["count"].as_u64() >= corner["needed"].as_u64();
        assert!(met || corner["reachable"] == false, "not met: {corner}");
    }
}

#[test]
fn cosim_prints_a_verdict_with_counts() {
    let scratch = Scratch::new();
    let ended = run(&scratch, &["cosim", "hmg_directory", "--requests", "5000", "--seed", "7"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    for word in ["EQUAL", "5,000 requests", "seed 7", "in order", "Corners:"] {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains('\u{1b}'), "no colour where there is no terminal");
}

#[test]
fn a_run_that_missed_a_corner_is_not_called_equal() {
    let scratch = Scratch::new();
    let few = ["cosim", "hmg_directory", "--requests", "20"];
    let ended = run(&scratch, &few);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("NO DIFFERENCE FOUND, "), "{ended:?}");
    assert!(ended.stdout.contains("corners missed: "), "{ended:?}");
    assert!(!ended.stdout.contains("EQUAL"), "{ended:?}");
    let ended = run(&scratch, &[&few[..], &["--require-corners", "--json"]].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    assert_eq!(json(&ended)["verdict"], "no_difference_found");
    let enough = ["cosim", "hmg_directory", "--requests", "200000", "--require-corners"];
    assert_eq!(run(&scratch, &enough).code, 0);
}

#[test]
fn a_seed_decides_the_run() {
    let scratch = Scratch::new();
    let summary = |seed: &str| {
        let arguments = ["cosim", "hmg_directory", "--requests", "3000", "--json", "--seed", seed];
        let mut report = json(&run(&scratch, &arguments));
        let record = report.as_object_mut().expect("a record");
        for varies in ["seconds", "clocks_per_second", "seed"] {
            record.remove(varies);
        }
        report
    };
    assert_eq!(summary("3"), summary("3"));
    assert_ne!(summary("3"), summary("4"));
}

#[test]
fn claims_set_the_papers_figures_beside_ours() {
    let scratch = Scratch::new();
    let ended = run(&scratch, &["claims", "hmg_directory"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    for figure in ["55 bits", "84,480 B", "2.70 %", "2.69 %", "41.50 bits", "63,744 B"] {
        assert!(ended.stdout.contains(figure), "`{figure}` is missing: {}", ended.stdout);
    }
}

#[test]
fn every_command_prints_json_that_parses() {
    let scratch = Scratch::new();
    let litmus = format!("{}/tests/litmus/mp.litmus", env!("CARGO_MANIFEST_DIR"));
    let commands: [&[&str]; 8] = [
        &["list"],
        &["show", "hmg_directory", "--preset", "paper"],
        &["show", "hmg"],
        &["emit", "hmg_directory"],
        &["cosim", "hmg_directory", "--requests", "100"],
        &["claims"],
        &["sweep", "hmg_directory", "--vary", "ways=2", "--metrics", "cosim"],
        &["litmus", &litmus, "--system", "ideal", "--runs", "40"],
    ];
    for command in commands {
        let ended = run(&scratch, &[command, &["--json"]].concat());
        // A few litmus runs do not show every allowed outcome.
        assert!(ended.code == 0 || command[0] == "litmus", "{command:?}: {ended:?}");
        json(&ended);
    }
}

#[test]
fn the_schema_of_json_knows_every_memory_system() {
    let named = SCHEMA["$defs"]["system"]["enum"].as_array().expect("names");
    for system in System::known().chain([GPGPUSIM]) {
        assert!(named.contains(&system.name.into()), "{}", system.name);
    }
}

#[test]
fn the_schema_of_json_knows_every_command() {
    let help = run(&Scratch::new(), &["--help"]).stdout;
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next());
    // The lines with names; a description may continue on the next line.
    let lines = commands.expect("commands").lines().filter_map(|line| line.strip_prefix("  "));
    let names =
        lines.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
    let names: Vec<_> = names.filter(|name| !["", "help"].contains(name)).collect();
    assert!(names.len() > 14, "{names:?}");
    for name in names {
        assert!(!SCHEMA["$defs"][name].is_null(), "docs/json-schema.json does not have `{name}`");
        let bare = serde_json::json!({ "schema_version": 1, "command": name });
        assert!(check(&bare).is_err(), "`{name}` has no fields");
    }
    let more = serde_json::json!({ "schema_version": 1, "command": "list", "blocks": [], "x": 1 });
    assert!(check(&more).is_err_and(|why| why.contains("x")), "a field that nobody described");
}

#[test]
fn emit_writes_what_check_then_finds_fresh() {
    let scratch = Scratch::new();
    let ended = run(&scratch, &["emit", "--all"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(run(&scratch, &["emit", "--all", "--check"]).code, 0);
    replaced(&scratch.path("rtl-out/hmg_directory/paper/hmg_directory.v"), "evict = ", "evict = ~");
    let ended = run(&scratch, &["emit", "--all", "--check"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stdout.contains("paper/hmg_directory.v"), "{ended:?}");
}

#[test]
fn a_parameter_file_and_a_setting_are_put_over_the_preset() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("p.toml"), "ways = 3\nreplacement = \"round_robin\"\n").unwrap();
    std::fs::write(scratch.path("p.json"), "{\"ways\": 3, \"replacement\": \"round_robin\"}")
        .unwrap();
    for file in ["p.toml", "p.json"] {
        let arguments =
            ["cosim", "hmg_directory", "--params", file, "--set", "lines_per_entry=1", "--json"];
        let ended = run(&scratch, &arguments);
        assert_eq!(ended.code, 0, "{ended:?}");
        let params = &json(&ended)["params"];
        assert_eq!((&params["ways"], &params["lines_per_entry"]), (&3.into(), &1.into()));
        assert_eq!(params["replacement"], "round_robin");
    }
}

#[test]
fn unknown_names_are_refused_with_the_known_ones() {
    let scratch = Scratch::new();
    let systems = "memory systems are: no-remote-caching";
    refused(&run(&scratch, &["show", "hmg_dir"]), &["`hmg_dir`", "hmg_directory", systems]);
    let ended = run(&scratch, &["emit", "hmg_directory", "--preset", "huge"]);
    refused(&ended, &["huge", "tiny", "fpga", "paper"]);
    let ended = run(&scratch, &["emit", "hmg_directory", "--set", "way=3"]);
    refused(&ended, &["`way`", "ways", "sets"]);
    let ended = run(&scratch, &["cosim", "hmg_directory", "--stream", "odd"]);
    refused(&ended, &["odd", "mixed", "same-set"]);
    assert!(!scratch.path("rtl-out").exists(), "nothing is written");
}

#[test]
fn impossible_parameters_are_refused_with_what_is_accepted() {
    let scratch = Scratch::new();
    let cases: [(&str, &[&str]); 11] = [
        ("ways=0", &["`ways`", "0", "1 to 64"]),
        ("ways=many", &["`ways`", "many", "1 to 64"]),
        ("ways=-1", &["`ways`", "-1", "1 to 64"]),
        ("lines_per_entry=3", &["`lines_per_entry`", "3", "power of two"]),
        ("sets=6", &["`sets`", "6", "power of two"]),
        ("address_bits=4", &["`address_bits`", "4", "5 to 64"]),
        ("gpus=0", &["`gpus`", "1 to 32"]),
        ("replacement=mru", &["`replacement`", "mru", "lru", "tree_plru", "round_robin"]),
        ("hierarchical=perhaps", &["`hierarchical`", "perhaps", "true or false"]),
        ("line_bytes=99999999999999999999", &["`line_bytes`", "power of two"]),
        ("ways", &["ways", "NAME=VALUE"]),
    ];
    for (setting, words) in cases {
        refused(&run(&scratch, &["emit", "hmg_directory", "--set", setting]), words);
    }
    let tree = ["emit", "hmg_directory", "--set", "ways=3", "--set", "replacement=tree_plru"];
    refused(&run(&scratch, &tree), &["tree_plru", "ways", "power of two"]);
    assert!(!scratch.path("rtl-out").exists(), "nothing is written");
}

#[test]
fn files_that_cannot_be_read_are_refused_by_name() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("bad.toml"), "ways = = 3").unwrap();
    std::fs::write(scratch.path("bad.json"), "[1, 2").unwrap();
    std::fs::write(scratch.path("other.json"), "{\"block\": \"x\"}").unwrap();
    std::fs::write(scratch.path("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    for file in ["none.toml", "bad.toml", "bad.json", "binary.toml", "."] {
        let ended = run(&scratch, &["emit", "hmg_directory", "--params", file]);
        refused(&ended, &["parameter file", file]);
    }
    for file in ["none.json", "bad.json", "other.json"] {
        refused(&run(&scratch, &["cosim", "hmg_directory", "--replay", file]), &["--replay", file]);
    }
    refused(&run(&scratch, &["cosim", "hmg_directory", "--dut", "none.v"]), &["--dut", "none.v"]);
    let ended = run(&scratch, &["cosim", "hmg_directory", "--waves", "w.txt"]);
    refused(&ended, &["w.txt", ".fst", ".vcd"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_and_nothing_is_left_behind() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("file"), "in the way").unwrap();
    let ended = run(&scratch, &["emit", "hmg_directory", "--out", "file/x"]);
    refused(&ended, &["cannot write", "file/x", "nothing was changed"]);
    let ended = run(&scratch, &["cosim", "hmg_directory", "--emit", "file/x"]);
    refused(&ended, &["cannot write", "file/x"]);
    let ended = run(&scratch, &["cosim", "hmg_directory", "--waves", "file/x.fst"]);
    refused(&ended, &["file/x.fst"]);

    // A folder in the place of one of the files: none of the others may be written.
    let place = scratch.path("out/hmg_directory/tiny/skid_buffer_w3.v");
    std::fs::create_dir_all(&place).unwrap();
    let ended = run(&scratch, &["emit", "hmg_directory", "--out", "out"]);
    refused(&ended, &["skid_buffer_w3.v", "nothing was changed"]);
    let left: Vec<_> = std::fs::read_dir(place.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_full_disk_is_refused_and_nothing_is_left_behind() {
    // /dev/full accepts no byte; it cannot be replaced by renaming, so the waves are written in place.
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("skipped: a_full_disk: this system has no /dev/full");
        return;
    }
    let scratch = Scratch::new();
    std::os::unix::fs::symlink("/dev/full", scratch.path("w.vcd")).unwrap();
    let ended =
        run(&scratch, &["cosim", "hmg_directory", "--requests", "2000", "--waves", "w.vcd"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("w.vcd"), "{ended:?}");
}

#[test]
fn what_is_refused_is_json_too() {
    let scratch = Scratch::new();
    let cases: [(&[&str], Value, &str); 4] = [
        (&["show", "hmg_dir"], "show".into(), "hmg_dir"),
        (&["cosim", "hmg_directory", "--requests", "none"], "cosim".into(), "--requests"),
        (&["emitt"], Value::Null, "emitt"),
        (&[], Value::Null, "Usage"),
    ];
    for (words, command, part) in cases {
        let ended = run(&scratch, &[words, &["--json"]].concat());
        assert_eq!(ended.code, 2, "{ended:?}");
        let report = json(&ended);
        assert_eq!((&report["command"], &report["schema_version"]), (&command, &1.into()));
        let message = report["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn verilog_of_the_users_own_must_have_the_ports_and_be_alive() {
    if !needs_verilator("verilog_of_the_users_own_must_have_the_ports_and_be_alive") {
        return;
    }
    let scratch = Scratch::new();
    run(&scratch, &["emit", "hmg_directory", "--out", "out"]);
    let emitted = std::fs::read_to_string(scratch.path("out/hmg_directory/tiny/hmg_directory.v"))
        .expect("emitted");
    let try_edit = |from: &str, to: &str| {
        assert_eq!(emitted.matches(from).count(), 1, "`{from}`");
        std::fs::write(scratch.path("mine.v"), emitted.replace(from, to)).unwrap();
        run(&scratch, &["cosim", "hmg_directory", "--dut", "mine.v", "--ours", "all"])
    };
    let lacks = try_edit("output wire resp_hit,", "output wire resp_hits,");
    refused(&lacks, &["resp_hit"]);
    let wider = try_edit("output wire [2:0] inv_sharers,", "output wire [3:0] inv_sharers,");
    refused(&wider, &["inv_sharers", "3", "4"]);
    let broken = try_edit("assign resp_hit =", "assign resp_hit = =");
    refused(&broken, &["mine.v", "syntax error"]);
    let dead = try_edit("clear_next <= clear_next + 2'd1;", "clear_next <= clear_next;");
    refused(&dead, &["mine.v", "req_ready", "to rise"]);
    std::fs::write(scratch.path("mine.v"), "module other; endmodule").unwrap();
    let other = run(&scratch, &["cosim", "hmg_directory", "--dut", "mine.v"]);
    refused(&other, &["hmg_directory", "skid_buffer_w9"]);
}

#[test]
fn a_missing_verilator_is_named_with_its_package() {
    let scratch = Scratch::new();
    let arguments = ["cosim", "hmg_directory", "--backend", "verilator"];
    let ended = run_with(&scratch, &arguments, &[("PATH", "/nowhere")]);
    refused(&ended, &["verilator", "apt-get install verilator"]);
}

#[test]
fn what_is_committed_is_what_would_be_emitted() {
    let root = env!("CARGO_MANIFEST_DIR");
    let scratch = Scratch::new();
    let (out, constraints) = (format!("{root}/rtl-out"), format!("{root}/constraints"));
    let arguments = ["emit", "--all", "--check", "--out", &out, "--constraints", &constraints];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 0, "run `warpsmith emit --all`: {}", ended.stdout);
}
