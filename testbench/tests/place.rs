//! Every block of the registry in a place: as circuit with shadow, and as reference.

mod support {
    pub mod equal;
    pub mod tools;
}

use rand::SeedableRng;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::Direction;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::qr_write_cache::{self, Op, Request};
use warpsmith_blocks::verification::{StimulusRng, channels_of};
use warpsmith_rtl::Module;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::mismatch::{Divergence, Mismatch};
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::VerilogSource;
use warpsmith_testbench::wiring::WiringError;

use support::equal::design;
use support::tools;

const REQUESTS: u64 = 5000;
/// Clocks after which a place is certainly idle, even if each of a dozen channels often stalls.
const CLOCKS: u64 = 1_500_000;

/// Feeds a place from the block's own stream until no channel has an offer left.
fn feed(bench: &Bench<'_>, place: &mut Place, straps: &[u64]) -> Result<u64, Box<Mismatch>> {
    let mut stimulus = bench.design().stimulus(straps, 0);
    let mut rng = StimulusRng::seed_from_u64(7);
    let inputs: Vec<_> = channels_of(bench.inputs() & !bench.of_partner()).collect();
    let (mut offered, mut outputs) = (0, 0);
    for _ in 0..CLOCKS {
        for &channel in &inputs {
            let mut payload = vec![0; bench.channels()[channel].payload_words()];
            let is_due = offered < REQUESTS && place.queued(channel) == 0;
            if is_due && stimulus.next(channel, &mut rng, &mut payload) {
                place.offer(channel, &payload);
                offered += 1;
            }
        }
        place.clock(|_| false)?;
        for (channel, payload) in place.transfers() {
            if stimulus.observed() >> channel & 1 == 1 {
                stimulus.observe(channel, payload);
            }
            outputs += u64::from(bench.channels()[channel].direction == Direction::Output);
        }
        if offered == REQUESTS && place.is_at_rest() {
            return Ok(outputs);
        }
    }
    panic!("{}: not at rest after {offered} requests", place.block());
}

/// The last legal value of each strap.
fn straps(bench: &Bench<'_>) -> Vec<u64> {
    bench.straps().iter().map(|strap| strap.values - 1).collect()
}

fn shadowed(
    design: &dyn Design,
    models: &Models,
    stalls: Stalls,
) -> Result<(u64, u64), Box<Mismatch>> {
    let bench = Bench::new(design, &design.circuit());
    let straps = straps(&bench);
    let surroundings = Surroundings { straps: &straps, stalls, seed: 3 };
    let mut place = Place::new(&bench, Occupant::Shadowed(models), surroundings).expect("a model");
    place.initialise()?;
    let outputs = feed(&bench, &mut place, &straps)?;
    Ok((outputs, place.compared()))
}

fn every_block_equals_its_shadow(backend: Backend) {
    for block in warpsmith_blocks::all() {
        let design = design(block.name, "tiny");
        let models = Models::of_circuit(&design.circuit(), backend, false).expect("models");
        for stalls in [Stalls::None, Stalls::Random, Stalls::Long] {
            let (outputs, compared) = shadowed(&*design, &models, stalls)
                .unwrap_or_else(|wrong| panic!("{}, {stalls:?}: {wrong:#?}", block.name));
            assert!(compared > REQUESTS / 4, "{}: {compared}", block.name);
            assert_eq!(outputs, compared, "{}", block.name);
        }
    }
}

#[test]
fn every_native_block_equals_its_shadow() {
    every_block_equals_its_shadow(Backend::Native);
}

#[test]
fn every_verilated_block_equals_its_shadow() {
    if tools::verilator() {
        every_block_equals_its_shadow(Backend::Verilator);
    }
}

#[test]
fn every_reference_answers_by_itself() {
    for block in warpsmith_blocks::all() {
        let design = design(block.name, "tiny");
        let bench = Bench::new(&*design, &design.circuit());
        let straps = straps(&bench);
        let surroundings = Surroundings { straps: &straps, ..Surroundings::PLAIN };
        let place = Place::new(&bench, Occupant::Reference, surroundings);
        let mut place = place.expect("a reference needs nothing");
        place.initialise().expect("a reference has nothing to clear");
        let outputs = feed(&bench, &mut place, &straps).expect("a reference is right");
        assert!(outputs > REQUESTS / 4, "{}: {outputs}", block.name);
    }
}

