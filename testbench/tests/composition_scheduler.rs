//! The composition scheduler's circuit: the latency and rate stated on its page, how long a group takes,
//! the state of figure 6.10, and unusual parameters. `blocks.rs` tests that its presets are equal to their
//! reference.

mod support {
    pub mod composing;
    pub mod equal;
}

use warpsmith_blocks::block::{Block, Design};
use warpsmith_blocks::channel::Channel;
use warpsmith_blocks::chopin_composition_scheduler::{
    CompositionScheduler, Finished, Params, Start, Transfer,
};
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_blocks::properties::{NoProperties, Properties};
use warpsmith_blocks::verification::{Contract, Reference, Stimulus};
use warpsmith_rtl::Module;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::composing::{Machine, Network};
use support::equal::equal;

fn finished(gpu: u64, transparent: bool) -> Option<Finished> {
    Some(Finished { gpu, transparent })
}

fn ended(start: &Start) -> Option<Transfer> {
    Some(Transfer { src: start.src, dst: start.dst })
}

/// Clocks until a start is offered, at most 100.
fn wait(machine: &mut Machine) -> (u64, Start) {
    let offered = (1..100).find_map(|clocks| Some((clocks, machine.step(None, None, true)?)));
    offered.expect("a start")
}

#[test]
fn a_start_comes_three_clocks_after_the_done_or_finished_that_allows_it() {
    let mut worst = 0;
    for gpus in [2, 3, 8, 64] {
        let mut machine = Machine::new(gpus);
        machine.step(finished(0, false), None, true);
        machine.step(finished(1, false), None, true);
        let (clocks, mut start) = wait(&mut machine);
        assert_eq!(clocks, 3, "{gpus} GPUs: after finished");
        assert_eq!(machine.step(None, None, true).map(|start| start.dst), Some(1));
        // GPUs 0 and 1 send to each other. Then a third is ready, and waits for one of them.
        if gpus > 2 {
            machine.step(finished(2, false), None, true);
            start = machine_rests(&mut machine, start);
            machine.step(None, ended(&start), true);
            let (clocks, _) = wait(&mut machine);
            println!("{gpus} GPUs: a start {clocks} clocks after the done that allows it");
            worst = worst.max(clocks);
        }
    }
    assert_eq!(worst, 3, "at most 4 are allowed");
}

/// Nothing more may start: the pair to GPU 0 is under way still.
fn machine_rests(machine: &mut Machine, last: Start) -> Start {
    for _ in 0..10 {
        assert_eq!(machine.step(None, None, true), None, "both GPUs that are ready are busy");
    }
    last
}

#[test]
fn one_start_is_taken_per_clock_as_long_as_one_may_start() {
    for gpus in [2, 8, 64] {
        let mut machine = Machine::new(gpus);
        // A start stalls until all are ready.
        for gpu in ready_order(gpus) {
            machine.step(finished(gpu, false), None, false);
        }
        machine.pause(4);
        let mut starts = Vec::new();
        for _ in 0..gpus {
            starts.push(machine.step(None, None, true).expect("a start in each clock"));
        }
        let around = |(gpu, start): (u64, &Start)| {
            assert_eq!(
                (start.src, start.dst),
                ((gpu + u64::from(gpus) - 1) % u64::from(gpus), gpu)
            );
        };
        (0..).zip(&starts).for_each(around);
        assert_eq!(machine.step(None, None, true), None, "all GPUs send and receive");
    }
}

/// An order in which GPUs finish in successive clocks, so that the first start is the one that would be the
/// first if all were ready at once.
fn ready_order(gpus: u32) -> impl Iterator<Item = u64> {
    let gpus = u64::from(gpus);
    (0..gpus).map(move |turn| (turn + gpus - 1) % gpus)
}

/// Clocks from the first start to the last done of a group, where all transfers take as long. If GPUs are not
/// ready at once, they are told from 0 on, one a clock, from which the clocks are counted.
fn group_takes(gpus: u32, transparent: bool, transfer: u64, at_once: bool) -> u64 {
    let mut machine = Machine::new(gpus);
    let mut ready = 0..if at_once { 0 } else { u64::from(gpus) };
    if at_once {
        for gpu in ready_order(gpus) {
            machine.step(finished(gpu, transparent), None, false);
        }
        machine.pause(4);
    }
    let begun = machine.clock;
    let mut network = Network::new(|| transfer);
    let count = u64::from(gpus);
    let due = count * (count - 1) + if transparent { count } else { 0 };
    let mut told = 0;
    while told < due {
        let done = network.ended(machine.clock);
        told += u64::from(done.is_some());
        let clock = machine.clock;
        let finished = ready.next().and_then(|gpu| finished(gpu, transparent));
        if let Some(start) = machine.step(finished, done, true) {
            network.started(clock, &start);
        }
        assert!(machine.clock - begun < 8 * due * transfer, "the group does not end");
    }
    machine.clock - begun
}

