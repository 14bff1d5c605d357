//! The environment's side of the channels: when it is willing, what it offers, what it takes.

use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use warpsmith_blocks::verification::{ChannelPlace, StimulusRng};

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

    /// Sees whether the circuit took the offer at the edge.
    #[inline]
    pub fn observe(&mut self, ports: &[u64]) {
        self.offering &= ports[self.place.ready] == 0;
    }

    /// Whether an offer waits to be taken.
    pub fn is_offering(&self) -> bool {
        self.offering
    }
}

/// Takes what the circuit offers on an output channel, when it is willing.
#[derive(Debug)]
pub struct Receiver {
    /// Word of the channel's ready.
    ready: usize,
    willing: Willing,
}

impl Receiver {
    /// The receiver of a channel whose ready is that word of the ports.
    pub fn new(ready: usize, willing: Willing) -> Self {
        Self { ready, willing }
    }

    /// Sets the port for a clock.
    #[inline]
    pub fn drive(&mut self, ports: &mut [u64]) {
        ports[self.ready] = u64::from(self.willing.draw());
    }
}
