//! The memory system of docs/adding-a-system.md, as printed there.

#[path = "adding_a_system/uncached.rs"]
mod uncached;

use uncached::UNCACHED;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::litmus::{self, TESTS};
use warpsmith::gpu::tester::{Settings, test};

#[test]
fn the_page_shows_the_system_as_it_is_compiled() {
    let page = include_str!("../docs/adding-a-system.md");
    let system = include_str!("adding_a_system/uncached.rs");
    assert!(page.contains(system), "the page is stale");
    let lines = system.lines().count();
    assert!(lines <= 140, "{lines} lines");
}

#[test]
fn every_load_gets_its_value() {
    for seed in 1..4 {
        let settings = Settings { system: UNCACHED, seed, episodes: 1000, planted: None };
        let summary = test(&settings).unwrap_or_else(|found| panic!("{found}"));
        assert!(summary.values > 10_000 && summary.statistics.traffic.between_gpus > 0);
    }
}

#[test]
fn litmus_tests_show_nothing_that_is_forbidden() {
    let mut config = Config::preset("small").expect("a preset");
    config.core.weak_loads = litmus::WEAK_LOADS;
    for (file, text) in &TESTS[..8] {
        let parsed = litmus::parse(file, text).unwrap_or_else(|error| panic!("{error}"));
        for variant in parsed.variants(&config.machine) {
            let (config, system) = (&config, UNCACHED);
            let settings =
                litmus::Settings { config, system, seed: 1, runs: 50, most: 50, planted: None };
            let counts = litmus::run(&parsed, variant, &settings);
            let counts = counts.unwrap_or_else(|error| panic!("{error}"));
            assert!(counts.forbidden.iter().all(|count| *count == 0), "{file} {variant}");
        }
    }
}
