//! Deterministic execution: the timed machine of GPUDet under many seeds, beside its oracle.

mod command;
mod programs;
mod rules;
mod shape;
#[path = "../support/mod.rs"]
mod support;
mod workloads;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config as Proptest, RngSeed, TestRunner};
use warpsmith::gpu::config::{Config, Granularity, SharedOrder};
use warpsmith::gpu::determinism::{FinalState, OnMachine, Program};
use warpsmith::gpu::isa::Module;
use warpsmith::gpu::machine::{Checks, Launch};
use warpsmith::gpu::memory::{Device, PlantedError, RtlSettings, System};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::gpudet::{DETERMINISTIC, GPUDET, NONDET, planted};
use warpsmith_testbench::backend::Backend;

use programs::{Racy, WORDS, programs};

/// The small machine, for a program.
fn machine(racy: &Racy) -> Config {
    let mut config = Config::preset(GPUDET.small).expect("a preset");
    config.quanta.instructions = racy.quantum;
    (config.quanta.bta, config.quanta.dwp) = (racy.bta, racy.dwp);
    if racy.has_shared_races {
        config.quanta.shared_order = SharedOrder::Deterministic;
    }
    if racy.has_bytes {
        config.quanta.granularity = Granularity::Byte;
    }
    config
}

/// Prepares a program, and gives it to a function.
fn with<T>(racy: &Racy, use_it: impl FnOnce(Program) -> T) -> T {
    let text = racy.ptx();
    let module = Module::parse("racy.ptx", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let image = Image::new(module.lower(["racy"]).expect("a kernel"));
    let mut device = Device::default();
    device.allocate("the variables of the module", 0);
    let buffer = device.allocate("buffer", 4 * WORDS as usize);
    for (at, byte) in
        device.get_mut(buffer, 4 * WORDS as usize).expect("there").iter_mut().enumerate()
    {
        *byte = (at * 31 % 251) as u8;
    }
    device.make_heap(1 << 15);
    let launch = Launch {
        grid: [racy.ctas, 1, 1],
        block: [racy.threads, 1, 1],
        parameters: buffer.to_le_bytes().to_vec(),
        resident: 4,
        watchdog: 1_000_000,
        checks: Checks::Strict,
        ..Launch::default()
    };
    let kernel = &image.program.kernels[0];
    let launches: Vec<_> = (0..racy.launches).map(|_| (kernel, launch.clone())).collect();
    use_it(Program { image: &image, launches: &launches, device: &device, constants: &[] })
}

/// The first difference of a run from the oracle.
fn beside_oracle(program: Program, config: &Config, seed: u64) -> Option<String> {
    let on = OnMachine { config, system: GPUDET, rtl: &[] };
    let run = program.run(on, Some(seed)).expect("it is taken");
    let oracle = program.run_on_oracle(config).expect("it is taken");
    run.difference(&oracle, &DETERMINISTIC).map(|it| format!("seed {seed}: {it}"))
}

/// Number of programs: `WARPSMITH_PROGRAMS`, or the default.
fn cases(default: u32) -> u32 {
    std::env::var("WARPSMITH_PROGRAMS").ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

/// The seed of random programs: `WARPSMITH_SEED`, or a fixed one.
fn seed() -> u64 {
    let given = std::env::var("WARPSMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or(1)
}

#[test]
fn random_programs_end_as_on_the_oracle_for_every_seed() {
    judge_random_programs(cases(100));
}

#[test]
#[ignore = "nightly: minutes"]
fn thousands_of_random_programs_end_as_on_the_oracle_for_every_seed() {
    judge_random_programs(cases(2000));
}

fn judge_random_programs(count: u32) {
    let seed = seed();
    println!("WARPSMITH_SEED={seed}");
    let (rng_seed, failure_persistence) = (RngSeed::Fixed(seed), None);
    let settings = Proptest { cases: count, rng_seed, failure_persistence, ..Proptest::default() };
    let judged = TestRunner::new(settings).run(&programs(), |racy| {
        let config = machine(&racy);
        let found =
            with(&racy, |program| (1..=3).find_map(|seed| beside_oracle(program, &config, seed)));
        match found {
            None => Ok(()),
            Some(difference) => Err(proptest::test_runner::TestCaseError::fail(format!(
                "{difference}\n{}",
                racy.ptx()
            ))),
        }
    });
    judged.unwrap_or_else(|failure| panic!("{failure}"));
}

/// The final states of a program among some seeds, with an error planted; runs that end in no state are left out.
fn outcomes(
    program: Program,
    config: &Config,
    system: System,
    error: Option<PlantedError>,
) -> Vec<FinalState> {
    let on = OnMachine { config, system, rtl: &[] };
    let run = |seed| {
        program.run_with(on, Some(seed), |machine| {
            if let Some(error) = error {
                machine.plant(error);
            }
        })
    };
    (1..=4).filter_map(|seed| run(seed).ok()).collect()
}

/// The first programs of a seed.
fn some_programs(count: usize) -> Vec<Racy> {
    let mut runner = TestRunner::deterministic();
    let program = |_| programs().new_tree(&mut runner).expect("a program").current();
    (0..count).map(program).collect()
}

#[test]
fn without_quanta_the_same_programs_end_in_many_states() {
    let programs = some_programs(10);
    let differ = programs.iter().filter(|racy| {
        let config = machine(racy);
        let states = with(racy, |program| outcomes(program, &config, NONDET, None));
        states.iter().any(|state| state.digest() != states[0].digest())
    });
    let differ = differ.count();
    assert!(differ >= 6, "{differ} of 10 programs");
}

/// Whether an error shows in a program among seeds, and beside the oracle.
fn shows(racy: &Racy, error: PlantedError) -> [bool; 2] {
    let config = machine(racy);
    with(racy, |program| {
        let states = outcomes(program, &config, GPUDET, Some(error));
        let oracle = program.run_on_oracle(&config).expect("it is taken");
        let among = states.iter().any(|it| it.difference(&states[0], &[]).is_some());
        let beside = states.iter().any(|it| it.difference(&oracle, &[]).is_some());
        [among, beside]
    })
}

#[test]
fn every_planted_error_is_found_by_seeds_or_by_the_oracle() {
    let programs = some_programs(cases(100) as usize);
    let mut missed = Vec::new();
    for error in planted::ERRORS {
        let (mut among, mut beside, mut tried) = (0, 0, 0);
        for racy in &programs {
            let [seeds, oracle] = shows(racy, error);
            (among, beside, tried) =
                (among + u32::from(seeds), beside + u32::from(oracle), tried + 1);
            if beside > 2 {
                break;
            }
        }
        println!("{:40} {among:3} by seeds, {beside:3} by the oracle, of {tried}", error.name);
        if beside == 0 {
            missed.push(error.name);
        }
    }
    assert!(missed.is_empty(), "missed: {missed:?}");
}

#[test]
fn units_as_rtl_in_all_partitions_change_nothing() {
    let places = ["zbuffer_commit", "bloom_filter"].map(String::from).to_vec();
    let mut compared = 0;
    for racy in some_programs(cases(3) as usize) {
        let config = machine(&racy);
        with(&racy, |program| {
            let settings = RtlSettings {
                places: places.clone(),
                backend: Backend::Native,
                dut: None,
                shadow: true,
            };
            let on = OnMachine { config: &config, system: GPUDET, rtl: &[settings] };
            let run = program.run(on, Some(1)).unwrap_or_else(|error| panic!("{error}"));
            let oracle = program.run_on_oracle(&config).expect("it is taken");
            assert_eq!(run.difference(&oracle, &DETERMINISTIC), None);
            compared += run.compared;
        });
    }
    assert!(compared > 1000, "{compared} transfers");
}
