//! What a memory system can request of the cores: waiting for stores, restarting transactions, holding warps
//! back. And the source of CTAs.

#[path = "adding_a_system/uncached.rs"]
mod uncached;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use warpsmith::gpu::config::{Config, CtaOrder};
use warpsmith::gpu::isa::{self, Boundary, Service};
use warpsmith::gpu::machine::{Launch, LaunchError, Machine, Work, digest_of_memory};
use warpsmith::gpu::memory::{
    CtaSource, Device, Done, Event, IssuePolicy, MemorySystem, NextCta, Operation, Permit, Request,
    Shared, System, Traffic, TransactionCounts, Transactions,
};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::hmg;

/// The uncached system with transactions, of which it aborts random lanes, and with what else a system may bring.
#[derive(Debug)]
struct Marked {
    memory: Box<dyn MemorySystem>,
    begins: u64,
    aborted_lanes: u64,
    one: Option<OneTransaction>,
    quanta: Option<Quanta>,
    dealer: Option<Dealer>,
}

impl Marked {
    fn new(config: &Config) -> Self {
        let memory = (uncached::UNCACHED.make)(config);
        Self { memory, begins: 0, aborted_lanes: 0, one: None, quanta: None, dealer: None }
    }
}

impl MemorySystem for Marked {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        self.memory.ready(shared, core)
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        self.memory.submit(shared, core, operation)
    }

    fn acknowledges_stores(&self) -> bool {
        self.memory.acknowledges_stores()
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        self.memory.handle(shared, event);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.memory.traffic(shared)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let of = |name, count: Option<u64>| count.map(|count| (name, count));
        let counters = [
            of("transactions begun", Some(self.begins)),
            of("lanes aborted", Some(self.aborted_lanes)),
            of("most in transactions", self.one.as_ref().map(|one| one.most_running as u64)),
            of("quanta", self.quanta.as_ref().map(|quanta| quanta.number)),
            of("complete barriers", self.quanta.as_ref().map(|quanta| quanta.complete)),
        ];
        counters.into_iter().flatten().collect()
    }

    fn policy(&mut self) -> Option<&mut dyn IssuePolicy> {
        match (&mut self.one, &mut self.quanta) {
            (Some(one), _) => Some(one),
            (_, Some(quanta)) => Some(quanta),
            (None, None) => None,
        }
    }

    fn ctas(&mut self) -> Option<&mut dyn CtaSource> {
        self.dealer.as_mut().map(|dealer| dealer as &mut dyn CtaSource)
    }

    fn transactions(&mut self) -> Option<&mut dyn Transactions> {
        Some(self)
    }
}

impl Transactions for Marked {
    fn begin(&mut self, shared: &mut Shared, core: u32, warp: u32, _: u32) {
        self.begins += 1;
        shared.done.push(Done::Synchronised { core, warp });
    }

    fn commit(&mut self, shared: &mut Shared, core: u32, warp: u32, lanes: u32) {
        let aborted = lanes & shared.random(u32::MAX) & shared.random(u32::MAX);
        self.aborted_lanes += u64::from(aborted.count_ones());
        // The policy learns at once that the transaction is over.
        if let Some(one) = &mut self.one {
            one.is_over(core);
        }
        shared.done.push(Done::TransactionEnded { core, warp, aborted });
    }

    fn counts(&self) -> TransactionCounts {
        TransactionCounts::default()
    }
}

const MARKED: System =
    System::new("marked", "uncached, with transactions", |config| Box::new(Marked::new(config)));

/// At most one warp of a core runs a transaction.
#[derive(Debug, Default)]
struct OneTransaction {
    /// For each core the warp that runs one.
    running: HashMap<u32, u32>,
    waiting: HashSet<(u32, u32)>,
    woken: Vec<(u32, u32)>,
    /// Most warps that were in transactions at once.
    most_running: usize,
}

impl OneTransaction {
    fn is_over(&mut self, core: u32) {
        self.running.remove(&core);
        self.woken.extend(self.waiting.iter().filter(|other| other.0 == core));
    }
}

impl IssuePolicy for OneTransaction {
    fn begins(&mut self, _: u32, _: u32, _: Range<u32>) {}

    fn permit(&mut self, core: u32, warp: u32, next: &isa::Operation, _: u32) -> Permit {
        if let isa::Operation::Service(Service::Transaction(Boundary::Begin)) = next {
            if self.running.contains_key(&core) {
                self.waiting.insert((core, warp));
                return Permit::Wait;
            }
            self.running.insert(core, warp);
        }
        self.most_running = self.most_running.max(self.running.len());
        Permit::Issue
    }

    fn ends(&mut self, _: u32, _: u32) {}

    fn request(&mut self) -> Option<Request> {
        let (core, warp) = self.woken.pop()?;
        self.waiting.remove(&(core, warp));
        Some(Request::Wake(core, warp))
    }
}

/// Instructions per quantum.
const QUANTUM: u32 = 20;

/// The state of a warp in a quantum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// It has issued so many instructions.
    Runs(u32),
    /// It has all its answers.
    HasEnded,
    /// It waits at a barrier, in a CTA of which no warp runs if that is set.
    AtBarrier,
}

/// No warp begins a quantum before all have finished the previous one; barriers open between quanta, and so do faults
/// end the launch. Its clock counts quanta.
#[derive(Debug, Default)]
struct Quanta {
    warps: BTreeMap<(u32, u32), Turn>,
    /// The place of the CTA of each warp.
    places: HashMap<(u32, u32), u32>,
    faulty: Option<(u32, u32)>,
    requests: Vec<Request>,
    number: u64,
    complete: u64,
    opens_none: bool,
}

