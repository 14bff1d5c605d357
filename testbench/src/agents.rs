//! The environment's side of the channels: when it stalls, what it offers, what it takes.

use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use warpsmith_blocks::verification::{
    ChannelPlace, Channels, HandshakeWords, Handshakes, Partner, StimulusRng, channels_of,
};

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
        Self { rng, has_long_pauses, manner: 0, manner_left: 0 }
    }

    /// Whether it is willing in the next 64 clocks, lowest bit first.
    fn bits(&mut self) -> u64 {
        let Some(rng) = &mut self.rng else { return u64::MAX };
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
        match self.manner {
            0..=2 => u64::MAX,
            3 | 4 => draw(),
            5 => draw() & draw() & draw(),
            6 => draw() | draw() | draw(),
            _ => 0,
        }
    }
}

/// The willingness of all channels.
#[derive(Clone, Debug)]
struct Willingness {
    channels: Vec<Willing>,
    /// For each of the next clocks the willing channels, as a mask.
    clocks: [u64; 64],
    next: usize,
}

impl Willingness {
    fn new(stalls: Stalls, seed: u64, channels: usize) -> Self {
        let channels = (0..channels).map(|channel| Willing::new(stalls, seed, channel)).collect();
        Self { channels, clocks: [0; 64], next: 64 }
    }

    /// Channels on which the environment is willing at this clock, as a mask.
    #[inline]
    fn draw(&mut self) -> u64 {
        if self.next == 64 {
            self.refill();
        }
        self.next += 1;
        self.clocks[self.next - 1]
    }

    #[cold]
    fn refill(&mut self) {
        (self.clocks, self.next) = ([0; 64], 0);
        let mut always = 0;
        for (channel, willing) in self.channels.iter_mut().enumerate() {
            match willing.bits() {
                0 => {}
                u64::MAX => always |= 1 << channel,
                bits => {
                    for (clock, mask) in self.clocks.iter_mut().enumerate() {
                        *mask |= (bits >> clock & 1) << channel;
                    }
                }
            }
        }
        self.clocks.iter_mut().for_each(|mask| *mask |= always);
    }
}

/// Offers payloads on input channels, each until it is taken. All sets of channels are masks.
///
/// Every other payload may be shown before it is valid, while the environment stalls: noise seldom has a
/// meaning, so that a circuit that ignores valid would pass.
#[derive(Debug)]
struct Drivers {
    all: u64,
    valids: HandshakeWords,
    /// Those that the partner drives.
    of_partner: u64,
    /// With an offer.
    offered: u64,
    /// With the next offer shown, which is not valid yet.
    announced: u64,
    /// Whose next payload is announced if the environment stalls.
    announce: u64,
    /// Whose ports still show the last payload, which is no longer valid.
    stale: u64,
    /// For each channel the noise it showed last.
    noise: Vec<u64>,
}

impl Drivers {
    /// The channels without an offer that may show their next.
    #[inline]
    fn may_show(&self, willing: u64) -> u64 {
        self.all & !(self.offered | self.announced) & (willing | self.announce)
    }

    /// A channel shows its next offer.
    #[inline]
    fn show(&mut self, channel: usize) {
        self.announced |= 1 << channel;
        self.announce ^= 1 << channel;
    }

    /// Drives the ports, once all have been shown that may be.
    // A call would take as long as what it does, as would one of the receivers.
    #[inline(always)]
    fn drive(&mut self, places: &[ChannelPlace], ports: &mut [u64], willing: u64) {
        self.offered |= self.announced & willing;
        self.announced &= !willing;
        self.valids.write(ports, self.offered);
        let shown = self.offered | self.announced;
        for channel in channels_of(self.stale & !shown) {
            let noise = &mut self.noise[channel];
            for word in &mut ports[places[channel].payload.clone()] {
                *noise = noise.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                *word = *noise ^ (*noise >> 32);
            }
        }
        self.stale = shown;
    }
}

/// Clocks between the phases in which a receiver waits for an offer before it is ready.
const CLOCKS_BETWEEN_WAITS: u64 = 1000;
/// Transfers of such a phase.
const WAITED_TRANSFERS: u32 = 16;

/// Takes what the circuit offers on output channels, when it is willing.
///
/// Sometimes it is ready only once something is offered. A circuit whose valid waits for ready, which is
/// illegal, then hangs.
#[derive(Debug)]
struct Receivers {
    all: u64,
    readies: HandshakeWords,
    clock: u64,
    /// Those that wait for an offer, as a mask.
    waiting: u64,
    /// For each channel the transfers for which it will wait still.
    waits_for: Vec<u32>,
    /// For each channel the clock after which it waits next, and the first of these.
    waits_after: Vec<u64>,
    next: u64,
}

impl Receivers {
    fn new(all: u64, places: &[ChannelPlace], stalls: Stalls) -> Self {
        // An environment without stalls never waits for an offer.
        let next = if stalls == Stalls::None { u64::MAX } else { CLOCKS_BETWEEN_WAITS };
        let readies = channels_of(all).map(|channel| (channel, places[channel].ready));
        Self {
            all,
            readies: HandshakeWords::new(readies),
            clock: 0,
            waiting: 0,
            waits_for: vec![0; places.len()],
            waits_after: vec![next; places.len()],
            next,
        }
    }

