//! What `emit` writes and leaves alone, and that its Verilog fits beside other Verilog.

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use support::{Ended, Scratch, refused, run, says, silent, there};

const TINY: &str = "out/hmg_directory/tiny";
const CUSTOM: &str = "out/hmg_directory/custom";

fn emit(scratch: &Scratch, arguments: &[&str]) -> Ended {
    run(scratch, &[&["emit"], arguments, &["--out", "out"]].concat())
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn modules_of_an_earlier_parameter_set_go() {
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["hmg_directory", "--set", "ways=8"]).code, 0);
    let way7 = scratch.path(CUSTOM).join("hmg_directory_way7_tags.v");
    assert!(way7.exists());
    let ended = emit(&scratch, &["hmg_directory", "--set", "ways=2", "--set", "sets=4"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("removed  out/hmg_directory/custom/hmg_directory_way7_tags.v"));
    let left = names(&scratch.path(CUSTOM));
    assert!(left.contains("hmg_directory_way1_tags.v"), "{left:?}");
    assert!(!left.iter().any(|name| name.contains("way2") || name.contains("way7")), "{left:?}");
    // Emitting again changes nothing.
    let again = emit(&scratch, &["hmg_directory", "--set", "ways=2", "--set", "sets=4"]);
    assert_eq!((again.code, again.stdout.contains("removed")), (0, false));
    assert_eq!(names(&scratch.path(CUSTOM)), left);
}

#[test]
fn a_folder_with_files_of_somebody_else_is_refused() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path(TINY)).unwrap();
    let theirs = scratch.path(TINY).join("adder.v");
    std::fs::write(&theirs, "module adder; endmodule\n").unwrap();
    for arguments in [&["hmg_directory"][..], &["hmg_directory", "--force"]] {
        refused(&emit(&scratch, arguments), &[TINY, "adder.v", "nothing was changed", "folder"]);
        assert_eq!(names(&scratch.path(TINY)), BTreeSet::from(["adder.v".to_string()]));
    }
    // The same files by another command.
    let ended = run(&scratch, &["cosim", "hmg_directory", "--requests", "100", "--emit", "out"]);
    refused(&ended, &[TINY, "adder.v"]);
    // Backup and system files are ignored.
    std::fs::rename(&theirs, scratch.path(TINY).join("adder.v~")).unwrap();
    std::fs::write(scratch.path(TINY).join(".hidden"), "").unwrap();
    assert_eq!(emit(&scratch, &["hmg_directory"]).code, 0);
    assert!(scratch.path(TINY).join("adder.v~").exists());
}

#[test]
fn an_edited_file_is_not_lost() {
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["hmg_directory", "--set", "ways=4"]).code, 0);
    let before = names(&scratch.path(CUSTOM));
    // A file that would be rewritten, and one that would be removed.
    for name in ["hmg_directory.v", "hmg_directory_way3_tags.v"] {
        let path = scratch.path(CUSTOM).join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.clone() + "// mine\n").unwrap();
        let smaller = ["hmg_directory", "--set", "ways=2", "--set", "sets=4"];
        refused(&emit(&scratch, &smaller), &[CUSTOM, name, "edited", "--force"]);
        assert_eq!(names(&scratch.path(CUSTOM)), before);
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("// mine\n"));
        std::fs::write(&path, text).unwrap();
    }
    let path = scratch.path(CUSTOM).join("hmg_directory.v");
    std::fs::write(&path, "// mine\n").unwrap();
    assert_eq!(emit(&scratch, &["hmg_directory", "--set", "ways=4", "--force"]).code, 0);
    assert!(std::fs::read_to_string(&path).unwrap().contains("endmodule"));
}

#[test]
fn a_folder_that_was_written_without_a_manifest_is_replaced_only_by_force() {
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["hmg_directory"]).code, 0);
    let manifest = scratch.path(TINY).join("manifest.sha256");
    std::fs::remove_file(&manifest).unwrap();
    // Everything is up to date, so nothing can be lost.
    assert_eq!(emit(&scratch, &["hmg_directory"]).code, 0);
    std::fs::remove_file(&manifest).unwrap();
    std::fs::write(scratch.path(TINY).join("params.toml"), "ways = 2\n").unwrap();
    refused(&emit(&scratch, &["hmg_directory"]), &["params.toml", "--force"]);
    assert_eq!(emit(&scratch, &["hmg_directory", "--force"]).code, 0);
    assert!(manifest.exists());
}

