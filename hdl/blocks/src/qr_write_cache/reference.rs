//! The write cache as a sequential program (3.1).
//!
//! When a block is written through depends on what is stalled; `inv` shows when it is. So the model says what goes
//! down then, not when it must: that is the contract's. By itself it drains as the FIFO says.

use std::collections::VecDeque;

use super::by_set::BySet;
use super::channels::{
    ACK, Block, DATA, DOWN, ERROR, Error, HIT, INV, MARK_WRITTEN, Op, RELEASED, REQ, Released,
    Request, encode_hit, merged,
};
use super::params::Params;
use super::{corners, exercise};
use crate::kit::*;

/// Bytes of a block that are dirty, and the block.
type Dirty = (u64, [u64; DATA]);

/// The reference model.
#[derive(Clone, Debug)]
pub struct WriteCache {
    params: Params,
    dirty: BySet<Dirty>,
    /// Stores that are not merged.
    stores: VecDeque<(u64, Request)>,
    /// Reads and atomics that have neither hit nor gone down.
    forwards: VecDeque<(u64, Request)>,
    /// Requests accepted, by which they are numbered, and the store that was merged last.
    accepted: u64,
    merged: u64,
    /// Releases that have not gone down, or ended: those in the FIFO.
    releases: VecDeque<Request>,
    /// Blocks that are on their way down.
    written: VecDeque<Request>,
    /// Wavefronts that wait for the end of a release.
    waiting: Vec<u64>,
    /// What the FIFO has, if nothing is ever stalled.
    fifo: VecDeque<Request>,
    /// Releases that have gone down, and that the level below has acknowledged.
    gone: VecDeque<u64>,
    answers: u64,
}

impl WriteCache {
    /// A cache in which nothing is dirty.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            dirty: BySet::new(params),
            stores: VecDeque::new(),
            forwards: VecDeque::new(),
            accepted: 0,
            merged: 0,
            releases: VecDeque::new(),
            written: VecDeque::new(),
            waiting: Vec::new(),
            fifo: VecDeque::new(),
            gone: VecDeque::new(),
            answers: 0,
        }
    }

    fn request(&mut self, request: &Request, outcome: &mut Outcome<'_>) {
        let waits = self.params.level == 1 && self.waiting.contains(&request.wavefront);
        let empty = request.op == Op::Store && request.bytes == 0;
        outcome.corners.count(corners::EARLY_FLAG, waits && request.op == Op::Store);
        outcome.corners.count(corners::EARLY_RELEASE, waits && request.op == Op::Release);
        outcome.corners.count(corners::NO_BYTES, empty && !waits);
        if waits || empty {
            let error = if waits { Error::EarlyFlag } else { Error::NoBytes };
            return outcome.sink.expect(ERROR, &[error as u64]);
        }
        self.accepted += 1;
        match request.op {
            Op::Store => {
                self.stores.push_back((self.accepted, *request));
                outcome.sink.expect(MARK_WRITTEN, &[request.block]);
            }
            Op::Atomic | Op::Read => self.forwards.push_back((self.accepted, request.kept())),
            Op::Release => {
                self.releases.push_back(request.kept());
                self.fifo.push_back(request.kept());
                if request.needs_ack {
                    self.waiting.push(request.wavefront);
                }
            }
        }
    }

    /// The oldest store is merged.
    fn merge(&mut self, outcome: &mut Outcome<'_>) {
        let Some((number, store)) = self.stores.pop_front() else { return };
        self.merged = number;
        for (other, _) in self.dirty.in_set_of(store.block) {
            exercise::compare(&self.params, exercise::STORES, store.block, other, outcome.corners);
        }
        outcome.corners.count(corners::COMBINED, self.dirty.get(store.block).is_some());
        let (bytes, data) = self.dirty.entry(store.block).or_insert((0, [0; DATA]));
        *bytes |= store.bytes;
        *data = merged(data, &store.data, store.bytes);
        self.fifo.push_back(store);
    }

    /// What is dirty of a block is on its way down.
    fn write_through(&mut self, block: u64, outcome: &mut Outcome<'_>) {
        let Some((bytes, data)) = self.dirty.remove(block) else { return };
        // The store that comes next was compared with it, and may take its place.
        if let Some((_, store)) = self.stores.front() {
            exercise::compare(&self.params, exercise::STORES, store.block, block, outcome.corners);
        }
        self.written.push_back(Request::store(block, bytes, data, 0).kept());
        outcome.sink.expect(INV, &[block]);
    }

    /// A read finds all its bytes dirty.
    fn hit(&mut self, payload: &[u64], outcome: &mut Outcome<'_>) {
        let none = (0, [0; DATA]);
        let dirty = |block: u64| self.dirty.get(block).copied().unwrap_or(none);
        // A read that came before the last store is on its way down.
        let is_it = |(number, read): &(u64, Request)| {
            let (bytes, data) = dirty(read.block);
            *number > self.merged
                && read.op == Op::Read
                && read.bytes & !bytes == 0
                && payload == encode_hit(&self.params, read, &data)
        };
        let Some(at) = self.forwards.iter().position(is_it) else { return };
        self.forwards.remove(at);
        outcome.corners.hit(corners::READ_HIT);
        outcome.sink.expect(HIT, payload);
    }

    fn goes_down(&mut self, op: Op, outcome: &mut Outcome<'_>) {
        let request = match op {
            Op::Store => self.written.pop_front(),
            Op::Atomic | Op::Read => self.forwards.pop_front().map(|(_, request)| request),
            Op::Release => self.end_release(),
        };
        let Some(request) = request else { return };
        if request.op == Op::Release && request.needs_ack {
            self.gone.push_back(request.wavefront);
        }
        outcome.sink.expect(DOWN, &request.encode(&self.params));
    }

    /// The oldest release leaves the FIFO, with what is older.
    fn end_release(&mut self) -> Option<Request> {
        let release = self.releases.pop_front()?;
        while self.fifo.pop_front().is_some_and(|entry| entry.op != Op::Release) {}
        Some(release)
    }

    /// Takes entries away whose blocks are clean, and releases that end here without an answer.
    fn clean(&mut self) {
        while self.is_due()
            && let Some(oldest) = self.fifo.front()
        {
            match oldest.op {
                Op::Store if self.dirty.get(oldest.block).is_none() => _ = self.fifo.pop_front(),
                Op::Release if self.params.last_level && !oldest.needs_ack => {
                    self.end_release();
                }
                _ => break,
            }
        }
    }

    fn is_due(&self) -> bool {
        !self.releases.is_empty() || self.fifo.len() >= self.params.fifo_depth as usize
    }

    /// A block that must make room.
    fn crowded(&self) -> Option<u64> {
        let is_crowded =
            |block: &u64| self.dirty.in_set_of(*block).count() > self.params.ways as usize;
        self.dirty.iter().map(|(block, _)| block).find(is_crowded)
    }

    /// What is done about the oldest entry of the FIFO.
    fn drains(&self) -> Option<(usize, Vec<u64>)> {
        let oldest = self.fifo.front().filter(|_| self.is_due())?;
        match oldest.op {
            Op::Store => Some((INV, vec![oldest.block])),
            Op::Release if self.params.last_level => Some((ACK, vec![oldest.wavefront])),
            Op::Release => Some((DOWN, oldest.encode(&self.params))),
            _ => None,
        }
    }

    /// What is done about the oldest read or atomic.
    fn forward(&self) -> Option<(usize, Vec<u64>)> {
        let (_, request) = self.forwards.front()?;
        let down = (DOWN, request.encode(&self.params));
        Some(match self.dirty.get(request.block) {
            None => down,
            Some((bytes, data)) if request.op == Op::Read && request.bytes & !bytes == 0 => {
                (HIT, encode_hit(&self.params, request, data))
            }
            Some(_) => (INV, vec![request.block]),
        })
    }
}

