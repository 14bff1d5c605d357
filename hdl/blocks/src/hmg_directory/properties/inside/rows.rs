//! What the RAM holds, and what of it the stages have.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::super::{set_of, tag_of};
use super::Inside;
use crate::hmg_directory::circuit::{recency_is_sound, row_fields};
use crate::hmg_directory::params::Params;
use crate::properties::Probes;

/// The rows of the RAM.
pub(super) struct Rows<'m>(pub Vec<Signal<'m>>);

impl<'m> Rows<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes) -> Self {
        let width = row_fields(p).width();
        Self((0..p.sets).map(|set| probes.row(m, "rows", set, width)).collect())
    }

    /// The row of a set.
    pub fn of(&self, set: Signal<'m>) -> Signal<'m> {
        one_hot::select(one_hot::decode(set, self.0.len() as u32), &self.0)
    }
}

impl<'m> Inside<'_, 'm> {
    /// Whoever has read a row has what the RAM holds by now.
    pub(super) fn rows_are_forwarded(&self, probes: &Probes) {
        let (m, p) = (self.m, self.p);
        let row = |name: &str| probes.signal(m, name, row_fields(p).width());
        let bit = |name: &str| probes.signal(m, name, 1);
        let stage5 = row("stage5_row");
        let rows = [
            bit("stage2_set_in_stage5").mux(stage5, row("row_read")),
            bit("stage3_set_in_stage5").mux(stage5, row("stage3_read")),
            row("stage4_row"),
        ];
        for (stage, row) in (2..=4).zip(rows) {
            let same = row.eq(self.rows.of(self.set_in(stage)));
            let name = format!("stage{stage}_row");
            let kept = !self.places.stage(stage).valid | same;
            self.invariant(&name, kept, &format!("Stage {stage} has its row as the RAM holds it."));
        }

        let [third, fourth] = [3, 4].map(|stage| self.places.stage(stage).valid);
        let same_set = bit("stage3_set_in_stage4").eq(fourth & self.set_in(3).eq(self.set_in(4)));
        let same_tag = bit("stage3_tag_in_stage4").eq(self.tag_in(3).eq(self.tag_in(4)));
        let kept = !third | (same_set & (!fourth | same_tag));
        self.invariant("stage3_compared", kept, "What was compared one stage before.");
        let hits = self.ways(rows[2]).map(|way| way.valid & way.tag.eq(self.tag_in(4)));
        let hits = m.concat_low_first(&hits.collect::<Vec<_>>());
        let same = probes.signal(m, "stage4_hits", p.ways).eq(hits);
        self.invariant("stage4_hits", !fourth | same, "Stage 4 knows which way it hits.");
    }

    /// A row has entries with sharers, each of another block, and a recency that names a victim.
    pub(super) fn rows_are_sound(&self) {
        let mut sound = Vec::new();
        for row in &self.rows.0 {
            let ways: Vec<_> = self.ways(*row).collect();
            for (number, way) in ways.iter().enumerate() {
                sound.push(!way.valid | way.sharers.any());
                let others = ways[..number].iter();
                sound.extend(others.map(|o| !(way.valid & o.valid & way.tag.eq(o.tag))));
            }
            let fields = row_fields(self.p);
            if fields.position("recency").is_some() {
                let recency = Record::unpack(&fields, *row).get("recency");
                sound.push(recency_is_sound(self.m, self.p, recency));
            }
        }
        let kept = !self.monitor.init_done | self.all(&sound);
        self.invariant("rows", kept, "Entries have sharers and blocks of their own.");
    }

    /// The set of the request in stage 2, 3 or 4.
    pub(super) fn set_in(&self, stage: usize) -> Signal<'m> {
        set_of(self.p, self.decoded(stage).get("block"))
    }

    fn tag_in(&self, stage: usize) -> Signal<'m> {
        tag_of(self.p, self.decoded(stage).get("block"))
    }

    pub(super) fn ways(&self, row: Signal<'m>) -> impl Iterator<Item = Way<'m>> {
        let row = Record::unpack(&row_fields(self.p), row);
        (0..self.p.ways).map(move |way| {
            let [valid, sharers, tag] =
                ["valid", "sharers", "tag"].map(|field| row.get(&format!("way{way}_{field}")));
            Way { valid, sharers, tag }
        })
    }
}

/// An entry of a row.
pub(super) struct Way<'m> {
    pub valid: Signal<'m>,
    pub sharers: Signal<'m>,
    pub tag: Signal<'m>,
}
