//! `warpsmith determinism`.

use serde_json::Value;

use crate::support::{Scratch, run, schema};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The command on a kernel.
fn arguments<'a>(kernel: &'a [String; 2], more: &[&'a str]) -> Vec<&'a str> {
    let command = ["determinism", &kernel[0], "--launch", &kernel[1], "--preset", "gpudet_15"];
    [&command[..], more].concat()
}

fn kernel(name: &str) -> [String; 2] {
    let folder = if name == "gpu_racey" { "examples/determinism" } else { "tests/kernels" };
    ["ptx", "toml"].map(|kind| format!("{ROOT}/{folder}/{name}.{kind}"))
}

fn judged(scratch: &Scratch, more: &[&str], code: i32) -> Value {
    let racey = kernel("gpu_racey");
    let ended = run(scratch, &[&arguments(&racey, more)[..], &["--json"]].concat());
    assert_eq!(ended.code, code, "{ended:?}");
    schema::document(&ended)
}

#[test]
fn gpu_racey_ends_in_one_state_with_quanta_and_in_many_without() {
    let scratch = Scratch::new();
    let with = judged(&scratch, &["--system", "gpudet", "--seeds", "6"], 0);
    assert_eq!(with["outcomes"], serde_json::json!([[1, 2, 3, 4, 5, 6]]));
    assert!(with["oracle"] == true && with["beside_oracle"].is_null(), "{with}");
    let without = judged(&scratch, &["--system", "nondet", "--seeds", "6", "--first-seed", "9"], 0);
    assert!(without["outcomes"].as_array().expect("a list").len() > 4, "{without}");
    assert_eq!(without["among_seeds"]["seeds"][1], 9);
    assert_eq!(without["among_seeds"]["what"], "memory");
    let writers = without["writers"].as_array().expect("a list");
    let are_named =
        writers.iter().all(|it| it.as_str().is_some_and(|it| it.contains("gpu_racey.ptx:")));
    assert!(writers.len() == 2 && are_named, "{without}");
}

/// A unit in which `<` stands for `<=`: a wavefront's first store to a word stays. All seeds agree on the wrong state.
#[test]
fn a_fault_in_the_emitted_unit_is_found_in_the_running_gpu() {
    if !crate::support::needs_verilator("a_fault_in_the_emitted_unit_is_found_in_the_running_gpu") {
        return;
    }
    let scratch = Scratch::new();
    let folder = format!("{ROOT}/rtl-out/zbuffer_commit/paper");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("emitted")
        .map(|file| file.expect("readable").path())
        .filter(|file| file.extension().is_some_and(|it| it == "v"))
        .collect();
    files.sort();
    let broken = scratch.path("zbuffer_commit.v");
    let text = std::fs::read_to_string(format!("{folder}/zbuffer_commit.v")).expect("emitted");
    assert!(text.matches(">= $signed(stage5_request").count() == 32);
    let text = text.replace(">= $signed(stage5_request", "> $signed(stage5_request");
    std::fs::write(&broken, text).expect("writable");
    let names = files.iter().map(|file| match file.ends_with("zbuffer_commit.v") {
        true => broken.to_str().expect("UTF-8"),
        false => file.to_str().expect("UTF-8"),
    });
    let duts: Vec<_> = names.flat_map(|name| ["--dut", name]).collect();
    let in_place = ["--system", "gpudet", "--seeds", "2", "--rtl", "zbuffer_commit"];
    let alone = [&in_place[..], &duts, &["--shadow", "off"]].concat();
    let found = judged(&scratch, &alone, 1);
    assert_eq!(found["outcomes"].as_array().expect("a list").len(), 1, "{found}");
    assert!(!found["beside_oracle"].is_null() && found["mismatch"].is_null(), "{found}");
    let found = judged(&scratch, &[&in_place[..], &duts].concat(), 1);
    let mismatch = found["mismatch"].as_str().expect("a mismatch");
    assert!(mismatch.contains("zbuffer_commit of partition"), "{mismatch}");
}

#[test]
fn what_is_refused_is_named_with_what_is_accepted() {
    let scratch = Scratch::new();
    let (racey, life) = (kernel("gpu_racey"), kernel("life"));
    let refused = |kernel: &[String; 2], more: &[&str], words: &[&str]| {
        let ended = run(&scratch, &arguments(kernel, more));
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{more:?}: {ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "{more:?}: {}", ended.stderr);
        }
    };
    let gpudet = |set| ["--system", "gpudet", "--set", set];
    refused(&racey, &gpudet("quanta.instructions=0"), &["quanta.instructions is 0", "1 to 65536"]);
    refused(&racey, &gpudet("quanta.barriers=none"), &["barriers", "\"none\"", "stores or thesis"]);
    refused(&racey, &gpudet("quanta.size=3"), &["no value size", "instructions"]);
    refused(&racey, &gpudet("quantum.size=3"), &["quantum.size", "quanta"]);
    refused(&racey, &gpudet("core.weak_loads=3"), &["weak_loads = 0", "gpudet_15"]);
    refused(&racey, &["--perturb", "3"], &["--seeds"]);
    let ended = run(&scratch, &arguments(&life, &["--system", "gpudet", "--seeds", "1"]));
    assert!(ended.stdout.contains("oracle  ") && ended.stdout.contains("equal"), "{ended:?}");
    let mut command = arguments(&life, &["--system", "gpudet"]);
    command[0] = "run";
    let ended = run(&scratch, &command);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(
        ended.stderr.contains("life.ptx:108") && ended.stderr.contains("granularity = \"byte\"")
    );
    command.extend(["--set", "quanta.granularity=byte"]);
    assert_eq!(run(&scratch, &command).code, 0);
    let trace = format!("{ROOT}/examples/traces/ping_pong.trace");
    let ended = run(&scratch, &["replay", &trace, "--preset", "gpudet_15", "--system", "gpudet"]);
    assert!(ended.code == 2 && ended.stderr.contains("nondet"), "{ended:?}");
}
