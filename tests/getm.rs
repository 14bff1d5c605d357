//! Transactions of kernels on GETM and WarpTM: they are serializable, end, and planted errors are found.

use std::cell::OnceCell;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::litmus::{self, TESTS};
use warpsmith::gpu::machine::planted::RETRY_KEEPS_REGISTERS;
use warpsmith::gpu::machine::{Launch, LaunchError, Machine};
use warpsmith::gpu::memory::{Device, PlantedError, RtlSettings, TransactionCounts};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::getm::warptm::{self, WARPTM_EL};
use warpsmith::gpu::systems::getm::{GETM, planted};
use warpsmith::gpu::tester::{Settings, test};
use warpsmith_testbench::backend::Backend;

const HEAD: &str = ".version 6.4\n.target sm_70\n.address_size 64\n\
    .extern .func __tx_begin(); .extern .func __tx_commit();\n\
    .visible .entry k(.param .u64 out) {\n\
    .reg .b32 %r<10>; .reg .b64 %rd<6>; .reg .pred %p<2>;\n\
    ld.param.u64 %rd4, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n\
    mad.lo.u32 %r0, %r0, %r1, %r2;\n";

/// Each thread adds to a word, twice in each of three transactions; what it adds depends on a register that the
/// transaction changes. A load without a transaction brings the line to the L1 before.
const SUM: &str = "and.b32 %r5, %r0, 15; mul.wide.u32 %rd1, %r5, 32; add.u64 %rd0, %rd4, %rd1;\n\
    mov.u32 %r1, 1; mov.u32 %r3, 0;\n\
    again: ld.global.u32 %r6, [%rd0]; add.u32 %r7, %r6, 1; call.uni __tx_begin;\n\
    ld.global.u32 %r4, [%rd0]; shl.b32 %r1, %r1, 1; add.u32 %r1, %r1, %r0; add.u32 %r4, %r4, %r1;\n\
    st.global.u32 [%rd0], %r4; ld.global.u32 %r4, [%rd0]; add.u32 %r4, %r4, 1;\n\
    st.global.u32 [%rd0], %r4; call.uni __tx_commit;\n\
    add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 3; @%p0 bra again; ret; }\n";

/// Each thread reads two words and stores to the first, so that two may each read what the other stores to.
const SKEW: &str = "and.b32 %r5, %r0, 15; mul.wide.u32 %rd1, %r5, 32; add.u64 %rd0, %rd4, %rd1;\n\
    shr.u32 %r6, %r0, 4; xor.b32 %r6, %r6, %r0; and.b32 %r6, %r6, 15;\n\
    mul.wide.u32 %rd2, %r6, 32; add.u64 %rd3, %rd4, %rd2;\n\
    call.uni __tx_begin; ld.global.u32 %r4, [%rd3]; ld.global.u32 %r7, [%rd0];\n\
    mad.lo.u32 %r4, %r4, 3, %r7; add.u32 %r4, %r4, %r0; st.global.u32 [%rd0], %r4;\n\
    call.uni __tx_commit; ret; }\n";

/// Half of the warps add to two words in a transaction, the others only load them.
const SNAPSHOT: &str = "and.b32 %r5, %r0, 7; mul.wide.u32 %rd1, %r5, 64; add.u64 %rd0, %rd4, %rd1;\n\
    and.b32 %r6, %r0, 32; setp.ne.u32 %p1, %r6, 0; mov.u32 %r3, 0;\n\
    again: call.uni __tx_begin; ld.global.u32 %r4, [%rd0]; ld.global.u32 %r7, [%rd0+32];\n\
    @%p1 bra over; add.u32 %r4, %r4, 1; st.global.u32 [%rd0], %r4; add.u32 %r7, %r7, 1;\n\
    st.global.u32 [%rd0+32], %r7; over: call.uni __tx_commit;\n\
    add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 3; @%p0 bra again; ret; }\n";

/// Each thread loads two words of one of four granules, one right after the other.
const TWO_WORDS: &str = "and.b32 %r5, %r0, 3; mul.wide.u32 %rd1, %r5, 32; add.u64 %rd0, %rd4, %rd1;\n\
    call.uni __tx_begin; ld.global.u32 %r4, [%rd0]; ld.global.u32 %r7, [%rd0+4];\n\
    call.uni __tx_commit; ret; }\n";

const THREADS: u32 = 512;
const WORDS: usize = 16;

fn config() -> Config {
    let mut config = Config::preset("small").expect("a preset");
    (config.transactions.concurrency, config.transactions.back_off) = (4, 20);
    config
}

struct Ran {
    words: Vec<u32>,
    counts: TransactionCounts,
    compared: u64,
}

