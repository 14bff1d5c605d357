//! What must hold whatever the reference says: the sharers against an ideal directory without
//! limits, and the order of answers and invalidations; and the circuit's own assertions.
//!
//! The ideal directory knows who loaded or stored each block since that node's last invalidation
//! or downgrade. It needs no replacement policy: what was evicted is learnt from the invalidation.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use warpsmith_rtl::{ModuleBuilder, Signal};

use super::channels::{ERROR, INV, Invalidation, Op, REQ, RESP, Request, Response, Source};
use super::corners;
use super::params::Params;
use super::reference::Directory;
use crate::verification::{Channels, Contract, Corners, Violation};

const LOST: (&str, &str) = (
    "a node that loaded or stored since its last invalidation or downgrade is a sharer",
    "HMG IV-B, Table I: add s to sharers",
);
const ROOM: (&str, &str) = (
    "an entry that makes room for another tells all its sharers: no set tracks more blocks than it \
     has ways",
    "HMG IV-B: Directory Entry Eviction/Replacement",
);
const SPURIOUS: (&str, &str) = (
    "an invalidation is sent for a store to a shared block, an eviction or a forwarded invalidate, \
     and at most one a request",
    "HMG IV-A: invalidations are sent only in two cases; V-B for the forwarded one",
);
const SOURCE_SPARED: (&str, &str) =
    ("a store does not invalidate its own source", "HMG Table I: inv other sharers");
const RESPONSE_AFTER_INV: (&str, &str) = (
    "an answer is presented only after its invalidation was accepted; so a release is answered \
     once every earlier invalidation has left",
    "HMG IV-B: Release",
);
const NEVER_EMPTY: (&str, &str) =
    ("an invalidation has at least one sharer and an aligned address", "README: Ports");
const FLAGS: (&str, &str) = (
    "hit: the block had sharers; allocated: it gets its first; evicted: only if allocated",
    "HMG Table I: state I and V",
);
const ERROR_CODE: (&str, &str) = (
    "a request without meaning, and only such a one, raises error with its code",
    "README: Errors",
);

fn violated((rule, source): (&'static str, &'static str), detail: String) -> Violation {
    Violation { rule, source, detail }
}

