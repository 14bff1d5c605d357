//! Streams of requests: L1s with copies and clocks of their own, and whatever else may come.

use std::collections::{HashMap, HashSet, VecDeque};

use super::channels::{Action, Misuse};
use super::channels::{
    ERROR, ISSUED, Issued, Kind, Op, REQ, RESP, ROLL, ROLLED, Request, Response, RollOver, Rolled,
};
use super::exercise;
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "requests of all kinds, in changing phases" },
    StreamInfo { name: "hits", doc: "requests to blocks that stay in the bank" },
    StreamInfo { name: "misses", doc: "requests to blocks anywhere" },
];
const MIXED: usize = 0;
const HITS: usize = 1;

/// Distribution of the logical times of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// As L1s have them.
    Cores,
    /// Close to what is known of the block.
    Close,
    /// Any magnitude.
    Any,
    /// At the end of time.
    End,
}

/// Progress of a roll-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RollState {
    None,
    /// No more requests, until all are answered.
    Drains,
    /// Offered.
    Offered,
}

/// State of a core's L1.
#[derive(Clone, Debug, Default)]
struct L1 {
    now: u64,
    /// Lease of each block.
    copies: HashMap<u64, u64>,
    /// GETS under way, by block.
    loads: HashSet<u64>,
    /// Tags of requests under way.
    tags: HashSet<u64>,
}

/// The generator.
pub(super) struct Traffic {
    params: Params,
    stream: usize,
    cores: Vec<L1>,
    /// Last ver and lease of each block, as answers showed them.
    known: HashMap<u64, (u64, u64)>,
    left_in_phase: u32,
    blocks: Vec<u64>,
    in_turn: bool,
    turn: u64,
    manner: Manner,
    /// Rates in 64ths: requests offered, malformed, stores, and atomics.
    pace: u32,
    malformed: u32,
    stores: u32,
    atomics: u32,
    neighbours: Neighbours,
    roll: RollState,
    /// Core and tag of the requests that have not been acted on, and of the last one that was.
    inside: VecDeque<(u64, u64)>,
    last: Option<(u64, u64)>,
    /// Requests of 64 after which a roll-over that is wanted comes.
    rolls: u32,
    stray_roll: bool,
    /// A second roll-over follows at once; roll-overs whose end has not been told.
    twice: bool,
    rolling: u32,
}

impl Traffic {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        Self {
            params: params.clone(),
            stream,
            cores: vec![L1::default(); params.cores as usize],
            known: HashMap::new(),
            left_in_phase: 0,
            blocks: Vec::new(),
            in_turn: false,
            turn: 0,
            manner: Manner::Cores,
            pace: 64,
            malformed: 0,
            stores: 16,
            atomics: 4,
            neighbours: Neighbours::new(&exercise::blocks(params)),
            roll: RollState::None,
            inside: VecDeque::new(),
            last: None,
            rolls: 8,
            stray_roll: false,
            twice: false,
            rolling: 0,
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let pick = |rng: &mut StimulusRng, of: &[u32]| of[rng.random_range(0..of.len())];
        self.left_in_phase = pick(rng, &[32, 64, 200]);
        self.in_turn = rng.random();
        if self.stream != MIXED {
            self.left_in_phase = 400;
            let held = u64::from(self.params.sets * self.params.ways);
            self.blocks = match self.stream == HITS {
                true => (0..held).collect(),
                false => (0..256).map(|_| self.any_block(rng)).collect(),
            };
            return;
        }
        self.pace = pick(rng, &[64, 64, 64, 64, 32, 8]);
        self.malformed = pick(rng, &[0, 0, 0, 1, 8]);
        self.stores = pick(rng, &[0, 4, 16, 16, 32, 60]);
        self.atomics = pick(rng, &[0, 0, 2, 8]);
        self.rolls = pick(rng, &[1, 8, 64]);
        self.manner = match rng.random_range(0..8) {
            0..3 => Manner::Cores,
            3..6 => Manner::Close,
            6 => Manner::Any,
            _ => Manner::End,
        };
        self.blocks = self.phase_blocks(rng);
        if self.blocks.len() > 64 {
            self.left_in_phase = self.blocks.len() as u32;
        }
        self.stray_roll = rng.random_range(0..8) == 0;
        if rng.random_range(0..16) == 0 && self.roll == RollState::None {
            self.roll = RollState::Drains;
        }
    }

