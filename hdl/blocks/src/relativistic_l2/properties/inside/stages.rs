//! Stages 4 and 5 have found their block, and know when its lease would end.

use super::Inside;
use crate::kit::*;
use crate::relativistic_l2::channels::Action;
use crate::relativistic_l2::circuit::{state, way_fields};

impl<'m> Inside<'_, 'm> {
    fn found(&self, stage: u32) -> (Signal<'m>, Record<'m>) {
        let p = self.p;
        let hits = self.probes.signal(self.m, &format!("stage{stage}_hits"), p.ways);
        let fields = self.probes.record(self.m, &format!("stage{stage}_found_"), &way_fields(p));
        (hits, fields)
    }

    /// The way that has the block is known, with what the RAMs hold of it.
    pub(super) fn blocks_are_found(&self) {
        for number in [4, 5] {
            let stage = &self.stages[number as usize - 1];
            let ram = self.rams.of(stage.set(self.p));
            let (hits, found) = self.found(number);
            let needed = stage.is(Action::Request) | stage.is_fill();
            let same = found.pack().eq(ram.way(hits).pack());
            let kept = [!needed | hits.eq(self.hits(stage, &ram)), !(needed & hits.any()) | same];
            let doc = format!("Stage {number} has found its block.");
            self.invariant(&format!("stage{number}_found"), &kept, &doc);
            if number == 5 {
                self.fill_is_timed(&found);
            }
        }
    }

    fn fill_is_timed(&self, found: &Record<'m>) {
        let (m, p, stage) = (self.m, self.p, &self.stages[4]);
        let timed = self.bit("fill_timed");
        let time = self.probes.signal(m, "fill_time", p.timestamp_bits);
        let (ver, rd) = (found.get("ver"), found.get("exp"));
        let due = if p.faithful { ver } else { ver.gt(rd).mux(ver, rd) };
        let kept = [!timed | (stage.is_fill() & time.eq(due))];
        self.invariant("fill_timed", &kept, "The second clock of a fill knows its time.");
    }

    /// Stage 5 knows when leases at now and at ver would end.
    pub(super) fn leases_end_as_due(&self) {
        let (m, p, stage) = (self.m, self.p, &self.stages[4]);
        let ram = self.rams.of(stage.set(p));
        let way = ram.way(ram.hits(stage.tag(p)));
        let smallest = m.lit(p.timestamp_bits, u64::from(p.lease_min));
        let lease = smallest.shift_left(way.get("k").truncate(p.exponent_bits()));
        let is_end = |name: &str, time: Signal<'m>, lease: Signal<'m>| {
            let end = self.probes.signal(m, &format!("stage5_{name}"), p.timestamp_bits);
            let clipped = self.probes.signal(m, &format!("stage5_{name}_clipped"), 1);
            let wide = |time: Signal<'m>| time.zero_extend(p.timestamp_bits + 1);
            let sum = wide(time) + wide(lease);
            let limit = m.lit(p.timestamp_bits + 1, p.limit());
            let is_late = sum.gt(limit);
            clipped.eq(is_late) & wide(end).eq(is_late.mux(limit, sum))
        };
        let valid = stage.is(Action::Request) & way.get("state").eq(state::V);
        let kept = [
            !valid | is_end("now_end", stage.get("now"), lease),
            !valid | is_end("ver_end", way.get("ver"), lease),
            !stage.is(Action::Request) | is_end("smallest_end", stage.get("now"), smallest),
        ];
        self.invariant("leases", &kept, "Stage 5 knows when leases would end.");
    }
}
