//! The programs of GETM's evaluation (Ren, thesis, table 4.3) as CUDA kernels, each with transactions and with
//! fine-grained locks, and what plain Rust says of their results.

mod data_mining;
mod graph_cut;
mod hash_table;
mod list;
mod octree;
mod springs;
mod transfers;

use std::fmt;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::config::Config;
use super::isa::{self, Kernel, PtxError};
use super::machine::{Launch, LaunchError, Machine};
use super::memory::{Device, Statistics, TransactionCounts};
use super::simt::Image;
use super::systems::System;

/// Threads of a CTA.
const BLOCK: u32 = 192;
/// Seed of a program's input.
const SEED: u64 = 43;

/// How much a program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// As table 4.3 has it.
    Paper,
    /// For tests: a twentieth to a hundredth.
    Small,
}

/// What the paper has of a workload: of WarpTM, EAPG, idealized eager WarpTM and GETM, in this order.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// Its name there.
    pub name: &'static str,
    /// Transactional warps of a core with which each system is fastest, 0 for no limit (table 4.4).
    pub concurrency: [u32; 4],
    /// Aborts per 1,000 commits at that concurrency (table 4.4).
    pub aborts: [u32; 4],
}

impl Paper {
    /// The place of a system among its numbers.
    fn place(system: System) -> Option<usize> {
        ["warptm", "eapg", "warptm-el", "getm"].iter().position(|name| *name == system.name)
    }
}

/// A program.
#[derive(Clone, Copy)]
pub struct Workload {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What the paper has of it, if anything.
    pub paper: Option<Paper>,
    /// Its file, and the kernels in it as PTX.
    module: (&'static str, &'static str),
    make: fn(Size) -> Program,
}

/// All of them, those of the paper first, in its order.
pub const ALL: [Workload; 10] = [
    hash_table::HIGH,
    hash_table::MEDIUM,
    hash_table::LOW,
    transfers::BANK,
    springs::CLOTH,
    springs::CLOTH_SHORT,
    octree::OCTREE,
    graph_cut::GRAPH_CUT,
    data_mining::APRIORI,
    list::LIST,
];

impl fmt::Debug for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
enum Argument {
    /// A buffer, by its number.
    Buffer(usize),
    Value(u32),
}

/// A launch of a kernel.
#[derive(Debug)]
struct Call {
    /// The kernel; that with `_tx` or `_lock` behind its name, if there are such.
    kernel: &'static str,
    threads: u32,
    arguments: Vec<Argument>,
}

/// Whether the words of the buffers are right after all launches.
type Check = Box<dyn Fn(&[Vec<u32>]) -> Result<(), String>>;

/// A workload's launches with their input.
struct Program {
    buffers: Vec<Vec<u32>>,
    calls: Vec<Call>,
    check: Check,
}

/// What a run came to.
#[derive(Debug, Clone)]
pub struct Ran {
    /// Clocks of all launches.
    pub cycles: u64,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// What the machine counted.
    pub statistics: Statistics,
    /// What it counted of transactions, if it has them.
    pub transactions: Option<TransactionCounts>,
    /// Counters of the memory system's own.
    pub counters: Vec<(&'static str, u64)>,
    /// Transfers of RTL that were compared with a reference.
    pub compared: u64,
}

/// Why a run is not right.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// The kernels do not compile.
    #[error(transparent)]
    Program(#[from] PtxError),
    /// A launch goes wrong, or is not serializable.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The result is not that of plain Rust.
    #[error("{workload}: {wrong}")]
    Result {
        /// Which program.
        workload: &'static str,
        /// What is wrong.
        wrong: String,
    },
}

impl Workload {
    /// The workload of that name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|workload| workload.name == name)
    }

    /// The limit of transactional warps with which a system is fastest in the paper.
    pub fn best(&self, system: System) -> Option<u32> {
        self.paper.and_then(|paper| Some(paper.concurrency[Paper::place(system)?]))
    }

    /// The paper's aborts per 1,000 commits on a system.
    pub fn aborts(&self, system: System) -> Option<u32> {
        self.paper.and_then(|paper| Some(paper.aborts[Paper::place(system)?]))
    }

