//! Maps a design's channels to the ports of its circuit.

use thiserror::Error;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Channel, Direction, Strap};
use warpsmith_blocks::verification::{ChannelPlace, HandshakeWords, Handshakes};
use warpsmith_rtl::netlist::Netlist;
use warpsmith_rtl::{Module, PortLayout, words};

/// A circuit whose ports do not match its design's channels and straps.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{module}` has no {direction} `{port}` of {width} bits; it has: {found}")]
pub struct WiringError {
    /// The circuit's module.
    pub module: String,
    /// `input` or `output`.
    pub direction: &'static str,
    /// The port that is missing or has another width.
    pub port: String,
    /// Its width.
    pub width: u32,
    /// The existing ports of that direction, with their widths.
    pub found: String,
}

/// The channels and straps of a design with their positions among the words of all ports: the inputs, the
/// outputs, a word that is always 1 as the ready of a valid-only channel, and [the
/// environment's](Self::withheld).
#[derive(Clone, Debug)]
pub struct Wiring {
    channels: Vec<Channel>,
    straps: Vec<Strap>,
    /// Words of the straps.
    strap_words: Vec<usize>,
    reset: usize,
    /// Input channels driven by the block's partner.
    partner_channels: &'static [usize],
    places: Vec<ChannelPlace>,
    /// The hand-shakes that the circuit drives.
    valids: HandshakeWords,
    readies: HandshakeWords,
    layout: PortLayout,
    withheld: usize,
    /// Rows of the largest memory. A block may first clear its memories row by row.
    rows: u64,
    /// Word of `init_done`, if it has one.
    init_done: Option<usize>,
    reset_clocks: u64,
}

impl Wiring {
    /// Finds the ports of a design's channels and straps by name.
    ///
    /// # Errors
    /// Returns the port that is missing or does not match.
    pub fn new(design: &dyn Design, circuit: &Module) -> Result<Self, WiringError> {
        let (channels, straps) = (design.channels(), design.straps());
        assert!(channels.len() <= 64, "a channel is a bit of a mask");
        let layout = circuit.port_layout();
        let ports = Ports { module: &circuit.name, layout: &layout };
        let places = channels.iter().map(|channel| ports.place(channel));
        let places: Vec<ChannelPlace> = places.collect::<Result<_, _>>()?;
        let outputs = places.iter().enumerate().filter(|(_, place)| !place.is_input);
        let valids = HandshakeWords::new(outputs.map(|(channel, place)| (channel, place.valid)));
        let inputs = places.iter().enumerate().filter(|(_, place)| place.is_input);
        let readies = HandshakeWords::new(inputs.map(|(channel, place)| (channel, place.ready)));
        let strap_words = straps.iter().map(|strap| ports.word(true, strap.name, strap.width));
        let strap_words = strap_words.collect::<Result<_, _>>()?;
        let reset = ports.word(true, "rst", 1)?;
        let storage = Netlist::flatten(circuit).map(|netlist| netlist.storage());
        let rows = storage.iter().flat_map(|s| &s.memories).map(|(_, rows, _)| u64::from(*rows));
        let rows = rows.max().unwrap_or(0);
        let init_done = layout.output("init_done").map(|port| layout.input_words() + port.offset);
        let withheld = layout.input_words() + layout.output_words() + 1;
        let partner_channels = design.partner().map_or(&[][..], |partner| partner.channels());
        Ok(Self {
            channels,
            straps,
            strap_words,
            reset,
            partner_channels,
            places,
            valids,
            readies,
            layout,
            withheld,
            rows,
            init_done,
            reset_clocks: 1,
        })
    }

