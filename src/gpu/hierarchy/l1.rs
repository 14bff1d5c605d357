//! The L1 cache of a core, and the unit that brings accesses to it: write-through, nothing is
//! allocated by stores, and software keeps it coherent (HMG IV-A).

use std::collections::VecDeque;

use super::access::{extract, gather, next_line};
use super::message::{Kind, Message, Port, Reach};
use super::{Done, Hierarchy, PlantedError};
use crate::gpu::cache::{Cache, Data, Misses, write};
use crate::gpu::coherence::Cause;
use crate::gpu::config::{Config, LINE};
use crate::gpu::isa::{AccessKind, Scope};

/// What a core gives to its L1, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gpu) enum Operation {
    /// An access.
    Access(u32),
    /// A warp waits until all before is done, as seen by a scope.
    Release { warp: u32, scope: Scope },
    /// A warp wants to see what is new in a scope.
    Acquire { warp: u32, scope: Scope },
}

/// Lanes of an access that wait for a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiter {
    access: u32,
    lanes: u32,
}

/// The L1 of a core.
#[derive(Debug)]
pub(super) struct L1 {
    pub(super) cache: Cache,
    misses: Misses<Waiter>,
    queue: VecDeque<Operation>,
    /// When it takes the next line.
    free: u64,
}

impl L1 {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l1.bytes, config.l1.ways),
            misses: Misses::new(),
            queue: VecDeque::new(),
            free: 0,
        }
    }
}

impl Hierarchy {
    /// When the L1 of a core takes the next operation; none while it waits for lines.
    pub(in crate::gpu) fn l1_free(&self, core: u32) -> Option<u64> {
        let l1 = &self.l1[core as usize];
        l1.queue.is_empty().then(|| l1.free.max(self.links.core_ready(core)))
    }

    /// Takes an operation of a core. Gives the clock of its result where that is known: all lines
    /// were there.
    pub(in crate::gpu) fn submit(&mut self, core: u32, operation: Operation) -> Option<u64> {
        if let Operation::Access(access) = operation {
            let pending = self.pool.get(access);
            (pending.left, pending.unsent) = (0, pending.access.mask);
            let gpm = self.homes.topology.gpm_of_core(core);
            let access = &self.pool.get(access).access;
            for lane in access.lanes() {
                self.homes.touch(gpm, (access.addresses[lane] / LINE as u64) as u32);
            }
        }
        self.l1[core as usize].queue.push_back(operation);
        if self.l1[core as usize].queue.len() > 1 {
            return None;
        }
        self.drain(core, Some(operation));
        let Operation::Access(access) = operation else { return None };
        let pending = self.pool.get(access);
        let is_over = pending.unsent == 0 && pending.left == 0;
        is_over.then(|| self.l1[core as usize].free + u64::from(self.config.l1.latency))
    }

    /// Does what can be done of a core's operations. Who submitted one is told of its end at once,
    /// if it comes at once; others by an event.
    fn drain(&mut self, core: u32, submitted: Option<Operation>) {
        let now = self.events.now();
        while let Some(operation) = self.l1[core as usize].queue.front().copied() {
            match operation {
                Operation::Access(access) => {
                    while self.pool.get(access).unsent != 0 {
                        if !self.line_of_access(core, access) {
                            return;
                        }
                        let l1 = &mut self.l1[core as usize];
                        l1.free = l1.free.max(now) + 1;
                    }
                    let pending = self.pool.get(access);
                    let is_load = pending.access.kind == AccessKind::Load;
                    if is_load && pending.left == 0 && submitted != Some(operation) {
                        self.done.push(Done::Access(access));
                    }
                }
                Operation::Release { warp, scope } => {
                    self.statistics.coherence.releases += 1;
                    let reach = match self.planted {
                        Some(PlantedError::FlushHereOnly) => Reach::Here,
                        _ => Reach::Release(scope),
                    };
                    self.ask(core, warp, scope, Kind::Flush(reach));
                }
                Operation::Acquire { warp, scope } => self.acquire(core, warp, scope),
            }
            self.l1[core as usize].queue.pop_front();
        }
    }

    /// Sends a flush or a drop of a warp to the L2.
    pub(super) fn ask(&mut self, core: u32, warp: u32, scope: Scope, kind: Kind) {
        let gpm = self.homes.topology.gpm_of_core(core);
        let mut message = Message::new(kind, Port::Core(core), Port::Gpm(gpm));
        (message.token, message.scope) = (warp, scope);
        message.cause = Cause { core, warp };
        let message = self.messages.add(message);
        self.send(message);
    }

