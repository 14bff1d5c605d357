//! The L1 of a core, for accesses without a transaction and for redo logs: write-through to memory, no
//! write-allocate; lines of logs are kept until they make room.

use std::collections::VecDeque;
use std::ops::Range;

use super::Getm;
use super::message::{Kind, Message};
use super::planted::SPILL_LOSES_LOG;
use crate::config::Config;
use crate::isa::AccessKind;
use crate::memory::{
    Cache, Data, Done, Misses, Port, Shared, Victim, WHOLE, extract, gather, next_line, write,
};

/// The first line of what is no memory: lines of redo logs.
const LOGS: u32 = 1 << 31;
/// Lines of a warp's log, at most.
const LOG_LINES: u32 = 1 << 14;

/// The L1 of a core.
#[derive(Debug)]
pub(super) struct L1 {
    pub cache: Cache,
    misses: Misses<Waiter>,
    /// When it takes the next line.
    pub free: u64,
    /// Stores that are under way, of this epoch and the last; a release begins a new one.
    stores: [u64; 2],
    epoch: usize,
    /// Warps that wait for the stores of the last epoch, and those that wait behind them.
    releasing: Vec<u32>,
    next: VecDeque<u32>,
}

/// Lanes of an access that wait for a line.
#[derive(Debug, Clone, Copy)]
struct Waiter {
    access: u32,
    lanes: u32,
}

impl L1 {
    pub fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l1.bytes, config.l1.ways),
            misses: Misses::default(),
            free: 0,
            stores: [0; 2],
            epoch: 0,
            releasing: Vec::new(),
            next: VecDeque::new(),
        }
    }

    /// When it takes the next operation; none while it waits for lines.
    pub fn ready(&self, config: &Config) -> Option<u64> {
        (self.misses.count() < config.l1.misses as usize).then_some(self.free)
    }

    /// Lines in flight are not kept, and none is held but those of logs.
    pub fn empty(&mut self) {
        self.cache.drop_where(|line| line < LOGS);
        self.misses.detach_where(|_| true);
    }

    /// The line of a log, by its number in it.
    fn log_line(index: u32, number: u32) -> u32 {
        LOGS + index * LOG_LINES + number
    }
}