impl Quanta {
    fn set(&mut self, core: u32, warp: u32, turn: Turn) {
        self.warps.insert((core, warp), turn);
        self.end_if_all_have_ended();
    }

    fn end_if_all_have_ended(&mut self) {
        if self.warps.values().any(|turn| matches!(turn, Turn::Runs(_))) {
            return;
        }
        self.number += 1;
        if let Some((core, warp)) = self.faulty {
            return self.requests.push(Request::ReportFault(core, warp));
        }
        let waiting = self.warps.iter().filter(|(_, turn)| **turn == Turn::AtBarrier);
        let places: HashSet<_> = waiting.map(|(at, _)| (at.0, self.places[at])).collect();
        for (core, place) in places {
            if !self.opens_none {
                self.requests.push(Request::OpenBarriers(core, place));
            }
            self.requests.push(Request::CountArrivals(core, place));
        }
        for (at, turn) in &mut self.warps {
            if *turn == Turn::HasEnded {
                self.requests.insert(0, Request::Wake(at.0, at.1));
                *turn = Turn::Runs(0);
            }
        }
    }
}

impl IssuePolicy for Quanta {
    fn begins(&mut self, core: u32, place: u32, warps: Range<u32>) {
        for warp in warps {
            self.warps.insert((core, warp), Turn::Runs(0));
            self.places.insert((core, warp), place);
        }
    }

    fn permit(&mut self, core: u32, warp: u32, _: &isa::Operation, lanes: u32) -> Permit {
        match self.warps.get_mut(&(core, warp)) {
            // Instructions that no lane executes do not count.
            Some(Turn::Runs(_)) if lanes == 0 => Permit::Issue,
            Some(Turn::Runs(QUANTUM)) => Permit::EndOfQuantum,
            Some(Turn::Runs(count)) => {
                *count += 1;
                Permit::Issue
            }
            // A barrier has opened.
            Some(turn @ Turn::AtBarrier) => {
                *turn = Turn::Runs(1);
                Permit::Issue
            }
            Some(Turn::HasEnded) | None => Permit::Wait,
        }
    }

    fn drained(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.done.push(Done::Synchronised { core, warp });
        self.set(core, warp, Turn::HasEnded);
    }

    fn waits(&mut self, core: u32, warp: u32) {
        self.set(core, warp, Turn::AtBarrier);
    }

    fn ends(&mut self, core: u32, warp: u32) {
        self.warps.remove(&(core, warp));
        self.end_if_all_have_ended();
    }

    fn request(&mut self) -> Option<Request> {
        self.requests.pop()
    }

    fn clock(&self, _: u32, _: u32) -> Option<u64> {
        Some(self.number)
    }

    fn defers_barriers(&self) -> bool {
        true
    }

    fn counted(&mut self, _: u32, _: u32, is_complete: bool) {
        self.complete += u64::from(is_complete);
    }

    fn keeps_fault(&mut self, core: u32, warp: u32) -> bool {
        let first = self.faulty.get_or_insert((core, warp));
        *first = (*first).min((core, warp));
        self.warps.remove(&(core, warp));
        self.end_if_all_have_ended();
        true
    }
}

/// Deals CTAs to the core that their number names, half of them when the others have begun.
#[derive(Debug, Default)]
struct Dealer {
    waiting: Vec<NextCta>,
    later: Vec<NextCta>,
    idle: Vec<(u32, u32)>,
    cores: u32,
    /// It never begins the second half.
    keeps: bool,
}

impl CtaSource for Dealer {
    fn begin(&mut self, ctas: &[u64], _: u32) {
        let all = (0..)
            .zip(ctas)
            .flat_map(|(launch, ctas)| (0..*ctas).map(move |number| NextCta { launch, number }));
        (self.waiting, self.later) = all.partition(|cta| cta.number % 2 == 0);
    }

    fn next(&mut self, core: u32, place: u32) -> Option<NextCta> {
        let is_of = |cta: &NextCta| cta.number as u32 % self.cores == core;
        let Some(at) = self.waiting.iter().position(is_of) else {
            self.idle.push((core, place));
            return None;
        };
        Some(self.waiting.remove(at))
    }

    fn wakes(&mut self) -> Option<(u32, u32)> {
        if self.waiting.is_empty() && !self.keeps {
            self.waiting = std::mem::take(&mut self.later);
        }
        let is_of = |(core, _): &(u32, u32)| {
            self.waiting.iter().any(|cta| cta.number as u32 % self.cores == *core)
        };
        let at = self.idle.iter().position(is_of)?;
        Some(self.idle.remove(at))
    }

    fn left(&self) -> u64 {
        (self.waiting.len() + self.later.len()) as u64
    }
}

const ONE_TRANSACTION: System = System::new("one", "one transaction a core", |config| {
    Box::new(Marked { one: Some(OneTransaction::default()), ..Marked::new(config) })
});
const QUANTA: System = System::new("quanta", "in quanta", |config| {
    Box::new(Marked { quanta: Some(Quanta::default()), ..Marked::new(config) })
});
const DEALT: System = System::new("dealt", "deals CTAs itself", |config| {
    let cores = config.machine.cores();
    Box::new(Marked { dealer: Some(Dealer { cores, ..Dealer::default() }), ..Marked::new(config) })
});

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
