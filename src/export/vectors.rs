//! A short simulation of a block, clock by clock: what the testbench offers and expects.

use std::path::Path;

use thiserror::Error;
use warpsmith_rtl::netlist::NetlistError;
use warpsmith_rtl::{Bits, PortSlot, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::episode::{Episode, Source as Requests};
use warpsmith_testbench::lockstep;
use warpsmith_testbench::model::{Model, ModelError, NativeModel};

use super::Source;

/// Requests of the simulation.
const REQUESTS: u64 = 200;
/// Seed of its requests and stalls.
const SEED: u64 = 1;

/// Why no simulation could be recorded.
#[derive(Debug, Error)]
pub enum VectorsError {
    /// The circuit cannot be simulated.
    #[error(transparent)]
    Netlist(#[from] NetlistError),
    /// The circuit differs from its reference.
    #[error("{block} differs from its reference; `warpsmith cosim {block}` reports how")]
    Mismatch {
        /// The block.
        block: &'static str,
    },
}

/// A recorded simulation.
pub struct Vectors {
    /// The words of the inputs and of the outputs on each clock, just before the edge.
    pub clocks: Vec<(Vec<u64>, Vec<u64>)>,
    inputs: Vec<PortSlot>,
    outputs: Vec<PortSlot>,
}

/// Simulates the block beside its reference under random requests with stalls, all straps zero.
pub fn record(source: &Source<'_>) -> Result<Vectors, VectorsError> {
    let bench = Bench::new(source.design, &source.circuit);
    let native = NativeModel::new(Simulator::new(&source.circuit)?);
    let mut recorder = Recorder { native, clocks: Vec::new() };
    let straps = vec![0; source.design.straps().len()];
    let episode = Episode {
        straps: &straps,
        stalls: Stalls::Random,
        stall_seed: SEED,
        warm: false,
        source: Requests::Stream { stream: 0, seed: SEED, requests: REQUESTS },
    };
    lockstep::run(&bench, &mut recorder, &episode, 0)
        .map_err(|_| VectorsError::Mismatch { block: source.design.name() })?;
    let (inputs, outputs) = (source.layout.inputs.clone(), source.layout.outputs.clone());
    Ok(Vectors { clocks: recorder.clocks, inputs, outputs })
}

impl Vectors {
    /// Bits of a line.
    pub fn width(&self) -> u32 {
        self.inputs.iter().chain(&self.outputs).map(|port| port.width).sum()
    }

    /// A hexadecimal number for each clock: all inputs, then all outputs, the first port in the highest bits.
    pub fn lines(&self) -> String {
        let line = |(inputs, outputs): &(Vec<u64>, Vec<u64>)| {
            let inputs = self.inputs.iter().map(|port| (port, inputs));
            let outputs = self.outputs.iter().map(|port| (port, outputs));
            let mut bits: Vec<bool> = Vec::new();
            for (port, words) in inputs.chain(outputs) {
                let words = &words[port.range()];
                bits.extend(
                    (0..port.width).rev().map(|i| words[i as usize / 64] >> (i % 64) & 1 == 1),
                );
            }
            let digit = |four: &[bool]| four.iter().rev().fold(0, |n, bit| n * 2 + u32::from(*bit));
            bits.reverse();
            let digits = bits.chunks(4).rev();
            let digits: String =
                digits.map(|four| char::from_digit(digit(four), 16).expect("four bits")).collect();
            digits + "\n"
        };
        self.clocks.iter().map(line).collect()
    }
}

/// The native simulator, whose ports are kept on every clock.
struct Recorder {
    native: NativeModel,
    clocks: Vec<(Vec<u64>, Vec<u64>)>,
}

impl Model for Recorder {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        let sound = self.native.clock(inputs, outputs);
        self.clocks.push((inputs.to_vec(), outputs.to_vec()));
        sound
    }

    fn complaint(&mut self) -> Option<String> {
        self.native.complaint()
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        self.native.registers()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        self.native.open_waves(path)
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        self.native.close_waves()
    }
}
