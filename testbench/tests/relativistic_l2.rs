//! The circuit of the relativistic L2's bank: the rates and latencies of its page, fills that pass all that waits, and
//! unusual parameters. `blocks.rs` tests that its presets are equal to their reference.

mod support {
    pub mod equal;
}

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_blocks::relativistic_l2::{Kind, Op, Params};
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::equal;

fn preset(name: &str) -> Params {
    Params::presets().into_iter().find(|(preset, _)| *preset == name).expect("a preset").1
}

/// A circuit whose sets are cleared.
struct Circuit {
    simulator: Simulator,
    params: Params,
}

/// What a clock shows: the request is taken, and the answer that leaves.
type Shown = (bool, Option<(Kind, u64)>);

impl Circuit {
    fn new(params: &Params) -> Self {
        let simulator = Simulator::new(&params.circuit()).expect("a circuit");
        let mut circuit = Self { simulator, params: params.clone() };
        for output in ["resp", "dram", "array", "rolled"] {
            circuit.set(&format!("{output}_ready"), 1, 1);
        }
        circuit.set("rst", 1, 1);
        circuit.simulator.clock();
        circuit.set("rst", 1, 0);
        while circuit.clock(None).0 || circuit.get("init_done") == 0 {}
        circuit
    }

    fn set(&mut self, port: &str, width: u32, value: u64) {
        self.simulator.set(port, Bits::new(width, value));
    }

    fn get(&mut self, port: &str) -> u64 {
        self.simulator.get(port).words()[0]
    }

    /// One clock with that request: operation, core, block and now.
    fn clock(&mut self, request: Option<(Op, u64, u64, u64)>) -> Shown {
        let p = self.params.clone();
        let (op, core, block, now) = request.unwrap_or((Op::Gets, 0, 0, 0));
        self.set("req_valid", 1, request.is_some().into());
        self.set("req_op", 2, op as u64);
        self.set("req_core", p.core_bits(), core);
        self.set("req_address", p.address_bits, p.address_of(block));
        self.set("req_now", p.timestamp_bits, now);
        self.simulator.clock();
        let taken = request.is_some() && self.get("req_ready") == 1;
        let answers = self.get("resp_valid") == 1;
        let kind = Kind::of(self.get("resp_kind")).expect("a kind");
        (taken, answers.then(|| (kind, self.get("resp_ver").max(self.get("resp_exp")))))
    }

    /// One clock in which the data of an MSHR come: whether they are taken.
    fn fill(&mut self, mshr: u64) -> bool {
        self.set("filled_valid", 1, 1);
        self.set("filled_mshr", self.params.mshr_bits(), mshr);
        self.clock(None);
        self.set("filled_valid", 1, 0);
        self.get("filled_ready") == 1
    }

    fn idle(&mut self, clocks: u32) {
        (0..clocks).for_each(|_| _ = self.clock(None));
    }

    /// A circuit with that block.
    fn with_block(params: &Params, block: u64) -> Self {
        let mut circuit = Self::new(params);
        assert!(circuit.clock(Some((Op::Write, 0, block, 1))).0);
        circuit.idle(12);
        assert!(circuit.fill(0));
        circuit.idle(12);
        circuit
    }
}

#[test]
fn requests_to_one_block_are_taken_and_answered_at_every_clock() {
    let mut circuit = Circuit::with_block(&preset("paper"), 77);
    let op = |i: u64| [Op::Gets, Op::Write, Op::Gets, Op::Atomic][i as usize % 4];
    let clocks: Vec<_> = (0..4000).map(|i| circuit.clock(Some((op(i), i % 16, 77, i)))).collect();
    assert!(clocks.iter().all(|(taken, _)| *taken), "a request a clock");
    let first = clocks.iter().position(|(_, answer)| answer.is_some()).expect("answers");
    assert!(clocks[first..].iter().all(|(_, answer)| answer.is_some()), "an answer a clock");
    assert_eq!(first, 8, "the latency on the page");
}

#[test]
fn misses_are_taken_at_every_clock() {
    let mut circuit = Circuit::new(&preset("paper"));
    for block in 0..128 {
        assert!(circuit.clock(Some((Op::Gets, 0, block, 0))).0, "miss {block}");
    }
}

#[test]
fn a_fill_takes_a_clock_and_one_for_each_reader() {
    let params = preset("paper");
    let mut circuit = Circuit::new(&params);
    for core in 0..16 {
        circuit.clock(Some((Op::Gets, core, 5, 0)));
    }
    circuit.idle(12);
    assert!(circuit.fill(0));
    let answers: Vec<_> = (0..32).map(|_| circuit.clock(None).1.is_some()).collect();
    let first = answers.iter().position(|answer| *answer).expect("answers");
    assert!(answers[first..first + 16].iter().all(|answer| *answer), "one a clock: {answers:?}");
    assert!(answers[first + 16..].iter().all(|answer| !*answer));
}

#[test]
fn fills_pass_requests_that_wait_and_a_fetch_that_cannot_leave() {
    let params = preset("fpga");
    let mut circuit = Circuit::new(&params);
    for block in 0..4 {
        circuit.clock(Some((Op::Gets, 0, block, 0)));
    }
    circuit.idle(16);
    circuit.set("dram_ready", 1, 0);
    // Misses until none is taken: the fetches cannot leave.
    let taken = (4..100).filter(|&block| circuit.clock(Some((Op::Gets, 1, block, 0))).0).count();
    assert!((8..16).contains(&taken), "{taken} are taken");
    for mshr in 0..4 {
        assert!((0..9).any(|_| circuit.fill(mshr)), "fill {mshr} is taken");
    }
    let answers = (0..64).filter(|_| circuit.clock(None).1.is_some()).count();
    assert!(answers >= 1, "the fills are answered");
}

#[test]
fn odd_banks_are_equal_and_meet_every_corner() {
    let tiny = preset("tiny");
    let odd = [
        Params { faithful: true, ..tiny.clone() },
        Params { cores: 3, mshrs: 3, ..tiny.clone() },
        Params { cores: 1, ways: 4, mshrs: 5, address_bits: 8, ..tiny.clone() },
        Params { ways: 1, mshrs: 1, timestamp_bits: 5, lease_doublings: 2, ..tiny.clone() },
        Params { ways: 3, mshrs: 6, lease_doublings: 0, address_bits: 7, ..tiny.clone() },
        Params { timestamp_bits: 48, sets: 4, address_bits: 48, tag_bits: 16, ..preset("fpga") },
    ];
    for design in odd {
        design.validate().expect("possible");
        let plan =
            Plan { requests: 300_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&design, Backend::Native, &plan);
        let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        assert!(missed.is_empty(), "{}: not met: {missed:?}", design.params());
    }
}

#[test]
fn the_presets_are_equal() {
    for (name, design) in Params::presets() {
        let plan =
            Plan { requests: 100_000, seed: 3, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&design, Backend::Native, &plan);
        let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        println!("{name}: {} clocks, not met: {missed:?}", summary.clocks);
        assert!(name != "tiny" || missed.is_empty(), "{name}: not met: {missed:?}");
    }
}