fn run(
    config: &Config,
    system: System,
    kernel: &str,
    seed: Option<u64>,
    prepare: impl Fn(&mut Machine),
) -> Result<Ran, LaunchError> {
    let text = format!("{HEAD}{kernel}");
    let image = Image::new(isa::load("k.ptx", &text).unwrap_or_else(|error| panic!("{error}")));
    let mut device = Device::default();
    device.allocate("variables", image.program.globals.len());
    let bytes = WORDS * 32;
    let out = device.allocate("out", bytes);
    let mut machine = Machine::new(config, system, seed);
    machine.load(device, &[]);
    prepare(&mut machine);
    let launch = Launch {
        grid: [THREADS / 64, 1, 1],
        block: [64, 1, 1],
        parameters: out.to_le_bytes().to_vec(),
        resident: 1,
        watchdog: 100_000_000,
        ..Launch::default()
    };
    machine.run(&image, &image.program.kernels[0], &launch)?;
    let contents = machine.device().get(out, bytes).expect("allocated");
    let word =
        |at: usize| u32::from_le_bytes(contents[at * 32..at * 32 + 4].try_into().expect("4"));
    let words = (0..WORDS).map(word).collect();
    let counts = machine.transactions().expect("it has transactions");
    Ok(Ran { words, counts, compared: machine.compared() })
}

/// What `SUM` leaves.
fn sums() -> Vec<u32> {
    let mut words = vec![0u32; WORDS];
    for thread in 0..THREADS {
        let mut step = 1u32;
        for _ in 0..3 {
            step = step * 2 + thread;
            let word = &mut words[thread as usize % WORDS];
            *word = word.wrapping_add(step + 1);
        }
    }
    words
}

fn runs(config: &Config, kernel: &str, seed: Option<u64>) -> Ran {
    run(config, GETM, kernel, seed, |_| {}).unwrap_or_else(|error| panic!("seed {seed:?}: {error}"))
}

#[test]
fn loads_of_a_granule_that_are_under_way_together_are_validated_once() {
    let counts = runs(&config(), TWO_WORDS, None).counts;
    assert_eq!((counts.validations, counts.aborted()), (u64::from(THREADS / 32 * 4), 0));
}

#[test]
fn transactions_are_serializable_at_every_concurrency() {
    for concurrency in [1, 4, 0] {
        let mut config = config();
        config.transactions.concurrency = concurrency;
        for seed in [None, Some(1)] {
            let ran = runs(&config, SUM, seed);
            assert_eq!(ran.words, sums(), "{concurrency} {seed:?}");
            let counts = ran.counts;
            assert_eq!((counts.commits, counts.serializable_launches), (3 * 512, 1));
            assert!(counts.aborts["LANE"] > 0 && counts.conflicts > 100, "{counts:?}");
            let ran = runs(&config, SKEW, seed);
            assert_eq!((ran.counts.commits, ran.counts.serializable_launches), (512, 1));
        }
    }
}

#[test]
fn transactions_are_serializable_on_every_system() {
    let mut config = config();
    for system in System::TRANSACTIONAL {
        for (seed, concurrency) in [(None, 4), (Some(1), 0), (Some(2), 2)] {
            config.transactions.concurrency = concurrency;
            for (kernel, commits) in [(SUM, 3 * 512), (SKEW, 512), (SNAPSHOT, 3 * 512)] {
                let ran = run(&config, system, kernel, seed, |_| {});
                let ran = ran.unwrap_or_else(|error| panic!("{system:?} {seed:?}: {error}"));
                assert!(kernel != SUM || ran.words == sums(), "{system:?} {seed:?}");
                let counts = ran.counts;
                assert_eq!((counts.commits, counts.serializable_launches), (commits, 1));
                let is_silent = kernel == SNAPSHOT && !["getm", "warptm-el"].contains(&system.name);
                assert_eq!(counts.silent_commits > 0, is_silent, "{system:?} {counts:?}");
            }
        }
    }
}

#[test]
fn every_error_that_is_planted_in_warptm_is_found() {
    let systems =
        [(warptm::WARPTM, &warptm::planted::WARPTM[..]), (WARPTM_EL, &warptm::planted::EAGER)];
    for (system, errors) in systems {
        for error in errors {
            let found = finds(system, *error);
            println!("{system:?} {}: {found:?}", error.name);
            assert!(found.is_some(), "{} is not found on {system:?}", error.name);
        }
    }
}

#[test]
fn logs_that_leave_the_l1_come_back() {
    let mut config = config();
    config.l1.bytes = 1024;
    let ran = runs(&config, SUM, Some(3));
    assert_eq!(ran.words, sums());
    assert!(ran.counts.spilled_lines > 0, "{:?}", ran.counts);
}

#[test]
fn timestamps_roll_over_and_transactions_go_on() {
    let mut config = config();
    config.transactions.timestamp_bits = 12;
    let ran = runs(&config, SUM, Some(4));
    assert_eq!(ran.words, sums());
    assert!(ran.counts.roll_overs > 0, "{:?}", ran.counts);
}

