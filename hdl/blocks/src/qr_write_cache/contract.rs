//! What must hold whatever the reference says. It knows sets for the cause of an eviction, and of the FIFO
//! which entries may be inside: every store is followed until it has gone down.

mod entries;

use std::collections::{BTreeSet, VecDeque};

use super::by_set::BySet;
use super::channels::{
    ACK, Block, DATA, DONE, DOWN, ERROR, Error, HIT, INV, INV_ACK, InvAck, MARK_WRITTEN, Op,
    RELEASED, REQ, Released, Request, byte, encode_hit, merged,
};
use super::params::Params;
use super::{corners, exercise, rules};
use crate::kit::*;
use entries::Entries;

/// A store that has not gone down.
struct Store {
    /// Its place among all requests.
    number: u64,
    request: Request,
    /// It was merged.
    merged: bool,
    /// The invalidation of its block, if it is written through.
    inv: Option<u64>,
}

/// The run-time checks.
#[derive(Default)]
pub(super) struct WriteCacheContract {
    p: Params,
    /// Requests accepted.
    number: u64,
    /// By block, the oldest first.
    stores: BySet<VecDeque<Store>>,
    /// Numbers of all these stores.
    above: BTreeSet<u64>,
    /// Requests that go down by themselves, with their places among all.
    forwards: VecDeque<(u64, Request)>,
    releases: VecDeque<(u64, Request)>,
    entries: Entries,
    /// Invalidations so far, and what each read cache has acknowledged; of each accepted release those that it
    /// waits for.
    invs: u64,
    acknowledged: Vec<u64>,
    /// Stores that are written through, with the invalidation that some read cache has not acknowledged.
    unacknowledged: VecDeque<(u64, u64)>,
    /// Numbers of atomics that have not completed.
    atomics: VecDeque<u64>,
    waiting: Vec<u64>,
    error_due: Option<u64>,
    ack_due: Option<u64>,
    last_op: Option<Op>,
    /// Number of the store that was merged last.
    last_merged: u64,
    /// Of each set, the block that got its place last.
    youngest: Vec<Option<u64>>,
    stalls: Stalls,
}

impl WriteCacheContract {
    pub(super) fn new(p: &Params) -> Self {
        Self {
            p: p.clone(),
            stores: BySet::new(p),
            acknowledged: vec![0; p.read_caches as usize],
            youngest: vec![None; p.sets as usize],
            stalls: Stalls::new(corners::STALLED),
            ..Self::default()
        }
    }

    fn merge(&mut self, block: u64) -> Result<(), Violation> {
        let next = self.stores.get_mut(block).and_then(|s| s.iter_mut().find(|s| !s.merged));
        let broken =
            || rules::LAST_VALUES.broken(format!("no store to 0x{block:x} is to be merged"));
        let store = next.ok_or_else(broken)?;
        store.merged = true;
        self.last_merged = store.number;
        Ok(())
    }

    /// Stores to a block that are merged, and not written through.
    fn dirty(&self, block: u64) -> impl Iterator<Item = &Store> {
        let of_block = self.stores.get(block).into_iter().flatten();
        of_block.filter(|store| store.merged && store.inv.is_none())
    }

    fn dirty_bytes(&self, block: u64) -> u64 {
        self.dirty(block).fold(0, |bytes, store| bytes | store.request.bytes)
    }

    /// Some byte of the block is dirty, or stored and not merged, from a request before that number.
    fn is_above(&self, block: u64, before: u64) -> bool {
        let of_block = self.stores.get(block).into_iter().flatten();
        of_block.into_iter().any(|store| store.number < before)
    }

    /// Some store from a request before that number has not gone down.
    fn is_any_above(&self, before: u64) -> bool {
        self.above.first().is_some_and(|first| *first < before)
    }

