//! Invariants about the circuit's registers: what stages know of the tags, and where the followed store is until it
//! is merged.

use super::{Followed, Monitor};
use crate::kit::*;
use crate::qr_write_cache::channels::Op;

/// A stage that has a block.
struct Stage<'m> {
    valid: Signal<'m>,
    block: Signal<'m>,
}

/// The registers of requests, the one that is looked at first.
struct Slots<'m> {
    valid: [Signal<'m>; 2],
    is_store: [Signal<'m>; 2],
    block: [Signal<'m>; 2],
}

impl<'m> Monitor<'_, 'm> {
    pub(super) fn inside(&self, probes: &Probes, followed: &Followed<'m>) {
        let places = self.places(probes);
        let names = ["arriving", "request0", "request1", "next_drain", "drain"];
        let stages = names.map(|name| {
            let of = |what: &str, width| probes.signal(self.m, &format!("{name}_{what}"), width);
            let stage = Stage { valid: of("valid", 1), block: of("block", self.p.block_bits) };
            self.is_compared(name, &stage, of("match", self.p.ways), &places);
            stage
        });
        self.no_block_twice(&places);
        let [arriving, first, second, ..] = &stages;
        self.stores(probes, arriving, &self.slots(probes, [first, second]), followed);
    }

    /// Of each way its sets: whether they are dirty, and their tags.
    fn places(&self, probes: &Probes) -> Vec<Vec<(Signal<'m>, Signal<'m>)>> {
        let Self { m, p, .. } = self;
        let way = |way: u32| {
            let dirty = probes.signal(m, &format!("way{way}_dirty"), p.sets);
            let tag = |set| probes.row(m, &format!("way{way}_tags"), set, p.tag_bits());
            (0..p.sets).map(|set| (dirty.bit(set), tag(set))).collect()
        };
        (0..p.ways).map(way).collect()
    }

    /// A stage that has read the tags of its set was compared with them as they are now.
    fn is_compared(
        &self,
        name: &str,
        stage: &Stage<'m>,
        matches: Signal<'m>,
        places: &[Vec<(Signal<'m>, Signal<'m>)>],
    ) {
        let Self { m, p, .. } = self;
        let Stage { valid, block } = *stage;
        let sets = one_hot::decode(block.truncate(p.set_bits()), p.sets);
        let is_same = |way: &Vec<(Signal<'m>, Signal<'m>)>| {
            let tags: Vec<_> = way.iter().map(|(_, tag)| *tag).collect();
            one_hot::select(sets, &tags).eq(block.slice(p.set_bits()..p.block_bits))
        };
        let same = column(m, places.iter().map(is_same));
        // An entry that drains leaves what began after it to the next entry of the block.
        let kept = match name.ends_with("drain") {
            true => !(matches & !same).any(),
            false => matches.eq(same),
        };
        let doc = "It was compared with the tags that are there.";
        invariant(m, &format!("{name}_compared"), !valid | kept, doc);
    }

    fn no_block_twice(&self, places: &[Vec<(Signal<'m>, Signal<'m>)>]) {
        let sets = 0..self.p.sets as usize;
        let in_set = |set: usize| {
            let ways: Vec<_> = places.iter().map(|way| way[set]).collect();
            let others = |i: usize| ways[i + 1..].to_vec();
            let pairs = ways.clone().into_iter().enumerate();
            pairs
                .flat_map(|(i, a)| others(i).into_iter().map(move |b| !(a.0 & b.0 & a.1.eq(b.1))))
                .collect::<Vec<_>>()
        };
        let kept = all_of(self.m, &sets.flat_map(in_set).collect::<Vec<_>>());
        invariant(self.m, "no_block_twice", kept, "No block is in two places.");
    }

    /// Stores that are accepted and not merged are in the registers of requests, the oldest first, and behind them.
    fn stores(
        &self,
        probes: &Probes,
        arriving: &Stage<'m>,
        slots: &Slots<'m>,
        followed: &Followed<'m>,
    ) {
        let Self { m, marked, .. } = self;
        let Followed { comes, came, accepted, merged, chosen, waits, block } = *followed;
        let op = probes.signal(m, "arriving_op", 2);
        let comes_next = arriving.valid & op.eq(Op::Store as u64);
        let waiting = [0, 1].map(|i| slots.valid[i] & slots.is_store[i]);
        // Each with the number of stores before it.
        let mut before = m.lit(3, 0);
        let stores = [
            (marked.valid, marked.get("block")),
            (waiting[0], slots.block[0]),
            (waiting[1], slots.block[1]),
            (comes_next, arriving.block),
        ];
        let mut here = Vec::new();
        for (valid, of) in stores {
            here.push(valid & before.eq(chosen - merged) & of.eq(block));
            before = before + valid.zero_extend(3);
        }
        let counted = (accepted + comes.zero_extend(3)).eq(merged + before);
        invariant(m, "stores_inside", counted, "Stores are counted.");
        let is_newest = comes_next & arriving.block.eq(came);
        invariant(m, "newest_store", !comes | is_newest, "The store that came is the newest.");
        invariant(m, "followed_store", !waits | any_of(here), "The followed store is here.");
    }

    fn slots(&self, probes: &Probes, registers: [&Stage<'m>; 2]) -> Slots<'m> {
        let m = self.m;
        let signal = |name: &str, width| probes.signal(m, name, width);
        let ops = ["request0_op", "request1_op"].map(|name| signal(name, 2));
        let second = signal("request_is_second", 1);
        let in_turn = |of: [Signal<'m>; 2]| [second.mux(of[1], of[0]), second.mux(of[0], of[1])];
        let valid = in_turn(registers.map(|register| register.valid));
        let loads = signal("request_loads", 1);
        let in_order = (valid[0] | !valid[1]) & (loads ^ second).eq(valid[0] & !valid[1]);
        invariant(
            m,
            "requests_in_order",
            in_order,
            "The register that is looked at was loaded first.",
        );
        let ops = in_turn(ops);
        let is_read = valid[0] & ops[0].eq(Op::Read as u64);
        let (compares, is_known) = (signal("compares", 1), signal("is_known", 1));
        let once = (!(compares | is_known) | is_read) & !(compares & is_known);
        invariant(m, "read_is_compared", once, "A read is compared, once.");
        let is_dirty = !compares | signal("is_hit", 1);
        invariant(m, "read_is_dirty", is_dirty, "A block that is compared is dirty.");
        let is_store = ops.map(|op| op.eq(Op::Store as u64));
        Slots { valid, is_store, block: in_turn(registers.map(|register| register.block)) }
    }
}
