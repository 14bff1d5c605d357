//! Phases that fill the table with reservations, use them, and drain it.

mod eras;
mod reserved;

use self::eras::Era;
use super::probes::{Probes, Turns};
use crate::getm_metadata::access::Effect;
use crate::getm_metadata::channels::{Op, Request};
use crate::getm_metadata::exercise::HAMMERED_BITS;
use crate::getm_metadata::params::Params;
use crate::getm_metadata::reference::Table;
use crate::kit::*;

/// Which granules are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pool {
    /// Few, some or many, changing by the phase.
    Changing,
    /// Arbitrary ones.
    Anywhere,
    /// Two.
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Stores to new granules, until some are in the overflow space.
    Fill,
    /// Everything.
    Use,
    /// Requests that differ in one bit from what is there, or from each other.
    Probe,
    /// Pairs of victims whose times differ in one bit, while the table is full.
    Victims,
    /// Stores of one transaction to one granule, until no more can be counted; or until the count has the
    /// next of its bits, and a release of all but that.
    Hammer,
    /// Releases, until nothing is reserved; then perhaps everything is cleared.
    Drain,
}

/// Requests that a phase of any kind but `Drain` has at most, beside `Hammer`.
const FILL_REQUESTS: u64 = 1600;
/// Requests of a phase of victims: each bit of their times needs many pairs.
const VICTIM_REQUESTS: u64 = 2000;

pub(super) struct Phases {
    params: Params,
    pool: Pool,
    table: Table,
    phase: Phase,
    left: u64,
    /// Entries in the overflow space at which a `Fill` ends.
    spill: usize,
    /// The present time of the warps.
    now: u64,
    /// Times at which granules are reserved, by an era: from one clear to the next.
    era: Era,
    /// No phase of this era has begun.
    is_first: bool,
    /// What the last request has loaded, to be reserved next.
    loaded: Option<u64>,
    /// Bits that the time of this reservation has and that of the load has not.
    later_bits: Turns,
    probes: Probes,
    /// What is hammered, and the next bit of its count to be left after a release.
    hammered: u64,
    count_bit: Option<u32>,
    reserved: Vec<u64>,
    /// Granules that the last requests displaced or made go, as addresses.
    disturbed: Vec<u64>,
    /// The pool of the phase: its first granule and how many there are.
    base: u64,
    granules: u64,
    /// Of 256: how many requests are malformed, or are releases.
    malformed: u64,
    releases: u64,
}

