//! Speed of the functional and of the timed machine: `cargo bench --bench kernels`.
//!
//! Prints warp instructions per second of processor time on one thread, as a share of the target (5 million
//! without timing, 1 million with it, preset `gtx480`), for the tiled product of two matrices of 256 x 256
//! and a breadth-first search of 65,536 nodes. Then the same on preset `hmg_4x4` under HMG and on
//! `relativistic_16` under relativistic coherence, and the share of that speed with the Verilated RTL of the
//! directory in all 16 GPMs and of the L2 in all 16 banks, every transfer compared with the reference; the
//! target is 0.3.

use rustix::time::{ClockId, clock_gettime};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine, Outcome, run};
use warpsmith::gpu::memory::{Device, Flat, RtlSettings};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::hmg::HMG;
use warpsmith::gpu::systems::relativistic::SEQUENTIAL;
use warpsmith_testbench::backend::Backend;

const RUNS: usize = 5;

/// A machine for kernels, with its memory.
enum On {
    Functional(Flat),
    Timed(Box<Machine>),
}

/// A machine without memory.
#[derive(Clone, Copy)]
enum Kind {
    Functional,
    Timed(Gpu),
}

/// A timed machine: preset, memory system, and the block that stands in it as Verilated RTL.
#[derive(Clone, Copy)]
struct Gpu {
    preset: &'static str,
    system: System,
    rtl: Option<&'static str>,
}

const GTX480: Gpu = Gpu { preset: "gtx480", system: HMG, rtl: None };
/// Machines with a block in its place.
const WITH_RTL: [Gpu; 2] = [
    Gpu { preset: "hmg_4x4", system: HMG, rtl: Some("hmg_directory") },
    Gpu { preset: "relativistic_16", system: SEQUENTIAL, rtl: Some("relativistic_l2") },
];

/// Warp and thread instructions, and clocks.
type Counts = [u64; 3];

fn main() {
    let (matmul, bfs) = (load("matmul"), load("bfs"));
    for kind in [Kind::Functional, Kind::Timed(GTX480)] {
        println!("{}", kind.name());
        report("matmul 256 x 256, tiles of 16 x 16", kind, || multiply(kind, &matmul));
        report("bfs_racy, 65,536 nodes", kind, || search(kind, &bfs, "bfs_racy"));
        report("bfs_race_free, 65,536 nodes", kind, || search(kind, &bfs, "bfs_race_free"));
    }
    for gpu in WITH_RTL {
        println!("preset {}, {}", gpu.preset, gpu.system.name);
        beside_rtl(gpu, "matmul 256 x 256, tiles of 16 x 16", |kind| multiply(kind, &matmul));
        beside_rtl(gpu, "bfs_race_free, 65,536 nodes", |kind| search(kind, &bfs, "bfs_race_free"));
    }
}

/// Speed with RTL as a share of that without.
fn beside_rtl(gpu: Gpu, what: &str, mut work: impl FnMut(Kind) -> Counts) {
    let [without, with] = [None, gpu.rtl].map(|rtl| {
        let start = processor_time();
        let counts = work(Kind::Timed(Gpu { rtl, ..gpu }));
        counts[0] as f64 / (processor_time() - start) / 1e6
    });
    println!(
        "  {what}: {without:.2} M warp instructions/s; {with:.2} M with RTL: {:.2}, {:.2} of the 0.3 \
         aimed at",
        with / without,
        with / without / 0.3,
    );
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Functional => "without timing",
            Self::Timed(_) => "with timing, preset gtx480",
        }
    }

    fn aim(self) -> f64 {
        match self {
            Self::Functional => 5e6,
            _ => 1e6,
        }
    }

    fn with(self, device: Device) -> On {
        let Self::Timed(gpu) = self else { return On::Functional(Flat::new(device, &[])) };
        let config = Config::preset(gpu.preset).expect("a preset");
        let mut machine = Machine::new(&config, gpu.system, None);
        if let Some(block) = gpu.rtl {
            let (places, backend) = (vec![block.into()], Backend::Verilator);
            let settings = RtlSettings { places, backend, dut: None, shadow: true };
            machine.use_rtl(&settings).unwrap_or_else(|error| panic!("{error}"));
        }
        machine.load(device, &[]);
        On::Timed(Box::new(machine))
    }
}

impl On {
    fn run(&mut self, image: &Image, kernel: &isa::Kernel, launch: &Launch) -> (Outcome, u64) {
        match self {
            Self::Functional(memory) => {
                let outcome = run(image, kernel, launch, memory);
                (outcome.unwrap_or_else(|error| panic!("{error}")), 0)
            }
            Self::Timed(machine) => {
                let timed = machine.run(image, kernel, launch);
                let timed = timed.unwrap_or_else(|error| panic!("{error}"));
                (timed.outcome, timed.cycles)
            }
        }
    }

