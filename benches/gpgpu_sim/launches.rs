//! The launches that were recorded, with their data.

use std::fmt::Write;
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Bytes between the places of a pointer chase: a line.
const STRIDE: usize = 128;

/// The module and the launch file of a recorded kernel, whose data is written to a folder.
pub fn of(name: &str, folder: &Path) -> (String, String) {
    let launch = match name {
        "matmul" => {
            head("matmul", [16, 16], [16, 16], 24)
                + &buffer("a", "f32", 65536, "fill = 1.0")
                + &buffer("b", "f32", 65536, "fill = 2.0")
                + &buffer("c", "f32", 65536, "expected = 512.0")
                + &scalar("n", 256)
        }
        "vector_add" => {
            head("vector_add", [4096, 1], [256, 1], 20)
                + &buffer("a", "f32", 1 << 20, "fill = 1.0")
                + &buffer("b", "f32", 1 << 20, "fill = 0.25")
                + &buffer("c", "f32", 1 << 20, "expected = 1.25")
                + &scalar("n", 1 << 20)
        }
        "bfs" => search(folder),
        "stencil" => {
            head("stencil_step", [4096, 1], [256, 1], 20)
                + &buffer("a", "f32", 1 << 20, "fill = 1.0")
                + &buffer("b", "f32", 1 << 20, "expected = 1.0\ntolerance = 1e-6")
                + &scalar("width", 1024)
                + &scalar("height", 1024)
        }
        "nbody" => {
            head("nbody", [32, 1], [64, 1], 20)
                + "shared = 1024\n"
                + &buffer("now", "f32", 8192, "ramp = [0.0, 0.125]")
                + &buffer("speed", "f32", 8192, "")
                + &buffer("then", "f32", 8192, "")
                + &scalar("n", 2048)
                + "[[arguments]]\nname = \"dt\"\ntype = \"f32\"\nvalue = 0.01\n"
        }
        "reduction" => {
            head("reduction", [90, 1], [256, 1], 20)
                + &buffer("in", "f32", 1 << 20, "fill = 1.0")
                + &buffer("sum", "f32", 1, "expected = 1048576.0")
                + &scalar("n", 1 << 20)
        }
        "histogram" => {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            let bytes: Vec<u8> = (0..1 << 20).map(|_| random.random()).collect();
            std::fs::write(folder.join("bytes.bin"), bytes).expect("writable");
            head("histogram", [90, 1], [256, 1], 20)
                + &buffer("in", "u8", 1 << 20, "file = \"bytes.bin\"")
                + &buffer("bins", "s32", 256, "")
                + &scalar("n", 1 << 20)
        }
        "copy" => {
            head("copy", [16384, 1], [256, 1], 20)
                + &buffer("in", "f32", 4 << 20, "fill = 1.5")
                + &buffer("out", "f32", 4 << 20, "expected = 1.5")
                + &scalar("n", 4 << 20)
        }
        "chase_l1" => chase(folder, 8 << 10, false, 4096, 1),
        "chase_256k" => chase(folder, 256 << 10, false, 2048, 2),
        "chase_1m" => chase(folder, 1 << 20, false, 4096, 1),
        "chase_1m_random" => chase(folder, 1 << 20, true, 4096, 1),
        "chase_16m_random" => chase(folder, 16 << 20, true, 4096, 1),
        "empty" => head("empty", [1, 1], [32, 1], 20) + &buffer("out", "s32", 1, ""),
        _ => panic!("no launch of {name}"),
    };
    (module(name), launch)
}

fn module(name: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    match name {
        "copy" | "empty" => format!("{root}/benches/gpgpu_sim/kernels.ptx"),
        _ if name.starts_with("chase") => format!("{root}/benches/gpgpu_sim/kernels.ptx"),
        _ => format!("{root}/tests/kernels/{name}.ptx"),
    }
}

/// Registers are those with which as many CTAs fit in a core as did in GPGPU-Sim.
pub fn head(kernel: &str, grid: [u32; 2], block: [u32; 2], registers: u32) -> String {
    format!("kernel = \"{kernel}\"\ngrid = {grid:?}\nblock = {block:?}\nregisters = {registers}\n")
}

pub fn buffer(name: &str, ty: &str, count: usize, more: &str) -> String {
    format!("[[arguments]]\nname = \"{name}\"\ntype = \"{ty}\"\ncount = {count}\n{more}\n")
}

pub fn scalar(name: &str, value: i64) -> String {
    format!("[[arguments]]\nname = \"{name}\"\ntype = \"s32\"\nvalue = {value}\n")
}

fn words(folder: &Path, name: &str, words: impl IntoIterator<Item = i32>) {
    let bytes: Vec<u8> = words.into_iter().flat_map(i32::to_le_bytes).collect();
    std::fs::write(folder.join(name), bytes).expect("writable");
}

/// A breadth-first search in a random graph of 65,536 nodes, a launch for each level.
fn search(folder: &Path) -> String {
    const NODES: usize = 65_536;
    let mut state = 1u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize
    };
    let (mut first, mut edges) = (vec![0], Vec::new());
    for _ in 0..NODES {
        let degree = random() % 12;
        edges.extend((0..degree).map(|_| random() % NODES));
        first.push(edges.len());
    }
    let mut level = vec![-1; NODES];
    level[0] = 0;
    words(folder, "level.bin", level.clone());
    let (mut front, mut depth) = (vec![0], 0);
    while !front.is_empty() {
        let mut next = Vec::new();
        for node in front {
            for &to in &edges[first[node]..first[node + 1]] {
                if level[to] < 0 {
                    level[to] = depth + 1;
                    next.push(to);
                }
            }
        }
        (front, depth) = (next, depth + 1);
    }
    let counts = [first.len(), edges.len()];
    words(folder, "first.bin", first.into_iter().map(|at| at as i32));
    words(folder, "edges.bin", edges.into_iter().map(|to| to as i32));
    words(folder, "levels.bin", level);
    let mut launch = head("bfs_race_free", [256, 1], [256, 1], 20)
        + &buffer("first", "s32", counts[0], "file = \"first.bin\"")
        + &buffer("edges", "s32", counts[1], "file = \"edges.bin\"")
        + &buffer("level", "s32", NODES, "file = \"level.bin\"\nexpected_file = \"levels.bin\"")
        + &buffer("changed", "s32", 1, "")
        + &scalar("nodes", NODES as i64)
        + &scalar("depth", 0);
    for depth in 0..depth {
        let _ = write!(launch, "[[launches]]\nset = {{ depth = {depth} }}\n");
    }
    launch
}

/// One thread follows pointers through some bytes, line by line or at random.
fn chase(folder: &Path, bytes: usize, is_random: bool, steps: i64, launches: usize) -> String {
    let mut order: Vec<usize> = (1..bytes / STRIDE).collect();
    if is_random {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        (1..order.len()).for_each(|at| order.swap(at, random.random_range(0..=at)));
    }
    order.insert(0, 0);
    let mut next = vec![0; bytes / 4];
    for (at, place) in order.iter().enumerate() {
        next[place * STRIDE / 4] = (order[(at + 1) % order.len()] * STRIDE) as i32;
    }
    words(folder, "next.bin", next);
    head("chase", [1, 1], [1, 1], 20)
        + &buffer("next", "s32", bytes / 4, "file = \"next.bin\"")
        + &buffer("end", "s32", 1, "")
        + &scalar("steps", steps)
        + &"[[launches]]\n".repeat(launches)
}
