//! A slice of the L2: queues, tags of sectors, misses. Sectors are asked for one by one, each is answered by itself.

use std::collections::{HashMap, VecDeque};

use super::addresses::Map;
use super::request::{Kind, Request};
use super::tags::{Evicted, Found, Tags};
use crate::config::{LINE, SlicesConfig};
use crate::memory::{DramRequest, Hits};

/// A sector of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) request: u32,
    pub(super) address: u64,
    pub(super) kind: Kind,
    /// Bytes of the line that are stored.
    pub(super) stored: u128,
}

/// A sector that DRAM has been asked for.
#[derive(Debug)]
struct Miss {
    place: usize,
    waiting: Vec<Piece>,
}

/// A slice.
#[derive(Debug)]
pub(super) struct Slice {
    config: SlicesConfig,
    map: Map,
    /// Its number in its channel.
    number: u32,
    /// Pieces that have come, with the clock in which they can be served.
    delayed: VecDeque<(u64, Piece)>,
    requests: VecDeque<Piece>,
    tags: Tags,
    misses: HashMap<u64, Miss>,
    ready: VecDeque<Piece>,
    miss_queue: VecDeque<DramRequest>,
    pub(super) to_dram: VecDeque<DramRequest>,
    pub(super) from_dram: VecDeque<DramRequest>,
    pub(super) answers: VecDeque<Piece>,
    /// Clocks for which the data port is busy.
    port: u32,
    pub(super) hits: Hits,
}

impl Slice {
    pub(super) fn new(config: &SlicesConfig, map: Map, ways: u32, number: u32) -> Self {
        Self {
            config: config.clone(),
            map,
            number,
            delayed: VecDeque::new(),
            requests: VecDeque::new(),
            tags: Tags::new(map.sets, ways),
            misses: HashMap::new(),
            ready: VecDeque::new(),
            miss_queue: VecDeque::new(),
            to_dram: VecDeque::new(),
            from_dram: VecDeque::new(),
            answers: VecDeque::new(),
            port: 0,
            hits: Hits::default(),
        }
    }

    /// Whether there is room for the sectors of a line.
    pub(super) fn accepts(&self) -> bool {
        let sectors = LINE as u32 / self.config.sector_bytes;
        (self.requests.len() as u32) + sectors <= self.config.queue
    }

    /// Whether DRAM may answer.
    pub(super) fn takes_from_dram(&self) -> bool {
        (self.from_dram.len() as u32) < self.config.queue
    }

    /// Sectors of a request.
    pub(super) fn pieces(config: &SlicesConfig, request: &Request) -> u32 {
        request.bytes.div_ceil(config.sector_bytes)
    }

    /// Takes a request; gives in how many pieces.
    pub(super) fn push(&mut self, now: u64, number: u32, request: &Request) {
        let ready = now + u64::from(self.config.latency);
        for sector in 0..Self::pieces(&self.config, request) {
            let address = request.address + u64::from(sector * self.config.sector_bytes);
            let (kind, stored) = (request.kind, request.stored);
            self.delayed.push_back((ready, Piece { request: number, address, kind, stored }));
        }
    }

    /// One clock.
    pub(super) fn clock(&mut self, now: u64) {
        let has_room = |queue: usize| (queue as u32) < self.config.queue;
        if has_room(self.answers.len())
            && let Some(piece) = self.ready.pop_front()
        {
            self.answers.push_back(piece);
        }
        if let Some(transfer) = self.from_dram.pop_front() {
            self.fill(transfer);
        }
        let has_room = |queue: usize| (queue as u32) < self.config.queue;
        if has_room(self.to_dram.len())
            && let Some(transfer) = self.miss_queue.pop_front()
        {
            self.to_dram.push_back(transfer);
        }
        self.port = self.port.saturating_sub(1);
        if has_room(self.to_dram.len())
            && has_room(self.answers.len())
            && self.port == 0
            && let Some(piece) = self.requests.front().copied()
            && self.serve(piece)
        {
            self.requests.pop_front();
        }
        if (self.requests.len() as u32) < self.config.queue
            && let Some((ready, piece)) = self.delayed.front()
            && *ready <= now
        {
            self.requests.push_back(*piece);
            self.delayed.pop_front();
        }
    }

