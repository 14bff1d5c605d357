//! Transactions against the circuits of the validation and commit units together.

mod support {
    pub mod tools;
}

use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_commit;
use warpsmith_blocks::getm_validation::Params;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::transactions::run::{Plan, Report, RunError, run};
use warpsmith_testbench::transactions::timestamp::Timestamps;
use warpsmith_testbench::transactions::units::{Designs, Manner, Units};
use warpsmith_testbench::transactions::workload::Workload;

use support::tools;

const WARPS: u64 = 16;
const PARTITIONS: u64 = 3;

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

/// The two units' models.
struct Pair {
    designs: Designs,
    validation: Models,
    commit: Models,
}

impl Pair {
    fn new(params: &Params, backend: Backend) -> Self {
        let designs = designs(params);
        let models = |design: &dyn Design| Models::of_circuit(&design.circuit(), backend, false);
        let validation = models(&designs.validation).expect("models");
        let commit = models(&designs.commit).expect("models");
        Self { designs, validation, commit }
    }

    fn run(&self, workload: Workload, stalls: Stalls, seed: u64) -> Result<Report, RunError> {
        let units = |number| {
            let manner = Manner { commit_clock: 2, stalls, seed: seed << 8 | number };
            Units::new(&self.designs, &self.validation, &self.commit, manner).expect("models")
        };
        let mut partitions: Vec<_> = (0..PARTITIONS).map(units).collect();
        let timestamps =
            Timestamps::Unique { warp_bits: self.designs.validation.params.owner_bits };
        let plan = Plan { warps: WARPS, transactions: 40, latency: 20, timestamps, seed };
        run(&mut partitions, &plan, &workload)
    }
}

fn every_workload_is_serializable(backend: Backend) {
    let pair = Pair::new(&params(), backend);
    for workload in WORKLOADS {
        for (seed, stalls) in [(1, Stalls::None), (2, Stalls::Random), (3, Stalls::Random)] {
            let what = format!("{workload:?}, {stalls:?} stalls, seed {seed}");
            let report =
                pair.run(workload, stalls, seed).unwrap_or_else(|error| panic!("{what}: {error}"));
            let committed = WARPS * 40;
            assert_eq!(report.summary.committed as u64, committed, "{what}");
            assert_eq!(report.summary.aborted as u64, report.aborts.values().sum::<u64>());
            workload
                .check(&report.memory, committed)
                .unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
            println!("{what}: {:?}", report.aborts);
        }
    }
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