/// The emitted Verilog of a block with one text replaced.
fn planted(circuit: &Module, from: &str, to: &str) -> VerilogSource {
    let mut source = verilog_source(circuit).expect("Verilog");
    let file = source.files.iter_mut().find(|file| file.text.contains(from));
    let file = file.unwrap_or_else(|| panic!("no file has `{from}`"));
    file.text = file.text.replace(from, to);
    source
}

fn directory_with(from: &str, to: &str) -> Box<Mismatch> {
    let design = design("hmg_directory", "tiny");
    let circuit = design.circuit();
    let source = planted(&circuit, from, to);
    let models = Models::of_verilog(&source, &circuit.port_layout(), false).expect("a model");
    shadowed(&*design, &models, Stalls::None).expect_err("a fault")
}

#[test]
fn a_fault_in_emitted_verilog_is_found_and_named() {
    if !tools::verilator() {
        return;
    }
    let found = directory_with("access & (|stage4_source) & ~any_hit;", "1'd0;");
    let Divergence::Different { channel, expected, found: given } = &found.divergence else {
        panic!("{found:#?}");
    };
    assert_eq!(*channel, "resp");
    assert!(expected.contains("allocated=1") && given.contains("allocated=0"), "{found:#?}");
    assert!(found.history.iter().any(|past| past.channel == "req"), "{found:#?}");
    let text = found.to_string();
    assert!(text.contains("`resp` expected hit=0 allocated=1"), "{text}");
}

#[test]
fn a_circuit_that_stops_or_complains_is_a_result() {
    if !tools::verilator() {
        return;
    }
    let closed =
        directory_with("assign resp_valid = answer_out_valid;", "assign resp_valid = 1'b0;");
    assert!(matches!(closed.divergence, Divergence::Stuck { channel: "resp", .. }), "{closed:#?}");
    let over = directory_with(
        "assign resp_valid = answer_out_valid;",
        "assign resp_valid = answer_out_valid; always @(posedge clk) if (resp_valid) $finish;",
    );
    assert!(matches!(over.divergence, Divergence::Complaint { .. }), "{over:#?}");
}

/// Whether the place transfers on the channel within some clocks.
fn transfers_on(place: &mut Place, channel: usize) -> bool {
    let transfers = |place: &mut Place| {
        place.clock(|_| false).expect("no mismatch");
        place.transfers().any(|(on, _)| on == channel)
    };
    (0..40).any(|_| transfers(place))
}

#[test]
fn a_system_that_plays_the_partner_is_the_only_one_to_answer() {
    let (_, params) = qr_write_cache::Params::presets().remove(0);
    let circuit = params.circuit();
    let bench = Bench::new(&params, &circuit).without_partner();
    let models = Models::of_circuit(&circuit, Backend::Native, false).expect("models");
    let place = Place::new(&bench, Occupant::Shadowed(&models), Surroundings::PLAIN);
    let mut place = place.expect("a place");
    let atomic = Request { op: Op::Atomic, ..Request::store(2, 1, [1; 8], 0) };
    for request in [Request::store(1, 1, [1; 8], 0), atomic, Request::release(0, true)] {
        place.offer(qr_write_cache::REQ, &request.encode(&params));
    }
    assert!(transfers_on(&mut place, qr_write_cache::INV));
    // The release waits for the read cache, for the atomic and for the level below.
    place.offer(qr_write_cache::INV_ACK, &[1]);
    while transfers_on(&mut place, qr_write_cache::DOWN) {}
    assert!(!transfers_on(&mut place, qr_write_cache::ACK));
    place.offer(qr_write_cache::DONE, &[]);
    assert!(transfers_on(&mut place, qr_write_cache::DOWN), "the release goes down");
    assert!(!transfers_on(&mut place, qr_write_cache::ACK));
    place.offer(qr_write_cache::RELEASED, &[0]);
    assert!(transfers_on(&mut place, qr_write_cache::ACK));
}

#[test]
fn a_missing_port_is_named() {
    let [directory, commit] = ["hmg_directory", "getm_commit"].map(|block| design(block, "tiny"));
    let Err(error) = Bench::checked(&*directory, &commit.circuit()) else {
        panic!("a commit unit is no directory");
    };
    assert!(matches!(&error, WiringError { port, .. } if port == "req_valid"));
    let text = error.to_string();
    assert!(text.contains("`getm_commit`") && text.contains("log_valid (1)"), "{text}");
}
