//! The L1 of a core: lines of memory, not written; and lines of store buffers, written back.

use std::collections::{BTreeMap, VecDeque};

use super::Gpudet;
use super::log::{Entry, Found, LOGS, Log, has_part_of_word, log_line};
use super::message::{Kind, Message};
use super::planted::{
    ANY_LANE_WINS, FILTER_LOSES_LINES, MASK_IGNORED, OLDEST_FIRST, OWN_STORES_UNSEEN,
    RESULTLESS_UNACKNOWLEDGED,
};
use super::slots::Turn;
use crate::config::{Config, Granularity};
use crate::isa::AccessKind;
use crate::memory::{
    Bytes, Cache, Data, Done, Misses, Shared, Victim, WHOLE, extract, gather, next_line, write,
};

/// The L1 of a core.
#[derive(Debug)]
pub(super) struct L1 {
    pub cache: Cache,
    misses: Misses<Waiter>,
    /// When it takes the next line.
    pub free: u64,
    /// Stores that are not acknowledged, by the epoch of the core's releases.
    stores: BTreeMap<u64, u32>,
    epoch: u64,
    /// Warps that wait for the stores until the end of an epoch.
    releasing: VecDeque<(u64, u32)>,
}

/// Lanes of an access that wait for a line, and the bytes that its wavefront has stored.
#[derive(Debug)]
struct Waiter {
    access: u32,
    lanes: u32,
    own: Option<Box<Found>>,
}

impl L1 {
    pub fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l1.bytes, config.l1.ways),
            misses: Misses::default(),
            free: 0,
            stores: BTreeMap::new(),
            epoch: 0,
            releasing: VecDeque::new(),
        }
    }

    /// When it takes the next operation; none while it waits for lines.
    pub fn ready(&self, config: &Config) -> Option<u64> {
        (self.misses.count() < config.l1.misses as usize).then_some(self.free)
    }

    /// Lines of memory in flight are not kept, and none is held.
    pub fn empty(&mut self) {
        self.cache.drop_where(|line| line < LOGS);
        self.misses.detach_where(|_| true);
    }
}

/// Bytes of a line that lanes access.
fn wanted(access: &crate::simt::Access, lanes: u32) -> Bytes {
    gather(access, lanes, &mut [0; 128])
}

impl Gpudet {
    /// Takes an access. Returns the clock of the result of a load that needs no answer.
    pub(super) fn access(&mut self, shared: &mut Shared, core: u32, access: u32) -> Option<u64> {
        shared.begin(core, access);
        let now = shared.events.now();
        let pending = shared.accesses.get(access);
        let (kind, warp) = (pending.access.kind, pending.warp);
        while shared.accesses.get(access).unsent != 0 {
            let pending = shared.accesses.get(access);
            let (line, lanes) = next_line(&pending.access, pending.unsent);
            pending.unsent &= !lanes;
            match kind {
                AccessKind::Load => self.load_line(shared, core, access, line, lanes),
                AccessKind::Store if self.is_deterministic => {
                    self.log_line(shared, core, access, line, lanes);
                }
                AccessKind::Store => self.store_line(shared, core, access, line, lanes),
                AccessKind::Atomic(_) => {
                    shared.statistics.lines.atomics += 1;
                    shared.accesses.get(access).left += 1;
                    if self.is_counted(shared, access) {
                        self.in_flight += 1;
                    }
                    let l1 = &mut self.l1[core as usize];
                    l1.misses.detach(line);
                    l1.cache.drop_line(line);
                    let kind = Kind::Atomic { access, lanes, stored: 0 };
                    self.request(shared, core, line, kind, [0; 128]);
                }
            }
            let l1 = &mut self.l1[core as usize];
            l1.free = l1.free.max(now) + 1;
        }
        let pending = shared.accesses.get(access);
        match kind {
            AccessKind::Load if pending.left == 0 => {
                Some(self.l1[core as usize].free + u64::from(shared.config.l1.latency))
            }
            AccessKind::Store => {
                shared.accesses.end(access);
                None
            }
            AccessKind::Atomic(_) => {
                self.pass_turn(core, warp);
                None
            }
            AccessKind::Load => None,
        }
    }

    /// Whether the answer of an access is waited for at the end of a mode.
    fn is_counted(&self, shared: &mut Shared, access: u32) -> bool {
        let pending = shared.accesses.get(access);
        let is_resultless = !pending.access.has_targets();
        !(self.planted.is(RESULTLESS_UNACKNOWLEDGED)
            && matches!(pending.access.kind, AccessKind::Atomic(_))
            && is_resultless)
    }