    /// Drives the ports for a clock. Returns the channels on which it is ready.
    #[inline(always)]
    fn drive(&mut self, places: &[ChannelPlace], ports: &mut [u64], willing: u64) -> u64 {
        self.clock += 1;
        let mut ready = self.all & willing;
        for channel in channels_of(self.waiting) {
            // An offer of the last clock is still there unless it was taken.
            let place = &places[channel];
            if (ports[place.valid] == 0) | (ports[place.ready] != 0) {
                ready &= !(1 << channel);
            }
            self.waits_for[channel] -= u32::from(ready >> channel & 1 == 1);
            if self.waits_for[channel] == 0 {
                self.waiting &= !(1 << channel);
                self.waits_after[channel] = self.clock + CLOCKS_BETWEEN_WAITS;
                self.next = self.next.min(self.waits_after[channel]);
            }
        }
        if self.clock == self.next {
            self.begin_waits();
        }
        self.readies.write(ports, ready);
        ready
    }

    #[cold]
    fn begin_waits(&mut self) {
        self.next = u64::MAX;
        for channel in channels_of(self.all & !self.waiting) {
            let after = self.waits_after[channel];
            if after == self.clock {
                self.waiting |= 1 << channel;
                self.waits_for[channel] = WAITED_TRANSFERS;
            } else {
                self.next = self.next.min(after);
            }
        }
    }
}

/// All agents at the channels of a circuit: drivers, receivers, and the block's partner.
pub struct Agents {
    willingness: Willingness,
    drivers: Drivers,
    receivers: Receivers,
    partner: Option<Box<dyn Partner>>,
    places: Vec<ChannelPlace>,
    /// The valid-only channels.
    always_ready: u64,
}

impl Agents {
    /// The agents of a bench.
    pub fn new(bench: &Bench<'_>, stalls: Stalls, seed: u64) -> Self {
        let partner = bench.design().partner().filter(|_| bench.has_partner());
        let count = bench.channels().len();
        let has_ready = |channel: &usize| bench.channels()[*channel].handshake.has_ready();
        let always_ready = (0..count).filter(|c| !has_ready(c)).fold(0, |all, c| all | 1 << c);
        let outputs = (0..count).filter(|c| !bench.places()[*c].is_input);
        let receiving = outputs.filter(has_ready).fold(0, |all, channel| all | 1 << channel);
        let valids =
            channels_of(bench.inputs()).map(|channel| (channel, bench.places()[channel].valid));
        let drivers = Drivers {
            all: bench.inputs(),
            valids: HandshakeWords::new(valids),
            of_partner: bench.of_partner(),
            offered: 0,
            announced: 0,
            announce: 0,
            stale: bench.inputs(),
            noise: vec![1; count],
        };
        Self {
            willingness: Willingness::new(stalls, seed, count),
            drivers,
            receivers: Receivers::new(receiving, bench.places(), stalls),
            partner,
            places: bench.places().to_vec(),
            always_ready,
        }
    }

    /// Drives the inputs for a clock; `next` may write a payload for a channel without an offer. In a `hurry`
    /// nothing stalls. Returns the hand-shakes that they drive, and whether an offer was stalled.
    #[inline]
    pub fn drive(
        &mut self,
        ports: &mut [u64],
        hurry: bool,
        mut next: impl FnMut(usize, &mut [u64]) -> bool,
    ) -> (Handshakes, bool) {
        let Self { willingness, drivers, receivers, partner, places, always_ready } = self;
        let willing = willingness.draw() | if hurry { u64::MAX } else { 0 };
        let ready = receivers.drive(places, ports, willing) | *always_ready;
        let withheld = drivers.all & !(drivers.offered | willing) != 0;
        let may_show = drivers.may_show(willing);
        for channel in channels_of(may_show & !drivers.of_partner) {
            if next(channel, &mut ports[places[channel].payload.clone()]) {
                drivers.show(channel);
            }
        }
        let mut owes = false;
        if let Some(partner) = partner {
            for channel in channels_of(may_show & drivers.of_partner) {
                if partner.answer(channel, &mut ports[places[channel].payload.clone()]) {
                    drivers.show(channel);
                }
            }
            // While the circuit refuses an answer, the partner is not what it waits for.
            owes = drivers.offered & drivers.of_partner == 0 && partner.owes();
        }
        drivers.drive(places, ports, willing);
        (Handshakes { valid: drivers.offered, ready }, withheld | owes)
    }

    /// Observes what was transferred at the edge.
    #[inline]
    pub fn observe(&mut self, channels: Channels<'_>) {
        self.drivers.offered &= !channels.handshakes().ready;
        if let Some(partner) = &mut self.partner {
            channels.transfers().for_each(|(channel, payload)| partner.observe(channel, payload));
        }
    }

    /// Whether an offer is outstanding or announced, or the partner owes an answer.
    pub fn are_offering(&self) -> bool {
        (self.drivers.offered | self.drivers.announced) != 0
            || self.partner.as_ref().is_some_and(|partner| partner.owes())
    }
}
