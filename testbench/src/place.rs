//! A block in its place in a larger system: any block of the registry, offered to and read by its
//! channels.
//!
//! What stands in a place is
//!
//! * the reference, which answers in the clock in which it is asked;
//! * the circuit, whoever simulates it: the native simulator, Verilator, or Verilator on Verilog of the
//!   user's ([`Models`]);
//! * the circuit with the reference as its shadow: a [`Judge`] compares every transfer with what the
//!   reference expects, and looks at the contract, as in lockstep co-simulation.
//!
//! A system makes a place from a [`Bench`], which has found the ports of all channels by their names, or
//! has said which is missing. In each clock it offers payloads, which wait in a queue for each channel,
//! says on which channels nothing is taken, and reads the transfers of that clock, those of input
//! channels among them. What answers the block's own requests, such as a memory, comes with the block.
//!
//! A model that complains, a mismatch and a circuit that is stuck are results of [`Place::clock`]. A
//! circuit is stuck if nothing is transferred for [`Wiring::patience`] clocks in which its surroundings
//! withhold nothing: while it refuses an offer; while its shadow expects something of it; or, without a
//! shadow, while its system says that it [waits for an answer](Place::check_answering).
//!
//! The reference of a block that chooses among several things to do follows the choices that its circuit
//! shows. By itself it makes them ([`Reference::choose`]).

use std::collections::VecDeque;
use std::sync::Arc;

use thiserror::Error;
use warpsmith_blocks::verification::{Corners, ExpectedSink, Outcome, Reference};

use crate::agents::{Agents, Stalls, transfers};
use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::circuit::Circuit;
use crate::judge::Judge;
use crate::mismatch::{Divergence, Mismatch};
use crate::model::Model;
use crate::wiring::Wiring;

/// What stands in a place.
#[derive(Clone, Copy)]
pub enum Occupant<'m> {
    /// The reference.
    Reference,
    /// The circuit.
    Circuit(&'m Models),
    /// The circuit, compared with the reference.
    Shadowed(&'m Models),
}

/// What decides how a place behaves, beside its occupant.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Values of the straps.
    pub straps: &'a [u64],
    /// How willing whoever stands at the channels is; a reference meets no stalls.
    pub stalls: Stalls,
    /// Seed of the stalls.
    pub seed: u64,
}

impl Surroundings<'_> {
    /// No straps, and no stalls.
    pub const PLAIN: Self = Self { straps: &[], stalls: Stalls::None, seed: 0 };
}

/// A block has no such channel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{block}` has no channel `{channel}`; it has: {found}")]
pub struct NoChannel {
    /// The block.
    pub block: &'static str,
    /// The name.
    pub channel: String,
    /// The channels that there are.
    pub found: String,
}

/// A block in its place.
pub struct Place {
    block: &'static str,
    wiring: Arc<Wiring>,
    /// Payloads that are to be offered, by channel.
    offers: Vec<VecDeque<Vec<u64>>>,
    occupant: Inside,
}

enum Inside {
    Reference(AtOnce),
    Circuit(Box<Clocked>),
}

impl Place {
    /// A block after its reset.
    ///
    /// # Errors
    /// If there is no model.
    pub fn new(
        bench: &Bench<'_>,
        occupant: Occupant<'_>,
        surroundings: Surroundings<'_>,
    ) -> Result<Self, BackendError> {
        let wiring = Arc::clone(bench.wiring());
        let straps = surroundings.straps;
        let occupant = match occupant {
            Occupant::Reference => Inside::Reference(AtOnce {
                reference: bench.design().reference(straps),
                corners: bench.corners(),
                expected: Transfers::default(),
                happened: Transfers::default(),
                choice: None,
            }),
            Occupant::Circuit(models) | Occupant::Shadowed(models) => {
                let mut circuit = Circuit::new(&wiring, models.instance()?, straps);
                circuit.reset();
                // What a model says of the time before its reset means nothing.
                let _ = circuit.model.complaint();
                let is_shadowed = matches!(occupant, Occupant::Shadowed(_));
                let agents = Agents::new(bench, surroundings.stalls, surroundings.seed);
                let judge = is_shadowed.then(|| Judge::new(bench, straps));
                Inside::Circuit(Box::new(Clocked { circuit, agents, judge, clock: 0, waited: 0 }))
            }
        };
        let offers = vec![VecDeque::new(); wiring.channels().len()];
        Ok(Self { block: bench.design().name(), wiring, offers, occupant })
    }