    /// Reads a word and, if it is set, clears it.
    fn take(&mut self, address: u64) -> bool {
        let device = match self {
            Self::Functional(memory) => &memory.device,
            Self::Timed(machine) => machine.device(),
        };
        let is_set = device.get(address, 4).expect("allocated") != [0; 4];
        match self {
            Self::Functional(memory) => {
                memory.device.get_mut(address, 4).expect("allocated").fill(0);
            }
            Self::Timed(machine) => assert!(machine.write(address, &[0; 4])),
        }
        is_set
    }
}

/// The best of several runs.
fn report(what: &str, kind: Kind, mut work: impl FnMut() -> Counts) {
    let mut best = f64::INFINITY;
    let mut counts = [0; 3];
    for _ in 0..RUNS {
        let start = processor_time();
        counts = work();
        best = best.min(processor_time() - start);
    }
    let [warp, thread, clocks] = counts.map(|count| count as f64 / best / 1e6);
    let clocks = match kind {
        Kind::Functional => String::new(),
        _ => format!(", {clocks:.2} M clocks/s of {}", counts[2]),
    };
    println!(
        "  {what}: {warp:.2} M warp instructions/s ({thread:.0} M thread instructions/s{clocks}), \
         {:.2} of the {:.0} M aimed at; best of {RUNS} runs of {} warp instructions",
        warp * 1e6 / kind.aim(),
        kind.aim() / 1e6,
        counts[0],
    );
}

/// Processor time of this process in seconds, which excludes other processes.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn load(name: &str) -> Image {
    let path = format!("{}/tests/kernels/{name}.ptx", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a kernel");
    Image::new(isa::load(&path, &text).unwrap_or_else(|error| panic!("{error}")))
}

fn launch(
    image: &Image,
    name: &str,
    shape: [[u32; 2]; 2],
    arguments: &[Vec<u8>],
    on: &mut On,
) -> Counts {
    let kernel = image.program.kernel(name).expect("the kernel");
    let mut parameters = vec![0; kernel.parameter_bytes as usize];
    for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
        let start = parameter.offset as usize;
        parameters[start..start + argument.len()].copy_from_slice(argument);
    }
    let [grid, block] = shape.map(|[x, y]| [x, y, 1]);
    let (resident, watchdog) = (16, 1 << 40);
    let launch = Launch {
        grid,
        block,
        dynamic_shared: 0,
        parameters,
        resident,
        watchdog,
        ..Launch::default()
    };
    let (outcome, cycles) = on.run(image, kernel, &launch);
    [outcome.warp_instructions, outcome.thread_instructions, cycles]
}

fn buffer(device: &mut Device, words: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let address = device.allocate("a buffer", bytes.len());
    device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
    address.to_le_bytes().to_vec()
}

fn multiply(kind: Kind, image: &Image) -> Counts {
    const N: usize = 256;
    let mut device = Device::default();
    let values: Vec<u32> = (0..N * N).map(|at| (at as f32 / 1000.0).to_bits()).collect();
    let mut arguments: Vec<_> = (0..3).map(|_| buffer(&mut device, &values)).collect();
    arguments.push((N as u32).to_le_bytes().to_vec());
    let mut on = kind.with(device);
    launch(image, "matmul", [[16, 16], [16, 16]], &arguments, &mut on)
}

fn search(kind: Kind, image: &Image, kernel: &str) -> Counts {
    const NODES: u32 = 65_536;
    let mut state = 1u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let mut first = vec![0];
    let mut edges = Vec::new();
    for _ in 0..NODES {
        let degree = random() % 12;
        edges.extend((0..degree).map(|_| random() % NODES));
        first.push(edges.len() as u32);
    }
    let mut level = vec![u32::MAX; NODES as usize];
    level[0] = 0;
    let mut device = Device::default();
    let mut arguments: Vec<_> =
        [&first, &edges, &level, &vec![0]].map(|words| buffer(&mut device, words)).to_vec();
    arguments.extend([NODES.to_le_bytes().to_vec(), Vec::new()]);
    let changed = u64::from_le_bytes(arguments[3][..].try_into().expect("a pointer"));
    let mut on = kind.with(device);
    let mut counts = [0; 3];
    for depth in 0u32.. {
        arguments[5] = depth.to_le_bytes().to_vec();
        let level = launch(image, kernel, [[NODES / 256, 1], [256, 1]], &arguments, &mut on);
        counts.iter_mut().zip(level).for_each(|(sum, count)| *sum += count);
        if !on.take(changed) {
            break;
        }
    }
    counts
}
