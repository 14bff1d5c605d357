//! The Bloom filters' circuit: the rate and latency stated on its page, clears of one clock, and unusual parameters.
//! `blocks.rs` tests that its presets are equal to their reference.

mod support {
    pub mod equal;
}

use warpsmith_blocks::block::Design;
use warpsmith_blocks::bloom_filter::{Op, Params, Request};
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::equal;

fn paper() -> Params {
    Params::presets().pop().expect("presets").1
}

/// A circuit after a reset.
struct Circuit {
    simulator: Simulator,
    params: Params,
}

impl Circuit {
    fn new(params: &Params) -> Self {
        let simulator = Simulator::new(&params.circuit()).expect("a circuit");
        let mut circuit = Self { simulator, params: params.clone() };
        circuit.set("resp_ready", 1, 1);
        circuit.set("rst", 1, 1);
        circuit.clock(None);
        circuit.set("rst", 1, 0);
        circuit
    }

    fn set(&mut self, port: &str, width: u32, value: u64) {
        self.simulator.set(port, Bits::new(width, value));
    }

    /// The port's value in the last clock.
    fn get(&mut self, port: &str) -> u64 {
        self.simulator.get(port).words()[0]
    }

    /// One clock with that offer: whether it was accepted, and the answer that is offered.
    fn clock(&mut self, request: Option<Request>) -> (bool, Option<bool>) {
        let shown = request.unwrap_or(Request { op: Op::Insert, wavefront: 0, line: 0 });
        let (wavefront_bits, line_bits) = (self.params.wavefront_bits(), self.params.line_bits);
        self.set("req_valid", 1, request.is_some().into());
        self.set("req_op", 2, shown.op as u64);
        self.set("req_wavefront", wavefront_bits, shown.wavefront);
        self.set("req_line", line_bits, shown.line);
        self.simulator.clock();
        let accepted = request.is_some() && self.get("req_ready") == 1;
        (accepted, (self.get("resp_valid") == 1).then(|| self.get("resp_hit") == 1))
    }

    /// All of them back to back, and three clocks more: the answers, each with its clock.
    fn run(&mut self, requests: &[Request]) -> Vec<(usize, bool)> {
        let mut answers = Vec::new();
        let idle = [None; 3];
        let offers = requests.iter().copied().map(Some).chain(idle);
        for (clock, offer) in offers.enumerate() {
            let (accepted, answer) = self.clock(offer);
            assert_eq!(accepted, offer.is_some(), "clock {clock}");
            answers.extend(answer.map(|hit| (clock, hit)));
        }
        answers
    }
}

fn request(op: Op, wavefront: u64, line: u64) -> Request {
    Request { op, wavefront, line }
}

#[test]
fn a_request_is_accepted_at_every_clock_and_a_query_answered_after_three() {
    let mut circuit = Circuit::new(&paper());
    let queries: Vec<_> = (0..10_000).map(|line| request(Op::Query, line % 48, line)).collect();
    let answers = circuit.run(&queries);
    let expected: Vec<_> = (0..10_000).map(|query| (query + 3, false)).collect();
    assert_eq!(answers, expected);
}

#[test]
fn the_answer_is_right_at_any_distance_from_the_insertion() {
    for between in 0..6 {
        let mut circuit = Circuit::new(&paper());
        let mut requests = vec![request(Op::Insert, 5, 77), request(Op::Insert, 5, 78)];
        requests.extend((0..between).map(|line| request(Op::Insert, 6, line)));
        requests.extend([77, 78, 79].map(|line| request(Op::Query, 5, line)));
        let first = requests.len();
        let expected = [(first, true), (first + 1, true), (first + 2, false)];
        assert_eq!(circuit.run(&requests), expected, "{between} between");
    }
}

#[test]
fn a_clear_takes_one_clock_whatever_was_inserted() {
    let mut circuit = Circuit::new(&paper());
    let fill: Vec<_> = (0..4800).map(|i| request(Op::Insert, i % 48, i)).collect();
    assert_eq!(circuit.run(&fill), []);
    let query = |wavefront| request(Op::Query, wavefront, wavefront);
    let one = [request(Op::Clear, 7, 0), query(7), query(8)];
    assert_eq!(circuit.run(&one), [(4, false), (5, true)]);
    let all: Vec<_> = [request(Op::ClearAll, 0, 0)].into_iter().chain((0..48).map(query)).collect();
    let answers = circuit.run(&all);
    assert_eq!(answers.len(), 48);
    assert!(answers.iter().all(|(_, hit)| !hit));
}

#[test]
fn a_stalled_answer_leaves_room_for_three_queries_more() {
    let mut circuit = Circuit::new(&paper());
    circuit.set("resp_ready", 1, 0);
    let query = Some(request(Op::Query, 0, 1));
    let taken = (0..100).filter(|_| circuit.clock(query).0).count();
    assert_eq!(taken, 4, "two wait, and two are in the stages");
    circuit.set("resp_ready", 1, 1);
    assert_eq!(circuit.clock(query), (false, Some(false)));
    assert_eq!(circuit.clock(query), (true, Some(false)), "ready in the next clock");
}

#[test]
fn odd_filters_are_equal_and_meet_every_corner() {
    let tiny = Params::presets().remove(0).1;
    let odd = [
        Params { wavefronts: 1, ..tiny.clone() },
        Params { wavefronts: 3, sub_arrays: 1, line_bits: 2, ..tiny.clone() },
        Params { wavefronts: 5, sub_arrays: 3, bits: 8, line_bits: 9, hash_seed: 7 },
        // Figure 6.6: 128 bits.
        Params { wavefronts: 4, bits: 32, ..paper() },
        Params { wavefronts: 2, sub_arrays: 8, bits: 4, line_bits: 57, hash_seed: u32::MAX },
        // Fewer lines than bits.
        Params { wavefronts: 2, sub_arrays: 2, bits: 64, line_bits: 4, hash_seed: 3 },
        Params { wavefronts: 64, sub_arrays: 1, bits: 64, line_bits: 12, hash_seed: 2 },
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
fn the_largest_filters_are_equal() {
    let design = Params { wavefronts: 64, sub_arrays: 8, bits: 1024, line_bits: 57, hash_seed: 1 };
    design.validate().expect("possible");
    let plan = Plan { requests: 5_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
    equal(&design, Backend::Native, &plan);
}

#[test]
fn impossible_parameters_are_named() {
    let refused = |params: Params| params.validate().expect_err("impossible").to_string();
    let wavefronts = refused(Params { wavefronts: 65, ..paper() });
    assert_eq!(wavefronts, "parameter `wavefronts` is 65; accepted: 1 to 64");
    let sub_arrays = refused(Params { sub_arrays: 0, ..paper() });
    assert_eq!(sub_arrays, "parameter `sub_arrays` is 0; accepted: 1 to 8");
    let bits = refused(Params { bits: 48, ..paper() });
    assert_eq!(bits, "parameter `bits` is 48; accepted: a power of two, 4 to 1024");
    let line_bits = refused(Params { line_bits: 58, ..paper() });
    assert_eq!(line_bits, "parameter `line_bits` is 58; accepted: 2 to 57");
}