    /// The block's name.
    pub fn block(&self) -> &'static str {
        self.block
    }

    /// The index of the channel of that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn channel(&self, name: &str) -> Result<usize, NoChannel> {
        let channels = self.wiring.channels();
        channels.iter().position(|channel| channel.name == name).ok_or_else(|| {
            let found: Vec<_> = channels.iter().map(|channel| channel.name).collect();
            NoChannel { block: self.block, channel: name.to_string(), found: found.join(", ") }
        })
    }

    /// Puts a payload at the end of a channel's queue.
    pub fn offer(&mut self, channel: usize, payload: &[u64]) {
        self.offers[channel].push_back(payload.to_vec());
    }

    /// Payloads of a channel that are not on offer yet.
    pub fn queued(&self, channel: usize) -> usize {
        self.offers[channel].len()
    }

    /// One clock, in which nothing is taken on output channels that are `full`.
    ///
    /// # Errors
    /// What is wrong with the circuit. After that it is not to be clocked again.
    pub fn clock(&mut self, full: impl Fn(usize) -> bool) -> Result<(), Box<Mismatch>> {
        match &mut self.occupant {
            Inside::Reference(reference) => {
                reference.clock(&mut self.offers, full);
                Ok(())
            }
            Inside::Circuit(clocked) => clocked.clock(&self.wiring, &mut self.offers, full),
        }
    }

    /// Clocks a circuit until it has cleared its memories.
    ///
    /// # Errors
    /// See [`Place::clock`].
    pub fn initialise(&mut self) -> Result<(), Box<Mismatch>> {
        let Some(word) = self.wiring.init_done() else { return Ok(()) };
        while let Inside::Circuit(clocked) = &self.occupant
            && clocked.circuit.ports[word] == 0
        {
            if clocked.clock > self.wiring.patience() {
                return Err(clocked.stuck("init_done", "`init_done` to rise", clocked.clock));
            }
            self.clock(|_| false)?;
        }
        Ok(())
    }

    /// The transfers of the last clock: channel and payload.
    pub fn transfers(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let (circuit, reference) = match &self.occupant {
            Inside::Circuit(clocked) => (Some(&clocked.circuit.ports), None),
            Inside::Reference(reference) => (None, Some(&reference.happened)),
        };
        let of_circuit = circuit.into_iter().flat_map(|p| transfers(self.wiring.places(), p));
        of_circuit.chain(reference.into_iter().flat_map(Transfers::iter))
    }

    /// For who waits for an answer, after each clock.
    ///
    /// # Errors
    /// If nothing has been transferred for too long.
    pub fn check_answering(&self, channel: usize) -> Result<(), Box<Mismatch>> {
        match &self.occupant {
            Inside::Circuit(clocked) if clocked.waited > self.wiring.patience() => {
                let channel = self.wiring.channels()[channel].name;
                Err(clocked.stuck(channel, "an answer", clocked.waited))
            }
            _ => Ok(()),
        }
    }

    /// Whether everything that was offered is taken, and every transfer that a reference expects was
    /// seen.
    pub fn is_at_rest(&self) -> bool {
        let is_owed = match &self.occupant {
            Inside::Reference(reference) => !reference.expected.is_empty(),
            Inside::Circuit(clocked) => {
                clocked.agents.are_offering()
                    || clocked.judge.as_ref().is_some_and(|judge| !judge.is_satisfied())
            }
        };
        !is_owed && self.offers.iter().all(VecDeque::is_empty)
    }

    /// Transfers that were compared with the reference's.
    pub fn compared(&self) -> u64 {
        match &self.occupant {
            Inside::Circuit(clocked) => clocked.judge.as_ref().map_or(0, Judge::compared),
            Inside::Reference(_) => 0,
        }
    }

    /// What is told of a transfer for which nobody has asked.
    pub fn unexpected(&self, channel: usize, payload: &[u64]) -> Box<Mismatch> {
        let channel = &self.wiring.channels()[channel];
        let found = channel.show(payload);
        let divergence = Divergence::Unexpected { channel: channel.name, found };
        match &self.occupant {
            Inside::Circuit(clocked) => clocked.mismatch(divergence),
            Inside::Reference(_) => Box::new(Mismatch::new(divergence, 0)),
        }
    }
}

/// A circuit among its agents, and its judge if it has a shadow.
struct Clocked {
    circuit: Circuit<Box<dyn Model>>,
    agents: Agents,
    judge: Option<Judge>,
    clock: u64,
    /// Clocks since the last transfer in which nothing was withheld from it.
    waited: u64,
}

impl Clocked {
    fn clock(
        &mut self,
        wiring: &Wiring,
        offers: &mut [VecDeque<Vec<u64>>],
        full: impl Fn(usize) -> bool,
    ) -> Result<(), Box<Mismatch>> {
        let Self { circuit, agents, judge, .. } = self;
        let mut step = |circuit: &mut Circuit<Box<dyn Model>>| {
            let ports = &mut circuit.ports;
            let withheld = agents.drive(ports, false, |channel, payload| {
                let next = offers[channel].pop_front();
                next.map(|next| payload.copy_from_slice(&next)).is_some()
            });
            for (channel, place) in wiring.places().iter().enumerate() {
                if !place.is_input && place.ready < wiring.withheld() - 1 && full(channel) {
                    ports[place.ready] = 0;
                }
            }
            let is_asked = agents.are_offering();
            let sound = circuit.clock();
            agents.observe(&circuit.ports);
            (sound, withheld, is_asked)
        };
        let (sound, withheld, is_asked) = step(circuit);
        self.clock += 1;
        let Some(judge) = judge else {
            if !sound && let Some(message) = circuit.model.complaint() {
                let divergence = Divergence::Complaint { message, never_alive: false };
                return Err(self.mismatch(divergence));
            }
            return self.watch(wiring, withheld, is_asked);
        };
        // Without an offer, and with nothing expected of it, the circuit has nothing to do.
        let idles = !is_asked && judge.is_satisfied();
        circuit.ports[wiring.withheld()] = u64::from(withheld | idles);
        judge.clock_of(circuit, sound).map_err(|mut mismatch| {
            mismatch.registers = circuit.registers();
            judge.name_rule(&mut mismatch, circuit, |circuit| {
                step(circuit);
            });
            mismatch
        })
    }

