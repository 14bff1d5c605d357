//! RTL of the directory in its place while a kernel runs.

mod support;

use support::{Ended, Scratch, needs_verilator, replaced, run};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::{Device, RtlSettings};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::{System, hmg};
use warpsmith_testbench::backend::Backend;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels");

fn vector_add(scratch: &Scratch, more: &[&str]) -> Ended {
    let (module, launch) =
        (format!("{FOLDER}/vector_add.ptx"), format!("{FOLDER}/vector_add.toml"));
    let command = ["run", &module, "--launch", &launch, "--preset", "small"];
    run(scratch, &[&command[..], more].concat())
}

#[test]
fn transfers_of_all_directories_are_compared() {
    let scratch = Scratch::new();
    for system in ["hmg", "nhcc"] {
        let more = ["--system", system, "--rtl", "hmg_directory", "--json"];
        let ended = vector_add(&scratch, &more);
        assert_eq!(ended.code, 0, "{ended:?}");
        let report = support::schema::document(&ended);
        assert!(report["timing"]["compared_transfers"].as_u64().expect("a count") > 20, "{report}");
    }
}

#[test]
fn one_directory_or_no_shadow_is_enough() {
    let scratch = Scratch::new();
    let one = vector_add(&scratch, &["--rtl", "hmg_directory@gpu1.gpm0", "--json"]);
    assert_eq!(one.code, 0, "{one:?}");
    let bare = vector_add(&scratch, &["--rtl", "hmg_directory", "--shadow", "off", "--json"]);
    let report = support::schema::document(&bare);
    assert_eq!((bare.code, report["timing"]["compared_transfers"].is_null()), (0, true));
}

#[test]
fn several_places_are_rtl_and_are_listed() {
    let scratch = Scratch::new();
    let shown = run(&scratch, &["show", "hmg", "--json"]);
    let shown = support::schema::document(&shown);
    let machines = shown["machines"].as_array().expect("machines");
    let small = machines.iter().find(|machine| machine["machine"] == "small").expect("a machine");
    let places = small["places"].as_array().expect("places");
    let mut more = vec!["--json"];
    places.iter().for_each(|place| more.extend(["--rtl", place.as_str().expect("a place")]));
    let compared = |more: &[&str]| {
        let ended = vector_add(&scratch, more);
        support::schema::document(&ended)["timing"]["compared_transfers"].as_u64()
    };
    let all = compared(&more);
    assert!(all > Some(20), "{all:?}");
    assert_eq!(compared(&["--json", "--rtl", "hmg_directory"]), all);
    // All but the last.
    let some = compared(&more[..more.len() - 2]);
    assert!(some < all, "{some:?} of {all:?}");
    let none = run(&scratch, &["show", "software"]);
    assert!(none.code == 0 && none.stdout.contains("small: none"), "{none:?}");
}

#[test]
fn wrong_places_are_exit_code_2() {
    let scratch = Scratch::new();
    for (more, words) in [
        (&["--rtl", "l2"][..], ["--rtl l2", "hmg_directory@gpu0.gpm0"]),
        (&["--rtl", "hmg_directory", "--rtl", "l2@gpu0.gpm0"], ["l2@gpu0.gpm0", "gpu1.gpm0 to 1"]),
        (&["--dut", "mine.v"], ["--dut", "--rtl"]),
        (&["--rtl", "hmg_directory", "--dut", "none.v"], ["--dut: ", "none.v"]),
        (&["--rtl", "hmg_directory@gpu2.gpm0"], ["gpu2.gpm0", "gpu1.gpm0 to 1"]),
        (
            &["--rtl", "hmg_directory", "--system", "software"],
            ["software", "nhcc, hmg, quick-release, getm"],
        ),
        (&["--backend", "verilator"], ["--rtl", "required"]),
    ] {
        let ended = vector_add(&scratch, more);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{ended:?}");
    }
}

