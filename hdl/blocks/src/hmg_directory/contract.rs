//! What must hold whatever the reference says: the sharers against an ideal directory without
//! limits, and the order of answers and invalidations; and the circuit's own assertions.
//!
//! The ideal directory knows which nodes loaded or stored each block since that node's last invalidation
//! or downgrade. It needs no replacement policy: what was evicted is learnt from the invalidation.

use std::collections::VecDeque;

use super::channels::{
    ERROR, INV, Invalidation, Misuse, Op, REQ, RESP, Request, Response, source_kind,
};
use super::nodes::{Geometry, Holders, Nodes};
use super::params::Params;
use super::{corners, exercise, rules};
use crate::kit::*;

/// The run-time checks.
pub(super) struct DirectoryContract {
    ways: usize,
    geometry: Geometry,
    /// For each code of kind and index, the source's bit in masks or why it is none.
    sources: Vec<Result<u64, Misuse>>,
    node_bits: u32,
    /// The highest bit of a block number.
    high_bit: u64,
    /// Whether a GPU may send an invalidate.
    forwards: bool,
    /// The sharers that are GPMs.
    gpms: u64,
    holders: Holders,
    /// Accepted requests whose answer has not been presented, with the clock of their acceptance.
    in_flight: VecDeque<Accepted>,
    /// Invalidations accepted that no answer has accounted for.
    sent: VecDeque<Invalidation>,
    errors: VecDeque<u64>,
    /// Errors of all requests accepted so far.
    errors_due: u64,
    presented: bool,
    clock: u64,
    stalls: Stalls,
    /// Block and clock of the last three accepted requests, the latest first.
    recent: [(u64, u64); 3],
    answered: exercise::Answered,
    /// Set and clock.
    last_eviction: (u64, u64),
    /// Line and source.
    last_store: (u64, u64),
    /// Block and source.
    last_downgrade: (u64, u64),
}

/// A clock, block or line that never occurs, nor do those after it.
const NONE: u64 = u64::MAX / 2;

#[derive(Clone, Copy)]
struct Accepted {
    payload: [u64; 4],
    op: Option<Op>,
    /// The source's bit in masks; why the request is malformed, if it is.
    source: Result<u64, Misuse>,
    block: u64,
    at: u64,
    /// Errors of requests up to this one, itself counted.
    errors_due: u64,
}

impl Accepted {
    /// The request as it was, for messages.
    fn request(&self) -> Request {
        Request::decode(&self.payload)
    }
}

impl DirectoryContract {
    pub(super) fn new(params: &Params, self_gpm: u32, self_gpu: u32) -> Self {
        let geometry = Geometry {
            line_bits: params.line_bytes.ilog2(),
            block_bits: params.offset_bits(),
            sets: u64::from(params.sets),
        };
        let nodes = Nodes::new(params, self_gpm, self_gpu);
        let node_bits = params.node_bits();
        let source = |code: u64| Request::decode(&[0, code >> node_bits, low(code, node_bits), 0]);
        let sources = (0..4 << node_bits).map(|code| nodes.sharer_bit(source(code).source));
        Self {
            ways: params.ways as usize,
            geometry,
            sources: sources.collect(),
            node_bits,
            high_bit: 1 << (params.address_bits - params.offset_bits() - 1),
            forwards: params.hierarchical,
            gpms: u64::MAX.checked_shr(64 - params.gpm_sharers()).unwrap_or(0),
            holders: Holders::new(geometry, params.ways as usize),
            in_flight: VecDeque::new(),
            sent: VecDeque::new(),
            errors: VecDeque::new(),
            errors_due: 0,
            presented: false,
            clock: 0,
            stalls: Stalls::new(corners::STALLED),
            recent: [(NONE, NONE); 3],
            answered: exercise::Answered::new(params.sets),
            last_eviction: (NONE, NONE),
            last_store: (NONE, NONE),
            last_downgrade: (NONE, NONE),
        }
    }

    fn accept(&mut self, payload: &[u64], corners: &mut Corners) {
        let payload: [u64; 4] = payload.try_into().expect("a request has four fields");
        let [op, kind, index, address] = payload;
        let op = Op::ALL.get(op as usize).copied();
        let source = match (op, self.sources[(kind << self.node_bits | index) as usize]) {
            (None, _) => Err(Misuse::ReservedOp),
            (Some(Op::Invalidate), Ok(_)) if !self.forwards || kind != source_kind::GPU => {
                Err(Misuse::IllegalInvalidate)
            }
            (_, source) => source,
        };
        if let Err(code) = source {
            self.errors.push_back(code as u64);
            self.errors_due += 1;
        }
        let block = address >> self.geometry.block_bits;
        let errors_due = self.errors_due;
        let accepted = Accepted { payload, op, source, block, at: self.clock, errors_due };
        self.in_flight.push_back(accepted);
        if source.is_ok() && op != Some(Op::Release) {
            self.count_neighbours(block, corners);
        }
    }

