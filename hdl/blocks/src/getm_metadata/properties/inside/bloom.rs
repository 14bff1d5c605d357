//! The Bloom filter: its two copies, and the entries on their way into it.

use super::entries::Entry;
use super::{Doing, Inside, at};
use crate::getm_metadata::params::Params;
use crate::kit::*;

/// An entry on its way into the filter.
pub(super) struct Victim<'m> {
    pub valid: Signal<'m>,
    pub rows: Vec<Signal<'m>>,
    pub times: Record<'m>,
}

pub(super) struct Filter<'m> {
    fields: Fields,
    /// Rows of each way of the copy that is read by insertions, and of that read by lookups.
    insertion: Vec<Vec<Signal<'m>>>,
    lookup: Vec<Vec<Signal<'m>>>,
    /// What makes room, in stage 5.
    pub entry5: Entry<'m>,
    pub victim5: Victim<'m>,
    victim6: Victim<'m>,
    /// What the rows of the entry in stage 6 hold.
    held6: Vec<Signal<'m>>,
}

fn times_fields(p: &Params) -> Fields {
    let time = |fields: Fields, name: &str| fields.with(name, p.timestamp_bits, "of a row");
    time(time(Fields::new(), "wts"), "rts")
}

impl<'m> Filter<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes) -> Self {
        let fields = times_fields(p);
        let copy = |copy: &str| -> Vec<Vec<_>> {
            let way = |way| {
                let memory = format!("bloom{way}_{copy}");
                (0..p.bloom_rows).map(|row| probes.row(m, &memory, row, fields.width())).collect()
            };
            (0..p.bloom_ways).map(way).collect()
        };
        let signal = |name: &str, width| probes.signal(m, name, width);
        let entry5 = Entry::registers(m, p, probes, "stage5_victim", m.lit(1, 1));
        let row5 = |way| signal(&format!("victim_row{way}"), p.bloom_row_bits());
        let row6 = |way| signal(&format!("stage6_victim_row{way}"), p.bloom_row_bits());
        let times5 = pick(&fields, &entry5.metadata);
        let times6 = probes.record(m, "stage6_victim_", &fields);
        let victim5 = Victim {
            valid: signal("stage5_evicts", 1),
            rows: (0..p.bloom_ways).map(row5).collect(),
            times: times5,
        };
        let victim6 = Victim {
            valid: signal("stage6_victim_valid", 1),
            rows: (0..p.bloom_ways).map(row6).collect(),
            times: times6,
        };
        let held6 = |way| signal(&format!("bloom{way}_insertion_read"), fields.width());
        Self {
            insertion: copy("insertion"),
            lookup: copy("lookup"),
            entry5,
            victim5,
            victim6,
            held6: (0..p.bloom_ways).map(held6).collect(),
            fields,
        }
    }

    /// What a row of a way will hold once the entry in stage 6 is in it.
    pub fn row(&self, way: usize, row: Signal<'m>) -> Record<'m> {
        let held = Record::unpack(&self.fields, at(row, &self.insertion[way]));
        self.raise(&self.victim6, way, row, held)
    }

    /// The same, also with the entry in stage 5 if that is in no other place.
    pub fn row_after(&self, state: &Doing<'m>, way: usize, row: Signal<'m>) -> Record<'m> {
        let held = self.row(way, row);
        let raised = self.raise(&self.victim5, way, row, held.clone());
        Record::unpack(&self.fields, state.settle.mux(raised.pack(), held.pack()))
    }

    fn raise(
        &self,
        victim: &Victim<'m>,
        way: usize,
        row: Signal<'m>,
        held: Record<'m>,
    ) -> Record<'m> {
        let maps = victim.valid & victim.rows[way].eq(row);
        record(&self.fields, |time| {
            let (old, new) = (held.get(&time.name), victim.times.get(&time.name));
            (maps & old.lt(new)).mux(new, old)
        })
    }

    pub fn lookup_row(&self, way: usize, row: Signal<'m>) -> Signal<'m> {
        at(row, &self.lookup[way])
    }
}

impl<'m> Inside<'_, 'm> {
    pub(super) fn filter_is_sound(&self) {
        let Self { state, filter, .. } = self;
        let copies = filter.insertion.iter().zip(&filter.lookup).enumerate();
        for (way, (insertion, lookup)) in copies {
            for ((row, a), b) in (0u32..).zip(insertion).zip(lookup) {
                let to_be_cleared = state.clear & state.clear_row.le(row);
                let name = format!("bloom{way}_row{row}");
                self.invariant(&name, to_be_cleared | a.eq(*b), "Both copies are the same.");
            }
            let held = filter.held6[way].eq(at(filter.victim6.rows[way], insertion));
            let name = format!("stage6_bloom{way}");
            self.invariant(&name, !filter.victim6.valid | held, "Stage 6 has read its rows.");
        }
        let quiet = state.run | state.place | state.settle;
        let doc = "Entries go to the filter from stage 5, and at the end of a walk.";
        self.invariant("evicts", quiet | !filter.victim5.valid, doc);
        let idle = state.run & !self.stages[4].valid;
        self.invariant("evicts_nothing", !(idle & filter.victim5.valid), doc);
        let clears = state.clear | (state.settle & state.clearing);
        let none = !filter.victim5.valid & !filter.victim6.valid;
        self.invariant("evicts_before_clear", !clears | none, "No entry is on its way.");
    }
}
