//! A block in its place in a larger system: any block of the registry, accessed through its channels.
//!
//! The occupant of a place is
//!
//! * the reference, which answers in the clock of the request;
//! * the circuit in the native simulator, in Verilator, or as the user's Verilog ([`Models`]);
//! * the circuit with the reference as its shadow: the [`Judge`] of lockstep co-simulation compares every
//!   transfer with the reference and checks the contract.
//!
//! A system makes a place from a [`Bench`], which finds the ports of all channels by name or reports which is
//! missing. In each clock it offers payloads, which wait in a queue per channel, names the channels on which
//! nothing is taken, and reads the transfers of that clock, including those of input channels. The block's
//! partner, such as a memory that answers its requests, comes with the block, unless the system plays it
//! ([`Bench::without_partner`]).
//!
//! A complaint of the model, a mismatch and a hanging circuit are results of [`Place::clock`]. A circuit
//! hangs if nothing is transferred for [`Wiring::patience`] clocks without stalls while it refuses an offer,
//! while its shadow expects a transfer, or while its system [waits for an answer](Place::await_answer).
//!
//! The reference of a block that chooses among several actions follows the choices that its circuit shows.
//! Without a circuit it chooses itself ([`Reference::choose`]).

use std::collections::VecDeque;
use std::sync::Arc;

use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::verification::{ExpectedSink, Outcome, Partner, Reference, channels_of};

use crate::agents::{Agents, Stalls};
use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::circuit::Circuit;
use crate::judge::Judge;
use crate::mismatch::{Divergence, Mismatch};
use crate::model::Model;
use crate::wiring::Wiring;

/// The occupant of a place.
#[derive(Clone, Copy)]
pub enum Occupant<'m> {
    /// The reference.
    Reference,
    /// The circuit.
    Circuit(&'m Models),
    /// The circuit, compared with the reference.
    Shadowed(&'m Models),
}

/// The environment of a place.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Values of the straps.
    pub straps: &'a [u64],
    /// Stalls at the channels; a reference has none.
    pub stalls: Stalls,
    /// Seed of the stalls.
    pub seed: u64,
}

impl Surroundings<'_> {
    /// Neither straps nor stalls.
    pub const PLAIN: Self = Self { straps: &[], stalls: Stalls::None, seed: 0 };
}

/// A block in its place.
pub struct Place {
    block: &'static str,
    wiring: Arc<Wiring>,
    /// Queued offers of each channel.
    offers: Vec<VecDeque<Vec<u64>>>,
    occupant: Inside,
}

enum Inside {
    Reference(Box<AtOnce>),
    Circuit(Box<Clocked>),
}

impl Place {
    /// A block after its reset.
    ///
    /// # Errors
    /// Fails if no model can be built.
    pub fn new(
        bench: &Bench<'_>,
        occupant: Occupant<'_>,
        surroundings: Surroundings<'_>,
    ) -> Result<Self, BackendError> {
        let wiring = Arc::clone(bench.wiring());
        let straps = surroundings.straps;
        let occupant = match occupant {
            Occupant::Reference => Inside::Reference(Box::new(AtOnce {
                reference: bench.design().reference(straps),
                partner: bench.design().partner().filter(|_| bench.has_partner()),
                of_partner: bench.of_partner(),
                corners: bench.corners(),
                expected: Expected::default(),
                transfers: Vec::new(),
                choice: None,
            })),
            Occupant::Circuit(models) | Occupant::Shadowed(models) => {
                let mut circuit = Circuit::new(&wiring, models.instance()?, straps);
                circuit.reset();
                // Complaints from before the reset have no meaning.
                let _ = circuit.model.complaint();
                let judge = match occupant {
                    Occupant::Shadowed(_) => Judge::new(bench, straps, surroundings.seed),
                    _ => Judge::of_handshakes(bench, straps),
                };
                let agents = Agents::new(bench, surroundings.stalls, surroundings.seed);
                Inside::Circuit(Box::new(Clocked { circuit, agents, judge, is_awaited: false }))
            }
        };
        let offers = vec![VecDeque::new(); wiring.channels().len()];
        Ok(Self { block: bench.design().name(), wiring, offers, occupant })
    }

