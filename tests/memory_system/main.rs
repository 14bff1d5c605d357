//! What a memory system can request of the cores: waiting for stores, restarting transactions, holding warps
//! back. And the source of CTAs.

mod dealer;
mod marked;
mod one_transaction;
mod quanta;
#[path = "../adding_a_system/uncached.rs"]
mod uncached;

use std::collections::{BTreeMap, HashSet};

use dealer::Dealer;
use marked::{DEALT, MARKED, Marked, ONE_TRANSACTION, QUANTA};
use quanta::Quanta;
use warpsmith::gpu::config::{Config, CtaOrder};
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, LaunchError, Machine, Work, digest_of_memory};
use warpsmith::gpu::memory::{Device, System};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::hmg;

/// Each thread adds to its word in three transactions, each of which depends on the previous ones.
const KERNEL: &str = ".version 6.4\n.target sm_70\n.address_size 64\n\
    .extern .func __tx_begin(); .extern .func __tx_commit();\n\
    .visible .entry k(.param .u64 out) {\n\
    .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n\
    ld.param.u64 %rd0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n\
    mad.lo.u32 %r0, %r0, %r1, %r2; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1;\n\
    mov.u32 %r1, 1; mov.u32 %r3, 0;\n\
    again: call.uni __tx_begin;\n\
    ld.global.u32 %r4, [%rd0]; shl.b32 %r1, %r1, 1; add.u32 %r1, %r1, %r0; add.u32 %r4, %r4, %r1;\n\
    call.uni __tx_commit;\n\
    st.global.u32 [%rd0], %r4; fence.acq_rel.gpu;\n\
    add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 3; @%p0 bra again; ret; }\n";

const THREADS: u32 = 6 * 128;

fn expected(thread: u32) -> u32 {
    let (mut step, mut word) = (1, 0);
    for _ in 0..3 {
        step = step * 2 + thread;
        word += step;
    }
    word
}

/// The final words of a run on the `small` machine with CTAs of `block` threads, and the machine.
fn run_on(
    config: &Config,
    system: System,
    seed: Option<u64>,
    block: u32,
    kernel: &str,
) -> Result<(Vec<u32>, Machine), LaunchError> {
    let image = Image::new(isa::load("test.ptx", kernel).unwrap_or_else(|error| panic!("{error}")));
    let mut device = Device::default();
    device.allocate("variables", image.program.globals.len());
    let bytes = THREADS as usize * 4;
    let out = device.allocate("out", bytes);
    let mut machine = Machine::new(config, system, seed);
    machine.load(device, &[]);
    let launch = Launch {
        grid: [THREADS / block, 1, 1],
        block: [block, 1, 1],
        parameters: out.to_le_bytes().to_vec(),
        resident: 1,
        watchdog: 100_000,
        ..Launch::default()
    };
    machine.run(&image, &image.program.kernels[0], &launch)?;
    let words = machine.device().get(out, bytes).expect("allocated");
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let words = words.chunks(4).map(word).collect();
    Ok((words, machine))
}

/// The final words and the counters.
fn run(system: System, seed: u64) -> Result<(Vec<u32>, BTreeMap<&'static str, u64>), LaunchError> {
    let (words, machine) = run_on(&small(), system, Some(seed), 128, KERNEL)?;
    Ok((words, machine.counters().into_iter().collect()))
}

fn small() -> Config {
    Config::preset("small").expect("a preset")
}

#[test]
fn lanes_that_abort_run_their_transaction_again_from_its_checkpoint() {
    let warps = u64::from(THREADS / 32);
    for seed in 1..6 {
        for system in [MARKED, ONE_TRANSACTION, QUANTA, DEALT] {
            let (words, counts) = run(system, seed).unwrap_or_else(|error| panic!("{error}"));
            let expected: Vec<_> = (0..THREADS).map(expected).collect();
            assert_eq!(words, expected, "{} seed {seed}", system.name);
            assert!(counts["transactions begun"] > 3 * warps, "{counts:?}");
            assert!(counts["lanes aborted"] > warps, "{counts:?}");
        }
    }
}

