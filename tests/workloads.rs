//! The programs of the paper's table 4.3 give the results of plain Rust, with transactions and with locks, and are
//! serializable however the machine is perturbed.

mod support;

use support::{Scratch, run, schema};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::getm::warptm::{EAPG, WARPTM, WARPTM_EL};
use warpsmith::gpu::systems::getm::{GETM, LOCKS};
use warpsmith::gpu::workloads::{ALL, Ran, Size, Workload, WorkloadError};

fn config() -> Config {
    let mut config = Config::preset("small").expect("a preset");
    (config.transactions.concurrency, config.transactions.back_off) = (4, 20);
    config
}

/// Runs a small workload on a small machine.
fn small(workload: &str, system: System, seed: Option<u64>) -> Result<Ran, WorkloadError> {
    let workload = Workload::named(workload).expect("a workload");
    workload.run(Size::Small, &config(), system, seed, |_| {})
}

fn is_right(system: System) {
    // Seeds of perturbed runs; nightly 20.
    let seeds =
        std::env::var("WARPSMITH_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number"));
    for workload in ALL {
        for seed in 0..=seeds {
            let seed = (seed > 0).then_some(seed);
            let ran = small(workload.name, system, seed);
            let ran = ran.unwrap_or_else(|error| panic!("{workload:?} {seed:?}: {error}"));
            if System::TRANSACTIONAL.contains(&system) {
                let counts = ran.transactions.expect("it has transactions");
                assert!(counts.commits > 0 && counts.serializable_launches > 0, "{counts:?}");
            }
        }
    }
}

#[test]
fn every_workload_is_right_with_locks() {
    is_right(LOCKS);
}

#[test]
fn every_workload_is_right_on_getm() {
    is_right(GETM);
}

#[test]
fn every_workload_is_right_on_warptm() {
    is_right(WARPTM);
}

#[test]
fn every_workload_is_right_on_warptm_el() {
    is_right(WARPTM_EL);
}

#[test]
fn every_workload_is_right_on_eapg() {
    is_right(EAPG);
}

#[test]
fn cores_that_are_told_early_abort_and_pause() {
    let counts = |system| {
        let ran = small("list", system, Some(1)).unwrap_or_else(|error| panic!("{error}"));
        ran.transactions.expect("it has transactions")
    };
    assert!(counts(EAPG).aborts.contains_key("EARLY"), "{:?}", counts(EAPG));
    assert!(!counts(WARPTM).aborts.contains_key("EARLY"));
}

#[test]
fn two_transactions_that_abort_each_other_for_ever_end() {
    // Tables of so few entries that nearly all times are those of evicted granules, and no pause.
    let mut config = config();
    let transactions = &mut config.transactions;
    (transactions.rows_per_way, transactions.bloom_rows, transactions.back_off) = (2, 2, 0);
    (transactions.concurrency, transactions.alone_after) = (0, 8);
    let list = Workload::named("list").expect("a workload");
    let ran = list.run(Size::Small, &config, GETM, Some(1), |_| {});
    let counts = ran.unwrap_or_else(|error| panic!("{error}")).transactions.expect("counts");
    assert!(counts.alone > 0, "{counts:?}");
}

#[test]
fn the_command_prints_the_paper_beside_its_figures() {
    let scratch = Scratch::new();
    let run = |arguments: &[&str]| {
        run(&scratch, &[&["transactions", "--size", "small", "--workload"], arguments].concat())
    };
    let ended = run(&["hash_high", "--system", "warptm", "--json"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = schema::document(&ended);
    assert_eq!(report["correct"], true);
    let ran = &report["runs"][0];
    assert_eq!((&ran["paper_aborts"], &ran["concurrency"]), (&119.into(), &2.into()));
    assert_eq!(ran["transactions"]["commits"], 768);
    let ended = run(&["bank", "--system", "locks"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("all results as in plain Rust"), "{ended:?}");
    for (arguments, words) in [
        (&["bank", "--system", "tm"][..], &["tm", "warptm-el"][..]),
        (&["queue", "--system", "getm"], &["queue", "apriori"]),
        (&["bank", "--system", "locks", "--faithful"], &["--faithful", "locks"]),
        (&["bank", "--system", "getm", "--seed", "3"], &["--seed", "--system"]),
        (&["bank", "--system", "warptm", "--rtl", "getm_commit"], &["warptm", "no place"]),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{ended:?}");
    }
}
