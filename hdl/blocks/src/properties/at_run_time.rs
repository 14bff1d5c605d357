//! Properties as run-time checks: the module that is proven, simulated beside the circuit.

use std::ops::Range;

use warpsmith_rtl::{ModuleBuilder, Simulator, words};

use super::{NoProperties, corner_label};
use crate::block::Design;
use crate::corners::Corners;
use crate::verification::{Channels, Contract, Violation};

/// The contract that a block's properties state, with its corners.
pub struct AtRunTime {
    properties: Simulator,
    /// Words of inputs, and of which channel they show what.
    shown: Vec<(Range<usize>, usize, Shown)>,
    /// Of each cover the corner that it stands for, and how often it was met.
    covers: Vec<(Option<usize>, u64)>,
    /// Why there are no properties.
    missing: Option<NoProperties>,
}

/// What an input shows of a channel.
enum Shown {
    Valid,
    Ready,
    Payload(Range<usize>),
}

impl AtRunTime {
    /// The checks of a circuit that was just reset, with these values of the straps. Free constants are
    /// zero. If the parameters are too large for properties, the first clock is a violation.
    pub fn new<D: Design + ?Sized>(design: &D, straps: &[u64]) -> Self {
        let (module, missing) = match design.properties(false) {
            Ok(properties) => (properties.module, None),
            Err(missing) => (ModuleBuilder::new("no_properties").finish(), Some(missing)),
        };
        let mut properties = Simulator::new(&module).expect("properties have no loop");
        let layout = properties.layout().clone();
        let mut shown = Vec::new();
        for (number, channel) in design.channels().iter().enumerate() {
            let mut show = |role: &str, what| {
                let port = layout.input(&format!("{}_{role}", channel.name));
                shown.extend(port.map(|port| (port.range(), number, what)));
            };
            show("valid", Shown::Valid);
            show("ready", Shown::Ready);
            let mut start = 0;
            for field in channel.fields.iter() {
                let end = start + words(field.width);
                show(&field.name, Shown::Payload(start..end));
                start = end;
            }
        }
        for (strap, value) in design.straps().iter().zip(straps) {
            if let Some(port) = layout.input(strap.name) {
                properties.inputs_mut()[port.offset] = *value;
            }
        }
        properties.inputs_mut()[0] = 1;
        properties.clock();
        properties.inputs_mut()[0] = 0;
        let corner =
            |label: &str| design.corners().iter().position(|c| corner_label(c.name) == label);
        let covers = properties.covers().iter().map(|cover| (corner(&cover.name), 0)).collect();
        Self { properties, shown, covers, missing }
    }
}

impl Contract for AtRunTime {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        if let Some(missing) = &self.missing {
            return Err(Violation {
                rule: "a block without a contract of its own has properties",
                source: "docs/adding-a-block.md",
                detail: missing.to_string(),
            });
        }
        let inputs = self.properties.inputs_mut();
        for (port, channel, shown) in &self.shown {
            let view = channels.at(*channel);
            match shown {
                Shown::Valid => inputs[port.start] = view.valid.into(),
                Shown::Ready => inputs[port.start] = view.ready.into(),
                Shown::Payload(words) => {
                    inputs[port.clone()].copy_from_slice(&view.payload[words.clone()]);
                }
            }
        }
        self.properties.clock();
        for ((corner, before), count) in self.covers.iter_mut().zip(self.properties.cover_counts())
        {
            if let Some(corner) = corner {
                corners.count(*corner, count > before);
            }
            *before = *count;
        }
        match self.properties.violations().first() {
            None => Ok(()),
            Some(broken) => Err(Violation {
                rule: "every assertion of the block's properties holds",
                source: "the block's properties",
                detail: format!("{}: {}", broken.name, broken.doc),
            }),
        }
    }
}
