//! `warpsmith render` from the outside: pictures, counts, bad input.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::schema::document;
use support::{Ended, Scratch, needs_verilator, refused, replaced, run};

fn frames() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frames")
}

/// The scene and what it names, in a folder of its own.
fn scene(scratch: &Scratch) -> PathBuf {
    for file in ["scene.frame.toml", "scene.bin", "lit.ptx", "floor.ptx", "colored.ptx"] {
        fs::copy(frames().join(file), scratch.path(file)).expect("copied");
    }
    scratch.path("scene.frame.toml")
}

#[test]
fn the_scene_is_written_as_recorded_by_one_gpu_and_by_eight() {
    let scratch = Scratch::new();
    scene(&scratch);
    let recorded = fs::read(frames().join("scene.png")).expect("the picture");
    for rest in [&["--gpus", "1"][..], &["--gpus", "8", "--threshold", "0"]] {
        let begin = ["render", "scene.frame.toml", "--out", "frame.png", "--json"];
        let ended = run(&scratch, &[&begin, rest].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        assert_eq!(fs::read(scratch.path("frame.png")).expect("a picture"), recorded);
        let report = document(&ended);
        assert_eq!(report["triangles"], 4634);
        assert_eq!([&report["width"], &report["height"]], [320, 240]);
        assert!(report["counts"]["written"].as_u64().expect("a count") > 80_000);
    }
}

#[test]
fn every_system_is_compared_with_one_gpu() {
    let scratch = Scratch::new();
    scene(&scratch);
    let systems = ["duplication", "gpupd", "chopin-round-robin", "chopin", "chopin-scheduled"];
    for system in systems {
        let with = ["--system", system, "--gpus", "2", "--threshold", "0", "--compare"];
        let ended = run(&scratch, &[&["render", "scene.frame.toml"][..], &with].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(ended.stdout.contains("all pixels are those of one GPU"), "{}", ended.stdout);
        assert!(
            ended.stdout.contains("few draws") == system.starts_with("chopin"),
            "{}",
            ended.stdout
        );
    }
}

/// The scene with its torus and its glass drawn six times: groups that up to five GPUs compose.
fn panes(scratch: &Scratch) {
    let path = scene(scratch);
    let text = fs::read_to_string(&path).expect("the scene");
    let solid = text.match_indices("[[commands]]\ndraw = { shader = \"lit\", state = \"solid\"");
    let (torus, _) = solid.last().expect("the torus");
    let end = torus + text[torus..].find("\n\n").expect("its end") + 2;
    let text = format!("{}{}{}", &text[..torus], text[torus..end].repeat(6), &text[end..]);
    let last = text.rfind("[[commands]]").expect("a command");
    let glass = &text[last..];
    fs::write(&path, format!("{text}\n{}", format!("{glass}\n").repeat(5))).expect("written");
}

/// Exit code 2, and no picture.
fn told(scratch: &Scratch, ended: &Ended, expected: &str) {
    refused(ended, &[expected]);
    assert!(!scratch.path("frame.png").exists());
}

#[test]
fn faults_end_with_code_2_and_no_picture() {
    let scratch = Scratch::new();
    let frame = scene(&scratch);
    let draw = || run(&scratch, &["render", "scene.frame.toml", "--out", "frame.png"]);
    replaced(&frame, "shader = \"glass\"", "shader = \"lit\"");
    told(&scratch, &draw(), "");
    scene(&scratch);
    replaced(
        &frame,
        "draw = { shader = \"glass\"",
        "group_end = true\n[[commands]]\ndraw = { shader = \"glass\"",
    );
    let ended = run(&scratch, &["render", "scene.frame.toml", "--gpus", "2", "--out", "frame.png"]);
    told(&scratch, &ended, "scene.frame.toml:186: a group ends that did not start");
    scene(&scratch);
    replaced(&frame, "vertices = [\"panes\"]", "vertices = [\"panels\"]");
    told(&scratch, &draw(), "no buffer is named `panels`; there are: torus,");
    scene(&scratch);
    let begin = ["render", "scene.frame.toml", "--out", "frame.png"];
    let with = |rest: &[&str]| run(&scratch, &[&begin[..], rest].concat());
    told(&scratch, &with(&["--gpus", "65"]), "65 GPUs: 1 to 64 are accepted");
    told(&scratch, &with(&["--gpus", "0"]), "0 GPUs: 1 to 64 are accepted");
    told(&scratch, &with(&["--system", "sli"]), "no system sli; there are: duplication, gpupd");
    let ended = run(&scratch, &["render", "none.frame.toml", "--out", "frame.png"]);
    told(&scratch, &ended, "none.frame.toml:1: No such file");
    let ended = run(&scratch, &["render", "scene.frame.toml", "--out", "nowhere/frame.png"]);
    told(&scratch, &ended, "nowhere/frame.png: No such file");
}

#[test]
fn debug_pictures_are_written_in_place_of_the_picture() {
    let scratch = Scratch::new();
    scene(&scratch);
    let recorded = fs::read(frames().join("scene.png")).expect("the picture");
    let mut seen = vec![recorded];
    for (what, most) in [("overdraw", 4), ("owner", 3), ("group", 4), ("depth", 1 << 20)] {
        let begin = ["render", "scene.frame.toml", "--gpus", "4", "--threshold", "0", "--json"];
        let ended = run(&scratch, &[&begin[..], &["--debug", what, "--out", "frame.png"]].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        let report = document(&ended);
        assert_eq!(report["debug"]["view"], what);
        assert!(report["debug"]["most"].as_u64().expect("a count") >= most, "{what}: {report}");
        let picture = fs::read(scratch.path("frame.png")).expect("a picture");
        assert!(!seen.contains(&picture), "{what}");
        seen.push(picture);
    }
    fs::remove_file(scratch.path("frame.png")).expect("removed");
    let ended = run(&scratch, &["render", "scene.frame.toml", "--debug", "owner"]);
    told(&scratch, &ended, "--out");
}

#[test]
fn rounded_sub_images_stay_within_their_bound_and_are_no_mismatch() {
    let scratch = Scratch::new();
    panes(&scratch);
    let many = |rest: &[&str]| {
        let begin = ["render", "scene.frame.toml", "--gpus", "2", "--threshold", "0"];
        run(&scratch, &[&begin[..], rest].concat())
    };
    let exact = document(&many(&["--compare", "--json"]));
    assert_eq!(exact["compared"]["pixels"], 0);
    let told = &exact["split"]["sub_images"];
    assert_eq!(told["bits"], "8");
    assert!(told["groups"].as_u64() > Some(0) && told["bounded"].as_u64() > Some(1000), "{told}");
    for bits in ["8", "16"] {
        let ended = many(&["--sub-images", bits, "--json"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        let report = document(&ended);
        let rounded = &report["split"]["sub_images"];
        assert_eq!(rounded["bits"], bits);
        assert_eq!(rounded["beyond_bound"], 0);
        assert_eq!(rounded["pixels"], report["compared"]["pixels"], "{report}");
    }
    let text = many(&["--sub-images", "8"]).stdout;
    assert!(text.contains("Sub-images of 8 bits"), "{text}");
    refused(&many(&["--sub-images", "12"]), &["possible values: list, 8, 16"]);
}

#[test]
fn the_schedulers_are_rtl_and_the_picture_is_the_same() {
    let scratch = Scratch::new();
    panes(&scratch);
    let rtl = ["chopin_draw_scheduler", "chopin_composition_scheduler"];
    let begin = ["render", "scene.frame.toml", "--gpus", "2", "--threshold", "0", "--compare"];
    let with = |rest: &[&str]| run(&scratch, &[&begin[..], rest].concat());
    // Six grants; two starts of the opaque group, four of the transparent one.
    for (chosen, backend, transfers) in
        [(&rtl[..], "native", 12), (&rtl[..1], "native", 6), (&rtl[1..], "interpreter", 6)]
    {
        let chosen = chosen.iter().flat_map(|it| ["--rtl", it]);
        let rest = chosen.chain(["--backend", backend, "--json"]).collect::<Vec<_>>();
        let ended = with(&rest);
        assert_eq!(ended.code, 0, "{ended:?}");
        let report = document(&ended);
        assert_eq!(report["compared"]["pixels"], 0);
        assert_eq!(report["compared_transfers"], transfers);
    }
    let ended = with(&["--rtl", rtl[0], "--shadow", "off", "--json"]);
    assert_eq!(document(&ended)["compared_transfers"], serde_json::Value::Null);
    let ended = with(&["--rtl", "getm_commit"]);
    refused(&ended, &["chopin_draw_scheduler@driver, chopin_composition_scheduler@driver"]);
    let ended = with(&["--rtl", rtl[0], "--system", "gpupd"]);
    refused(&ended, &["gpupd has no place", "systems that have: chopin, chopin-scheduled"]);
    let ended = run(&scratch, &["render", "scene.frame.toml", "--rtl", rtl[0]]);
    refused(&ended, &["1 GPU: RTL of schedulers needs 2 or more"]);
}

#[test]
fn a_fault_in_the_emitted_composition_scheduler_is_found() {
    if !needs_verilator("render --rtl --dut") {
        return;
    }
    let scratch = Scratch::new();
    panes(&scratch);
    let block = "chopin_composition_scheduler";
    let row = scratch.path("mine/chopin_composition_scheduler/custom/chopin_composition_row.v");
    let emit = || {
        let set = ["--set", "gpus=4", "--set", "cgid_bits=8", "--force"];
        let emitted = run(&scratch, &[&["emit", block, "--out", "mine"][..], &set].concat());
        assert_eq!(emitted.code, 0, "{emitted:?}");
    };
    let seeded = |shadow: &str, seed: &str| {
        let frame = ["render", "scene.frame.toml", "--gpus", "4", "--threshold", "0", "--compare"];
        let list = "mine/chopin_composition_scheduler/custom/filelist.f";
        let rtl = ["--rtl", block, "-f", list, "--json", "--shadow", shadow];
        let rest = ["--out", "frame.png", "--perturb", seed];
        run(&scratch, &[&frame[..], &rtl, &rest].concat())
    };
    let draw = |shadow: &str| seeded(shadow, "0");
    // Whether a fault shows depends on which sub-images meet first.
    let found = |shadow: &str| {
        let seeds = ["0", "1", "2", "3", "4", "5", "6", "7"];
        let ended = seeds.iter().map(|seed| seeded(shadow, seed)).find(|it| it.code != 0);
        ended.expect("a fault that is found")
    };
    emit();
    let ended = draw("on");
    assert_eq!(ended.code, 0, "{ended:?}");
    fs::remove_file(scratch.path("frame.png")).expect("a picture");
    // Transparent sub-images of any two GPUs meet, not only of neighbours.
    replaced(&row, "(transparent ? neighbours : 4'd15)", "4'd15");
    let ended = found("on");
    assert_eq!(ended.code, 1, "{ended:?}");
    let mismatch = document(&ended)["mismatch"].as_str().expect("a mismatch").to_string();
    assert!(mismatch.contains("start"), "{mismatch}");
    let ended = found("off");
    assert_eq!(ended.code, 1, "{ended:?}");
    let pixels = document(&ended)["compared"]["pixels"].as_u64().expect("a count");
    assert!(pixels > 0, "the picture is wrong");
    // No GPU is ever ready.
    emit();
    replaced(&row, "(ready | accepts_finished)", "ready");
    for shadow in ["on", "off"] {
        let ended = draw(shadow);
        assert_eq!(ended.code, 1, "{ended:?}");
        assert!(document(&ended)["mismatch"].is_string(), "{ended:?}");
    }
}
