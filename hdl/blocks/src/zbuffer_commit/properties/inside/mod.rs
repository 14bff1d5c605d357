//! Invariants that make the proof of our own circuit close: where each request and each miss is, what the
//! Z-cache locks, and where the chosen block's depths are. They are proven together with the rules, by
//! induction over one clock.

mod cache;
mod chosen;
mod places;

use super::monitor::Monitor;
use crate::kit::*;
use crate::zbuffer_commit::params::Params;

/// A request entry.
pub(super) struct Entry<'m> {
    pub live: Signal<'m>,
    pub under_way: Signal<'m>,
    pub block: Signal<'m>,
    pub older: Signal<'m>,
    pub before: Signal<'m>,
}

/// A comparator entry.
pub(super) struct Miss<'m> {
    pub reserved: Signal<'m>,
    pub asked: Signal<'m>,
    pub compared: Signal<'m>,
    pub unwritten: Signal<'m>,
    pub awaits: Signal<'m>,
    pub request: Signal<'m>,
    pub block: Signal<'m>,
    pub way: Signal<'m>,
    pub evicted: Signal<'m>,
}

impl<'m> Miss<'m> {
    /// Its request is not compared yet.
    pub fn open(&self) -> Signal<'m> {
        self.reserved & !self.compared
    }
}

/// What is in a stage; the first has no entry's number yet.
pub(super) struct Stage<'m> {
    pub valid: Signal<'m>,
    pub fills: Signal<'m>,
    pub entry: Signal<'m>,
    pub comparator: Signal<'m>,
    pub block: Signal<'m>,
    pub way: Signal<'m>,
}

/// What is in stages 4 and 5.
pub(super) struct Late<'m> {
    pub compares: Signal<'m>,
    pub evicts: Signal<'m>,
    pub fills: Signal<'m>,
    pub entry: Signal<'m>,
    pub comparator: Signal<'m>,
    pub set: Signal<'m>,
    pub way: Signal<'m>,
}

/// A queue of entries' numbers with what is shown behind it.
pub(super) struct Line<'m> {
    rows: Vec<(Signal<'m>, Signal<'m>)>,
    sound: Signal<'m>,
    pub shown: Signal<'m>,
    pub shown_entry: Signal<'m>,
}

impl<'m> Line<'m> {
    fn new(
        m: &'m ModuleBuilder,
        probes: &Probes,
        name: &str,
        shown: &str,
        rows: u32,
        width: u32,
    ) -> Self {
        let pointer_bits = address_bits(rows);
        let count = probes.signal(m, &format!("{name}.words_held"), address_bits(rows + 1));
        let [write, read] = ["write_pointer", "read_pointer"]
            .map(|pointer| probes.signal(m, &format!("{name}.{pointer}"), pointer_bits));
        let row = |row: u32| {
            let behind = m.lit(pointer_bits, u64::from(row)) - read;
            let value = probes.row(m, &format!("{name}.rows"), row, width);
            (behind.zero_extend(count.width()).lt(count), value)
        };
        let rows_of = (0..rows).map(row).collect();
        let sound = count.le(rows) & (write - read).eq(count.truncate(pointer_bits));
        let shown_entry = probes.signal(m, &format!("{shown}_shown_entry"), width);
        let shown = probes.signal(m, &format!("{shown}_shown"), 1);
        Self { rows: rows_of, sound, shown, shown_entry }
    }

    /// Whether the number is in the queue, or shown, place by place.
    pub fn holds(&self, number: u32) -> Vec<Signal<'m>> {
        let shown = (self.shown, self.shown_entry);
        let places = self.rows.iter().copied().chain([shown]);
        places.map(|(there, value)| there & value.eq(number)).collect()
    }

    /// Whether the number is in the queue.
    pub fn waits(&self, number: u32) -> Signal<'m> {
        any_of(self.rows.iter().map(|(there, value)| *there & value.eq(number)))
    }
}

/// The circuit's registers.
pub(super) struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    p: &'a Params,
    monitor: &'a Monitor<'a, 'm>,
    entries: Vec<Entry<'m>>,
    misses: Vec<Miss<'m>>,
    /// Stage 1 with the picked entries, one-hot.
    picked: Signal<'m>,
    stages: [Stage<'m>; 3],
    late: [Late<'m>; 2],
    colors: Line<'m>,
    evicted: Line<'m>,
    zread: (Signal<'m>, Signal<'m>),
    filled: (Signal<'m>, Signal<'m>),
    lost: (Signal<'m>, Signal<'m>),
    done: Signal<'m>,
    ack_shown: Signal<'m>,
    valid: Vec<Signal<'m>>,
    locked: Vec<Signal<'m>>,
    tags: Vec<Signal<'m>>,
}

pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let inside = Inside::new(monitor, probes);
    inside.requests_are_in_order();
    inside.each_is_in_one_place();
    inside.stages_know_their_requests(probes);
    inside.locks_have_holders();
    inside.tags_are_fresh(probes);
    inside.evicted_blocks_are_awaited();
    inside.resets_are_followed(probes);
    inside.the_chosen_is_remembered(probes);
}

