//! `warpsmith run --profile`, `--timeline` and `--trace`: every instruction and every clock of a warp is counted once.

mod support;

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use support::{Ended, Scratch, refused, run, schema};

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels");

fn run_kernel(scratch: &Scratch, kernel: &str, more: &[&str]) -> Ended {
    let [ptx, launch] = ["ptx", "toml"].map(|kind| format!("{KERNELS}/{kernel}.{kind}"));
    run(scratch, &[&["run", &ptx, "--launch", &launch, "--json"], more].concat())
}

fn sum<'v>(values: impl IntoIterator<Item = &'v Value>) -> u64 {
    values.into_iter().map(|value| value.as_u64().expect("a count")).sum()
}

fn total(stalls: &Value) -> u64 {
    sum(stalls.as_object().expect("reasons").values())
}

fn all(value: &Value) -> &Vec<Value> {
    value.as_array().expect("an array")
}

#[test]
fn sums_over_lines_are_those_of_the_run_and_every_clock_of_a_warp_has_a_reason() {
    for (kernel, machine) in [
        ("histogram", &["--preset", "gtx480"][..]),
        ("reduction", &["--preset", "gtx480_gpgpusim"]),
        ("bfs", &["--preset", "gtx480"]),
        ("life", &["--preset", "hmg_4x4", "--system", "nhcc"]),
        ("hash_insert", &["--preset", "small", "--perturb", "3"]),
    ] {
        let scratch = Scratch::new();
        let plain = schema::document(&run_kernel(&scratch, kernel, machine));
        let ended = run_kernel(&scratch, kernel, &[machine, &["--profile"]].concat());
        let report = schema::document(&ended);
        assert_eq!(plain["timing"], report["timing"], "{kernel}: a profile changes no figure");
        assert_eq!(plain["profile"], Value::Null);
        let profile = &report["profile"];
        let lines = all(&profile["lines"]);
        let over_lines = |field: &str| sum(lines.iter().map(|line| &line[field]));
        for field in ["warp_instructions", "thread_instructions"] {
            assert_eq!(over_lines(field), sum([&report[field]]), "{kernel}: {field}");
        }
        let stalls = total(&profile["stalls"]);
        assert_eq!(sum([&profile["issued"]]), over_lines("warp_instructions"));
        assert_eq!(lines.iter().map(|line| total(&line["stalls"])).sum::<u64>(), stalls);
        assert_eq!(sum([&profile["issued"]]) + stalls, sum([&profile["warp_clocks"]]), "{kernel}");
        let timeline = &profile["timeline"];
        let issued = all(&timeline["issued"]).iter().flat_map(all);
        assert_eq!(sum(issued), sum([&profile["issued"]]), "{kernel}");
        let columns = all(&timeline["stalls"]);
        assert_eq!(columns.iter().map(total).sum::<u64>(), stalls, "{kernel}");
        if !machine.contains(&"gtx480_gpgpusim") {
            let counted = report["timing"]["statistics"]["lines"].as_object().expect("lines");
            assert_eq!(over_lines("transactions"), sum(counted.values()), "{kernel}");
        }
    }
}

/// Two warps: a column of shared memory, a barrier, a branch of 16 lanes, a column of global memory.
const COLUMNS: &str = r#"
.version 6.4
.target sm_70
.address_size 64
.visible .entry columns(.param .u64 out)
{
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<5>;
    .shared .align 4 .b8 buffer[8192];
    ld.param.u64 %rd1, [out];
    .loc 1 3 5
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 128;
    mov.u64 %rd3, buffer;
    add.s64 %rd3, %rd3, %rd2;
    .loc 1 4 5
    st.shared.u32 [%rd3], %r1;
    .loc 1 5 5
    bar.sync 0;
    .loc 1 6 5
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra DONE;
    .loc 1 7 9
    add.u32 %r1, %r1, 1;
DONE:
    .loc 1 8 5
    add.s64 %rd4, %rd1, %rd2;
    st.global.u32 [%rd4], %r1;
    ret;
}
.file 1 "/elsewhere/columns.cu"
"#;

