//! A block in its place while a kernel runs: the coherence directories of a small HMG machine are circuits,
//! and each of their transfers is compared with the reference.
//!
//! `cargo run --release --example block_in_kernel`

use std::error::Error;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::{Device, RtlSettings};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::hmg;
use warpsmith_testbench::backend::Backend;

const PTX: &str = include_str!("../tests/kernels/vector_add.ptx");
const ELEMENTS: usize = 256;

fn buffer(device: &mut Device, name: &str, values: &[f32]) -> Result<u64, Box<dyn Error>> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let address = device.allocate(name, bytes.len());
    device.get_mut(address, bytes.len()).ok_or("allocated")?.copy_from_slice(&bytes);
    Ok(address)
}

/// Runs the kernel.
pub fn main() -> Result<(), Box<dyn Error>> {
    let image = Image::new(isa::load("vector_add.ptx", PTX)?);
    let kernel = image.program.kernel("vector_add").ok_or("no such kernel")?;

    let mut device = Device::default();
    let a = buffer(&mut device, "a", &[1.5; ELEMENTS])?;
    let b = buffer(&mut device, "b", &[2.0; ELEMENTS])?;
    let c = buffer(&mut device, "c", &[0.0; ELEMENTS])?;
    // As the kernel declares them: three pointers and a number.
    let mut parameters: Vec<u8> = [a, b, c].iter().flat_map(|at| at.to_le_bytes()).collect();
    parameters.extend((ELEMENTS as u32).to_le_bytes());

    let config = Config::preset("small")?;
    // The seed delays messages at random, so that the directories see more orders of requests.
    let mut machine = Machine::new(&config, hmg::HMG, Some(1));
    machine.use_rtl(&RtlSettings {
        // All directories; `hmg_directory@gpu0.gpm1` is a single one.
        places: vec!["hmg_directory".to_string()],
        backend: Backend::Native,
        dut: None,
        shadow: true,
    })?;
    machine.load(device, &[]);
    let launch = Launch {
        grid: [ELEMENTS as u32 / 32, 1, 1],
        block: [32, 1, 1],
        parameters,
        ..Launch::default()
    };
    // A transfer that differs ends the launch with an error.
    let timed = machine.run(&image, kernel, &launch)?;
    println!("{} clocks, {} transfers compared", timed.cycles, machine.compared());

    let sums = machine.device().get(c, 4 * ELEMENTS).ok_or("allocated")?;
    assert!(sums.chunks_exact(4).all(|sum| sum == 3.5f32.to_le_bytes()));
    assert!(machine.compared() > 0);
    Ok(())
}
