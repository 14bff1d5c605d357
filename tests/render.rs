//! `warpsmith render` from the outside: pictures, counts, bad input.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::schema::document;
use support::{Ended, Scratch, refused, replaced, run};

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