    /// The block's name.
    pub fn block(&self) -> &'static str {
        self.block
    }

    /// Appends a payload to a channel's queue.
    pub fn offer(&mut self, channel: usize, payload: &[u64]) {
        self.offers[channel].push_back(payload.to_vec());
    }

    /// Queued payloads of a channel that are not on offer yet.
    pub fn queued(&self, channel: usize) -> usize {
        self.offers[channel].len()
    }

    /// One clock, in which nothing is taken on output channels that are `full`.
    ///
    /// # Errors
    /// Returns the circuit's mismatch. It must not be clocked again.
    pub fn clock(&mut self, full: impl Fn(usize) -> bool) -> Result<(), Box<Mismatch>> {
        match &mut self.occupant {
            Inside::Reference(reference) => {
                reference.clock(&self.wiring, &mut self.offers, full);
                Ok(())
            }
            Inside::Circuit(clocked) => clocked.clock(&self.wiring, &mut self.offers, full),
        }
    }

    /// Clocks a circuit until its memories are cleared.
    ///
    /// # Errors
    /// As [`Place::clock`].
    pub fn initialise(&mut self) -> Result<(), Box<Mismatch>> {
        let Some(word) = self.wiring.init_done() else { return Ok(()) };
        self.await_answer(true);
        while let Inside::Circuit(clocked) = &self.occupant
            && clocked.circuit.ports[word] == 0
        {
            self.clock(|_| false)?;
        }
        self.await_answer(false);
        Ok(())
    }

    /// Whether the system waits for something although there is no reference to expect it.
    pub fn await_answer(&mut self, is_awaited: bool) {
        if let Inside::Circuit(clocked) = &mut self.occupant {
            clocked.is_awaited = is_awaited;
        }
    }

    /// The transfers of the last clock: channel and payload.
    pub fn transfers(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let (circuit, at_once) = match &self.occupant {
            Inside::Circuit(clocked) => (Some(&clocked.circuit), None),
            Inside::Reference(reference) => (None, Some(&reference.transfers)),
        };
        let of_circuit = circuit.into_iter().flat_map(|circuit| circuit.channels().transfers());
        let of_reference = at_once.into_iter().flatten();
        of_circuit.chain(of_reference.map(|(channel, payload)| (*channel, &payload[..])))
    }

    /// Whether every offer was taken and every expected transfer seen.
    pub fn is_at_rest(&self) -> bool {
        let is_owed = match &self.occupant {
            Inside::Reference(at_once) => {
                let owes = at_once.partner.as_ref().is_some_and(|partner| partner.owes());
                owes || !at_once.expected.0.is_empty()
            }
            Inside::Circuit(clocked) => {
                clocked.agents.are_offering() || !clocked.judge.is_satisfied()
            }
        };
        !is_owed && self.offers.iter().all(VecDeque::is_empty)
    }

    /// Number of transfers compared with the reference.
    pub fn compared(&self) -> u64 {
        match &self.occupant {
            Inside::Circuit(clocked) => clocked.judge.compared(),
            Inside::Reference(_) => 0,
        }
    }

    /// A mismatch if the circuit made a transfer in the last clock on a channel where none is legal.
    pub fn unexpected(&self, channel: usize) -> Option<Box<Mismatch>> {
        let Inside::Circuit(clocked) = &self.occupant else { return None };
        let (_, payload) = self.transfers().find(|(c, _)| *c == channel)?;
        let channel = &self.wiring.channels()[channel];
        let found = channel.show(payload);
        Some(clocked.judge.mismatch(Divergence::Unexpected { channel: channel.name, found }))
    }
}