const SOURCE: &str =
    "one\ntwo\nthree\nbuffer[32 * x] = x;\n__syncthreads();\nif (x >= 16)\nx++;\nend\n";

#[test]
fn a_line_of_the_source_has_its_divergence_its_transactions_and_its_conflicts() {
    let scratch = Scratch::new();
    let launch = "grid = [1]\nblock = [64]\n\
                  [[arguments]]\nname = \"out\"\ntype = \"u32\"\ncount = 2048\n";
    for (file, text) in [("c.ptx", COLUMNS), ("columns.cu", SOURCE), ("c.toml", launch)] {
        std::fs::write(scratch.path(file), text).expect("writable");
    }
    let arguments = ["run", "c.ptx", "--launch", "c.toml", "--profile"];
    let report = schema::document(&run(&scratch, &[&arguments[..], &["--json"]].concat()));
    let lines = all(&report["profile"]["lines"]);
    let line = |number: u64| {
        let found = lines.iter().find(|line| line["line"] == number);
        found.unwrap_or_else(|| panic!("no line {number}: {lines:?}"))
    };
    let count = |number: u64, field: &str| sum([&line(number)[field]]);
    assert_eq!(line(9)["file"], "c.ptx", "what comes before the first .loc");
    assert_eq!(line(4)["file"], "/elsewhere/columns.cu");
    assert_eq!(line(4)["text"], "buffer[32 * x] = x;");
    assert_eq!([count(4, "shared_accesses"), count(4, "bank_conflicts")], [2, 62]);
    assert_eq!(count(6, "divergent_branches"), 1, "of two warps one");
    assert_eq!([count(7, "warp_instructions"), count(7, "thread_instructions")], [2, 48]);
    assert_eq!([count(8, "accesses"), count(8, "transactions")], [2, 64]);
    let waits = |number: u64, why: &str| sum([&line(number)["stalls"][why]]);
    assert!(waits(5, "barrier") > 0, "the first warp waits for the second: {lines:?}");
    assert_eq!(waits(6, "barrier"), 0, "and that is the barrier's, not the next line's");

    let text = run(&scratch, &arguments).stdout;
    for word in ["columns.cu:4", "buffer[32 * x] = x;", "31", "memory unit busy", "Clocks of warps"]
    {
        assert!(text.contains(word), "`{word}` is missing: {text}");
    }
}

