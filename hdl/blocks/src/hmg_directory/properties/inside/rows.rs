//! What the RAMs hold, and what of it the stages have.

use super::super::ideal::{Holders, judge, sent_fields};
use super::super::{set_of, tag_of};
use super::{Inside, Place};
use crate::hmg_directory::channels::Response;
use crate::hmg_directory::circuit::{effect_fields, recency_is_sound, row_fields};
use crate::hmg_directory::params::Params;
use crate::kit::*;

/// A set: its row, and the tag of each way.
#[derive(Clone)]
pub(super) struct Set<'m> {
    pub row: Signal<'m>,
    pub tags: Vec<Signal<'m>>,
}

/// The sets, as the RAMs hold them.
pub(super) struct Sets<'m>(pub Vec<Set<'m>>);

impl<'m> Sets<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes) -> Self {
        let tag = |way: u32, set| probes.row(m, &format!("way{way}_tags"), set, p.tag_bits());
        let set = |set| Set {
            row: probes.row(m, "rows", set, row_fields(p).width()),
            tags: (0..p.ways).map(|way| tag(way, set)).collect(),
        };
        Self((0..p.sets).map(set).collect())
    }

    /// The set of that number.
    pub fn of(&self, number: Signal<'m>) -> Set<'m> {
        let chosen = one_hot::decode(number, self.0.len() as u32);
        let of = |value: &dyn Fn(&Set<'m>) -> Signal<'m>| {
            one_hot::select(chosen, &self.0.iter().map(value).collect::<Vec<_>>())
        };
        let ways = self.0[0].tags.len();
        Set { row: of(&|set| set.row), tags: (0..ways).map(|w| of(&|set| set.tags[w])).collect() }
    }
}

impl<'m> Inside<'_, 'm> {
    /// A stage that has read a set has what the RAMs hold by now.
    pub(super) fn sets_are_forwarded(&self, probes: &Probes) {
        let row = |name: &str| probes.signal(self.m, name, row_fields(self.p).width());
        let bit = |name: &str| probes.signal(self.m, name, 1);
        let stage5 = row("stage5_row");
        let rows = [
            bit("stage2_set_in_stage5").mux(stage5, row("row_read")),
            bit("stage3_set_in_stage5").mux(stage5, row("stage3_read")),
            row("stage4_row"),
        ];
        for (stage, row) in (2..=4).zip(rows) {
            let same = row.eq(self.sets.of(self.set_in(stage)).row);
            let name = format!("stage{stage}_row");
            let kept = !self.places.stage(stage).valid | same;
            self.invariant(&name, kept, &format!("Stage {stage} has its row as the RAM holds it."));
        }
        let [third, fourth] = [3, 4].map(|stage| self.places.stage(stage).valid);
        let same_set = bit("stage3_set_in_stage4").eq(fourth & self.set_in(3).eq(self.set_in(4)));
        let same_tag = bit("stage3_tag_in_stage4").eq(self.tag_in(3).eq(self.tag_in(4)));
        let kept = !third | (same_set & (!fourth | same_tag));
        self.invariant("stage3_compared", kept, "What was compared one stage before.");
    }

    pub(super) fn recency(&self, set: &Set<'m>) -> Option<Signal<'m>> {
        let fields = row_fields(self.p);
        fields.position("recency")?;
        Some(Record::unpack(&fields, set.row).get("recency"))
    }

    /// A set has entries with sharers, each of another block, and a recency that names a victim.
    pub(super) fn sets_are_sound(&self) {
        let mut sound = Vec::new();
        for set in &self.sets.0 {
            let ways: Vec<_> = self.ways(set).collect();
            for (number, way) in ways.iter().enumerate() {
                sound.push(!way.valid | way.sharers.any());
                let others = ways[..number].iter();
                sound.extend(others.map(|o| !(way.valid & o.valid & way.tag.eq(o.tag))));
            }
            let recency = self.recency(set);
            sound.extend(recency.map(|recency| recency_is_sound(self.m, self.p, recency)));
        }
        let kept = !self.monitor.init_done | self.all(&sound);
        self.invariant("rows", kept, "Entries have sharers and blocks of their own.");
    }

    /// The set of the request in stage 2, 3 or 4.
    pub(super) fn set_in(&self, stage: usize) -> Signal<'m> {
        set_of(self.p, self.decoded(stage).get("block"))
    }

    pub(super) fn tag_in(&self, stage: usize) -> Signal<'m> {
        tag_of(self.p, self.decoded(stage).get("block"))
    }

    pub(super) fn ways(&self, set: &Set<'m>) -> impl Iterator<Item = Way<'m>> {
        let row = Record::unpack(&row_fields(self.p), set.row);
        (0..).zip(set.tags.clone()).map(move |(way, tag): (u32, _)| {
            let [valid, sharers] =
                ["valid", "sharers"].map(|field| row.get(&format!("way{way}_{field}")));
            Way { valid, sharers, tag }
        })
    }
}

/// An entry of a set.
pub(super) struct Way<'m> {
    pub valid: Signal<'m>,
    pub sharers: Signal<'m>,
    pub tag: Signal<'m>,
}

// Answers under way keep the rules, one after the other, and the RAM tracks the holders after them all.

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

        // The holders after each of them, from when it leaves stage 4.
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
        let data = Record::unpack(&effect_fields(p), data);
        let fourth = self.places.stage(4);
        let (kept, tells) = self.keeps(&tracked, &fourth.request, &self.effect(&data), &next);
        let kept = !fourth.valid | (kept & self.effect(&data).sends.eq(tells));
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
            let saying = self.effect(&self.effect.data[i]);
            let (kept, tells) = step(place, &saying);
            let kept = !place.valid | (kept & saying.sends.eq(tells));
            self.invariant(&format!("effect{i}"), kept, "An effect under way keeps the rules.");
        }
        let same = monitor.sent.count().eq(accounted);
        self.invariant("sent", same, "Each invalidation that has left belongs to an answer.");
        let same = later.count().eq(older) & later.in_order();
        self.invariant("held_after", same, "What each answer under way comes to is remembered.");
        let kept = !monitor.init_done | held.eq(&tracked);
        self.invariant("held", kept, "The RAM tracks the holders.");
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
        let flags = self.answer.data[place].clone();
        Saying { flags, sends: sent.count().gt(accounted), sent: sent.at(accounted) }
    }

    /// What an effect says.
    fn effect(&self, data: &Record<'m>) -> Saying<'m> {
        let (block, sharers) = (data.get("inv_block"), data.get("inv_sharers"));
        Saying {
            flags: pick(&Response::fields(self.p), data),
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
