//! The request buffer: what requests wait for, and which goes next.

use super::cache::Locked;
use super::misses::Misses;
use crate::kit::*;
use crate::zbuffer_commit::params::Params;

/// The status of one request.
struct Entry<'m> {
    live: Reg<'m>,
    /// It is in the pipeline, or behind it.
    under_way: Reg<'m>,
    /// It found no room, and waits until all such requests try again.
    asleep: Reg<'m>,
    /// It has found no room once.
    refused: Reg<'m>,
    block: Reg<'m>,
    /// Of the other entries, those with older requests.
    older: Reg<'m>,
    /// Those of them with requests to the same block.
    before: Reg<'m>,
}

/// All entries.
pub(super) struct Buffer<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    entries: Vec<Entry<'m>>,
    pub live: Signal<'m>,
    pub is_full: Signal<'m>,
    /// Number of the entry that the next request takes.
    pub free_entry: Signal<'m>,
    free: Signal<'m>,
    leaves: Wire<'m>,
    /// The oldest request, if it has found no room: others make room for it.
    pub hungry: Signal<'m>,
}

/// A request that may enter.
pub(super) struct Entering<'a, 'm> {
    pub enters: Signal<'m>,
    /// The entry that it takes.
    pub entry: Signal<'m>,
    pub request: &'a Record<'m>,
}

/// What is in stage 1.
pub(super) struct Picked<'m> {
    pub valid: Signal<'m>,
    /// Depths have come for it.
    pub fills: Signal<'m>,
    pub entry: Signal<'m>,
    pub comparator: Signal<'m>,
    pub block: Signal<'m>,
    /// The way that it has, if depths have come.
    pub way: Signal<'m>,
}

impl<'p, 'm> Buffer<'p, 'm> {
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let all = p.request_entries;
        let entry = |i: u32| {
            let name = |field: &str| format!("entry{i}_{field}");
            let bits = |field: &str, width| m.reg(&name(field), width, 0);
            let held = |field: &str, width| m.reg_without_reset(&name(field), width);
            Entry {
                live: bits("live", 1),
                under_way: bits("under_way", 1),
                asleep: bits("asleep", 1),
                refused: bits("refused", 1),
                block: held("block", p.block_bits()),
                older: held("older", all - 1),
                before: held("before", all - 1),
            }
        };
        let entries: Vec<_> = (0..all).map(entry).collect();
        let live = column(m, entries.iter().map(|entry| *entry.live)).named("live");
        let free = one_hot::lowest(!live).named("free");
        let hungry = |entry: &Entry<'m>| *entry.refused & !entry.older.any();
        let hungry = column(m, entries.iter().map(hungry)).named("hungry");
        let leaves = m.wire("leaves", all).doc("The request that is acknowledged, one-hot.");
        let free_entry = one_hot::encode(free).named("free_entry");
        Self { m, p, entries, live, is_full: live.all(), free_entry, free, leaves, hungry }
    }

    fn index(&self) -> impl Iterator<Item = (u32, &Entry<'m>)> {
        (0..).zip(&self.entries)
    }

    /// Of a bit for each entry, those of the others.
    fn others(&self, i: u32, bits: Signal<'m>) -> Signal<'m> {
        let parts = [0..i, i + 1..bits.width()].into_iter().filter(|part| !part.is_empty());
        column(self.m, parts.map(|part| bits.slice(part)))
    }

    /// A request takes the lowest free entry.
    pub fn enter(&self, enters: Signal<'m>, request: &Record<'m>) {
        let m = self.m;
        let block = self.p.block(request.get("address"));
        let same = |(i, entry): (u32, &Entry<'m>)| {
            entry.block.eq(block).named(&format!("entry{i}_has_block"))
        };
        let same = column(m, self.index().map(same)).named("has_block");
        let stays = (self.live & !*self.leaves).named("stays");
        let go_before = (stays & same).named("go_before");
        for (i, entry) in self.index() {
            let others_stay = !self.others(i, *self.leaves);
            entry.older.set(*entry.older & others_stay);
            entry.before.set(*entry.before & others_stay);
            m.when(enters & self.free.bit(i), || {
                entry.live.set(1);
                entry.block.set(block);
                entry.older.set(self.others(i, stays));
                entry.before.set(self.others(i, go_before));
            });
        }
    }

    /// Stage 0: a miss whose depths have come, else the oldest request that waits for nothing.
    pub fn pick(&self, misses: &Misses<'m>) -> Picked<'m> {
        let m = self.m;
        let may_go = |entry: &Entry<'m>| {
            *entry.live & !*entry.under_way & !*entry.asleep & !entry.before.any()
        };
        let may_go = column(m, self.entries.iter().map(may_go)).named("may_go");
        let is_oldest = |(i, entry): (u32, &Entry<'m>)| {
            may_go.bit(i) & !(*entry.older & self.others(i, may_go)).any()
        };
        let oldest = column(m, self.index().map(is_oldest)).named("oldest");
        let picks = oldest.and_where(!misses.filled).named("picks");
        for (i, entry) in self.index() {
            m.when(picks.bit(i), || entry.under_way.set(1));
        }

        let valid = m.reg("stage1_valid", 1, 0);
        let fills = m.reg_without_reset("stage1_fills", 1).doc("Depths have come for it.");
        let picked = m.reg_without_reset("stage1_picked", self.p.request_entries);
        let comparator = m.reg_without_reset("stage1_comparator", self.p.comparator_bits());
        valid.set(misses.filled | may_go.any());
        fills.set(misses.filled);
        picked.set(oldest);
        comparator.set(misses.filled_entry);
        let of_miss = misses.of(*comparator);
        let blocks: Vec<_> = self.entries.iter().map(|entry| *entry.block).collect();
        let block = one_hot::select(*picked, &blocks);
        // Tags are compared of requests only.
        let set_bits = self.p.set_bits();
        let (tag, set) = (block.slice(set_bits..block.width()), block.truncate(set_bits));
        Picked {
            valid: *valid,
            fills: *fills,
            entry: fills.mux(of_miss.entry, one_hot::encode(*picked)).named("stage1_entry"),
            comparator: *comparator,
            block: tag.concat(fills.mux(of_miss.set, set)).named("stage1_block"),
            way: of_miss.way,
        }
    }

    /// Stage 3: a request that finds no room goes back, and sleeps until all try again. The oldest tries again at once:
    /// otherwise hits could lock the ways of its set whenever it does.
    pub fn settle(&self, locked: &Locked<'m>) {
        let m = self.m;
        let clock = m.reg("retry_clock", self.p.retry_clocks().ilog2(), 0);
        clock.set(*clock + 1);
        let all_retry = clock.eq(0).named("all_retry");
        let here = one_hot::decode(locked.entry, self.p.request_entries).named("stage3_here");
        for (i, entry) in self.index() {
            m.when(all_retry, || entry.asleep.set(0));
            m.when(here.bit(i) & locked.refused, || {
                entry.under_way.set(0);
                entry.asleep.set(entry.older.any());
                entry.refused.set(1);
            });
            m.when(here.bit(i) & locked.reserves, || entry.refused.set(0));
        }
    }

    /// The acknowledged request frees its entry.
    pub fn leave(&self, acknowledged: Signal<'m>) {
        self.leaves.set(acknowledged);
        for (i, entry) in self.index() {
            self.m.when(acknowledged.bit(i), || {
                entry.live.set(0);
                entry.under_way.set(0);
            });
        }
    }
}
