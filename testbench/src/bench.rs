//! What all episodes of a design have in common.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Channel, Direction, Strap};
use warpsmith_blocks::verification::{ChannelPlace, Corners};
use warpsmith_rtl::netlist::Netlist;
use warpsmith_rtl::{Module, PortLayout, words};

use crate::episode::Replay;

/// Most clocks that a recorded episode may wait for its next offer.
const LONGEST_PAUSE: u64 = 1_000_000;

/// What a design's episodes have in common.
pub struct Bench<'d> {
    design: &'d dyn Design,
    channels: Vec<Channel>,
    straps: Vec<Strap>,
    /// Input channels on which the block's partner answers.
    partner_channels: &'static [usize],
    places: Vec<ChannelPlace>,
    layout: PortLayout,
    /// Rows of the largest memory. A block may clear its memories a row at a time before it does
    /// anything.
    rows: u64,
    /// Word of `init_done` among all ports, if there is one.
    init_done: Option<usize>,
}

impl<'d> Bench<'d> {
    /// A bench for a design and its circuit.
    ///
    /// # Panics
    /// If the circuit's ports are not the design's channels and straps: a mistake in the block.
    pub fn new(design: &'d dyn Design, circuit: &Module) -> Self {
        let (channels, straps) = (design.channels(), design.straps());
        let layout = circuit.port_layout();
        let places = channels.iter().map(|channel| place(channel, &layout)).collect();
        for strap in &straps {
            let port = layout.input(strap.name).expect("a strap is an input port");
            assert_eq!(port.width, strap.width, "strap `{}`", strap.name);
        }
        let storage = Netlist::flatten(circuit).map(|netlist| netlist.storage());
        let rows = storage.iter().flat_map(|s| &s.memories).map(|(_, rows, _)| u64::from(*rows));
        let rows = rows.max().unwrap_or(0);
        let init_done = layout.output("init_done").map(|port| layout.input_words() + port.offset);
        let partner_channels = design.partner().map_or(&[][..], |partner| partner.channels());
        Self { design, channels, straps, partner_channels, places, layout, rows, init_done }
    }

    /// The ports that a model must have.
    pub fn layout(&self) -> &PortLayout {
        &self.layout
    }

    /// The design.
    pub fn design(&self) -> &'d dyn Design {
        self.design
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Counts of the design's corners and of what it wants exercised, all 0.
    pub fn corners(&self) -> Corners {
        Corners::new(self.design.corners().len(), &self.design.exercise())
    }

    /// Whether the block's partner answers on the channel of that index.
    pub fn is_partner_channel(&self, channel: usize) -> bool {
        self.partner_channels.contains(&channel)
    }

    /// Where the channels lie among [the words of all ports](Self::port_words).
    pub fn places(&self) -> &[ChannelPlace] {
        &self.places
    }

    /// Words of all ports: the inputs, the outputs, one that is always 1, which stands for the
    /// ready of a valid-only channel, and [that of the environment](Self::withheld).
    pub fn port_words(&self) -> usize {
        self.withheld() + 1
    }

    /// The word that is 1 in a clock in which the environment was not willing to offer, so that the
    /// circuit may have waited for it.
    pub fn withheld(&self) -> usize {
        self.layout.input_words() + self.layout.output_words() + 1
    }

    /// Clocks without a transfer, all of them with a willing environment, after which the circuit
    /// counts as stuck.
    pub fn patience(&self) -> u64 {
        4000 + 4 * self.rows
    }

    /// The same without an accepted request: a circuit and its partner may exchange transfers for ever.
    pub fn long_patience(&self) -> u64 {
        64 * self.patience()
    }

    /// Clocks after which a circuit that is given requests is busy.
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

    /// Whether a recorded episode has the straps and payloads of this design.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check_replay(&self, replay: &Replay) -> Result<(), String> {
        let legal = |(value, strap): (&u64, &Strap)| *value < strap.values;
        let same_number = replay.straps.len() == self.straps.len();
        if !same_number || !replay.straps.iter().zip(&self.straps).all(legal) {
            return Err(format!("straps {:?} are not values of this block's", replay.straps));
        }
        if replay.offers.is_empty() {
            return Err(
                "it has no offers, so nothing would run; at least one is needed".to_string()
            );
        }
        let mut clock = 0;
        for (index, offer) in replay.offers.iter().enumerate() {
            let channel = self.channels.get(offer.channel);
            let Some(channel) = channel.filter(|c| c.direction == Direction::Input) else {
                return Err(format!("offer {index}: {} is no input channel", offer.channel));
            };
            if !channel.accepts(&offer.payload) {
                return Err(format!("offer {index} is no payload of `{}`", channel.name));
            }
            if offer.clock > clock + LONGEST_PAUSE {
                return Err(format!(
                    "offer {index} is made at clock {}, more than {LONGEST_PAUSE} clocks after the \
                     offers before it; fewer are accepted",
                    offer.clock
                ));
            }
            clock = clock.max(offer.clock);
        }
        Ok(())
    }
}

/// Where the ports of a channel are: the inputs, then the outputs, then a word that is always 1.
fn place(channel: &Channel, layout: &PortLayout) -> ChannelPlace {
    let is_input = channel.direction == Direction::Input;
    let outputs = layout.input_words();
    let find = |is_input: bool, role: &str| {
        let name = format!("{}_{role}", channel.name);
        let port = if is_input { layout.input(&name) } else { layout.output(&name) };
        let port =
            port.unwrap_or_else(|| panic!("the circuit has no port `{name}` in that direction"));
        (if is_input { port.offset } else { outputs + port.offset }, port.width)
    };
    let ready = match channel.handshake.has_ready() {
        true => find(!is_input, "ready").0,
        false => outputs + layout.output_words(),
    };
    let mut payload: Option<std::ops::Range<usize>> = None;
    for field in channel.fields.iter() {
        let (offset, width) = find(is_input, &field.name);
        let name = format!("{}_{}", channel.name, field.name);
        assert_eq!(width, field.width, "port `{name}`");
        let range = payload.get_or_insert(offset..offset);
        assert_eq!(range.end, offset, "port `{name}` does not follow its channel");
        range.end += words(field.width);
    }
    let (valid, _) = find(is_input, "valid");
    ChannelPlace { is_input, valid, ready, payload: payload.unwrap_or(0..0) }
}
