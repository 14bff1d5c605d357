//! A recorded run: the inputs of every clock, to be played back to simulators.

use std::path::Path;
use std::time::Instant;

use warpsmith_rtl::simulator::Execution;
use warpsmith_rtl::{Bits, Module, PortLayout, PortSlot, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Models;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::model::{Model, ModelError};
use warpsmith_testbench::{
    episode::{Episode, Source},
    lockstep::run,
};

/// Requests of a run. Few enough that the inputs stay in the cache.
const REQUESTS: u64 = 20_000;

/// The inputs of a run of usual co-simulation with stalls.
pub struct Recorded {
    /// The words of all inputs, clock by clock.
    pub inputs: Vec<u64>,
    /// Of the [`checked_output`], over all clocks.
    pub sum: u64,
    words: usize,
    output: usize,
}

impl Recorded {
    /// Records a run.
    pub fn of(bench: &Bench<'_>, circuit: &Module) -> Self {
        let model = Models::native(circuit, Execution::Adaptive).instance().expect("it simulates");
        let layout = circuit.port_layout();
        let output = layout.outputs[checked_output(&layout)].offset;
        let mut recorder = Recorder { model, inputs: Vec::new(), sum: 0, output };
        let source = Source::Stream { stream: 0, seed: 1, requests: REQUESTS };
        let straps = vec![0; bench.straps().len()];
        let episode =
            Episode { straps: &straps, stalls: Stalls::Random, stall_seed: 2, warm: false, source };
        run(bench, &mut recorder, &episode, 0).expect("it is equal");
        let Recorder { inputs, sum, .. } = recorder;
        Self { inputs, sum, words: layout.input_words(), output }
    }

    /// Plays the run back to a native simulator for about `seconds`; clocks per second of the fastest pass.
    pub fn clocks_per_second(&self, simulator: &mut Simulator, seconds: f64) -> f64 {
        let mut best = f64::INFINITY;
        let begun = Instant::now();
        let mut first = true;
        while best == f64::INFINITY || begun.elapsed().as_secs_f64() < seconds {
            let start = Instant::now();
            let mut sum = 0;
            for inputs in self.inputs.chunks_exact(self.words) {
                simulator.inputs_mut().copy_from_slice(inputs);
                simulator.clock();
                sum += defined(inputs, simulator.outputs()[self.output]);
            }
            assert!(!first || sum == self.sum, "the simulator does what the recorded run did");
            // The first pass compiles.
            if !std::mem::take(&mut first) {
                best = best.min(start.elapsed().as_secs_f64());
            }
        }
        (self.inputs.len() / self.words) as f64 / best
    }
}

/// The output, which is undefined before the reset.
fn defined(inputs: &[u64], output: u64) -> u64 {
    if inputs[0] == 0 { output } else { 0 }
}

/// The index of an output that is defined in every clock without reset.
pub fn checked_output(layout: &PortLayout) -> usize {
    let valid = |port: &PortSlot| port.width == 1 && port.name.ends_with("_valid");
    layout.outputs.iter().position(valid).expect("a channel of outputs")
}

/// Records the inputs of every clock, and the sum of an output.
struct Recorder {
    model: Box<dyn Model>,
    inputs: Vec<u64>,
    sum: u64,
    output: usize,
}

impl Model for Recorder {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        self.inputs.extend_from_slice(inputs);
        let sound = self.model.clock(inputs, outputs);
        self.sum += defined(inputs, outputs[self.output]);
        sound
    }

    fn complaint(&mut self) -> Option<String> {
        self.model.complaint()
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        self.model.registers()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        self.model.open_waves(path)
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        self.model.close_waves()
    }
}
