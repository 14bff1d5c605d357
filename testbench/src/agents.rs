//! The environment's side of the channels: when it stalls, what it offers, what it takes.

use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use warpsmith_blocks::verification::{ChannelPlace, Partner, StimulusRng};

use crate::bench::Bench;

/// Stalls of the environment, on every channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stalls {
    /// It always offers and always takes.
    None,
    /// Each channel on its own changes between always, half, rarely, mostly and never willing, every 64
    /// clocks or more.
    Random,
    /// As random, with occasional pauses of 5,000 clocks on a channel.
    Long,
}

impl Stalls {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stalls::None => "none",
            Stalls::Random => "random",
            Stalls::Long => "long",
        }
    }
}

/// Clocks of a long pause, a multiple of 64.
const LONG_PAUSE: u32 = 5056;

/// The willingness of one channel, drawn 64 clocks at a time.
#[derive(Clone, Debug)]
struct Willing {
    rng: Option<StimulusRng>,
    has_long_pauses: bool,
    /// Willingness in the next clocks, lowest bit first.
    bits: u64,
    left: u32,
    manner: u32,
    /// Blocks of 64 clocks before the manner changes.
    manner_left: u32,
}

impl Willing {
    /// The willingness of a channel in the episode with this seed.
    fn new(stalls: Stalls, seed: u64, channel: usize) -> Self {
        let rng = (stalls != Stalls::None)
            .then(|| StimulusRng::seed_from_u64(seed ^ (channel as u64 + 1).rotate_left(32)));
        let has_long_pauses = stalls == Stalls::Long;
        Self { rng, has_long_pauses, bits: 0, left: 0, manner: 0, manner_left: 0 }
    }

    /// Whether the environment is willing at this clock.
    #[inline]
    fn draw(&mut self) -> bool {
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
            self.manner_left = match (self.manner, choice / 8 % 16) {
                // A pause is mostly short, but sometimes longer than any counter in a circuit.
                (7, 0) if self.has_long_pauses => LONG_PAUSE / 64,
                (7, 0) => 16,
                (7, _) => 1,
                (_, length) => 1 + length % 4,
            };
        }
        self.manner_left -= 1;
        let mut draw = || rng.next_u64();
        self.bits = match self.manner {
            0..=2 => u64::MAX,
            3 | 4 => draw(),
            5 => draw() & draw() & draw(),
            6 => draw() | draw() | draw(),
            _ => 0,
        };
    }
}

/// What the ports of a driver show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// Noise.
    Nothing,
    /// The next offer, not valid yet.
    Announced,
    /// An offer.
    Offered,
}

/// Offers payloads on an input channel, each until it is taken.
///
/// Every other payload may be shown before it is valid, while the environment stalls: noise seldom has a
/// meaning, so that a circuit that ignores valid would pass.
#[derive(Debug)]
struct Driver {
    /// Index of the channel.
    channel: usize,
    place: ChannelPlace,
    willing: Willing,
    shown: Shown,
    /// Whether the next payload is announced if the environment stalls.
    announces: bool,
    /// Whether the ports still show the last payload, which is no longer valid.
    is_stale: bool,
    noise: u64,
}

impl Driver {
    /// The driver of a channel at that place.
    fn new(channel: usize, place: &ChannelPlace, willing: Willing) -> Self {
        let place = place.clone();
        let shown = Shown::Nothing;
        Self { channel, place, willing, shown, announces: false, is_stale: true, noise: 1 }
    }

    /// Drives the ports for a clock. If nothing is on offer and the environment is willing, `next` may write
    /// another payload. Returns whether the environment stalled.
    #[inline]
    fn drive(
        &mut self,
        ports: &mut [u64],
        hurry: bool,
        next: impl FnOnce(&mut [u64]) -> bool,
    ) -> bool {
        let willing = self.willing.draw() | hurry;
        let withholds = (self.shown != Shown::Offered) & !willing;
        if self.shown == Shown::Nothing
            && (willing | self.announces)
            && next(&mut ports[self.place.payload.clone()])
        {
            self.shown = Shown::Announced;
            self.announces = !self.announces;
        }
        if (self.shown == Shown::Announced) & willing {
            self.shown = Shown::Offered;
        }
        ports[self.place.valid] = u64::from(self.shown == Shown::Offered);
        let nothing = self.shown == Shown::Nothing;
        if self.is_stale & nothing {
            for word in &mut ports[self.place.payload.clone()] {
                self.noise = self.noise.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                *word = self.noise ^ (self.noise >> 32);
            }
        }
        self.is_stale = !nothing;
        withholds
    }

    /// Observes whether the circuit took the offer at the edge.
    #[inline]
    fn observe(&mut self, ports: &[u64]) {
        if (self.shown == Shown::Offered) & (ports[self.place.ready] != 0) {
            self.shown = Shown::Nothing;
        }
    }
}

/// Clocks between the phases in which a receiver waits for an offer before it is ready.
const CLOCKS_BETWEEN_WAITS: u32 = 1000;
/// Transfers of such a phase.
const WAITED_TRANSFERS: u32 = 16;

