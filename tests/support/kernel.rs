//! A kernel of `tests/kernels` on every machine, and data for it.

#![allow(dead_code, reason = "each test file uses a part")]

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith::gpu::config::{Config, Granularity, SharedOrder};
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{
    Checks, Launch, LaunchError, Machine, Oracle, Outcome, digest_of_memory, run,
};
use warpsmith::gpu::memory::{Device, Flat};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::gpudet::GPUDET;
use warpsmith::gpu::texture::{Object, Objects};

/// Perturbations of the timed machine; none means unperturbed.
const SEEDS: [Option<u64>; 4] = [None, Some(1), Some(2), Some(3)];

/// The machine that a kernel runs on.
#[derive(Debug, Clone, Copy)]
pub enum On {
    Functional,
    Timed(System, Option<u64>),
    /// A preset, with ideal caching.
    Preset(&'static str),
}

/// Ideal caching.
pub fn ideal() -> System {
    System::ALL.into_iter().find(|system| system.name == "ideal").expect("a system")
}

/// Runs a check on every machine.
pub fn everywhere(check: impl Fn(On)) {
    check(On::Functional);
    for (at, system) in System::ALL.into_iter().enumerate() {
        // Those of one L2 with one perturbation each: together with all of them.
        let one = at % SEEDS.len();
        let seeds = if system.small == "small" { &SEEDS[..] } else { &SEEDS[one..=one] };
        for seed in seeds.iter().copied() {
            println!("{}, perturbation {seed:?}", system.name);
            check(On::Timed(system, seed));
        }
    }
}

/// A kernel with its arguments.
pub struct Kernel {
    image: Image,
    name: &'static str,
    device: Device,
    arguments: Vec<Vec<u8>>,
    objects: Objects,
    checks: Checks,
    cluster: Option<[u32; 3]>,
    watchdog: u64,
}

/// An element of a buffer.
pub trait Element: Copy {
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($ty:ty),*) => {
        $(impl Element for $ty {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn of(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the size of an element"))
            }
        })*
    };
}

element!(u8, u16, i32, u32, f32, i64, f64);

impl Kernel {
    pub fn new(file: &str, name: &'static str) -> Self {
        let path = format!("{}/tests/kernels/{file}.ptx", env!("CARGO_MANIFEST_DIR"));
        Self::of_text(&path, &std::fs::read_to_string(&path).expect("a kernel"), name)
    }

