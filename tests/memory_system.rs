//! What a memory system can request of the cores: waiting for stores, restarting transactions, holding warps
//! back. And the source of CTAs.

#[path = "adding_a_system/uncached.rs"]
mod uncached;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use warpsmith::gpu::config::{Config, CtaOrder};
use warpsmith::gpu::core::{IssuePolicy, Permit};
use warpsmith::gpu::isa::{self, Boundary, Service};
use warpsmith::gpu::machine::{Launch, LaunchError, Machine};
use warpsmith::gpu::memory::{Device, Done, Event, Mark, MemorySystem, Operation, Shared, Traffic};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::{System, hmg};

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    begins: u32,
    aborted_lanes: u32,
    quanta: u32,
    /// Most warps of a core that were in transactions at once.
    most_running: usize,
}

thread_local! {
    static COUNTS: Cell<Counts> = Cell::default();
}

fn count(change: impl FnOnce(&mut Counts)) {
    let mut counts = COUNTS.get();
    change(&mut counts);
    COUNTS.set(counts);
}

/// The uncached system with marks; it aborts random lanes of transactions.
#[derive(Debug)]
struct Marked(Box<dyn MemorySystem>);

impl MemorySystem for Marked {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        self.0.ready(shared, core)
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        let Operation::Mark { warp, mark } = operation else {
            return self.0.submit(shared, core, operation);
        };
        let answer = match mark {
            Mark::Commit(lanes) => {
                let aborted = lanes & shared.random(u32::MAX) & shared.random(u32::MAX);
                count(|counts| counts.aborted_lanes += aborted.count_ones());
                Done::TransactionEnded { core, warp, aborted }
            }
            Mark::Begin(_) => {
                count(|counts| counts.begins += 1);
                Done::Synchronised { core, warp }
            }
            Mark::EndOfQuantum => {
                count(|counts| counts.quanta += 1);
                Done::Synchronised { core, warp }
            }
        };
        shared.done.push(answer);
        None
    }

    fn takes(&self, _: Mark) -> bool {
        true
    }

    fn acknowledges_stores(&self) -> bool {
        self.0.acknowledges_stores()
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        self.0.handle(shared, event);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.0.traffic(shared)
    }
}

const MARKED: System = System::new("marked", "uncached, with marks", |config| {
    Box::new(Marked((uncached::UNCACHED.make)(config)))
});

/// At most one warp of a core runs a transaction.
#[derive(Debug, Default)]
struct OneTransaction {
    /// For each core the warp that runs one, and whether it is at its end.
    running: HashMap<u32, (u32, bool)>,
    waiting: HashSet<(u32, u32)>,
    woken: Vec<(u32, u32)>,
}

impl IssuePolicy for OneTransaction {
    fn begins(&mut self, _: u32, _: u32) {}

    fn permit(&mut self, core: u32, warp: u32, next: &isa::Operation) -> Permit {
        if self.running.get(&core) == Some(&(warp, true)) {
            self.running.remove(&core);
            self.woken.extend(self.waiting.iter().filter(|other| other.0 == core));
        }
        match next {
            isa::Operation::Service(Service::Transaction(Boundary::Begin)) => {
                if self.running.contains_key(&core) {
                    self.waiting.insert((core, warp));
                    return Permit::Wait;
                }
                self.running.insert(core, (warp, false));
            }
            isa::Operation::Service(Service::Transaction(Boundary::Commit)) => {
                self.running.insert(core, (warp, true));
            }
            _ => {}
        }
        let within = self.running.values().filter(|(_, is_over)| !is_over).count();
        count(|counts| counts.most_running = counts.most_running.max(within));
        Permit::Issue
    }

    fn ends(&mut self, _: u32, _: u32) {}

    fn wakes(&mut self) -> Option<(u32, u32)> {
        let woken = self.woken.pop()?;
        self.waiting.remove(&woken);
        Some(woken)
    }
}

/// Instructions per quantum.
const QUANTUM: u32 = 20;

/// No warp begins a quantum before all have finished the previous one.
#[derive(Debug, Default)]
struct Quanta {
    /// Instructions of each warp in the quantum, and whether it has reported the end.
    live: HashMap<(u32, u32), (u32, bool)>,
    woken: Vec<(u32, u32)>,
}

impl Quanta {
    fn begin_if_all_have_ended(&mut self) {
        if self.live.values().all(|(_, has_ended)| *has_ended) {
            self.live.values_mut().for_each(|warp| *warp = (0, false));
            self.woken.extend(self.live.keys());
        }
    }
}

impl IssuePolicy for Quanta {
    fn begins(&mut self, core: u32, warp: u32) {
        self.live.insert((core, warp), (0, false));
    }

    fn permit(&mut self, core: u32, warp: u32, _: &isa::Operation) -> Permit {
        let Some((instructions, has_ended)) = self.live.get_mut(&(core, warp)) else {
            return Permit::Issue;
        };
        if *has_ended {
            self.begin_if_all_have_ended();
            return Permit::Wait;
        }
        *instructions += 1;
        *has_ended = *instructions > QUANTUM;
        if *has_ended { Permit::EndOfQuantum } else { Permit::Issue }
    }

    fn ends(&mut self, core: u32, warp: u32) {
        self.live.remove(&(core, warp));
        self.begin_if_all_have_ended();
    }

    fn wakes(&mut self) -> Option<(u32, u32)> {
        self.woken.pop()
    }
}

const ONE_TRANSACTION: System =
    System { policy: Some(|_| Box::new(OneTransaction::default())), ..MARKED };
const QUANTA: System = System { policy: Some(|_| Box::new(Quanta::default())), ..MARKED };

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

/// The final words and the counts.
fn run(system: System, seed: u64) -> Result<(Vec<u32>, Counts), LaunchError> {
    COUNTS.set(Counts::default());
    let (words, _) = run_on(&small(), system, Some(seed), 128, KERNEL)?;
    Ok((words, COUNTS.get()))
}

fn small() -> Config {
    Config::preset("small").expect("a preset")
}

#[test]
fn lanes_that_abort_run_their_transaction_again_from_its_checkpoint() {
    let warps = THREADS / 32;
    for seed in 1..6 {
        for system in [MARKED, ONE_TRANSACTION, QUANTA] {
            let (words, counts) = run(system, seed).unwrap_or_else(|error| panic!("{error}"));
            let expected: Vec<_> = (0..THREADS).map(expected).collect();
            assert_eq!(words, expected, "{} seed {seed}", system.name);
            assert!(counts.begins > 3 * warps && counts.aborted_lanes > warps, "{counts:?}");
        }
    }
}

#[test]
fn a_policy_holds_warps_back() {
    let (_, counts) = run(ONE_TRANSACTION, 1).unwrap_or_else(|error| panic!("{error}"));
    assert!((2..=small().machine.cores() as usize).contains(&counts.most_running), "{counts:?}");
    let (_, counts) = run(QUANTA, 1).unwrap_or_else(|error| panic!("{error}"));
    assert!(counts.quanta >= THREADS / 32, "{counts:?}");
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
