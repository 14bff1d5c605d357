//! The L1 of a core: write-back. Stores and atomics are done when it owns the line.

use super::message::{Kind, Message};
use super::{AGAIN, ATOMICS_STORE_TWICE, LOSE_WRITE_BACK, Ownership};
use crate::config::Config;
use crate::isa::AccessKind;
use crate::memory::{
    Cache, Done, Intake, Misses, Operation, Port, Shared, Takes, Victim, WHOLE, Writes, extract,
    gather, go_on, perform, write,
};
use crate::systems::quick_release::ownership::SystemEvent;

/// Lanes of an access that wait for a line; of a store with the generation in which it waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiter {
    access: u32,
    lanes: u32,
    generation: Option<bool>,
}

/// The L1 of a core. The tag of a line is whether this L1 owns it.
#[derive(Debug)]
pub(super) struct L1 {
    pub(super) cache: Cache<bool>,
    misses: Misses<Waiter>,
    pub(super) intake: Intake,
    /// Stores and atomics that wait for their line, and the warps whose releases wait for them.
    writes: Writes<u32>,
}

impl L1 {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l1.bytes, config.l1.ways),
            misses: Misses::default(),
            intake: Intake::default(),
            writes: Writes::default(),
        }
    }
}

impl Takes for Ownership {
    fn intake(&mut self, core: u32) -> &mut Intake {
        &mut self.l1[core as usize].intake
    }

    fn line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool {
        let pending = shared.accesses.get(access);
        let (core, kind) = (pending.core, pending.access.kind);
        let l1 = &mut self.l1[core as usize];
        let miss = l1.misses.of(line);
        let is_done = miss.is_none() && self.perform(shared, core, access, line, lanes);
        let l1 = &mut self.l1[core as usize];
        if !is_done && miss.is_none() && l1.misses.count() >= shared.config.l1.misses as usize {
            return false;
        }
        let lines = &mut shared.statistics.lines;
        match kind {
            AccessKind::Load => lines.loads += 1,
            AccessKind::Store => lines.stores += 1,
            AccessKind::Atomic(_) => lines.atomics += 1,
        }
        if kind == AccessKind::Load {
            let l1 = &mut shared.statistics.l1;
            *(if is_done { &mut l1.hits } else { &mut l1.misses }) += 1;
        }
        if is_done {
            return true;
        }
        shared.accesses.get(access).left += 1;
        let is_load = kind == AccessKind::Load;
        let generation = if is_load { None } else { l1.writes.begin(None) };
        let waiter = Waiter { access, lanes, generation };
        match miss {
            // Behind what waits: a load after a store of its thread sees it.
            Some(miss) => l1.misses.get(miss).waiting.push(waiter),
            None => self.get(shared, core, line, !is_load, vec![waiter]),
        }
        true
    }

    fn synchronise(&mut self, shared: &mut Shared, core: u32, operation: Operation) {
        let costs = &mut shared.statistics.coherence;
        let warp = match operation {
            Operation::Release { warp, .. } => {
                costs.releases += 1;
                match self.l1[core as usize].writes.wait(warp) {
                    Some(warp) => warp,
                    None => return,
                }
            }
            Operation::Acquire { warp, .. } => {
                costs.acquires += 1;
                warp
            }
            Operation::Access(_) => return,
        };
        shared.done.push(Done::Synchronised { core, warp });
    }
}

impl Ownership {
    /// Asks for a line.
    fn get(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        owned: bool,
        waiters: Vec<Waiter>,
    ) {
        let l1 = &mut self.l1[core as usize];
        let mut waiters = waiters.into_iter();
        let Some(first) = waiters.next() else { return };
        let miss = l1.misses.begin(line, true, first);
        l1.misses.get(miss).waiting.extend(waiters);
        let ends = [Port::Core(core), Port::Gpm(0)];
        self.fabric.send_new(shared, Message::new(Kind::Get { owned }, ends, line));
    }

