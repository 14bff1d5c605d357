//! Kernels with their data and launches.

use warpsmith::gpu::Statistics;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::Device;
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::System;

/// A run of dependent launches.
pub struct Workload {
    pub name: &'static str,
    /// Whether warps spin on memory.
    pub spins: bool,
    image: Image,
    device: Device,
    launches: Vec<Step>,
}

/// A launch.
struct Step {
    kernel: &'static str,
    grid: [u32; 2],
    block: [u32; 2],
    shared: u32,
    arguments: Vec<Argument>,
}

#[derive(Clone, Copy)]
enum Argument {
    Buffer(u64),
    Word(u32),
}

use Argument::{Buffer, Word};

impl Workload {
    /// Clocks and counts.
    pub fn run(&self, config: &Config, system: System) -> (u64, Statistics) {
        let mut machine = Machine::new(config, system, None);
        machine.load(self.device.clone(), &self.image.program.constants);
        let mut clocks = 0;
        for step in &self.launches {
            let kernel = self.image.program.kernel(step.kernel).expect("the kernel");
            let mut parameters = vec![0; kernel.parameter_bytes as usize];
            assert_eq!(kernel.parameters.len(), step.arguments.len(), "{}", step.kernel);
            for (parameter, argument) in kernel.parameters.iter().zip(&step.arguments) {
                let place = &mut parameters[parameter.offset as usize..];
                match argument {
                    Buffer(address) => place[..8].copy_from_slice(&address.to_le_bytes()),
                    Word(word) => place[..4].copy_from_slice(&word.to_le_bytes()),
                }
            }
            let [grid, block] = [step.grid, step.block].map(|[x, y]| [x, y, 1]);
            let dynamic_shared = step.shared;
            let launch = Launch {
                grid,
                block,
                dynamic_shared,
                parameters,
                resident: 16,
                watchdog: 1 << 40,
                ..Launch::default()
            };
            let timed = machine.run(&self.image, kernel, &launch);
            clocks += timed.unwrap_or_else(|error| panic!("{error}")).cycles;
        }
        (clocks, machine.statistics())
    }

    fn new(name: &'static str, file: &str) -> Self {
        let path = format!("{}/tests/kernels/{file}.ptx", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a kernel");
        let image = Image::new(isa::load(&path, &text).unwrap_or_else(|error| panic!("{error}")));
        Self { name, spins: false, image, device: Device::default(), launches: Vec::new() }
    }

    fn launch(
        &mut self,
        kernel: &'static str,
        grid: [u32; 2],
        block: [u32; 2],
        arguments: &[Argument],
    ) {
        let shared = if kernel == "nbody" { block[0] * 16 } else { 0 };
        let arguments = arguments.to_vec();
        self.launches.push(Step { kernel, grid, block, shared, arguments });
    }

    fn words(&mut self, words: &[u32]) -> Argument {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let address = self.device.allocate("a buffer", bytes.len());
        self.device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
        Buffer(address)
    }

    /// Random numbers between 0 and 1.
    fn reals(&mut self, count: u32) -> Argument {
        let values = random(count, 1000).into_iter().map(|value| (value as f32 / 1000.0).to_bits());
        self.words(&values.collect::<Vec<_>>())
    }
}

fn random(count: u32, below: u32) -> Vec<u32> {
    let mut state = 1u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    std::iter::repeat_with(next).take(count as usize).collect()
}

/// A graph: the first edge of each node, and the edges' targets.
fn graph(nodes: u32, most: u32) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0];
    for degree in random(nodes, most) {
        first.push(first[first.len() - 1] + degree);
    }
    let edges = random(first[nodes as usize], nodes);
    (first, edges)
}

pub fn all() -> Vec<Workload> {
    vec![
        matmul(),
        rnn(),
        pagerank(),
        bfs("bfs_racy, 65,536 nodes", "bfs_racy"),
        bfs("bfs_race_free, 65,536 nodes", "bfs_race_free"),
        life(),
        nbody(),
        stencil(),
        stencil_with_barrier(),
        hash_insert(),
    ]
}

/// Layers with the same weights: each multiplies the product of the previous one.
fn matmul() -> Workload {
    const N: u32 = 384;
    let mut workload = Workload::new("matmul, 384 x 384, 2 layers", "matmul");
    let [weights, a, b, c] = [(); 4].map(|()| workload.reals(N * N));
    for (from, to) in [(a, b), (b, c)] {
        workload.launch("matmul", [N / 16, N / 16], [16, 16], &[from, weights, to, Word(N)]);
    }
    workload
}

