//! A circuit model that can be clocked, for any simulator.

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

    /// Returns to power-up, with noise from the seed in uninitialised state. Does nothing once waves are
    /// being written.
    fn power_up(&mut self, _seed: u64) {}

    /// Says for how many clocks the model is reset after power-up; until then its checks do not count.
    fn expect_reset(&mut self, _clocks: u64) {}

    /// The model's own error, such as a failed assertion or `$fatal`.
    fn complaint(&mut self) -> Option<String>;

    /// Whether the model has stopped, so that clocks have no effect.
    fn is_over(&self) -> bool {
        false
    }

    /// Suppresses further output of the model by `$display` or `$error`.
    fn mute(&mut self) {}

    /// The circuit's registers, if the model shows them.
    fn registers(&self) -> Vec<(String, Bits)>;

    /// Records waves from now on, in a format given by the file's extension.
    ///
    /// # Errors
    /// Fails if the file cannot be written or the format is unknown.
    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError>;

    /// Ends the recording.
    ///
    /// # Errors
    /// Fails if the file could not be completed.
    fn close_waves(&mut self) -> Result<(), ModelError>;
}

/// An error of a model other than wrong outputs.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The native simulator's waves failed.
    #[error(transparent)]
    Waves(#[from] WavesError),
    /// The waves that were asked for begin after the run.
    #[error("there are no waves from clock {from} on: the run ended after {clocks} clocks")]
    Window {
        /// The first clock wanted.
        from: u64,
        /// Clocks of the run.
        clocks: u64,
    },
    /// The Verilated model failed.
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
                // The run goes on; the failure is reported when the waves are closed.
                self.waves_failure = Some(error);
                self.waves = None;
            }
        }
        self.simulator.clock();
        outputs.copy_from_slice(self.simulator.outputs());
        let sound = !self.simulator.has_violations() && self.violation.is_none();
        if !sound {
            self.violation = self.simulator.violations().into_iter().next();
        }
        sound || self.violation.is_none()
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

    fn expect_reset(&mut self, clocks: u64) {
        VerilatedModel::expect_reset(self, clocks);
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

/// A Verilated model with an additional last input that is held constant.
pub struct HeldModel {
    model: VerilatedModel,
    inputs: Vec<u64>,
    value: u64,
}

impl HeldModel {
    /// Holds the last input of a model at a value.
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

    fn expect_reset(&mut self, clocks: u64) {
        self.model.expect_reset(clocks);
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
