//! The S-FIFO's circuit: the rates and latencies stated on its page, the depths of the paper's other levels,
//! and unusual parameters. `blocks.rs` tests that its presets are equal to their reference.

mod support {
    pub mod equal;
}

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_blocks::s_fifo::{Entry, Params};
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::equal;

fn paper() -> Params {
    Params::presets().pop().expect("presets").1
}

/// A circuit after a reset, always ready to give.
struct Circuit {
    simulator: Simulator,
    params: Params,
    takes: bool,
}

impl Circuit {
    fn new(params: &Params) -> Self {
        let simulator = Simulator::new(&params.circuit()).expect("a circuit");
        let mut circuit = Self { simulator, params: params.clone(), takes: true };
        circuit.offer(None);
        circuit.takes(true);
        circuit.set("rst", 1, 1);
        circuit.simulator.clock();
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

    fn offer(&mut self, entry: Option<Entry>) {
        let shown = entry.unwrap_or(Entry::write(0));
        let Params { block_bits, wavefront_bits, .. } = self.params;
        self.set("enqueue_valid", 1, entry.is_some().into());
        self.set("enqueue_kind", 2, shown.encode()[0]);
        self.set("enqueue_block", block_bits, shown.block);
        self.set("enqueue_wavefront", wavefront_bits, shown.wavefront);
        self.set("enqueue_needs_ack", 1, shown.needs_ack.into());
    }

    fn takes(&mut self, takes: bool) {
        self.takes = takes;
        self.set("dequeue_ready", 1, takes.into());
    }

    /// One clock with that offer: whether it was accepted, and the kind of what left.
    fn clock(&mut self, entry: Option<Entry>) -> (bool, Option<u64>) {
        self.offer(entry);
        self.simulator.clock();
        let leaves = self.get("dequeue_valid") == 1 && self.takes;
        let kind = self.get("dequeue_kind");
        (entry.is_some() && self.get("enqueue_ready") == 1, leaves.then_some(kind))
    }
}

#[test]
fn a_full_fifo_takes_one_entry_and_gives_one_at_every_clock() {
    let mut circuit = Circuit::new(&paper());
    let (mut accepted, mut left) = (0, 0);
    let clocks = 10_000;
    for block in 0..clocks {
        let (taken, leaves) = circuit.clock(Some(Entry::write(block)));
        accepted += u64::from(taken);
        left += u64::from(leaves.is_some());
    }
    println!("clocks per accepted entry: {:.3}", clocks as f64 / accepted as f64);
    assert_eq!((accepted, left), (clocks, clocks - 64 - 1), "none is due in the first 65 clocks");
}

#[test]
fn a_release_leaves_one_clock_later_for_each_entry_ahead_of_it() {
    let mut slopes = Vec::new();
    for ahead in [0, 1, 2, 10, 40, 63] {
        let mut circuit = Circuit::new(&paper());
        (0..ahead)
            .for_each(|block| assert_eq!(circuit.clock(Some(Entry::write(block))), (true, None)));
        assert_eq!(circuit.clock(Some(Entry::release(1, true))), (true, None));
        let mut clocks = 1;
        while circuit.clock(None).1 != Some(2) {
            clocks += 1;
            assert!(clocks < 200, "{ahead} entries ahead: no release");
        }
        println!("{ahead} entries ahead: the release leaves after {clocks} clocks");
        slopes.push((ahead, clocks));
    }
    assert!(slopes.iter().all(|&(ahead, clocks)| clocks == ahead + 2), "{slopes:?}");
}

#[test]
fn a_stalled_fifo_takes_two_entries_more_than_it_waits_with() {
    let mut circuit = Circuit::new(&paper());
    circuit.takes(false);
    let taken = (0..100).filter(|&block| circuit.clock(Some(Entry::write(block))).0).count();
    assert_eq!(taken, 66);
    circuit.takes(true);
    assert_eq!(circuit.clock(Some(Entry::write(0))), (false, Some(0)));
    assert_eq!(circuit.clock(Some(Entry::write(0))), (true, Some(0)), "ready in the next clock");
}

#[test]
fn the_fifos_of_all_levels_and_odd_ones_are_equal_and_meet_every_corner() {
    let tiny = Params::presets().remove(0).1;
    let odd = [
        // Table 1: S-FIFO2 and S-FIFO3; a wavefront's number has that of its compute unit in it.
        Params { depth: 128, wavefront_bits: 9, ..paper() },
        Params { depth: 256, wavefront_bits: 9, ..paper() },
        Params { depth: 2, ..tiny.clone() },
        Params { depth: 3, block_bits: 1, ..tiny.clone() },
        Params { depth: 13, block_bits: 5, wavefront_bits: 16 },
        Params { depth: 33, block_bits: 58, ..tiny },
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
fn impossible_parameters_are_named() {
    let refused = |params: Params| params.validate().expect_err("impossible").to_string();
    let depth = refused(Params { depth: 0, ..paper() });
    assert_eq!(depth, "parameter `depth` is 0; accepted: 2 to 4096");
    let block = refused(Params { block_bits: 59, ..paper() });
    assert_eq!(block, "parameter `block_bits` is 59; accepted: 1 to 58");
    let wavefront = refused(Params { wavefront_bits: 0, ..paper() });
    assert_eq!(wavefront, "parameter `wavefront_bits` is 0; accepted: 1 to 16");
}
