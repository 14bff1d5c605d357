//! The memory systems under the random tester, with and without planted protocol errors.

use std::collections::BTreeMap;

use warpsmith::flow::parallel;
use warpsmith::gpu::systems::{System, hmg, quick_release, relativistic};
use warpsmith::gpu::tester::{Settings, Summary, Violation, test};
use warpsmith::gpu::{PlantedError, Statistics};

/// Episodes per system.
const EPISODES: u32 = 3000;
/// Seeds among which a planted error must show at least once.
const TRIES: u64 = 10;

/// The seed: `WARPSMITH_SEED`, or a fixed one.
fn seed() -> u64 {
    let given = std::env::var("WARPSMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or(1)
}

fn clean(system: System) -> Summary {
    let settings = Settings { system, seed: seed(), episodes: EPISODES, planted: None };
    let summary = test(&settings).unwrap_or_else(|found| panic!("{}: {found}", system.name));
    assert_eq!(summary.episodes, EPISODES);
    assert!(summary.values > 10 * u64::from(EPISODES), "{summary:?}");
    summary
}

type IsActive = fn(&Statistics) -> bool;

/// Activity that a run must show, so that the test is not vacuous.
const ACTIVE: [(System, IsActive); 8] = [
    (hmg::SOFTWARE, |it| it.coherence.dropped_lines > 1000 && it.coherence.invalidations == 0),
    (hmg::SOFTWARE_HIERARCHICAL, |it| it.coherence.dropped_lines > 1000),
    (hmg::NHCC, |it| it.coherence.invalidated_lines > 1000 && it.coherence.dropped_lines == 0),
    (hmg::HMG, |it| it.coherence.invalidated_lines > 1000 && it.coherence.dropped_lines == 0),
    (hmg::IDEAL, |it| it.coherence.invalidations == 0 && it.coherence.dropped_lines == 0),
    (quick_release::NO_L1, |it| (it.l1.hits, it.coherence.invalidations) == (0, 0)),
    (quick_release::WRITE_THROUGH, |it| {
        it.coherence.emptied_lines > Some(1000) && it.coherence.invalidations == 0
    }),
    // An acquire empties nothing.
    (quick_release::QUICK_RELEASE, |it| {
        let costs = &it.coherence;
        (costs.emptied_lines, costs.dropped_lines) == (Some(0), 0)
            && costs.invalidated_lines > 1000
            && costs.acquires > 1000
    }),
];

#[test]
fn every_load_gets_its_value_on_every_system() {
    let ended = parallel::each(&System::ALL, |system| {
        let statistics = clean(*system).statistics;
        let is_active =
            ACTIVE.iter().find(|(of, _)| of == system).is_none_or(|it| it.1(&statistics));
        assert!(is_active, "{}: {statistics:?}", system.name);
        Ok::<_, ()>(())
    });
    assert!(ended.iter().all(Result::is_ok));
}

/// Times of 5 bits: the oracle judges all of them together.
#[test]
fn time_rolls_over_thousands_of_times_and_every_load_gets_its_value() {
    let mut counts: BTreeMap<_, u64> = BTreeMap::new();
    for seed in (seed()..).take(4) {
        let (system, episodes) = (relativistic::SEQUENTIAL, 4 * EPISODES);
        let summary = test(&Settings { system, seed, episodes, planted: None });
        let summary = summary.unwrap_or_else(|found| panic!("{found}"));
        println!("seed {seed}: {} values, {:?}", summary.values, summary.counters);
        let counters = summary.counters.into_iter();
        counters.for_each(|(name, count)| *counts.entry(name).or_default() += count);
    }
    assert!(counts["roll_overs"] > 2000, "{counts:?}");
    assert!(counts["renewals"] > 1000 && counts["gets_again"] > 1000, "{counts:?}");
    assert!(counts["expired_loads"] > counts["renewals"], "{counts:?}");
    assert!(counts["leases_granted"] > 10 * counts["roll_overs"], "{counts:?}");
}

/// Errors of relativistic coherence that the tester cannot find: its warps have one access in flight and no barriers.
const MISSED: [PlantedError; 3] = [
    relativistic::planted::MANY_LOADS,
    relativistic::planted::MANY_STORES,
    relativistic::planted::BARRIER_WITHOUT_WAIT,
];

/// By a wrong value, by the oracle, which sees more since episodes keep off each other, or by the bank.
#[test]
fn errors_of_relativistic_coherence_are_found() {
    let system = relativistic::SEQUENTIAL;
    for error in system.errors.iter().filter(|error| !MISSED.contains(error)).copied() {
        let found = (0..TRIES).find_map(|more| {
            let (seed, planted) = (seed() + more, Some(error));
            test(&Settings { system, seed, episodes: EPISODES, planted }).err()
        });
        let found = found.unwrap_or_else(|| panic!("{error:?} is not found"));
        println!("{error:?}: {found}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let settings = Settings { system: hmg::HMG, seed: seed(), episodes: 200, planted: None };
    assert_eq!(test(&settings), test(&settings));
}

/// A planted error shows as a wrong value, or as wrong contents of memory at the end.
fn is_found(system: System, error: PlantedError) {
    let found = (0..TRIES).find_map(|more| {
        let seed = seed() + more;
        test(&Settings { system, seed, episodes: EPISODES, planted: Some(error) }).err()
    });
    let found = found.unwrap_or_else(|| panic!("{error:?} in {} is not found", system.name));
    println!("{}, {error:?}: {found}", system.name);
    let is_wrong = matches!(*found, Violation::Value { .. } | Violation::Memory { .. });
    assert!(is_wrong, "{found}");
}

#[test]
fn every_error_is_found_that_the_tester_is_to_find() {
    let all = System::ALL.into_iter().flat_map(|system| {
        let errors = system.errors.iter();
        let errors = errors.filter(move |error| !system.tester_misses.contains(error));
        errors.filter_map(move |error| Some((system, error.one_in(error.for_tester?))))
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() > 20);
    let ended = parallel::each(&all, |(system, error)| {
        is_found(*system, *error);
        Ok::<_, ()>(())
    });
    assert!(ended.iter().all(Result::is_ok));
}
