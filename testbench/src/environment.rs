//! The environment of a circuit in an episode: it offers requests and takes responses.

use std::collections::VecDeque;

use rand::SeedableRng;
use warpsmith_blocks::verification::{Channels, Handshakes, Stimulus, StimulusRng, channels_of};

use crate::agents::Agents;
use crate::bench::Bench;
use crate::episode::{Episode, Offer, Source};
use crate::latest::Latest;

/// Offers kept for shrinking a failing stream.
const RECENT_OFFERS: usize = 4096;

/// Drives the input ports.
pub struct Environment<'r> {
    requests: Requests<'r>,
    agents: Agents,
    offers: Latest,
    offered: u64,
    clock: u64,
    /// The port word that says whether an offer was stalled.
    withheld: usize,
}

/// The remaining requests.
enum Requests<'r> {
    Stream { stimulus: Box<dyn Stimulus>, observed: u64, rng: Box<StimulusRng>, left: u64 },
    Offers(Vec<VecDeque<&'r Offer>>),
}

impl<'r> Environment<'r> {
    /// The environment of an episode.
    pub fn new(bench: &Bench<'_>, episode: &Episode<'r>) -> Self {
        let requests = match episode.source {
            Source::Stream { stream, seed, requests } => {
                let stimulus = bench.design().stimulus(episode.straps, stream);
                let rng = Box::new(StimulusRng::seed_from_u64(seed));
                Requests::Stream { observed: stimulus.observed(), stimulus, rng, left: requests }
            }
            Source::Offers(offers) => {
                let of = |channel| offers.iter().filter(|o| o.channel == channel).collect();
                Requests::Offers((0..bench.channels().len()).map(of).collect())
            }
        };
        let agents = Agents::new(bench, episode.stalls, episode.stall_seed);
        let longest = bench.places().iter().map(|place| place.payload.len()).max().unwrap_or(0);
        let offers = Latest::new(RECENT_OFFERS, longest);
        Self { requests, agents, offers, offered: 0, clock: 0, withheld: bench.withheld() }
    }

    /// The same, without [`Environment::recent_offers`].
    #[must_use]
    pub fn without_offers(self) -> Self {
        Self { offers: Latest::none(), ..self }
    }

    /// Drives the inputs for the next clock. After the last offer nothing stalls. Returns the hand-shakes driven.
    pub fn drive(&mut self, ports: &mut [u64]) -> Handshakes {
        self.clock += 1;
        let hurry = self.requests.is_done();
        let due_later = self.requests.are_due_later(self.clock);
        let (driven, withheld) = self.agents.drive(ports, hurry, |channel, payload| {
            let offered = self.requests.next(self.clock, channel, payload);
            if offered {
                self.offered += 1;
                self.offers.keep(self.clock, channel, payload);
            }
            offered
        });
        ports[self.withheld] = u64::from(withheld | due_later);
        driven
    }

    /// Observes what was transferred at the edge.
    #[inline]
    pub fn observe(&mut self, channels: Channels<'_>) {
        self.agents.observe(channels);
        if let Requests::Stream { stimulus, observed, .. } = &mut self.requests {
            let told = channels_of(channels.handshakes().fire() & *observed);
            told.for_each(|channel| stimulus.observe(channel, channels.payload(channel)));
        }
    }

    /// Requests offered so far.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// Whether everything was offered and taken.
    pub fn is_exhausted(&self) -> bool {
        self.requests.is_done() && !self.agents.are_offering()
    }

    /// The most recent offers, the latest last.
    pub fn recent_offers(&self, bench: &Bench<'_>) -> Vec<Offer> {
        let offer = |(clock, channel, words): (u64, usize, &[u64])| {
            let words = &words[..bench.places()[channel].payload.len()];
            Offer { channel, payload: words.to_vec(), clock }
        };
        self.offers.iter().map(offer).collect()
    }
}

impl Requests<'_> {
    fn next(&mut self, clock: u64, channel: usize, payload: &mut [u64]) -> bool {
        match self {
            Requests::Stream { left: 0, .. } => false,
            Requests::Stream { stimulus, rng, left, .. } => {
                let offered = stimulus.next(channel, rng, payload);
                *left -= u64::from(offered);
                offered
            }
            Requests::Offers(channels) => {
                let offers = &mut channels[channel];
                let due = offers.front().is_some_and(|offer| offer.clock <= clock);
                due && offers
                    .pop_front()
                    .map(|offer| payload.copy_from_slice(&offer.payload))
                    .is_some()
            }
        }
    }

    /// Whether the next offers must wait for a later clock.
    fn are_due_later(&self, clock: u64) -> bool {
        match self {
            Requests::Stream { .. } => false,
            Requests::Offers(channels) => {
                channels.iter().filter_map(VecDeque::front).any(|offer| offer.clock > clock)
            }
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Requests::Stream { left, .. } => *left == 0,
            Requests::Offers(channels) => channels.iter().all(|offers| offers.is_empty()),
        }
    }
}