    /// A part of an access has its answer.
    pub(super) fn answered(&mut self, shared: &mut Shared, access: u32) {
        if self.is_counted(shared, access) {
            self.in_flight -= 1;
        }
        shared.answered(access);
    }

    /// Searches a wavefront's store buffer for a load, unless the Bloom filter misses (4.3).
    fn own_bytes(
        &mut self,
        shared: &mut Shared,
        core: u32,
        access: u32,
        line: u32,
        lanes: u32,
    ) -> Option<Box<Found>> {
        if !self.is_deterministic || self.planted.is(OWN_STORES_UNSEEN) {
            return None;
        }
        let pending = shared.accesses.get(access);
        let (warp, wanted) = (pending.warp, wanted(&pending.access, lanes));
        let index = self.index(core, warp);
        self.counts.queries += 1;
        let log = &self.wavefronts[index].log;
        match self.blooms[core as usize].query(warp, line, log) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(wrong) => {
                shared.mismatch = Some(wrong);
                return None;
            }
        }
        self.counts.hits += 1;
        self.counts.false_hits += u64::from(!log.has(line));
        let mut found = Box::new(log.search(line, wanted, self.planted.is(OLDEST_FIRST)));
        if self.planted.is(MASK_IGNORED)
            && let Some(newest) = log.entries[log.begin..].iter().rfind(|it| it.line == line)
        {
            (found.bytes, found.data) = (wanted, newest.data);
        }
        let now = shared.events.now();
        self.counts.searched_lines += found.read.len() as u64;
        let l1 = &mut self.l1[core as usize];
        l1.free = l1.free.max(now) + found.read.len() as u64;
        for number in &found.read {
            let line = log_line(index, *number);
            if self.l1[core as usize].cache.hit(line).is_none() {
                self.counts.fetched_lines += 1;
                self.in_flight += 1;
                shared.accesses.get(access).left += 1;
                self.request(shared, core, line, Kind::Fetch { access: Some(access) }, [0; 128]);
            }
        }
        Some(found)
    }

    fn load_line(&mut self, shared: &mut Shared, core: u32, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.loads += 1;
        let own = self.own_bytes(shared, core, access, line, lanes);
        let pending = shared.accesses.get(access);
        if let Some(found) = &own {
            let wanted = wanted(&pending.access, lanes);
            if found.bytes & wanted == wanted {
                extract(&mut pending.access, lanes, &found.data);
                return;
            }
        }
        let l1 = &mut self.l1[core as usize];
        if !self.is_deterministic && pending.access.is_strong() {
            l1.cache.drop_line(line);
            l1.misses.detach(line);
        } else if let Some(place) = l1.cache.hit(line) {
            take(&mut pending.access, lanes, l1.cache.data(place), own.as_deref());
            shared.statistics.l1.hits += 1;
            return;
        } else if let Some(miss) = l1.misses.of(line) {
            l1.misses.get(miss).waiting.push(Waiter { access, lanes, own });
            pending.left += 1;
            self.in_flight += 1;
            shared.statistics.l1.misses += 1;
            return;
        }
        let miss = l1.misses.begin(line, true, Waiter { access, lanes, own });
        pending.left += 1;
        self.in_flight += 1;
        shared.statistics.l1.misses += 1;
        self.request(shared, core, line, Kind::Load { miss }, [0; 128]);
    }

    /// A store of GPUDet: an entry of the store buffer for each line.
    fn log_line(&mut self, shared: &mut Shared, core: u32, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.stores += 1;
        let mut data = [0; 128];
        let any = self.planted.is(ANY_LANE_WINS) && shared.random(2) != 0;
        let pending = shared.accesses.get(access);
        let mut bytes = gather(&pending.access, lanes, &mut data);
        if any {
            let lowest = lanes & lanes.wrapping_neg();
            bytes |= gather(&pending.access, lowest, &mut data);
        }
        let (warp, pc) = (pending.warp, pending.access.pc);
        let index = self.index(core, warp);
        if self.settings.granularity == Granularity::Word && has_part_of_word(bytes) {
            // It issues nothing until the fault is known.
            self.wavefronts[index].turn = Turn::Faulty;
            shared.done.push(Done::PartOfWord { core, warp, pc });
            return;
        }
        let log = &mut self.wavefronts[index].log;
        let at = log.entries.len();
        log.entries.push(Entry { line, bytes, data });
        let is_lost = line % 2 == 1 && self.planted.is(FILTER_LOSES_LINES);
        if !is_lost && let Err(wrong) = self.blooms[core as usize].insert(warp, line) {
            shared.mismatch = Some(wrong);
        }
        self.wavefronts[index].is_in_filter = true;
        self.counts.insertions += 1;
        for number in Log::lines_of(at) {
            let line = log_line(index, number);
            let l1 = &mut self.l1[core as usize];
            let (place, victim) = match l1.cache.find(line) {
                Some(place) => (place, None),
                None => l1.cache.allocate(line),
            };
            l1.cache.change(place, WHOLE, true);
            l1.free = l1.free.max(shared.events.now()) + 1;
            self.spill(shared, core, victim);
        }
    }

    /// A store without store buffers.
    fn store_line(&mut self, shared: &mut Shared, core: u32, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.stores += 1;
        let mut data = [0; 128];
        let bytes = gather(&shared.accesses.get(access).access, lanes, &mut data);
        let l1 = &mut self.l1[core as usize];
        // A line in flight is older than the store.
        l1.misses.detach(line);
        l1.cache.update(line, &data, bytes);
        let epoch = l1.epoch;
        *l1.stores.entry(epoch).or_default() += 1;
        self.request(shared, core, line, Kind::Store { bytes, epoch }, data);
    }

    /// Sends a request of a core to the partition of a line.
    pub(super) fn request(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        kind: Kind,
        data: Data,
    ) {
        let partition = self.partition(line);
        let message = Message { kind, is_request: true, core, partition, line, data };
        self.fabric.send_new(shared, message);
    }

    /// A line of memory has come.
    pub(super) fn line_for_l1(&mut self, shared: &mut Shared, core: u32, miss: u32, data: &Data) {
        let l1 = &mut self.l1[core as usize];
        let was_full = l1.ready(&shared.config).is_none();
        let line = l1.misses.get(miss).line;
        let (keep, waiting) = l1.misses.take(miss);
        let victim = if keep { l1.cache.fill(line, data) } else { None };
        for waiter in &waiting {
            let access = &mut shared.accesses.get(waiter.access).access;
            take(access, waiter.lanes, data, waiter.own.as_deref());
            self.answered(shared, waiter.access);
        }
        let l1 = &mut self.l1[core as usize];
        l1.misses.end(miss, waiting);
        if was_full && l1.ready(&shared.config).is_some() {
            shared.done.push(Done::Accepts(core));
        }
        self.spill(shared, core, victim);
    }

    /// A line of a store buffer has come back.
    pub(super) fn fetched(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        access: Option<u32>,
    ) {
        let victim = self.l1[core as usize].cache.fill(line, &[0; 128]);
        self.spill(shared, core, victim);
        match access {
            Some(access) => self.answered(shared, access),
            None => self.fetched_for_commit(shared, core, line),
        }
    }

    /// A line that has made room in an L1 goes to the L2 if it is of a store buffer; of memory the L2 has it.
    fn spill(&mut self, shared: &mut Shared, core: u32, victim: Option<Victim>) {
        if let Some(Victim { line, .. }) = victim.filter(|victim| victim.dirty != 0) {
            self.counts.spilled_lines += 1;
            self.request(shared, core, line, Kind::Spill, [0; 128]);
        }
    }

    /// A warp waits until all stores of its core are in memory.
    pub(super) fn release(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.statistics.coherence.releases += 1;
        let l1 = &mut self.l1[core as usize];
        l1.releasing.push_back((l1.epoch, warp));
        l1.epoch += 1;
        self.let_go(shared, core);
    }

    /// A store has been acknowledged.
    pub(super) fn stored(&mut self, shared: &mut Shared, core: u32, epoch: u64) {
        let stores = &mut self.l1[core as usize].stores;
        if let Some(left) = stores.get_mut(&epoch) {
            *left -= 1;
            if *left == 0 {
                stores.remove(&epoch);
            }
        }
        self.let_go(shared, core);
    }

    fn let_go(&mut self, shared: &mut Shared, core: u32) {
        let l1 = &mut self.l1[core as usize];
        let oldest = l1.stores.keys().next().copied().unwrap_or(u64::MAX);
        while let Some((epoch, warp)) = l1.releasing.front().copied()
            && epoch < oldest
        {
            l1.releasing.pop_front();
            shared.done.push(Done::Synchronised { core, warp });
        }
    }
}

/// Takes what lanes load from a line, with the bytes that their wavefront has stored.
fn take(access: &mut crate::simt::Access, lanes: u32, data: &Data, own: Option<&Found>) {
    match own.filter(|own| own.bytes != 0) {
        None => extract(access, lanes, data),
        Some(own) => {
            let mut seen = *data;
            write(&mut seen, &own.data, own.bytes);
            extract(access, lanes, &seen);
        }
    }
}