    /// Runs it on a machine: with transactions if the system has them, or else with locks. With a seed,
    /// arbitration and latencies are shuffled. `prepare` gets the machine before the first launch.
    ///
    /// # Errors
    /// If a launch goes wrong, or the result is.
    pub fn run(
        &self,
        size: Size,
        config: &Config,
        system: System,
        perturb: Option<u64>,
        prepare: impl FnOnce(&mut Machine),
    ) -> Result<Ran, WorkloadError> {
        let prepared = self.prepare(size, System::TRANSACTIONAL.contains(&system))?;
        let mut machine = Machine::new(config, system, perturb);
        machine.load(prepared.device.clone(), &prepared.image.program.constants);
        prepare(&mut machine);
        let (mut cycles, mut warp_instructions) = (0, 0);
        for (kernel, launch) in prepared.launches() {
            let timed = machine.run(&prepared.image, kernel, launch)?;
            cycles += timed.cycles;
            warp_instructions += timed.outcome.warp_instructions;
        }
        prepared.check(machine.device())?;
        Ok(Ran {
            cycles,
            warp_instructions,
            statistics: machine.statistics(),
            transactions: machine.transactions(),
            counters: machine.counters(),
            compared: machine.compared(),
        })
    }

    /// Compiles its kernels, those with transactions or those with locks, and makes its input.
    ///
    /// # Errors
    /// If the kernels do not compile.
    pub fn prepare(&self, size: Size, has_transactions: bool) -> Result<Prepared, PtxError> {
        let Program { buffers, calls, check } = (self.make)(size);
        let (file, text) = self.module;
        let image = Image::new(isa::load(file, text)?);
        let mut device = Device::default();
        device.allocate("variables", image.program.globals.len());
        let upload = |words: Vec<u32>| (upload(&mut device, &words), words.len());
        let buffers: Vec<_> = buffers.into_iter().map(upload).collect();
        let suffix = if has_transactions { "_tx" } else { "_lock" };
        let launch = |Call { kernel, threads, arguments }: Call| {
            let (program, kernels) = (&image.program, &image.program.kernels);
            let place = |name: &str| kernels.iter().position(|it| program.body(it).name == name);
            let at = place(&format!("{kernel}{suffix}")).or_else(|| place(kernel))?;
            let launch = Launch {
                grid: [threads.div_ceil(BLOCK), 1, 1],
                block: [BLOCK, 1, 1],
                parameters: parameters(&kernels[at], &arguments, &buffers),
                resident: 1,
                watchdog: 1 << 40,
                ..Launch::default()
            };
            Some((at, launch))
        };
        let launches = calls.into_iter().filter_map(launch).collect();
        Ok(Prepared { name: self.name, image, device, launches, buffers, check })
    }
}

/// A workload that is ready to run.
pub struct Prepared {
    name: &'static str,
    /// Its kernels.
    pub image: Image,
    /// Memory before the first launch.
    pub device: Device,
    /// Kernels, by their place in the image.
    launches: Vec<(usize, Launch)>,
    /// Addresses and numbers of words.
    buffers: Vec<(u64, usize)>,
    check: Check,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Prepared {
    /// Its launches, in their order.
    pub fn launches(&self) -> impl Iterator<Item = (&Kernel, &Launch)> {
        self.launches.iter().map(|(at, launch)| (&self.image.program.kernels[*at], launch))
    }

    /// Compares memory after the last launch with plain Rust.
    ///
    /// # Errors
    /// If it differs.
    pub fn check(&self, device: &Device) -> Result<(), WorkloadError> {
        let words = |(address, words): &(u64, usize)| {
            let bytes = device.get(*address, 4 * words).unwrap_or_default();
            bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
        };
        let results: Vec<Vec<u32>> = self.buffers.iter().map(words).collect();
        (self.check)(&results).map_err(|wrong| WorkloadError::Result { workload: self.name, wrong })
    }
}

fn upload(device: &mut Device, words: &[u32]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let address = device.allocate("a buffer", bytes.len());
    if let Some(contents) = device.get_mut(address, bytes.len()) {
        contents.copy_from_slice(&bytes);
    }
    address
}

fn parameters(kernel: &Kernel, arguments: &[Argument], buffers: &[(u64, usize)]) -> Vec<u8> {
    let mut parameters = vec![0; kernel.parameter_bytes as usize];
    for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
        let place = &mut parameters[parameter.offset as usize..];
        match argument {
            Argument::Buffer(number) => {
                place[..8].copy_from_slice(&buffers[*number].0.to_le_bytes());
            }
            Argument::Value(value) => place[..4].copy_from_slice(&value.to_le_bytes()),
        }
    }
    parameters
}

/// Random numbers below a limit, always the same.
fn random(count: u32, below: u32, stream: u64) -> Vec<u32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED + stream);
    (0..count).map(|_| random.random_range(0..below)).collect()
}

/// Compares words with those of plain Rust.
fn compare(what: &str, found: &[u32], expected: &[u32]) -> Result<(), String> {
    match found.iter().zip(expected).position(|(found, expected)| found != expected) {
        None => Ok(()),
        Some(at) => Err(format!(
            "{what}: word {at} is {}, in plain Rust {}",
            found[at] as i32, expected[at] as i32
        )),
    }
}
