//! The programs of table 5.1 that there are, on a machine and a system.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::machine::Machine;
use warpsmith::gpu::memory::{RtlSettings, System};
use warpsmith::gpu::workloads::{Size as TransactionalSize, Workload as Transactional};
use warpsmith_testbench::backend::Backend;

#[allow(dead_code, unused_imports, reason = "of the other benchmark")]
#[path = "../quick_release/workloads/mod.rs"]
mod workloads;

use workloads::{Size, Workload, all};

/// A program.
pub struct Program {
    /// Its name in the thesis, or here if the thesis does not have it.
    pub name: &'static str,
    /// Whether it has atomics on global memory.
    pub has_atomics: bool,
    inside: Inside,
}

enum Inside {
    Plain(Box<Workload>),
    /// With locks.
    Locks(Transactional, TransactionalSize),
}

/// Results of a run.
pub struct Ran {
    pub clocks: u64,
    pub instructions: u64,
    pub counters: BTreeMap<&'static str, u64>,
}

impl Ran {
    /// A counter; 0 on a system without it.
    pub fn of(&self, name: &str) -> f64 {
        self.counters.get(name).copied().unwrap_or(0) as f64
    }
}

/// Programs: those of the thesis first. Names in lower case are not in it.
pub fn programs(is_full: bool) -> Vec<Program> {
    let plain = |own: &str, name| {
        let size = if is_full { Size::Compared } else { Size::Small };
        let workload = all(size).into_iter().find(|workload| workload.name == own)?;
        Some(Program { name, has_atomics: false, inside: Inside::Plain(Box::new(workload)) })
    };
    let locks = |own: &str, name| {
        let size = if is_full { TransactionalSize::Paper } else { TransactionalSize::Small };
        let workload = Transactional::named(own)?;
        Some(Program { name, has_atomics: true, inside: Inside::Locks(workload, size) })
    };
    let all = [
        plain("bfs", "BFSr"),
        plain("hotspot", "HOTSP"),
        plain("srad", "SRAD"),
        plain("matmul", "matmul"),
        plain("dct", "dct"),
        plain("spmv", "spmv"),
        plain("nw", "nw"),
        locks("hash_high", "HT"),
        locks("bank", "ATM"),
        locks("cloth", "CL"),
    ];
    all.into_iter().flatten().collect()
}

impl Program {
    /// As [`Program::run`], or none if the program ends wrong.
    pub fn run_if_right(&self, config: &Config, system: System) -> Option<Ran> {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let ran = std::panic::catch_unwind(AssertUnwindSafe(|| self.run(config, system, false)));
        std::panic::set_hook(hook);
        ran.ok()
    }

    /// Runs it on a machine, with circuits in all partitions if that is asked for.
    pub fn run(&self, config: &Config, system: System, has_circuits: bool) -> Ran {
        let put = |machine: &mut Machine| {
            let settings = RtlSettings {
                places: vec!["zbuffer_commit".into()],
                backend: Backend::Native,
                dut: None,
                shadow: false,
            };
            if has_circuits {
                machine.use_rtl(&settings).unwrap_or_else(|error| panic!("{error}"));
            }
        };
        match &self.inside {
            Inside::Plain(workload) => {
                let mut machine = Machine::new(config, system, None);
                put(&mut machine);
                let run = workload.run(&mut machine);
                let counters = machine.counters().into_iter().collect();
                Ran { clocks: run.clocks, instructions: run.instructions, counters }
            }
            Inside::Locks(workload, size) => {
                let run = workload.run(*size, config, system, None, put);
                let run = run.unwrap_or_else(|error| panic!("{}: {error}", self.name));
                let counters = run.counters.into_iter().collect();
                Ran { clocks: run.cycles, instructions: run.warp_instructions, counters }
            }
        }
    }
}
