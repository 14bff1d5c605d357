//! The read cache of a core, and its accesses (3.1.1, 3.1.2).

use super::QuickRelease;
use super::message::{Kind, Message};
use super::planted::IGNORE_WRITTEN;
use crate::config::Config;
use crate::isa::AccessKind;
use crate::memory::{
    Bytes, Cache, Data, Intake, Misses, Operation, Shared, Takes, extract, gather, go_on, write,
};

/// Lanes of an access that wait for a line, and the bytes that they load.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiter {
    access: u32,
    lanes: u32,
    bytes: Bytes,
}

/// The read cache of a core. The tag of a line is its written bit: newer bytes are in the write cache.
#[derive(Debug)]
pub(super) struct L1 {
    pub(super) cache: Cache<bool>,
    pub(super) misses: Misses<Waiter>,
    pub(super) intake: Intake,
}

impl L1 {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l1.bytes, config.l1.ways),
            misses: Misses::default(),
            intake: Intake::default(),
        }
    }
}

impl Takes for QuickRelease {
    fn intake(&mut self, core: u32) -> &mut Intake {
        &mut self.l1[core as usize].intake
    }

    fn line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool {
        let pending = shared.accesses.get(access);
        let (core, kind) = (pending.core, pending.access.kind);
        match kind {
            AccessKind::Load if !self.load_line(shared, access, line, lanes) => return false,
            AccessKind::Load => shared.statistics.lines.loads += 1,
            _ if self.levels[core as usize].write_cache.is_full() => return false,
            AccessKind::Store => self.store_line(shared, access, line, lanes),
            AccessKind::Atomic(_) => self.atomic_line(shared, access, line, lanes),
        }
        true
    }

    fn synchronise(&mut self, shared: &mut Shared, core: u32, operation: Operation) {
        match operation {
            Operation::Release { warp, .. } => {
                shared.statistics.coherence.releases += 1;
                let release = Message::new(Kind::Release { needs_ack: true }, core, warp);
                self.request(shared, core, release);
            }
            Operation::Acquire { warp, .. } => self.acquire(shared, core, warp),
            Operation::Access(_) => {}
        }
    }
}

impl QuickRelease {
    fn load_line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool {
        let ignores = self.planted.errs(IGNORE_WRITTEN);
        let pending = shared.accesses.get(access);
        // Without invalidations, only what passes the L1 sees what others have stored.
        let passes = !self.variant.combines && pending.strength().0 || !self.variant.has_l1;
        let l1 = &mut self.l1[pending.core as usize];
        let bytes = gather(&pending.access, lanes, &mut [0; crate::config::LINE]);
        let waiter = Waiter { access, lanes, bytes };
        if passes {
            l1.cache.drop_line(line);
        } else if let Some(place) = l1.cache.hit(line)
            && (!*l1.cache.tag(place) || ignores)
        {
            extract(&mut pending.access, lanes, l1.cache.data(place));
            shared.statistics.l1.hits += 1;
            return true;
        } else if let Some(miss) = l1.misses.of(line) {
            l1.misses.get(miss).waiting.push(waiter);
            pending.left += 1;
            shared.statistics.l1.misses += 1;
            return true;
        }
        if l1.misses.count() >= shared.config.l1.misses as usize {
            return false;
        }
        pending.left += 1;
        shared.statistics.l1.misses += 1;
        l1.misses.detach(line);
        self.request_line(shared, line, waiter, self.variant.has_l1);
        true
    }

    /// Asks for a line: first the write cache, then the L2.
    fn request_line(&mut self, shared: &mut Shared, line: u32, waiter: Waiter, keep: bool) {
        let pending = shared.accesses.get(waiter.access);
        let (core, warp) = (pending.core, pending.warp);
        let mut load = Message::new(Kind::Load, core, warp);
        (load.line, load.bytes) = (line, waiter.bytes);
        load.token = self.l1[core as usize].misses.begin(line, keep, waiter);
        self.request(shared, core, load);
    }

    fn store_line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.stores += 1;
        let pending = shared.accesses.get(access);
        let (core, warp, is_strong) = (pending.core, pending.warp, pending.strength().0);
        let mut store = Message::new(Kind::Store, core, warp);
        store.line = line;
        store.bytes = gather(&pending.access, lanes, &mut store.data);
        let combines = self.variant.combines;
        let l1 = &mut self.l1[core as usize];
        // A line in flight is older than the store.
        l1.misses.detach(line);
        if let Some(place) = l1.cache.find(line) {
            match combines {
                true => *l1.cache.tag(place) = true,
                false => {
                    write(l1.cache.change(place, store.bytes, false), &store.data, store.bytes)
                }
            }
        }
        self.request(shared, core, store);
        if is_strong {
            // Somebody may wait for it: it is pushed, without an answer (3.1.3).
            let push = Message::new(Kind::Release { needs_ack: false }, core, warp);
            self.request(shared, core, push);
        }
    }

    fn atomic_line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.atomics += 1;
        let pending = shared.accesses.get(access);
        pending.left += 1;
        let (core, warp) = (pending.core, pending.warp);
        let mut atomic = Message::new(Kind::Atomic, core, warp);
        (atomic.line, atomic.lanes, atomic.token) = (line, lanes, access);
        atomic.bytes = gather(&pending.access, lanes, &mut atomic.data);
        let l1 = &mut self.l1[core as usize];
        l1.misses.detach(line);
        l1.cache.drop_line(line);
        self.request(shared, core, atomic);
    }

    /// A load finds its bytes in the write cache. Those that have joined it since may need others.
    pub(super) fn hit_at_l1(&mut self, shared: &mut Shared, core: u32, load: &Message) {
        let (_, waiting) = self.l1[core as usize].misses.take(load.token);
        for waiter in &waiting {
            if waiter.bytes & !load.bytes == 0 {
                let pending = shared.accesses.get(waiter.access);
                extract(&mut pending.access, waiter.lanes, &load.data);
                shared.answered(waiter.access);
            } else {
                self.request_line(shared, load.line, *waiter, false);
            }
        }
        self.l1[core as usize].misses.end(load.token, waiting);
    }

    /// A line has come.
    pub(super) fn line_for_l1(&mut self, shared: &mut Shared, core: u32, miss: u32, data: &Data) {
        let l1 = &mut self.l1[core as usize];
        let line = l1.misses.get(miss).line;
        let (keep, waiting) = l1.misses.take(miss);
        if keep {
            l1.cache.fill(line, data);
            if let Some(place) = l1.cache.find(line) {
                *l1.cache.tag(place) = false;
            }
        }
        for waiter in &waiting {
            let pending = shared.accesses.get(waiter.access);
            extract(&mut pending.access, waiter.lanes, data);
            shared.answered(waiter.access);
        }
        self.l1[core as usize].misses.end(miss, waiting);
        go_on(self, shared, core);
    }
}
