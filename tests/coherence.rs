//! The memory systems under the random tester, with and without planted protocol errors.

use warpsmith::gpu::PlantedError;
use warpsmith::gpu::systems::{System, hmg};
use warpsmith::gpu::tester::{Settings, Summary, Violation, test};

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

#[test]
fn no_remote_caching_gives_every_load_its_value() {
    clean(hmg::NO_REMOTE_CACHING);
}

#[test]
fn software_coherence_gives_every_load_its_value() {
    let costs = clean(hmg::SOFTWARE).statistics.coherence;
    assert!(costs.dropped_lines > 1000 && costs.invalidations == 0, "{costs:?}");
}

#[test]
fn hierarchical_software_coherence_gives_every_load_its_value() {
    let costs = clean(hmg::SOFTWARE_HIERARCHICAL).statistics.coherence;
    assert!(costs.dropped_lines > 1000 && costs.invalidations == 0, "{costs:?}");
}

#[test]
fn nhcc_gives_every_load_its_value() {
    let costs = clean(hmg::NHCC).statistics.coherence;
    assert!(costs.invalidated_lines > 1000 && costs.dropped_lines == 0, "{costs:?}");
}

#[test]
fn hmg_gives_every_load_its_value() {
    let costs = clean(hmg::HMG).statistics.coherence;
    assert!(costs.invalidated_lines > 1000 && costs.dropped_lines == 0, "{costs:?}");
}

#[test]
fn ideal_caching_gives_every_load_its_value() {
    let costs = clean(hmg::IDEAL).statistics.coherence;
    assert!(costs.invalidations == 0 && costs.dropped_lines == 0, "{costs:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let settings = Settings { system: hmg::HMG, seed: seed(), episodes: 200, planted: None };
    assert_eq!(test(&settings), test(&settings));
}

/// A planted error shows as a wrong value.
fn is_found(system: System, error: PlantedError) {
    let found = (0..TRIES).find_map(|more| {
        let seed = seed() + more;
        test(&Settings { system, seed, episodes: EPISODES, planted: Some(error) }).err()
    });
    let found = found.unwrap_or_else(|| panic!("{error:?} in {} is not found", system.name));
    println!("{}, {error:?}: {found}", system.name);
    assert!(matches!(*found, Violation::Value { .. }), "{found}");
}

#[test]
fn an_invalidation_that_is_not_sent_is_found() {
    is_found(hmg::NHCC, hmg::planted::SKIP_INVALIDATION.one_in(50));
    is_found(hmg::HMG, hmg::planted::SKIP_INVALIDATION.one_in(50));
}

#[test]
fn a_sharer_that_is_not_recorded_is_found() {
    is_found(hmg::NHCC, hmg::planted::FORGET_SHARER.one_in(50));
    is_found(hmg::HMG, hmg::planted::FORGET_SHARER.one_in(50));
}

#[test]
fn an_invalidation_that_is_not_passed_on_is_found() {
    is_found(hmg::HMG, hmg::planted::DO_NOT_FORWARD);
}

/// The rule of the directory: a load is presented when its answer is enqueued. Presented after a later store,
/// it leaves a stale copy that is never invalidated.
#[test]
fn a_load_that_is_presented_late_leaves_an_old_value() {
    is_found(hmg::NHCC, hmg::planted::PRESENT_LATE);
    is_found(hmg::HMG, hmg::planted::PRESENT_LATE);
}
