//! Invariants about the circuit's registers: which places have a block, and where the followed store is until it is
//! merged.

use super::{Followed, Monitor};
use crate::kit::*;
use crate::qr_write_cache::channels::Op;

/// The registers of requests, the one that is looked at first.
struct Slots<'m> {
    valid: [Signal<'m>; 2],
    is_store: [Signal<'m>; 2],
    block: [Signal<'m>; 2],
}

impl<'m> Monitor<'_, 'm> {
    pub(super) fn inside(&self, probes: &Probes, followed: &Followed<'m>) {
        let blocks = ["request0_block", "request1_block", "drain_block"]
            .map(|name| probes.signal(self.m, name, self.p.block_bits));
        let valid = ["request0_valid", "request1_valid", "drain_valid"]
            .map(|name| probes.signal(self.m, name, 1));
        self.places(probes, valid, blocks);
        let slots = self.slots(probes, [valid[0], valid[1]], [blocks[0], blocks[1]]);
        self.stores(&slots, followed);
    }

    /// A place is compared with requests and with the entry that drains as its block is now; no block is twice.
    fn places(&self, probes: &Probes, valid: [Signal<'m>; 3], blocks: [Signal<'m>; 3]) {
        let Self { m, p, .. } = self;
        let signal = |name: &str, width| probes.signal(m, name, width);
        let places: Vec<_> = (0..p.blocks())
            .map(|place| {
                let of = |name: &str, width| signal(&format!("entry{place}.{name}"), width);
                let set = m.lit(p.set_bits(), u64::from(place / p.ways));
                (of("is_dirty", 1), of("block_tag", p.tag_bits()).concat(set))
            })
            .collect();
        let compared = ["is_request0", "is_request1", "is_drained"];
        for ((valid, block), compared) in valid.into_iter().zip(blocks).zip(compared) {
            let as_is = (0..).zip(&places).map(|(place, (dirty, of)): (u32, _)| {
                let found = signal(&format!("entry{place}.{compared}"), 1);
                !(valid & *dirty) | found.eq(block.eq(*of))
            });
            let as_is: Vec<_> = as_is.collect();
            invariant(
                m,
                compared,
                all_of(m, &as_is),
                "It was compared with the block that is here.",
            );
        }
        let twice = places
            .iter()
            .enumerate()
            .flat_map(|(i, a)| places[i + 1..].iter().map(move |b| !(a.0 & b.0 & a.1.eq(b.1))));
        invariant(
            m,
            "no_block_twice",
            all_of(m, &twice.collect::<Vec<_>>()),
            "No block is in two places.",
        );
    }

    /// Stores that are accepted and not merged are in the registers of requests, the oldest first.
    fn stores(&self, slots: &Slots<'m>, followed: &Followed<'m>) {
        let Self { m, marked, .. } = self;
        let Followed { comes, came, accepted, merged, chosen, waits, block } = *followed;
        let waiting: Vec<_> = (0..2).map(|i| slots.valid[i] & slots.is_store[i]).collect();
        let [shown, first, second] =
            [marked.valid, waiting[0], waiting[1]].map(|bit| bit.zero_extend(3));
        let inside = shown + first + second;
        let counted = (accepted + comes.zero_extend(3)).eq(merged + inside);
        invariant(m, "stores_inside", counted, "Stores are counted.");
        let newest = slots.valid[1].mux(slots.block[1], slots.block[0]);
        let is_newest = slots.valid[1].mux(waiting[1], waiting[0]) & newest.eq(came);
        invariant(m, "newest_store", !comes | is_newest, "The store that came is the newest.");
        // How many are before the followed one.
        let before = chosen - merged;
        let places = [
            (marked.valid, m.lit(3, 0), marked.get("block")),
            (waiting[0], shown, slots.block[0]),
            (waiting[1], shown + first, slots.block[1]),
        ];
        let here = places.map(|(valid, number, of)| valid & number.eq(before) & of.eq(block));
        invariant(m, "followed_store", !waits | any_of(here), "The followed store is here.");
    }

    fn slots(&self, probes: &Probes, valid: [Signal<'m>; 2], blocks: [Signal<'m>; 2]) -> Slots<'m> {
        let m = self.m;
        let signal = |name: &str, width| probes.signal(m, name, width);
        let second = signal("request_is_second", 1);
        let in_turn = |of: [Signal<'m>; 2]| [second.mux(of[1], of[0]), second.mux(of[0], of[1])];
        let of = |name: &str, width| [0, 1].map(|i| signal(&format!("request{i}_{name}"), width));
        let valid = in_turn(valid);
        let loads = signal("request_loads", 1);
        let in_order = (valid[0] | !valid[1]) & (loads ^ second).eq(valid[0] & !valid[1]);
        invariant(
            m,
            "requests_in_order",
            in_order,
            "The register that is looked at was loaded first.",
        );
        let is_store = in_turn(of("op", 2)).map(|op| op.eq(Op::Store as u64));
        Slots { valid, is_store, block: in_turn(blocks) }
    }
}