    /// A block is written through, for a cause.
    fn invalidate(
        &mut self,
        block: u64,
        marked: Option<u64>,
        corners: &mut Corners,
    ) -> Result<(), Violation> {
        let is_dirty = self.dirty(block).next().is_some();
        rules::INVALIDATES_FIRST
            .require(is_dirty, || format!("0x{block:x} is invalidated, and not dirty"))?;
        let evicted = marked
            .is_some_and(|store| store != block && self.p.set_of(store) == self.p.set_of(block));
        // A read whose bytes are all dirty hits.
        let bytes = self.dirty_bytes(block);
        let needs = |of: &Request| of.op == Op::Atomic || of.bytes & !bytes != 0;
        let flushed = self.forwards.iter().any(|(_, of)| of.block == block && needs(of));
        let drains = self.entries.may_drain(block, self.p.fifo_depth);
        rules::ONLY_WITH_CAUSE
            .require(evicted || flushed || drains, || format!("0x{block:x} is written through"))?;
        let youngest = self.youngest[self.p.set_of(block) as usize].filter(|_| self.p.ways > 1);
        rules::EVICTS_OLDER.require(flushed || drains || youngest != Some(block), || {
            format!("0x{block:x} is evicted, the youngest of its set")
        })?;
        corners.count(corners::EVICTION, evicted);
        corners.count(corners::DRAINED, drains && !evicted && !flushed);
        corners.count(corners::FULL_WITHOUT_RELEASE, drains && !self.entries.has(None) && !evicted);
        corners.count(corners::STORE_AND_DRAIN, marked.is_some() && drains && !evicted);
        self.invs += 1;
        let inv = self.invs;
        let of_block = self.stores.get_mut(block).into_iter().flatten();
        for store in of_block.filter(|s| s.merged && s.inv.is_none()) {
            store.inv = Some(inv);
            self.unacknowledged.push_back((store.number, inv));
        }
        let most = u64::from(self.p.invalidations);
        let outstanding = self.acknowledged.iter().map(|done| inv - done).max().unwrap_or(0);
        corners.count(corners::INV_LIMIT, outstanding == most);
        rules::NOT_TOO_MANY
            .require(outstanding <= most, || format!("{outstanding} are outstanding"))
    }

    fn goes_down(&mut self, request: &Request, corners: &mut Corners) -> Result<(), Violation> {
        match request.op {
            Op::Store => self.written(request),
            Op::Read | Op::Atomic => {
                let oldest = self.forwards.pop_front();
                let as_due = oldest.is_some_and(|(_, due)| due == *request);
                rules::FORWARDED_IN_ORDER.require(as_due, || format!("{request} goes down"))?;
                let number = oldest.map_or(0, |(number, _)| number);
                if request.op == Op::Atomic {
                    self.atomics.push_back(number);
                }
                rules::FORWARDED_IN_ORDER.require(!self.is_above(request.block, number), || {
                    format!("{request} overtakes a store to its block")
                })
            }
            Op::Release => {
                let oldest = self.releases.pop_front();
                let as_due = oldest.is_some_and(|(_, due)| due == *request);
                rules::RELEASED_ONCE.require(as_due, || format!("{request} goes down"))?;
                self.ends(oldest.map_or(0, |(number, _)| number), corners)
            }
        }
    }

    /// What is written is what was stored.
    fn written(&mut self, request: &Request) -> Result<(), Violation> {
        let block = request.block;
        let stores = self.stores.entry(block).or_default();
        let inv = stores.front().and_then(|store| store.inv);
        rules::INVALIDATES_FIRST
            .require(inv.is_some(), || format!("0x{block:x} goes down without an invalidation"))?;
        let count = stores.iter().take_while(|store| store.inv == inv).count();
        let (mut bytes, mut data) = (0, [0; DATA]);
        for Store { number, request, .. } in stores.drain(..count) {
            bytes |= request.bytes;
            data = merged(&data, &request.data, request.bytes);
            self.above.remove(&number);
        }
        rules::LAST_VALUES.require(bytes == request.bytes, || {
            format!("0x{block:x}: bytes 0x{:x} are written, 0x{bytes:x} were stored", request.bytes)
        })?;
        let differs = |number: &u32| byte(&data, *number) != byte(&request.data, *number);
        let differs = match data == request.data {
            true => None,
            false => (0..self.p.block_bytes).find(differs),
        };
        rules::LAST_VALUES.require(differs.is_none(), || {
            let number = differs.unwrap_or(0);
            let (due, found) = (byte(&data, number), byte(&request.data, number));
            format!("0x{block:x}: byte {number} is 0x{found:x}, 0x{due:x} was stored last")
        })?;
        if stores.is_empty() {
            self.stores.remove(block);
        }
        Ok(())
    }

