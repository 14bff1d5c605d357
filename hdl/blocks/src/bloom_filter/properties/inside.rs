//! Invariants that make the proof of our own circuit close: what its registers and rows hold, beside what the
//! properties remember.

use super::monitor::Monitor;
use crate::bloom_filter::channels::{Answer, Op};
use crate::bloom_filter::circuit::{index_fields, place, place_fields, request_fields};
use crate::kit::*;

/// The circuit's stages and rows.
struct Inside<'a, 'm> {
    monitor: &'a Monitor<'a, 'm>,
    /// Stages 1 and 2.
    stages: [(Signal<'m>, Record<'m>); 2],
    rows: Vec<Signal<'m>>,
    live: Signal<'m>,
    out: SkidBuffer<'m>,
}

pub(super) fn assert_invariants(monitor: &Monitor<'_, '_>, probes: &Probes) {
    let Monitor { m, p, .. } = *monitor;
    let stage = |name: &str, more: Fields| {
        let valid = probes.signal(m, &format!("{name}_valid"), 1);
        (valid, probes.record(m, &format!("{name}_"), &request_fields(p).and(more)))
    };
    let inside = Inside {
        monitor,
        stages: [stage("stage1", index_fields(p)), stage("stage2", place_fields(p))],
        rows: (0..p.rows()).map(|row| probes.row(m, "rows", row, p.row_bits())).collect(),
        live: probes.signal(m, "live", p.wavefronts),
        out: SkidBuffer::new(m, probes, "out", &Answer::fields(p)),
    };
    inside.queries_are_due();
    inside.rows_are_read(probes);
    inside.bits_are_set();
    inside.answers_are_right();
}

