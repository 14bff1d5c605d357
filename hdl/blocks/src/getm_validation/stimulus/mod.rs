//! Warps that run transactions, and what is around the unit.

mod logs;
mod probes;

use std::collections::{BTreeMap, VecDeque};

use self::logs::Log;
use super::channels::{self, Access, ERROR, Outcome, RELEASE, REQ, RESP, ROLL, ROLLED, Response};
use super::params::Params;
use crate::getm_metadata::Misuse;
use crate::getm_metadata::exercise::{common_bloom_kernel, kernels};
use crate::getm_metadata::stimulus::crowd::Crowd;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "transactions over few granules, in changing phases" },
    StreamInfo { name: "random", doc: "transactions over granules anywhere" },
    StreamInfo { name: "loads", doc: "transactions that only load: nothing waits" },
];
const MIXED: usize = 0;
const LOADS: usize = 2;

/// Warps that are simulated at most.
const WARPS: u64 = 16;
/// Transactions of one access each that are under way at most.
const PROBES: usize = 4;
/// Accesses of a transaction at most, but for one that counts writes to a granule.
const LONGEST: usize = 8;
/// Bits of such a count at most.
const COUNTED_BITS: u32 = 10;
/// One phase in so many fills the table with granules anywhere, so that most rows of its Bloom filter hold something.
const SPREADING: u32 = 96;
/// Offers asked for in such a phase, which is long enough to fill the table of `paper`.
const SPREAD_OFFERS: u32 = 1 << 14;

/// A warp and its transaction.
#[derive(Clone, Debug, Default)]
struct Warp {
    warpts: u64,
    /// Accesses still to be made: address and whether it is a store.
    to_do: VecDeque<(u64, bool)>,
    /// Granules of the accesses that have no answer yet. There is one access of each at most, but where
    /// the transaction has the reservation: else one could wait for what another has reserved, and
    /// neither would end.
    unanswered: Vec<u64>,
    /// Writes under way, by granule.
    writes: BTreeMap<u64, u64>,
    /// The largest timestamp that was reported.
    reported: u64,
    /// The transaction aborts once everything is answered.
    aborts: bool,
    /// And the warp begins again at the lowest timestamp.
    rolls: bool,
}

/// Where a roll-over is, as its conductor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Roll {
    #[default]
    None,
    Stopped,
    Told,
}

/// How cores and conductor behave in a roll-over.
#[derive(Clone, Copy, Debug, Default)]
struct Manners {
    /// Cores make accesses as before. Else they make but what was under way.
    accesses_go_on: bool,
    /// Cores do nothing before every access is answered: no log is sent until then. Else a log is sent
    /// as soon as its transaction has ended.
    answers_first: bool,
    /// The unit is told to go on at once, and again, whatever is under way: misuse, now and then.
    hasty: bool,
}

/// The generator.
#[derive(Default)]
pub(super) struct Transactions {
    params: Params,
    stream: usize,
    warps: Vec<Warp>,
    /// Logs under way, and how much of them is on offer.
    releases: VecDeque<Log>,
    offered: bool,
    roll: Roll,
    manners: Manners,
    /// Where timestamps begin, and will begin once they roll over.
    era: u64,
    next_era: u64,
    /// The granules of the phase, if they are chosen one by one.
    pool: Vec<u64>,
    neighbours: Neighbours,
    crowd: Crowd,
    crowds: bool,
    /// Transactions of one access each, which differ in one bit from what others do. As they reserve
    /// nothing while they wait, no circle of waiters has them in it.
    probes: Vec<Access>,
    /// One that is to come next.
    follower: Option<Access>,
    /// Differences of granules with one row in a bank of the table.
    kernels: Vec<u64>,
    /// Differences of granules with one row in each way of the table's Bloom filter.
    bloom_kernel: Vec<u64>,
    /// Counts differences, from an arbitrary number.
    turn: Option<usize>,
    base: Option<u64>,
    granules: u64,
    stores: u32,
    release_rate: u32,
    /// Mean clocks until another unit begins a roll-over.
    roll_interval: u32,
    left_in_phase: u32,
}

