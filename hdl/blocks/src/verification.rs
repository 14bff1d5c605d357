//! What a block brings to be verified with: a reference, a contract, streams of requests.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::corners::Corners;

/// Random numbers for stimulus: small, fast, and the same on every machine for a seed.
pub type StimulusRng = Xoshiro256PlusPlus;

/// Transfers that the reference expects, in its order, and the corners it has seen.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// `(channel, payload)` pairs are handed here.
    pub sink: &'a mut dyn ExpectedSink,
    /// Counts of the block's corners.
    pub corners: &'a mut Corners,
}

/// Takes the transfers that a reference expects.
pub trait ExpectedSink: std::fmt::Debug {
    /// One expected transfer on an output channel.
    fn expect(&mut self, channel: usize, payload: &[u64]);
}

impl ExpectedSink for Vec<(usize, Vec<u64>)> {
    fn expect(&mut self, channel: usize, payload: &[u64]) {
        self.push((channel, payload.to_vec()));
    }
}

/// The naive sequential model of a block: it defines the answer to every sequence of transfers.
pub trait Reference: Send {
    /// A transfer was accepted on an input channel: changes the state and says what must come out.
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>);

    /// A transfer is taken on an output channel, after what was accepted at the same edge, and is not
    /// yet compared. Only a block needs to know that frees something by it, or that shows by it what
    /// it does next of several things, so that it can only now be said what is expected.
    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        let _ = (channel, payload, outcome);
    }

    /// Where no circuit shows what it does next of several things: what this model does next, as a
    /// transfer on the channel on which its circuit would show it. It is [taken](Self::taken) then.
    fn choose(&self) -> Option<(usize, Vec<u64>)> {
        None
    }

    /// The state as lines for a mismatch report, most relevant first.
    fn state(&self) -> Vec<String>;
}

/// What a channel shows at a clock, before its rising edge.
#[derive(Clone, Copy, Debug)]
pub struct ChannelView<'a> {
    /// A payload is offered.
    pub valid: bool,
    /// It is taken, if offered. Always true for a valid-only channel.
    pub ready: bool,
    /// The payload, meaningful where valid.
    pub payload: &'a [u64],
}

impl ChannelView<'_> {
    /// Whether a transfer happens at the edge.
    #[inline]
    pub fn fires(&self) -> bool {
        self.valid & self.ready
    }
}

/// A corner that a channel has by itself: it has been stalled for so many clocks.
#[derive(Clone, Copy, Debug)]
pub struct Stalled {
    /// The corner.
    pub corner: usize,
    /// The channel.
    pub channel: usize,
    /// The clocks; at 1 every stalled clock counts, else one a stall.
    pub clocks: u64,
}

/// Counts the corners that channels have by themselves.
#[derive(Debug, Default)]
pub struct Stalls {
    /// With the clocks so far.
    stalled: Vec<(Stalled, u64)>,
    /// All these channels, and those that were stalled at the last clock, as masks.
    channels: u64,
    before: u64,
}

impl Stalls {
    /// None has been stalled yet.
    pub fn new(stalled: &[Stalled]) -> Self {
        let channels = stalled.iter().fold(0, |mask, stalled| mask | 1 << stalled.channel);
        let stalled = stalled.iter().map(|&stalled| (stalled, 0)).collect();
        Self { stalled, channels, before: 0 }
    }

    /// Looks at all channels at one clock.
    #[inline]
    pub fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) {
        let stalled = channels.handshakes().stalled() & self.channels;
        if stalled | self.before == 0 {
            return;
        }
        self.before = stalled;
        for (Stalled { corner, channel, clocks }, so_far) in &mut self.stalled {
            *so_far = (*so_far + 1) * (stalled >> *channel & 1);
            // Without branches, which would often be mispredicted.
            corners.count(*corner, (*so_far == *clocks) | ((*clocks == 1) & (*so_far > 0)));
        }
    }
}

