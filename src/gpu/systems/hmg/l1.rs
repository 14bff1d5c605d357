//! The L1 cache of a core, and the unit that brings accesses to it: write-through, no
//! write-allocate, kept coherent by software (HMG IV-A).

use super::Hmg;
use super::directory::Cause;
use super::message::{Kind, Message, Reach};
use super::planted::FLUSH_HERE_ONLY;
use crate::config::Config;
use crate::isa::{AccessKind, Scope};
use crate::memory::{
    Cache, Data, Intake, Misses, Operation, Port, Shared, Takes, extract, gather, go_on,
};

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

impl Takes for Hmg {
    fn intake(&mut self, core: u32) -> &mut Intake {
        &mut self.l1[core as usize].intake
    }

    fn line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool {
        let kind = shared.accesses.get(access).access.kind;
        match kind {
            AccessKind::Load if !self.load_line(shared, access, line, lanes) => return false,
            AccessKind::Load => shared.statistics.lines.loads += 1,
            AccessKind::Store => self.store_line(shared, access, line, lanes),
            AccessKind::Atomic(_) => self.atomic_line(shared, access, line, lanes),
        }
        true
    }

    fn synchronise(&mut self, shared: &mut Shared, core: u32, operation: Operation) {
        match operation {
            Operation::Release { warp, scope, .. } => {
                shared.statistics.coherence.releases += 1;
                let reach = match self.planted.is(FLUSH_HERE_ONLY) {
                    true => Reach::Here,
                    false => Reach::Release(scope),
                };
                self.ask(shared, Cause { core, warp }, scope, Kind::Flush(reach));
            }
            Operation::Acquire { warp, scope } => {
                self.acquire(shared, Cause { core, warp }, scope);
            }
            Operation::Access(_) => {}
        }
    }
}

impl Hmg {
    /// Sends a flush or a drop of a warp to the L2.
    pub(super) fn ask(&mut self, shared: &mut Shared, cause: Cause, scope: Scope, kind: Kind) {
        let gpm = shared.homes.topology.gpm_of_core(cause.core);
        let message = Message::new(kind, Port::Core(cause.core), Port::Gpm(gpm));
        self.fabric.send_new(shared, Message { token: cause.warp, scope, cause, ..message });
    }

    fn load_line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool {
        let pending = shared.accesses.get(access);
        let (strong, _) = pending.strength();
        let l1 = &mut self.l1[pending.core as usize];
        if strong {
            l1.cache.drop_line(line);
        } else if let Some(place) = l1.cache.hit(line) {
            extract(&mut pending.access, lanes, l1.cache.data(place));
            shared.statistics.l1.hits += 1;
            return true;
        } else if let Some(miss) = l1.misses.of(line) {
            l1.misses.get(miss).waiting.push(Waiter { access, lanes });
            pending.left += 1;
            shared.statistics.l1.misses += 1;
            return true;
        }
        if l1.misses.count() >= shared.config.l1.misses as usize {
            return false;
        }
        l1.misses.detach(line);
        let token = l1.misses.begin(line, true, Waiter { access, lanes });
        pending.left += 1;
        shared.statistics.l1.misses += 1;
        let load = Message { token, strong, ..request(shared, Kind::Load, access, line) };
        self.fabric.send_new(shared, load);
        true
    }

    fn store_line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.stores += 1;
        let mut store = request(shared, Kind::Store, access, line);
        let pending = shared.accesses.get(access);
        store.bytes = gather(&pending.access, lanes, &mut store.data);
        let l1 = &mut self.l1[pending.core as usize];
        // A line in flight is older than the store.
        l1.misses.detach(line);
        l1.cache.update(line, &store.data, store.bytes);
        self.fabric.send_new(shared, store);
    }

    fn atomic_line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.atomics += 1;
        let pending = shared.accesses.get(access);
        pending.left += 1;
        let l1 = &mut self.l1[pending.core as usize];
        l1.misses.detach(line);
        l1.cache.drop_line(line);
        let atomic = request(shared, Kind::Atomic, access, line);
        self.fabric.send_new(shared, Message { token: access, lanes, ..atomic });
    }

    /// Invalidates an L1; lines in flight are not kept.
    pub(super) fn empty_l1(&mut self, core: u32) {
        let l1 = &mut self.l1[core as usize];
        l1.cache.drop_where(|_| true);
        l1.misses.detach_where(|_| true);
    }

    /// A line has come.
    pub(super) fn line_for_l1(&mut self, shared: &mut Shared, core: u32, miss: u32, data: &Data) {
        let l1 = &mut self.l1[core as usize];
        let line = l1.misses.get(miss).line;
        let (keep, waiting) = l1.misses.take(miss);
        if keep {
            l1.cache.fill(line, data);
        }
        for waiter in &waiting {
            let pending = shared.accesses.get(waiter.access);
            extract(&mut pending.access, waiter.lanes, data);
            shared.answered(waiter.access);
        }
        let l1 = &mut self.l1[core as usize];
        l1.misses.end(miss, waiting);
        go_on(self, shared, core);
    }
}

/// A request of an access for a line, to the L2 of its GPM.
fn request(shared: &mut Shared, kind: Kind, access: u32, line: u32) -> Message {
    let pending = shared.accesses.get(access);
    let cause = Cause { core: pending.core, warp: pending.warp };
    let (_, scope) = pending.strength();
    let gpm = shared.homes.topology.gpm_of_core(cause.core);
    Message { line, scope, cause, ..Message::new(kind, Port::Core(cause.core), Port::Gpm(gpm)) }
}