impl Transactions {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        let warps = WARPS.min(1 << params.owner_bits) as usize;
        let mut transactions = Self {
            params: params.clone(),
            stream,
            warps: vec![Warp::default(); warps],
            neighbours: Neighbours::new(&Compared::bits("granules", params.granule_bits())),
            crowd: Crowd::new(&params.table()),
            kernels: kernels(&params.table()).concat(),
            bloom_kernel: common_bloom_kernel(&params.table()),
            granules: 1,
            release_rate: 16,
            roll_interval: 4096,
            ..Self::default()
        };
        for index in 0..warps {
            transactions.warps[index].warpts = transactions.first_after(index, None);
        }
        transactions
    }

    /// The number of a warp: zero, each power of two, and the complements of these, so that warps differ
    /// in any one bit and in all.
    fn number(&self, index: usize) -> u64 {
        let bits = self.params.owner_bits as usize;
        let number = |index: usize| index.checked_sub(1).map_or(0, |bit| 1 << bit);
        match index.checked_sub(bits + 1) {
            Some(of) => number(of) ^ ((1 << bits) - 1),
            None => number(index),
        }
    }

    /// The smallest timestamp of a warp that is later than all of these; the first of the era if there is none.
    fn first_after(&self, index: usize, later_than: Option<u64>) -> u64 {
        let id = self.number(index);
        let least = later_than.map_or(self.era, |timestamp| timestamp + 1);
        if self.params.faithful {
            return least;
        }
        let ids = (1 << self.params.owner_bits) - 1;
        let same = least & !ids | id;
        if same >= least { same } else { same + ids + 1 }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let all = self.params.last_granule();
        self.base.get_or_insert_with(|| rng.random_range(0..=all));
        let spreads = self.stream == MIXED && rng.random_range(0..SPREADING) == 0;
        let kind = if spreads { 2 } else { rng.random_range(0..4) };
        self.crowds = self.stream == MIXED && kind == 1;
        self.pool = match (self.stream, kind) {
            (MIXED, 0) => self.neighbours.pool(rng, 4),
            // The first crowd fills the stash, so a second one is in part in the overflow space.
            (MIXED, 1) => {
                let crowds = if rng.random_range(0..4) == 0 { 2 } else { 1 };
                (0..crowds).flat_map(|_| self.crowd.granules(rng)).collect()
            }
            _ => Vec::new(),
        };
        let limit = self.params.limit();
        let room = 4 << self.params.owner_bits;
        self.next_era = match rng.random_range(0..4) {
            _ if limit <= 2 * room => 0,
            0 => 0,
            1 => limit - room,
            _ => rng.next_u64() % (limit - room),
        };
        self.granules = match self.stream {
            // Few granules are in a pool.
            MIXED if !spreads => [1, 2, 16, 64, 256, 1024][rng.random_range(0..6)],
            _ => u64::MAX,
        };
        self.stores = match self.stream {
            LOADS => 0,
            _ => [2, 8, 8, 12, 16][rng.random_range(0..5)],
        };
        let rates = match (self.crowds, self.pool.is_empty()) {
            (true, _) => [1, 1, 2, 16],
            (false, true) => [1, 4, 16, 16],
            (false, false) => [4, 16, 16, 16],
        };
        self.release_rate = rates[rng.random_range(0..4)];
        self.roll_interval = match spreads {
            true => SPREAD_OFFERS,
            false => [4096, 4096, 4096, 256][rng.random_range(0..4)],
        };
        if self.roll == Roll::None {
            self.manners = Manners {
                accesses_go_on: rng.random_range(0..4) == 0,
                answers_first: rng.random(),
                hasty: rng.random_range(0..4) == 0,
            };
        }
        self.left_in_phase = if spreads { SPREAD_OFFERS } else { rng.random_range(64..=1024) };
    }

    fn address(&self, rng: &mut StimulusRng) -> u64 {
        let all = self.params.last_granule();
        let base = self.base.expect("a phase has begun");
        let granule = match self.pool.is_empty() {
            true => base.wrapping_add(rng.random_range(0..self.granules)) & all,
            false => self.pool[rng.random_range(0..self.pool.len())],
        };
        let place = rng.random_range(0..u64::from(self.params.granule_bytes));
        granule << self.params.offset_bits() | place
    }

    /// The next access of some warp.
    fn access(&mut self, rng: &mut StimulusRng) -> Option<Access> {
        let rolls = self.roll != Roll::None;
        let goes_on = self.manners.accesses_go_on || rng.random_range(0..64) == 0;
        // Logs that waited for the answers go first, or accesses would keep them waiting for ever.
        let logs_first = self.manners.answers_first && !self.releases.is_empty();
        if rolls && (!goes_on || self.waits_for_answers() || logs_first) {
            return None;
        }
        if let Some(probe) = self.next_probe(rng) {
            return Some(probe);
        }
        let start = rng.random_range(0..self.warps.len());
        let count = self.warps.len();
        let ids = (0..count).map(|i| (start + i) % count);
        let offset_bits = self.params.offset_bits();
        let logs_under_way = self.offered || !self.releases.is_empty();
        let ready = |warp: &Warp| match warp.to_do.front() {
            Some((address, _)) => {
                !warp.unanswered.contains(&(address >> offset_bits))
                    || warp.writes.contains_key(address)
            }
            // The paper takes a warp's next transaction for the one whose log is under way: the two
            // could wait for each other.
            None => warp.unanswered.is_empty() && !(self.params.faithful && logs_under_way),
        };
        let ready = |warp: &Warp| !warp.aborts && ready(warp);
        let id = ids.clone().find(|&id| ready(&self.warps[id]))?;
        if self.warps[id].to_do.is_empty() {
            self.warps[id].to_do = self.transaction(id, rng);
        }
        let warp = &mut self.warps[id];
        let (address, store) = warp.to_do.pop_front()?;
        warp.unanswered.push(address >> offset_bits);
        let warpts = warp.warpts;
        let access = Access { address, store, warp: self.number(id), warpts };
        if store && rng.random_range(0..4) == 0 {
            self.follower = self.follower(&access, rng);
        }
        Some(access)
    }

    /// The accesses of a transaction of that warp.
    fn transaction(&self, index: usize, rng: &mut StimulusRng) -> VecDeque<(u64, bool)> {
        let counted = |rng: &mut StimulusRng| {
            let left = 1 << rng.random_range(0..self.params.write_count_bits.min(COUNTED_BITS));
            left + rng.random_range(1..=left)
        };
        if self.crowds && rng.random_range(0..4) != 0 {
            // Each warp has a granule of its own, so that all are reserved at once.
            let address = self.pool[index % self.pool.len()] << self.params.offset_bits();
            let count = if rng.random() { 1 } else { counted(rng) };
            return vec![(address, true); count].into();
        }
        if self.stream == MIXED && rng.random_range(0..64) == 0 {
            // Writes to one granule, for a log that is sent but for a bit of their count.
            return vec![(self.address(rng), true); counted(rng)].into();
        }
        let length = rng.random_range(1..=LONGEST);
        let mut to_do: VecDeque<_> = (0..length)
            .map(|_| (self.address(rng), rng.random_range(0..16) < self.stores))
            .collect();
        // Often the same place again.
        if length > 1 && rng.random() {
            to_do[1].0 = to_do[0].0;
        }
        to_do
    }

    fn answered(&mut self, response: &Response) {
        let Response { access, outcome, timestamp } = *response;
        if let Some(at) = self.probes.iter().position(|probe| *probe == access) {
            self.probes.swap_remove(at);
            if access.store && outcome == Outcome::Success {
                let Access { address, warpts, .. } = access;
                self.releases.push_back(Log { address, count: 1, warpts });
            }
            return;
        }
        let mut indices = 0..self.warps.len();
        let Some(index) = indices.find(|&index| self.number(index) == access.warp) else { return };
        let warp = &mut self.warps[index];
        let granule = access.address >> self.params.offset_bits();
        if let Some(at) = warp.unanswered.iter().position(|unanswered| *unanswered == granule) {
            warp.unanswered.swap_remove(at);
        }
        warp.reported = warp.reported.max(timestamp);
        match outcome {
            Outcome::Success if access.store => {
                *warp.writes.entry(access.address).or_default() += 1;
            }
            Outcome::Success => {}
            Outcome::AbortRollover => (warp.aborts, warp.rolls) = (true, true),
            _ => warp.aborts = true,
        }
        self.end_if_done(index);
    }

    /// Ends a transaction that has nothing more to do, or that aborts and waits for no answer.
    fn end_if_done(&mut self, id: usize) {
        let warp = &self.warps[id];
        if !warp.unanswered.is_empty() || !(warp.aborts || warp.to_do.is_empty()) {
            return;
        }
        let warpts = match warp.rolls {
            true => self.first_after(id, None),
            false => self.first_after(id, Some(warp.warpts.max(warp.reported))),
        };
        // A wrong circuit may report any timestamp.
        let warpts = warpts & (u64::MAX >> (64 - self.params.timestamp_bits));
        let warp = std::mem::replace(&mut self.warps[id], Warp { warpts, ..Warp::default() });
        let log = |(address, count)| Log { address, count, warpts: warp.warpts };
        self.releases.extend(warp.writes.into_iter().map(log));
    }

    /// Every warp begins again, as the unit has stopped.
    fn roll_warps(&mut self) {
        for id in 0..self.warps.len() {
            (self.warps[id].aborts, self.warps[id].rolls) = (true, true);
            self.end_if_done(id);
        }
    }
}