    /// The answer to the oldest request is presented for the first time.
    fn answer(&mut self, response: Response, corners: &mut Corners) -> Result<(), Violation> {
        let Some(accepted) = self.in_flight.pop_front() else {
            return Err(rules::ONE_ANSWER.broken("an answer without a request".to_string()));
        };
        let Accepted { op, source, block, .. } = accepted;
        let (Ok(source), Some(op)) = (source, op) else {
            let raised = self.errors_due - self.errors.len() as u64;
            rules::ERROR_AS_DUE.require(raised >= accepted.errors_due, || {
                format!("{} was answered before its error", accepted.request())
            })?;
            return expect_flags(&accepted, response, Response::default(), 0);
        };
        let slot = self.holders.slot(block);
        let holders = self.holders.nodes[slot];
        // In the order of the operations: load, store, atomic, invalidate, downgrade, release. As
        // tables, because they come at random: branches would be mispredicted.
        let told = holders & [0, !source, !source, self.gpms, 0, 0][op as usize];
        let after = [holders | source, source, source, 0, holders & !source, holders][op as usize];
        let hit = (holders != 0) & (op != Op::Release);
        let allocated = (holders == 0) & (after != 0);
        let expected = Response { hit, allocated, evicted: response.evicted & allocated };
        expect_flags(&accepted, response, expected, holders)?;

        if response.evicted {
            self.evict(&accepted, corners)?;
        }
        if told != 0 {
            let invalidation = self.take_sent(&accepted, rules::ANSWER_AFTER_INVALIDATION)?;
            let of_block = invalidation.address == block << self.geometry.block_bits;
            rules::NO_LOST_SHARER.require(of_block, || {
                format!("{} was answered, but what left was {invalidation}", accepted.request())
            })?;
            let is_spared = op == Op::Invalidate || invalidation.sharers & source == 0;
            rules::SOURCE_SPARED
                .require(is_spared, || format!("{} caused {invalidation}", accepted.request()))?;
            expect_holders(&accepted, invalidation, told)?;
        }
        self.holders.blocks[slot] = block;
        self.holders.nodes[slot] = after;
        if allocated {
            self.expect_room(&accepted)?;
        }
        if op != Op::Release {
            self.answered.count(block, accepted.at, allocated, corners);
        }
        self.count_sharing(&accepted, op, source, holders, after, corners);
        Ok(())
    }

    /// The request made another block lose its entry.
    fn evict(&mut self, accepted: &Accepted, corners: &mut Corners) -> Result<(), Violation> {
        let victim = self.take_sent(accepted, rules::EVICTION_TELLS_ALL)?;
        let victim_block = victim.address >> self.geometry.block_bits;
        let slot = self.holders.slot(victim_block);
        expect_holders(accepted, victim, self.holders.nodes[slot])?;
        let set = self.geometry.set(accepted.block);
        let of_set = victim_block != accepted.block && self.geometry.set(victim_block) == set;
        rules::NO_SPURIOUS_INVALIDATION.require(of_set, || {
            format!("{} evicted {victim}, which is not of its set", accepted.request())
        })?;
        let is_full = self.holders.in_set_of(victim_block) >= self.ways;
        rules::EVICTION_ONLY_IF_FULL.require(is_full, || {
            format!("{} evicted {victim}; there was room", accepted.request())
        })?;
        self.holders.nodes[slot] = 0;
        let alternates = self.last_eviction == (set, accepted.at.wrapping_sub(1));
        corners.count(corners::ALTERNATING_EVICTIONS, alternates);
        self.last_eviction = (set, accepted.at);
        Ok(())
    }

    fn expect_room(&self, accepted: &Accepted) -> Result<(), Violation> {
        let fits = self.holders.in_set_of(accepted.block) <= self.ways;
        rules::EVICTION_TELLS_ALL.require(fits, || {
            let (request, set) = (accepted.request(), self.geometry.set(accepted.block));
            format!("{request} allocated in set {set}, which is full, and no sharer was told")
        })
    }

    fn take_sent(&mut self, accepted: &Accepted, rule: Rule) -> Result<Invalidation, Violation> {
        self.sent.pop_front().ok_or_else(|| {
            let request = accepted.request();
            rule.broken(format!("{request} was answered and no invalidation of it has left"))
        })
    }

    fn count_neighbours(&mut self, block: u64, corners: &mut Corners) {
        for ((corner, &(other, at)), distance) in
            corners::SAME_SET.into_iter().zip(&self.recent).zip(1..)
        {
            let is_of_set = self.geometry.set(other) == self.geometry.set(block);
            corners.count(corner, (at + distance == self.clock) & is_of_set & (other != block));
        }
        let (last, at) = self.recent[0];
        let next = at + 1 == self.clock;
        let differing = last ^ block;
        let low_bit = self.geometry.sets;
        corners.count(corners::TAG_LOW_BIT, next & (differing == low_bit));
        corners.count(corners::TAG_HIGH_BIT, next & (differing == self.high_bit));
        corners.count(corners::SAME_BLOCK_BACK_TO_BACK, next & (last == block));
        self.recent = [(block, self.clock), self.recent[0], self.recent[1]];
    }

