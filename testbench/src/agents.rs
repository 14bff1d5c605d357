//! The environment's side of the channels: when it is willing, what it offers, what it takes.

use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use warpsmith_blocks::channel::Handshake;
use warpsmith_blocks::verification::{ChannelPlace, ChannelView, StimulusRng};

/// How willing the environment is, on every channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stalls {
    /// It always offers and always takes.
    None,
    /// Each channel by itself changes between willing, half, rarely, mostly and never, every 64
    /// clocks or more.
    Random,
}

/// The willingness of one channel, drawn 64 clocks at a time.
#[derive(Clone, Debug)]
pub struct Willing {
    rng: Option<StimulusRng>,
    /// The next clocks, the lowest bit first.
    bits: u64,
    left: u32,
    manner: u32,
    /// Times 64 clocks before the manner changes.
    manner_left: u32,
}

impl Willing {
    /// The willingness of the channel of that index in an episode of that seed.
    pub fn new(stalls: Stalls, seed: u64, channel: usize) -> Self {
        let rng = (stalls == Stalls::Random)
            .then(|| StimulusRng::seed_from_u64(seed ^ (channel as u64 + 1).rotate_left(32)));
        Self { rng, bits: 0, left: 0, manner: 0, manner_left: 0 }
    }

    /// Whether the environment is willing at this clock.
    #[inline]
    pub fn draw(&mut self) -> bool {
        if self.left == 0 {
            self.refill();
        }
        let willing = self.bits & 1 == 1;
        self.bits >>= 1;
        self.left -= 1;
        willing
    }

    #[cold]
    fn refill(&mut self) {
        self.left = 64;
        let Some(rng) = &mut self.rng else {
            self.bits = u64::MAX;
            return;
        };
        if self.manner_left == 0 {
            let choice = rng.next_u32();
            self.manner = choice % 8;
            self.manner_left = 1 + choice / 8 % 4;
        }
        self.manner_left -= 1;
        let mut draw = || rng.next_u64();
        self.bits = match self.manner {
            0..=2 => u64::MAX,
            3 | 4 => draw(),
            5 => draw() & draw() & draw(),
            6 => draw() | draw() | draw(),
            _ => {
                // Never, but for not longer than these clocks.
                self.manner_left = 0;
                0
            }
        };
    }
}

/// Offers payloads on an input channel, each until it is taken.
#[derive(Debug)]
pub struct Driver {
    /// Index of the channel.
    pub channel: usize,
    place: ChannelPlace,
    willing: Willing,
    offering: bool,
}

impl Driver {
    /// The driver of a channel that lies there.
    pub fn new(channel: usize, place: &ChannelPlace, willing: Willing) -> Self {
        Self { channel, place: place.clone(), willing, offering: false }
    }

    /// Sets the ports for a clock. With nothing on offer, and if the environment is willing,
    /// `next` may write another payload; gives what is newly offered.
    #[inline]
    pub fn drive<'p>(
        &mut self,
        ports: &'p mut [u64],
        next: impl FnOnce(&mut [u64]) -> bool,
    ) -> Option<&'p [u64]> {
        let free = !self.offering & self.willing.draw();
        let offers = free && next(&mut ports[self.place.payload.clone()]);
        self.offering |= offers;
        ports[self.place.valid] = u64::from(self.offering);
        offers.then(|| &ports[self.place.payload.clone()])
    }

    /// The payload that the circuit takes at this edge.
    #[inline]
    pub fn taken<'p>(&mut self, ports: &'p [u64]) -> Option<&'p [u64]> {
        let view = self.place.view(ports);
        self.offering &= !view.ready;
        view.fires().then_some(view.payload)
    }

    /// Whether an offer waits to be taken.
    pub fn is_offering(&self) -> bool {
        self.offering
    }
}

/// Takes what the circuit offers on an output channel, and sees to it that an offer stays as it is
/// until then.
#[derive(Debug)]
pub struct Receiver {
    /// Index of the channel.
    pub channel: usize,
    is_valid_only: bool,
    place: ChannelPlace,
    willing: Willing,
    /// Whether an offer waits to be taken, and its payload.
    waits: bool,
    held: Vec<u64>,
}

/// An offer that changed before it was taken.
#[derive(Debug)]
pub struct Unstable<'a> {
    /// What was offered.
    pub before: &'a [u64],
    /// What is offered now, if anything.
    pub after: Option<&'a [u64]>,
}

impl Receiver {
    /// The receiver of a channel that lies there.
    pub fn new(
        channel: usize,
        handshake: Handshake,
        place: &ChannelPlace,
        willing: Willing,
    ) -> Self {
        let (is_valid_only, held) =
            (handshake == Handshake::ValidOnly, vec![0; place.payload.len()]);
        Self { channel, is_valid_only, place: place.clone(), willing, waits: false, held }
    }

    /// Sets the ports for a clock.
    #[inline]
    pub fn drive(&mut self, ports: &mut [u64]) {
        if !self.is_valid_only {
            ports[self.place.ready] = u64::from(self.willing.draw());
        }
    }

    /// The payload that the circuit gives at this edge.
    ///
    /// # Errors
    /// If another was offered before and not taken.
    #[inline]
    pub fn given<'a>(&'a mut self, ports: &'a [u64]) -> Result<Option<&'a [u64]>, Unstable<'a>> {
        let ChannelView { valid, ready, payload } = self.place.view(ports);
        if self.waits {
            if !valid || !equal(payload, &self.held) {
                return Err(Unstable { before: &self.held, after: valid.then_some(payload) });
            }
        } else if valid & !ready {
            self.held.copy_from_slice(payload);
        }
        self.waits = valid & !ready;
        Ok((valid & ready).then_some(payload))
    }
}

/// Compares payloads of equal length. They are a few words long, less than a call of `memcmp`
/// costs.
#[inline]
pub(crate) fn equal(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}