impl Stimulus for Transactions {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        match channel {
            REQ => {
                let Some(access) = self.access(rng) else { return false };
                payload.copy_from_slice(&access.encode());
            }
            RELEASE => {
                let sends = self.roll != Roll::None || rng.random_range(0..16) < self.release_rate;
                let release = if sends { self.release(rng) } else { None };
                let Some(release) = release else { return false };
                payload.copy_from_slice(&release.encode());
                self.offered = true;
            }
            ROLL => {
                let Some(go) = self.roll(rng) else { return false };
                payload.copy_from_slice(&channels::Roll { go }.encode());
            }
            _ => return false,
        }
        true
    }

    /// A roll-over begins once; accesses and logs are as many as the transactions under way allow.
    fn ahead(&self, channel: usize) -> usize {
        if channel == ROLL { 1 } else { usize::MAX }
    }

    fn observed(&self) -> u64 {
        1 << RELEASE | 1 << RESP | 1 << ROLLED | 1 << ERROR
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            RELEASE => self.offered = false,
            RESP => self.answered(&Response::decode(payload)),
            ROLLED if !channels::Roll::decode(payload).go => {
                self.roll = Roll::Stopped;
                self.era = self.next_era;
                self.roll_warps();
            }
            ROLLED => self.roll = Roll::None,
            // It was told too early.
            ERROR if payload[0] == Misuse::ClearWhileReserved as u64 => self.roll = Roll::Stopped,
            _ => {}
        }
    }
}