/// The run-time checks.
pub(super) struct DirectoryContract {
    params: Params,
    naming: Directory,
    holders: Holders,
    /// Accepted requests whose answer has not been presented, with the clock of their acceptance.
    in_flight: VecDeque<Accepted>,
    /// Invalidations accepted that no answer has accounted for.
    sent: VecDeque<Invalidation>,
    /// Error codes due.
    errors: VecDeque<u64>,
    presented: bool,
    clock: u64,
    inv_stalled_for: u64,
    /// Requests accepted in the last three clocks, the latest first.
    recent: [Option<Accepted>; 3],
    last_eviction: Option<(u64, u64)>,
    last_store: Option<(u64, u64)>,
    last_downgrade: Option<(u64, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct Accepted {
    request: Request,
    /// The source's bit in masks; an error code if the request has no meaning.
    source: Result<u64, u64>,
    block: u64,
    at: u64,
}

impl DirectoryContract {
    pub(super) fn new(params: &Params, self_gpm: u32, self_gpu: u32) -> Self {
        Self {
            params: params.clone(),
            // Only to name sources; it is given no request. One set is enough for that.
            naming: Directory::new(&Params { sets: 2, ..params.clone() }, self_gpm, self_gpu),
            holders: Holders::new(params.sets),
            in_flight: VecDeque::new(),
            sent: VecDeque::new(),
            errors: VecDeque::new(),
            presented: false,
            clock: 0,
            inv_stalled_for: 0,
            recent: [None; 3],
            last_eviction: None,
            last_store: None,
            last_downgrade: None,
        }
    }

    fn accept(&mut self, request: Request, corners: &mut Corners) -> Accepted {
        let source = self.naming.sharer_bit(request.source);
        let source = match (request.op, source) {
            (None, _) => Err(super::channels::error_code::RESERVED_OP),
            (Some(Op::Invalidate), Ok(_))
                if !(self.params.hierarchical && matches!(request.source, Source::Gpu(_))) =>
            {
                Err(super::channels::error_code::ILLEGAL_INVALIDATE)
            }
            (_, source) => source,
        };
        if let Err(code) = source {
            self.errors.push_back(code);
        }
        let block = request.address >> self.params.offset_bits();
        let accepted = Accepted { request, source, block, at: self.clock };
        self.count_neighbours(&accepted, corners);
        accepted
    }

    /// The answer to the oldest request is presented for the first time.
    fn answer(&mut self, response: Response, corners: &mut Corners) -> Result<(), Violation> {
        let Some(accepted) = self.in_flight.pop_front() else {
            return Err(violated(FLAGS, "an answer without a request".to_string()));
        };
        let Accepted { request, source, block, .. } = accepted;
        let (Ok(source), Some(op)) = (source, request.op) else {
            return self.expect_flags(&accepted, response, Response::default());
        };
        let is_access = matches!(op, Op::Load | Op::Store | Op::Atomic);
        let is_store = matches!(op, Op::Store | Op::Atomic);
        let holders = self.holders.get(block);
        let hit = holders != 0 && op != Op::Release;
        let allocated = !hit && is_access && source != 0;
        let expected = Response { hit, allocated, evicted: response.evicted && allocated };
        self.expect_flags(&accepted, response, expected)?;

        if response.evicted {
            let victim = self.take_sent(&accepted)?;
            let victim_block = victim.address >> self.params.offset_bits();
            self.expect_holders(&accepted, victim, self.holders.get(victim_block))?;
            let sets = u64::from(self.params.sets);
            if victim_block == block || victim_block % sets != block % sets {
                let detail = format!("{request:?} evicted {victim:?}, which is not of its set");
                return Err(violated(SPURIOUS, detail));
            }
            self.holders.set(victim_block, 0);
            let set = block % sets;
            if self.last_eviction == Some((set, accepted.at.wrapping_sub(1))) {
                corners.hit(corners::ALTERNATING_EVICTIONS);
            }
            self.last_eviction = Some((set, accepted.at));
        }
        let gpms = u64::MAX.checked_shr(64 - self.params.gpm_sharers()).unwrap_or(0);
        let told = match op {
            Op::Store | Op::Atomic => holders & !source,
            Op::Invalidate => holders & gpms,
            _ => 0,
        };
        if told != 0 {
            let invalidation = self.take_sent(&accepted)?;
            if invalidation.address != block << self.params.offset_bits() {
                let detail =
                    format!("{request:?} was answered, but what left was {invalidation:?}");
                return Err(violated(LOST, detail));
            }
            if is_store && invalidation.sharers & source != 0 {
                let detail = format!("{request:?} caused {invalidation:?}");
                return Err(violated(SOURCE_SPARED, detail));
            }
            self.expect_holders(&accepted, invalidation, told)?;
        }
        let after = match op {
            Op::Load => holders | source,
            Op::Store | Op::Atomic => source,
            Op::Invalidate => 0,
            Op::Downgrade => holders & !source,
            Op::Release => holders,
        };
        if op != Op::Release {
            self.holders.set(block, after);
        }
        if allocated {
            self.expect_room(&accepted)?;
        }
        self.count_sharing(&accepted, source, holders, after, corners);
        Ok(())
    }

    fn expect_room(&self, accepted: &Accepted) -> Result<(), Violation> {
        let sets = u64::from(self.params.sets);
        let set = (accepted.block % sets) as usize;
        match self.holders.in_set(set) <= self.params.ways {
            true => Ok(()),
            false => {
                let detail = format!(
                    "{:?} allocated in set {set}, which is full, and no sharer was told",
                    accepted.request
                );
                Err(violated(ROOM, detail))
            }
        }
    }

    fn take_sent(&mut self, accepted: &Accepted) -> Result<Invalidation, Violation> {
        self.sent.pop_front().ok_or_else(|| {
            violated(
                RESPONSE_AFTER_INV,
                format!("{:?} was answered before its invalidation left", accepted.request),
            )
        })
    }

    fn expect_flags(
        &self,
        accepted: &Accepted,
        found: Response,
        expected: Response,
    ) -> Result<(), Violation> {
        match found == expected {
            true => Ok(()),
            false => Err(violated(
                FLAGS,
                format!(
                    "{:?} was answered {found:?}; with sharers {:#b} it is {expected:?}",
                    accepted.request,
                    self.holders.get(accepted.block)
                ),
            )),
        }
    }

    fn expect_holders(
        &self,
        accepted: &Accepted,
        found: Invalidation,
        holders: u64,
    ) -> Result<(), Violation> {
        let rule = match (holders & !found.sharers, found.sharers & !holders) {
            (0, 0) => return Ok(()),
            (0, _) => SPURIOUS,
            _ => LOST,
        };
        let detail = format!("{:?} caused {found:?}; holders are {holders:#b}", accepted.request);
        Err(violated(rule, detail))
    }

    fn count_neighbours(&mut self, accepted: &Accepted, corners: &mut Corners) {
        let sets = u64::from(self.params.sets);
        let same_set = |other: &Option<Accepted>, distance: u64| {
            other.is_some_and(|o| {
                o.at + distance == accepted.at
                    && o.block % sets == accepted.block % sets
                    && o.block != accepted.block
            })
        };
        if self.recent[0].is_some_and(|o| o.at + 1 == accepted.at && o.block == accepted.block) {
            corners.hit(corners::SAME_BLOCK_BACK_TO_BACK);
        }
        let named = [
            corners::SAME_SET_BACK_TO_BACK,
            corners::SAME_SET_ONE_APART,
            corners::SAME_SET_TWO_APART,
        ];
        for ((corner, other), distance) in named.into_iter().zip(&self.recent).zip(1..) {
            if same_set(other, distance) {
                corners.hit(corner);
            }
        }
        self.recent = [Some(*accepted), self.recent[0], self.recent[1]];
    }

    fn count_sharing(
        &mut self,
        accepted: &Accepted,
        source: u64,
        before: u64,
        after: u64,
        corners: &mut Corners,
    ) {
        let Accepted { request, block, .. } = *accepted;
        match request.op {
            Some(Op::Downgrade) if before & source != 0 => {
                corners.hit(match after {
                    0 => corners::DOWNGRADE_LAST,
                    _ => corners::DOWNGRADE_LEAVES_OTHERS,
                });
                self.last_downgrade = Some((block, source));
            }
            Some(Op::Load) if self.last_downgrade == Some((block, source)) => {
                corners.hit(corners::DOWNGRADE_THEN_LOAD);
            }
            Some(Op::Store) => {
                let line = request.address / u64::from(self.params.line_bytes);
                let lines = u64::from(self.params.lines_per_entry);
                let shares = |(other_line, other): (u64, u64)| {
                    other_line / lines == block && other_line != line && other != source
                };
                if self.last_store.is_some_and(shares) && before != 0 && source != 0 {
                    corners.hit(corners::FALSE_SHARING);
                }
                self.last_store = Some((line, source));
            }
            _ => {}
        }
    }

    fn watch_stalls(&mut self, channels: &Channels<'_>, corners: &mut Corners) {
        let (resp, inv) = (channels.at(RESP), channels.at(INV));
        let inv_waits = inv.valid && !inv.ready;
        self.inv_stalled_for = if inv_waits { self.inv_stalled_for + 1 } else { 0 };
        if inv_waits {
            corners.hit(corners::INV_STALLED);
            if self.inv_stalled_for == 8 {
                corners.hit(corners::INV_STALLED_LONG);
            }
            let releases = |a: &Accepted| a.request.op == Some(Op::Release);
            if self.in_flight.back().is_some_and(releases) {
                corners.hit(corners::RELEASE_BEHIND_STALLED_INV);
            }
        }
        if resp.valid && !resp.ready {
            corners.hit(corners::RESP_STALLED);
        }
    }
}

impl Contract for DirectoryContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.clock += 1;
        let (req, resp, inv) = (channels.at(REQ), channels.at(RESP), channels.at(INV));
        let error = channels.at(ERROR);
        // Before this clock's invalidation counts: it has not been accepted yet.
        if resp.valid && !self.presented {
            self.answer(Response::decode(resp.payload), corners)?;
        }
        self.presented = resp.valid && !resp.ready;
        if inv.fires() {
            let invalidation = Invalidation::decode(inv.payload);
            let place = (1u64 << self.params.offset_bits()) - 1;
            if invalidation.sharers == 0 || invalidation.address & place != 0 {
                return Err(violated(NEVER_EMPTY, format!("{invalidation:?}")));
            }
            self.sent.push_back(invalidation);
        }
        if error.valid {
            let found = error.payload[0];
            let due = self.errors.pop_front();
            if due != Some(found) {
                return Err(violated(ERROR_CODE, format!("code {found} came, due was {due:?}")));
            }
        }
        if req.fires() {
            let accepted = self.accept(Request::decode(req.payload), corners);
            self.in_flight.push_back(accepted);
        }
        self.watch_stalls(channels, corners);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        if let Some(left) = self.sent.front() {
            return Err(violated(SPURIOUS, format!("{left:?} belongs to no request")));
        }
        if let Some(code) = self.errors.front() {
            return Err(violated(ERROR_CODE, format!("code {code} never came")));
        }
        Ok(())
    }
}

/// For each block, the nodes that hold it; blocks that nobody holds take no room.
struct Holders {
    blocks: HashMap<u64, u64, BuildHasherDefault<BlockHasher>>,
    /// Blocks held in each set.
    in_set: Vec<u32>,
}

impl Holders {
    fn new(sets: u32) -> Self {
        Self { blocks: HashMap::default(), in_set: vec![0; sets as usize] }
    }

    fn get(&self, block: u64) -> u64 {
        self.blocks.get(&block).copied().unwrap_or(0)
    }

    fn set(&mut self, block: u64, nodes: u64) {
        let before = match nodes {
            0 => self.blocks.remove(&block),
            _ => self.blocks.insert(block, nodes),
        };
        let set = (block % self.in_set.len() as u64) as usize;
        let set = &mut self.in_set[set];
        *set = *set + u32::from(nodes != 0) - u32::from(before.is_some());
    }

    fn in_set(&self, set: usize) -> u32 {
        self.in_set[set]
    }
}

/// Fibonacci hashing: block numbers are looked up several times a clock, and come from our own
/// stimulus, so nothing is gained by a hash that resists an adversary.
#[derive(Default)]
struct BlockHasher(u64);

impl Hasher for BlockHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
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
