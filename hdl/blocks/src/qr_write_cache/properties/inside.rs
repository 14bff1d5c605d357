//! Invariants about the circuit's registers: what stages know of the tags, and where the followed store is until it
//! is merged.

mod entries;
mod progress;
mod releases;
mod ring;
mod stages;

use super::{Followed, Known, Monitor};
use crate::kit::*;
use crate::qr_write_cache::channels::{Op, Request};
use crate::s_fifo;
use entries::{Entries, Entry};
use stages::Stages;

/// A stage that has a block.
struct Stage<'m> {
    valid: Signal<'m>,
    block: Signal<'m>,
}

/// A stage that may have a request.
#[derive(Clone)]
struct Place<'m> {
    valid: Signal<'m>,
    request: Record<'m>,
}

impl<'m> Place<'m> {
    fn is(&self, op: Op) -> Signal<'m> {
        self.valid & self.request.get("op").eq(op as u64)
    }
}

/// Comparison of a read with the dirty bytes of its block.
struct Reads<'m> {
    /// Whether all its bytes are dirty is seen now, or is known; and then whether they are.
    compares: Signal<'m>,
    is_known: Signal<'m>,
    is_covered: Signal<'m>,
    /// Dirty bytes of the row that the RAM has read last.
    dirty_bytes: Signal<'m>,
}

/// Dirty bit and tag of each set, by way.
type Ways<'m> = Vec<Vec<(Signal<'m>, Signal<'m>)>>;

