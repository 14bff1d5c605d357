//! The memory systems under the random tester, with and without planted protocol errors.

use warpsmith::gpu::PlantedError;
use warpsmith::gpu::systems::{System, hmg, quick_release, release_consistency};
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
fn without_l1_every_load_gets_its_value() {
    let counts = clean(quick_release::NO_L1);
    assert_eq!((counts.statistics.l1.hits, counts.statistics.coherence.invalidations), (0, 0));
}

#[test]
fn write_through_gives_every_load_its_value() {
    let counts = clean(quick_release::WRITE_THROUGH).statistics;
    let costs = &counts.coherence;
    assert!(costs.emptied_lines > Some(1000) && costs.invalidations == 0, "{costs:?}");
    assert!(counts.l1.hits > 1000, "{counts:?}");
}

#[test]
fn quick_release_gives_every_load_its_value_and_acquires_empty_nothing() {
    let counts = clean(quick_release::QUICK_RELEASE).statistics;
    let costs = &counts.coherence;
    assert_eq!((costs.emptied_lines, costs.dropped_lines), (Some(0), 0));
    assert!(costs.invalidated_lines > 1000 && costs.acquires > 1000, "{costs:?}");
    assert!(counts.l1.hits > 1000, "{counts:?}");
}

#[test]
fn read_for_ownership_gives_every_load_its_value() {
    let counts = clean(quick_release::READ_FOR_OWNERSHIP).statistics;
    assert!(counts.coherence.invalidated_lines > 1000, "{counts:?}");
}

#[test]
fn release_consistency_gives_every_load_its_value() {
    for system in release_consistency::ALL {
        let counts = clean(system).statistics;
        assert!(counts.l1.hits > 1000, "{}: {counts:?}", system.name);
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

fn is_found_in_quick_release(error: PlantedError) {
    is_found(quick_release::QUICK_RELEASE, error);
}

#[test]
fn a_release_that_passes_the_s_fifo_is_found() {
    is_found_in_quick_release(quick_release::planted::RELEASE_OVERTAKES);
}

#[test]
fn a_byte_mask_that_is_lost_on_merge_is_found() {
    is_found_in_quick_release(quick_release::planted::LOSE_MASK);
}

#[test]
fn an_s_fifo_entry_that_is_dropped_is_found() {
    is_found_in_quick_release(quick_release::planted::DROP_ENTRY.one_in(20));
}

#[test]
fn a_line_kept_that_was_invalidated_on_its_way_is_found() {
    is_found_in_quick_release(quick_release::planted::KEEP_INVALIDATED);
}

#[test]
fn a_written_bit_that_is_ignored_is_found() {
    is_found_in_quick_release(quick_release::planted::IGNORE_WRITTEN.one_in(50));
}

#[test]
fn an_invalidation_that_is_not_broadcast_is_found() {
    is_found_in_quick_release(quick_release::planted::NO_BROADCAST.one_in(50));
}

fn is_found_in_read_for_ownership(error: PlantedError) {
    is_found(quick_release::READ_FOR_OWNERSHIP, error);
}

#[test]
fn an_owner_that_is_forgotten_is_found() {
    is_found_in_read_for_ownership(quick_release::planted::FORGET_OWNER.one_in(50));
}

#[test]
fn a_copy_that_stays_beside_an_owner_is_found() {
    is_found_in_read_for_ownership(quick_release::planted::KEEP_COPY.one_in(50));
}

#[test]
fn an_owner_that_does_not_write_back_is_found() {
    is_found_in_read_for_ownership(quick_release::planted::LOSE_WRITE_BACK.one_in(50));
}

fn is_found_in_release_consistency(error: PlantedError) {
    let all =
        [release_consistency::BASE, release_consistency::OWNERSHIP, release_consistency::LAZY];
    let having =
        all.into_iter().filter(|system| system.errors.iter().any(|it| it.name == error.name));
    let found = having.map(|system| is_found(system, error)).count();
    assert!(found > 0, "{error:?} is an error of none");
}

#[test]
fn a_dirty_line_that_a_release_forgets_is_found() {
    is_found_in_release_consistency(release_consistency::planted::FORGET_DIRTY.one_in(50));
}

#[test]
fn a_write_back_of_bytes_that_are_not_dirty_is_found() {
    is_found_in_release_consistency(release_consistency::planted::WRITE_BACK_WHOLE.one_in(50));
}

#[test]
fn an_l1_that_is_not_asked_for_what_it_owns_is_found() {
    is_found(release_consistency::OWNERSHIP, release_consistency::planted::FORGET_L1_OWNER);
}

#[test]
fn an_owned_line_that_is_evicted_silently_is_found() {
    is_found(release_consistency::OWNERSHIP, release_consistency::planted::EVICT_OWNED.one_in(20));
}
