//! What stands between a level and the one below it: nothing, or a write cache with its S-FIFO (3, 3.1).

use std::collections::VecDeque;
use std::fmt::Debug;

use warpsmith_blocks::s_fifo::{Entry, Kind as EntryKind};

use super::message::{Kind, Message};
use super::planted::{DROP_ENTRY, LOSE_MASK, RELEASE_OVERTAKES};
use super::s_fifo::SFifo;
use crate::config::WriteCacheConfig;
use crate::memory::{Cache, PlantedError, Planting, WHOLE, write};

/// What a level does.
#[derive(Debug)]
pub(super) enum Output {
    /// A store, an atomic, a load or a release goes to the level below.
    Down(Message),
    /// A line is written through: the read caches above drop it, and each acknowledges.
    Invalidate(u32),
    /// A load whose bytes are all dirty here: they are in its data.
    Hit(Message),
    /// A release of a warp is over.
    Released { core: u32, warp: u32 },
}

/// A level's way down.
pub(super) trait WriteCache: Debug {
    /// Takes a store, an atomic, a load or a release.
    fn request(&mut self, message: Message);

    /// Whether stores have to wait.
    fn is_full(&self) -> bool {
        false
    }

    /// A read cache has done what its oldest invalidation says.
    fn acknowledged(&mut self, _cache: usize) {}

    /// The oldest atomic that went down is done.
    fn atomic_done(&mut self) {}

    /// The level below has ended a release of a warp.
    fn released(&mut self, core: u32, warp: u32);

    /// Does what can be done now.
    fn advance(&mut self, outputs: &mut Vec<Output>);

    /// One clock of its circuits.
    fn clock(&mut self, _outputs: &mut Vec<Output>) {}

    /// Whether circuits need clocks.
    fn is_busy(&self) -> bool {
        false
    }

    /// Plants an error.
    fn plant(&mut self, _: PlantedError) {}

    /// Transfers that were compared with a reference.
    fn compared(&self) -> u64 {
        0
    }

    /// Where a circuit differs from its reference.
    fn mismatch(&self) -> Option<&str> {
        None
    }
}

/// No write cache: everything goes down as it comes.
#[derive(Debug)]
pub(super) struct Through {
    pub(super) is_last: bool,
    pub(super) waiting: Vec<Output>,
}

impl WriteCache for Through {
    fn request(&mut self, message: Message) {
        let Message { core, warp, .. } = message;
        match message.kind {
            // There is nothing to push.
            Kind::Release { needs_ack: false } => return,
            Kind::Release { .. } if self.is_last => {
                return self.waiting.push(Output::Released { core, warp });
            }
            _ => {}
        }
        self.waiting.push(Output::Down(message));
    }

    fn released(&mut self, core: u32, warp: u32) {
        self.waiting.push(Output::Released { core, warp });
    }

    fn advance(&mut self, outputs: &mut Vec<Output>) {
        outputs.append(&mut self.waiting);
    }
}

/// A write cache: stores combine in it, in lines of which it has the bytes that are dirty.
#[derive(Debug)]
pub(super) struct Combining {
    /// The tag of a line is the warp that stored to it last.
    cache: Cache<(u32, u32)>,
    fifo: Box<dyn SFifo>,
    is_last: bool,
    /// Requests that it has no room for, in order.
    waiting: VecDeque<Message>,
    /// Releases in the S-FIFO, in order.
    releases: VecDeque<Message>,
    /// The entry that has left the S-FIFO last, until it is done.
    head: Option<Entry>,
    /// Invalidations sent, those before the head, and those that each read cache has acknowledged.
    sent: u64,
    before_head: u64,
    acknowledged: Vec<u64>,
    /// Atomics that are done, and markers of atomics that have left the S-FIFO.
    atomics_done: u64,
    atomics_left: u64,
    ended: Vec<Output>,
    planted: Planting,
}

impl Combining {
    pub(super) fn new(
        config: &WriteCacheConfig,
        fifo: Box<dyn SFifo>,
        read_caches: u32,
        is_last: bool,
    ) -> Self {
        Self {
            cache: Cache::new(config.bytes, config.ways),
            fifo,
            is_last,
            waiting: VecDeque::new(),
            releases: VecDeque::new(),
            head: None,
            sent: 0,
            before_head: 0,
            acknowledged: vec![0; read_caches as usize],
            atomics_done: 0,
            atomics_left: 0,
            ended: Vec::new(),
            planted: Planting::default(),
        }
    }

    /// A line goes down, if it is dirty, behind the invalidation of its copies (3.1.1).
    fn write_through(&mut self, line: u32, outputs: &mut Vec<Output>) {
        let Some(place) = self.cache.find(line) else { return };
        let (core, warp) = *self.cache.tag(place);
        let mut store = Message::new(Kind::Store, core, warp);
        (store.line, store.bytes) = (line, self.cache.valid(place));
        store.data = *self.cache.data(place);
        self.cache.drop_line(line);
        self.goes_through(store, outputs);
    }