    pub fn of_text(path: &str, text: &str, name: &'static str) -> Self {
        let program = isa::load(path, text).unwrap_or_else(|error| panic!("{error}"));
        let mut device = Device::default();
        device.allocate("the variables of the module", program.globals.len());
        if let Some(globals) = device.get_mut(isa::GLOBALS_BASE, program.globals.len()) {
            globals.copy_from_slice(&program.globals);
        }
        let (image, checks) = (Image::new(program), Checks::default());
        let (arguments, objects) = (Vec::new(), Objects::new());
        let (cluster, watchdog) = (None, 10_000_000);
        Self { image, name, device, arguments, objects, checks, cluster, watchdog }
    }

    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.checks = checks;
        self
    }

    pub fn with_cluster(mut self, cluster: [u32; 3]) -> Self {
        self.cluster = Some(cluster);
        self
    }

    pub fn with_watchdog(mut self, watchdog: u64) -> Self {
        self.watchdog = watchdog;
        self
    }

    pub fn with_tensor_core(mut self, core: isa::TensorCore) -> Self {
        self.image.program.tensor_core = core;
        self
    }

    pub fn scalar<T: Element>(mut self, value: T) -> Self {
        self.arguments.push(value.bytes());
        self
    }

    /// A structure by value.
    pub fn structure(mut self, bytes: &[u8]) -> Self {
        self.arguments.push(bytes.to_vec());
        self
    }

    pub fn buffer<T: Element>(mut self, values: &[T]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
        let address = self.device.allocate("a buffer", bytes.len());
        self.device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
        self.arguments.push(address.to_le_bytes().to_vec());
        self
    }

    /// A texture or surface in the memory of a buffer.
    pub fn object(mut self, mut object: Object, buffer: usize) -> Self {
        object.address = u64::from_le_bytes(self.arguments[buffer][..].try_into().expect("one"));
        let handle = isa::HANDLES_BASE + 16 * self.objects.len() as u64;
        self.objects.insert(handle, Arc::new(object));
        self.arguments.push(handle.to_le_bytes().to_vec());
        self
    }

    pub fn run(self, on: On, grid: [u32; 2], block: [u32; 2], dynamic_shared: u32) -> Ended {
        self.try_run(on, grid, block, dynamic_shared)
            .unwrap_or_else(|error| panic!("{on:?}: {error}"))
    }

    pub fn try_run(
        mut self,
        on: On,
        grid: [u32; 2],
        block: [u32; 2],
        dynamic_shared: u32,
    ) -> Result<Ended, LaunchError> {
        let program = &self.image.program;
        let workspace = match program.needs_workspace {
            true => self.device.allocate("the workspace of cooperative groups", 256),
            false => 0,
        };
        let kernel = program.kernel(self.name).expect("the kernel");
        let mut parameters = vec![0; kernel.parameter_bytes as usize];
        assert_eq!(kernel.parameters.len(), self.arguments.len());
        for (parameter, argument) in kernel.parameters.iter().zip(&self.arguments) {
            let start = parameter.offset as usize;
            parameters[start..start + argument.len()].copy_from_slice(argument);
        }
        let launch = Launch {
            grid: [grid[0], grid[1], 1],
            block: [block[0], block[1], 1],
            dynamic_shared,
            parameters,
            cluster: self.cluster,
            resident: 16,
            watchdog: self.watchdog,
            checks: self.checks,
            objects: Arc::new(self.objects),
            workspace,
            digest: true,
            ..Launch::default()
        };
        let (device, outcome) = match on {
            On::Functional => {
                let mut memory = Flat::new(self.device, &program.constants);
                let outcome = run(&self.image, kernel, &launch, &mut memory);
                (memory.device, outcome.map(|outcome| (outcome, 0)))
            }
            On::Timed(..) | On::Preset(_) => {
                let (preset, system, seed) = match on {
                    On::Timed(system, seed) => (system.small, system, seed),
                    On::Preset(preset) => (preset, ideal(), None),
                    On::Functional => unreachable!("has no preset"),
                };
                let mut config = Config::preset(preset).expect("a preset");
                // Some kernels store bytes, and some race in shared memory.
                config.quanta.granularity = Granularity::Byte;
                config.quanta.shared_order = SharedOrder::Deterministic;
                let oracle = (system == GPUDET)
                    .then(|| Oracle::new(&config, self.device.clone(), &program.constants));
                let mut machine = Machine::new(&config, system, seed);
                machine.load(self.device, &program.constants);
                let outcome = machine.run(&self.image, kernel, &launch);
                if let (Some(mut oracle), Ok(timed)) = (oracle, &outcome) {
                    let expected = oracle.run(&self.image, kernel, &launch).expect("it runs");
                    assert_eq!(timed.outcome, expected, "registers, instructions, output");
                    let memories = [machine.device(), oracle.device()].map(digest_of_memory);
                    assert_eq!(memories[0], memories[1], "memory");
                }
                (machine.into_device(), outcome.map(|timed| (timed.outcome, timed.cycles)))
            }
        };
        let (outcome, cycles) = outcome?;
        Ok(Ended { device, outcome, cycles, arguments: self.arguments })
    }
}

/// A finished kernel.
pub struct Ended {
    device: Device,
    pub outcome: Outcome,
    /// Clocks; 0 on the functional machine.
    pub cycles: u64,
    arguments: Vec<Vec<u8>>,
}

impl Ended {
    /// The final contents of the buffer passed as this argument.
    pub fn buffer<T: Element>(&self, argument: usize, count: usize) -> Vec<T> {
        let address =
            u64::from_le_bytes(self.arguments[argument][..].try_into().expect("a pointer"));
        let size = std::mem::size_of::<T>();
        let bytes = self.device.get(address, count * size).expect("allocated");
        bytes.chunks_exact(size).map(T::of).collect()
    }
}

/// Random numbers from a seed.
pub fn numbers(seed: u64, count: usize) -> Vec<u32> {
    Xoshiro256PlusPlus::seed_from_u64(seed).random_iter().take(count).collect()
}

pub fn integers(seed: u64, count: usize, below: u32) -> Vec<i32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).map(|_| rng.random_range(0..below) as i32).collect()
}

pub fn reals(seed: u64, count: usize) -> Vec<f32> {
    Xoshiro256PlusPlus::seed_from_u64(seed).random_iter().take(count).collect()
}

pub fn assert_close(found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let allowed = tolerance * expected.abs().max(1.0);
        assert!((found - expected).abs() <= allowed, "{at}: {found} is not {expected}");
    }
}