#[test]
fn a_policy_holds_warps_back() {
    let (_, counts) = run(ONE_TRANSACTION, 1).unwrap_or_else(|error| panic!("{error}"));
    let cores = u64::from(small().machine.cores());
    assert!((2..=cores).contains(&counts["most in transactions"]), "{counts:?}");
    let (_, counts) = run(QUANTA, 1).unwrap_or_else(|error| panic!("{error}"));
    assert!(counts["quanta"] >= 3, "{counts:?}");
}

#[test]
fn transactions_that_do_not_fit_together_are_refused() {
    let (begin, commit) = ("call.uni __tx_begin;", "call.uni __tx_commit;");
    let lanes = "and.b32 %r5, %r2, 31; setp.lt.u32 %p0, %r5, 9;";
    let others = format!("{lanes} {begin} @!%p0 bra on; {commit} on:");
    let commit_of_others = "__tx_commit of lanes that have not begun";
    for (body, problem) in [
        (format!("{begin} {begin}"), "__tx_begin within a transaction"),
        (format!("{begin} bar.sync 0;"), "a barrier within a transaction"),
        (begin.to_string(), "the end of the kernel within a transaction"),
        (commit.to_string(), commit_of_others),
        (others, commit_of_others),
    ] {
        let (start, _) = KERNEL.split_once("again:").expect("the loop");
        let kernel = format!("{start} {body} ret; }}");
        let refused = run_on(&small(), MARKED, None, 128, &kernel).map(|(words, _)| words);
        let error = refused.expect_err("it is refused").to_string();
        assert!(error.contains(problem), "{body}: {error}");
    }
}

#[test]
fn a_system_without_transactions_refuses_them_by_name() {
    let error = run(hmg::HMG, 1).expect_err("HMG has none").to_string();
    assert!(error.contains("the memory system `hmg` has no transactions"), "{error}");
}

#[test]
fn neighbouring_ctas_share_a_page_at_home_unless_they_are_dealt_out_in_turn() {
    let remote = |order: CtaOrder| {
        let mut config = small();
        config.machine.cta_order = order;
        // The words of two CTAs are in one page of 512 bytes.
        let (words, machine) = run_on(&config, MARKED, None, 64, KERNEL).expect("it runs");
        assert!((0..).zip(words).all(|(thread, word)| word == expected(thread)));
        let traffic = machine.statistics().traffic;
        traffic.between_gpms + traffic.between_gpus
    };
    let (contiguous, in_turn) = (remote(CtaOrder::Contiguous), remote(CtaOrder::RoundRobin));
    assert!(contiguous * 2 < in_turn, "{contiguous} bytes, {in_turn} in turn");
}

/// Each thread writes where its launch tells, after a barrier and a wait for the next value of the clock.
const CLOCK: &str = ".version 6.4\n.target sm_70\n.address_size 64\n\
    .visible .entry first(.param .u64 out) { BODY 1; ret; }\n\
    .visible .entry second(.param .u64 out) { BODY 2; ret; }\n";

fn two_kernels() -> String {
    let body = ".reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n\
        ld.param.u64 %rd0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n\
        mad.lo.u32 %r0, %r0, %r1, %r2; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1;\n\
        bar.sync 0; mov.u32 %r3, %clock;\n\
        again: mov.u32 %r4, %clock; setp.eq.u32 %p0, %r3, %r4; @%p0 bra again;\n\
        st.global.u32 [%rd0],";
    CLOCK.replace("BODY", body)
}

/// Both kernels at once, each with a buffer of its own; the words of both, and the digests of registers and memory.
fn run_both(system: System, seed: u64) -> Result<(Vec<u32>, [String; 2]), LaunchError> {
    let kernels = two_kernels();
    let image =
        Image::new(isa::load("two.ptx", &kernels).unwrap_or_else(|error| panic!("{error}")));
    let mut device = Device::default();
    let bytes = THREADS as usize * 4;
    let buffers = ["one", "two"].map(|name| device.allocate(name, bytes));
    let mut machine = Machine::new(&small(), system, Some(seed));
    machine.load(device, &[]);
    let launches = [(0, 128), (1, 64)].map(|(at, block)| Launch {
        grid: [THREADS / block, 1, 1],
        block: [block, 1, 1],
        parameters: buffers[at].to_le_bytes().to_vec(),
        resident: 1,
        watchdog: 100_000,
        digest: true,
        ..Launch::default()
    });
    let kernels = image.program.kernels.iter().zip(&launches);
    let work: Vec<_> = kernels.map(|(kernel, launch)| Work { kernel, launch }).collect();
    let outcome = machine.run_together(&image, &work)?;
    let registers = outcome.outcome.registers.expect("asked for");
    let words = |at: u64| {
        let words = machine.device().get(at, bytes).expect("allocated").chunks(4);
        words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    };
    let words: [Vec<u32>; 2] = buffers.map(words);
    Ok((words.concat(), [registers, digest_of_memory(machine.device())]))
}

