//! The paper's three levels of write caches with their S-FIFOs, built out of the circuits, between models of
//! read caches: release consistency end to end.

mod level;
mod system;
mod units;

use system::Planted;
use units::{Run, Traffic};

const SEED: u64 = 7;

fn traffic(slowness: u32, planted: Planted) -> Run {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    println!("seed {seed}");
    Traffic { slowness, seed, planted, clocks: 10_000 }.run()
}

#[test]
fn no_load_after_an_acquire_of_a_released_flag_is_stale() {
    let mut hits = 0;
    for slowness in [1, 4, 40] {
        let run = traffic(slowness, Planted::Nothing);
        println!("read caches 1 in {slowness}: {run:?}");
        assert!(run.stale.is_empty() && run.atomics_missing == 0, "{run:?}");
        assert!(run.releases > 15 && run.acquired > 500 && run.atomics > 15, "{run:?}");
        hits += run.read_cache_hits;
    }
    assert!(hits > 500, "read caches are of use: {hits}");
}

fn is_found(planted: Planted) {
    let runs = [1, 4, 40].map(|slowness| traffic(slowness, planted));
    let stale: Vec<_> = runs.iter().flat_map(|run| &run.stale).collect();
    println!("{planted:?}: {} loads are stale, among them {:#?}", stale.len(), stale.first());
    assert!(!stale.is_empty(), "{planted:?}: not found");
}

#[test]
fn an_invalidation_acknowledged_before_it_is_applied_is_found() {
    is_found(Planted::AcknowledgesEarly);
}

#[test]
fn an_invalidation_that_is_not_broadcast_is_found() {
    is_found(Planted::NoBroadcast);
}

#[test]
fn a_block_kept_that_was_invalidated_on_its_way_is_found() {
    is_found(Planted::KeepsInvalidated);
}

#[test]
fn a_release_that_ends_at_the_first_level_is_found() {
    is_found(Planted::EndsAtFirstLevel);
}