/// Where a channel's ports lie among the words of all ports.
#[derive(Clone, Debug)]
pub struct ChannelPlace {
    /// The environment offers on it.
    pub is_input: bool,
    /// Word of `<channel>_valid`.
    pub valid: usize,
    /// Word of `<channel>_ready`; for a valid-only channel a word that is always 1.
    pub ready: usize,
    /// Words of the payload.
    pub payload: std::ops::Range<usize>,
}

impl ChannelPlace {
    /// Whether a payload is taken at the edge.
    #[inline]
    pub fn fires(&self, ports: &[u64]) -> bool {
        ports[self.valid] & ports[self.ready] != 0
    }

    /// What the channel shows.
    #[inline]
    pub fn view<'a>(&self, ports: &'a [u64]) -> ChannelView<'a> {
        ChannelView {
            valid: ports[self.valid] != 0,
            ready: ports[self.ready] != 0,
            payload: &ports[self.payload.clone()],
        }
    }
}

/// Where the valids or the readies of some channels lie among the words of all ports.
#[derive(Clone, Debug)]
pub struct HandshakeWords(Vec<(u32, u32)>);

impl HandshakeWords {
    /// Pairs of a channel and its word.
    pub fn new(words: impl IntoIterator<Item = (usize, usize)>) -> Self {
        Self(words.into_iter().map(|(channel, word)| (channel as u32, word as u32)).collect())
    }

    /// What the ports show, as a bit for each channel, channel 0 the lowest.
    #[inline]
    pub fn read(&self, ports: &[u64]) -> u64 {
        let mut mask = 0;
        for &(channel, word) in &self.0 {
            mask |= ports[word as usize] << channel;
        }
        mask
    }

    /// Drives the ports.
    #[inline]
    pub fn write(&self, ports: &mut [u64], mask: u64) {
        for &(channel, word) in &self.0 {
            ports[word as usize] = mask >> channel & 1;
        }
    }
}

/// The hand-shakes of all channels at one clock, as a bit for each, channel 0 the lowest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handshakes {
    /// Channels on which a payload is offered.
    pub valid: u64,
    /// Channels on which it is taken, if offered.
    pub ready: u64,
}

impl Handshakes {
    /// Channels with a transfer at the edge.
    #[inline]
    pub fn fire(self) -> u64 {
        self.valid & self.ready
    }

    /// Channels whose offer is not taken.
    #[inline]
    pub fn stalled(self) -> u64 {
        self.valid & !self.ready
    }
}

/// The channels of a mask, the lowest first.
#[inline]
pub fn channels_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let channel = mask.trailing_zeros() as usize;
        let is_one = mask != 0;
        mask &= mask.wrapping_sub(1);
        is_one.then_some(channel)
    })
}

/// What all channels show at one clock.
#[derive(Clone, Copy, Debug)]
pub struct Channels<'a> {
    /// Where each channel is.
    places: &'a [ChannelPlace],
    /// The words of all ports, as the simulator exchanges them.
    ports: &'a [u64],
    /// What they show.
    handshakes: Handshakes,
}

impl<'a> Channels<'a> {
    /// The channels at these places; `handshakes` are what the ports show.
    #[inline]
    pub fn new(places: &'a [ChannelPlace], ports: &'a [u64], handshakes: Handshakes) -> Self {
        Self { places, ports, handshakes }
    }

    /// The hand-shakes.
    #[inline]
    pub fn handshakes(&self) -> Handshakes {
        self.handshakes
    }

    /// A word of the ports.
    #[inline]
    pub fn word(&self, index: usize) -> u64 {
        self.ports[index]
    }