impl<'a, 'm> Inside<'a, 'm> {
    fn new(monitor: &'a Monitor<'a, 'm>, probes: &Probes) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let signal = |name: &str, width: u32| probes.signal(m, name, width);
        let entry = |i: u32| {
            let of = |field: &str, width| signal(&format!("entry{i}_{field}"), width);
            Entry {
                live: of("live", 1),
                under_way: of("under_way", 1),
                block: of("block", p.block_bits()),
                older: among_all(m, i, of("older", p.request_entries - 1)),
                before: among_all(m, i, of("before", p.request_entries - 1)),
            }
        };
        let way_bits = address_bits(p.ways);
        let miss = |i: u32| {
            let of = |field: &str, width| signal(&format!("miss{i}_{field}"), width);
            Miss {
                reserved: of("reserved", 1),
                asked: of("asked", 1),
                compared: of("compared", 1),
                unwritten: of("unwritten", 1),
                awaits: of("awaits", p.comparator_entries),
                request: of("request", p.entry_bits()),
                block: of("block", p.block_bits()),
                way: of("way", way_bits),
                evicted: of("evicted", p.block_bits()),
            }
        };
        let stage = |number: u32| {
            let of = |field: &str, width| signal(&format!("stage{number}_{field}"), width);
            Stage {
                valid: of("valid", 1),
                fills: of("fills", 1),
                entry: of("entry", p.entry_bits()),
                comparator: of("comparator", p.comparator_bits()),
                block: of("block", p.block_bits()),
                way: if number == 1 { m.lit(way_bits, 0) } else { of("way", way_bits) },
            }
        };
        let late = |number: u32| {
            let of = |field: &str, width| signal(&format!("stage{number}_{field}"), width);
            Late {
                compares: of("compares", 1),
                evicts: of("evicts", 1),
                fills: of("fills", 1),
                entry: of("entry", p.entry_bits()),
                comparator: of("comparator", p.comparator_bits()),
                set: of("set", p.set_bits()),
                way: of("way", way_bits),
            }
        };
        let sets =
            |name: &str| (0..p.sets).map(|s| signal(&format!("set{s}_{name}"), p.ways)).collect();
        let rows = p.comparator_entries.max(2);
        Self {
            m,
            p,
            monitor,
            entries: (0..p.request_entries).map(entry).collect(),
            misses: (0..p.comparator_entries).map(miss).collect(),
            picked: signal("stage1_picked", p.request_entries),
            stages: [stage(1), stage(2), stage(3)],
            late: [late(4), late(5)],
            colors: Line::new(m, probes, "color_queue", "color", p.request_entries, p.entry_bits()),
            evicted: Line::new(m, probes, "evicted_queue", "zwrite", rows, p.comparator_bits()),
            zread: (signal("zread_shown", 1), signal("zread_shown_entry", p.comparator_bits())),
            filled: (signal("filled", 1), signal("filled_entry", p.comparator_bits())),
            lost: (signal("lost", 1), signal("lost_entry", p.entry_bits())),
            done: signal("done", p.request_entries),
            ack_shown: signal("ack_shown", 1),
            valid: sets("valid"),
            locked: sets("locked"),
            tags: (0..p.sets)
                .map(|set| probes.row(m, "tags", set, p.ways * p.tag_bits()))
                .collect(),
        }
    }

    /// An invariant for each of its parts: the solver proves them one by one.
    fn invariants(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        for (part, kept) in kept.iter().enumerate() {
            invariant(self.m, &format!("{name}_{part}"), *kept, doc);
        }
    }

    fn index<T>(of: &[T]) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(of)
    }

    fn select(&self, number: Signal<'m>, of: impl Iterator<Item = Signal<'m>>) -> Signal<'m> {
        let values: Vec<_> = of.collect();
        one_hot::select(one_hot::decode(number, values.len() as u32), &values)
    }

    /// A field of the request entry, or comparator entry, of that number.
    fn of_entry(&self, number: Signal<'m>, field: impl Fn(&Entry<'m>) -> Signal<'m>) -> Signal<'m> {
        self.select(number, self.entries.iter().map(field))
    }

    fn of_miss(&self, number: Signal<'m>, field: impl Fn(&Miss<'m>) -> Signal<'m>) -> Signal<'m> {
        self.select(number, self.misses.iter().map(field))
    }

    fn set(&self, block: Signal<'m>) -> Signal<'m> {
        block.truncate(self.p.set_bits())
    }

    fn tag(&self, block: Signal<'m>) -> Signal<'m> {
        block.slice(self.p.set_bits()..self.p.block_bits())
    }

    /// The tag in a way of a set.
    fn tag_at(&self, set: Signal<'m>, way: Signal<'m>) -> Signal<'m> {
        let row = self.select(set, self.tags.iter().copied());
        let bits = self.p.tag_bits();
        self.select(way, (0..self.p.ways).map(|way| row.slice(way * bits..(way + 1) * bits)))
    }

    fn at(&self, ways: &[Signal<'m>], set: Signal<'m>, way: Signal<'m>) -> Signal<'m> {
        self.select(way, self.select(set, ways.iter().copied()).to_bits().into_iter())
    }

    fn count(&self, places: &[Signal<'m>]) -> Signal<'m> {
        count_of(places.iter().copied(), 5)
    }
}

/// A bit for each entry, from those of the others of entry `i`.
fn among_all<'m>(m: &'m ModuleBuilder, i: u32, others: Signal<'m>) -> Signal<'m> {
    let mut bits = others.to_bits();
    bits.insert(i as usize, m.lit(1, 0));
    column(m, bits)
}
