//! The programs of table 5.1 of the GPUDet thesis, on a machine and a system, or on the oracle.

mod aes;
mod graphs;
mod grids;
mod particles;
#[allow(dead_code, unused_imports, reason = "of the other benchmark")]
#[path = "../../quick_release/workloads/mod.rs"]
mod workloads;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::machine::profile::{Profile, Timeline};
use warpsmith::gpu::machine::{Launch, Machine, Oracle, digest_of_memory};
use warpsmith::gpu::memory::{Device, RtlSettings, System};
use warpsmith::gpu::systems::gpudet::GPUDET;
use warpsmith::gpu::workloads::{self as transactional, Prepared};
use warpsmith_testbench::backend::Backend;

pub use graphs::{bfs_racy_of, sparse};
use workloads::Argument::{self, At, Word};
pub use workloads::Size;
use workloads::{Buffer, Computer, Run, Workload};

/// Threads of a workgroup, where the program leaves it open.
const GROUP: usize = 256;

/// A program.
pub struct Program {
    /// Its name in the thesis.
    pub name: &'static str,
    /// Whether it has atomics on global memory.
    pub has_atomics: bool,
    inside: Inside,
}

enum Inside {
    Plain(Box<Workload>),
    /// With locks, from GETM's evaluation.
    Locks(Box<Prepared>),
}

/// Results of a run.
pub struct Ran {
    pub clocks: u64,
    pub instructions: u64,
    pub counters: BTreeMap<&'static str, u64>,
    /// Digests of final memory, and of registers at exit.
    pub digests: Vec<String>,
}

impl Ran {
    /// A counter; 0 on a system without it.
    pub fn of(&self, name: &str) -> f64 {
        self.counters.get(name).copied().unwrap_or(0) as f64
    }
}

/// All programs, in the order of table 5.1.
pub fn programs(size: Size) -> Vec<Program> {
    let plain = |workload: Workload, has_atomics| Program { has_atomics, ..workload.into() };
    let locks = |own: &str, name| {
        let size = match size {
            Size::Compared => transactional::Size::Paper,
            Size::Small => transactional::Size::Small,
        };
        let workload = transactional::Workload::named(own).expect("a workload");
        let prepared = workload.prepare(size, false).expect("kernels that compile");
        Program { name, has_atomics: true, inside: Inside::Locks(Box::new(prepared)) }
    };
    vec![
        plain(aes::aes(size), false),
        plain(graphs::bfs_racy(size), false),
        plain(graphs::bfs_race_free(size), false),
        plain(particles::cfd(size), false),
        plain(particles::coulomb(size), false),
        plain(grids::hotspot(size), false),
        plain(particles::libor(size), false),
        plain(grids::laplace(size), false),
        plain(grids::srad(size), false),
        plain(grids::cloth(size, false), true),
        plain(grids::cloth(size, true), true),
        locks("hash_high", "HT"),
        locks("bank", "ATM"),
    ]
}

/// A workload of a module in this benchmark's folder.
fn named(name: &'static str, about: String, file: &str) -> Workload {
    Workload::new(name, about, &format!("benches/gpudet/kernels/{file}.ptx"))
}

fn arguments(buffers: &[Buffer], values: &[usize]) -> Vec<Argument> {
    let values = values.iter().map(|value| Word(*value as u32));
    buffers.iter().map(|buffer| At(*buffer)).chain(values).collect()
}

impl From<Workload> for Program {
    fn from(mut workload: Workload) -> Self {
        workload.digests = true;
        Self { name: workload.name, has_atomics: false, inside: Inside::Plain(Box::new(workload)) }
    }
}

impl Program {
    /// As [`Program::run`], or none if the program ends wrong.
    pub fn run_if_right(&self, config: &Config, system: System) -> Option<Ran> {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let ran = std::panic::catch_unwind(AssertUnwindSafe(|| self.run(config, system, None)));
        std::panic::set_hook(hook);
        ran.ok()
    }

    /// Runs it on a machine, perturbed by a seed.
    ///
    /// # Panics
    /// If it goes wrong or ends wrong.
    pub fn run(&self, config: &Config, system: System, seed: Option<u64>) -> Ran {
        self.run_with(Machine::new(config, system, seed))
    }

    /// [`Program::run`] with circuits of `zbuffer_commit` in all partitions.
    pub fn run_with_circuits(&self, config: &Config, system: System, backend: Backend) -> Ran {
        let mut machine = Machine::new(config, system, None);
        let settings = RtlSettings {
            places: vec!["zbuffer_commit".into()],
            backend,
            dut: None,
            shadow: false,
        };
        machine.use_rtl(&settings).unwrap_or_else(|error| panic!("{error}"));
        self.run_with(machine)
    }

    /// Runs it in quanta, and gives a timeline of cores and stalls.
    pub fn run_with_timeline(&self, config: &Config) -> (Ran, Timeline) {
        let image = match &self.inside {
            Inside::Plain(workload) => &workload.image,
            Inside::Locks(prepared) => &prepared.image,
        };
        let mut machine = Machine::new(config, GPUDET, None);
        machine.profile(Profile::new(&image.program, config, false));
        let run = self.run_on(&mut machine);
        let profile = machine.take_profile().expect("it was asked for");
        (Ran::new(run, machine.device(), machine.counters()), profile.timeline)
    }

    fn run_with(&self, mut machine: Machine) -> Ran {
        let run = self.run_on(&mut machine);
        Ran::new(run, machine.device(), machine.counters())
    }

    /// Runs it on the oracle of quanta.
    pub fn run_on_oracle(&self, config: &Config) -> Ran {
        let mut oracle = Oracle::new(config, Device::default(), &[]);
        let run = self.run_on(&mut oracle);
        Ran::new(run, oracle.device(), oracle.counters())
    }

    fn run_on(&self, computer: &mut dyn Computer) -> Run {
        let prepared = match &self.inside {
            Inside::Plain(workload) => return workload.run(computer),
            Inside::Locks(prepared) => prepared,
        };
        let mut run = Run::default();
        computer.load(prepared.device.clone(), &prepared.image.program.constants);
        for (kernel, launch) in prepared.launches() {
            let launch = Launch { digest: true, ..launch.clone() };
            let ended = computer.launch(&prepared.image, kernel, &launch);
            let (clocks, outcome) = ended.unwrap_or_else(|error| panic!("{}: {error}", self.name));
            run.clocks += clocks;
            run.instructions += outcome.warp_instructions;
            run.registers.push(outcome.registers);
        }
        let checked = prepared.check(computer.device());
        checked.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        run
    }
}

impl Ran {
    fn new(run: Run, device: &Device, counters: Vec<(&'static str, u64)>) -> Self {
        let registers = run.registers.into_iter().flatten();
        Self {
            clocks: run.clocks,
            instructions: run.instructions,
            counters: counters.into_iter().collect(),
            digests: registers.chain([digest_of_memory(device)]).collect(),
        }
    }
}
