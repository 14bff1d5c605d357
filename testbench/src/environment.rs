//! The environment of a circuit in an episode: it offers the requests and takes the answers.

use std::collections::VecDeque;

use rand::SeedableRng;
use warpsmith_blocks::verification::{ChannelPlace, Partner, Stimulus, StimulusRng};

use crate::agents::{Driver, Receiver, Willing};
use crate::bench::Bench;
use crate::episode::{Episode, Offer, Source};
use crate::latest::Latest;

/// Offers kept so that a failing stream can be made small.
const RECENT_OFFERS: usize = 4096;

/// Who drives the input ports.
pub struct Environment<'r> {
    requests: Requests<'r>,
    partner: Option<PartnerSide>,
    places: Vec<ChannelPlace>,
    drivers: Vec<Driver>,
    receivers: Vec<Receiver>,
    offers: Latest,
    offered: u64,
    clock: u64,
    /// The word that says whether it holds back what the circuit may wait for.
    withheld: usize,
}

/// The block's partner, and what it offers.
struct PartnerSide {
    partner: Box<dyn Partner>,
    drivers: Vec<Driver>,
}

/// The requests still to be offered.
enum Requests<'r> {
    Stream { stimulus: Box<dyn Stimulus>, rng: Box<StimulusRng>, left: u64 },
    Offers(Vec<VecDeque<&'r Offer>>),
}

impl<'r> Environment<'r> {
    /// The environment of an episode.
    pub fn new(bench: &Bench<'_>, episode: &Episode<'r>) -> Self {
        let requests = match episode.source {
            Source::Stream { stream, seed, requests } => Requests::Stream {
                stimulus: bench.design().stimulus(episode.straps, stream),
                rng: Box::new(StimulusRng::seed_from_u64(seed)),
                left: requests,
            },
            Source::Offers(offers) => {
                let of = |channel| offers.iter().filter(|o| o.channel == channel).collect();
                Requests::Offers((0..bench.channels().len()).map(of).collect())
            }
        };
        let (mut drivers, mut receivers) = (Vec::new(), Vec::new());
        let mut partner =
            bench.design().partner().map(|partner| PartnerSide { partner, drivers: Vec::new() });
        for (c, place) in bench.places().iter().enumerate() {
            let willing = Willing::new(episode.stalls, episode.stall_seed, c);
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
        let longest = bench.places().iter().map(|place| place.payload.len()).max().unwrap_or(0);
        let offers = Latest::new(RECENT_OFFERS, longest);
        Self {
            requests,
            partner,
            places: bench.places().to_vec(),
            drivers,
            receivers,
            offers,
            offered: 0,
            clock: 0,
            withheld: bench.withheld(),
        }
    }

    /// Sets the inputs for the next clock. Once everything was offered, all channels are willing.
    pub fn drive(&mut self, ports: &mut [u64]) {
        self.clock += 1;
        let hurry = self.requests.is_done();
        for receiver in &mut self.receivers {
            receiver.drive(ports, hurry);
        }
        let mut withheld = self.requests.are_due_later(self.clock);
        for driver in &mut self.drivers {
            let channel = driver.channel;
            let next = |payload: &mut [u64]| self.requests.next(self.clock, channel, payload);
            if let Some(payload) = driver.drive(ports, hurry, next) {
                self.offered += 1;
                self.offers.keep(self.clock, channel, payload);
            }
            withheld |= driver.withholds();
        }
        if let Some(PartnerSide { partner, drivers }) = &mut self.partner {
            for driver in drivers {
                let channel = driver.channel;
                driver.drive(ports, hurry, |payload| partner.answer(channel, payload));
                withheld |= driver.withholds();
            }
        }
        ports[self.withheld] = u64::from(withheld);
    }

    /// Sees what the circuit took and gave at the edge.
    pub fn observe(&mut self, ports: &[u64]) {
        self.drivers.iter_mut().for_each(|driver| driver.observe(ports));
        if let Some(PartnerSide { partner, drivers }) = &mut self.partner {
            drivers.iter_mut().for_each(|driver| driver.observe(ports));
            for (channel, place) in self.places.iter().enumerate() {
                let view = place.view(ports);
                if view.fires() {
                    partner.observe(channel, view.payload);
                }
            }
        }
        if let Requests::Stream { stimulus, .. } = &mut self.requests {
            for (channel, place) in self.places.iter().enumerate() {
                let view = place.view(ports);
                if view.fires() {
                    stimulus.observe(channel, view.payload);
                }
            }
        }
    }

    /// Requests offered so far.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// Whether everything was offered and taken.
    pub fn is_exhausted(&self) -> bool {
        self.requests.is_done() && !self.drivers.iter().any(Driver::is_offering)
    }

    /// The last offers, the latest last.
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
            Requests::Stream { stimulus, rng, left } => {
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

    /// Whether an offer is not to be made before a later clock.
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