    fn count_sharing(
        &mut self,
        accepted: &Accepted,
        op: Op,
        source: u64,
        before: u64,
        after: u64,
        corners: &mut Corners,
    ) {
        let Accepted { payload: [_, _, _, address], block, .. } = *accepted;
        let downgrades = (op == Op::Downgrade) & (before & source != 0);
        corners.count(corners::DOWNGRADE_LAST, downgrades & (after == 0));
        corners.count(corners::DOWNGRADE_LEAVES_OTHERS, downgrades & (after != 0));
        let again = (op == Op::Load) & (self.last_downgrade == (block, source));
        corners.count(corners::DOWNGRADE_THEN_LOAD, again);
        if downgrades {
            self.last_downgrade = (block, source);
        }
        let (other_line, other) = self.last_store;
        let line = address >> self.geometry.line_bits;
        let is_of_block =
            other_line >> (self.geometry.block_bits - self.geometry.line_bits) == block;
        let is_shared = is_of_block & (other_line != line) & (other != source);
        let by_sharer = (op == Op::Store) & (before != 0) & (source != 0);
        corners.count(corners::FALSE_SHARING, by_sharer & is_shared);
        if op == Op::Store {
            self.last_store = (line, source);
        }
    }

    /// The youngest request is a release.
    fn ends_in_release(&self) -> bool {
        self.in_flight.back().is_some_and(|accepted| accepted.op == Some(Op::Release))
    }
}

fn expect_flags(
    accepted: &Accepted,
    found: Response,
    expected: Response,
    holders: u64,
) -> Result<(), Violation> {
    rules::ANSWER_FLAGS.require(found == expected, || {
        let request = accepted.request();
        format!("{request} was answered {found}; with sharers {holders:#b} it is {expected}")
    })
}

fn expect_holders(accepted: &Accepted, found: Invalidation, holders: u64) -> Result<(), Violation> {
    let rule = match (holders & !found.sharers, found.sharers & !holders) {
        (0, 0) => return Ok(()),
        (0, _) => rules::NO_SPURIOUS_INVALIDATION,
        _ => rules::NO_LOST_SHARER,
    };
    let detail = format!("{} caused {found}; holders are {holders:#b}", accepted.request());
    Err(rule.broken(detail))
}

fn low(value: u64, bits: u32) -> u64 {
    value & ((1 << bits) - 1)
}

impl Contract for DirectoryContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.clock += 1;
        if let Some(request) = channels.taken(REQ) {
            self.accept(request, corners);
        }
        // Before this clock's invalidation counts: it has not been accepted yet.
        let resp = channels.at(RESP);
        if resp.valid && !self.presented {
            self.answer(Response::decode(resp.payload), corners)?;
        }
        self.presented = resp.valid && !resp.ready;
        if let Some(invalidation) = channels.taken(INV) {
            let invalidation = Invalidation::decode(invalidation);
            let place = (1u64 << self.geometry.block_bits) - 1;
            let is_sound = invalidation.sharers != 0 && invalidation.address & place == 0;
            rules::INVALIDATION_WELL_FORMED.require(is_sound, || invalidation.to_string())?;
            self.sent.push_back(invalidation);
        }
        if let Some(error) = channels.taken(ERROR) {
            let found = error[0];
            let due = self.errors.pop_front();
            let detail = || format!("code {found} came, due was {due:?}");
            rules::ERROR_AS_DUE.require(due == Some(found), detail)?;
        }
        self.stalls.clock(channels, corners);
        let inv_waits = channels.handshakes().stalled() >> INV & 1 == 1;
        corners.count(corners::RELEASE_BEHIND_STALLED_INV, inv_waits & self.ends_in_release());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        self.sent.front().map_or(Ok(()), |left| {
            Err(rules::NO_SPURIOUS_INVALIDATION.broken(format!("{left} belongs to no request")))
        })?;
        self.errors.front().map_or(Ok(()), |code| {
            Err(rules::ERROR_AS_DUE.broken(format!("code {code} never came")))
        })
    }
}

/// The circuit's own assertions, on the set at the stage that updates it.
pub(super) fn assert_set<'m>(
    m: &'m ModuleBuilder,
    checked: Signal<'m>,
    hit: Signal<'m>,
    ways: &[(Signal<'m>, Signal<'m>)],
) {
    m.assert(
        "one_entry_per_block",
        !checked | (hit & (hit - 1)).eq(0),
        "At most one entry of a set tracks a block.",
    );
    for (way, (valid, sharers)) in ways.iter().enumerate() {
        m.assert(
            &format!("way{way}_has_sharers"),
            !checked | !*valid | sharers.any(),
            "A valid entry has sharers: state V of HMG Table I is never left without one.",
        );
    }
}