    /// Line, bit of the sector, and bytes of the sector.
    fn sector(&self, address: u64) -> (u32, u8, u128) {
        let line = (address / LINE as u64) as u32;
        let bytes = self.config.sector_bytes;
        let number = address as u32 % LINE as u32 / bytes;
        (line, 1 << number, (u128::MAX >> (LINE as u32 - bytes)) << (number * bytes))
    }

    /// Serves a piece; false if it must wait.
    fn serve(&mut self, piece: Piece) -> bool {
        let (line, sector, all) = self.sector(piece.address);
        let set = self.map.set(piece.address);
        let is_write = piece.kind == Kind::Write;
        match (self.tags.find(set, line, sector, is_write), is_write) {
            (Found::Full, _) => return false,
            (Found::Hit(at), false) => {
                self.tags.touch(at);
                if piece.kind == Kind::Atomic {
                    self.tags.store(at, sector, piece.stored & all, all);
                }
                self.hits.hits += 1;
                self.port += 1;
                self.answers.push_back(piece);
            }
            (Found::Hit(at), true) => {
                self.tags.store(at, sector, piece.stored & all, all);
                self.port += 1;
                self.answers.push_back(piece);
            }
            (found, true) => {
                if self.miss_queue.len() as u32 >= self.config.miss_queue {
                    return false;
                }
                let at = self.make_room(found, line);
                self.tags.store(at, sector, piece.stored & all, all);
                self.answers.push_back(piece);
            }
            (found, false) => return self.miss(found, piece),
        }
        true
    }

    fn miss(&mut self, found: Found, piece: Piece) -> bool {
        // Room for the request and a line that is written back.
        if self.miss_queue.len() as u32 + 1 >= self.config.miss_queue {
            return false;
        }
        let (line, sector, _) = self.sector(piece.address);
        let key = piece.address / u64::from(self.config.sector_bytes);
        if let Some(miss) = self.misses.get_mut(&key) {
            if miss.waiting.len() as u32 >= self.config.merges {
                return false;
            }
            miss.waiting.push(piece);
            self.hits.misses += 1;
            return true;
        }
        if self.misses.len() as u32 >= self.config.misses {
            return false;
        }
        self.hits.misses += 1;
        let bytes = self.config.sector_bytes;
        let address = key * u64::from(bytes);
        let place = self.map.row(address);
        self.miss_queue.push_back(DramRequest {
            tag: self.number,
            address,
            place,
            bytes,
            is_write: false,
        });
        let place = self.make_room(found, line);
        self.tags.reserve(place, sector);
        self.misses.insert(key, Miss { place, waiting: vec![piece] });
        true
    }

    /// The place of a line, which evicts another if it is not there.
    fn make_room(&mut self, found: Found, line: u32) -> usize {
        match found {
            Found::Hit(at) | Found::Reserved(at) | Found::Sector(at) => at,
            Found::Miss(at) => {
                if let Some(evicted) = self.tags.replace(at, line) {
                    self.write_back(evicted);
                }
                at
            }
            Found::Full => 0,
        }
    }

    fn write_back(&mut self, evicted: Evicted) {
        let address = u64::from(evicted.line) * LINE as u64;
        let bytes = evicted.dirty.count_ones() * self.config.sector_bytes;
        let place = self.map.row(address);
        let tag = self.number;
        self.miss_queue.push_back(DramRequest { tag, address, place, bytes, is_write: true });
        self.port += bytes.div_ceil(32);
    }

    /// A sector has come from DRAM.
    fn fill(&mut self, transfer: DramRequest) {
        let key = transfer.address / u64::from(self.config.sector_bytes);
        let Some(miss) = self.misses.remove(&key) else { return };
        let (_, sector, _) = self.sector(transfer.address);
        let is_dirty = miss.waiting.iter().any(|piece| piece.kind == Kind::Atomic);
        self.tags.fill(miss.place, sector, is_dirty);
        self.ready.extend(miss.waiting);
    }

    /// Forgets lines.
    pub(super) fn forget(&mut self, line: u32, sectors: u8) {
        let set = self.map.set(u64::from(line) * LINE as u64);
        for sector in (0..8).map(|bit| 1 << bit).filter(|bit| sectors & bit != 0) {
            if let Found::Hit(at) = self.tags.find(set, line, sector, true) {
                self.tags.invalidate(at, sector);
            }
        }
    }
}