impl<'m> Monitor<'_, 'm> {
    pub(super) fn inside(&self, probes: &Probes, known: &Known<'m>) {
        let Self { m, p, .. } = self;
        let ways = self.ways(probes);
        let valid = |name: &str| probes.signal(m, &format!("{name}_valid"), 1);
        let [arriving, first, second] = ["arriving", "request0", "request1"].map(|name| {
            let request = probes.record(m, &format!("{name}_"), &Request::fields(p));
            let place = Place { valid: valid(name), request };
            let matches = probes.signal(m, &format!("{name}_match"), p.ways);
            let stage = Stage { valid: place.valid, block: place.request.get("block") };
            self.is_compared(name, &stage, matches, None, &ways);
            place
        });
        let may_be_dirty = probes.signal(m, "may_be_dirty", 1);
        let begun = probes.signal(m, "next_drain_begun", p.ways);
        let behind = [("drain", may_be_dirty), ("next_drain", m.lit(1, 1))];
        let behind = behind.map(|(name, may_be_dirty)| {
            let fields = s_fifo::Entry::fields(&p.fifo());
            let entry = probes.record(m, &format!("{name}_"), &fields);
            let matches = probes.signal(m, &format!("{name}_match"), p.ways);
            let stage = Stage { valid: valid(name), block: entry.get("block") };
            let begun = (name == "next_drain").then_some(begun);
            self.is_compared(name, &stage, matches, begun, &ways);
            Entry { valid: stage.valid, entry, serves: matches.and_where(may_be_dirty) }
        });
        self.no_block_twice(&ways);
        let (slots, reads) = self.slots(probes, [&first, &second]);
        self.stores(&arriving, &slots, &known.followed);
        let stages = Stages::new(self, probes, reads.dirty_bytes, slots, arriving);
        stages.stores(self, probes, &known.stores, &ways);
        stages.forwards(self, &known.stores, &known.forwards, &reads);
        stages.reads(self, &known.stores, &known.forwards, (&reads, &ways));
        let entries = Entries::new(self, probes, behind, &stages);
        entries.state(self, &stages, known);
        entries.causes(self, probes, known, (&stages, &reads, &ways));
        let is_noted = probes.signal(m, "is_noted", 1);
        entries.releases(self, probes, known, (&stages, &ways, is_noted));
        entries.progress(self, known, (&stages, &reads, is_noted));
    }

    fn ways(&self, probes: &Probes) -> Ways<'m> {
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
        begun: Option<Signal<'m>>,
        ways: &Ways<'m>,
    ) {
        let Self { m, p, .. } = self;
        let Stage { valid, block } = *stage;
        let sets = one_hot::decode(block.truncate(p.set_bits()), p.sets);
        let is_same = |way: &Vec<(Signal<'m>, Signal<'m>)>| {
            let tags: Vec<_> = way.iter().map(|(_, tag)| *tag).collect();
            one_hot::select(sets, &tags).eq(block.slice(p.set_bits()..p.block_bits))
        };
        let same = column(m, ways.iter().map(is_same));
        // An entry that drains leaves what began after it to the next entry of the block.
        let kept = match (name, begun) {
            (_, Some(begun)) => matches.eq(same & !begun),
            ("drain", None) => !(matches & !same).any(),
            _ => matches.eq(same),
        };
        let doc = "It was compared with the tags that are there.";
        invariant(m, &format!("{name}_compared"), !valid | kept, doc);
    }

    fn no_block_twice(&self, ways: &Ways<'m>) {
        let sets = 0..self.p.sets as usize;
        let in_set = |set: usize| {
            let ways: Vec<_> = ways.iter().map(|way| way[set]).collect();
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
    fn stores(&self, arriving: &Place<'m>, slots: &[Place<'m>; 2], followed: &Followed<'m>) {
        let Self { m, marked, .. } = self;
        let Followed { comes, accepted, merged, chosen, waits, block } = *followed;
        let in_place = |place: &Place<'m>| (place.is(Op::Store), place.request.get("block"));
        // Each with the number of stores before it.
        let mut before = m.lit(3, 0);
        let stores = [
            (marked.valid, marked.get("block")),
            in_place(&slots[0]),
            in_place(&slots[1]),
            in_place(arriving),
        ];
        let mut here = Vec::new();
        for (valid, of) in stores {
            here.push(valid & before.eq(chosen - merged) & of.eq(block));
            before = before + valid.zero_extend(3);
        }
        let counted = (accepted + comes.zero_extend(3)).eq(merged + before);
        invariant(m, "stores_inside", counted, "Stores are counted.");
        let is_newest = arriving.valid & arriving.request.pack().eq(self.accepted.pack());
        invariant(m, "newest", !self.accepts | is_newest, "What came is the newest.");
        invariant(m, "followed_store", !waits | any_of(here), "The followed store is here.");
    }

    /// The registers of requests, the one that is looked at first.
    fn slots(&self, probes: &Probes, registers: [&Place<'m>; 2]) -> ([Place<'m>; 2], Reads<'m>) {
        let Self { m, p, .. } = self;
        let signal = |name: &str| probes.signal(m, name, 1);
        let second = signal("request_is_second");
        let [first, other] = registers;
        let in_turn = |turn: Signal<'m>| Place {
            valid: turn.mux(other.valid, first.valid),
            request: other.request.or_where_not(turn, &first.request),
        };
        let slots = [in_turn(second), in_turn(!second)];
        let loads = signal("request_loads");
        let in_order = (slots[0].valid | !slots[1].valid)
            & (loads ^ second).eq(slots[0].valid & !slots[1].valid);
        invariant(
            m,
            "requests_in_order",
            in_order,
            "The register that is looked at was loaded first.",
        );
        let is_read = slots[0].is(Op::Read);
        let (compares, is_known) = (signal("compares"), signal("is_known"));
        let once = (!(compares | is_known) | is_read) & !(compares & is_known);
        invariant(m, "read_is_compared", once, "A read is compared, once.");
        let is_dirty = !compares | signal("is_hit");
        invariant(m, "read_is_dirty", is_dirty, "A block that is compared is dirty.");
        let dirty_bytes = probes.signal(m, "dirty_bytes", p.block_bytes);
        (slots, Reads { compares, is_known, is_covered: signal("is_covered"), dirty_bytes })
    }
}