impl Getm {
    /// An access without a transaction. Returns the clock of the result of a load that hit in all its lines.
    pub(super) fn plain(&mut self, shared: &mut Shared, core: u32, access: u32) -> Option<u64> {
        let now = shared.events.now();
        let kind = shared.accesses.get(access).access.kind;
        while shared.accesses.get(access).unsent != 0 {
            let pending = shared.accesses.get(access);
            let (line, lanes) = next_line(&pending.access, pending.unsent);
            pending.unsent &= !lanes;
            match kind {
                AccessKind::Load => self.load_line(shared, core, access, line, lanes),
                AccessKind::Store => self.store_line(shared, core, access, line, lanes),
                AccessKind::Atomic(_) => {
                    shared.statistics.lines.atomics += 1;
                    shared.accesses.get(access).left += 1;
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
            _ => None,
        }
    }

    fn load_line(&mut self, shared: &mut Shared, core: u32, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.loads += 1;
        let pending = shared.accesses.get(access);
        let l1 = &mut self.l1[core as usize];
        if pending.access.is_strong() {
            l1.cache.drop_line(line);
        } else if let Some(place) = l1.cache.hit(line) {
            extract(&mut pending.access, lanes, l1.cache.data(place));
            shared.statistics.l1.hits += 1;
            return;
        } else if let Some(miss) = l1.misses.of(line) {
            l1.misses.get(miss).waiting.push(Waiter { access, lanes });
            pending.left += 1;
            shared.statistics.l1.misses += 1;
            return;
        }
        l1.misses.detach(line);
        let miss = l1.misses.begin(line, true, Waiter { access, lanes });
        pending.left += 1;
        shared.statistics.l1.misses += 1;
        self.request(shared, core, line, Kind::Load { miss }, [0; 128]);
    }

    fn store_line(&mut self, shared: &mut Shared, core: u32, access: u32, line: u32, lanes: u32) {
        shared.statistics.lines.stores += 1;
        let mut data = [0; 128];
        let bytes = gather(&shared.accesses.get(access).access, lanes, &mut data);
        let l1 = &mut self.l1[core as usize];
        // A line in flight is older than the store.
        l1.misses.detach(line);
        if let Some(place) = l1.cache.find(line) {
            write(l1.cache.change(place, bytes, false), &data, bytes);
        }
        let epoch = l1.epoch;
        l1.stores[epoch] += 1;
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
        let gpm = shared.homes.home(line);
        let partition = self.partition(gpm, line);
        let ends = [Port::Core(core), Port::Gpm(gpm)];
        let message = Message { kind, is_request: true, ends, core, partition, line, data };
        self.fabric.send_new(shared, message);
    }

    /// Sends a core a message that is no answer.
    pub(super) fn tell_core(&mut self, shared: &mut Shared, core: u32, line: u32, kind: Kind) {
        let gpm = shared.homes.home(line);
        let partition = self.partition(gpm, line);
        let (ends, data) = ([Port::Gpm(gpm), Port::Core(core)], [0; 128]);
        let message = Message { kind, is_request: false, ends, core, partition, line, data };
        self.fabric.send_new(shared, message);
    }

    /// A line has come.
    pub(super) fn line_for_l1(&mut self, shared: &mut Shared, core: u32, miss: u32, data: &Data) {
        let l1 = &mut self.l1[core as usize];
        let was_full = l1.ready(&shared.config).is_none();
        let line = l1.misses.get(miss).line;
        let (keep, waiting) = l1.misses.take(miss);
        let victim = if keep { l1.cache.fill(line, data) } else { None };
        for waiter in &waiting {
            extract(&mut shared.accesses.get(waiter.access).access, waiter.lanes, data);
            shared.answered(waiter.access);
        }
        let l1 = &mut self.l1[core as usize];
        l1.misses.end(miss, waiting);
        if was_full && l1.ready(&shared.config).is_some() {
            shared.done.push(Done::Accepts(core));
        }
        self.spill(shared, core, victim);
    }

    /// A warp waits until all stores of its core are in memory.
    pub(super) fn release(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.statistics.coherence.releases += 1;
        self.l1[core as usize].next.push_back(warp);
        self.end_epoch(shared, core);
    }

    /// A store has been acknowledged.
    pub(super) fn stored(&mut self, shared: &mut Shared, core: u32, epoch: usize) {
        self.l1[core as usize].stores[epoch] -= 1;
        self.end_epoch(shared, core);
    }

    /// Lets warps go whose stores are in memory, and begins an epoch for those that wait behind them.
    fn end_epoch(&mut self, shared: &mut Shared, core: u32) {
        loop {
            let l1 = &mut self.l1[core as usize];
            if l1.stores[1 - l1.epoch] > 0 {
                return;
            }
            for warp in l1.releasing.drain(..) {
                shared.done.push(Done::Synchronised { core, warp });
            }
            if l1.next.is_empty() {
                return;
            }
            l1.epoch = 1 - l1.epoch;
            l1.releasing.extend(l1.next.drain(..));
        }
    }

    /// A warp writes lines of its log.
    pub(super) fn write_log(
        &mut self,
        shared: &mut Shared,
        core: u32,
        warp: u32,
        lines: Range<u32>,
    ) {
        let index = self.index(core, warp) as u32;
        self.counts.log_lines += u64::from(lines.end - lines.start);
        for number in lines {
            let line = L1::log_line(index, number);
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

    /// Requests the lines of a warp's log that the L1 does not have; how many.
    pub(super) fn fetch_log(
        &mut self,
        shared: &mut Shared,
        core: u32,
        warp: u32,
        lines: u32,
    ) -> u32 {
        let index = self.index(core, warp) as u32;
        let cache = &self.l1[core as usize].cache;
        let missing = |number: &u32| cache.find(L1::log_line(index, *number)).is_none();
        let missing: Vec<_> = (0..lines).filter(missing).collect();
        for number in &missing {
            let line = L1::log_line(index, *number);
            self.request(shared, core, line, Kind::Fetch { warp }, [0; 128]);
        }
        missing.len() as u32
    }

    /// A warp needs its log no longer.
    pub(super) fn drop_log(&mut self, core: u32, warp: u32, lines: u32) {
        let index = self.index(core, warp) as u32;
        let cache = &mut self.l1[core as usize].cache;
        (0..lines).for_each(|number| {
            cache.drop_line(L1::log_line(index, number));
        });
    }

    /// What has made room in an L1 goes to the L2 if it is of a log; of memory the L2 has it.
    fn spill(&mut self, shared: &mut Shared, core: u32, victim: Option<Victim>) {
        let Some(Victim { line, .. }) = victim.filter(|victim| victim.dirty != 0) else { return };
        self.counts.spilled_lines += 1;
        if self.planted.errs(SPILL_LOSES_LOG) {
            let (index, number) = ((line - LOGS) / LOG_LINES, (line - LOGS) % LOG_LINES);
            let log = &mut self.warps[index as usize].log;
            // The row that the line is of, or one near it.
            log.lose_row(number / (log.lines / log.rows.max(1)).max(1) + 1);
        }
        self.request(shared, core, line, Kind::Spill, [0; 128]);
    }
}