    /// A release ends here, or goes down.
    fn ends(&mut self, number: u64, corners: &mut Corners) -> Result<(), Violation> {
        rules::WRITES_BEFORE_RELEASE.require(!self.is_any_above(number), || {
            let above = self.stores.iter().find(|(_, stores)| stores[0].number < number);
            format!("a store to 0x{:x} has not gone down", above.map_or(0, |(block, _)| block))
        })?;
        let atomic = self.atomics.front().is_some_and(|&atomic| atomic < number);
        rules::ATOMIC_BEFORE_RELEASE
            .require(!atomic, || "an atomic has not completed".to_string())?;
        self.are_invalidated(number)?;
        corners.count(corners::RELEASE_NOTHING_DIRTY, self.stores.is_empty());
        self.entries.leave_until(number);
        Ok(())
    }

    fn hit(&mut self, payload: &[u64]) -> Result<(), Violation> {
        // A read that came before the last store is on its way down.
        let reads = self.forwards.iter().position(|(number, read)| {
            let stores = || self.dirty(read.block).filter(|store| store.number < *number);
            let data = stores().fold([0; DATA], |data, store| {
                merged(&data, &store.request.data, store.request.bytes)
            });
            let bytes = stores().fold(0, |bytes, store| bytes | store.request.bytes);
            *number > self.last_merged
                && read.op == Op::Read
                && read.bytes & !bytes == 0
                && encode_hit(&self.p, read, &data) == payload
        });
        let broken = || rules::READS_WHAT_WAS_STORED.broken("a read hits".to_string());
        self.forwards.remove(reads.ok_or_else(broken)?);
        Ok(())
    }

    fn request(&mut self, request: &Request, corners: &mut Corners) {
        let waits = self.p.level == 1 && self.waiting.contains(&request.wavefront);
        let empty = request.op == Op::Store && request.bytes == 0;
        if waits || empty {
            let error = if waits { Error::EarlyFlag } else { Error::NoBytes };
            self.error_due = Some(error as u64);
            return;
        }
        self.number += 1;
        let (number, block) = (self.number, request.block);
        let releases = !self.releases.is_empty();
        let is_release = request.op == Op::Release;
        let back_to_back = is_release && self.last_op == Some(Op::Release);
        corners.count(corners::RELEASES_BACK_TO_BACK, back_to_back);
        corners.count(corners::STORE_BEHIND_RELEASE, request.op == Op::Store && releases);
        self.last_op = Some(request.op);
        if request.op != Op::Read {
            let of = (!is_release).then_some(block);
            let again = self.entries.has(of) && !is_release && self.dirty_bytes(block) == 0;
            corners.count(corners::EVICTED_BEFORE_DRAINED, again);
            self.entries.push(number, of);
        }
        match request.op {
            Op::Store => {
                let store = Store { number, request: *request, merged: false, inv: None };
                self.stores.entry(block).or_default().push_back(store);
                self.above.insert(number);
            }
            Op::Atomic | Op::Read => {
                self.count_forward(request, corners);
                self.forwards.push_back((number, request.kept()));
            }
            Op::Release => {
                corners.count(corners::FLAG_PUSHED, !request.needs_ack);
                if request.needs_ack {
                    self.waiting.push(request.wavefront);
                }
                self.releases.push_back((number, request.kept()));
            }
        }
    }

    fn count_forward(&self, request: &Request, corners: &mut Corners) {
        let dirty = self.dirty_bytes(request.block);
        let partial = dirty != 0 && request.bytes & !dirty != 0;
        if request.op == Op::Atomic {
            corners.count(corners::ATOMIC_TO_DIRTY, dirty != 0);
            corners.count(corners::ATOMIC_TO_CLEAN, dirty == 0);
        } else {
            corners.count(corners::READ_PARTIAL, partial);
            corners.count(corners::READ_MISS, dirty == 0);
        }
        let in_set = self.stores.in_set_of(request.block).map(|(block, _)| block);
        for block in in_set.filter(|block| self.dirty(*block).next().is_some()) {
            exercise::compare(&self.p, exercise::READS, request.block, block, corners);
        }
    }

    /// What the oldest release waits for.
    fn count_waits(&self, corners: &mut Corners) {
        let Some((number, _)) = self.releases.front() else { return };
        let above = self.is_any_above(*number);
        let atomic = self.atomics.front().is_some_and(|atomic| atomic < number);
        let inv = self.acknowledged.iter().any(|done| *done < self.invs);
        corners.count(corners::RELEASE_WAITS_FOR_INV, !above && !atomic && inv);
        corners.count(corners::ATOMIC_DONE_LATE, !above && atomic);
    }