/// A circuit among its agents, and its judge.
struct Clocked {
    circuit: Circuit<Box<dyn Model>>,
    agents: Agents,
    judge: Judge,
    is_awaited: bool,
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
            let (mut driven, withheld) = agents.drive(ports, false, |channel, payload| {
                let next = offers[channel].pop_front();
                next.map(|next| payload.copy_from_slice(&next)).is_some()
            });
            for (channel, place) in wiring.places().iter().enumerate() {
                if !place.is_input && place.ready < wiring.withheld() - 1 && full(channel) {
                    ports[place.ready] = 0;
                    driven.ready &= !(1 << channel);
                }
            }
            let is_asked = agents.are_offering();
            let sound = circuit.clock(driven);
            agents.observe(circuit.channels());
            (sound, withheld, is_asked)
        };
        let (sound, withheld, is_asked) = step(circuit);
        // Without an offer and with nothing expected, the circuit may be idle.
        let idles = !(is_asked || self.is_awaited) && judge.is_satisfied();
        circuit.ports[wiring.withheld()] = u64::from(withheld | idles);
        judge.clock_of(circuit, sound).map_err(|mut mismatch| {
            mismatch.registers = circuit.registers();
            judge.name_rule(&mut mismatch, circuit, |circuit| {
                step(circuit);
            });
            mismatch
        })
    }
}

/// A reference, its partner, its pending outputs, and the transfers of the last clock.
struct AtOnce {
    reference: Box<dyn Reference>,
    partner: Option<Box<dyn Partner>>,
    /// The channels that the partner drives.
    of_partner: u64,
    corners: Corners,
    expected: Expected,
    transfers: Vec<(usize, Vec<u64>)>,
    /// The channel that showed its last choice.
    choice: Option<usize>,
}

#[derive(Debug, Default)]
struct Expected(VecDeque<(usize, Vec<u64>)>);

impl ExpectedSink for Expected {
    fn expect(&mut self, channel: usize, payload: &[u64]) {
        self.0.push_back((channel, payload.to_vec()));
    }
}

impl AtOnce {
    /// Takes all offers, and makes the responses for which there is room.
    fn clock(
        &mut self,
        wiring: &Wiring,
        offers: &mut [VecDeque<Vec<u64>>],
        full: impl Fn(usize) -> bool,
    ) {
        if let Some(partner) = &mut self.partner {
            for channel in channels_of(self.of_partner) {
                let mut payload = vec![0; wiring.channels()[channel].payload_words()];
                if partner.answer(channel, &mut payload) {
                    offers[channel].push_back(payload);
                }
            }
        }
        self.respond(offers, full);
        if let Some(partner) = &mut self.partner {
            self.transfers.iter().for_each(|(channel, payload)| partner.observe(*channel, payload));
        }
    }

    fn respond(&mut self, offers: &mut [VecDeque<Vec<u64>>], full: impl Fn(usize) -> bool) {
        let Self { reference, corners, expected, transfers, choice, .. } = self;
        transfers.clear();
        loop {
            while let Some(next) = expected.0.iter().position(|(channel, _)| !full(*channel))
                && let Some((channel, payload)) = expected.0.remove(next)
            {
                // A choice was taken when it was shown.
                if *choice != Some(channel) {
                    reference.taken(channel, &payload, &mut Outcome { sink: expected, corners });
                }
                transfers.push((channel, payload));
            }
            let mut outcome = Outcome { sink: expected, corners };
            if let Some((channel, payload)) = reference.choose() {
                *choice = Some(channel);
                reference.taken(channel, &payload, &mut outcome);
                continue;
            }
            let offered = offers.iter_mut().map(VecDeque::pop_front).enumerate();
            let Some((channel, payload)) = offered.filter_map(|(c, o)| Some((c, o?))).next() else {
                return;
            };
            reference.accept(channel, &payload, &mut outcome);
            transfers.push((channel, payload));
        }
    }
}
