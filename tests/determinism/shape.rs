//! Results depend on the shape of the machine, and on nothing else of it.

use warpsmith::gpu::config::{BarrierRule, CommitBy, Config, Serialization};
use warpsmith::gpu::determinism::OnMachine;
use warpsmith::gpu::systems::gpudet::{DETERMINISTIC, GPUDET};

use crate::{machine, some_programs, with};

type Change = (&'static str, fn(&mut Config));

const SHAPE: [Change; 7] = [
    ("cores", |config| config.machine.cores_per_gpm = 2),
    ("workgroups of a core", |config| config.core.ctas = 3),
    ("instructions of a quantum", |config| config.quanta.instructions += 7),
    ("entries of a log", |config| config.quanta.log_entries = 40),
    ("BTA", |config| config.quanta.bta = !config.quanta.bta),
    ("DWP", |config| config.quanta.dwp = !config.quanta.dwp),
    ("the rule of barriers", |config| config.quanta.barriers = BarrierRule::Thesis),
];

const OTHERS: [Change; 13] = [
    ("commit by locks", |config| config.quanta.commit = CommitBy::Locks),
    ("the size of an L1", |config| config.l1.bytes = 8192),
    ("the latency of an L1", |config| config.l1.latency = 1),
    ("misses of an L1", |config| config.l1.misses = 2),
    ("the size of the L2", |config| config.l2.bytes = 65536),
    ("partitions", |config| config.l2.banks = 3),
    ("the latency of the crossbar", |config| config.crossbar.latency = 50),
    ("the latency of DRAM", |config| config.dram.latency = 300),
    ("the Z-cache", |config| config.quanta.z_cache_bytes = 16384),
    ("Bloom filters", |config| config.quanta.bloom_bits = 128),
    ("the cost of barriers", |config| config.quanta.barrier_clocks = 100),
    ("serialization", |config| config.quanta.serialization = Serialization::Wavefront),
    ("bits of a quantum's number", |config| config.quanta.quantum_bits = 2),
];

#[test]
fn the_shape_of_the_machine_changes_results() {
    let programs = some_programs(40);
    for (name, change) in SHAPE {
        let differ = programs.iter().filter(|racy| {
            let config = machine(racy);
            let mut changed = config.clone();
            change(&mut changed);
            with(racy, |program| {
                let of = |config| program.run_on_oracle(config).expect("it is taken");
                of(&config).difference(&of(&changed), &[]).is_some()
            })
        });
        let differ = differ.count();
        println!("{name}: {differ} of {}", programs.len());
        assert!(differ > 0, "{name}");
    }
}

#[test]
fn nothing_else_of_the_machine_changes_results() {
    for (seed, racy) in (1..).zip(some_programs(6)) {
        let config = machine(&racy);
        with(&racy, |program| {
            let oracle = program.run_on_oracle(&config).expect("it is taken");
            for (name, change) in OTHERS {
                let mut changed = config.clone();
                change(&mut changed);
                let on = OnMachine { config: &changed, system: GPUDET, rtl: &[] };
                let run = program.run(on, Some(seed)).expect("it is taken");
                // Which lines a filter takes for one depends on its size.
                let names: Vec<_> =
                    DETERMINISTIC.into_iter().filter(|name| *name != "bloom_hits").collect();
                assert_eq!(run.difference(&oracle, &names), None, "{name}");
            }
        });
    }
}