    /// Does the next line of an access; false if it must wait.
    fn line_of_access(&mut self, core: u32, access: u32) -> bool {
        let pending = self.pool.get(access);
        let (line, lanes) = next_line(&pending.access, pending.unsent);
        let kind = pending.access.kind;
        match kind {
            AccessKind::Load if !self.load_line(core, access, line, lanes) => return false,
            AccessKind::Load => self.statistics.lines.loads += 1,
            AccessKind::Store => self.store_line(core, access, line, lanes),
            AccessKind::Atomic(_) => self.atomic_line(core, access, line, lanes),
        }
        let pending = self.pool.get(access);
        pending.unsent &= !lanes;
        if kind == AccessKind::Store && pending.unsent == 0 {
            self.pool.end(access);
        }
        true
    }

    fn load_line(&mut self, core: u32, access: u32, line: u32, lanes: u32) -> bool {
        let (strong, scope) = self.pool.get(access).strength();
        let l1 = &mut self.l1[core as usize];
        if strong {
            l1.cache.drop_line(line);
        } else if let Some(place) = l1.cache.hit(line) {
            let pending = self.pool.get(access);
            extract(&mut pending.access, lanes, self.l1[core as usize].cache.data(place));
            self.statistics.l1.hits += 1;
            return true;
        } else if let Some(miss) = l1.misses.of(line) {
            l1.misses.get(miss).waiting.push(Waiter { access, lanes });
            self.pool.get(access).left += 1;
            self.statistics.l1.misses += 1;
            return true;
        }
        if l1.misses.len() >= self.config.l1.misses as usize {
            return false;
        }
        l1.misses.detach(line);
        let miss = l1.misses.begin(line, true, Waiter { access, lanes });
        self.pool.get(access).left += 1;
        self.statistics.l1.misses += 1;
        let message = self.request(Kind::Load, access, line, scope);
        let it = self.messages.get(message);
        (it.token, it.strong) = (miss, strong);
        self.send(message);
        true
    }

    fn store_line(&mut self, core: u32, access: u32, line: u32, lanes: u32) {
        self.statistics.lines.stores += 1;
        let (_, scope) = self.pool.get(access).strength();
        let message = self.request(Kind::Store, access, line, scope);
        let it = self.messages.get(message);
        it.bytes = gather(&self.pool.get(access).access, lanes, &mut it.data);
        let l1 = &mut self.l1[core as usize];
        // What is under way is older than the store.
        l1.misses.detach(line);
        if let Some(place) = l1.cache.find(line) {
            write(l1.cache.change(place, it.bytes, false), &it.data, it.bytes);
        }
        self.send(message);
    }

    fn atomic_line(&mut self, core: u32, access: u32, line: u32, lanes: u32) {
        self.statistics.lines.atomics += 1;
        let pending = self.pool.get(access);
        pending.left += 1;
        let (_, scope) = pending.strength();
        let l1 = &mut self.l1[core as usize];
        l1.misses.detach(line);
        l1.cache.drop_line(line);
        let message = self.request(Kind::Atomic, access, line, scope);
        let it = self.messages.get(message);
        (it.token, it.lanes) = (access, lanes);
        self.send(message);
    }

    fn request(&mut self, kind: Kind, access: u32, line: u32, scope: Scope) -> u32 {
        let pending = self.pool.get(access);
        let (core, warp) = (pending.core, pending.warp);
        let gpm = self.homes.topology.gpm_of_core(core);
        let mut message = Message::new(kind, Port::Core(core), Port::Gpm(gpm));
        (message.line, message.scope) = (line, scope);
        message.cause = Cause { core, warp };
        self.messages.add(message)
    }

    /// All copies in an L1 are forgotten, and what is under way is not kept.
    pub(super) fn empty_l1(&mut self, core: u32) {
        let l1 = &mut self.l1[core as usize];
        l1.cache.drop_where(|_| true);
        l1.misses.detach_where(|_| true);
    }

    /// A line has come.
    pub(super) fn line_for_l1(&mut self, core: u32, miss: u32, data: &Data) {
        let l1 = &mut self.l1[core as usize];
        let line = l1.misses.get(miss).line;
        let (keep, waiting) = l1.misses.take(miss);
        if keep {
            l1.cache.fill(line, data);
        }
        for waiter in &waiting {
            let pending = self.pool.get(waiter.access);
            extract(&mut pending.access, waiter.lanes, data);
            self.part_done(waiter.access);
        }
        let l1 = &mut self.l1[core as usize];
        l1.misses.end(miss, waiting);
        if !l1.queue.is_empty() {
            self.drain(core, None);
            if self.l1[core as usize].queue.is_empty() {
                self.done.push(Done::Accepts(core));
            }
        }
    }

    /// A line of an access has been answered.
    pub(super) fn part_done(&mut self, access: u32) {
        let pending = self.pool.get(access);
        pending.left -= 1;
        if pending.left == 0 && pending.unsent == 0 {
            match pending.is_awaited() {
                true => self.done.push(Done::Access(access)),
                false => self.pool.end(access),
            }
        }
    }
}