#[test]
fn a_trace_has_a_span_for_each_launch_cta_and_wait() {
    let scratch = Scratch::new();
    let more = ["--preset", "gtx480", "--profile", "--trace", "t.json", "--timeline", "t.svg"];
    let report = schema::document(&run_kernel(&scratch, "histogram", &more));
    let text = std::fs::read_to_string(scratch.path("t.json")).expect("the trace");
    let trace: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(trace["waitsLeftOut"], 0);
    let events = all(&trace["traceEvents"]);
    let clocks = |event: &Value| [0, 1].map(|at| sum([&event["args"]["clocks"][at]]));
    // A track and its spans, in clocks.
    let mut tracks: BTreeMap<(u64, u64), Vec<[u64; 2]>> = BTreeMap::new();
    let mut waits: HashMap<String, u64> = HashMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X") {
        let track = (sum([&event["pid"]]), sum([&event["tid"]]));
        let [from, to] = clocks(event);
        let microseconds = |of: &Value| (of.as_f64().expect("a time") * 700.0).round() as u64;
        assert_eq!([microseconds(&event["ts"]), microseconds(&event["dur"])], [from, to - from]);
        if track.1 >= 64 {
            let name = event["name"].as_str().expect("a name").to_string();
            *waits.entry(name).or_default() += to - from;
        }
        tracks.entry(track).or_default().push([from, to]);
    }
    let launches = tracks.remove(&(0, 0)).expect("launches");
    assert_eq!(
        launches.iter().map(|[from, to]| to - from).sum::<u64>(),
        sum([&report["timing"]["cycles"]])
    );
    let is_inside = |[from, to]: [u64; 2], others: &[[u64; 2]]| {
        others.iter().any(|other| other[0] <= from && to <= other[1])
    };
    let mut ctas: HashMap<u64, Vec<[u64; 2]>> = HashMap::new();
    for ((core, track), spans) in &tracks {
        let mut sorted = spans.clone();
        sorted.sort_unstable();
        assert!(
            sorted.windows(2).all(|pair| pair[0][1] <= pair[1][0]),
            "{core} {track}: {sorted:?}"
        );
        if *track < 64 {
            assert!(spans.iter().all(|span| is_inside(*span, &launches)), "{core} {track}");
            ctas.entry(*core).or_default().extend(spans);
        }
    }
    let grid: u64 =
        report["launches"][0]["grid"].as_array().map(|grid| product(grid)).expect("a grid");
    assert_eq!(ctas.values().map(Vec::len).sum::<usize>() as u64, grid);
    for ((core, _), spans) in tracks.iter().filter(|((_, track), _)| *track >= 64) {
        assert!(spans.iter().all(|span| is_inside(*span, &ctas[core])), "core {core}");
    }
    let stalls = &report["profile"]["stalls"];
    for why in ["memory", "barrier"] {
        assert_eq!(waits[why], sum([&stalls[why]]), "{why}");
        assert!(waits[why] > 0, "{why}");
    }
    let named = events.iter().filter(|event| event["ph"] == "M" && event["name"] == "thread_name");
    assert_eq!(named.count(), tracks.len(), "every track has a name");

    let svg = std::fs::read_to_string(scratch.path("t.svg")).expect("the timeline");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for word in ["core 14", "not selected", "barrier", "clocks", "histogram"] {
        assert!(svg.contains(word), "`{word}` is missing");
    }
}

fn product(grid: &[Value]) -> u64 {
    grid.iter().map(|side| sum([side])).product()
}

#[test]
fn what_has_no_clocks_has_no_profile() {
    let scratch = Scratch::new();
    for option in [&["--profile"][..], &["--trace", "t.json"], &["--timeline", "t.svg"]] {
        let ended = run_kernel(&scratch, "life", &[&["--timing", "off"], option].concat());
        refused(&ended, &[option[0], "--timing off"]);
    }
    std::fs::create_dir(scratch.path("taken")).expect("a folder");
    let ended = run_kernel(&scratch, "life", &["--timeline", "t.svg", "--trace", "taken"]);
    refused(&ended, &["cannot write taken"]);
    assert!(!scratch.path("t.svg").exists(), "neither file is written");
}

/// docs/gpu.md tells what this program's profile shows. The shared variables are declared behind `.loc`.
#[test]
fn the_transpose_of_the_docs_has_its_profile() {
    let scratch = Scratch::new();
    let ended = run_kernel(&scratch, "../../examples/transpose/transpose", &["--profile"]);
    let report = schema::document(&ended);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let clocks = |at: usize| report["launches"][at]["timing"]["cycles"].as_u64().expect("clocks");
    assert!(clocks(2) * 5 < clocks(1) * 2 && clocks(1) < clocks(0), "{}", report["launches"]);
    let lines = all(&report["profile"]["lines"]);
    let of_line = |number: u64, field: &str, per: &str| {
        let is_it = |line: &&Value| {
            line["line"] == number
                && line["file"].as_str().is_some_and(|it| it.ends_with("transpose.cu"))
        };
        let line = lines.iter().find(is_it).expect("the line");
        line[field].as_f64().expect("a count") / line[per].as_f64().expect("a count")
    };
    assert_eq!(of_line(11, "transactions", "accesses"), 16.5, "one line, then 32");
    assert_eq!(of_line(17, "transactions", "accesses"), 1.0);
    assert_eq!(of_line(22, "transactions", "accesses"), 1.0);
    assert_eq!(of_line(22, "bank_conflicts", "shared_accesses"), 15.5, "31, then none");
}
