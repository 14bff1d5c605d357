//! One episode: a circuit and its reference side by side, clock by clock.

use std::collections::VecDeque;

use rand::SeedableRng;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Channel, Direction, Handshake, Strap};
use warpsmith_blocks::verification::{
    ChannelPlace, Channels, Contract, Corners, Outcome, Reference, Stimulus, StimulusRng, Violation,
};
use warpsmith_rtl::netlist::Netlist;
use warpsmith_rtl::{Module, PortLayout, words};

use crate::agents::{Driver, Receiver, Stalls, Willing};
use crate::mismatch::{BrokenRule, Divergence, Mismatch, PastTransfer};
use crate::model::Model;
use crate::replay::{Latest, Offer, Replay};
use crate::scoreboard::Scoreboard;

/// Transfers kept for the report of a mismatch.
const HISTORY: usize = 24;
/// Offers kept so that a failing stream can be made small.
const RECENT_OFFERS: usize = 4096;
/// Clocks that a block is watched after its last expected transfer, for one too many.
const REST: u64 = 32;
/// Clocks after a divergence in which the contract may still name the rule that it breaks.
const RULE_WINDOW: u64 = 64;

/// What a design's episodes have in common.
pub struct Bench<'d> {
    design: &'d dyn Design,
    channels: Vec<Channel>,
    straps: Vec<Strap>,
    places: Vec<ChannelPlace>,
    layout: PortLayout,
    /// Clocks without a transfer after which the circuit counts as stuck.
    patience: u64,
}

/// Where an episode's requests come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// So many requests from the stream of that index and this seed.
    Stream {
        /// Index in the design's streams.
        stream: usize,
        /// Seed.
        seed: u64,
        /// Number of requests.
        requests: u64,
    },
    /// These.
    Offers(&'a [Offer]),
}

/// Everything that decides what happens in an episode.
#[derive(Clone, Debug)]
pub struct Episode<'a> {
    /// Values of the straps.
    pub straps: &'a [u64],
    /// How willing the environment is.
    pub stalls: Stalls,
    /// Seed of the stalls.
    pub stall_seed: u64,
    /// The requests.
    pub source: Source<'a>,
}

/// What an episode that ended well has done.
#[derive(Clone, Debug, Default)]
pub struct EpisodeStats {
    /// Requests accepted, on all input channels.
    pub accepted: u64,
    /// Clocks after reset.
    pub clocks: u64,
    /// Clocks from the first acceptance to the last, both counted.
    pub busy_clocks: u64,
    /// Transfers on each channel.
    pub transfers: Vec<u64>,
}