#[test]
fn a_manifest_of_somebody_else_removes_nothing() {
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["hmg_directory"]).code, 0);
    let manifest = scratch.path(TINY).join("manifest.sha256");
    let victim = scratch.path("out/precious");
    std::fs::write(&victim, "").unwrap();
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for line in [format!("{empty}  ../../precious"), "no sum".into(), format!("{empty}  ..")] {
        std::fs::write(&manifest, format!("# a comment\n{line}\n")).unwrap();
        refused(&emit(&scratch, &["hmg_directory"]), &["manifest.sha256", "line 2"]);
        assert!(victim.exists());
    }
}

#[test]
fn a_file_that_is_not_emitted_is_found_by_check() {
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["hmg_directory"]).code, 0);
    assert_eq!(emit(&scratch, &["hmg_directory", "--check"]).code, 0);
    std::fs::write(scratch.path(TINY).join("other.v"), "").unwrap();
    let ended = emit(&scratch, &["hmg_directory", "--check"]);
    assert!(ended.code == 1 && ended.stdout.contains("other.v"), "{ended:?}");
}

#[test]
fn every_file_tells_where_it_comes_from() {
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["getm_metadata", "--preset", "fpga"]).code, 0);
    let folder = scratch.path("out/getm_metadata/fpga");
    let mut files = names(&folder);
    assert!(files.remove("manifest.sha256"));
    for kind in ["filelist.f", "getm_metadata.sdc", "params.toml"] {
        assert!(files.contains(kind), "{kind}");
    }
    for name in files {
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        let version = concat!("Generated by warpsmith ", env!("CARGO_PKG_VERSION"));
        let told = ["SPDX-License-Identifier: MIT OR Apache-2.0", "getm_metadata, preset fpga"];
        for word in [&[version][..], &told, &["hash_seed = 1", "rows_per_way = 64"]].concat() {
            assert!(text.contains(word), "`{word}` is missing in {name}");
        }
        if let Some(module) = name.strip_suffix(".v") {
            assert!(text.contains("\n`default_nettype none\n"), "{name}");
            assert!(text.contains(&format!("\nmodule {module} (\n")), "{name}");
            assert!(text.ends_with("endmodule\n`default_nettype wire\n"), "{name}");
        }
    }
    // The header is in comments, so that it can be read as parameters.
    let params = folder.join("params.toml").display().to_string();
    let ended = run(&scratch, &["show", "getm_metadata", "--params", &params]);
    assert_eq!(ended.code, 0, "{ended:?}");
    // Other parameters are not a preset.
    assert_eq!(emit(&scratch, &["hmg_directory", "--set", "ways=4"]).code, 0);
    let custom = std::fs::read_to_string(scratch.path(CUSTOM).join("filelist.f")).unwrap();
    assert!(custom.contains("ways = 4") && !custom.contains("preset"), "{custom}");
}

#[test]
fn a_manifest_is_read_by_sha256sum() {
    let test = "a_manifest_is_read_by_sha256sum";
    if there(test, "sha256sum", &["--version"], "coreutils") {
        let scratch = Scratch::new();
        assert_eq!(emit(&scratch, &["hmg_directory"]).code, 0);
        let check = ["--check", "--strict", "--quiet", "manifest.sha256"];
        silent(&scratch.path(TINY), "sha256sum", &check);
    }
}

#[test]
fn a_prefix_that_begins_no_name_is_refused() {
    let scratch = Scratch::new();
    let long = "a".repeat(65);
    for prefix in ["1a_", "gpu-0_", "_a", "module", "always", "é", "a b", "a$", &long] {
        let ended = emit(&scratch, &["hmg_directory", "--prefix", prefix]);
        refused(&ended, &[prefix, "begins with a letter", "reserved word"]);
    }
    assert!(!scratch.path("out").exists(), "nothing is written");
    refused(&run(&scratch, &["emit", "--all", "--prefix", "a_"]), &["--prefix", "--all"]);
}

/// Designs in one folder: a block twice, two presets of a block, and a block together with one that contains
/// it. Their tops and the folders of each.
const TOGETHER: [(&str, &str, &str); 5] = [
    ("hmg_directory", "tiny", "a_"),
    ("hmg_directory", "tiny", "b_"),
    ("hmg_directory", "fpga", "c_"),
    ("getm_metadata", "tiny", "alone_"),
    ("getm_validation", "tiny", ""),
];

