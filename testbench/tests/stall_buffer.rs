//! The stall buffer's circuit: the latency and rate stated on its page, and unusual parameters. `blocks.rs`
//! tests that its presets are equal to their reference.

mod support {
    pub mod equal;
}

use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_stall_buffer::Params;
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::equal;

/// The circuit of the paper's preset, after a reset.
struct Circuit(Simulator);

const ADDRESS: u32 = 48;

impl Circuit {
    fn new() -> Self {
        let (_, paper) = Params::presets().pop().expect("presets");
        let mut circuit = Self(Simulator::new(&paper.circuit()).expect("a circuit"));
        for port in ["park_valid", "retry_result_valid", "release_valid", "retry_ready"] {
            circuit.set(port, 1, 0);
        }
        for port in ["park_store", "retry_result_reserved", "release_all"] {
            circuit.set(port, 1, 0);
        }
        circuit.set("rst", 1, 1);
        circuit.0.clock();
        circuit.set("rst", 1, 0);
        circuit
    }

    fn set(&mut self, port: &str, width: u32, value: u64) {
        self.0.set(port, Bits::new(width, value));
    }

    /// The port's value in the last clock.
    fn get(&mut self, port: &str) -> u64 {
        self.0.get(port).words()[0]
    }

    fn park(&mut self, address: u64, warp: u64, warpts: u64) {
        self.set("park_valid", 1, 1);
        self.set("park_address", ADDRESS, address);
        self.set("park_warp", 10, warp);
        self.set("park_warpts", 32, warpts);
    }

    fn release(&mut self, address: u64) {
        self.set("release_valid", 1, 1);
        self.set("release_address", ADDRESS, address);
    }

    fn result(&mut self, address: u64) {
        self.set("retry_result_valid", 1, 1);
        self.set("retry_result_address", ADDRESS, address);
    }

    /// One clock; then withdraws all offers.
    fn clock(&mut self) {
        self.0.clock();
        for port in ["park_valid", "retry_result_valid", "release_valid"] {
            self.set(port, 1, 0);
        }
    }
}

#[test]
fn a_park_is_answered_in_the_next_clock_and_a_retry_comes_two_clocks_after_its_release() {
    let mut circuit = Circuit::new();
    circuit.park(0x40, 7, 5);
    circuit.release(0x40);
    circuit.clock();
    assert_eq!((circuit.get("parked_valid"), circuit.get("retry_valid")), (0, 0));
    circuit.clock();
    assert_eq!((circuit.get("parked_valid"), circuit.get("parked_room")), (1, 1));
    assert_eq!(circuit.get("retry_valid"), 0);
    circuit.clock();
    assert_eq!(circuit.get("parked_valid"), 0);
    assert_eq!((circuit.get("retry_valid"), circuit.get("retry_warp")), (1, 7));
}

#[test]
fn a_park_a_result_a_release_and_a_retry_are_done_at_each_clock() {
    let mut circuit = Circuit::new();
    circuit.set("retry_ready", 1, 1);
    // Four addresses in turn, each released as it parks, and answered as its retry is taken.
    let (mut retries, mut taken) = (0, None);
    for clock in 0..1000 {
        let address = 32 * (clock % 4);
        circuit.park(address, clock % 1024, 0);
        circuit.release(address);
        if let Some(address) = taken.take() {
            circuit.result(address);
        }
        circuit.clock();
        if clock > 0 {
            let answer = (circuit.get("parked_valid"), circuit.get("parked_room"));
            assert_eq!(answer, (1, 1), "{clock}");
        }
        if circuit.get("retry_valid") == 1 {
            retries += 1;
            taken = Some(circuit.get("retry_address"));
        }
        assert_eq!(circuit.get("error_valid"), 0, "{clock}");
    }
    assert_eq!(retries, 1000 - 2, "none in the first two clocks");
}

#[test]
fn odd_parameters_are_equal_and_meet_every_corner() {
    let tiny = Params::presets().remove(0).1;
    let odd = [
        Params { lines: 1, entries: 1, ..tiny.clone() },
        Params { lines: 1, entries: 5, ..tiny.clone() },
        Params { lines: 3, entries: 1, ..tiny.clone() },
        Params { lines: 4, entries: 3, granule_bytes: 1, address_bits: 2, ..tiny.clone() },
        Params { lines: 7, entries: 2, address_bits: 64, timestamp_bits: 63, ..tiny.clone() },
        Params {
            lines: 2,
            entries: 9,
            owner_bits: 16,
            granule_bytes: 4096,
            address_bits: 64,
            ..tiny
        },
    ];
    for design in odd {
        design.validate().expect("possible");
        let plan =
            Plan { requests: 500_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&design, Backend::Native, &plan);
        let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        assert!(missed.is_empty(), "{}: not met: {missed:?}", design.params());
    }
}