    /// Sees whether the circuit still does something, where no judge does.
    fn watch(
        &mut self,
        wiring: &Wiring,
        withheld: bool,
        is_asked: bool,
    ) -> Result<(), Box<Mismatch>> {
        let ports = &self.circuit.ports;
        let (mut fires, mut refused, mut held) = (false, None, false);
        for (place, channel) in wiring.places().iter().zip(wiring.channels()) {
            let view = place.view(ports);
            fires |= view.fires();
            if view.valid & !view.ready {
                match place.is_input {
                    true => refused = Some(channel.name),
                    false => held = true,
                }
            }
        }
        self.waited = if fires { 0 } else { self.waited + u64::from(!withheld & !held) };
        match refused.filter(|_| is_asked && self.waited > wiring.patience()) {
            Some(name) => Err(self.stuck(name, &format!("`{name}_ready` to rise"), self.waited)),
            None => Ok(()),
        }
    }

    fn stuck(&self, channel: &'static str, waiting_for: &str, clocks: u64) -> Box<Mismatch> {
        let waiting_for = waiting_for.to_string();
        let never_alive = clocks == self.clock;
        self.mismatch(Divergence::Stuck { channel, waiting_for, clocks, never_alive })
    }

    fn mismatch(&self, divergence: Divergence) -> Box<Mismatch> {
        let mut mismatch = match &self.judge {
            Some(judge) => judge.mismatch(divergence),
            None => Box::new(Mismatch::new(divergence, self.clock)),
        };
        mismatch.registers = self.circuit.registers();
        mismatch
    }
}

/// A reference, what it has yet to give, and what has happened in the last clock.
struct AtOnce {
    reference: Box<dyn Reference>,
    corners: Corners,
    expected: Transfers,
    happened: Transfers,
    /// The channel on which it has shown what it does next.
    choice: Option<usize>,
}

impl AtOnce {
    /// Takes all that is offered, and gives the answers for which there is room.
    fn clock(&mut self, offers: &mut [VecDeque<Vec<u64>>], full: impl Fn(usize) -> bool) {
        self.happened = Transfers::default();
        loop {
            self.give(&full);
            let mut outcome = Outcome { sink: &mut self.expected, corners: &mut self.corners };
            if let Some((channel, payload)) = self.reference.choose() {
                self.choice = Some(channel);
                self.reference.taken(channel, &payload, &mut outcome);
                continue;
            }
            let offered = |offers: &mut VecDeque<_>| offers.pop_front();
            let mut offers = offers.iter_mut().enumerate();
            let Some((channel, payload)) =
                offers.find_map(|(channel, offers)| Some((channel, offered(offers)?)))
            else {
                return;
            };
            self.reference.accept(channel, &payload, &mut outcome);
            self.happened.expect(channel, &payload);
        }
    }

    fn give(&mut self, full: impl Fn(usize) -> bool) {
        let mut held = Transfers::default();
        while !self.expected.is_empty() {
            let expected = std::mem::take(&mut self.expected);
            for (channel, payload) in expected.iter() {
                if full(channel) {
                    held.expect(channel, payload);
                    continue;
                }
                self.happened.expect(channel, payload);
                // A choice was made before it was shown.
                if self.choice != Some(channel) {
                    let (sink, corners) = (&mut self.expected, &mut self.corners);
                    self.reference.taken(channel, payload, &mut Outcome { sink, corners });
                }
            }
        }
        self.expected = held;
    }
}

/// Channels and payloads, in order.
#[derive(Debug, Default)]
struct Transfers {
    /// For each the channel, and the end of its words.
    heads: Vec<(usize, usize)>,
    words: Vec<u64>,
}

impl Transfers {
    fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let starts = [0].into_iter().chain(self.heads.iter().map(|head| head.1));
        starts.zip(&self.heads).map(|(start, &(channel, end))| (channel, &self.words[start..end]))
    }
}

impl ExpectedSink for Transfers {
    fn expect(&mut self, channel: usize, payload: &[u64]) {
        self.words.extend_from_slice(payload);
        self.heads.push((channel, self.words.len()));
    }
}