    /// The channel of that index.
    #[inline]
    pub fn at(&self, index: usize) -> ChannelView<'a> {
        let Handshakes { valid, ready } = self.handshakes;
        let shows = |mask: u64| mask >> index & 1 == 1;
        ChannelView { valid: shows(valid), ready: shows(ready), payload: self.payload(index) }
    }

    /// The payload that is taken at the edge on the channel of that index, if one is.
    #[inline]
    pub fn taken(&self, index: usize) -> Option<&'a [u64]> {
        let fires = self.handshakes.fire() >> index & 1 == 1;
        fires.then(|| self.payload(index))
    }

    /// The transfers at the edge: channel and payload.
    #[inline]
    pub fn transfers(self) -> impl Iterator<Item = (usize, &'a [u64])> {
        channels_of(self.handshakes.fire()).map(move |channel| (channel, self.payload(channel)))
    }

    /// What a channel shows as its payload, meaningful where valid.
    #[inline]
    pub fn payload(&self, index: usize) -> &'a [u64] {
        &self.ports[self.places[index].payload.clone()]
    }
}

/// Properties that hold whatever the reference says, looked at on every clock.
pub trait Contract: Send {
    /// Looks at all channels, indexed as in the block's channel list.
    ///
    /// # Errors
    /// What is violated, and the sentence that says so.
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation>;

    /// Looks at what is left when the block has come to rest.
    ///
    /// # Errors
    /// As [`Contract::clock`].
    fn finish(&mut self) -> Result<(), Violation> {
        Ok(())
    }
}

/// A broken property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule in words.
    pub rule: &'static str,
    /// Where the rule comes from: paper and section, or the block's page.
    pub source: &'static str,
    /// What happened.
    pub detail: String,
}

/// A source of requests.
pub trait Stimulus {
    /// Writes the next payload for an input channel; false: nothing to offer at this clock.
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool;

    /// The channels, as a mask, whose transfers it must know of. Only a block some of whose requests are legal only
    /// after an answer has some.
    fn observed(&self) -> u64 {
        0
    }

    /// A transfer happened at the last edge, on one of the [observed](Self::observed) channels.
    fn observe(&mut self, channel: usize, payload: &[u64]) {
        let _ = (channel, payload);
    }

    /// How many requests of a channel can be drawn before the first of them is observed.
    fn ahead(&self, channel: usize) -> usize {
        let _ = channel;
        usize::MAX
    }
}

/// Requests that do not depend on what was answered, drawn by a function.
impl<F: FnMut(usize, &mut StimulusRng, &mut [u64]) -> bool> Stimulus for F {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        self(channel, rng, payload)
    }
}

/// What stands behind a block, such as a memory: it answers the block's own requests,
/// in every run and replay alike. Its transfers are no requests to the block, and are not counted.
pub trait Partner {
    /// The input channels on which it answers.
    fn channels(&self) -> &'static [usize];

    /// A transfer happened at the last edge, on a channel of either direction.
    fn observe(&mut self, channel: usize, payload: &[u64]);

    /// Writes the next payload for one of its channels; false: nothing to answer at this clock.
    fn answer(&mut self, channel: usize, payload: &mut [u64]) -> bool;

    /// Whether an answer is still to come. A run does not end before, and the block is not stuck meanwhile.
    fn owes(&self) -> bool {
        false
    }
}

/// A named kind of stimulus.
#[derive(Clone, Copy, Debug)]
pub struct StreamInfo {
    /// Name, as on the command line.
    pub name: &'static str,
    /// What it exercises.
    pub doc: &'static str,
}

/// The streams of a block that has one.
pub const RANDOM: &[StreamInfo] = &[StreamInfo { name: "random", doc: "random requests" }];

/// The corners that channels have by themselves, as `STALLED`: `CORNER: CHANNEL for so many clocks,`.
#[macro_export]
macro_rules! stalled {
    ($($corner:ident: $channel:ident for $clocks:literal),* $(,)?) => {
        pub(super) const STALLED: &[$crate::verification::Stalled] = &[$(
            $crate::verification::Stalled {
                corner: $corner,
                channel: super::channels::$channel,
                clocks: $clocks,
            }
        ),*];
    };
}
pub use stalled;
