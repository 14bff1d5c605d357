//! The comparator entries: misses, each with the block that it evicts, and their transfers to the L2.

use warpsmith_rtl::library::{arbiter, fifo};

use super::cache::Locked;
use super::compare::Compared;
use crate::kit::*;
use crate::zbuffer_commit::channels::{self, ZDATA, ZREAD, ZWRITE, ZWRITE_ACK};
use crate::zbuffer_commit::params::Params;

/// A comparator entry.
struct Entry<'m> {
    reserved: Reg<'m>,
    /// The depths are asked for.
    asked: Reg<'m>,
    /// They have come, and were compared.
    compared: Reg<'m>,
    /// The L2 has not acknowledged the evicted block.
    unwritten: Reg<'m>,
    /// Entries whose evicted block must be written first: it is the one to be read.
    awaits: Reg<'m>,
    request: Reg<'m>,
    block: Reg<'m>,
    way: Reg<'m>,
    evicted: Reg<'m>,
}

/// What a miss knows of its request.
pub(super) struct Miss<'m> {
    pub entry: Signal<'m>,
    pub set: Signal<'m>,
    pub way: Signal<'m>,
}

/// All comparator entries.
pub(super) struct Misses<'m> {
    m: &'m ModuleBuilder,
    p: Params,
    entries: Vec<Entry<'m>>,
    pub any: Signal<'m>,
    pub has_room: Signal<'m>,
    /// Number of the entry that the next miss takes.
    pub free: Signal<'m>,
    lowest_free: Signal<'m>,
    released: Signal<'m>,
    /// Depths came in the last clock, for that entry.
    pub filled: Signal<'m>,
    pub filled_entry: Signal<'m>,
    /// The port of the depths.
    pub data: (Signal<'m>, Record<'m>),
    /// The evicted blocks that are acknowledged, one-hot.
    acknowledged: Signal<'m>,
}

