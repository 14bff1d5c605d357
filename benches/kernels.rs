//! Speed of the functional machine: `cargo bench --bench kernels`.
//!
//! Prints warp instructions a second of processor time on one thread, as a share of the 5 million
//! aimed at, for the tiled product of two matrices of 256 x 256 and for a breadth-first search of
//! 65,536 nodes.

use rustix::time::{ClockId, clock_gettime};
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Outcome, run};
use warpsmith::gpu::memory::{Device, Flat};
use warpsmith::gpu::simt::Image;

/// Warp instructions a second that are aimed at.
const AIM: f64 = 5e6;
const RUNS: usize = 5;

fn main() {
    let (matmul, bfs) = (load("matmul"), load("bfs"));
    report("matmul 256 x 256, tiles of 16 x 16", || multiply(&matmul));
    report("bfs_racy, 65,536 nodes", || search(&bfs, "bfs_racy"));
    report("bfs_race_free, 65,536 nodes", || search(&bfs, "bfs_race_free"));
}

/// The best of a few runs.
fn report(what: &str, mut work: impl FnMut() -> (u64, u64)) {
    let mut best = f64::INFINITY;
    let mut counts = (0, 0);
    for _ in 0..RUNS {
        let start = processor_time();
        counts = work();
        best = best.min(processor_time() - start);
    }
    let (warp, thread) = (counts.0 as f64 / best, counts.1 as f64 / best);
    println!(
        "{what}: {:.2} M warp instructions/s ({:.0} M thread instructions/s), {:.2} of the {:.0} M \
         aimed at; best of {RUNS} runs of {} warp instructions",
        warp / 1e6,
        thread / 1e6,
        warp / AIM,
        AIM / 1e6,
        counts.0,
    );
}

/// Seconds that this process has had the processor: others may have it, too.
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
    memory: &mut Flat,
) -> Outcome {
    let kernel = image.program.kernel(name).expect("the kernel");
    let mut parameters = vec![0; kernel.parameter_bytes as usize];
    for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
        let start = parameter.offset as usize;
        parameters[start..start + argument.len()].copy_from_slice(argument);
    }
    let [grid, block] = shape.map(|[x, y]| [x, y, 1]);
    let (resident, watchdog) = (16, 1 << 40);
    let launch = Launch { grid, block, dynamic_shared: 0, parameters, resident, watchdog };
    run(image, kernel, &launch, memory).unwrap_or_else(|error| panic!("{error}"))
}

fn buffer(device: &mut Device, words: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let address = device.allocate("a buffer", bytes.len());
    device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
    address.to_le_bytes().to_vec()
}

fn multiply(image: &Image) -> (u64, u64) {
    const N: usize = 256;
    let mut device = Device::default();
    let values: Vec<u32> = (0..N * N).map(|at| (at as f32 / 1000.0).to_bits()).collect();
    let mut arguments: Vec<_> = (0..3).map(|_| buffer(&mut device, &values)).collect();
    arguments.push((N as u32).to_le_bytes().to_vec());
    let mut memory = Flat::new(device, &[]);
    let outcome = launch(image, "matmul", [[16, 16], [16, 16]], &arguments, &mut memory);
    (outcome.warp_instructions, outcome.thread_instructions)
}

fn search(image: &Image, kernel: &str) -> (u64, u64) {
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
    let mut memory = Flat::new(device, &[]);
    let mut counts = (0, 0);
    for depth in 0u32.. {
        arguments[5] = depth.to_le_bytes().to_vec();
        let outcome = launch(image, kernel, [[NODES / 256, 1], [256, 1]], &arguments, &mut memory);
        counts.0 += outcome.warp_instructions;
        counts.1 += outcome.thread_instructions;
        let flag = memory.device.get_mut(changed, 4).expect("allocated");
        if flag == [0; 4] {
            break;
        }
        flag.fill(0);
    }
    counts
}
