//! Properties as run-time checks: the module that is proven, simulated beside the circuit.

use std::ops::Range;

use rand::{Rng, SeedableRng};
use warpsmith_rtl::ir::CheckKind;
use warpsmith_rtl::{ModuleBuilder, Simulator, words};

use super::{CHOSEN, NoProperties, corner_label};
use crate::block::Design;
use crate::corners::Corners;
use crate::verification::{Channels, Contract, StimulusRng, Violation};

/// The contract that a block's properties state, with its corners.
#[derive(Clone)]
pub struct AtRunTime {
    properties: Simulator,
    /// Words of inputs, and what they show.
    shown: Vec<(Range<usize>, Shown)>,
    /// Words of the straps, in their order.
    straps: Vec<Option<usize>>,
    /// Words of free constants, each with the mask of its bits.
    chosen: Vec<(usize, u64)>,
    /// Of each cover the corner that it stands for, and how often it was met.
    covers: Vec<(Option<usize>, u64)>,
    /// Why there are no properties.
    missing: Option<NoProperties>,
    /// The environment did what the properties assume it does not: they say nothing from then on.
    is_void: bool,
}

/// Port of the block that an input of the properties is connected to.
#[derive(Clone)]
enum Shown {
    /// Handshake and payload of a channel, by its index.
    Valid(usize),
    Ready(usize),
    Payload(usize, Range<usize>),
    /// A word of the ports that belongs to no channel.
    Word(usize),
}

impl AtRunTime {
    /// Elaborates the properties of a design; `init_done` is that port's word among those of all ports, if the
    /// circuit has one. If the parameters are too large for properties, the first clock of each run is a violation.
    ///
    /// # Panics
    /// If the properties have an input that shows no port: a bug in the block.
    pub fn new<D: Design + ?Sized>(design: &D, init_done: Option<usize>) -> Self {
        let (module, missing) = match design.properties(false) {
            Ok(properties) => (properties.module, None),
            Err(missing) => (ModuleBuilder::new("no_properties").finish(), Some(missing)),
        };
        let properties = Simulator::new(&module).expect("properties have no loop");
        let layout = properties.layout();
        let word = |name: &str| layout.input(name).map(|port| port.offset);
        let straps: Vec<_> = design.straps().iter().map(|strap| word(strap.name)).collect();
        let (mut shown, mut chosen) = (Vec::new(), Vec::new());
        let ports = ports(design, init_done);
        for port in &layout.inputs {
            let of_port = ports.iter().find(|(name, _)| *name == port.name);
            match of_port {
                Some((_, what)) => shown.push((port.range(), what.clone())),
                None if port.name.starts_with(CHOSEN) => {
                    let words = port.range().len() as u32;
                    let mask = |i: u32| u64::MAX >> (64 - (port.width - 64 * i).min(64));
                    chosen.extend(port.range().zip((0..words).map(mask)));
                }
                None => {
                    let is_known = port.name == "rst" || straps.contains(&Some(port.offset));
                    assert!(
                        is_known,
                        "`{}` of {}'s properties is no port",
                        port.name,
                        design.name()
                    );
                }
            }
        }
        let corner =
            |label: &str| design.corners().iter().position(|c| corner_label(c.name) == label);
        let covers = properties.covers().iter().map(|cover| (corner(&cover.name), 0)).collect();
        Self { properties, shown, straps, chosen, covers, missing, is_void: false }
    }

    /// The checks of a circuit that was just reset, with these values of the straps; `seed` determines the free
    /// constants.
    #[must_use]
    pub fn after_reset(&self, straps: &[u64], seed: u64) -> Self {
        let mut new = self.clone();
        let mut rng = StimulusRng::seed_from_u64(seed);
        let inputs = new.properties.inputs_mut();
        for (word, value) in self.straps.iter().zip(straps) {
            word.iter().for_each(|word| inputs[*word] = *value);
        }
        for (word, mask) in &self.chosen {
            inputs[*word] = rng.next_u64() & mask;
        }
        inputs[0] = 1;
        new.properties.clock();
        new.properties.inputs_mut()[0] = 0;
        new
    }
}

/// The ports that properties may see, by name.
fn ports<D: Design + ?Sized>(design: &D, init_done: Option<usize>) -> Vec<(String, Shown)> {
    let mut ports = Vec::new();
    for (number, channel) in design.channels().iter().enumerate() {
        let mut show = |role: &str, what| ports.push((format!("{}_{role}", channel.name), what));
        show("valid", Shown::Valid(number));
        show("ready", Shown::Ready(number));
        let mut start = 0;
        for field in channel.fields.iter() {
            let end = start + words(field.width);
            show(&field.name, Shown::Payload(number, start..end));
            start = end;
        }
    }
    ports.extend(init_done.map(|word| ("init_done".to_string(), Shown::Word(word))));
    ports
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
        if self.is_void {
            return Ok(());
        }
        let inputs = self.properties.inputs_mut();
        for (port, shown) in &self.shown {
            match shown {
                Shown::Valid(channel) => inputs[port.start] = channels.at(*channel).valid.into(),
                Shown::Ready(channel) => inputs[port.start] = channels.at(*channel).ready.into(),
                Shown::Payload(channel, words) => {
                    let payload = &channels.payload(*channel)[words.clone()];
                    inputs[port.clone()].copy_from_slice(payload);
                }
                Shown::Word(word) => inputs[port.start] = channels.word(*word),
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
        let broken = self.properties.violations();
        self.is_void |= broken.iter().any(|check| check.kind == CheckKind::Assume);
        match broken.first().filter(|_| !self.is_void) {
            None => Ok(()),
            Some(broken) => Err(Violation {
                rule: "every assertion of the block's properties holds",
                source: "the block's properties",
                detail: format!("{}: {}", broken.name, broken.doc),
            }),
        }
    }
}