impl<'m> Inside<'_, 'm> {
    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.monitor.m, name, all_of(self.monitor.m, kept), doc);
    }

    fn row(&self, stage: usize) -> Signal<'m> {
        let p = self.monitor.p;
        let number = self.stages[stage].1.get("wavefront").truncate(p.row_number_bits());
        one_hot::select(one_hot::decode(number, p.rows()), &self.rows)
    }

    fn of_chosen(&self, stage: usize) -> Signal<'m> {
        self.stages[stage].1.get("wavefront").eq(self.monitor.chosen.wavefront)
    }

    /// For each sub-array whether a stage's bit is that of the chosen line.
    fn same_bits(&self, stage: usize) -> Signal<'m> {
        let Monitor { m, p, chosen, .. } = self.monitor;
        let get = |name: &str, i: usize| self.stages[stage].1.get(&format!("{name}{i}"));
        let same = |(i, index): (usize, &Signal<'m>)| match stage {
            0 => get("index", i).eq(*index),
            _ => {
                let [low, high] = place(p, *index);
                get("low", i).eq(low) & get("high", i).eq(high)
            }
        };
        column(m, chosen.indices.iter().enumerate().map(same))
    }

    /// For each sub-array the chosen line's bit of a row.
    fn bits_of(&self, row: Signal<'m>) -> Signal<'m> {
        let Monitor { m, p, chosen, .. } = self.monitor;
        let bit = |(i, index): (u32, &Signal<'m>)| {
            row.slice(i * p.bits..(i + 1) * p.bits).shift_right(*index).bit(0)
        };
        column(m, (0..).zip(&chosen.indices).map(bit))
    }

    /// Each query is in the stage in which it is due, and its answer at the output.
    fn queries_are_due(&self) {
        let Monitor { p, stages, waiting, .. } = self.monitor;
        let mut kept = Vec::new();
        for (stage, (due, (valid, fields))) in stages.iter().zip(&self.stages).enumerate() {
            let op = fields.get("op");
            let is_query = *valid & op.eq(Op::Query as u64);
            let due = due.get();
            kept.push(is_query.eq(due.get("valid")));
            let chosen = self.of_chosen(stage) & self.same_bits(stage).all();
            kept.push(!(due.get("valid") & due.get("chosen")) | chosen);
            let there_is = fields.get("wavefront").lt(p.wavefronts);
            kept.push(!*valid | is_query | there_is | op.eq(Op::ClearAll as u64));
        }
        let [first, second] = self.out.valid;
        kept.extend([first.eq(waiting.any()), second.eq(waiting.full())]);
        kept.push(waiting.in_order());
        let (valid, fields) = &self.stages[1];
        for half in place_fields(p).iter().map(|field| fields.get(&field.name)) {
            kept.push(!*valid | (half.any() & (half & (half - 1)).eq(0)));
        }
        self.invariant("due", &kept, "Queries are where they are due.");
    }

    /// Rows and valid bits in the stages are those that are kept.
    fn rows_are_read(&self, probes: &Probes) {
        let Monitor { m, p, .. } = self.monitor;
        let row = |name: &str| probes.signal(m, name, p.row_bits());
        let was_written = probes.signal(m, "was_written", 1);
        let stage1_row = was_written.mux(row("row_before"), row("row_read"));
        let stage2_row = row("stage2_row");
        let exists = |stage: usize| self.stages[stage].1.get("wavefront").lt(p.wavefronts);
        let [valid1, valid2] = [0, 1].map(|stage| self.stages[stage].0 & exists(stage));
        let kept = [!valid1 | stage1_row.eq(self.row(0)), !valid2 | stage2_row.eq(self.row(1))];
        self.invariant("read", &kept, "Stages 1 and 2 have the rows of their wavefronts.");
        let wavefront = self.stages[1].1.get("wavefront");
        let live = (one_hot::decode(wavefront, p.wavefronts) & self.live).any();
        let stage2_live = probes.signal(m, "stage2_live", 1);
        let kept = [!self.stages[1].0 | stage2_live.eq(live)];
        self.invariant("live", &kept, "Stage 2 has the valid bit of its wavefront.");
    }

    /// Whether the chosen wavefront's row says something, and in which sub-arrays it has the chosen line's bit: now,
    /// after stage 2, and after stage 1.
    fn states(&self) -> [(Signal<'m>, Signal<'m>); 3] {
        let Monitor { p, chosen, .. } = self.monitor;
        let number = chosen.wavefront.truncate(p.row_number_bits());
        let row = one_hot::select(one_hot::decode(number, p.rows()), &self.rows);
        let live = (one_hot::decode(chosen.wavefront, p.wavefronts) & self.live).any();
        let now = (live, self.bits_of(row).and_where(live));
        let after = |(live, bits): (Signal<'m>, Signal<'m>), stage: usize| {
            let (valid, fields) = &self.stages[stage];
            let op = |op: Op| *valid & fields.get("op").eq(op as u64);
            let inserts = op(Op::Insert) & self.of_chosen(stage);
            let clears = op(Op::ClearAll) | (op(Op::Clear) & self.of_chosen(stage));
            let more = self.same_bits(stage).and_where(inserts);
            ((live | inserts) & !clears, (bits | more).and_where(!clears))
        };
        let after2 = after(now, 1);
        [now, after2, after(after2, 0)]
    }

    /// With what the stages will do, the chosen wavefront's row has the bits of what it has inserted.
    fn bits_are_set(&self) {
        let Monitor { p, chosen, .. } = self.monitor;
        let [.., (live, bits)] = self.states();
        let inserted = !*chosen.inserted | chosen.bits.all();
        let kept = [live.eq(*chosen.inserted_any), bits.eq(*chosen.bits), inserted];
        self.invariant("set", &kept, "The bits that are set are those of what was inserted.");
        let none = *chosen.inserted_any | (chosen.bits.eq(0) & !*chosen.inserted);
        let exists = chosen.wavefront.lt(p.wavefronts) | !*chosen.inserted_any;
        self.invariant("none", &[none, exists], "Nothing is inserted: no bit is set.");
    }

    /// Answers that are due are those of the rows as they will be then, or of the output.
    fn answers_are_right(&self) {
        let Monitor { p, stages, waiting, .. } = self.monitor;
        let [now, after2, _] = self.states();
        let mut kept = Vec::new();
        for (stage, (live, bits)) in [(1, now), (0, after2)] {
            let due = stages[stage].get();
            let of_chosen = due.get("valid") & due.get("chosen");
            kept.push(!of_chosen | due.get("hit").eq(bits.all()));
            kept.push(!(of_chosen & due.get("inserted")) | due.get("hit"));
            let nothing = self.of_chosen(stage) & !live;
            let nobody = self.stages[stage].1.get("wavefront").ge(p.wavefronts);
            kept.push(!(due.get("valid") & due.get("empty")) | nothing | nobody);
        }
        for ((taken, due), data) in waiting.entries().zip(&self.out.data) {
            let hit = data.get("hit");
            let of_chosen = taken & due.get("chosen");
            kept.push(!of_chosen | hit.eq(due.get("hit")));
            kept.push(!(of_chosen & due.get("inserted")) | hit);
            kept.push(!(taken & due.get("empty")) | !hit);
        }
        self.invariant("answers", &kept, "Answers under way are right.");
    }
}