#[test]
fn warps_that_abort_for_ever_run_alone() {
    let mut config = config();
    let transactions = &mut config.transactions;
    (transactions.rows_per_way, transactions.bloom_rows, transactions.back_off) = (2, 2, 0);
    transactions.concurrency = 0;
    for (restarts, clocks) in [(3, u64::MAX), (u32::MAX, 500)] {
        let transactions = &mut config.transactions;
        (transactions.alone_after, transactions.livelock_clocks) = (restarts, clocks);
        let ran = runs(&config, SUM, Some(5));
        assert_eq!(ran.words, sums());
        assert!(ran.counts.alone > 0, "{:?}", ran.counts);
    }
    config.transactions.alone_after = 0;
    config.transactions.back_off = 500;
    assert_eq!(runs(&config, SUM, Some(5)).counts.alone, 0);
}

#[test]
fn warps_that_share_timestamps_may_each_read_what_the_other_stores() {
    let mut config = config();
    config.transactions.faithful = true;
    for seed in 1..4 {
        // Who stores to all that it reads has no such conflict.
        let ran = runs(&config, SUM, Some(seed));
        assert_eq!((ran.words, ran.counts.alone), (sums(), 0));
    }
    config.transactions.timestamp_bits = 8;
    let counts = runs(&config, SUM, Some(4)).counts;
    assert!(counts.roll_overs > 0, "{counts:?}");
    let found = (1..20).find_map(|seed| run(&config, GETM, SKEW, Some(seed), |_| {}).err());
    let found = found.expect("a cycle").to_string();
    println!("{found}");
    assert!(found.contains("no serial execution") && found.matches("read").count() > 1, "{found}");
}

#[test]
fn a_log_that_outgrows_its_space_is_refused() {
    let mut config = config();
    config.transactions.log_entries = 3;
    let error =
        run(&config, GETM, SUM, None, |_| {}).map(|_| ()).expect_err("four entries").to_string();
    assert!(error.contains("outgrows its 3 entries") && error.contains("k.ptx"), "{error}");
}

#[test]
fn circuits_in_the_place_of_both_units_agree_with_the_references() {
    let mut config = config();
    (config.transactions.rows_per_way, config.transactions.bloom_rows) = (16, 4);
    let places =
        ["getm_validation@partition1", "getm_commit@partition1"].map(String::from).to_vec();
    let settings = RtlSettings { places, backend: Backend::Native, dut: None, shadow: true };
    let ran = run(&config, GETM, SUM, None, |machine| {
        machine.use_rtl(&settings).unwrap_or_else(|error| panic!("{error}"));
    });
    let ran = ran.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ran.words, sums());
    assert!(ran.compared > 1000, "{}", ran.compared);
}

/// Whether an error is found, by whom; each run is perturbed otherwise.
fn finds(system: System, error: PlantedError) -> Option<String> {
    let mut config = config();
    config.l1.bytes = 1024;
    let found = OnceCell::new();
    for seed in 1..20 {
        for kernel in [SUM, SKEW, SNAPSHOT] {
            match run(&config, system, kernel, Some(seed), |machine| machine.plant(error)) {
                Err(wrong) => found.set(wrong.to_string()).expect("not yet"),
                Ok(ran) if kernel == SUM && ran.words != sums() => {
                    found.set("a wrong sum".to_string()).expect("not yet");
                }
                Ok(_) => continue,
            }
            return found.into_inner();
        }
    }
    None
}

#[test]
fn every_planted_error_is_found() {
    assert!(planted::ERRORS.len() >= 10);
    for error in planted::ERRORS {
        let found = finds(GETM, error);
        println!("{}: {found:?}", error.name);
        let Some(found) = found else { panic!("{} is not found", error.name) };
        let serial = found.contains("not serializable");
        let named = match error {
            RETRY_KEEPS_REGISTERS => found == "a wrong sum",
            planted::OWN_STORE_UNSEEN
            | planted::SPILL_LOSES_LOG
            | planted::LOADS_HIT_L1
            | planted::LOAD_UNVALIDATED => serial || found == "a wrong sum",
            _ => true,
        };
        assert!(named, "{}: {found}", error.name);
    }
}

#[test]
fn without_transactions_every_load_gets_its_value() {
    for seed in 1..4 {
        let settings = Settings { system: GETM, seed, episodes: 500, planted: None };
        let summary = test(&settings).unwrap_or_else(|found| panic!("{found}"));
        assert!(summary.values > 5_000);
    }
}

#[test]
fn without_transactions_litmus_tests_show_nothing_that_is_forbidden() {
    let mut config = Config::preset("small").expect("a preset");
    config.core.weak_loads = litmus::WEAK_LOADS;
    for (file, text) in &TESTS[..8] {
        let parsed = litmus::parse(file, text).unwrap_or_else(|error| panic!("{error}"));
        for variant in parsed.variants(&config.machine) {
            let (config, system) = (&config, GETM);
            let settings =
                litmus::Settings { config, system, seed: 1, runs: 50, most: 50, planted: None };
            let counts = litmus::run(&parsed, variant, &settings);
            let counts = counts.unwrap_or_else(|error| panic!("{error}"));
            assert!(counts.forbidden.iter().all(|count| *count == 0), "{file} {variant}");
        }
    }
}
