//! A circuit under simulation, with the words of its ports.

use std::ops::DerefMut;
use std::sync::Arc;

use warpsmith_blocks::verification::{Channels, Handshakes};

use crate::model::Model;
use crate::wiring::Wiring;

/// A model, owned or borrowed, with its ports.
pub struct Circuit<M> {
    /// The model.
    pub model: M,
    /// The words of all ports, in the order of [`Wiring`].
    pub ports: Vec<u64>,
    wiring: Arc<Wiring>,
    /// As of the last clock.
    handshakes: Handshakes,
    inputs: usize,
    wired: usize,
}

impl<'m, M: DerefMut<Target = dyn Model + 'm>> Circuit<M> {
    /// A model before its reset, with the straps at these values.
    pub fn new(wiring: &Arc<Wiring>, mut model: M, straps: &[u64]) -> Self {
        model.expect_reset(wiring.reset_clocks() + wiring.idle_clocks());
        let (inputs, wired) = (wiring.layout().input_words(), wiring.withheld() - 1);
        let mut ports = vec![0; wired];
        ports.extend([1, 0]);
        wiring.strap_words().iter().zip(straps).for_each(|(&word, &value)| ports[word] = value);
        let handshakes = Handshakes::default();
        Self { model, ports, wiring: Arc::clone(wiring), handshakes, inputs, wired }
    }

    /// A reset, which must suffice. One of one clock comes in the middle of whatever is offered; in a longer one,
    /// and as long after it, nothing is offered or accepted.
    pub fn reset(&mut self) {
        let (reset, idle) = (self.wiring.reset_clocks(), self.wiring.idle_clocks());
        if idle > 0 {
            let straps = self.wiring.strap_words();
            let inputs = self.ports[..self.inputs].iter_mut().enumerate();
            inputs.filter(|(word, _)| !straps.contains(word)).for_each(|(_, port)| *port = 0);
        }
        for (level, clocks) in [(1, reset), (0, idle)] {
            self.ports[self.wiring.reset()] = level;
            for _ in 0..clocks {
                self.clock(Handshakes::default());
            }
        }
        self.ports[self.wiring.reset()] = 0;
    }

    /// One clock with these hand-shakes driven. False if the model has a complaint.
    #[inline]
    pub fn clock(&mut self, driven: Handshakes) -> bool {
        let (inputs, outputs) = self.ports.split_at_mut(self.inputs);
        let sound = self.model.clock(inputs, &mut outputs[..self.wired - self.inputs]);
        self.handshakes = self.wiring.handshakes(&self.ports, driven);
        sound
    }

    /// What the channels showed at the last clock.
    #[inline]
    pub fn channels(&self) -> Channels<'_> {
        Channels::new(self.wiring.places(), &self.ports, self.handshakes)
    }

    /// The registers, if the model shows them.
    pub fn registers(&self) -> Vec<(String, String)> {
        let registers = self.model.registers().into_iter();
        registers.map(|(name, value)| (name, value.to_string())).collect()
    }
}
