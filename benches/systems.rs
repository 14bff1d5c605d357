//! The six memory systems on kernels that share between GPMs and GPUs: `cargo bench --bench systems`.
//!
//! Prints speed as a ratio to that without caching of other GPUs' lines, as figure 8 of the HMG paper
//! does, beside the ratios of the paper's text. The machine is `hmg_4x4` with pages of 64 KB instead
//! of 2 MB: the kernels touch a few megabytes, where the paper's touch 26 MB to 3.4 GB, and with pages
//! of 2 MB all of it would have one or two homes.
//!
//! `--quick` runs only the smallest kernel.

use warpsmith::gpu::coherence::System;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::Device;
use warpsmith::gpu::simt::Image;

const PAGE: u32 = 64 << 10;

/// Arguments of a kernel, each as its bytes.
type Arguments = Vec<Vec<u8>>;

/// A kernel with its data, and the launches that make up a run.
struct Workload {
    name: &'static str,
    image: Image,
    kernel: &'static str,
    device: fn(&mut Device) -> Arguments,
    /// Grid and block, and how many launches there are.
    shape: [[u32; 2]; 2],
    launches: u32,
    /// The arguments of a launch.
    arguments: fn(&[Vec<u8>], u32) -> Arguments,
}

fn main() {
    let is_quick = std::env::args().any(|argument| argument == "--quick");
    let mut config = Config::preset("hmg_4x4").expect("a preset");
    config.machine.page_bytes = PAGE;
    let names = System::ALL.map(System::name);
    println!("{:<28}{}", "", names.map(|name| format!("{name:>22}")).concat());
    let mut logs = [0.0; System::ALL.len()];
    let workloads: Vec<_> = workloads().into_iter().take(if is_quick { 1 } else { 99 }).collect();
    for workload in &workloads {
        let clocks = System::ALL.map(|system| workload.run(&config, system) as f64);
        let ratios = clocks.map(|clocks_of| clocks[0] / clocks_of);
        (0..logs.len()).for_each(|at| logs[at] += ratios[at].ln());
        let shown = ratios.map(|ratio| format!("{ratio:>22.3}")).concat();
        println!("{:<28}{shown}   ({:.0} clocks without caching)", workload.name, clocks[0]);
    }
    let mean = logs.map(|log| (log / workloads.len() as f64).exp());
    println!("{:<28}{}", "geometric mean", mean.map(|ratio| format!("{ratio:>22.3}")).concat());
    let [_, flat, hierarchical, nhcc, hmg, ideal] = mean;
    println!();
    for (what, ours, paper) in [
        ("HMG over software, flat", hmg / flat, "1.26"),
        ("HMG over software, hierarchical", hmg / hierarchical, "-"),
        ("HMG over NHCC", hmg / nhcc, "1.18"),
        ("HMG of ideal caching", hmg / ideal, "0.97"),
    ] {
        println!("{what:<34}{ours:.2}   (paper: {paper})");
    }
}

impl Workload {
    fn run(&self, config: &Config, system: System) -> u64 {
        let mut device = Device::default();
        let buffers = (self.device)(&mut device);
        let mut machine = Machine::new(config, system, None);
        machine.load(device, &self.image.program.constants);
        let kernel = self.image.program.kernel(self.kernel).expect("the kernel");
        let mut clocks = 0;
        for number in 0..self.launches {
            let mut parameters = vec![0; kernel.parameter_bytes as usize];
            let arguments = (self.arguments)(&buffers, number);
            for (parameter, argument) in kernel.parameters.iter().zip(&arguments) {
                let start = parameter.offset as usize;
                parameters[start..start + argument.len()].copy_from_slice(argument);
            }
            let [grid, block] = self.shape.map(|[x, y]| [x, y, 1]);
            let launch = Launch { grid, block, parameters, watchdog: 1 << 40, ..Launch::default() };
            let dynamic_shared = if self.kernel == "nbody" { block[0] * 16 } else { 0 };
            let launch = Launch { dynamic_shared, ..launch };
            let timed = machine.run(&self.image, kernel, &launch);
            clocks += timed.unwrap_or_else(|error| panic!("{error}")).cycles;
        }
        clocks
    }
}

fn workloads() -> Vec<Workload> {
    vec![
        Workload {
            name: "matmul, 384 x 384",
            image: load("matmul"),
            kernel: "matmul",
            device: |device| (0..3).map(|_| reals(device, 384 * 384)).collect(),
            shape: [[24, 24], [16, 16]],
            launches: 1,
            arguments: |buffers, _| [buffers, &[number(384)]].concat(),
        },
        Workload {
            name: "bfs_racy, 65,536 nodes",
            image: load("bfs"),
            kernel: "bfs_racy",
            device: graph,
            shape: [[256, 1], [256, 1]],
            launches: 10,
            arguments: |buffers, depth| [buffers, &[number(65_536), number(depth)]].concat(),
        },
        Workload {
            name: "bfs_race_free, 65,536 nodes",
            image: load("bfs"),
            kernel: "bfs_race_free",
            device: graph,
            shape: [[256, 1], [256, 1]],
            launches: 10,
            arguments: |buffers, depth| [buffers, &[number(65_536), number(depth)]].concat(),
        },
        Workload {
            name: "life, 512 x 512, 4 steps",
            image: load("life"),
            kernel: "life",
            device: |device| (0..2).map(|_| words(device, &random(1 << 16, 2))).collect(),
            shape: [[32, 64], [16, 8]],
            launches: 4,
            arguments: |buffers, step| {
                let (from, to) = ((step % 2) as usize, (1 - step % 2) as usize);
                vec![buffers[from].clone(), buffers[to].clone(), number(512), number(512)]
            },
        },
        Workload {
            name: "nbody, 2048, 2 steps",
            image: load("nbody"),
            kernel: "nbody",
            device: |device| (0..3).map(|_| reals(device, 4 * 2048)).collect(),
            shape: [[32, 1], [64, 1]],
            launches: 2,
            arguments: |buffers, step| {
                let (from, to) = if step % 2 == 0 { (0, 2) } else { (2, 0) };
                let time = 0.01f32.to_le_bytes().to_vec();
                vec![
                    buffers[from].clone(),
                    buffers[1].clone(),
                    buffers[to].clone(),
                    number(2048),
                    time,
                ]
            },
        },
    ]
}

fn load(name: &str) -> Image {
    let path = format!("{}/tests/kernels/{name}.ptx", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a kernel");
    Image::new(isa::load(&path, &text).unwrap_or_else(|error| panic!("{error}")))
}

fn number(value: u32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

fn words(device: &mut Device, words: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let address = device.allocate("a buffer", bytes.len());
    device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
    address.to_le_bytes().to_vec()
}

fn reals(device: &mut Device, count: usize) -> Vec<u8> {
    let values = random(count, 1000).into_iter().map(|value| (value as f32 / 1000.0).to_bits());
    words(device, &values.collect::<Vec<_>>())
}

fn random(count: usize, below: u32) -> Vec<u32> {
    let mut state = 1u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// First edges, edges, levels, and whether something has changed.
fn graph(device: &mut Device) -> Arguments {
    let mut first = vec![0];
    for degree in random(65_536, 12) {
        first.push(first[first.len() - 1] + degree);
    }
    let edges = random(first[65_536] as usize, 65_536);
    let mut level = vec![u32::MAX; 65_536];
    level[0] = 0;
    [&first, &edges, &level, &vec![0]].map(|buffer| words(device, buffer)).to_vec()
}
