//! Streams for the draw scheduler. GPUs report what they were given, in changing manners; between, all are
//! brought to chosen numbers of remaining triangles, so that one bit decides the next draw.
//!
//! No draw is offered that only a later report would let in: a run could end before that.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::channels::{DRAW, Draw, GRANT, PROCESSED, QUERY, Query};
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "GPUs in changing manners, and draws that one bit decides" },
    StreamInfo { name: "random", doc: "GPUs in changing manners" },
];
const MIXED: usize = 0;

/// How likely things are in a phase, of 16.
#[derive(Clone, Copy, Debug)]
struct Manner {
    draw: u32,
    report: u32,
    /// Of reports: each GPU takes part.
    each: u32,
    /// Of these: all that it has.
    whole: u32,
    /// Of draws: of any size; else of 0, 1 or 2 triangles.
    any_size: u32,
    /// Of these: the largest.
    largest: u32,
    /// Of reports: an error among them.
    error: u32,
}

/// All draws are large, and each report is of all.
const AS_MUCH_AS_CAN_BE: Manner =
    Manner { draw: 16, report: 4, each: 16, whole: 16, any_size: 16, largest: 12, error: 0 };

const MANNERS: [Manner; 6] = [
    // In balance, small, filling up, draining, and as much as can be.
    Manner { draw: 8, report: 8, each: 8, whole: 8, any_size: 8, largest: 4, error: 2 },
    Manner { draw: 8, report: 8, each: 8, whole: 4, any_size: 0, largest: 4, error: 2 },
    Manner { draw: 16, report: 2, each: 4, whole: 2, any_size: 16, largest: 4, error: 1 },
    Manner { draw: 4, report: 16, each: 12, whole: 8, any_size: 8, largest: 4, error: 1 },
    Manner { draw: 16, report: 16, each: 16, whole: 16, any_size: 16, largest: 4, error: 1 },
    AS_MUCH_AS_CAN_BE,
];

/// What the stream does.
#[derive(Clone, Debug)]
enum Phase {
    /// For so many draws that could be offered.
    Manner(Manner, u32),
    /// Draws until each GPU has its target at least.
    Fill(Probe),
    /// Reports until each GPU has its target.
    Drain(Probe),
    /// Two draws in adjacent clocks: of so many triangles, or none, and one that the targets decide. If
    /// the second is not adjacent, the probe is done again.
    Shot { first: Option<u64>, again: Option<u64> },
}

/// What each GPU is to have, and the triangles of the draw before the one that it decides.
#[derive(Clone, Debug)]
struct Probe {
    number: u64,
    targets: Vec<u64>,
    first: Option<u64>,
}

/// The generator, with a model of who has what.
pub(super) struct Traffic {
    params: Params,
    stream: usize,
    phase: Phase,
    next_probe: Option<u64>,
    /// The clock before had the first draw of the probe.
    follows: bool,
    remaining: Vec<u64>,
    held: Vec<u64>,
    /// Of each GPU what reports say that are drawn and not observed.
    reported: Vec<u64>,
    in_flight: VecDeque<(usize, u64)>,
    /// Draws that are drawn and not observed.
    offered: usize,
}

impl Traffic {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        let zeros = vec![0; params.gpus as usize];
        Self {
            params: params.clone(),
            stream,
            phase: Phase::Shot { first: None, again: None },
            next_probe: None,
            follows: false,
            remaining: zeros.clone(),
            held: zeros.clone(),
            reported: zeros,
            in_flight: VecDeque::new(),
            offered: 0,
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        self.phase = match self.stream == MIXED && !draw(rng, 1) {
            true => Phase::Fill(self.probe(rng)),
            // Wide segments of totals fill up slowly.
            false if self.params.segment_bits >= self.params.triangle_bits + 8 && rng.random() => {
                Phase::Manner(AS_MUCH_AS_CAN_BE, 1024)
            }
            false => {
                let manner = MANNERS[rng.random_range(0..MANNERS.len())];
                Phase::Manner(manner, rng.random_range(16..=256))
            }
        };
    }