fn together(scratch: &Scratch) -> (Vec<String>, Vec<String>) {
    let (mut tops, mut lists) = (Vec::new(), Vec::new());
    std::fs::create_dir(scratch.path("all")).unwrap();
    for (block, preset, prefix) in TOGETHER {
        let ended = emit(scratch, &[block, "--preset", preset, "--prefix", prefix]);
        assert_eq!(ended.code, 0, "{ended:?}");
        let (top, folder) = (format!("{prefix}{block}"), format!("out/{prefix}{block}/{preset}"));
        for name in names(&scratch.path(&folder)).iter().filter(|name| name.ends_with(".v")) {
            assert!(name.starts_with(prefix), "{name}");
            let to = scratch.path("all").join(name);
            assert!(!to.exists(), "{name} is there twice");
            std::fs::copy(scratch.path(&folder).join(name), to).unwrap();
        }
        tops.push(top);
        lists.push(format!("{folder}/filelist.f"));
    }
    (tops, lists)
}

#[test]
fn designs_with_prefixes_stand_in_one() {
    let test = "designs_with_prefixes_stand_in_one";
    let scratch = Scratch::new();
    let (tops, lists) = together(&scratch);
    let (root, all) = (scratch.path(""), scratch.path("all"));
    let files: Vec<_> = names(&all).into_iter().collect();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    if there(test, "verilator", &["--version"], "apt-get install verilator") {
        let lists: Vec<_> = lists.iter().flat_map(|list| ["-F", list]).collect();
        let arguments = ["--lint-only", "-Wall", "-Wno-MULTITOP"];
        silent(&root, "verilator", &[&arguments[..], &lists].concat());
    }
    if there(test, "iverilog", &["-V"], "apt-get install iverilog") {
        let tops: Vec<_> = tops.iter().flat_map(|top| ["-s", top]).collect();
        let arguments = ["-g2005", "-Wall", "-t", "null"];
        silent(&all, "iverilog", &[&arguments[..], &tops, &files].concat());
    }
    if there(test, "yosys", &["-V"], "apt-get install yosys") {
        let script =
            format!("read_verilog {}; hierarchy -check; proc; check -assert", files.join(" "));
        silent(&all, "yosys", &["-q", "-e", ".", "-p", &script]);
    }
    if there(test, "python3", &["-c", "import pyslang.driver"], "pip install pyslang") {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lint_pyslang.py");
        let tops: Vec<_> = tops.iter().map(|top| format!("{}:{top}", all.display())).collect();
        let arguments: Vec<_> =
            [script].into_iter().chain(tops.iter().map(String::as_str)).collect();
        silent(&root, "python3", &arguments);
    }
}

#[test]
fn presets_without_prefixes_do_not() {
    let test = "presets_without_prefixes_do_not";
    if !there(test, "iverilog", &["-V"], "apt-get install iverilog") {
        return;
    }
    let scratch = Scratch::new();
    for preset in ["tiny", "fpga"] {
        assert_eq!(emit(&scratch, &["hmg_directory", "--preset", preset]).code, 0);
    }
    let files =
        ["tiny", "fpga"].map(|preset| format!("out/hmg_directory/{preset}/hmg_directory.v"));
    let arguments = ["-t", "null", &files[0], &files[1]];
    let (ok, said) = says(&scratch.path(""), "iverilog", &arguments);
    assert!(!ok && said.contains("hmg_directory"), "{said}");
}

#[test]
fn the_file_list_is_read_where_it_is() {
    let test = "the_file_list_is_read_where_it_is";
    let scratch = Scratch::new();
    assert_eq!(emit(&scratch, &["getm_validation"]).code, 0);
    let folder = scratch.path("out/getm_validation/tiny");
    let list = std::fs::read_to_string(folder.join("filelist.f")).unwrap();
    let listed: Vec<_> = list.lines().filter(|line| !line.starts_with("//")).collect();
    let modules = names(&folder).into_iter().filter(|name| name.ends_with(".v"));
    assert_eq!(
        listed.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>(),
        modules.collect()
    );
    // Each after its submodules.
    for (place, name) in listed.iter().enumerate() {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        for later in &listed[place + 1..] {
            let module = later.trim_end_matches(".v");
            assert!(!text.contains(&format!("\n    {module} ")), "{name} is before {later}");
        }
    }
    assert_eq!(listed.last(), Some(&"getm_validation.v"));
    if there(test, "verilator", &["--version"], "apt-get install verilator") {
        silent(&folder, "verilator", &["--lint-only", "-Wall", "-f", "filelist.f"]);
    }
    if there(test, "iverilog", &["-V"], "apt-get install iverilog") {
        silent(&folder, "iverilog", &["-Wall", "-t", "null", "-c", "filelist.f"]);
        // Later files may still use implicit nets.
        let theirs =
            "module theirs (input a, output y);\n  assign net = a;\n  assign y = net;\nendmodule\n";
        std::fs::write(folder.join("theirs.v"), theirs).unwrap();
        silent(&folder, "iverilog", &["-t", "null", "-c", "filelist.f", "theirs.v"]);
    }
}
