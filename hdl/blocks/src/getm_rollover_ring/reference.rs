//! The station as a sequential program (4.5.2). Every event has at most one effect.

use super::Params;
use super::channels::{
    DRAINED, ERROR, HALT, HALTED, LINE_IN, LINE_OUT, Message, Misuse, RESUME, ROLL, ROLLED, Roll,
};
use crate::kit::*;

codes! {
    /// How far the station is in a roll-over.
    pub enum Phase {
        /// The unit runs.
        Running,
        /// The unit was told to stop by a stop that waits for it.
        Stopping,
        /// The unit has stopped by itself, and its stop is on the ring.
        Leading,
        /// The unit has stopped, and a unit of a lower number leads.
        Stopped,
        /// Its own stop has returned: it waits for the cores.
        Halting,
        /// A go waits for the commit unit.
        Draining,
        /// The unit was told to clear its tables and go on.
        Clearing,
        /// Its own go is on the ring.
        Going,
    }
}

/// The reference model.
#[derive(Clone, Debug)]
pub struct Station {
    unit: u64,
    units: u64,
    phase: Phase,
    /// Of the message that waits for the unit.
    origin: u64,
    /// The order to go on, or the request to halt, is not yet taken: nobody can have obeyed it.
    untaken: bool,
}

/// What is said on an output channel, if anything.
type Effect = Option<(usize, Vec<u64>)>;

impl Station {
    /// The station of that unit, which runs.
    pub fn new(p: &Params, unit: u64) -> Self {
        Self { unit, units: p.units.into(), phase: Phase::Running, origin: unit, untaken: false }
    }

    /// How far it is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Something comes in on a channel.
    ///
    /// # Errors
    /// Returns what cannot come now; it changes nothing.
    pub fn step(&mut self, channel: usize, payload: &[u64]) -> Result<Effect, Misuse> {
        match channel {
            ROLLED => self.rolled(Roll::decode(payload).go),
            HALTED if self.phase == Phase::Halting && !self.untaken => self.go_waits(self.unit),
            HALTED => Err(Misuse::Halted),
            LINE_IN => self.message(Message::decode(payload)),
            DRAINED if self.phase == Phase::Draining => self.moves(Phase::Clearing, order(true)),
            DRAINED => Ok(None),
            _ => unreachable!("an input"),
        }
    }

    /// What it said on a channel is taken.
    pub fn was_taken(&mut self, channel: usize, payload: &[u64]) {
        self.untaken &= !(channel == HALT || channel == ROLL && Roll::decode(payload).go);
    }

    fn rolled(&mut self, go: bool) -> Result<Effect, Misuse> {
        let (unit, origin) = (self.unit, self.origin);
        match (go, self.phase) {
            (false, Phase::Running) => self.moves(Phase::Leading, message(false, unit)),
            (false, Phase::Stopping) => self.moves(Phase::Stopped, message(false, origin)),
            (true, Phase::Clearing) if !self.untaken => {
                let next = if origin == unit { Phase::Going } else { Phase::Running };
                self.moves(next, message(true, origin))
            }
            _ => Err(Misuse::Rolled),
        }
    }

    fn message(&mut self, Message { go, origin }: Message) -> Result<Effect, Misuse> {
        let own = origin == self.unit;
        if origin >= self.units {
            return Err(Misuse::Message);
        }
        match (go, self.phase) {
            (false, Phase::Running) if !own => {
                self.origin = origin;
                self.moves(Phase::Stopping, order(false))
            }
            (false, Phase::Leading) if own => self.moves(Phase::Halting, Some((HALT, Vec::new()))),
            // Its own goes on instead.
            (false, Phase::Leading) if origin > self.unit => Ok(None),
            (false, Phase::Leading | Phase::Stopped) if !own => {
                self.moves(Phase::Stopped, message(false, origin))
            }
            (true, Phase::Stopped) if !own => self.go_waits(origin),
            (true, Phase::Going) if own => self.moves(Phase::Running, Some((RESUME, Vec::new()))),
            _ => Err(Misuse::Message),
        }
    }

    fn go_waits(&mut self, origin: u64) -> Result<Effect, Misuse> {
        self.origin = origin;
        self.moves(Phase::Draining, None)
    }

    fn moves(&mut self, phase: Phase, effect: Effect) -> Result<Effect, Misuse> {
        self.phase = phase;
        self.untaken = matches!(phase, Phase::Halting | Phase::Clearing);
        Ok(effect)
    }
}

fn message(go: bool, origin: u64) -> Effect {
    Some((LINE_OUT, Message { go, origin }.encode().to_vec()))
}

fn order(go: bool) -> Effect {
    Some((ROLL, Roll { go }.encode().to_vec()))
}

impl Reference for Station {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match self.step(channel, payload) {
            Ok(Some((channel, said))) => outcome.sink.expect(channel, &said),
            Ok(None) => {}
            Err(misuse) => outcome.sink.expect(ERROR, &[misuse as u64]),
        }
    }

    fn taken(&mut self, channel: usize, payload: &[u64], _: &mut Outcome<'_>) {
        self.was_taken(channel, payload);
    }

    fn state(&self) -> Vec<String> {
        vec![format!("unit {}: {:?}, origin {}", self.unit, self.phase, self.origin)]
    }
}