    /// The ports of the model.
    pub fn layout(&self) -> &PortLayout {
        &self.layout
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Of a system that plays the block's partner itself.
    #[must_use]
    pub fn without_partner(self) -> Self {
        Self { partner_channels: &[], ..self }
    }

    /// Of a circuit that needs so many clocks of reset.
    #[must_use]
    pub fn with_reset_clocks(self, reset_clocks: u64) -> Self {
        Self { reset_clocks, ..self }
    }

    /// Clocks of a reset.
    pub fn reset_clocks(&self) -> u64 {
        self.reset_clocks
    }

    /// Clocks without requests after a reset: a circuit that takes long to see it takes as long to see its end.
    pub fn idle_clocks(&self) -> u64 {
        if self.reset_clocks > 1 { self.reset_clocks } else { 0 }
    }

    /// Whether the block's partner drives some channels.
    pub fn has_partner(&self) -> bool {
        !self.partner_channels.is_empty()
    }

    /// The input channels, as a bit for each.
    pub fn inputs(&self) -> u64 {
        let inputs = self.places.iter().enumerate().filter(|(_, place)| place.is_input);
        inputs.fold(0, |inputs, (channel, _)| inputs | 1 << channel)
    }

    /// The input channels that the block's partner drives, as a bit for each.
    pub fn of_partner(&self) -> u64 {
        self.partner_channels.iter().fold(0, |mask, channel| mask | 1 << channel)
    }

    /// Positions of the channels.
    pub fn places(&self) -> &[ChannelPlace] {
        &self.places
    }

    /// All hand-shakes: those that the circuit drives, as the ports show them, and those driven to it.
    #[inline]
    pub fn handshakes(&self, ports: &[u64], driven: Handshakes) -> Handshakes {
        Handshakes {
            valid: self.valids.read(ports) | driven.valid,
            ready: self.readies.read(ports) | driven.ready,
        }
    }

    /// Number of words of all ports.
    pub fn port_words(&self) -> usize {
        self.withheld() + 1
    }

    /// The word that is 1 in clocks with a stalled offer, for which the circuit may have waited.
    pub fn withheld(&self) -> usize {
        self.withheld
    }

    /// Clocks without a transfer or a stall after which the circuit counts as stuck.
    pub fn patience(&self) -> u64 {
        4000 + 4 * self.rows
    }

    /// The same without an accepted request, since a circuit and its partner may exchange transfers forever.
    pub fn long_patience(&self) -> u64 {
        64 * self.patience()
    }

    /// Clocks after which a circuit under load is busy.
    pub fn warming(&self) -> u64 {
        100 + self.rows
    }

    /// The word of `init_done`, if the circuit has that port.
    pub fn init_done(&self) -> Option<usize> {
        self.init_done
    }

    /// The straps.
    pub fn straps(&self) -> &[Strap] {
        &self.straps
    }

    /// The words of the straps, in their order.
    pub fn strap_words(&self) -> &[usize] {
        &self.strap_words
    }

    /// The word of the reset.
    pub fn reset(&self) -> usize {
        self.reset
    }
}

/// The ports of a module by name.
struct Ports<'a> {
    module: &'a str,
    layout: &'a PortLayout,
}

impl Ports<'_> {
    /// The word of a port.
    fn word(&self, is_input: bool, port: &str, width: u32) -> Result<usize, WiringError> {
        let (direction, ports, first) = match is_input {
            true => ("input", &self.layout.inputs, 0),
            false => ("output", &self.layout.outputs, self.layout.input_words()),
        };
        let slot = ports.iter().find(|slot| slot.name == port && slot.width == width);
        slot.map(|slot| first + slot.offset).ok_or_else(|| {
            let found: Vec<_> = ports.iter().map(|p| format!("{} ({})", p.name, p.width)).collect();
            let (module, port) = (self.module.to_string(), port.to_string());
            WiringError { module, direction, port, width, found: found.join(", ") }
        })
    }

    fn place(&self, channel: &Channel) -> Result<ChannelPlace, WiringError> {
        let is_input = channel.direction == Direction::Input;
        let name = |role: &str| format!("{}_{role}", channel.name);
        let valid = self.word(is_input, &name("valid"), 1)?;
        let ready = match channel.handshake.has_ready() {
            true => self.word(!is_input, &name("ready"), 1)?,
            false => self.layout.input_words() + self.layout.output_words(),
        };
        let mut payload: Option<std::ops::Range<usize>> = None;
        for field in channel.fields.iter() {
            let port = name(&field.name);
            let offset = self.word(is_input, &port, field.width)?;
            let range = payload.get_or_insert(offset..offset);
            assert_eq!(range.end, offset, "port `{port}` does not follow its channel");
            range.end += words(field.width);
        }
        Ok(ChannelPlace { is_input, valid, ready, payload: payload.unwrap_or(0..0) })
    }
}