impl Reference for WriteCache {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            REQ => self.request(&Request::decode(payload), outcome),
            RELEASED if !self.params.last_level => {
                self.answers += 1;
                outcome.sink.expect(ACK, payload);
            }
            _ => {}
        }
        self.clean();
    }

    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            MARK_WRITTEN => self.merge(outcome),
            INV => self.write_through(Block::decode(payload).block, outcome),
            HIT => self.hit(payload, outcome),
            DOWN => self.goes_down(Request::decode(payload).op, outcome),
            ACK => {
                let ended = Released::decode(payload).wavefront;
                if let Some(at) = self.waiting.iter().position(|&waits| waits == ended) {
                    self.waiting.remove(at);
                }
                if self.params.last_level {
                    while self.releases.front().is_some_and(|release| !release.needs_ack) {
                        self.end_release();
                    }
                    if self.end_release().is_some() {
                        outcome.sink.expect(ACK, payload);
                    }
                } else {
                    // By itself the model has no level below.
                    match self.answers {
                        0 => outcome.sink.expect(ACK, payload),
                        _ => self.answers -= 1,
                    }
                    self.gone.retain(|wavefront| *wavefront != ended);
                }
            }
            _ => {}
        }
        self.clean();
    }

    fn choose(&self) -> Option<(usize, Vec<u64>)> {
        if let Some(written) = self.written.front() {
            return Some((DOWN, written.encode(&self.params)));
        }
        if let Some(ended) = self.gone.front() {
            return Some((ACK, vec![*ended]));
        }
        let crowded = self.crowded().map(|block| (INV, vec![block]));
        crowded.or_else(|| self.forward()).or_else(|| self.drains())
    }

    fn state(&self) -> Vec<String> {
        let dirty = self.dirty.iter();
        let dirty =
            dirty.map(|(block, (bytes, _))| format!("dirty: 0x{block:x}, bytes 0x{bytes:x}"));
        let show = |what: &'static str, of: &Request| format!("{what}: {of}");
        let stores = self.stores.iter().map(|(_, store)| show("to be merged", store)).collect();
        let others = self.forwards.iter().map(|(_, of)| show("to be forwarded", of)).collect();
        let written = self.written.iter().map(|of| show("on its way", of)).collect();
        let releases = self.releases.iter().map(|of| show("waits", of)).collect();
        let lists: [Vec<_>; 4] = [stores, others, written, releases];
        dirty.chain(lists.into_iter().flatten()).collect()
    }
}
