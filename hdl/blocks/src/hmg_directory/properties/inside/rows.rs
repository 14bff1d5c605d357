//! What the RAMs hold, and what of it the stages have.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::super::{set_of, tag_of};
use super::Inside;
use crate::hmg_directory::circuit::{recency_is_sound, row_fields};
use crate::hmg_directory::params::Params;
use crate::properties::Probes;

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
    /// Whoever has read a set has what the RAMs hold by now.
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

    /// The recency of a set, if it has any.
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
