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

pub fn run(workload: &Workload, config: &Config) -> Case {
    let runs = SYSTEMS.map(|system| workload.run(&mut Machine::new(config, system, None)));
    Case { name: workload.name, size: workload.size.clone(), runs }
}

/// Preset `apu`; if it is `wide`, with so much bandwidth to the directory and of DRAM that neither counts.
pub fn machine(wide: bool) -> Config {
    let mut config = Config::preset("apu").expect("a preset");
    if wide {
        config.gpm_link.bytes_per_clock = 512.0;
        (config.dram.channels, config.dram.bytes_per_clock) = (16, 64.0);
    }
    config
}