    /// The next probe, each in its turn: a GPU has the fewest by one bit only. It has as many as the higher
    /// ones, or fewer by that bit, and the lower ones have another bit: either all do before a draw comes,
    /// or the draw in the clock before makes it so, of the GPU itself or of a lower one. The highest bits
    /// come first, so that most probes need few draws to fill up.
    fn probe(&mut self, rng: &mut StimulusRng) -> Probe {
        let Params { gpus, remaining_bits, triangle_bits, .. } = self.params;
        let [gpus, bits, few_bits] = [gpus, remaining_bits, triangle_bits].map(u64::from);
        let (of_gpus, of_pairs) = (gpus * bits, gpus * (gpus - 1) / 2 * few_bits);
        let probes = 2 * of_gpus + of_pairs;
        let next = self.next_probe.unwrap_or_else(|| rng.random_range(0..probes));
        self.next_probe = Some((next + 1) % probes);
        let (bit, chosen, lower) = match next.checked_sub(2 * of_gpus) {
            None => (bits - 1 - next % bits, next / bits % gpus, None),
            Some(of_pair) => {
                let pairs = (0..gpus).flat_map(|high| (0..high).map(move |low| (high, low)));
                let mut pairs = pairs.skip((of_pair / few_bits) as usize);
                let (high, low) = pairs.next().expect("as many as there are");
                (few_bits - 1 - of_pair % few_bits, high, Some(low))
            }
        };
        let bit = 1 << bit;
        let largest = self.params.largest_draw();
        let most = (self.params.many() - 1).saturating_sub(bit);
        let base = match rng.random_range(0..16) {
            0..4 => 0,
            4 => rng.random_range(0..=most),
            _ => rng.random_range(0..=most.min(largest)),
        } & !bit;
        let target = |gpu: u64| match gpu.cmp(&chosen) {
            Ordering::Less => base + bit,
            Ordering::Equal => base,
            Ordering::Greater => base + if rng.random() { bit } else { 0 },
        };
        let mut targets: Vec<_> = (0..gpus).map(target).collect();
        // The draw before.
        let first = match lower {
            Some(lower) => Some((lower, rng.random_range(0..=base.min(largest - bit)) + bit)),
            None if next >= of_gpus => Some((chosen, rng.random_range(0..=base.min(largest)))),
            None => None,
        };
        if let Some((gpu, triangles)) = first {
            targets[gpu as usize] -= triangles;
        }
        Probe { number: next, targets, first: first.map(|(_, triangles)| triangles) }
    }

    /// Whether a draw that is offered now is taken some time, whatever comes.
    fn has_room(&self) -> bool {
        self.remaining.iter().any(|&remaining| remaining < self.params.many())
    }

    fn draw(&mut self, rng: &mut StimulusRng) -> Option<u64> {
        if !self.has_room() {
            return None;
        }
        let largest = self.params.largest_draw();
        match &self.phase {
            Phase::Manner(manner, _) => {
                draw(rng, manner.draw).then(|| match draw(rng, manner.any_size) {
                    true if draw(rng, manner.largest) => largest,
                    true => rng.random_range(0..=largest),
                    false => rng.random_range(0..=largest.min(2)),
                })
            }
            Phase::Fill(probe) => {
                let misses = |&(has, target): &(&u64, &u64)| has < target;
                let missed = self.remaining.iter().zip(&probe.targets).filter(misses);
                let highest = *missed.map(|(_, target)| target).max()?;
                // It goes to the one with the fewest, which must not stay behind; and a little more.
                let fewest = *self.remaining.iter().min()?;
                let few = (highest - fewest).min(largest);
                Some(rng.random_range(few..=(2 * few).min(largest)))
            }
            // Some GPU has had room again for less time than the circuit needs to see it.
            Phase::Drain(_) => (self.is_loaded() && draw(rng, 8)).then(|| rng.random_range(0..=1)),
            Phase::Shot { first: Some(first), .. } => Some(*first),
            Phase::Shot { first: None, .. } => Some(rng.random_range(0..=largest)),
        }
    }

    /// All GPUs but one have many remaining.
    fn is_loaded(&self) -> bool {
        self.remaining.iter().filter(|&&remaining| remaining < self.params.many()).count() == 1
    }

    fn reports(&mut self, rng: &mut StimulusRng, reports: &mut [u64]) -> bool {
        let largest = self.params.largest_draw();
        reports.fill(0);
        match &self.phase {
            Phase::Manner(manner, _) => {
                if !draw(rng, manner.report) {
                    return false;
                }
                for (gpu, report) in reports.iter_mut().enumerate() {
                    let most = self.unreported(gpu).min(largest);
                    if draw(rng, manner.each) {
                        *report =
                            if draw(rng, manner.whole) { most } else { rng.random_range(0..=most) };
                    }
                }
                if draw(rng, manner.error) {
                    self.err(rng, reports);
                }
                true
            }
            Phase::Drain(Probe { targets, .. }) => {
                let whole = draw(rng, 14);
                for (gpu, report) in reports.iter_mut().enumerate() {
                    let more = self.unreported(gpu).saturating_sub(targets[gpu]).min(largest);
                    *report = if whole { more } else { rng.random_range(0..=more) };
                }
                reports.iter().any(|&report| report > 0)
            }
            Phase::Shot { first: Some(_), .. } if draw(rng, 2) => {
                self.err(rng, reports);
                true
            }
            Phase::Fill(_) | Phase::Shot { .. } => false,
        }
    }

    /// Triangles that a GPU has and that no report in flight says are done.
    fn unreported(&self, gpu: usize) -> u64 {
        self.held[gpu].saturating_sub(self.reported[gpu])
    }

