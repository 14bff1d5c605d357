//! Warps that insert nodes into a hash table with few buckets: the benchmark HT-H of the paper as far
//! as the metadata shows it. Each node is new memory, so that the table is soon full of granules that
//! are reserved no more.

use crate::getm_metadata::access::Verdict;
use crate::getm_metadata::channels::{Op, Request};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::reference::Table;
use crate::kit::*;

/// Warps at most, fewer where their numbers have fewer bits: the 15 x 48 of table 4.2, as many as meet
/// in one of four units.
const WARPS: u64 = 180;
/// Buckets at most; fewer where there are fewer granules.
const BUCKETS: u64 = 64;

/// A warp, and how far its transaction is.
#[derive(Clone, Debug, Default)]
struct Warp {
    number: u64,
    warpts: u64,
    bucket: u64,
    node: u64,
    /// Accesses of the transaction that succeeded.
    done: usize,
    /// Granules to be released, after a commit or an abort.
    to_release: Vec<u64>,
    releasing: bool,
    /// The granule whose release is waited for.
    waits_for: Option<u64>,
    /// Aborts of the transaction, and the request before which it does not start again: it backs off
    /// for longer and longer (4.5.1).
    aborts: u32,
    resumes: u64,
}

pub(super) struct Insertions {
    params: Params,
    table: Table,
    warps: Vec<Warp>,
    buckets: u64,
    next_node: u64,
    requests: u64,
    /// Time is over: everything is released, and then cleared.
    rolls_over: bool,
}

impl Insertions {
    pub(super) fn new(params: &Params) -> Self {
        let warps = WARPS.min(1 << params.owner_bits);
        let buckets = BUCKETS.min(params.last_granule() / 4 + 1);
        let warp =
            |number| Warp { number, warpts: number, bucket: number % buckets, ..Warp::default() };
        let mut insertions = Self {
            params: params.clone(),
            table: Table::new(params),
            warps: (0..warps).map(warp).collect(),
            buckets,
            next_node: buckets,
            requests: 0,
            rolls_over: false,
        };
        for index in 0..insertions.warps.len() {
            insertions.warps[index].node = insertions.new_node();
        }
        insertions
    }

    fn new_node(&mut self) -> u64 {
        let node = self.next_node;
        let is_last = node == self.params.last_granule();
        self.next_node = if is_last { self.buckets } else { node + 1 };
        node
    }

    /// The smallest time above `seen` that carries the warp's number in its low bits; none if there is none.
    fn time_after(&self, seen: u64, number: u64) -> Option<u64> {
        let ids = 1 << self.params.owner_bits;
        let time = (seen + 1).saturating_sub(number).div_ceil(ids) * ids + number;
        (time < self.params.last_timestamp()).then_some(time)
    }

    /// The warp that makes the next request: any that does not wait, if there is one any that does not
    /// back off either.
    fn choose(&mut self, rng: &mut StimulusRng) -> Option<usize> {
        let start = rng.random_range(0..self.warps.len());
        let count = self.warps.len();
        let is_ready = |&i: &usize| {
            let warp = &self.warps[i];
            warp.releasing || (warp.waits_for.is_none() && !self.rolls_over)
        };
        let mut in_turn = (0..count).map(|i| (start + i) % count).filter(is_ready);
        let first = in_turn.clone().next();
        in_turn.find(|&i| self.warps[i].resumes <= self.requests).or(first)
    }

    fn request(&self, warp: &Warp) -> Request {
        let (op, granule) = match (warp.releasing, warp.done) {
            (true, _) => (Op::Release, *warp.to_release.last().expect("something to release")),
            (false, 0) => (Op::Load, warp.bucket),
            (false, 1) => (Op::Store, warp.node),
            (false, _) => (Op::Store, warp.bucket),
        };
        let address = self.params.address_of(granule);
        Request { op, address, warp: warp.number, warpts: warp.warpts, count: 1, tag: 0 }
    }

    /// Learns the answer, which a warp would have some clocks later.
    fn follow(&mut self, index: usize, request: &Request, rng: &mut StimulusRng) {
        let answer = self.table.apply(request).answer;
        let granule = self.params.granule_of(request.address);
        if request.op == Op::Release {
            for warp in &mut self.warps {
                warp.waits_for = warp.waits_for.filter(|&waited| waited != granule);
            }
            self.warps[index].to_release.pop();
            if self.warps[index].to_release.is_empty() {
                self.begin(index, rng);
            }
            return;
        }
        let warps = self.warps.len() as u64;
        let seen = answer.wts.max(answer.rts).max(request.warpts);
        let warp = &mut self.warps[index];
        match answer.verdict {
            Verdict::Success => {
                if request.op == Op::Store {
                    warp.to_release.push(granule);
                }
                warp.done += 1;
                warp.releasing = warp.done == 3;
            }
            Verdict::Park => warp.waits_for = Some(granule),
            _ => {
                // The transaction starts again at a later time, when it has cleaned up.
                warp.done = 0;
                warp.releasing = !warp.to_release.is_empty();
                warp.aborts = (warp.aborts + 1).min(6);
                let longest = warps << warp.aborts;
                warp.resumes = self.requests + rng.random_range(0..longest);
                let number = warp.number;
                match self.time_after(seen, number) {
                    Some(time) => self.warps[index].warpts = time,
                    None => self.roll_over(),
                }
            }
        }
    }

    /// The transaction is over, or has cleaned up.
    fn begin(&mut self, index: usize, rng: &mut StimulusRng) {
        let committed = self.warps[index].done == 3;
        self.warps[index].releasing = false;
        if committed {
            let node = self.new_node();
            let bucket = rng.random_range(0..self.buckets);
            let warp = &mut self.warps[index];
            (warp.done, warp.bucket, warp.node, warp.aborts) = (0, bucket, node, 0);
        }
    }

    /// Every transaction is given up, so that the table can be cleared.
    fn roll_over(&mut self) {
        self.rolls_over = true;
        for warp in &mut self.warps {
            warp.done = 0;
            warp.waits_for = None;
            warp.releasing = !warp.to_release.is_empty();
        }
    }

    fn clear(&mut self) -> Request {
        self.rolls_over = false;
        for warp in &mut self.warps {
            warp.warpts = warp.number;
        }
        Request { op: Op::Clear, address: 0, warp: 0, warpts: 0, count: 0, tag: 0 }
    }
}

impl Stimulus for Insertions {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        self.requests += 1;
        let request = match self.choose(rng) {
            Some(index) => {
                let request = self.request(&self.warps[index]);
                self.follow(index, &request, rng);
                request
            }
            None => {
                let clear = self.clear();
                self.table.apply(&clear);
                clear
            }
        };
        payload.copy_from_slice(&request.encode());
        true
    }
}
