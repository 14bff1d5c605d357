//! The validation unit's circuit: full rate without waiting, figure 4.7 in both simulators, and unusual
//! parameters. `blocks.rs` tests that its presets are equal to their reference.

mod support {
    pub mod equal;
    pub mod tools;
}

use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_validation::{Access, ISSUED, Params, RELEASE, REQ, RESP, Release};
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Summary, Verdict, replay};
use warpsmith_testbench::episode::{Offer, Replay};

use support::equal::{design, equal};
use support::tools;

#[test]
fn one_request_is_accepted_per_clock_where_nothing_waits() {
    // The two warps of preset tiny have too few accesses in flight.
    for preset in ["fpga", "paper"] {
        let design = design("getm_validation", preset);
        let stream = design.streams().iter().position(|stream| stream.name == "loads");
        let stream = stream.expect("a stream");
        let plan = Plan { requests: 20_000, seed: 3, stream, stalls: Stalls::None, episodes: None };
        let rate = equal(&*design, Backend::Native, &plan).clocks_per_request;
        assert!(rate <= 1.001, "{preset}: {rate} clocks per request");
    }
}

/// The offers of figure 4.7: two transactions, tx1 at 20 and tx2 at 10, then 22.
fn walkthrough() -> Vec<Offer> {
    let (a, b, tx1, tx2) = (0x100, 0x200, 1, 2);
    let access = |address, store, warp, warpts| {
        (REQ, Access { address, store, warp, warpts }.encode().to_vec())
    };
    let release = |address| (RELEASE, Release { address, count: 1 }.encode().to_vec());
    let transfers = [
        access(a, false, tx1, 20),
        access(a, true, tx1, 20),
        access(b, false, tx2, 10),
        access(b, true, tx2, 10),
        // abort@21
        access(a, false, tx2, 10),
        release(b),
        access(b, false, tx1, 20),
        access(b, true, tx1, 20),
        // Waits until tx1 has committed.
        access(b, false, tx2, 22),
        release(a),
        release(b),
        access(b, true, tx2, 22),
        access(a, false, tx2, 22),
        access(a, true, tx2, 22),
        release(b),
        release(a),
    ];
    // Far enough apart that each is answered before the next.
    let offer = |(n, (channel, payload)): (u64, (usize, Vec<u64>))| Offer {
        channel,
        payload,
        clock: 1000 + 40 * n,
    };
    (0u64..).zip(transfers).map(offer).collect()
}

/// Runs figure 4.7 on the circuit beside its reference.
fn run_walkthrough(backend: Backend) -> Summary {
    let (_, fpga) = Params::presets().remove(1);
    let design = Params { faithful: true, ..fpga };
    let circuit = design.circuit();
    let bench = Bench::new(&design, &circuit);
    let models = Models::of_circuit(&circuit, backend, false).expect("models");
    let episode = Replay {
        block: design.name().to_string(),
        params: serde_json::to_value(design.params()).expect("a table is JSON"),
        straps: Vec::new(),
        stalls: Stalls::None,
        stall_seed: 0,
        warm: false,
        reset_clocks: 1,
        offers: walkthrough(),
    };
    let (summary, verdict) = replay(&bench, &models, &episode, None).expect("a run");
    assert!(matches!(verdict, Verdict::Equal), "{backend:?}: {verdict:#?}");
    summary
}

#[track_caller]
fn met(summary: &Summary, corner: &str) -> u64 {
    let corner = summary.corners.iter().find(|met| met.name == corner);
    corner.expect("a corner").count
}

/// Its steps are tested on the reference, with which every transfer of the circuit is compared.
fn is_figure_4_7(summary: &Summary) {
    let transfers = |channel: usize| summary.channels[channel].transfers;
    assert_eq!((transfers(REQ), transfers(RELEASE)), (11, 5));
    assert_eq!(transfers(RESP), 11, "the one that waits is answered too");
    assert_eq!(transfers(ISSUED), 11 + 5 + 1, "and issued twice");
    let corners = ["load parks", "retry succeeds", "load aborts: WAR", "store succeeds"];
    assert_eq!(corners.map(|corner| met(summary, corner)), [1, 1, 1, 5]);
}

#[test]
fn the_walkthrough_of_figure_4_7_on_the_native_circuit() {
    is_figure_4_7(&run_walkthrough(Backend::Native));
}

#[test]
fn the_walkthrough_of_figure_4_7_on_the_verilated_circuit() {
    if tools::verilator() {
        is_figure_4_7(&run_walkthrough(Backend::Verilator));
    }
}

#[test]
fn odd_parameters_are_equal() {
    let tiny = Params::presets().remove(0).1;
    let odd = [
        Params { lines: 1, entries: 1, stash: 0, ..tiny.clone() },
        Params { faithful: true, ..tiny.clone() },
        Params { ways: 3, stash: 2, timestamp_bits: 2, owner_bits: 1, ..tiny.clone() },
        Params { owner_bits: 3, timestamp_bits: 7, lines: 3, entries: 5, ..tiny.clone() },
        Params {
            address_bits: 64,
            granule_bytes: 1,
            timestamp_bits: 63,
            write_count_bits: 16,
            ..tiny
        },
    ];
    for design in odd {
        design.validate().expect("possible");
        let plan =
            Plan { requests: 30_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        equal(&design, Backend::Native, &plan);
    }
}

#[test]
fn a_request_is_answered_eleven_clocks_after_it_was_taken() {
    let (_, paper) = Params::presets().pop().expect("presets");
    let circuit = paper.circuit();
    let mut circuit = Simulator::new(&circuit).expect("a circuit");
    let set = |circuit: &mut Simulator, port: &str, width, value| {
        circuit.set(port, Bits::new(width, value));
    };
    let inputs =
        ["rst", "req_valid", "req_store", "release_valid", "roll_valid", "overflow_resp_valid"];
    inputs.into_iter().for_each(|port| set(&mut circuit, port, 1, 0));
    set(&mut circuit, "resp_ready", 1, 1);
    set(&mut circuit, "rst", 1, 1);
    circuit.clock();
    set(&mut circuit, "rst", 1, 0);
    (0..300).for_each(|_| circuit.clock());
    assert_eq!(circuit.get("req_ready"), Bits::new(1, 1));
    let answered = (0..20).find(|clock| {
        set(&mut circuit, "req_valid", 1, u64::from(*clock == 0));
        circuit.clock();
        circuit.get("resp_valid") == Bits::new(1, 1)
    });
    assert_eq!(answered, Some(11));
}