    fn goes_through(&mut self, store: Message, outputs: &mut Vec<Output>) {
        self.sent += 1;
        outputs.push(Output::Invalidate(store.line));
        outputs.push(Output::Down(store));
    }

    /// Performs a request.
    fn perform(&mut self, mut message: Message, outputs: &mut Vec<Output>) {
        let Message { line, core, warp, .. } = message;
        match message.kind {
            Kind::Store => self.merge(message, outputs),
            Kind::Load => {
                let dirty = self.cache.find(line).map_or(0, |place| self.cache.valid(place));
                if message.bytes & !dirty == 0
                    && let Some(place) = self.cache.find(line)
                {
                    write(&mut message.data, self.cache.data(place), message.bytes);
                    outputs.push(Output::Hit(message));
                    return;
                }
                self.write_through(line, outputs);
                outputs.push(Output::Down(message));
            }
            Kind::Atomic => {
                self.write_through(line, outputs);
                self.fifo.enqueue(Entry::atomic(line.into()));
                outputs.push(Output::Down(message));
            }
            Kind::Release { needs_ack } => {
                if self.planted.errs(RELEASE_OVERTAKES) {
                    return self.goes_down(message, outputs);
                }
                self.fifo.enqueue(Entry::release(u64::from(core << 6 | warp), needs_ack));
                self.releases.push_back(message);
            }
            _ => {}
        }
    }

    fn merge(&mut self, store: Message, outputs: &mut Vec<Output>) {
        let Message { line, core, warp, .. } = store;
        let (place, is_new) = match self.cache.find(line) {
            Some(place) => (place, false),
            None => {
                let (place, victim) = self.cache.allocate(line);
                if let Some(victim) = victim {
                    let mut evicted = Message::new(Kind::Store, core, warp);
                    (evicted.line, evicted.bytes) = (victim.line, victim.dirty);
                    evicted.data = victim.data;
                    self.goes_through(evicted, outputs);
                }
                (place, true)
            }
        };
        let dirty = if !is_new && self.planted.errs(LOSE_MASK) { WHOLE } else { store.bytes };
        write(self.cache.change(place, dirty, true), &store.data, store.bytes);
        *self.cache.tag(place) = (core, warp);
        if !self.planted.errs(DROP_ENTRY) {
            self.fifo.enqueue(Entry::write(line.into()));
        }
    }

    fn goes_down(&mut self, release: Message, outputs: &mut Vec<Output>) {
        let Message { core, warp, .. } = release;
        match (self.is_last, release.kind) {
            (false, _) => outputs.push(Output::Down(release)),
            (true, Kind::Release { needs_ack: true }) => {
                outputs.push(Output::Released { core, warp });
            }
            _ => {}
        }
    }

    /// What has left the S-FIFO is done, as far as it can be.
    fn drain(&mut self, outputs: &mut Vec<Output>) {
        loop {
            if self.head.is_none() {
                self.head = self.fifo.next();
                self.before_head = self.sent;
            }
            let Some(Entry { kind: Some(kind), block, .. }) = self.head else { return };
            match kind {
                EntryKind::Write => self.write_through(block as u32, outputs),
                EntryKind::Atomic => {
                    if self.atomics_done <= self.atomics_left {
                        return;
                    }
                    self.atomics_left += 1;
                }
                EntryKind::Release => {
                    let slowest = self.acknowledged.iter().copied().min().unwrap_or(u64::MAX);
                    if slowest < self.before_head {
                        return;
                    }
                    if let Some(release) = self.releases.pop_front() {
                        self.goes_down(release, outputs);
                    }
                }
            }
            self.head = None;
        }
    }
}

impl WriteCache for Combining {
    fn request(&mut self, message: Message) {
        self.waiting.push_back(message);
    }

    fn is_full(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn acknowledged(&mut self, cache: usize) {
        self.acknowledged[cache] += 1;
    }

    fn atomic_done(&mut self) {
        self.atomics_done += 1;
    }

    fn released(&mut self, core: u32, warp: u32) {
        self.ended.push(Output::Released { core, warp });
    }

    fn advance(&mut self, outputs: &mut Vec<Output>) {
        outputs.append(&mut self.ended);
        self.drain(outputs);
        while self.fifo.has_room()
            && let Some(message) = self.waiting.pop_front()
        {
            self.perform(message, outputs);
            self.drain(outputs);
        }
    }

    fn clock(&mut self, outputs: &mut Vec<Output>) {
        self.fifo.clock(self.head.is_none());
        self.advance(outputs);
    }

    fn is_busy(&self) -> bool {
        self.fifo.is_busy(self.head.is_none())
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
    }

    fn compared(&self) -> u64 {
        self.fifo.compared()
    }

    fn mismatch(&self) -> Option<&str> {
        self.fifo.mismatch()
    }
}
