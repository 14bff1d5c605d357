//! The workloads of `cargo bench --bench quick_release` give the results of plain Rust on each system of one L2,
//! perturbed. Each ends with a check of memory: see `Workload::run`.

#[allow(dead_code, unused_imports, reason = "the benchmark uses the rest")]
#[path = "../benches/quick_release/workloads/mod.rs"]
mod workloads;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::machine::Machine;
use warpsmith::gpu::systems::System;
use workloads::{Size, all};

#[test]
fn workloads_give_the_results_of_plain_rust() {
    let config = Config::preset("small_apu").expect("a preset");
    for workload in all(Size::Small) {
        for (seed, system) in (0..).zip(System::fitting(&config)) {
            println!("{} on {}", workload.name, system.name);
            workload.run(&mut Machine::new(&config, system, Some(seed)));
        }
    }
}
