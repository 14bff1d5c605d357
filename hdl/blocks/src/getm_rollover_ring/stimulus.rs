//! Streams for a station: what its unit, the cores and the stations before it may do, and now and then what
//! they must not.
//!
//! On each wire of the ring the stops of a round come with falling numbers: whoever leads drops higher ones.

use super::Params;
use super::channels::{
    DRAINED, HALT, HALTED, LINE_IN, LINE_OUT, Message, RESUME, ROLL, ROLLED, Roll,
};
use super::reference::{Phase, Station};
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "roll-overs, and what cannot come" },
    StreamInfo { name: "legal", doc: "roll-overs only" },
];
const MIXED: usize = 0;

/// What the neighbours must have seen of a round before they may go on.
#[derive(Default)]
struct Round {
    /// The latest stop that came.
    last: Option<u64>,
    own_stop: bool,
    own_go: bool,
}

/// The generator.
pub(super) struct Neighbours {
    unit: u64,
    units: u64,
    numbers: u64,
    stream: usize,
    /// How far the station is.
    station: Station,
    round: Round,
    /// The cores were not told yet that they may begin again.
    resumes: bool,
    /// Of each input channel: something is offered.
    offered: [bool; 4],
    /// What is offered cannot come now. Nothing else may come before it, or it might.
    wrong: bool,
    /// How fast all act, of 16.
    pace: u32,
}

impl Neighbours {
    pub(super) fn new(p: &Params, unit: u64, stream: usize) -> Self {
        Self {
            unit,
            units: p.units.into(),
            numbers: 1 << p.unit_bits(),
            stream,
            station: Station::new(p, unit),
            round: Round::default(),
            resumes: false,
            offered: [false; 4],
            wrong: false,
            pace: 8,
        }
    }

    /// A unit of a lower number than the latest stop's, other than this.
    fn lower(&self, rng: &mut StimulusRng) -> Option<u64> {
        let below = self.round.last.unwrap_or(self.units);
        let others: Vec<_> = (0..below).filter(|&unit| unit != self.unit).collect();
        (!others.is_empty()).then(|| others[rng.random_range(0..others.len())])
    }

    fn message(&self, rng: &mut StimulusRng) -> Option<Message> {
        let stop = |origin| Message { go: false, origin };
        let (round, unit) = (&self.round, self.unit);
        match self.station.phase() {
            Phase::Running if !self.resumes => self.lower(rng).map(stop),
            Phase::Leading if round.own_stop && rng.random() => Some(stop(unit)),
            Phase::Leading => self.lower(rng).map(stop),
            Phase::Stopped => match self.lower(rng).filter(|_| rng.random()) {
                Some(origin) => Some(stop(origin)),
                None => Some(Message { go: true, origin: round.last? }),
            },
            Phase::Going if round.own_go => Some(Message { go: true, origin: unit }),
            _ => None,
        }
    }

    fn can_come(&self, channel: usize, payload: &[u64]) -> bool {
        self.station.clone().step(channel, payload).is_ok()
    }

    fn legal(&self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        let phase = self.station.phase();
        match channel {
            ROLLED => {
                let go = self.can_come(channel, &Roll { go: true }.encode());
                payload.copy_from_slice(&Roll { go }.encode());
                // A unit seldom stops by itself while others do.
                let by_itself = phase == Phase::Running && !self.resumes && rng.random();
                go || by_itself || phase == Phase::Stopping
            }
            HALTED => self.can_come(channel, &[]),
            LINE_IN => self.message(rng).is_some_and(|message| {
                payload.copy_from_slice(&message.encode());
                true
            }),
            _ => rng.random_range(0..8) == 0,
        }
    }

    /// Something that cannot come now, if nothing else is offered that might make it possible.
    fn illegal(&self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        let phase = self.station.phase();
        let is_taken = !matches!(phase, Phase::Stopping | Phase::Draining | Phase::Clearing);
        match channel {
            ROLLED => payload.copy_from_slice(&Roll { go: rng.random() }.encode()),
            LINE_IN if is_taken => {
                let origin = rng.random_range(0..self.numbers);
                payload.copy_from_slice(&Message { go: rng.random(), origin }.encode());
            }
            HALTED => {}
            _ => return false,
        }
        self.offered == [false; 4] && !self.can_come(channel, payload)
    }
}

impl Stimulus for Neighbours {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if rng.random_range(0..256) == 0 {
            self.pace = rng.random_range(1..=16);
        }
        if self.wrong || self.offered[channel] || rng.random_range(0..16) >= self.pace {
            return false;
        }
        let tries = self.stream == MIXED && rng.random_range(0..16) == 0;
        self.wrong = tries && self.illegal(channel, rng, payload);
        self.offered[channel] = self.wrong || self.legal(channel, rng, payload);
        self.offered[channel]
    }

    fn observed(&self) -> u64 {
        u64::MAX
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        let round = &mut self.round;
        match channel {
            ROLL | HALT => self.station.was_taken(channel, payload),
            RESUME => self.resumes = false,
            LINE_OUT => {
                let Message { go, origin } = Message::decode(payload);
                round.own_stop |= origin == self.unit && !go;
                round.own_go |= origin == self.unit && go;
            }
            ROLLED | HALTED | LINE_IN | DRAINED => {
                (self.offered[channel], self.wrong) = (false, false);
                let before = self.station.phase();
                let legal = self.station.step(channel, payload).is_ok();
                if channel == LINE_IN && legal {
                    round.last = Some(Message::decode(payload).origin);
                }
                if before != Phase::Running && self.station.phase() == Phase::Running {
                    *round = Round::default();
                    self.resumes = before == Phase::Going;
                }
            }
            _ => {}
        }
    }

    fn ahead(&self, _: usize) -> usize {
        1
    }
}
