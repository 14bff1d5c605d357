//! Short sequences of requests that differ from what the table holds, or from each other, in as little
//! as can be: one bit, or a vector of a hash's kernel. Each difference has its turn.

use std::collections::VecDeque;

use super::crowd::Crowd;
use super::victims::Victims;
use crate::getm_metadata::access::{Metadata, Place};
use crate::getm_metadata::channels::{Op, Request};
use crate::getm_metadata::exercise::kernels;
use crate::getm_metadata::params::Params;
use crate::getm_metadata::reference::Table;
use crate::kit::*;

/// Differences, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    differences: Vec<u64>,
    /// Index of the next; none before the first, which is arbitrary: a run has several streams.
    next: Option<usize>,
}

impl Turns {
    pub fn new(differences: Vec<u64>) -> Self {
        Self { differences, next: None }
    }

    pub fn bits(width: u32) -> Self {
        Self::new((0..width).map(|bit| 1 << bit).collect())
    }

    /// The next; zero if there is none.
    pub fn take(&mut self, rng: &mut StimulusRng) -> u64 {
        let count = self.differences.len().max(1);
        let next = self.next.unwrap_or_else(|| rng.random_range(0..count));
        self.next = Some((next + 1) % count);
        self.differences.get(next).copied().unwrap_or(0)
    }
}

/// How a request stands to a reservation.
#[derive(Clone, Debug)]
struct Stands {
    times: Turns,
    own_times: Turns,
    owners: Turns,
    kind: usize,
}

impl Stands {
    fn new(p: &Params) -> Self {
        let times = Turns::bits(p.timestamp_bits);
        Self { own_times: times.clone(), times, owners: Turns::bits(p.owner_bits), kind: 0 }
    }

    /// Warp and time of a request that differs in one bit from what is reserved: in its `wts`, in that
    /// of the same warp, or in the warp; or in nothing.
    fn take(&mut self, reserved: Metadata, rng: &mut StimulusRng) -> (u64, u64) {
        let Metadata { wts, owner, .. } = reserved;
        self.kind = (self.kind + 1) % 7;
        match self.kind {
            0 => (owner, wts.saturating_sub(1)),
            1 | 4 => (owner ^ 1, wts ^ self.times.take(rng)),
            2 | 5 => (owner, (wts ^ self.own_times.take(rng)).saturating_sub(1)),
            _ => (owner ^ self.owners.take(rng), wts.saturating_sub(1)),
        }
    }
}

/// The generator.
#[derive(Clone, Debug)]
pub(super) struct Probes {
    params: Params,
    to_come: VecDeque<Request>,
    in_flight: Turns,
    slots: Vec<Turns>,
    next_slot: usize,
    in_banks: Vec<Turns>,
    two_apart: Vec<Turns>,
    /// To what is in the table, to what the request before has left, to the overflow space.
    stands: [Stands; 3],
    next_times: Turns,
    next_warps: Turns,
    next_loads: Turns,
    /// With another request between the two, and with one to the same granule.
    rts: [Turns; 2],
    estimates: Turns,
    crowd: Crowd,
    victims: Victims,
    kind: usize,
}

impl Probes {
    pub fn new(p: &Params) -> Self {
        let (granules, times) = (Turns::bits(p.granule_bits()), Turns::bits(p.timestamp_bits));
        let in_banks: Vec<_> = kernels(p).into_iter().map(Turns::new).collect();
        Self {
            to_come: VecDeque::new(),
            slots: vec![granules.clone(); p.stash as usize],
            next_slot: 0,
            in_flight: granules,
            two_apart: in_banks.clone(),
            in_banks,
            stands: [(); 3].map(|()| Stands::new(p)),
            next_times: times.clone(),
            next_warps: Turns::new((0..p.owner_bits).map(|bit| 1 << bit).chain([0]).collect()),
            next_loads: times.clone(),
            rts: [times.clone(), times.clone()],
            estimates: times,
            crowd: Crowd::new(p),
            victims: Victims::new(p),
            kind: 0,
            params: p.clone(),
        }
    }

    /// The next request of a sequence that has begun.
    pub fn next(&mut self) -> Option<Request> {
        self.to_come.pop_front()
    }

    fn request(&self, op: Op, granule: u64, (warp, warpts): (u64, u64)) -> Request {
        let address = self.params.address_of(granule & self.params.last_granule());
        Request { op, address, warp, warpts, count: 0, tag: 0 }
    }

    /// An arbitrary warp, the first and the last more often.
    fn warp(&self, rng: &mut StimulusRng) -> u64 {
        let last = (1 << self.params.owner_bits) - 1;
        match rng.random_range(0..8) {
            0 => 0,
            1 => last,
            _ => rng.next_u64() & last,
        }
    }

    /// Reserves granules that have all candidates in common.
    pub fn crowd(&mut self, now: u64, rng: &mut StimulusRng) {
        for granule in self.crowd.granules(rng) {
            let stands = (self.warp(rng), now);
            self.to_come.push_back(self.request(Op::Store, granule, stands));
        }
    }

