//! A circuit that can be clocked, whoever simulates it.

use std::path::Path;

use thiserror::Error;
use warpsmith_rtl::netlist::SignalKind;
use warpsmith_rtl::simulator::Violation;
use warpsmith_rtl::waves::{Waves, WavesError};
use warpsmith_rtl::{Bits, Simulator};

use crate::verilator::{VerilatedModel, VerilatorError};

/// A circuit under simulation. Its ports are word images, laid out as in the circuit's
/// [`PortLayout`](warpsmith_rtl::PortLayout).
pub trait Model {
    /// Settles with these inputs, samples the outputs, then makes a rising edge. False if there is a
    /// [complaint](Self::complaint).
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool;

    /// Back to power-up, with noise that depends on the seed wherever the model begins with noise.
    /// Nothing once waves are being written.
    fn power_up(&mut self, _seed: u64) {}

    /// Why the model itself says that something is wrong: an assertion of the circuit, `$fatal`.
    fn complaint(&mut self) -> Option<String>;

    /// Whether the model has stopped and its clocks do nothing any more.
    fn is_over(&self) -> bool {
        false
    }

    /// Lets nothing that the model prints, by `$display` or `$error`, be seen from here on.
    fn mute(&mut self) {}

    /// The circuit's registers, if the model can see them.
    fn registers(&self) -> Vec<(String, Bits)>;

    /// Records waves from now on, in a format given by the file's extension.
    ///
    /// # Errors
    /// If the file cannot be written or the format is not known.
    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError>;

    /// Ends the recording.
    ///
    /// # Errors
    /// If the file could not be written to its end.
    fn close_waves(&mut self) -> Result<(), ModelError>;
}

/// What can go wrong with a model beside its answers.
#[derive(Debug, Error)]
pub enum ModelError {
    /// Waves of the native simulator.
    #[error(transparent)]
    Waves(#[from] WavesError),
    /// The Verilated model.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
}

/// The native simulator as a model.
pub struct NativeModel {
    simulator: Simulator,
    /// An assertion that failed at the last clock.
    violation: Option<Violation>,
    waves: Option<Waves>,
    waves_failure: Option<WavesError>,
}

impl NativeModel {
    /// A model of a compiled circuit.
    pub fn new(simulator: Simulator) -> Self {
        Self { simulator, violation: None, waves: None, waves_failure: None }
    }
}

impl Model for NativeModel {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        self.simulator.inputs_mut().copy_from_slice(inputs);
        if let Some(waves) = &mut self.waves {
            self.simulator.evaluate();
            if let Err(error) = waves.sample(&self.simulator) {
                // The run goes on; the failure is told when the waves are closed.
                self.waves_failure = Some(error);
                self.waves = None;
            }
        }
        self.simulator.clock();
        outputs.copy_from_slice(self.simulator.outputs());
        self.violation = self.simulator.violations().into_iter().next();
        self.violation.is_none()
    }

    fn complaint(&mut self) -> Option<String> {
        let violation = self.violation.take()?;
        Some(format!("the circuit's assertion `{}` failed: {}", violation.name, violation.doc))
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        let signals = self.simulator.signals().iter();
        signals
            .filter(|signal| signal.kind == SignalKind::Register)
            .filter_map(|signal| self.simulator.find(&signal.name))
            .map(|id| (self.simulator.signals()[id.index()].name.clone(), self.simulator.value(id)))
            .collect()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        self.waves = Some(Waves::create(path, &self.simulator)?);
        Ok(())
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        if let Some(error) = self.waves_failure.take() {
            return Err(error.into());
        }
        self.waves.take().map_or(Ok(()), |waves| Ok(waves.finish()?))
    }
}

impl Model for VerilatedModel {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        self.clock_with(inputs, outputs)
    }

    fn power_up(&mut self, seed: u64) {
        VerilatedModel::power_up(self, seed);
    }

    fn complaint(&mut self) -> Option<String> {
        self.stopped()
    }

    fn is_over(&self) -> bool {
        self.stopped().is_some()
    }

    fn mute(&mut self) {
        VerilatedModel::mute(self);
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        Vec::new()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        Ok(VerilatedModel::open_waves(self, path)?)
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        VerilatedModel::close_waves(self);
        Ok(())
    }
}

/// A Verilated model with one input more than its users know of, held at a value. It comes after
/// all others.
pub struct HeldModel {
    model: VerilatedModel,
    inputs: Vec<u64>,
    value: u64,
}

impl HeldModel {
    /// Holds the last input of a model.
    pub fn new(model: VerilatedModel, value: u64) -> Self {
        Self { model, inputs: Vec::new(), value }
    }
}

impl Model for HeldModel {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        self.inputs.clear();
        self.inputs.extend_from_slice(inputs);
        self.inputs.push(self.value);
        self.model.clock_with(&self.inputs, outputs)
    }

    fn power_up(&mut self, seed: u64) {
        self.model.power_up(seed);
    }

    fn complaint(&mut self) -> Option<String> {
        self.model.stopped()
    }

    fn is_over(&self) -> bool {
        self.model.stopped().is_some()
    }

    fn mute(&mut self) {
        self.model.mute();
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        Vec::new()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        Model::open_waves(&mut self.model, path)
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        Model::close_waves(&mut self.model)
    }
}