#[test]
fn a_group_takes_few_more_transfers_than_the_least_there_can_be() {
    for transfer in [1000, 100, 10] {
        for gpus in [2, 4, 8, 16, 64] {
            let others = f64::from(gpus - 1);
            let transfers = |transparent, at_once| {
                group_takes(gpus, transparent, transfer, at_once) as f64 / transfer as f64
            };
            let (opaque, transparent) = (transfers(false, true), transfers(true, true));
            println!(
                "{gpus} GPUs, transfers of {transfer} clocks: opaque {opaque:.2} = {:.3} (N-1), \
                 transparent {transparent:.2} = {:.3} (N-1)",
                opaque / others,
                transparent / others,
            );
            // For this order nothing is promised but an end.
            if gpus <= 16 {
                let opaque = transfers(false, false) / others;
                println!("  told from 0 on, one a clock: opaque {opaque:.3} (N-1)");
            }
            if transfer == 1000 {
                assert!(opaque <= 1.1 * others, "{gpus} GPUs: {opaque}");
                assert!(transparent <= 2.0 * others + 1.0, "{gpus} GPUs: {transparent}");
            }
        }
    }
}

/// The group in which each GPU takes part in turn, one transfer at a time.
fn compose(machine: &mut Machine, transfers: usize) -> Vec<Start> {
    let mut starts = Vec::new();
    for _ in 0..transfers {
        let (_, start) = wait(machine);
        // One may have been offered while this one was taken: it goes on from there.
        starts.push(start);
        machine.step(None, ended(&start), false);
    }
    starts
}

#[test]
fn the_circuit_comes_to_the_state_of_figure_6_10() {
    let mut machine = Machine::new(4);
    for _ in 1..=4 {
        // GPU 0 is the last, and has the last turn.
        for gpu in [1, 2, 3] {
            machine.step(finished(gpu, false), None, false);
        }
        compose(&mut machine, 6);
        machine.step(finished(0, false), None, false);
        compose(&mut machine, 6);
    }
    machine.step(finished(0, false), None, false);
    machine.step(finished(2, false), None, false);
    compose(&mut machine, 2);
    // GPU 1 has just finished, and GPU 0 sends to it.
    machine.step(finished(1, false), None, false);
    let start = (0..4).find_map(|_| machine.step(None, None, false));
    assert_eq!(start, Some(Start { src: 0, dst: 1, cgid: 5 }));
    machine.step(None, None, false);
    let columns = ["cgid", "ready", "receiving", "sending", "received", "sent"];
    let row = |gpu| columns.map(|column| machine.row(gpu, column));
    // In the figure, the leftmost bit is that of GPU 0.
    assert_eq!(row(0), [5, 1, 0, 1, 0b0100, 0b0100]);
    assert_eq!(row(1), [5, 1, 1, 0, 0, 0]);
    assert_eq!(row(2), [5, 1, 0, 0, 0b0001, 0b0001]);
    assert_eq!(row(3), [4, 0, 0, 0, 0, 0]);
    assert_eq!(machine.row(1, "receives_from"), 0);
}

#[test]
fn odd_parameters_are_equal_and_meet_every_corner() {
    for (gpus, cgid_bits, requests) in [(2, 2, 100_000), (5, 3, 100_000), (7, 2, 100_000)] {
        let design = Params { gpus, cgid_bits };
        design.validate().expect("possible");
        let plan = Plan { requests, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&design, Backend::Native, &plan);
        let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        assert!(missed.is_empty(), "{}: not met: {missed:?}", design.params());
    }
}

#[test]
fn sixty_four_gpus_are_equal_to_their_reference() {
    let design = Params { gpus: 64, cgid_bits: 32 };
    for (stream, stalls) in [(0, Stalls::Random), (1, Stalls::None), (2, Stalls::Long)] {
        let plan = Plan { requests: 8000, seed: 4, stream, stalls, episodes: None };
        equal(&design, Backend::Native, &plan);
    }
}

#[test]
fn impossible_parameters_are_refused_by_name() {
    let refused = |params: Params, text: &str| {
        let error = params.validate().expect_err("impossible").to_string();
        assert!(error.contains(text), "{error}");
    };
    refused(Params { gpus: 1, cgid_bits: 8 }, "`gpus` is 1; accepted: 2 to 64");
    refused(Params { gpus: 65, cgid_bits: 8 }, "`gpus` is 65; accepted: 2 to 64");
    refused(Params { gpus: 8, cgid_bits: 1 }, "`cgid_bits` is 1; accepted: 2 to 32");
}

/// The block with a reference that leaves open which of several pairs goes first.
struct AnyPolicy(Params);

impl Settings for AnyPolicy {
    fn params(&self) -> toml::Table {
        self.0.params()
    }
}

impl Design for AnyPolicy {
    fn block(&self) -> &'static Block {
        self.0.block()
    }

    fn circuit(&self) -> Module {
        self.0.circuit()
    }

    fn channels(&self) -> Vec<Channel> {
        self.0.channels()
    }

    fn reference(&self, _: &[u64]) -> Box<dyn Reference> {
        Box::new(CompositionScheduler::of_any_policy(&self.0))
    }

    fn contract(&self, straps: &[u64]) -> Option<Box<dyn Contract>> {
        self.0.contract(straps)
    }

    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        self.0.stimulus(straps, stream)
    }

    fn exercise(&self) -> warpsmith_blocks::exercise::Exercise {
        self.0.exercise()
    }

    fn properties(&self, inside: bool) -> Result<Properties, NoProperties> {
        self.0.properties(inside)
    }
}

/// Exactly, presets are compared in `blocks.rs`. That the two differ is a test of the reference.
#[test]
fn the_circuit_is_equal_to_its_reference_of_any_policy_too() {
    for (_, preset) in Params::presets() {
        let plan =
            Plan { requests: 50_000, seed: 6, stream: 0, stalls: Stalls::Random, episodes: None };
        equal(&AnyPolicy(preset), Backend::Native, &plan);
    }
}
