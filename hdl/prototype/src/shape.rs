//! The ports of a component: what the build script generates, and what the component does at run time.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::Direction;
use warpsmith_rtl::{Module, PortLayout, PortSlot};

/// A part of a pin: a port of the circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The port, or the channel of [`Part::fires`].
    pub port: String,
    /// Width in bits.
    pub width: u32,
    /// The port's first word in its image; those of [`Part::fires`] follow the outputs.
    pub word: usize,
    /// Not a port but whether a transfer happens on that channel at the next edge, or on any if it has no name.
    pub fires: bool,
}

/// A port of a component: one port of the circuit, or several side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Name.
    pub name: String,
    /// Direction, as the circuit sees it.
    pub is_input: bool,
    /// Its parts, the lowest bits first.
    pub parts: Vec<Part>,
}

impl Pin {
    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.parts.iter().map(|part| part.width).sum()
    }

    fn of(is_input: bool, name: &str, slots: &[&PortSlot]) -> Self {
        let part = |slot: &&PortSlot| Part {
            port: slot.name.clone(),
            width: slot.width,
            word: slot.offset,
            fires: false,
        };
        Self { name: name.to_string(), is_input, parts: slots.iter().map(part).collect() }
    }
}

/// Every port of a circuit but the clock, each a pin.
pub fn ports(circuit: &Module) -> Vec<Pin> {
    let layout = circuit.port_layout();
    let pin = |is_input| move |slot: &PortSlot| Pin::of(is_input, &slot.name, &[slot]);
    let inputs = layout.inputs.iter().map(pin(true));
    inputs.chain(layout.outputs.iter().map(pin(false))).collect()
}

/// The ports of a circuit by channel: `rst`, straps, handshakes, each input payload as one pin, and as `transfers` all
/// that happens at a clock: a bit for each channel with a transfer, then the payloads of the output channels. `happens`
/// is one if there is a transfer.
pub fn channels(design: &dyn Design, circuit: &Module) -> Vec<Pin> {
    let layout = circuit.port_layout();
    let channels = design.channels();
    let fires = channels.iter().zip(layout.output_words()..).map(|(channel, word)| Part {
        port: channel.name.to_string(),
        width: 1,
        word,
        fires: true,
    });
    let mut transfers =
        Pin { name: "transfers".to_string(), is_input: false, parts: fires.collect() };
    let mut pins = vec![single(&layout, "rst")];
    pins.extend(design.straps().iter().map(|strap| single(&layout, strap.name)));
    for channel in &channels {
        let name = |role: &str| format!("{}_{role}", channel.name);
        pins.push(single(&layout, &name("valid")));
        if channel.handshake.has_ready() {
            pins.push(single(&layout, &name("ready")));
        }
        let is_input = channel.direction == Direction::Input;
        let field = |field: &str| slot(&layout, &name(field)).1;
        let slots: Vec<_> = channel.fields.iter().map(|f| field(&f.name)).collect();
        // The channel's name alone may be a word of Verilog, such as `release`.
        let payload = Pin::of(is_input, &name("payload"), &slots);
        match is_input {
            true if slots.is_empty() => {}
            true => pins.push(payload),
            false => transfers.parts.extend(payload.parts),
        }
    }
    pins.push(transfers);
    let word = layout.output_words() + channels.len();
    let any = Part { port: String::new(), width: 1, word, fires: true };
    pins.push(Pin { name: "happens".to_string(), is_input: false, parts: vec![any] });
    // Inputs first, as in the image.
    pins.sort_by_key(|pin| !pin.is_input);
    pins
}

fn single(layout: &PortLayout, name: &str) -> Pin {
    let (is_input, slot) = slot(layout, name);
    Pin::of(is_input, name, &[slot])
}

fn slot<'a>(layout: &'a PortLayout, name: &str) -> (bool, &'a PortSlot) {
    let input = layout.input(name).map(|slot| (true, slot));
    let found = input.or_else(|| layout.output(name).map(|slot| (false, slot)));
    found.expect("a channel's port is one of the circuit's")
}