    fn phase_blocks(&mut self, rng: &mut StimulusRng) -> Vec<u64> {
        let p = &self.params;
        let (tags, set_bits, ways) = (p.block_tag_bits(), p.set_bits(), p.ways);
        let base = self.any_block(rng);
        let first = rng.random_range(0..tags);
        let in_set = |others: u32| {
            let tag = |bit: u32| base ^ 1 << (set_bits + bit % tags);
            (first..first + others).map(tag).chain([base]).collect::<Vec<_>>()
        };
        match rng.random_range(0..10) {
            0 | 1 => vec![base],
            2 => in_set(1),
            3 | 4 => in_set(ways),
            5 => in_set(ways + 2),
            6 | 7 => self.neighbours.pool(rng, 6),
            8 => (0..2 * u64::from(p.mshrs)).map(|_| self.any_block(rng)).collect(),
            _ => (0..16).map(|_| self.any_block(rng)).collect(),
        }
    }

    fn any_block(&self, rng: &mut StimulusRng) -> u64 {
        rng.next_u64() >> (64 - self.params.block_bits())
    }

    fn any_time(&self, rng: &mut StimulusRng) -> u64 {
        let bits = self.params.timestamp_bits;
        (rng.next_u64() >> (64 - bits)) >> rng.random_range(0..bits)
    }

    /// A time, and the lease of the core's old copy.
    fn times(&self, rng: &mut StimulusRng, core: usize, block: u64) -> (u64, u64) {
        let p = &self.params;
        let core = &self.cores[core];
        let copy = core.copies.get(&block).copied().unwrap_or(0);
        let (ver, exp) = self.known.get(&block).copied().unwrap_or((0, 0));
        let near = |rng: &mut StimulusRng, time: u64| {
            p.last().min((time + rng.random_range(0..3)).saturating_sub(1))
        };
        match self.manner {
            Manner::Cores => (core.now, copy),
            Manner::Close => {
                let now = [core.now, ver, exp, 0][rng.random_range(0..4)];
                let exp = [copy, ver, ver + 1, exp][rng.random_range(0..4)].min(p.limit());
                (near(rng, now), exp)
            }
            Manner::Any => (self.any_time(rng), self.any_time(rng).min(p.limit())),
            Manner::End => {
                let lease = p.lease(rng.random_range(0..=p.lease_doublings));
                let now =
                    [p.last(), p.limit(), p.limit() - lease, core.now][rng.random_range(0..4)];
                (near(rng, now), copy)
            }
        }
    }

    /// The next request; none: it would be malformed, or there is no tag for it.
    fn request(&mut self, rng: &mut StimulusRng) -> Option<Request> {
        let p = &self.params;
        let cores = u64::from(p.cores);
        let is_in_turn = self.in_turn;
        self.turn += 1;
        let core = if is_in_turn { self.turn % cores } else { rng.random_range(0..cores) };
        let at = match self.blocks.len() as u64 {
            blocks if is_in_turn && rng.random_range(0..8) > 0 => (self.turn / cores) % blocks,
            blocks => rng.random_range(0..blocks),
        };
        let block = self.blocks[at as usize];
        let kind = rng.random_range(0..64);
        let op = match kind {
            _ if kind < self.atomics => Op::Atomic,
            _ if kind < self.atomics + self.stores => Op::Write,
            _ => Op::Gets,
        };
        let l1 = &self.cores[core as usize];
        let is_second = op == Op::Gets && l1.loads.contains(&block);
        if is_second && rng.random_range(0..64) >= self.malformed {
            return None;
        }
        let tags = 1 << p.tag_bits;
        let mut tag = rng.random_range(0..tags);
        if l1.tags.len() as u64 == tags {
            return None;
        }
        while l1.tags.contains(&tag) {
            tag = (tag + 1) % tags;
        }
        let (now, exp) = self.times(rng, core as usize, block);
        let place = rng.next_u64() & ((1 << p.offset_bits()) - 1);
        let exp = if op == Op::Gets { exp } else { self.any_time(rng) };
        let address = p.address_of(block) | place;
        let l1 = &mut self.cores[core as usize];
        l1.tags.insert(tag);
        if op == Op::Gets {
            l1.loads.insert(block);
        }
        Some(Request { op: Some(op), core, address, now, exp, tag })
    }