    /// Performs lanes of an access in a line, if the L1 has it, and owns it if need be.
    fn perform(
        &mut self,
        shared: &mut Shared,
        core: u32,
        access: u32,
        line: u32,
        lanes: u32,
    ) -> bool {
        let l1 = &mut self.l1[core as usize];
        let access = &mut shared.accesses.get(access).access;
        let is_load = access.kind == AccessKind::Load;
        let Some(place) = l1.cache.hit(line) else { return false };
        if !is_load && !*l1.cache.tag(place) {
            return false;
        }
        let mut data = *l1.cache.data(place);
        let mut again = 0;
        let bytes = match access.kind {
            AccessKind::Load => {
                extract(access, lanes, &data);
                let hits = shared.statistics.coherence.owned_hits.get_or_insert(0);
                *hits += u64::from(*l1.cache.tag(place));
                return true;
            }
            AccessKind::Store => gather(access, lanes, &mut data),
            AccessKind::Atomic(_) => {
                let [words, stored] = perform(access, lanes, &mut data);
                again = words;
                stored
            }
        };
        write(l1.cache.change(place, bytes, true), &data, bytes);
        if again != 0 && self.planted.errs(ATOMICS_STORE_TWICE) {
            self.again.push_back((line, data, again));
            let later = shared.events.now() + 1 + u64::from(shared.random(AGAIN));
            shared.events.at(later, SystemEvent::StoreAgain(0));
        }
        true
    }

    /// The planted error [`ATOMICS_STORE_TWICE`]: the words of an atomic are stored a second time, wherever their line is.
    pub(super) fn store_again(&mut self, shared: &mut Shared) {
        let Some((line, data, bytes)) = self.again.pop_front() else { return };
        shared.write_line(line, &data, bytes);
        self.home.l2.update(line, &data, bytes);
        for l1 in &mut self.l1 {
            l1.cache.update(line, &data, bytes);
        }
    }

    /// A message has come to an L1.
    pub(super) fn at_l1(&mut self, shared: &mut Shared, core: u32, number: u32) {
        let Message { kind, line, owned, data, .. } = *self.fabric.get(number);
        self.fabric.end(number);
        match kind {
            Kind::Recall { stays } => self.recalled(shared, core, line, stays),
            _ => {
                let l1 = &mut self.l1[core as usize];
                l1.cache.drop_line(line);
                let victim = l1.cache.fill(line, &data);
                if let Some(place) = l1.cache.find(line) {
                    *l1.cache.tag(place) = owned;
                }
                self.evicted(shared, core, victim);
                self.serve_waiting(shared, core, line);
                go_on(self, shared, core);
            }
        }
    }

    /// What waits for a line is performed in order; from the first that must own it on, it is asked for again.
    fn serve_waiting(&mut self, shared: &mut Shared, core: u32, line: u32) {
        let Some(miss) = self.l1[core as usize].misses.of(line) else { return };
        let (_, mut waiting) = self.l1[core as usize].misses.take(miss);
        let mut done = 0;
        while let Some(Waiter { access, lanes, generation }) = waiting.get(done).copied()
            && self.perform(shared, core, access, line, lanes)
        {
            done += 1;
            shared.answered(access);
            for warp in self.l1[core as usize].writes.end(generation) {
                shared.done.push(Done::Synchronised { core, warp });
            }
        }
        let left = waiting.split_off(done);
        self.l1[core as usize].misses.end(miss, waiting);
        self.get(shared, core, line, true, left);
    }

    fn evicted(&mut self, shared: &mut Shared, core: u32, victim: Option<Victim<bool>>) {
        let Some(Victim { line, data, tag: true, .. }) = victim else { return };
        let ends = [Port::Core(core), Port::Gpm(0)];
        let mut back = Message::new(Kind::WriteBack, ends, line);
        (back.bytes, back.data) = (WHOLE, data);
        if self.planted.errs(LOSE_WRITE_BACK) {
            back.bytes = 0;
        }
        self.fabric.send_new(shared, back);
    }

    /// The directory asks a copy back.
    fn recalled(&mut self, shared: &mut Shared, core: u32, line: u32, stays: bool) {
        let l1 = &mut self.l1[core as usize];
        let ends = [Port::Core(core), Port::Gpm(0)];
        let mut answer = Message::new(Kind::Recalled { has_data: false }, ends, line);
        if let Some(place) = l1.cache.find(line) {
            if *l1.cache.tag(place) {
                answer.kind = Kind::Recalled { has_data: true };
                (answer.bytes, answer.data) = (WHOLE, *l1.cache.data(place));
            }
            shared.statistics.coherence.invalidated_lines += u64::from(!stays);
            l1.cache.drop_line(line);
            if stays {
                l1.cache.fill(line, &answer.data);
            }
        }
        self.fabric.send_new(shared, answer);
    }
}
