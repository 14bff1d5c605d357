//! Transactions on references, against the rules of figure 4.6: they commit, are serializable in timestamp
//! order, and leave the right memory. With the paper's timestamps this need not hold.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_commit;
use warpsmith_blocks::getm_validation::{Outcome, Params};
use warpsmith_blocks::parameters::Parameters as _;
use warpsmith_blocks::verification::StimulusRng;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::place::Occupant;
use warpsmith_testbench::serializability::Violation;
use warpsmith_testbench::transactions::partition::{Access, Event, LogEntry, LogItem, Partition};
use warpsmith_testbench::transactions::program::{Operation, Program};
use warpsmith_testbench::transactions::run::{Begins, Plan, Report, RunError, Source, run};
use warpsmith_testbench::transactions::timestamp::Timestamps;
use warpsmith_testbench::transactions::units::{Designs, Manner, Units};
use warpsmith_testbench::transactions::workload::Workload;

const WARPS: u64 = 16;
const LANES: u64 = 4;

fn params(faithful: bool) -> Params {
    let presets = Params::presets().into_iter();
    let fpga = presets.filter(|(name, _)| *name == "fpga").map(|(_, params)| params).next();
    Params { faithful, ..fpga.expect("a preset") }
}

fn plan(faithful: bool, seed: u64) -> Plan {
    let timestamps = match faithful {
        true => Timestamps::Faithful,
        false => Timestamps::Unique { warp_bits: 4 },
    };
    Plan {
        cores: 2,
        warps: WARPS,
        concurrency: 6,
        lanes: LANES,
        transactions: 10,
        granule_bytes: 32,
        latency: 20,
        back_off: 20,
        begins: Begins::AfterCore,
        timestamps,
        seed,
    }
}

/// Partitions of references.
fn partitions(params: &Params, count: u64) -> Vec<Units> {
    let commit = getm_commit::Params::presets().remove(1).1;
    let unique = Params { faithful: false, ..params.clone() };
    let mut designs = Designs::new(&unique, &commit).expect("units that fit each other");
    designs.validation.faithful = params.faithful;
    let Designs { validation, commit } = &designs;
    let benches = [validation as &dyn Design, commit].map(|d| Bench::new(d, &d.circuit()));
    let places = benches.each_ref().map(|bench| (bench, Occupant::Reference));
    let manner = Manner { commit_clock: 1, stalls: Stalls::None, seed: 0 };
    let units = |_| Units::new(&designs, places, manner).expect("references need nothing");
    (0..count).map(units).collect()
}

const WORKLOADS: [(&str, Workload); 5] = [
    ("hash table, high contention", Workload::HashTable { buckets: 4 }),
    ("hash table, medium contention", Workload::HashTable { buckets: 64 }),
    ("hash table, low contention", Workload::HashTable { buckets: 1024 }),
    ("bank", Workload::Bank { accounts: 8 }),
    ("list", Workload::List { nodes: 8 }),
];

#[test]
fn every_workload_is_serializable_and_leaves_memory_as_it_must() {
    let params = params(false);
    for (name, workload) in WORKLOADS {
        for seed in 1..=3 {
            let plan = plan(false, seed);
            let report = run(&mut partitions(&params, 2), &plan, &workload)
                .unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            let Report { summary, memory, .. } = &report;
            let committed = WARPS * LANES * plan.transactions;
            assert_eq!(summary.committed as u64, committed, "{name}, seed {seed}");
            assert_eq!(summary.aborted as u64, report.aborts.values().sum::<u64>());
            workload.check(memory, committed).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        }
    }
}

/// Timestamps that run out after some tens of steps, in one unit, or in several that stop each other.
#[test]
fn timestamps_roll_over_and_every_workload_is_serializable() {
    let params = Params { owner_bits: 4, timestamp_bits: 10, ..params(false) };
    for units in [1, 2, 5] {
        let mut roll_overs = 0;
        for (name, workload) in WORKLOADS {
            let plan = plan(false, 4);
            let mut partitions = partitions(&params, units);
            let report = run(&mut partitions, &plan, &workload)
                .unwrap_or_else(|error| panic!("{name}, {units} units: {error}"));
            let committed = WARPS * LANES * plan.transactions;
            assert_eq!(report.summary.committed as u64, committed, "{name}");
            assert_eq!(report.summary.aborted as u64, report.aborts.values().sum::<u64>());
            workload.check(&report.memory, committed).unwrap_or_else(|e| panic!("{name}: {e}"));
            roll_overs += report.roll_overs;
        }
        assert!(roll_overs > 10, "{units} units: {roll_overs} roll-overs");
    }
}

#[test]
fn contention_makes_transactions_wait_and_abort() {
    let aborts = |buckets| {
        let workload = Workload::HashTable { buckets };
        let report = run(&mut partitions(&params(false), 2), &plan(false, 1), &workload);
        let report = report.expect("serializable");
        (report.aborts.values().sum::<u64>(), report.waiting.0)
    };
    let [(many, wait), (few, _)] = [4, 1024].map(aborts);
    assert!(many > 10 * few.max(1), "{many} aborts among 4 buckets, {few} among 1024");
    assert!(wait > 0, "nobody waits");
}

/// Every transaction inserts into the same bucket.
const ONE_BUCKET: Workload = Workload::HashTable { buckets: 1 };

fn report(plan: Plan, workload: Workload) -> Report {
    run(&mut partitions(&params(false), 2), &plan, &workload).expect("serializable")
}

