//! The workloads of `cargo bench --bench quick_release` give the results of plain Rust on each system of one L2,
//! perturbed. Each ends with a check of memory: see `Workload::run`.

#[allow(dead_code, reason = "the benchmark uses the rest")]
#[path = "../benches/quick_release/workloads/mod.rs"]
mod workloads;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::machine::Machine;
use warpsmith::gpu::systems::System;
use workloads::{Size, all};

/// Every workload on the systems for which a condition holds of the numbers of both.
fn run(chosen: impl Fn(usize, usize) -> bool) {
    let config = Config::preset("small_apu").expect("a preset");
    let systems: Vec<_> = System::fitting(&config).collect();
    for (number, workload) in all(Size::Small).iter().enumerate() {
        for (at, system) in systems.iter().enumerate().filter(|(at, _)| chosen(number, *at)) {
            println!("{} on {}", workload.name, system.name);
            workload.run(&mut Machine::new(&config, *system, Some(at as u64)));
        }
    }
}

#[test]
fn workloads_give_the_results_of_plain_rust() {
    // Each workload on some systems, each system with some workloads.
    run(|number, at| number % 3 == at % 3);
}

#[test]
#[ignore = "nightly: every workload on every system"]
fn workloads_give_the_results_of_plain_rust_on_every_system() {
    run(|_, _| true);
}
