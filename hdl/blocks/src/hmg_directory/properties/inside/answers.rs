//! Answers under way keep the rules, one after the other, and the RAM tracks who holds what after
//! them all.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::record::{Fields, Record};

use super::super::ideal::{Holders, judge, sent_fields};
use super::super::{set_of, tag_of};
use super::rows::Set;
use super::{Inside, Place};
use crate::hmg_directory::channels::response_fields;
use crate::hmg_directory::circuit::{effect_fields, row_fields};
use crate::properties::{Probes, Queue};

/// What an answer under way says, and the invalidation of the chosen set that belongs to it.
struct Saying<'m> {
    flags: Record<'m>,
    sends: Signal<'m>,
    sent: Record<'m>,
}

impl<'m> Inside<'_, 'm> {
    pub(super) fn answers_keep_the_rules(&self, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let set = self.sets.of(monitor.chosen_set);
        let tracked = self.tracked(&set);
        let fields = (0..tracked.0.len()).map(|tag| format!("tag{tag}"));
        let fields = fields.fold(Fields::new(), |f, tag| f.with(&tag, p.sharers(), "its holders"));

        // Who holds what after each of them, from when it leaves stage 4.
        let updated = probes.signal(m, "updated_row", row_fields(p).width());
        let filled = probes.signal(m, "filled_way", p.ways).to_bits();
        let here = self.set_in(4).eq(monitor.chosen_set);
        let tags = filled.into_iter().zip(&set.tags);
        let next = self.tracked(&Set {
            row: here.mux(updated, set.row),
            tags: tags.map(|(fills, tag)| (here & fills).mux(self.tag_in(4), *tag)).collect(),
        });
        let later = Queue::new(m, "held_after", 4, &fields);
        let leaves = self.places.stage(4).valid & self.advance;
        later.set(leaves, &Record::new(&fields, next.0.clone()), monitor.presented);

        let data = probes.signal(m, "effect.in_data", effect_fields(p).width());
        let fourth = self.places.stage(4);
        let (kept, tells) = self.keeps(&tracked, &fourth.request, &self.effect(data), &next);
        let kept = !fourth.valid | (kept & self.effect(data).sends.eq(tells));
        self.invariant("update", kept, "What stage 4 comes to keeps the rules.");

        let (mut older, mut accounted) = (m.lit(3, 0), m.lit(4, 0));
        let mut held = monitor.held.clone();
        let mut step = |place: &Place<'m>, saying: &Saying<'m>| {
            let after = later.at(older);
            let after = Holders(fields.iter().map(|field| after.get(&field.name)).collect());
            let (kept, tells) = self.keeps(&held, &place.request, saying, &after);
            older = older + place.valid.zero_extend(3);
            held = after.or_where_not(place.valid, &held);
            (kept, tells)
        };
        for (i, place) in self.places.answers.iter().enumerate() {
            let (kept, tells) = step(place, &self.answer(i, accounted));
            accounted = accounted + (place.valid & tells).zero_extend(4);
            let kept = !place.valid | kept;
            self.invariant(&format!("answer{i}"), kept, "An answer under way keeps the rules.");
        }
        for (i, place) in self.places.effects.iter().enumerate() {
            let saying = self.effect(self.effect.data[i]);
            let (kept, tells) = step(place, &saying);
            let kept = !place.valid | (kept & saying.sends.eq(tells));
            self.invariant(&format!("effect{i}"), kept, "An effect under way keeps the rules.");
        }
        let same = monitor.sent.count().eq(accounted);
        self.invariant("sent", same, "Each invalidation that has left belongs to an answer.");
        let same = later.count().eq(older) & later.in_order();
        self.invariant("held_after", same, "What each answer under way comes to is remembered.");
        let kept = !monitor.init_done | held.eq(&tracked);
        self.invariant("held", kept, "The RAM tracks who holds what.");
    }

    /// Whether what an answer says keeps the rules and leaves the holders that it should; and whether
    /// an invalidation belongs to it.
    fn keeps(
        &self,
        held: &Holders<'m>,
        request: &Record<'m>,
        saying: &Saying<'m>,
        after: &Holders<'m>,
    ) -> (Signal<'m>, Signal<'m>) {
        let Saying { flags, sends, sent } = saying;
        let judged = judge(self.m, self.p, held, request, flags, (*sends, sent));
        (judged.kept(self.m) & judged.holders.eq(after), judged.tells)
    }

    /// What the answer of a place says; that many invalidations belong to older ones.
    fn answer(&self, place: usize, accounted: Signal<'m>) -> Saying<'m> {
        let sent = &self.monitor.sent;
        let flags = Record::unpack(&response_fields(), self.answer.data[place]);
        Saying { flags, sends: sent.count().gt(accounted), sent: sent.at(accounted) }
    }

    /// What an effect says.
    fn effect(&self, data: Signal<'m>) -> Saying<'m> {
        let data = Record::unpack(&effect_fields(self.p), data);
        let flags = ["hit", "allocated", "evicted"].map(|flag| data.get(flag));
        let (block, sharers) = (data.get("inv_block"), data.get("inv_sharers"));
        Saying {
            flags: Record::new(&response_fields(), flags.to_vec()),
            sends: sharers.any() & set_of(self.p, block).eq(self.monitor.chosen_set),
            sent: Record::new(&sent_fields(self.p), vec![tag_of(self.p, block), sharers]),
        }
    }

    /// For each tag, the sharers that a set tracks.
    fn tracked(&self, set: &Set<'m>) -> Holders<'m> {
        let ways: Vec<_> = self.ways(set).collect();
        let of_tag = |tag: u64| {
            let ways = ways.iter().map(|way| way.sharers.and_where(way.valid & way.tag.eq(tag)));
            ways.reduce(|a, b| a | b).expect("a way")
        };
        Holders((0..1u64 << self.p.tag_bits()).map(of_tag).collect())
    }
}
