//! The programs of table 5.1 under many seeds, beside the oracle.

#[allow(dead_code, unused_imports, reason = "the benchmark uses the rest")]
#[path = "../../benches/gpudet/programs/mod.rs"]
mod thesis;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::systems::gpudet::{DETERMINISTIC, GPUDET, NONDET};

use thesis::{Size, programs};

fn judge(seeds: u64) {
    let config = Config::preset("gpudet_15").expect("a preset");
    for program in programs(Size::Small) {
        let oracle = program.run_on_oracle(&config);
        for seed in 1..=seeds {
            let run = program.run(&config, GPUDET, Some(seed));
            let told = format!("{}, seed {seed}", program.name);
            assert_eq!(run.digests, oracle.digests, "{told}");
            assert_eq!(run.instructions, oracle.instructions, "{told}");
            for name in DETERMINISTIC.iter().filter(|name| oracle.counters.contains_key(*name)) {
                assert_eq!(run.counters[name], oracle.counters[name], "{told}: {name}");
            }
        }
        println!("{}: {} quanta", program.name, oracle.counters["quanta"]);
    }
}

#[test]
fn programs_of_the_thesis_end_as_on_the_oracle_for_every_seed() {
    judge(8);
}

#[test]
#[ignore = "nightly: minutes"]
fn programs_of_the_thesis_end_as_on_the_oracle_for_200_seeds() {
    judge(200);
}

#[test]
fn programs_of_the_thesis_give_the_results_of_plain_rust_without_quanta() {
    let config = Config::preset("gpudet_15").expect("a preset");
    for program in programs(Size::Small) {
        let clocks = program.run(&config, NONDET, Some(1)).clocks;
        assert!(clocks > 0, "{}", program.name);
    }
}