/// An episode that diverged.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What diverged.
    pub mismatch: Mismatch,
    /// The last offers made, the latest last.
    pub offers: Vec<Offer>,
    /// Whether these are all that were made.
    pub offers_complete: bool,
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
        // A block may clear its memories a row at a time before it does anything.
        let patience = 4000 + 4 * rows.max().unwrap_or(0);
        Self { design, channels, straps, places, layout, patience }
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
        for (index, offer) in replay.offers.iter().enumerate() {
            let channel = self.channels.get(offer.channel);
            let Some(channel) = channel.filter(|c| c.direction == Direction::Input) else {
                return Err(format!("offer {index}: {} is no input channel", offer.channel));
            };
            if !channel.accepts(&offer.payload) {
                return Err(format!("offer {index} is no payload of `{}`", channel.name));
            }
        }
        Ok(())
    }

    /// Resets the model and runs an episode on it. `progress` is told now and then how many
    /// requests were accepted; `corners` is counted up. A model with `run_on` is clocked so many
    /// times more after a divergence, for its waves.
    ///
    /// # Errors
    /// The first divergence.
    pub fn run(
        &self,
        model: &mut dyn Model,
        episode: &Episode<'_>,
        corners: &mut Corners,
        run_on: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<EpisodeStats, Box<Failure>> {
        let mut run = Run::new(self, model, episode, corners);
        run.reset();
        let result = loop {
            match run.clock() {
                Ok(true) => {}
                Ok(false) => break run.contract.finish().map_err(|v| run.broken(v)),
                Err(mismatch) => break Err(mismatch),
            }
            if run.clock & 0xffff == 0 {
                progress(run.stats.accepted);
            }
        };
        match result {
            Ok(()) => Ok(run.stats),
            Err(mismatch) => {
                let mismatch = run.look_for_rule(mismatch);
                for _ in 0..run_on {
                    run.step();
                }
                let complete = !run.offers.is_full();
                let offers = run.offers.iter().map(|(_, channel, words)| {
                    let words = &words[..self.places[channel].payload.len()];
                    Offer { channel, payload: words.to_vec() }
                });
                let offers = offers.collect();
                Err(Box::new(Failure { mismatch, offers, offers_complete: complete }))
            }
        }
    }

    /// The registers of a model as an episode on it has them after the edge of that clock, or when
    /// the episode ends before.
    pub fn registers_at(
        &self,
        model: &mut dyn Model,
        episode: &Episode<'_>,
        clock: u64,
    ) -> Vec<(String, String)> {
        let mut corners = Corners::new(self.design.corners().len());
        let mut run = Run::new(self, model, episode, &mut corners);
        run.reset();
        while run.clock < clock && matches!(run.clock(), Ok(true)) {}
        run.registers()
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
    let ready = match channel.handshake {
        Handshake::ReadyValid => find(!is_input, "ready").0,
        Handshake::ValidOnly => outputs + layout.output_words(),
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

struct Run<'r> {
    bench: &'r Bench<'r>,
    model: &'r mut dyn Model,
    episode: &'r Episode<'r>,
    corners: &'r mut Corners,
    reference: Box<dyn Reference>,
    contract: Box<dyn Contract>,
    scoreboard: Scoreboard,
    requests: Requests<'r>,
    drivers: Vec<Driver>,
    receivers: Vec<Receiver>,
    /// The ports, laid out as [`place`] says.
    ports: Vec<u64>,
    /// Words of the inputs and of the outputs.
    input_words: usize,
    output_words: usize,
    clock: u64,
    last_transfer: u64,
    first_accept: u64,
    stats: EpisodeStats,
    history: Latest,
    offers: Latest,
}

/// The requests still to be offered.
enum Requests<'r> {
    Stream { stimulus: Box<dyn Stimulus>, rng: Box<StimulusRng>, left: u64 },
    Offers(Vec<VecDeque<&'r Offer>>),
}

impl Requests<'_> {
    fn next(&mut self, channel: usize, payload: &mut [u64]) -> bool {
        match self {
            Requests::Stream { left: 0, .. } => false,
            Requests::Stream { stimulus, rng, left } => {
                let offered = stimulus.next(channel, rng, payload);
                *left -= u64::from(offered);
                offered
            }
            Requests::Offers(channels) => channels[channel]
                .pop_front()
                .map(|offer| payload.copy_from_slice(&offer.payload))
                .is_some(),
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Requests::Stream { left, .. } => *left == 0,
            Requests::Offers(channels) => channels.iter().all(|offers| offers.is_empty()),
        }
    }
}

impl<'r> Run<'r> {
    fn new(
        bench: &'r Bench<'r>,
        model: &'r mut dyn Model,
        episode: &'r Episode<'r>,
        corners: &'r mut Corners,
    ) -> Self {
        let (design, count) = (bench.design, bench.channels.len());
        let requests = match episode.source {
            Source::Stream { stream, seed, requests } => Requests::Stream {
                stimulus: design.stimulus(episode.straps, stream),
                rng: Box::new(StimulusRng::seed_from_u64(seed)),
                left: requests,
            },
            Source::Offers(offers) => Requests::Offers(
                (0..count).map(|c| offers.iter().filter(|o| o.channel == c).collect()).collect(),
            ),
        };
        let (mut drivers, mut receivers) = (Vec::new(), Vec::new());
        for (c, place) in bench.places.iter().enumerate() {
            let willing = Willing::new(episode.stalls, episode.stall_seed, c);
            match place.is_input {
                true => drivers.push(Driver::new(c, place, willing)),
                false => {
                    let handshake = bench.channels[c].handshake;
                    receivers.push(Receiver::new(c, handshake, place, willing));
                }
            }
        }
        let mut ports = vec![0; bench.layout.input_words() + bench.layout.output_words()];
        ports.push(1);
        let longest = bench.places.iter().map(|place| place.payload.len()).max().unwrap_or(0);
        Self {
            bench,
            model,
            episode,
            corners,
            reference: design.reference(episode.straps),
            contract: design.contract(episode.straps),
            scoreboard: Scoreboard::new(&bench.channels),
            requests,
            drivers,
            receivers,
            ports,
            input_words: bench.layout.input_words(),
            output_words: bench.layout.output_words(),
            clock: 0,
            last_transfer: 0,
            first_accept: 0,
            stats: EpisodeStats { transfers: vec![0; count], ..EpisodeStats::default() },
            history: Latest::new(HISTORY, longest),
            offers: Latest::new(RECENT_OFFERS, longest),
        }
    }

    fn reset(&mut self) {
        for (strap, &value) in self.bench.straps.iter().zip(self.episode.straps) {
            let port = self.bench.layout.input(strap.name).expect("checked by the bench");
            self.ports[port.offset] = value;
        }
        let rst = self.bench.layout.input("rst").expect("every module has a reset").offset;
        self.ports[rst] = 1;
        self.step();
        self.step();
        self.ports[rst] = 0;
        // What a model says of the time before its reset means nothing.
        let _ = self.model.complaint();
    }

    /// Clocks the model. False if it complains.
    fn step(&mut self) -> bool {
        let (inputs, outputs) = self.ports.split_at_mut(self.input_words);
        self.model.clock(inputs, &mut outputs[..self.output_words])
    }

    /// One clock. False: everything was offered, answered, and the block is at rest.
    fn clock(&mut self) -> Result<bool, Box<Mismatch>> {
        self.drive();
        let sound = self.step();
        self.clock += 1;
        self.take_requests();
        let judged = self.judge_outputs();
        let contract = self.check_contract();
        if let Err(divergence) = judged {
            let mut mismatch = self.mismatch(divergence);
            mismatch.rule = contract.err().map(|violation| rule(violation, self.clock));
            return Err(mismatch);
        }
        contract.map_err(|violation| self.broken(violation))?;
        if !sound && let Some(message) = self.model.complaint() {
            return Err(self.mismatch(Divergence::Complaint { message }));
        }
        let idle = self.clock - self.last_transfer;
        if idle == 0 || !self.is_done() {
            return match idle > self.bench.patience {
                true => Err(self.mismatch(self.stuck(idle))),
                false => Ok(true),
            };
        }
        self.stats.clocks = self.clock;
        Ok(idle < REST)
    }

    /// Whether everything was offered, taken and answered.
    fn is_done(&self) -> bool {
        self.scoreboard.outstanding() == 0
            && self.requests.is_done()
            && !self.drivers.iter().any(Driver::is_offering)
    }

    /// Sets the inputs for this clock.
    fn drive(&mut self) {
        for receiver in &mut self.receivers {
            receiver.drive(&mut self.ports);
        }
        for driver in &mut self.drivers {
            let channel = driver.channel;
            let next = |payload: &mut [u64]| self.requests.next(channel, payload);
            if let Some(payload) = driver.drive(&mut self.ports, next) {
                self.offers.keep(self.clock, channel, payload);
            }
        }
    }

    /// Gives the requests that the circuit takes at this edge to the reference.
    fn take_requests(&mut self) {
        for driver in &mut self.drivers {
            let Some(payload) = driver.taken(&self.ports) else { continue };
            let mut outcome = Outcome { sink: &mut self.scoreboard, corners: self.corners };
            self.reference.accept(driver.channel, payload, &mut outcome);
            if self.stats.accepted == 0 {
                self.first_accept = self.clock;
            }
            self.stats.accepted += 1;
            self.stats.busy_clocks = self.clock - self.first_accept + 1;
            self.stats.transfers[driver.channel] += 1;
            self.last_transfer = self.clock;
            self.history.keep(self.clock, driver.channel, payload);
        }
    }

    /// Compares what the circuit offers and gives at this edge.
    fn judge_outputs(&mut self) -> Result<(), Divergence> {
        for receiver in &mut self.receivers {
            let c = receiver.channel;
            let channel = &self.bench.channels[c];
            let show = |payload: &[u64]| channel.show(payload);
            let given = receiver.given(&self.ports).map_err(|unstable| {
                let after = unstable.after.map_or("nothing".to_string(), show);
                let before = channel.show(unstable.before);
                Divergence::Unstable { channel: channel.name, before, after }
            })?;
            let Some(payload) = given else { continue };
            self.stats.transfers[c] += 1;
            self.last_transfer = self.clock;
            self.history.keep(self.clock, c, payload);
            self.scoreboard.observe(c, payload).map_err(|unequal| {
                let (channel, found) = (channel.name, channel.show(payload));
                match unequal.expected {
                    Some(expected) => {
                        Divergence::Different { channel, expected: show(&expected), found }
                    }
                    None => Divergence::Unexpected { channel, found },
                }
            })?;
        }
        Ok(())
    }

    fn check_contract(&mut self) -> Result<(), Violation> {
        let channels = Channels { places: &self.bench.places, ports: &self.ports };
        self.contract.clock(&channels, self.corners)
    }

    fn stuck(&self, clocks: u64) -> Divergence {
        let never_alive = self.stats.transfers.iter().all(|&count| count == 0);
        let describe = |c: usize, waiting_for: String| Divergence::Stuck {
            channel: self.bench.channels[c].name,
            waiting_for,
            clocks,
            never_alive,
        };
        if let Some(driver) = self.drivers.iter().find(|driver| driver.is_offering()) {
            let c = driver.channel;
            return describe(c, format!("`{}_ready` to rise", self.bench.channels[c].name));
        }
        let first = |receiver: &Receiver| {
            Some((receiver.channel, self.scoreboard.first_expected(receiver.channel)?))
        };
        let due = self.receivers.iter().find_map(first);
        let (c, payload) = due.expect("something is outstanding");
        describe(c, self.bench.channels[c].show(&payload))
    }

    fn broken(&self, violation: Violation) -> Box<Mismatch> {
        let divergence = Divergence::Contract { detail: violation.detail.clone() };
        let mut mismatch = self.mismatch(divergence);
        mismatch.rule = Some(rule(violation, self.clock));
        mismatch
    }

    fn mismatch(&self, divergence: Divergence) -> Box<Mismatch> {
        let past = |(clock, c, payload): (u64, usize, &[u64])| {
            let channel = &self.bench.channels[c];
            PastTransfer { clock, channel: channel.name, payload: channel.show(payload) }
        };
        Box::new(Mismatch {
            divergence,
            clock: self.clock,
            accepted: self.stats.accepted,
            rule: None,
            history: self.history.iter().map(past).collect(),
            reference: self.reference.state(),
            registers: self.registers(),
        })
    }

    fn registers(&self) -> Vec<(String, String)> {
        let registers = self.model.registers().into_iter();
        registers.map(|(name, value)| (name, value.to_string())).collect()
    }

    /// Goes on for a while to learn which rule of the contract the divergence breaks.
    fn look_for_rule(&mut self, mut mismatch: Box<Mismatch>) -> Mismatch {
        for _ in 0..RULE_WINDOW {
            if mismatch.rule.is_some() {
                break;
            }
            self.drive();
            self.step();
            self.clock += 1;
            for driver in &mut self.drivers {
                driver.taken(&self.ports);
            }
            if let Err(violation) = self.check_contract() {
                mismatch.rule = Some(rule(violation, self.clock));
            }
        }
        *mismatch
    }
}

fn rule(violation: Violation, clock: u64) -> BrokenRule {
    let Violation { rule, source, detail } = violation;
    BrokenRule { rule, source, detail, clock }
}