    /// Makes reports of more than the GPUs have, where one can be: by one bit, by one triangle, or by what
    /// comes next.
    fn err(&self, rng: &mut StimulusRng, reports: &mut [u64]) {
        let largest = self.params.largest_draw();
        let all = draw(rng, 2);
        let gpu = match self.in_flight.front() {
            Some((gpu, _)) if draw(rng, 8) => *gpu,
            _ => rng.random_range(0..reports.len()),
        };
        let bit = 1 << rng.random_range(0..self.params.triangle_bits);
        for (number, report) in reports.iter_mut().enumerate().filter(|(g, _)| all || *g == gpu) {
            let held = self.held[number];
            let more = match self.in_flight.front() {
                Some((next, triangles)) if *next == number && draw(rng, 8) => held + triangles,
                _ if draw(rng, 4) => held + 1,
                _ => held | bit,
            };
            *report = if more <= largest { more } else { *report };
        }
    }

    /// Goes on where a phase has reached its end.
    fn advance(&mut self, channel: usize, rng: &mut StimulusRng) {
        let reached =
            |has: &[u64], targets: &[u64]| has.iter().zip(targets).all(|(has, t)| has >= t);
        match &mut self.phase {
            Phase::Manner(_, 0) => self.begin_phase(rng),
            Phase::Manner(_, left) => *left -= u32::from(channel == DRAW),
            Phase::Fill(probe) if reached(&self.held, &probe.targets) => {
                self.phase = Phase::Drain(probe.clone());
            }
            Phase::Drain(probe) => {
                let rests = self.in_flight.is_empty() && self.offered == 0;
                if rests && !reached(&self.held, &probe.targets) {
                    // A report that was drawn before the phase came late.
                    self.phase = Phase::Fill(probe.clone());
                } else if rests && self.held == probe.targets {
                    self.phase = Phase::Shot {
                        first: probe.first,
                        again: probe.first.and(Some(probe.number)),
                    };
                }
            }
            Phase::Fill(_) | Phase::Shot { .. } => {}
        }
    }
}

/// True that often of 16 times.
fn draw(rng: &mut StimulusRng, of_16: u32) -> bool {
    rng.random_range(0..16) < of_16
}

impl Stimulus for Traffic {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        self.advance(channel, rng);
        // The draw comes first of what is asked for at a clock.
        self.follows &= channel == DRAW;
        match channel {
            DRAW => {
                let Some(triangles) = self.draw(rng) else { return false };
                payload.copy_from_slice(&Draw { triangles }.encode());
                self.offered += 1;
                if let Phase::Shot { again: Some(probe), first: None } = self.phase
                    && !self.follows
                {
                    self.next_probe = Some(probe);
                }
                true
            }
            QUERY => {
                let gpu = rng.random_range(0..1 << self.params.gpu_bits());
                payload.copy_from_slice(&Query { gpu }.encode());
                match self.phase {
                    Phase::Manner(..) => draw(rng, 2),
                    _ => draw(rng, 1) && draw(rng, 8),
                }
            }
            PROCESSED => {
                let reports = self.reports(rng, payload);
                if reports {
                    let all = self.reported.iter_mut().zip(&*payload);
                    all.for_each(|(all, report)| *all += report);
                }
                reports
            }
            _ => false,
        }
    }

    /// A report is of triangles that a GPU is known to have; a draw that follows a probe, of what all have.
    fn ahead(&self, channel: usize) -> usize {
        match (channel, &self.phase) {
            (DRAW, Phase::Manner(..)) => usize::MAX,
            (DRAW, Phase::Drain(_) | Phase::Shot { .. }) => 1,
            _ => 32,
        }
    }

    fn observed(&self) -> u64 {
        1 << DRAW | 1 << PROCESSED | 1 << GRANT
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            DRAW => {
                let Draw { triangles } = Draw::decode(payload);
                let fewest = self.remaining.iter().zip(0..).min().map_or(0, |(_, gpu)| gpu);
                self.remaining[fewest] += triangles;
                self.in_flight.push_back((fewest, triangles));
                self.offered = self.offered.saturating_sub(1);
                match self.phase {
                    Phase::Shot { first: Some(_), again } => {
                        self.phase = Phase::Shot { first: None, again };
                        self.follows = true;
                    }
                    Phase::Shot { first: None, .. } => self.phase = Phase::Manner(MANNERS[0], 0),
                    _ => {}
                }
            }
            PROCESSED => {
                for (gpu, &report) in payload.iter().enumerate() {
                    self.reported[gpu] = self.reported[gpu].saturating_sub(report);
                    if report <= self.held[gpu] {
                        self.held[gpu] -= report;
                        self.remaining[gpu] -= report;
                    }
                }
            }
            GRANT => {
                if let Some((gpu, triangles)) = self.in_flight.pop_front() {
                    self.held[gpu] += triangles;
                }
            }
            _ => {}
        }
    }
}