/// Takes what the circuit offers on an output channel, when it is willing.
///
/// Sometimes it is ready only once something is offered. A circuit whose valid waits for ready, which is
/// illegal, then hangs.
#[derive(Debug)]
struct Receiver {
    /// Words of the channel's valid and ready.
    valid: usize,
    ready: usize,
    willing: Willing,
    waits_for: u32,
    until_waiting: u32,
}

impl Receiver {
    /// The receiver of a channel at that place.
    fn new(place: &ChannelPlace, willing: Willing) -> Self {
        let (valid, ready) = (place.valid, place.ready);
        // An environment without stalls never waits for an offer.
        let until_waiting = if willing.rng.is_some() { CLOCKS_BETWEEN_WAITS } else { u32::MAX };
        Self { valid, ready, willing, waits_for: 0, until_waiting }
    }

    /// Drives the port for a clock.
    #[inline]
    fn drive(&mut self, ports: &mut [u64], hurry: bool) {
        let mut ready = self.willing.draw() | hurry;
        if self.waits_for > 0 {
            // An offer of the last clock is still there unless it was taken.
            ready &= (ports[self.valid] != 0) & (ports[self.ready] == 0);
            self.waits_for -= u32::from(ready);
        } else if self.until_waiting != u32::MAX {
            self.until_waiting -= 1;
            if self.until_waiting == 0 {
                (self.waits_for, self.until_waiting) = (WAITED_TRANSFERS, CLOCKS_BETWEEN_WAITS);
            }
        }
        ports[self.ready] = u64::from(ready);
    }
}

/// All agents at the channels of a circuit: drivers, receivers, and the block's partner.
pub struct Agents {
    drivers: Vec<Driver>,
    receivers: Vec<Receiver>,
    partner: Option<PartnerSide>,
    places: Vec<ChannelPlace>,
}

/// The block's partner, and its offers.
struct PartnerSide {
    partner: Box<dyn Partner>,
    drivers: Vec<Driver>,
}

impl Agents {
    /// The agents of a bench.
    pub fn new(bench: &Bench<'_>, stalls: Stalls, seed: u64) -> Self {
        let (mut drivers, mut receivers) = (Vec::new(), Vec::new());
        let partner = bench.design().partner().filter(|_| bench.has_partner());
        let mut partner = partner.map(|partner| PartnerSide { partner, drivers: Vec::new() });
        for (c, place) in bench.places().iter().enumerate() {
            let willing = Willing::new(stalls, seed, c);
            if let Some(side) = &mut partner
                && bench.is_partner_channel(c)
            {
                side.drivers.push(Driver::new(c, place, willing));
            } else if place.is_input {
                drivers.push(Driver::new(c, place, willing));
            } else if bench.channels()[c].handshake.has_ready() {
                receivers.push(Receiver::new(place, willing));
            }
        }
        Self { drivers, receivers, partner, places: bench.places().to_vec() }
    }

    /// Drives the inputs for a clock; `next` may write a payload for a channel without an offer. In a `hurry`
    /// nothing stalls. Returns whether an offer was stalled.
    #[inline]
    pub fn drive(
        &mut self,
        ports: &mut [u64],
        hurry: bool,
        mut next: impl FnMut(usize, &mut [u64]) -> bool,
    ) -> bool {
        let mut withheld = false;
        for receiver in &mut self.receivers {
            receiver.drive(ports, hurry);
        }
        for driver in &mut self.drivers {
            let channel = driver.channel;
            withheld |= driver.drive(ports, hurry, |payload| next(channel, payload));
        }
        if let Some(PartnerSide { partner, drivers }) = &mut self.partner {
            for driver in drivers {
                let channel = driver.channel;
                withheld |= driver.drive(ports, hurry, |payload| partner.answer(channel, payload));
            }
            withheld |= partner.owes();
        }
        withheld
    }

    /// Observes what was transferred at the edge.
    #[inline]
    pub fn observe(&mut self, ports: &[u64]) {
        self.drivers.iter_mut().for_each(|driver| driver.observe(ports));
        if let Some(PartnerSide { partner, drivers }) = &mut self.partner {
            drivers.iter_mut().for_each(|driver| driver.observe(ports));
            transfers(&self.places, ports).for_each(|(c, payload)| partner.observe(c, payload));
        }
    }

    /// Whether an offer is outstanding or announced, or the partner owes an answer.
    pub fn are_offering(&self) -> bool {
        self.drivers.iter().any(|driver| driver.shown != Shown::Nothing)
            || self.partner.as_ref().is_some_and(|side| side.partner.owes())
    }
}

/// The transfers of a clock: channel and payload.
#[inline]
pub fn transfers<'a>(
    places: &'a [ChannelPlace],
    ports: &'a [u64],
) -> impl Iterator<Item = (usize, &'a [u64])> {
    let firing = places.iter().enumerate().filter(|(_, place)| place.fires(ports));
    firing.map(|(channel, place)| (channel, &ports[place.payload.clone()]))
}