impl<'m> Misses<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let all = p.comparator_entries;
        let entry = |i: u32| {
            let name = |field: &str| format!("miss{i}_{field}");
            let state = |field: &str, width| m.reg(&name(field), width, 0);
            let held = |field: &str, width| m.reg_without_reset(&name(field), width);
            Entry {
                reserved: state("reserved", 1),
                asked: state("asked", 1),
                compared: state("compared", 1),
                unwritten: state("unwritten", 1),
                awaits: state("awaits", all),
                request: held("request", p.entry_bits()),
                block: held("block", p.block_bits()),
                way: held("way", address_bits(p.ways)),
                evicted: held("evicted", p.block_bits()),
            }
        };
        let entries: Vec<_> = (0..all).map(entry).collect();
        let of = |name: &str, bit: &dyn Fn(&Entry<'m>) -> Signal<'m>| {
            column(m, entries.iter().map(bit)).named(name)
        };
        let reserved = of("miss_reserved", &|entry| *entry.reserved);
        let released = of("miss_released", &|entry| *entry.compared & !*entry.unwritten);
        let lowest_free = one_hot::lowest(!reserved).named("miss_free");

        let channels = channels::channels(p);
        let data = valid_only_input(m, &channels[ZDATA]);
        let filled = m.reg("filled", 1, 0).doc("Depths came in the last clock.");
        let filled_entry = m.reg_without_reset("filled_entry", p.comparator_bits());
        filled.set(data.0);
        filled_entry.set(data.1.get("entry"));
        let (written, ack) = valid_only_input(m, &channels[ZWRITE_ACK]);
        let acknowledged = one_hot::decode(ack.get("entry"), all).and_where(written);
        Self {
            m,
            p: p.clone(),
            any: reserved.any(),
            has_room: !reserved.all(),
            free: one_hot::encode(lowest_free).named("miss_free_entry"),
            lowest_free,
            released,
            filled: *filled,
            filled_entry: *filled_entry,
            data,
            acknowledged: acknowledged.named("zwrite_acknowledged"),
            entries,
        }
    }

    fn index(&self) -> impl Iterator<Item = (u32, &Entry<'m>)> {
        (0..).zip(&self.entries)
    }

    fn select(&self, here: Signal<'m>, of: impl Fn(&Entry<'m>) -> Signal<'m>) -> Signal<'m> {
        one_hot::select(here, &self.entries.iter().map(of).collect::<Vec<_>>())
    }

    /// The miss of that entry.
    pub fn of(&self, entry: Signal<'m>) -> Miss<'m> {
        let here = one_hot::decode(entry, self.p.comparator_entries);
        Miss {
            entry: self.select(here, |entry| *entry.request),
            set: self.select(here, |entry| entry.block.truncate(self.p.set_bits())),
            way: self.select(here, |entry| *entry.way),
        }
    }

    /// Stage 3: a miss takes an entry.
    pub fn reserve(&self, locked: &Locked<'m>) {
        let m = self.m;
        let evicted_here = |(i, entry): (u32, &Entry<'m>)| {
            let same = entry.evicted.eq(locked.block).named(&format!("miss{i}_evicted_it"));
            *entry.unwritten & same
        };
        let awaits = column(m, self.index().map(evicted_here)).named("awaits_written");
        for (i, entry) in self.index() {
            let takes =
                (locked.reserves & self.lowest_free.bit(i)).named(&format!("miss{i}_takes"));
            m.when(self.acknowledged.bit(i), || entry.unwritten.set(0));
            entry.awaits.set(*entry.awaits & !self.acknowledged);
            m.when(self.released.bit(i), || {
                entry.reserved.set(0);
                entry.compared.set(0);
            });
            m.when(takes, || {
                entry.reserved.set(1);
                entry.asked.set(0);
                entry.unwritten.set(locked.evicts);
                entry.awaits.set(awaits & !self.acknowledged);
                entry.request.set(locked.entry);
                entry.block.set(locked.block);
                entry.way.set(locked.way);
                entry.evicted.set(locked.evicted);
            });
        }
    }

    /// Stage 5: depths that have come were compared.
    pub fn compared(&self, compared: &Compared<'m>) {
        let here = one_hot::decode(compared.comparator, self.p.comparator_entries);
        for (i, entry) in self.index() {
            let done = compared.valid & compared.fills & here.bit(i);
            self.m.when(done, || entry.compared.set(1));
        }
    }

    /// Asks for depths, the entries in turn.
    pub fn read(&self) {
        let (m, p) = (self.m, &self.p);
        let may_read = |entry: &Entry<'m>| *entry.reserved & !*entry.asked & !entry.awaits.any();
        let may_read = column(m, self.entries.iter().map(may_read)).named("may_read");
        let valid = m.reg("zread_shown", 1, 0);
        let channel = &channels::channels(p)[ZREAD];
        let shown = Held::new(m, "zread_shown", &channel.fields);
        let zread =
            Stream { valid: *valid, payload: shown.get().clone(), ready: m.wire("zread_taken", 1) };
        let moves = (!*valid | *zread.ready).named("zread_moves");
        let turn = m.instance(
            "zread_turn",
            &arbiter::round_robin(p.comparator_entries),
            &[("requests", may_read), ("advance", moves)],
        );
        let grant = turn.output("grant");
        let block = self.select(grant, |entry| *entry.block);
        m.when(moves, || {
            valid.set(may_read.any());
            shown
                .set(&Record::new(&channel.fields, vec![one_hot::encode(grant), p.address(block)]));
        });
        for (i, entry) in self.index() {
            m.when(moves & grant.bit(i), || entry.asked.set(1));
        }
        zread.output(m, channel.name);
    }

    /// Writes evicted blocks back, in the order of stage 5.
    pub fn write_back(&self, compared: &Compared<'m>) {
        let (m, p) = (self.m, &self.p);
        let rows = p.comparator_entries.max(2);
        let victims = m
            .memory("evicted_depths", rows, p.depths() * p.depth_bits, 1, Collision::Undefined)
            .doc("Depths of evicted blocks, by comparator entry.");
        victims.write(compared.evicts, compared.comparator, compared.old);
        let entry = Fields::new().with("entry", p.comparator_bits(), "comparator entry");
        let waiting = Stream {
            valid: compared.evicts,
            payload: Record::new(&entry, vec![compared.comparator]),
            // It has room for all entries.
            ready: m.wire("evicted_has_room", 1),
        };
        let queue = fifo::buffer(m, "evicted_queue", waiting, rows);
        let valid = m.reg("zwrite_shown", 1, 0);
        let shown = m.reg_without_reset("zwrite_shown_entry", p.comparator_bits());
        let ready = m.wire("zwrite_taken", 1);
        let moves = (!*valid | *ready).named("zwrite_moves");
        let next = queue.payload.get("entry");
        queue.ready.set(moves);
        m.when(moves, || {
            valid.set(queue.valid);
            shown.set(next);
        });
        let depths = victims.read("evicted_read", moves & queue.valid, next);
        let here = one_hot::decode(*shown, p.comparator_entries);
        let address = p.address(self.select(here, |entry| *entry.evicted));
        let channel = &channels::channels(p)[ZWRITE];
        let payload = Record::new(&channel.fields, vec![*shown, address, depths]);
        Stream { valid: *valid, payload, ready }.output(m, channel.name);
    }
}