#[test]
fn broken_verilog_is_found_while_a_kernel_runs() {
    if !needs_verilator("broken_verilog_is_found_while_a_kernel_runs") {
        return;
    }
    let scratch = Scratch::new();
    let set = ["--set", "gpms_per_gpu=2", "--set", "gpus=2", "--set", "sets=4", "--set", "ways=2"];
    let more =
        ["--set", "line_bytes=128", "--set", "lines_per_entry=4", "--set", "address_bits=48"];
    let emit = [&["emit", "hmg_directory", "--out", "mine"], &set[..], &more[..]].concat();
    let emitted = run(&scratch, &emit);
    assert_eq!(emitted.code, 0, "{emitted:?}");
    let file = walk(&scratch);
    replaced(&file, "access & (|stage4_source) & ~any_hit;", "1'd0;");
    let file = file.display().to_string();
    let ended = vector_add(&scratch, &["--rtl", "hmg_directory", "--dut", &file, "--ours", "all"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    for word in ["kernel vector_add", "`resp` expected", "caused by", "core", "warp"] {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
}

/// A kernel on the small machine with write caches.
fn quick_release(scratch: &Scratch, kernel: &str, more: &[&str]) -> Ended {
    let (module, launch) = (format!("{FOLDER}/{kernel}.ptx"), format!("{FOLDER}/{kernel}.toml"));
    let command = ["run", &module, "--launch", &launch, "--preset", "small_apu"];
    run(scratch, &[&command[..], &["--system", "quick-release"], more].concat())
}

#[test]
fn kernels_end_right_with_rtl_in_all_write_caches_and_s_fifos() {
    let scratch = Scratch::new();
    for (kernel, blocks) in [
        ("vector_add", &["qr_write_cache", "s_fifo"][..]),
        ("bank_transfer", &["qr_write_cache", "s_fifo"]),
        ("bank_transfer", &["s_fifo"]),
        ("histogram", &["qr_write_cache@l2", "s_fifo@l1.core0", "s_fifo@directory"]),
    ] {
        let rtl: Vec<_> = blocks.iter().flat_map(|block| ["--rtl", block]).collect();
        let ended = quick_release(&scratch, kernel, &[&rtl[..], &["--json"]].concat());
        assert_eq!(ended.code, 0, "{kernel} {blocks:?}: {ended:?}");
        let report = support::schema::document(&ended);
        assert_eq!(report["as_expected"], true, "{kernel}");
        let compared = report["timing"]["compared_transfers"].as_u64().expect("a count");
        println!("{kernel} with {blocks:?}: {compared} transfers compared");
        assert!(compared > 20, "{kernel} {blocks:?}: {compared}");
    }
}

/// The memories of a large cache take longer to clear than the kernel has requests.
#[test]
fn a_short_kernel_ends_right_with_rtl_in_a_large_write_cache() {
    let scratch = Scratch::new();
    let [module, launch] = ["ptx", "toml"].map(|kind| format!("{FOLDER}/bfs.{kind}"));
    let command = ["run", &module, "--launch", &launch, "--preset", "apu"];
    let more = ["--system", "quick-release", "--rtl", "qr_write_cache@l2"];
    let ended = run(&scratch, &[&command[..], &more].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("as expected"), "{ended:?}");
}

/// Loads write parts of lines through, whose entries stay in the S-FIFO: a release drains many without a transfer.
#[test]
fn a_release_drains_entries_of_blocks_that_are_gone() {
    const NODES: usize = 4096;
    let scratch = Scratch::new();
    let edges = [1, 2, 3, 100, 200, 300, 400, 500];
    let mut level = vec![-1; NODES];
    level[0] = 0;
    let before = level.clone();
    edges.iter().for_each(|node| level[*node] = 1);
    let first: Vec<_> = (0..=NODES).map(|node| if node == 0 { 0 } else { edges.len() }).collect();
    let launch = format!(
        "kernel = \"bfs_racy\"\ngrid = [{}]\nblock = [256]\narguments = [\n\
         {{ type = \"s32\", values = {first:?} }},\n\
         {{ type = \"s32\", values = {edges:?} }},\n\
         {{ name = \"level\", type = \"s32\", values = {before:?}, expected = {level:?} }},\n\
         {{ type = \"s32\", count = 1, expected = 1 }},\n\
         {{ type = \"s32\", value = {NODES} }},\n{{ type = \"s32\", value = 0 }},\n]\n",
        NODES / 256
    );
    std::fs::write(scratch.path("launch.toml"), launch).expect("writable");
    let module = format!("{FOLDER}/bfs.ptx");
    let command = ["run", &module, "--launch", "launch.toml", "--preset", "apu"];
    let more = ["--system", "quick-release", "--rtl", "qr_write_cache@l2"];
    let ended = run(&scratch, &[&command[..], &more].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
}

#[test]
fn a_kernel_ends_right_with_verilated_rtl_in_all_write_caches() {
    if !needs_verilator("a_kernel_ends_right_with_verilated_rtl_in_all_write_caches") {
        return;
    }
    let scratch = Scratch::new();
    let more = ["--rtl", "qr_write_cache", "--rtl", "s_fifo", "--backend", "verilator"];
    let ended = quick_release(&scratch, "bank_transfer", &more);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("transfers compared, all equal"), "{ended:?}");
}

#[test]
fn a_fault_in_the_emitted_write_cache_is_found_while_a_kernel_runs() {
    if !needs_verilator("a_fault_in_the_emitted_write_cache_is_found_while_a_kernel_runs") {
        return;
    }
    let scratch = Scratch::new();
    let mut emit = vec!["emit", "qr_write_cache", "--out", "mine"];
    for set in ["sets=4", "ways=2", "block_bits=42", "fifo_depth=4", "wavefront_bits=6"] {
        emit.extend(["--set", set]);
    }
    for set in
        ["block_bytes=64", "level=1", "last_level=false", "read_caches=1", "invalidations=15"]
    {
        emit.extend(["--set", set]);
    }
    let emitted = run(&scratch, &emit);
    assert_eq!(emitted.code, 0, "{emitted:?}");
    let folder = std::fs::read_dir(scratch.path("mine/qr_write_cache")).expect("emitted");
    let folder = folder.map(|entry| entry.expect("readable").path()).next().expect("one preset");
    let file = folder.join("qr_write_cache.v");
    // The read cache is not told of a block whose entry drains.
    let (from, to) =
        ("invalidates <= writes_through;", "invalidates <= writes_through & ~drain_clears;");
    replaced(&file, from, to);
    let file = file.display().to_string();
    let ended = quick_release(
        &scratch,
        "vector_add",
        &["--rtl", "qr_write_cache@l1.core0", "--dut", &file, "--ours", "all"],
    );
    assert_eq!(ended.code, 1, "{ended:?}");
    for word in [
        "kernel vector_add",
        "write cache of l1.core0",
        "at byte 0x",
        "core 0 warp",
        "breaks the rule: what is written through is invalidated in the read caches",
    ] {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
}

#[test]
fn a_machine_that_lacks_a_part_is_exit_code_2_and_named() {
    let scratch = Scratch::new();
    let (module, launch) =
        (format!("{FOLDER}/vector_add.ptx"), format!("{FOLDER}/vector_add.toml"));
    for (preset, system, words) in [
        ("hmg_4x4", "quick-release", ["one L2 for all cores", "apu, small_apu"]),
        ("gtx480", "write-through", ["an L3 behind the directory", "apu, small_apu"]),
        (
            "small",
            "release-consistency",
            ["one L2 for all cores", "presets that have: apu, getm_15"],
        ),
    ] {
        let command = ["run", &module, "--launch", &launch, "--preset", preset];
        let ended = run(&scratch, &[&command[..], &["--system", system]].concat());
        support::refused(&ended, &words);
    }
}

/// The Verilog file of the directory's top module.
fn walk(scratch: &Scratch) -> std::path::PathBuf {
    let folder = std::fs::read_dir(scratch.path("mine/hmg_directory")).expect("emitted");
    let folder = folder.map(|entry| entry.expect("readable").path()).next().expect("one preset");
    folder.join("hmg_directory.v")
}

/// A graph in which node i has edges to 2 i + 1, 2 i + 2 and a distant node.
struct Graph {
    first: Vec<u32>,
    edges: Vec<u32>,
    /// The level of each node in a breadth-first search in plain Rust.
    level: Vec<u32>,
}

impl Graph {
    fn new(nodes: usize) -> Self {
        let edges_of = |node: usize| [2 * node + 1, 2 * node + 2, node * 7 + 3];
        let edges: Vec<u32> = (0..nodes).flat_map(edges_of).map(|to| (to % nodes) as u32).collect();
        let mut level = vec![u32::MAX; nodes];
        level[0] = 0;
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for to in &edges[3 * node..3 * node + 3] {
                if level[*to as usize] == u32::MAX {
                    level[*to as usize] = level[node] + 1;
                    queue.push_back(*to as usize);
                }
            }
        }
        Self { first: (0..=nodes).map(|node| 3 * node as u32).collect(), edges, level }
    }
}

/// A breadth-first search on a machine gives the same levels as plain Rust.
fn search(system: System, backend: Backend) -> u64 {
    const NODES: usize = 300;
    let path = format!("{FOLDER}/bfs.ptx");
    let text = std::fs::read_to_string(&path).expect("a kernel");
    let image = Image::new(isa::load(&path, &text).unwrap_or_else(|error| panic!("{error}")));
    let kernel = image.program.kernel("bfs_race_free").expect("the kernel");
    let Graph { first, edges, level: expected } = Graph::new(NODES);
    let depth = *expected.iter().max().expect("some nodes");
    let mut level = vec![u32::MAX; NODES];
    level[0] = 0;
    let mut device = Device::default();
    let mut buffer = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let address = device.allocate("a buffer", bytes.len());
        device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
        address
    };
    let buffers = [buffer(&first), buffer(&edges), buffer(&level), buffer(&[0])];
    let config = Config::preset("small").expect("a preset");
    let mut machine = Machine::new(&config, system, Some(5));
    let settings =
        RtlSettings { places: vec!["hmg_directory".into()], backend, dut: None, shadow: true };
    machine.use_rtl(&settings).unwrap_or_else(|error| panic!("{error}"));
    machine.load(device, &[]);
    for depth in 0..=depth {
        let mut parameters: Vec<u8> = buffers.iter().flat_map(|at| at.to_le_bytes()).collect();
        parameters.extend((NODES as u32).to_le_bytes());
        parameters.extend(depth.to_le_bytes());
        let launch = Launch {
            grid: [10, 1, 1],
            block: [32, 1, 1],
            parameters,
            watchdog: 1_000_000,
            ..Launch::default()
        };
        machine.run(&image, kernel, &launch).unwrap_or_else(|error| panic!("{error}"));
    }
    let found = machine.device().get(buffers[2], NODES * 4).expect("allocated");
    let found =
        found.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    machine.compared()
}

#[test]
fn a_search_ends_right_with_rtl_in_all_directories() {
    for system in [hmg::HMG, hmg::NHCC] {
        let compared = search(system, Backend::Native);
        println!("{}: {compared} transfers compared", system.name);
        // Few in NHCC: a failing compare-and-swap sends no request to the directory.
        assert!(compared > 300, "{compared}");
    }
}

#[test]
fn a_search_ends_right_with_verilated_rtl_in_all_directories() {
    if !needs_verilator("a_search_ends_right_with_verilated_rtl_in_all_directories") {
        return;
    }
    let compared = search(hmg::HMG, Backend::Verilator);
    println!("{compared} transfers compared");
    assert!(compared > 500, "{compared}");
}

/// The whole machine of HMG with Verilated directories in all 16 GPMs, from the command line. Pages
/// are small, so that all of them are homes.
#[test]
fn the_machine_of_hmg_searches_right_with_verilated_rtl_in_all_directories() {
    const NODES: usize = 4096;
    if !needs_verilator("the_machine_of_hmg_searches_right_with_verilated_rtl_in_all_directories") {
        return;
    }
    let scratch = Scratch::new();
    let graph = Graph::new(NODES);
    let machine = include_str!("../src/gpu/config/presets/hmg_4x4.toml");
    let machine_with_pages = machine.replace("page_bytes = 2097152", "page_bytes = 1024");
    assert_ne!(machine, machine_with_pages);
    std::fs::write(scratch.path("machine.toml"), machine_with_pages).expect("writable");
    let mut launch = format!(
        "kernel = \"bfs_race_free\"\ngrid = [{}]\nblock = [32]\n\
         arguments = [\n\
         {{ name = \"first\", type = \"u32\", values = {:?} }},\n\
         {{ name = \"edges\", type = \"u32\", values = {:?} }},\n\
         {{ name = \"level\", type = \"u32\", values = {:?}, expected = {:?} }},\n\
         {{ name = \"changed\", type = \"u32\", count = 1 }},\n\
         {{ name = \"nodes\", type = \"s32\", value = {NODES} }},\n\
         {{ name = \"depth\", type = \"s32\", value = 0 }},\n]\n",
        NODES / 32,
        graph.first,
        graph.edges,
        (0..NODES).map(|node| if node == 0 { 0 } else { u32::MAX }).collect::<Vec<_>>(),
        graph.level,
    );
    for depth in 0..=*graph.level.iter().max().expect("some nodes") {
        launch += &format!("[[launches]]\nset = {{ depth = {depth} }}\n");
    }
    std::fs::write(scratch.path("launch.toml"), launch).expect("writable");
    let module = format!("{FOLDER}/bfs.ptx");
    let command = ["run", &module, "--launch", "launch.toml", "--config", "machine.toml"];
    let more = ["--system", "hmg", "--rtl", "hmg_directory", "--backend", "verilator"];
    let ended = run(&scratch, &[&command[..], &more].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    let line = ended.stdout.lines().find(|line| line.contains("transfers compared, all equal"));
    let line = line.expect("transfers are counted");
    println!("{line}");
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    assert!(digits.parse::<u64>().expect("a count") > 10_000, "{line}");
    assert!(ended.stdout.contains("as expected"), "{ended:?}");
}