#[test]
fn kernels_run_beside_each_other_in_places_for_the_larger() {
    let expected = [vec![1; THREADS as usize], vec![2; THREADS as usize]].concat();
    for system in [MARKED, QUANTA, DEALT] {
        for seed in 1..4 {
            let (words, _) = run_both(system, seed).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(words, expected, "{} seed {seed}", system.name);
        }
    }
}

#[test]
fn a_policys_clock_and_barriers_do_not_depend_on_time() {
    let digests = |system| {
        let digests = (1..6).map(|seed| run_both(system, seed).expect("it runs").1);
        digests.collect::<HashSet<_>>()
    };
    // The clock is left in a register.
    assert!(digests(MARKED).len() > 1);
    assert_eq!(digests(MARKED).iter().map(|[_, memory]| memory).collect::<HashSet<_>>().len(), 1);
    assert_eq!(digests(QUANTA).len(), 1);
}

#[test]
fn barriers_open_when_the_policy_lets_them_and_not_before() {
    let (_, machine) =
        run_on(&small(), QUANTA, Some(1), 128, &barrier_kernel("")).expect("it runs");
    let counters: BTreeMap<_, _> = machine.counters().into_iter().collect();
    assert_eq!(counters["complete barriers"], u64::from(THREADS / 128), "{counters:?}");
    let refuses = System::new("refuses", "opens no barrier", |config| {
        let quanta = Quanta { opens_none: true, ..Quanta::default() };
        Box::new(Marked { quanta: Some(quanta), ..Marked::new(config) })
    });
    let stuck = run_on(&small(), refuses, Some(1), 128, &barrier_kernel("")).map(|_| ());
    let error = stuck.expect_err("nobody opens the barriers").to_string();
    assert!(error.contains("waits at barrier 0"), "{error}");
}

fn barrier_kernel(before: &str) -> String {
    let (start, _) = KERNEL.split_once("again:").expect("the loop");
    format!("{start} {before} bar.sync 0; st.global.u32 [%rd0], %r1; ret; }}")
}

#[test]
fn the_fault_that_is_reported_is_the_policys_choice() {
    // Warps 1 and 3 of each CTA load from address 0; 3 gets there earlier.
    let faults = "shr.u32 %r5, %r2, 5; and.b32 %r6, %r5, 1; setp.eq.u32 %p0, %r6, 0; @%p0 bra on;\n\
        setp.eq.u32 %p1, %r5, 3; @%p1 bra bad; mov.u32 %r3, 3; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n\
        bad: mov.u64 %rd1, 0; ld.global.u32 %r4, [%rd1];\n\
        on:";
    let fault = |system, seed| {
        let ended = run_on(&small(), system, Some(seed), 128, &barrier_kernel(faults)).map(|_| ());
        ended.expect_err("it faults").to_string()
    };
    let all = |system| (1..6).map(|seed| fault(system, seed)).collect::<HashSet<_>>();
    assert!(all(MARKED).len() > 1);
    let reported = all(QUANTA);
    assert!(
        reported.len() == 1 && reported.iter().all(|it| it.contains("CTA (0, 0, 0) thread (32")),
        "{reported:?}"
    );
}

#[test]
fn ctas_that_nobody_begins_are_told() {
    let keeps = System::new("keeps", "begins half of the CTAs", |config| {
        let dealer = Dealer { cores: config.machine.cores(), keeps: true, ..Dealer::default() };
        Box::new(Marked { dealer: Some(dealer), ..Marked::new(config) })
    });
    let error =
        run_on(&small(), keeps, Some(1), 128, KERNEL).map(|_| ()).expect_err("half is left");
    assert!(error.to_string().contains("nobody begins the 3 CTAs that are left"), "{error}");
}
