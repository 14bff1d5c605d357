//! The directory's circuit: full rate, and the latency stated on its page. `blocks.rs` tests that it is equal
//! to its reference.

mod support {
    pub mod equal;
}

use warpsmith_blocks::block::Design;
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::{design, equal};

fn stream(design: &dyn Design, name: &str) -> usize {
    design.streams().iter().position(|stream| stream.name == name).expect("a stream")
}

#[test]
fn one_request_is_accepted_per_clock_when_nothing_stalls() {
    for preset in ["tiny", "fpga", "paper"] {
        let design = design("hmg_directory", preset);
        for name in ["mixed", "random", "same-set", "same-block"] {
            let stream = stream(&*design, name);
            let plan =
                Plan { requests: 20_000, seed: 3, stream, stalls: Stalls::None, episodes: None };
            let rate = equal(&*design, Backend::Native, &plan).clocks_per_request;
            assert_eq!(rate, 1.0, "{preset}, {name}: {rate} clocks per request");
        }
    }
}

#[test]
fn an_invalidation_comes_five_clocks_after_its_request_and_the_answer_six() {
    let design = design("hmg_directory", "tiny");
    let mut circuit = Simulator::new(&design.circuit()).expect("a circuit");
    let set = |circuit: &mut Simulator, port: &str, width, value| {
        circuit.set(port, Bits::new(width, value));
    };
    set(&mut circuit, "rst", 1, 1);
    circuit.clock();
    set(&mut circuit, "rst", 1, 0);
    set(&mut circuit, "inv_ready", 1, 1);
    set(&mut circuit, "resp_ready", 1, 1);
    (0..8).for_each(|_| circuit.clock());
    assert_eq!(circuit.get("init_done"), Bits::new(1, 1));

    // A load by GPM 1, then a local store to the same block, in consecutive clocks.
    let (mut invalidation, mut answers) = (None, Vec::new());
    for clock in 0..12 {
        set(&mut circuit, "req_valid", 1, u64::from(clock < 2));
        set(&mut circuit, "req_op", 3, clock.min(1));
        set(&mut circuit, "req_source_kind", 2, 1 - clock.min(1));
        set(&mut circuit, "req_source_index", 2, 1);
        circuit.clock();
        if circuit.get("inv_valid") == Bits::new(1, 1) {
            invalidation = Some(clock);
        }
        if circuit.get("resp_valid") == Bits::new(1, 1) {
            answers.push(clock);
        }
    }
    assert_eq!(invalidation, Some(1 + 5), "of the store, accepted in clock 1");
    assert_eq!(answers, [6, 1 + 6]);
}