    /// The next request of a sequence that has begun, or of one that evicts two entries.
    pub fn next_of_victims(&mut self, table: &Table, rng: &mut StimulusRng) -> Option<Request> {
        if self.to_come.is_empty() {
            self.to_come.extend(self.victims.requests(table, rng));
        }
        self.next()
    }

    /// A sequence about a reserved granule.
    pub fn of_reserved(&mut self, table: &Table, address: u64, rng: &mut StimulusRng) {
        self.kind = (self.kind + 1) % 4;
        match self.kind {
            0 => self.of_granule(table, address, rng),
            1 => {
                let slot = self.next_slot;
                self.next_slot = (slot + 1) % self.slots.len().max(1);
                let stashed = table.stashed(slot).map(|granule| self.params.address_of(granule));
                self.of_granule(table, stashed.unwrap_or(address), rng);
            }
            2 => self.of_times(table, address, rng),
            _ => {
                let overflown = table.overflown().nth(rng.random_range(0..4));
                self.of_times(table, overflown.unwrap_or(address), rng);
            }
        }
    }

    fn of_granule(&mut self, table: &Table, address: u64, rng: &mut StimulusRng) {
        let granule = self.params.granule_of(address);
        let held = table.metadata(address);
        // It has to wait, and leaves everything as it is.
        let touches = self.request(Op::Load, granule, (held.owner, held.wts));
        let missing = |probes: &Self, difference: u64, rng: &mut StimulusRng| {
            let op = if rng.random_range(0..16) == 0 { Op::Load } else { Op::Release };
            let at = (held.owner, held.wts.saturating_sub(1));
            let request = probes.request(op, granule ^ difference, at);
            Request { count: held.writes, ..request }
        };
        let (near, far) = match table.place(address) {
            Place::Stash(slot) => (self.slots[slot].take(rng), self.slots[slot].take(rng)),
            Place::Bank(index) => {
                let bank = index % self.in_banks.len();
                (self.in_banks[bank].take(rng), self.two_apart[bank].take(rng))
            }
            Place::Overflow | Place::Absent => (self.in_flight.take(rng), self.in_flight.take(rng)),
        };
        let next = self.in_flight.take(rng);
        let [next, far, near] = [next, far, near].map(|difference| missing(self, difference, rng));
        self.to_come.extend([touches, next, far, touches, near]);
    }

    /// Warps and times that differ from those of a reservation.
    fn of_times(&mut self, table: &Table, address: u64, rng: &mut StimulusRng) {
        let granule = self.params.granule_of(address);
        let held = table.metadata(address);
        // A request does not leave it to the next where it is in the overflow space.
        let sources = match table.place(address) {
            Place::Overflow => [2; 4],
            _ => [0, 1, 1, 1],
        };
        for source in sources {
            let op = [Op::Load, Op::Store][rng.random_range(0..2)];
            let stands = self.stands[source].take(held, rng);
            self.to_come.push_back(self.request(op, granule, stands));
        }
    }

    /// A sequence about a granule that is not reserved, at a time that is no earlier than its own.
    pub fn of_free(&mut self, table: &Table, granule: u64, time: u64, rng: &mut StimulusRng) {
        let held = table.metadata(self.params.address_of(granule & self.params.last_granule()));
        let warp = self.warp(rng);
        let time = time.max(held.wts).max(held.rts).min(self.params.last_timestamp() - 1);
        let op = [Op::Load, Op::Store][rng.random_range(0..2)];
        let other = self.request(Op::Release, granule ^ 1, (0, 0));
        let any = self.request(Op::Load, granule, (0, 0));
        let request = |op, warp, warpts| Request { op, warp, warpts, ..any };
        // The time and one that differs from it, one order as often as the other.
        let near = |turns: &mut Turns, rng: &mut StimulusRng| {
            let bit = turns.take(rng);
            match rng.random_range(0..2) {
                0 => (time | bit, time & !bit),
                _ => (time & !bit, time | bit),
            }
        };
        let requests = match rng.random_range(0..9) {
            0 => {
                let (time, near) = near(&mut self.next_times, rng);
                vec![request(Op::Store, warp, time), request(op, warp, near)]
            }
            1 => {
                let (difference, last) =
                    (self.next_warps.take(rng), (1 << self.params.owner_bits) - 1);
                let warp = if difference == 0 { [0, last][rng.random_range(0..2)] } else { warp };
                vec![request(Op::Store, warp, time), request(op, warp ^ difference, time)]
            }
            2 | 3 => {
                let (time, near) = near(&mut self.next_loads, rng);
                vec![request(Op::Load, warp, time), request(Op::Store, warp, near)]
            }
            4..=6 => {
                let between = rng.random_range(0..2);
                let (time, near) = near(&mut self.rts[between], rng);
                let op = if near < time { Op::Store } else { Op::Load };
                // A load that is early changes nothing.
                let early = request(Op::Load, warp, near.min(time).saturating_sub(1));
                let between = [other, early][between];
                vec![request(Op::Load, warp, time), between, request(op, warp, near)]
            }
            _ => {
                let difference = self.estimates.take(rng);
                let compared = if op == Op::Load { held.wts } else { held.rts };
                vec![request(op, warp, compared ^ difference)]
            }
        };
        self.to_come.extend(requests);
    }
}