fn rnn() -> Workload {
    const N: u32 = 2048;
    let mut workload = Workload::new("rnn, 2048 rows, 6 steps", "rnn");
    let [weights, input, a, b] = [N * N, N, N, N].map(|count| workload.reals(count));
    for (from, to) in [(a, b), (b, a)].repeat(3) {
        workload.launch("rnn", [N / 8, 1], [256, 1], &[weights, input, from, to, Word(N)]);
    }
    workload
}

fn pagerank() -> Workload {
    const NODES: u32 = 32_768;
    let mut workload = Workload::new("pagerank, 32,768 nodes, 4 steps", "pagerank");
    let (first, sources) = graph(NODES, 12);
    let mut degree = vec![0; NODES as usize];
    sources.iter().for_each(|source| degree[*source as usize] += 1);
    let [first, sources, degree] = [&first, &sources, &degree].map(|words| workload.words(words));
    let [a, b] = [(); 2].map(|()| workload.reals(NODES));
    workload.launch("pagerank_start", [NODES / 64, 1], [64, 1], &[a, b, Word(NODES)]);
    for (from, to) in [(a, b), (b, a)].repeat(2) {
        let arguments = [first, sources, degree, from, to, Word(NODES)];
        workload.launch("pagerank", [NODES / 64, 1], [64, 1], &arguments);
    }
    workload
}

fn bfs(name: &'static str, kernel: &'static str) -> Workload {
    const NODES: u32 = 65_536;
    let mut workload = Workload::new(name, "bfs");
    let (first, edges) = graph(NODES, 12);
    let mut level = vec![u32::MAX; NODES as usize];
    level[0] = 0;
    let [first, edges, level] = [&first, &edges, &level].map(|words| workload.words(words));
    let changed = workload.words(&[0]);
    for depth in 0..10 {
        let arguments = [first, edges, level, changed, Word(NODES), Word(depth)];
        workload.launch(kernel, [NODES / 256, 1], [256, 1], &arguments);
    }
    workload
}

fn life() -> Workload {
    const SIDE: u32 = 512;
    let mut workload = Workload::new("life, 512 x 512, 4 steps", "life");
    let cells: Vec<u32> = random(SIDE * SIDE, 2)
        .chunks(4)
        .map(|cells| cells.iter().fold(0, |all, cell| all << 8 | cell))
        .collect();
    let [a, b] = [(); 2].map(|()| workload.words(&cells));
    for (from, to) in [(a, b), (b, a)].repeat(2) {
        let arguments = [from, to, Word(SIDE), Word(SIDE)];
        workload.launch("life", [SIDE / 16, SIDE / 8], [16, 8], &arguments);
    }
    workload
}

fn nbody() -> Workload {
    const BODIES: u32 = 2048;
    let mut workload = Workload::new("nbody, 2048, 3 steps", "nbody");
    let [a, speed, b] = [(); 3].map(|()| workload.reals(4 * BODIES));
    for (from, to) in [(a, b), (b, a), (a, b)] {
        let arguments = [from, speed, to, Word(BODIES), Word(0.01f32.to_bits())];
        workload.launch("nbody", [BODIES / 64, 1], [64, 1], &arguments);
    }
    workload
}

fn stencil() -> Workload {
    const SIDE: u32 = 1024;
    let mut workload = Workload::new("stencil, 1024 x 1024, 4 launches", "stencil");
    let [a, b] = [(); 2].map(|()| workload.reals(SIDE * SIDE));
    for (from, to) in [(a, b), (b, a)].repeat(2) {
        let arguments = [from, to, Word(SIDE), Word(SIDE)];
        workload.launch("stencil_step", [SIDE * SIDE / 256, 1], [256, 1], &arguments);
    }
    workload
}

fn stencil_with_barrier() -> Workload {
    const SIDE: u32 = 512;
    let mut workload = Workload::new("stencil, 512 x 512, barrier", "stencil");
    workload.spins = true;
    let [a, b] = [(); 2].map(|()| workload.reals(SIDE * SIDE));
    let arrived = workload.words(&[0]);
    let arguments = [a, b, arrived, Word(SIDE), Word(SIDE), Word(4)];
    workload.launch("stencil", [512, 1], [256, 1], &arguments);
    workload
}

fn hash_insert() -> Workload {
    const KEYS: u32 = 16_384;
    const BUCKETS: u32 = 4096;
    let mut workload = Workload::new("hash_insert, 16,384 keys", "hash_insert");
    workload.spins = true;
    let keys = workload.words(&random(KEYS, 1 << 20));
    let [locks, counts, slots] =
        [1, 1, 16].map(|each| workload.words(&vec![0; (each * BUCKETS) as usize]));
    let arguments = [keys, locks, counts, slots, Word(BUCKETS), Word(KEYS)];
    workload.launch("hash_insert", [KEYS / 64, 1], [64, 1], &arguments);
    workload
}
