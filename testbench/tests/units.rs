//! Transactions against the circuits of the validation and commit units together.

mod support {
    pub mod tools;
}

use warpsmith_blocks::getm_commit;
use warpsmith_blocks::getm_validation::Params;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::transactions::machine::{Load, Machine, Trace};
use warpsmith_testbench::transactions::run::Begins;
use warpsmith_testbench::transactions::units::Designs;
use warpsmith_testbench::transactions::workload::Workload;

use support::tools;

const WARPS: u64 = 16;
const LANES: u64 = 4;
/// Concurrent warps of a core; there are more, which wait.
const CONCURRENCY: u64 = 4;

const WORKLOADS: [Workload; 5] = [
    Workload::HashTable { buckets: 4 },
    Workload::HashTable { buckets: 64 },
    Workload::HashTable { buckets: 1024 },
    Workload::Bank { accounts: 8 },
    Workload::List { nodes: 8 },
];

fn params() -> Params {
    let presets = Params::presets().into_iter();
    let fpga = presets.filter(|(name, _)| *name == "fpga").map(|(_, params)| params).next();
    fpga.expect("a preset")
}

fn designs(params: &Params) -> Designs {
    let commit = getm_commit::Params::presets().remove(1).1;
    Designs::new(params, &commit).expect("units that fit each other")
}

fn load(transactions: u64, stalls: Stalls, seed: u64) -> Load {
    Load {
        partitions: 3,
        cores: 2,
        warps: WARPS,
        lanes: LANES,
        transactions,
        latency: 20,
        back_off: 20,
        begins: Begins::AfterCore,
        commit_clock: 2,
        stalls,
        seed,
    }
}

/// Runs every workload with and without stalls; each lane runs `transactions`.
fn run_all(machine: &Machine, transactions: u64) -> Vec<Trace> {
    let mut traces = Vec::new();
    for workload in WORKLOADS {
        for (seed, stalls) in [(1, Stalls::None), (2, Stalls::Random), (3, Stalls::Random)] {
            let what = format!("{workload:?}, {stalls:?} stalls, seed {seed}");
            let trace = machine.run(&load(transactions, stalls, seed), CONCURRENCY, &workload);
            let trace = trace.unwrap_or_else(|error| panic!("{what}: {error}"));
            let report = &trace.report;
            let committed = WARPS * LANES * transactions;
            assert_eq!(report.summary.committed as u64, committed, "{what}");
            assert_eq!(report.summary.aborted as u64, report.aborts.values().sum::<u64>());
            let check = workload.check(&report.memory, committed);
            check.unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
            traces.push(trace);
        }
    }
    traces
}

fn every_workload_is_serializable(backend: Backend) {
    let machine = Machine::new(designs(&params()), backend).expect("models");
    assert!(run_all(&machine, 10).iter().all(|trace| trace.report.roll_overs == 0));
}

#[test]
fn every_workload_is_serializable_on_native_circuits() {
    every_workload_is_serializable(Backend::Native);
}

#[test]
fn every_workload_is_serializable_on_verilated_circuits() {
    if tools::verilator() {
        every_workload_is_serializable(Backend::Verilator);
    }
}

#[test]
fn tables_that_overflow_are_serializable_too() {
    let tiny = Params { rows_per_way: 2, ways: 1, stash: 0, bloom_rows: 2, ..params() };
    let small = Params { rows_per_way: 4, ways: 2, stash: 1, granule_bytes: 128, ..params() };
    for params in [tiny, small] {
        let machine = Machine::new(designs(&params), Backend::Native).expect("models");
        let traces = run_all(&machine, 3);
        let overflow: u64 = traces.iter().map(|trace| trace.overflow_requests).sum();
        assert!(overflow > 0, "{overflow} requests to the overflow space");
    }
}

/// GETM figure 4.13 has about 1 clock for each of its benchmarks.
#[test]
fn the_mean_access_of_a_full_table_is_at_most_1_10_clocks() {
    let machine = Machine::new(designs(&params()), Backend::Native).expect("models");
    let load = Load { warps: 64, lanes: 8, ..load(8, Stalls::None, 1) };
    let trace = machine
        .run(&load, CONCURRENCY, &Workload::HashTable { buckets: 1024 })
        .expect("serializable");
    let crowded = trace.accesses.crowded;
    assert!(crowded.requests > 10_000, "the table was hardly ever full: {crowded:?}");
    let mean = crowded.mean().expect("requests");
    assert!((1.0..=1.10).contains(&mean), "{mean} clocks");
}

/// Timestamps that run out after some tens of steps, so that they roll over repeatedly.
fn timestamps_roll_over(backend: Backend) {
    let params = Params { owner_bits: 4, timestamp_bits: 10, ..params() };
    let machine = Machine::new(designs(&params), backend).expect("models");
    let traces = run_all(&machine, 10);
    let roll_overs: Vec<_> = traces.iter().map(|trace| trace.report.roll_overs).collect();
    // Transactions without conflicts need no later timestamp.
    let often = roll_overs.iter().filter(|roll_overs| **roll_overs >= 3).count();
    assert!(often > WORKLOADS.len(), "{roll_overs:?}");
}

#[test]
fn timestamps_roll_over_on_native_circuits() {
    timestamps_roll_over(Backend::Native);
}

#[test]
fn timestamps_roll_over_on_verilated_circuits() {
    if tools::verilator() {
        timestamps_roll_over(Backend::Verilator);
    }
}