impl Phases {
    pub(super) fn new(params: &Params, pool: Pool) -> Self {
        Self {
            params: params.clone(),
            pool,
            table: Table::new(params),
            phase: Phase::Use,
            left: 0,
            spill: 0,
            now: 0,
            era: Era::Calm,
            is_first: false,
            loaded: None,
            later_bits: Turns::bits(params.timestamp_bits),
            probes: Probes::new(params),
            hammered: 0,
            count_bit: None,
            reserved: Vec::new(),
            disturbed: Vec::new(),
            base: 0,
            granules: 1,
            malformed: 0,
            releases: 0,
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let p = &self.params;
        // Time to roll over?
        let late = self.now >= p.last_timestamp().saturating_sub(3);
        let spilled = self.table.overflow_entries() > 0;
        let calm = self.era == Era::Calm;
        let is_first = std::mem::take(&mut self.is_first);
        let drained = self.phase == Phase::Drain && !is_first && !spilled;
        self.phase = match (self.pool, rng.random_range(0..8)) {
            _ if late => Phase::Drain,
            (Pool::Changing, _) if drained && self.is_full() => Phase::Victims,
            // In the first, the Bloom filter knows no times yet.
            (Pool::Changing, 0..=3) if (is_first || spilled) && !calm => Phase::Probe,
            (Pool::Two, 0) => Phase::Drain,
            (Pool::Changing, 0 | 1) => Phase::Fill,
            (Pool::Changing, 2 | 5) => Phase::Probe,
            (Pool::Changing, 3) if p.write_count_bits <= HAMMERED_BITS => Phase::Hammer,
            (Pool::Changing, 6) if !spilled && self.is_full() => Phase::Victims,
            (_, 4) => Phase::Drain,
            (Pool::Changing, 7) if !calm => Phase::Drain,
            _ => Phase::Use,
        };
        let places = u64::from(p.rows_per_way * p.ways);
        self.spill = rng.random_range(1..=6.max(places / 32)) as usize;
        self.left = match self.phase {
            Phase::Fill => FILL_REQUESTS,
            Phase::Hammer => p.most_writes() + p.most_writes() / 8 + 8,
            Phase::Victims => VICTIM_REQUESTS,
            _ => rng.random_range(32..=400),
        };
        if self.phase == Phase::Hammer {
            // Those in the overflow space have a comparison of their own.
            let overflown = if rng.random() { self.table.overflown().next() } else { None };
            self.hammered = overflown.or_else(|| self.some_reserved(rng)).unwrap_or(0);
            self.count_bit = (rng.random_range(0..4) != 0).then_some(0);
        }
        if self.phase == Phase::Probe && (!is_first || rng.random()) && self.table.stash_has_room()
        {
            let now = self.time_of_era(rng);
            self.probes.crowd(now, rng);
        }
        let all = self.params.last_granule();
        self.granules = match self.pool {
            Pool::Two => 2,
            Pool::Anywhere => all,
            Pool::Changing => [2, 8, places, 4 * places][rng.random_range(0..4)].min(all),
        };
        self.base = match rng.random_range(0..4) {
            0 => rng.next_u64() & all,
            _ => self.base,
        };
        self.malformed = [0, 2, 8, 24][rng.random_range(0..4)];
        self.releases = [4, 16, 64, 96][rng.random_range(0..4)];
    }

    /// Whether what comes evicts what is there.
    fn is_full(&self) -> bool {
        self.table.occupancy() > 0.9
    }

    fn address_of(&self, granule: u64, rng: &mut StimulusRng) -> u64 {
        let offset = self.params.offset_bits();
        let place = rng.next_u64() & ((1 << offset) - 1);
        (granule & self.params.last_granule()) << offset | place
    }

    fn pooled(&self, rng: &mut StimulusRng) -> u64 {
        let number = (u128::from(rng.next_u64()) * u128::from(self.granules)) >> 64;
        self.address_of(self.base.wrapping_add(number as u64), rng)
    }

    fn warp(&self, rng: &mut StimulusRng) -> u64 {
        rng.next_u64() & ((1 << self.params.owner_bits) - 1)
    }

    fn request(&self, op: Op, address: u64, rng: &mut StimulusRng) -> Request {
        let (warp, warpts) = (self.warp(rng), self.time(rng));
        let count = rng.next_u64() & self.params.most_writes();
        Request { op, address, warp, warpts, count, tag: 0 }
    }

    /// Arbitrary fields.
    fn malformed(&self, rng: &mut StimulusRng) -> Request {
        let op = Op::ALL[rng.random_range(0..Op::ALL.len())];
        let address = match rng.random_range(0..2) {
            0 => self.pooled(rng),
            _ => self.some_reserved(rng).unwrap_or_else(|| self.pooled(rng)),
        };
        let mut request = self.request(op, address, rng);
        if rng.random_range(0..2) == 0 {
            request.warpts = self.params.last_timestamp();
        }
        request
    }

    fn draw(&mut self, rng: &mut StimulusRng) -> Request {
        if rng.random_range(0..256) < self.malformed {
            return self.malformed(rng);
        }
        if self.phase == Phase::Drain
            && let Some(load) = self.load_of_overflown(rng)
        {
            return load;
        }
        match self.phase {
            Phase::Fill => {
                let granule = rng.next_u64();
                let loaded = self.loaded.take();
                let (op, address) = match (self.era, loaded) {
                    (Era::Calm, _) => (Op::Store, self.address_of(granule, rng)),
                    (_, Some(address)) => (Op::Store, address),
                    _ => {
                        let address = self.address_of(granule, rng);
                        self.loaded = (rng.random_range(0..4) != 0).then_some(address);
                        let op = if self.loaded.is_some() { Op::Load } else { Op::Store };
                        (op, address)
                    }
                };
                // Late enough for what is known of it.
                let known = self.table.metadata(address);
                let known = known.wts.max(known.rts);
                let warpts = match self.era {
                    Era::Calm => self.now,
                    _ if loaded.is_some() => self.one_bit_later(known, rng),
                    _ => self.time_of_era(rng).max(known),
                };
                Request { warpts, ..self.request(op, address, rng) }
            }
            Phase::Probe => self.probe(rng),
            Phase::Victims => {
                let next = self.probes.next_of_victims(&self.table, rng);
                next.unwrap_or_else(|| self.usual(rng))
            }
            Phase::Hammer if self.reserved.contains(&self.hammered) => self.hammer(rng),
            Phase::Drain => match (self.release(rng), rng.random_range(0..4)) {
                // Its owner accesses it first, mostly.
                (Some(release), 0..=2) if self.era != Era::Calm => {
                    let held = self.table.metadata(release.address);
                    let (warp, warpts) = (held.owner, held.wts.saturating_sub(1));
                    let op = if rng.random() { Op::Load } else { Op::Store };
                    Request { op, warp, warpts, ..release }
                }
                (Some(release), _) => release,
                // What is reserved no more makes room, before everything is forgotten.
                (None, _) if self.era != Era::Calm && self.pool == Pool::Changing => {
                    let address = self.address_of(rng.next_u64(), rng);
                    let loads = 8 * self.params.bloom_rows;
                    let op = if rng.random_range(0..loads) == 0 { Op::Clear } else { Op::Load };
                    // Most raise no times.
                    let late = rng.random_range(0..4) == 0;
                    let warpts = if late { self.time_of_era(rng) } else { 0 };
                    Request { warpts, ..self.request(op, address, rng) }
                }
                (None, 0) => self.request(Op::Load, self.pooled(rng), rng),
                (None, _) => self.request(Op::Clear, self.pooled(rng), rng),
            },
            Phase::Use | Phase::Hammer => self.usual(rng),
        }
    }

    fn probe(&mut self, rng: &mut StimulusRng) -> Request {
        for _ in 0..2 {
            if let Some(request) = self.probes.next() {
                return request;
            }
            if rng.random_range(0..4) == 0 && self.is_full() {
                match self.probes.next_of_victims(&self.table, rng) {
                    Some(request) => return request,
                    None => continue,
                }
            }
            let places = (self.params.rows_per_way * self.params.ways) as usize;
            let crowded = 2 * self.reserved.len() > places;
            match self.some_reserved(rng) {
                Some(address) if crowded || rng.random_range(0..8) < 5 => {
                    self.probes.of_reserved(&self.table, address, rng);
                }
                _ => {
                    let (granule, time) = (rng.next_u64(), self.time_of_era(rng));
                    self.probes.of_free(&self.table, granule, time, rng);
                }
            }
        }
        self.usual(rng)
    }

    fn usual(&mut self, rng: &mut StimulusRng) -> Request {
        if rng.random_range(0..256) < self.releases
            && let Some(release) = self.release(rng)
        {
            return release;
        }
        let contended = if rng.random_range(0..3) == 0 { self.contended(rng) } else { None };
        if let Some(request) = contended {
            return request;
        }
        let again = rng.random_range(0..2) == 0 && !self.disturbed.is_empty();
        let address = match again {
            true => self.disturbed[rng.random_range(0..self.disturbed.len())],
            false => self.pooled(rng),
        };
        let op = [Op::Load, Op::Load, Op::Store][rng.random_range(0..3)];
        self.request(op, address, rng)
    }

    /// Learns what the request does.
    fn follow(&mut self, request: &Request, effect: &Effect) {
        let address = self.params.address_of(self.params.granule_of(request.address));
        let newly = effect.answer.reserved && !effect.reserved_before;
        if newly && request.op == Op::Store {
            self.reserved.push(address);
        } else if effect.reserved_before && !effect.answer.reserved && effect.error.is_none() {
            self.reserved.retain(|&other| other != address);
        }
        self.disturbed.clear();
        let displaced = effect.insertion.iter().flat_map(|insertion| insertion.displaced.iter());
        let disturbed = displaced.chain(effect.victim.iter().map(|(victim, _)| victim));
        self.disturbed.extend(disturbed.map(|granule| self.params.address_of(*granule)));
        let cleared = request.op == Op::Clear && effect.error.is_none();
        let filled = self.phase == Phase::Fill && self.table.overflow_entries() >= self.spill;
        let drained = self.phase == Phase::Drain && self.reserved.is_empty() && cleared;
        let emptied = self.phase == Phase::Victims && cleared;
        if filled || drained || emptied {
            self.left = 0;
        }
    }
}

impl Stimulus for Phases {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        let must_drain = self.phase == Phase::Drain && !self.reserved.is_empty();
        if self.left == 0 && !must_drain {
            self.begin_phase(rng);
        }
        self.left = self.left.saturating_sub(1);
        if rng.random_range(0..16) == 0 && self.now + 2 < self.params.last_timestamp() {
            self.now += 1;
        }
        let tag = rng.next_u64() & (u64::MAX >> (64 - self.params.tag_bits));
        let request = Request { tag, ..self.draw(rng) };
        let effect = self.table.apply(&request);
        self.follow(&request, &effect);
        if request.op == Op::Clear && effect.error.is_none() {
            self.begin_era(rng);
        }
        payload.copy_from_slice(&request.encode());
        true
    }
}
