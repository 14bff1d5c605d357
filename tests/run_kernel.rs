//! `warpsmith run` from the outside.

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
    let report = support::schema::document(&ended);
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
        ("value = 10", "value = 10.5", ["argument number 4", "s32"]),
        ("type = \"s32\"", "type = \"s64\"", ["argument number 4", "takes 4"]),
        ("type = \"s32\"", "type = \"i32\"", ["argument number 4", "`i32`"]),
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

/// Three launches of `vector_add`: the second adds to the result of the first, and the third takes fewer
/// elements.
const SEVERAL: &str = "
[[launches]]

[[launches]]
set = { a = \"c\" }

[[launches]]
arguments = [\"b\", \"b\", \"c\", \"n\"]
grid = [2]
block = [5]
set = { n = 2 }
";

fn several(more: &str) -> String {
    let text = launch("expected = [1.0, 1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]");
    text.replace("type = \"s32\"", "name = \"n\"\ntype = \"s32\"") + more
}

#[test]
fn several_launches_go_one_after_the_other_on_the_same_memory() {
    for more in [&[][..], &["--timing", "off"], &["--preset", "small", "--system", "software"]] {
        let ended = run_with(&several(SEVERAL), &[more, &["--json"]].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        let report = support::schema::document(&ended);
        let launches = report["launches"].as_array().expect("launches");
        assert_eq!(launches.len(), 3);
        assert_eq!(
            (&launches[1]["block"], &launches[2]["block"][0]),
            (&launches[0]["block"], &5.into())
        );
        let sum = |count: &dyn Fn(&serde_json::Value) -> Option<u64>| -> Option<u64> {
            launches.iter().map(count).sum()
        };
        assert_eq!(
            report["warp_instructions"].as_u64(),
            sum(&|launch| launch["warp_instructions"].as_u64())
        );
        let cycles = sum(&|launch| launch["timing"]["cycles"].as_u64());
        assert_eq!(report["timing"]["cycles"].as_u64(), cycles);
    }
    let shown = run_with(&several(SEVERAL), &[]);
    for word in ["launches", "2 x 1 x 1", "5 x 1 x 1", "as expected"] {
        assert!(shown.stdout.contains(word), "`{word}` is missing: {}", shown.stdout);
    }
}

#[test]
fn launches_are_repeated_in_order() {
    let again = "[[launches]]\nset = { a = \"c\" }\n";
    let text = format!("repeat = 4\n{}{again}", launch("expected = 2.0"));
    let ended = run_with(&text, &["--json"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = support::schema::document(&ended);
    assert_eq!(
        (&report["repeat"], report["launches"].as_array().map(Vec::len)),
        (&4.into(), Some(1))
    );
    let never = run_with(&text.replace("repeat = 4", "repeat = 0"), &[]);
    assert!(never.code == 2 && never.stderr.contains("repeat"), "{never:?}");
}

#[test]
fn wrong_launches_among_several_are_named() {
    for (from, to, words) in [
        ("a = \"c\"", "x = \"c\"", &["no argument x", "a, b, c, n"][..]),
        ("a = \"c\"", "a = \"x\"", &["no argument x", "a, b, c, n"]),
        ("a = \"c\"", "a = 1.5", &["argument a", "a buffer", "name"]),
        ("a = \"c\"", "a = \"n\"", &["argument a", "4 bytes", "takes 8"]),
        ("n = 2", "n = 2.5", &["argument n"]),
        ("n = 2", "a = \"b\"", &["argument a", "does not take it"]),
        ("\"b\", \"b\", \"c\"", "\"b\", \"b\"", &["3 arguments", "takes 4"]),
        ("block = [5]", "kernel = \"x\"", &["no kernel x", "vector_add"]),
        ("block = [5]", "blocks = [5]", &["unknown field", "blocks"]),
        ("block = [5]", "block = [2000]", &["threads", "1024"]),
    ] {
        assert!(SEVERAL.contains(from), "{from}");
        let ended = run_with(&several(&SEVERAL.replacen(from, to, 1)), &[]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    }
    let twice = run_with(&launch("").replace("name = \"b\"", "name = \"a\""), &[]);
    assert!(twice.code == 2 && twice.stderr.contains("two arguments are named a"), "{twice:?}");
}

#[test]
fn every_kernel_has_a_launch_file_and_ends_as_it_says() {
    let folder = std::path::Path::new(MODULE).parent().expect("a folder");
    let files =
        std::fs::read_dir(folder).expect("kernels").map(|file| file.expect("readable").path());
    let modules: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|it| it == "ptx")).collect();
    assert!(modules.len() >= 16, "{modules:?}");
    for module in modules {
        let launch = module.with_extension("toml").display().to_string();
        let module = module.display().to_string();
        let system = if module.ends_with("_tx.ptx") { "getm" } else { "hmg" };
        let command = ["run", &module, "--launch", &launch, "--preset", "small", "--json"];
        let ended = run(&Scratch::new(), &[&command[..], &["--system", system]].concat());
        assert_eq!(ended.code, 0, "{module}: {ended:?}");
        let report = support::schema::document(&ended);
        let checked = report["results"].as_array().is_some_and(|results| !results.is_empty());
        let printed =
            report["printed"].as_str().is_some_and(|printed| printed.contains("thread 40"));
        assert!(checked || printed, "{module}: nothing is expected");
    }
}

#[test]
fn buffers_are_saved_as_they_are_in_the_end() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("launch.toml"), several(SEVERAL)).expect("writable");
    let command = ["run", MODULE, "--launch", "launch.toml", "--preset", "small"];
    let save = |what| run(&scratch, &[&command[..], &["--save", what]].concat());
    assert_eq!(save("c=c.bin").code, 0);
    let saved = std::fs::read(scratch.path("c.bin")).expect("written");
    let saved: Vec<f32> =
        saved.chunks(4).map(|it| f32::from_le_bytes(it.try_into().expect("4 bytes"))).collect();
    assert_eq!(saved, [1.0, 1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
    for (what, words) in [
        ("c", ["--save", "BUFFER=FILE"]),
        ("x=x.bin", ["no argument x", "a, b, c, n"]),
        ("n=n.bin", ["argument n", "buffers"]),
        ("c=none/c.bin", ["none/c.bin", "No such"]),
    ] {
        let ended = save(what);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{ended:?}");
    }
}

#[test]
fn traffic_is_told_for_each_link() {
    let ended = run_with(&launch(""), &["--preset", "small", "--json"]);
    let report = support::schema::document(&ended);
    let traffic = &report["timing"]["statistics"]["traffic"];
    for (links, all, ports) in [
        ("gpm_links", "between_gpms", &["gpu0.gpm0", "gpu0.gpm1", "gpu1.gpm0", "gpu1.gpm1"][..]),
        ("gpu_links", "between_gpus", &["gpu0", "gpu1"]),
    ] {
        let links = traffic[links].as_array().expect("links");
        let found: Vec<_> =
            links.iter().map(|link| link["port"].as_str().expect("a name")).collect();
        assert_eq!(found, ports);
        for way in ["out", "in"] {
            let bytes = links.iter().map(|link| link[way]["bytes"].as_u64().expect("bytes"));
            assert_eq!(bytes.sum::<u64>(), traffic[all].as_u64().expect("bytes"), "{traffic}");
        }
        for link in links {
            let way = &link["out"];
            let (messages, bytes) = (way["messages"].as_u64(), way["bytes"].as_u64());
            assert!(bytes >= messages.map(|messages| 8 * messages), "each has a header: {link}");
            let used = way["utilisation"].as_f64().expect("a share");
            assert!((0.0..=1.0).contains(&used) && (used > 0.0) == (bytes > Some(0)), "{link}");
        }
    }
    let text = run_with(&launch(""), &["--preset", "small"]);
    assert!(
        text.stdout.contains("of its bandwidth") && text.stdout.contains("gpu1.gpm0"),
        "{text:?}"
    );
    let alone = run_with(&launch(""), &["--preset", "gtx480"]);
    assert!(!alone.stdout.contains("of its bandwidth"), "one GPM has no links: {alone:?}");
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
        let report = support::schema::document(&ended);
        let timing = &report["timing"];
        assert_eq!(timing["perturb"], 3);
        assert_eq!(timing["statistics"]["lines"]["loads"], 2, "{timing}");
        assert!(timing["cycles"].as_u64().expect("a count") > 50, "{timing}");
    }
    let functional = run_with(&launch(expected), &["--timing", "off", "--json"]);
    let report = support::schema::document(&functional);
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
    assert!(off.code == 2 && off.stderr.contains("--perturb needs the timed machine"), "{off:?}");
}