    fn acks(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        let ack = channels.at(ACK);
        let ended = ack.valid.then(|| Released::decode(ack.payload).wavefront);
        if self.p.last_level {
            if let Some(wavefront) = ended {
                while self.releases.front().is_some_and(|(_, r)| !r.needs_ack) {
                    self.releases.pop_front();
                }
                let oldest = self.releases.pop_front();
                let as_due = oldest.is_some_and(|(_, release)| release.wavefront == wavefront);
                rules::RELEASED_ONCE
                    .require(as_due, || format!("wavefront {wavefront} is acknowledged"))?;
                let number = oldest.map_or(0, |(number, _)| number);
                self.are_invalidated(number)?;
                // What was written through may still be on its way.
                let mut stores = self.stores.iter().flat_map(|(_, stores)| stores);
                let kept = stores.any(|store| store.number < number && store.inv.is_none());
                rules::WRITES_BEFORE_RELEASE
                    .require(!kept, || "a store is still dirty".to_string())?;
                corners.count(corners::RELEASE_NOTHING_DIRTY, self.stores.is_empty());
                self.entries.leave_until(number);
            }
        } else {
            let as_due = ended == self.ack_due.take();
            rules::ANSWERED_AT_ONCE.require(as_due, || format!("acknowledged: {ended:?}"))?;
        }
        Ok(())
    }

    /// No read cache has what was older than the stores before a release.
    fn are_invalidated(&self, number: u64) -> Result<(), Violation> {
        let stale = self.unacknowledged.iter().find(|(store, _)| *store < number);
        rules::RELEASE_INVALIDATES.require(stale.is_none(), || {
            format!("invalidation {} is not acknowledged", stale.map_or(0, |(_, inv)| *inv))
        })
    }
}

impl Contract for WriteCacheContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.stalls.clock(channels, corners);
        let (due, error) = (self.error_due.take(), channels.at(ERROR));
        let raised = error.valid.then(|| error.payload[0]);
        rules::ERROR_AS_DUE
            .require(due == raised, || format!("due: {due:?}, raised: {raised:?}"))?;
        let shown = |channel| channels.taken(channel).map(|payload| Block::decode(payload).block);
        let (marked, inv) = (shown(MARK_WRITTEN), shown(INV));
        if let Some(block) = inv {
            self.invalidate(block, marked, corners)?;
        }
        if let Some(payload) = channels.taken(HIT) {
            self.hit(payload)?;
        }
        if let Some(block) = marked {
            // One that begins anew as it drains keeps its place.
            if self.dirty(block).next().is_none() && inv != marked {
                self.youngest[self.p.set_of(block) as usize] = Some(block);
            }
            self.merge(block)?;
        }
        self.acks(channels, corners)?;
        if let Some(payload) = channels.taken(DOWN) {
            let request = Request::decode(payload);
            self.goes_down(&request, corners)?;
        }
        self.count_waits(corners);
        if let Some(payload) = channels.taken(REQ) {
            self.request(&Request::decode(payload), corners);
        }
        if let Some(payload) = channels.taken(INV_ACK) {
            let caches = InvAck::decode(payload).caches;
            for (cache, done) in self.acknowledged.iter_mut().enumerate() {
                *done = self.invs.min(*done + (caches >> cache & 1));
            }
            let least = self.acknowledged.iter().min().copied().unwrap_or(0);
            self.unacknowledged.retain(|(_, inv)| *inv > least);
        }
        if channels.taken(DONE).is_some() {
            self.atomics.pop_front();
        }
        self.ack_due = channels.taken(RELEASED).map(|payload| Released::decode(payload).wavefront);
        if let Some(payload) = channels.taken(ACK) {
            let ended = Released::decode(payload).wavefront;
            self.waiting.retain(|wavefront| *wavefront != ended);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        let rest =
            self.releases.iter().find(|(_, release)| !self.p.last_level || release.needs_ack);
        rules::RELEASED_ONCE
            .require(rest.is_none(), || format!("{} releases are left", self.releases.len()))?;
        rules::FORWARDED_IN_ORDER
            .require(self.forwards.is_empty(), || "a read or atomic is left".to_string())
    }
}
