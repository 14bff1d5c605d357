//! What a block brings to be verified with: a reference, a contract, streams of requests, corners.

use rand_xoshiro::Xoshiro256PlusPlus;

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

/// What all channels show at one clock.
#[derive(Clone, Copy, Debug)]
pub struct Channels<'a> {
    /// Where each channel is.
    pub places: &'a [ChannelPlace],
    /// The words of all ports, as the simulator exchanges them.
    pub ports: &'a [u64],
}

impl<'a> Channels<'a> {
    /// The channel of that index.
    #[inline]
    pub fn at(&self, index: usize) -> ChannelView<'a> {
        self.places[index].view(self.ports)
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
    fn finish(&mut self) -> Result<(), Violation>;
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

    /// A transfer happened at the last edge, on a channel of either direction. Only a block some of
    /// whose requests are legal only after an answer needs to know.
    fn observe(&mut self, channel: usize, payload: &[u64]) {
        let _ = (channel, payload);
    }
}

/// What stands behind a block, such as the memory that it asks: it answers the block's own requests,
/// in every run and replay alike. Its transfers are no requests to the block, and are not counted.
pub trait Partner {
    /// The input channels on which it answers.
    fn channels(&self) -> &'static [usize];

    /// A transfer happened at the last edge, on a channel of either direction.
    fn observe(&mut self, channel: usize, payload: &[u64]);

    /// Writes the next payload for one of its channels; false: nothing to answer at this clock.
    fn answer(&mut self, channel: usize, payload: &mut [u64]) -> bool;
}

/// A named kind of stimulus.
#[derive(Clone, Copy, Debug)]
pub struct StreamInfo {
    /// Name, as on the command line.
    pub name: &'static str,
    /// What it exercises.
    pub doc: &'static str,
}

/// A situation that verification must have met.
#[derive(Clone, Copy, Debug)]
pub struct CornerInfo {
    /// Name, in words.
    pub name: &'static str,
}

/// Corners as constants, which are their indices, and the list `CORNERS`: `CONSTANT "name in words",`.
macro_rules! corners {
    ($($constant:ident $name:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($constant),* }
        $(pub(super) const $constant: usize = Index::$constant as usize;)*
        /// The corners, in the order of their indices.
        pub(super) const CORNERS: &[$crate::verification::CornerInfo] =
            &[$($crate::verification::CornerInfo { name: $name }),*];
    };
}
pub(crate) use corners;

/// How often each corner of a block was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corners {
    counts: Vec<u64>,
}

impl Corners {
    /// As many bins as the block has corners.
    pub fn new(count: usize) -> Self {
        Self { counts: vec![0; count] }
    }

    /// Counts one meeting of a corner.
    #[inline]
    pub fn hit(&mut self, corner: usize) {
        self.counts[corner] += 1;
    }

    /// Counts a meeting of a corner if there was one. What is met at random is better counted so:
    /// a branch would often be mispredicted.
    #[inline]
    pub fn count(&mut self, corner: usize, met: bool) {
        self.counts[corner] += u64::from(met);
    }

    /// Adds the counts of another run of the same block.
    pub fn add(&mut self, other: &Corners) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
    }

    /// The counts, in the order of the block's corner list.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }
}