    /// A request with something that cannot be.
    fn spoilt(&self, rng: &mut StimulusRng) -> Request {
        let p = &self.params;
        let address = p.address_of(self.blocks[rng.random_range(0..self.blocks.len())]);
        let (now, tag) = (self.any_time(rng), rng.random_range(0..1 << p.tag_bits));
        let core = rng.random_range(0..u64::from(p.cores));
        let good = Request { op: Some(Op::Gets), core, address, now, exp: 0, tag };
        let all_cores = 1 << p.core_bits();
        match rng.random_range(0..3) {
            0 => Request { op: None, ..good },
            1 => Request { core: rng.random_range(u64::from(p.cores)..all_cores), ..good },
            _ => Request { exp: p.last(), ..good },
        }
    }

    fn answered(&mut self, response: &Response) {
        let block = self.params.block_of(response.address);
        let Some(l1) = self.cores.get_mut(response.core as usize) else { return };
        l1.tags.remove(&response.tag);
        let Response { kind, exp, ver, .. } = *response;
        l1.now = l1.now.max(ver);
        let known = self.known.entry(block).or_default();
        match kind {
            Kind::Data | Kind::Renew => {
                l1.loads.remove(&block);
                l1.copies.insert(block, exp);
                known.1 = exp;
                if kind == Kind::Data {
                    known.0 = ver;
                }
            }
            Kind::Ack | Kind::Result => {
                l1.copies.remove(&block);
                known.0 = ver;
            }
        }
    }

    /// All requests have been acted on, and all answers have come.
    fn is_drained(&self) -> bool {
        self.inside.is_empty() && self.cores.iter().all(|l1| l1.tags.is_empty())
    }
}

impl Stimulus for Traffic {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if channel == ROLL {
            let drained = self.roll == RollState::Drains && self.is_drained();
            let again = self.roll == RollState::Offered && std::mem::take(&mut self.twice);
            if drained {
                self.roll = RollState::Offered;
                self.twice = rng.random_range(0..4) == 0;
            }
            if drained || again {
                self.rolling += 1;
                return true;
            }
            // A roll-over with requests inside is malformed.
            let stray = self.roll == RollState::None && !self.inside.is_empty();
            return stray && std::mem::take(&mut self.stray_roll);
        }
        if channel != REQ || self.roll != RollState::None || rng.random_range(0..64) >= self.pace {
            return false;
        }
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        let request = match rng.random_range(0..64) < self.malformed {
            true => Some(self.spoilt(rng)),
            false => self.request(rng),
        };
        let Some(request) = request else { return false };
        self.inside.push_back((request.core, request.tag));
        payload.copy_from_slice(&request.encode());
        true
    }

    fn observed(&self) -> u64 {
        1 << ISSUED | 1 << RESP | 1 << ROLLED | 1 << ERROR
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            ISSUED if Issued::decode(payload).action == Action::Request => {
                self.last = self.inside.pop_front();
            }
            RESP => self.answered(&Response::decode(payload)),
            ROLLED if Rolled::decode(payload).kind == RollOver::Cleared => {
                self.rolling = self.rolling.saturating_sub(1);
                if self.rolling == 0 && self.roll == RollState::Offered && !self.twice {
                    self.roll = RollState::None;
                }
                self.known.clear();
                for l1 in &mut self.cores {
                    (l1.now, l1.copies) = (0, HashMap::new());
                }
            }
            ROLLED if self.turn % 64 < u64::from(self.rolls) && self.roll == RollState::None => {
                self.roll = RollState::Drains;
            }
            // The request that was acted on in the same clock gets no answer.
            ERROR if payload[0] == Misuse::SecondGets as u64 => {
                let Some((core, tag)) = self.last else { return };
                self.cores[core as usize].tags.remove(&tag);
            }
            _ => {}
        }
    }
}
