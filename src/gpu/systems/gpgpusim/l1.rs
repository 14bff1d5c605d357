//! The load/store unit of a core and its L1: write-through, no allocation by stores, which evict. Its latency is a
//! queue in front of its tags, which misses and stores pass too.

use std::collections::{HashMap, VecDeque};

use super::addresses::l1_set;
use super::request::{Kind, Request};
use super::tags::{Found, Tags};
use crate::config::{Config, SimulatorL1};
use crate::memory::Hits;

/// Sectors of a line in the L1: it knows whole lines only.
const WHOLE: u8 = 1;

/// A line that was requested.
#[derive(Debug)]
struct Miss {
    /// Reserved for it.
    place: Option<usize>,
    waiting: Vec<u32>,
}

/// What becomes of the request at the end of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looked {
    /// It waits, and all behind it.
    Waits,
    /// The access has its line.
    Hit(u32),
    /// It joins a miss.
    Joins,
    /// It goes to the L2.
    Leaves(Request),
}

/// An L1.
#[derive(Debug)]
pub(super) struct L1 {
    config: SimulatorL1,
    most_misses: u32,
    sets: u32,
    tags: Tags,
    misses: HashMap<u32, Miss>,
    /// Requests on their way to the tags, with the clock in which they are there.
    queue: VecDeque<(u64, Request)>,
    /// Requests that leave, by number.
    pub(super) miss_queue: VecDeque<u32>,
    pub(super) hits: Hits,
}

impl L1 {
    pub(super) fn new(config: &Config, l1: &SimulatorL1) -> Self {
        let sets = config.l1.bytes / config.l1.ways / crate::config::LINE as u32;
        Self {
            config: l1.clone(),
            most_misses: config.l1.misses,
            sets,
            tags: Tags::new(sets, config.l1.ways),
            misses: HashMap::new(),
            queue: VecDeque::new(),
            miss_queue: VecDeque::new(),
            hits: Hits::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.tags.clear();
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.miss_queue.is_empty()
    }

    /// Whether the queue takes a request.
    pub(super) fn accepts(&self) -> bool {
        (self.queue.len() as u32) < self.config.queue
    }

    pub(super) fn push(&mut self, now: u64, request: Request) {
        self.queue.push_back((now + u64::from(self.config.latency), request));
    }

    /// Looks up the request at the end of the queue, if it has come there.
    pub(super) fn clock(&mut self, now: u64) -> Option<Looked> {
        let (ready, request) = *self.queue.front()?;
        if ready > now {
            return None;
        }
        let looked = match request.kind {
            Kind::Read => self.load(request),
            _ => self.store(request),
        };
        if looked != Looked::Waits {
            self.queue.pop_front();
        }
        Some(looked)
    }

    fn room(&self, requests: u32) -> bool {
        self.miss_queue.len() as u32 + requests <= self.config.miss_queue
    }

    fn load(&mut self, request: Request) -> Looked {
        let line = request.line();
        let found = self.tags.find(l1_set(line, self.sets), line, WHOLE, false);
        if let Found::Hit(at) = found {
            self.tags.touch(at);
            self.hits.hits += 1;
            return Looked::Hit(request.token);
        }
        // As if a line had to be written back, too.
        if found == Found::Full || !self.room(2) {
            return Looked::Waits;
        }
        if let Some(miss) = self.misses.get_mut(&line) {
            if miss.waiting.len() as u32 >= self.config.merges {
                return Looked::Waits;
            }
            miss.waiting.push(request.token);
            self.hits.misses += 1;
            return Looked::Joins;
        }
        if self.misses.len() as u32 >= self.most_misses {
            return Looked::Waits;
        }
        let place = match found {
            Found::Miss(at) if self.config.reserve_at_miss => {
                self.tags.replace(at, line);
                self.tags.reserve(at, WHOLE);
                Some(at)
            }
            _ => None,
        };
        self.misses.insert(line, Miss { place, waiting: vec![request.token] });
        self.hits.misses += 1;
        let bytes = crate::config::LINE as u32;
        let address = u64::from(line) * u64::from(bytes);
        Looked::Leaves(Request { address, bytes, ..request })
    }

    fn store(&mut self, request: Request) -> Looked {
        if !self.room(1) {
            return Looked::Waits;
        }
        let line = request.line();
        if let Found::Hit(at) = self.tags.find(l1_set(line, self.sets), line, WHOLE, true) {
            self.tags.invalidate(at, WHOLE);
        }
        Looked::Leaves(request)
    }

    /// A line has come; the accesses that waited for it.
    pub(super) fn fill(&mut self, line: u32) -> Vec<u32> {
        let Some(miss) = self.misses.remove(&line) else { return Vec::new() };
        let place = miss.place.or_else(|| {
            match self.tags.find(l1_set(line, self.sets), line, WHOLE, false) {
                Found::Miss(at) => {
                    self.tags.replace(at, line);
                    Some(at)
                }
                _ => None,
            }
        });
        if let Some(place) = place {
            self.tags.fill(place, WHOLE, false);
        }
        miss.waiting
    }
}
