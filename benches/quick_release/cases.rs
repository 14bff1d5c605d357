//! Workloads on the four systems that the paper compares.

use warpsmith::gpu::config::Config;
use warpsmith::gpu::machine::Machine;
use warpsmith::gpu::systems::{System, quick_release};

use super::workloads::{Run, Workload};

pub const SYSTEMS: [System; 4] = [
    quick_release::NO_L1,
    quick_release::WRITE_THROUGH,
    quick_release::READ_FOR_OWNERSHIP,
    quick_release::QUICK_RELEASE,
];

/// A workload on each system.
pub struct Case {
    pub name: &'static str,
    pub size: String,
    pub runs: [Run; 4],
}

pub fn run(workload: Workload) -> Case {
    let config = config();
    let runs = SYSTEMS.map(|system| workload.run(&mut Machine::new(&config, system, None)));
    Case { name: workload.name, size: workload.size, runs }
}

/// Preset `apu`, or the file that `WARPSMITH_MACHINE` names, to see what a parameter changes.
fn config() -> Config {
    match std::env::var("WARPSMITH_MACHINE") {
        Ok(file) => {
            let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
            Config::parse(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
        }
        Err(_) => Config::preset("apu").expect("a preset"),
    }
}