/// In each attempt only the last lane has no conflict.
#[test]
fn lanes_of_a_warp_that_are_in_each_others_way_commit_one_after_the_other() {
    let plan = Plan { warps: 1, transactions: 1, ..plan(false, 1) };
    let aborts = report(plan, ONE_BUCKET).aborts;
    assert_eq!(aborts.into_iter().collect::<Vec<_>>(), [("LANE", 3 + 2 + 1)]);
    let apart = report(plan, Workload::HashTable { buckets: 1 << 20 }).aborts;
    assert!(apart.is_empty(), "{apart:?}");
}

#[test]
fn a_core_lets_no_more_warps_run_transactions_than_it_may() {
    let aborts = |cores, concurrency| {
        let plan = Plan { cores, concurrency, lanes: 1, ..plan(false, 1) };
        report(plan, ONE_BUCKET).aborts.values().sum::<u64>()
    };
    assert_eq!(aborts(1, 1), 0, "a warp alone has nobody in its way");
    assert!(aborts(1, 2) > 0);
    assert!(aborts(2, 1) > 0);
}

#[test]
fn warps_that_begin_at_the_time_of_their_core_abort_less_than_at_their_own() {
    let aborts = |begins| {
        let plan = Plan { begins, transactions: 1, concurrency: 1, ..plan(false, 1) };
        report(plan, Workload::HashTable { buckets: 64 }).aborts.values().sum::<u64>()
    };
    let [core, warp] = [Begins::AfterCore, Begins::AfterWarp].map(aborts);
    assert!(2 * core < warp, "{core} aborts, and {warp} if warps begin at 0");
}

/// Of each pair of warps one reads x and writes y, the other reads y and writes x.
struct Skew;

impl Source for Skew {
    fn program(&self, _: &mut StimulusRng, number: u64) -> Box<dyn Program> {
        let base = number / 2 * 2 * 64;
        let [read, write] =
            if number.is_multiple_of(2) { [base, base + 32] } else { [base + 32, base] };
        Box::new(move |step: usize, _: &[u32]| match step {
            0 => Operation::Load(read),
            1 => Operation::Store(write, 1),
            _ => Operation::Commit,
        })
    }

    fn initial(&self, _: u64) -> u32 {
        0
    }
}

#[test]
fn equal_timestamps_allow_write_skew_and_unique_ones_do_not() {
    let outcome = |faithful| {
        let plan = Plan { lanes: 1, concurrency: WARPS, ..plan(faithful, 1) };
        run(&mut partitions(&params(faithful), 2), &plan, &Skew)
    };
    let error = outcome(true).expect_err("both of a pair commit");
    let RunError::Violation(Violation::Cycle(cycle)) = &error else { panic!("{error}") };
    assert_eq!(cycle.0.len(), 2, "{error}");
    outcome(false).expect("one of each pair aborts");
}

/// A partition with a fault.
struct Faulty {
    sound: Units,
    fault: Fault,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Reports an abort as a success.
    ForgetsAbort(Outcome),
    /// Writes the stores of aborted transactions.
    WritesAborted,
    /// Loses one committed store in eight.
    LosesStores,
}

impl Partition for Faulty {
    fn access(&mut self, access: &Access) -> bool {
        self.sound.access(access)
    }

    fn log(&mut self, item: &LogItem) -> bool {
        let LogItem::Entry(entry) = item else { return self.sound.log(item) };
        let committed = match self.fault {
            Fault::WritesAborted => true,
            Fault::LosesStores => entry.committed && !entry.word.store.0.is_multiple_of(8),
            Fault::ForgetsAbort(_) => entry.committed,
        };
        self.sound.log(&LogItem::Entry(LogEntry { committed, ..*entry }))
    }

    fn roll(&mut self, go: bool) {
        self.sound.roll(go);
    }

    fn is_drained(&self) -> bool {
        self.sound.is_drained()
    }

    fn clock(&mut self, out: &mut Vec<Event>) -> Result<(), String> {
        let begin = out.len();
        self.sound.clock(out)?;
        for event in &mut out[begin..] {
            if let (Event::Answer(answer), Fault::ForgetsAbort(why)) = (event, self.fault)
                && answer.outcome == why
            {
                answer.outcome = Outcome::Success;
            }
        }
        Ok(())
    }

    fn waiting(&self) -> (usize, usize) {
        self.sound.waiting()
    }
}

#[test]
fn faults_of_a_partition_are_found() {
    let of = |fault, workload: Workload| {
        let sound = partitions(&params(false), 2).into_iter();
        let mut partitions: Vec<_> = sound.map(|sound| Faulty { sound, fault }).collect();
        run(&mut partitions, &plan(false, 1), &workload).expect_err("a fault")
    };
    // The list reads what it does not write, else a forgotten WAR would end as a WAW; the bank has stored
    // when it aborts.
    let (list, bank) = (Workload::List { nodes: 8 }, Workload::Bank { accounts: 8 });
    for why in [Outcome::AbortWar, Outcome::AbortWaw, Outcome::AbortRaw] {
        let error = of(Fault::ForgetsAbort(why), list);
        // A transaction that continues without a reservation may release what nobody reserved, which the unit
        // itself reports.
        let by_unit = why != Outcome::AbortWar && matches!(error, RunError::Wrong { .. });
        assert!(by_unit || matches!(error, RunError::Violation(_)), "{why:?}: {error}");
    }
    let error = of(Fault::WritesAborted, bank);
    assert!(
        matches!(
            error,
            RunError::Violation(Violation::DirtyRead { .. } | Violation::AbortedEffect { .. })
        ),
        "{error}"
    );
    let error = of(Fault::LosesStores, bank);
    assert!(
        matches!(
            error,
            RunError::Violation(Violation::DirtyRead { .. } | Violation::LostStore { .. })
        ),
        "{error}"
    );
}
