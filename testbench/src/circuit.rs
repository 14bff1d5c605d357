//! A circuit under simulation, and the words of its ports.

use std::ops::DerefMut;

use crate::model::Model;
use crate::wiring::Wiring;

/// A model with its ports. It is owned or borrowed.
pub struct Circuit<M> {
    /// The model.
    pub model: M,
    /// The words of all ports, as [`Wiring`] has them.
    pub ports: Vec<u64>,
    inputs: usize,
    wired: usize,
    reset: usize,
}

impl<'m, M: DerefMut<Target = dyn Model + 'm>> Circuit<M> {
    /// A model that has not been reset, its straps at these values.
    pub fn new(wiring: &Wiring, model: M, straps: &[u64]) -> Self {
        let (inputs, wired) = (wiring.layout().input_words(), wiring.withheld() - 1);
        let mut ports = vec![0; wired];
        ports.extend([1, 0]);
        wiring.strap_words().iter().zip(straps).for_each(|(&word, &value)| ports[word] = value);
        Self { model, ports, inputs, wired, reset: wiring.reset() }
    }

    /// One clock of reset, which must be enough.
    pub fn reset(&mut self) {
        self.ports[self.reset] = 1;
        self.clock();
        self.ports[self.reset] = 0;
    }

    /// One clock. False if the model complains.
    #[inline]
    pub fn clock(&mut self) -> bool {
        let (inputs, outputs) = self.ports.split_at_mut(self.inputs);
        self.model.clock(inputs, &mut outputs[..self.wired - self.inputs])
    }

    /// The registers, if the model can see them.
    pub fn registers(&self) -> Vec<(String, String)> {
        let registers = self.model.registers().into_iter();
        registers.map(|(name, value)| (name, value.to_string())).collect()
    }
}
