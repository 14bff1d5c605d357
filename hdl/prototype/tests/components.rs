//! Every component equals the block that it wraps, in rust_hdl's simulator and as the Verilog that rust_hdl
//! emits around it.

use rand::{Rng, RngExt};
use warpsmith_blocks::verification::{ChannelPlace, Handshakes};
use warpsmith_prototype::components::{self, Component};
use warpsmith_prototype::native::design;
use warpsmith_prototype::shape::{self, Pin};
use warpsmith_rtl::{Module, PortLayout};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::circuit::Circuit;
use warpsmith_testbench::environment::Environment;
use warpsmith_testbench::episode::{Episode, Source};
use warpsmith_testbench::model::Model;
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

#[path = "../../../testbench/tests/support/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../../testbench/tests/support/tools.rs"]
mod tools;

const CLOCKS: u32 = 100_000;
/// Clocks after which a new episode begins, with a reset.
const EPISODE: u32 = 5_000;

#[test]
fn every_component_equals_its_block_clock_by_clock() {
    for mut component in components::all() {
        let design = design(component.block());
        let circuit = design.circuit();
        let pins = shape::ports(&circuit);
        let layout = circuit.port_layout();
        run(component.block(), CLOCKS, |clock, _, inputs, outputs| {
            let found = clock_component(&mut *component, &pins, &layout, inputs);
            assert_eq!(found, outputs, "{} at clock {clock}", component.block());
        });
    }
}

#[test]
fn the_verilog_around_the_directory_and_the_fifo_equals_the_block() {
    verilated(|block| ["hmg_directory", "s_fifo"].contains(&block));
}

#[test]
#[ignore = "nightly: builds every block in Verilator"]
fn the_verilog_around_every_component_equals_the_block() {
    verilated(|_| true);
}

/// Runs the Verilog that rust_hdl emits in Verilator beside the block.
fn verilated(chosen: impl Fn(&str) -> bool) {
    if !tools::verilator() {
        return;
    }
    for mut component in components::all() {
        if !chosen(component.block()) {
            continue;
        }
        let circuit = design(component.block()).circuit();
        let mut model = verilated_model(&mut *component, &circuit);
        let inputs = circuit.port_layout().input_words();
        run(component.block(), CLOCKS, |clock, places, driven, expected| {
            let mut found = vec![0; expected.len()];
            model.clock(driven, &mut found);
            if clock == 0 {
                return; // Before the first reset there is noise, in each simulator its own.
            }
            let [expected, found] = [expected, &found].map(|outputs| [driven, outputs].concat());
            for place in places.iter().filter(|place| !place.is_input) {
                let shown = |ports: &[u64]| {
                    let valid = ports[place.valid];
                    (valid, (valid == 1).then(|| ports[place.payload.clone()].to_vec()))
                };
                let what = (component.block(), clock);
                assert_eq!(shown(&found), shown(&expected), "{what:?}");
            }
            for place in places.iter().filter(|p| p.is_input && p.ready < inputs + expected.len()) {
                let ready = place.ready;
                assert_eq!(
                    found.get(ready),
                    expected.get(ready),
                    "{} at {clock}",
                    component.block()
                );
            }
        });
    }
}

fn verilated_model(component: &mut dyn Component, circuit: &Module) -> Box<dyn Model> {
    let file = VerilogFile { name: "top.v".to_string(), text: component.verilog() };
    let source = VerilogSource { top: "top".to_string(), files: vec![file] };
    let models = Models::of_verilog(&source, &circuit.port_layout(), false);
    models.and_then(|models| models.instance()).expect("rust_hdl's Verilog builds in Verilator")
}

/// One clock of a component: its outputs before the rising edge.
fn clock_component(
    component: &mut dyn Component,
    pins: &[Pin],
    layout: &PortLayout,
    inputs: &[u64],
) -> Vec<u64> {
    let slots = layout.inputs.iter().chain(&layout.outputs);
    for ((number, pin), slot) in pins.iter().enumerate().zip(slots.clone()) {
        if pin.is_input {
            component.set(number, &inputs[slot.range()]);
        }
    }
    component.set_clock(false);
    assert!(component.simulate());
    let outputs = (0..pins.len()).filter(|&number| !pins[number].is_input);
    let outputs = outputs.flat_map(|number| component.get(number)).collect();
    component.set_clock(true);
    assert!(component.simulate());
    outputs
}

/// Runs a block in the native simulator under random requests and stalls, and shows every clock: its number,
/// the places of the channels, the inputs, the outputs before the edge.
fn run(block: &str, clocks: u32, mut see: impl FnMut(u32, &[ChannelPlace], &[u64], &[u64])) {
    let mut rng = random::generator(46);
    let design = design(block);
    let circuit = design.circuit();
    let bench = Bench::new(&*design, &circuit);
    let models = Models::of_circuit(&circuit, Backend::Native, false).expect("a block");
    let model = models.instance().expect("a block can be simulated");
    let inputs = bench.layout().input_words();
    let wired = inputs + bench.layout().output_words();
    let mut circuit = Circuit::new(bench.wiring(), model, &vec![0; bench.straps().len()]);
    let mut clock = 0;
    while clock < clocks {
        let straps: Vec<_> =
            bench.straps().iter().map(|strap| rng.random_range(0..strap.values)).collect();
        let episode = Episode {
            straps: &straps,
            stalls: Stalls::Random,
            stall_seed: rng.next_u64(),
            warm: false,
            source: Source::Stream { stream: 0, seed: rng.next_u64(), requests: u64::MAX },
        };
        let mut environment = Environment::new(&bench, &episode);
        let words = bench.strap_words().iter();
        words.zip(&straps).for_each(|(&word, &value)| circuit.ports[word] = value);
        for since in 0..EPISODE {
            circuit.ports[bench.reset()] = u64::from(since == 0);
            let mut driven = Handshakes::default();
            if since > 0 {
                driven = environment.drive(&mut circuit.ports);
            }
            circuit.clock(driven);
            see(clock, bench.places(), &circuit.ports[..inputs], &circuit.ports[inputs..wired]);
            if since > 0 {
                environment.observe(circuit.channels());
            }
            clock += 1;
        }
    }
}
