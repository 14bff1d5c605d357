//! `warpsmith run` as a user meets it.

mod support;

use support::{Ended, Scratch, run};

const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/vector_add.ptx");

/// A launch of ten threads; `more` belongs to the buffer `c`.
fn launch(more: &str) -> String {
    format!(
        "grid = [1]\nblock = [10]\n\
         [[arguments]]\nname = \"a\"\ntype = \"f32\"\ncount = 10\nramp = [0.0, 1.0]\n\
         [[arguments]]\nname = \"b\"\ntype = \"f32\"\ncount = 10\nfill = 0.5\n\
         [[arguments]]\nname = \"c\"\ntype = \"f32\"\ncount = 10\n{more}\n\
         [[arguments]]\ntype = \"s32\"\nvalue = 10\n"
    )
}

fn run_with(text: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("launch.toml"), text).expect("writable");
    run(&scratch, &[&["run", MODULE, "--launch", "launch.toml"], more].concat())
}

#[test]
fn a_run_that_ends_as_expected_says_so_with_counts() {
    let expected = "expected = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]";
    let ended = run_with(&launch(expected), &[]);
    assert_eq!(ended.code, 0, "{ended:?}");
    for word in ["vector_add", "warp instructions", "as expected", "10 x 1 x 1"] {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
}

#[test]
fn a_buffer_that_differs_is_exit_code_1_with_the_first_differences() {
    let ended = run_with(&launch("expected = 0.5"), &["--json"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["as_expected"], false);
    assert_eq!(report["results"][0]["differ"], 9);
    assert_eq!(report["results"][0]["first"][0]["index"], 1);
    assert_eq!(report["results"][0]["first"][0]["found"], "1.5");
    let close = run_with(&launch("expected = 0.5\ntolerance = 20.0"), &[]);
    assert_eq!(close.code, 0, "{close:?}");
}

#[test]
fn wrong_launches_are_exit_code_2_and_name_what_is_wrong() {
    for (from, to, words) in [
        ("grid = [1]", "grid = [0]", ["CTAs", "accepted"]),
        ("block = [10]", "block = [2000]", ["threads", "1024"]),
        ("grid = [1]", "grid = [1]\nkernel = \"x\"", ["no kernel x", "vector_add"]),
        ("grid = [1]", "grid = [1]\nshared = 1000000", ["shared", "98304"]),
        ("grid = [1]", "grid = [1, 1, 1, 1]", ["grid", "one to three"]),
        ("value = 10", "value = 10.5", ["argument 3", "s32"]),
        ("type = \"s32\"", "type = \"s64\"", ["argument 3", "takes 4"]),
        ("type = \"s32\"", "type = \"i32\"", ["argument 3", "`i32`"]),
        ("fill = 0.5", "fil = 0.5", ["unknown field", "fil"]),
        ("fill = 0.5", "values = [1.0]", ["argument b", "count is 10"]),
        ("fill = 0.5", "file = \"none.bin\"", ["argument b", "none.bin"]),
        ("fill = 0.5", "count = 99999999999999", ["count", "duplicate"]),
        ("count = 10\nfill", "count = 4\nfill", ["outside", "of b"]),
        ("[[arguments]]\ntype = \"s32\"\nvalue = 10", "", ["3 arguments", "takes 4"]),
    ] {
        let text = launch("");
        assert!(text.contains(from), "{from}");
        let ended = run_with(&text.replace(from, to), &[]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    }
    let wrong_size = run_with(&launch("expected = [1.0]"), &[]);
    assert_eq!(wrong_size.code, 2, "{wrong_size:?}");
    assert!(wrong_size.stderr.contains("1 expected elements for a buffer of 10"), "{wrong_size:?}");
}

#[test]
fn a_module_that_is_none_is_exit_code_2_with_its_line() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("k.ptx"), ".version 6.4\n.target sm_70\nnonsense;\n")
        .expect("writable");
    std::fs::write(scratch.path("launch.toml"), launch("")).expect("writable");
    let ended = run(&scratch, &["run", "k.ptx", "--launch", "launch.toml"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("k.ptx:3"), "{ended:?}");
}

#[test]
fn every_memory_system_is_run_by_name_and_counts_what_it_did() {
    let expected = "expected = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]";
    for system in ["no-remote-caching", "software", "software-hierarchical", "nhcc", "hmg", "ideal"]
    {
        let more = ["--preset", "small", "--system", system, "--perturb", "3", "--json"];
        let ended = run_with(&launch(expected), &more);
        assert_eq!(ended.code, 0, "{ended:?}");
        let report: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
        let timing = &report["timing"];
        assert_eq!(timing["perturb"], 3);
        assert_eq!(timing["statistics"]["lines"]["loads"], 2, "{timing}");
        assert!(timing["cycles"].as_u64().expect("a count") > 50, "{timing}");
    }
    let functional = run_with(&launch(expected), &["--timing", "off", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&functional.stdout).expect("JSON");
    assert_eq!((functional.code, report["timing"].is_null()), (0, true));
}

#[test]
fn wrong_machines_are_exit_code_2_and_name_what_is_wrong() {
    let small = include_str!("../src/gpu/config/presets/small.toml");
    let scratch = Scratch::new();
    for (from, to, words) in [
        ("warps = 32", "warps = 65", ["core.warps", "1 to 64"]),
        ("[l1]\nbytes = 2048", "[l1]\nbytes = 2000", ["l1.bytes", "lines of 128"]),
        ("gpus = 2", "gpus = 2\ngps = 1", ["unknown field", "gps"]),
        (
            "bytes_per_clock = 8.0",
            "bytes_per_clock = 0.0",
            ["gpu_link.bytes_per_clock", "more than 0"],
        ),
        ("page_bytes = 512 ", "page_bytes = 128 ", ["machine.page_bytes", "power of two"]),
        ("registers = 65536", "registers = 16", ["registers", "a core has 16"]),
    ] {
        assert!(small.contains(from), "{from}");
        std::fs::write(scratch.path("machine.toml"), small.replace(from, to)).expect("writable");
        std::fs::write(scratch.path("launch.toml"), launch("")).expect("writable");
        let command = ["run", MODULE, "--launch", "launch.toml", "--config", "machine.toml"];
        let ended = run(&scratch, &command);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    }
    for (more, words) in [
        (["--preset", "gtx999"], ["gtx999", "hmg_4x4"]),
        (["--system", "mesi"], ["mesi", "software-hierarchical"]),
    ] {
        let ended = run_with(&launch(""), &more);
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{ended:?}");
    }
    let off = run_with(&launch(""), &["--timing", "off", "--perturb", "1"]);
    assert!(off.code == 2 && off.stderr.contains("--perturb is for the timed machine"), "{off:?}");
}
