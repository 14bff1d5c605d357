//! The stages hold the requests that are remembered.

use super::super::monitor::Progress;
use super::super::{set_of, tag_of};
use super::rows::Set;
use super::{Inside, Places};
use crate::hmg_directory::circuit::{used_later, victim_may_be_in_flight};
use crate::kit::*;

impl<'m> Inside<'_, 'm> {
    pub(super) fn stages_hold_requests(&self) {
        let first = self.places.stage(1);
        let expected = self.stage1.remembered(self.p, self.monitor.chosen_set);
        let same = first.request.pack().eq(expected.pack());
        self.invariant("stage1", !first.valid | same, "Stage 1 holds its request.");
        for stage in 2..=4 {
            let place = self.places.stage(stage);
            let same = self.holds(self.decoded(stage), &place.request);
            let doc = format!("Stage {stage} holds its request, decoded.");
            self.invariant(&format!("stage{stage}"), !place.valid | same, &doc);
        }
    }

    fn holds(&self, stage: &Record<'m>, request: &Record<'m>) -> Signal<'m> {
        let here = set_of(self.p, stage.get("block")).eq(self.monitor.chosen_set);
        let (error, source) = (request.get("error"), stage.get("source"));
        let mut same = vec![
            request.get("tag").eq(tag_of(self.p, stage.get("block"))),
            error | request.get("source").eq(source),
            // One bit at most.
            error | !(source & (source - 1)).any(),
        ];
        let mut other = error;
        for name in ["load", "store", "invalidate", "downgrade"] {
            let is_it = stage.get(name);
            same.extend([request.get(name).eq(is_it & here), !(is_it & other)]);
            other = other | is_it;
        }
        same.push(request.get("release").eq(!other));
        self.all(&same)
    }
}

// Errors under way are those that are remembered, and raised before their answers.

impl Inside<'_, '_> {
    pub(super) fn errors_are_raised(&self, probes: &Probes) {
        let (m, monitor) = (self.m, self.monitor);
        let raised = probes.signal(m, "error_raised", 1);
        let first = self.places.stage(1).valid & self.stage1.error;
        let due = [(raised, probes.signal(m, "error_kind", 3)), (first, self.stage1.code)];
        let mut older = m.lit(4, 0);
        let mut same = Vec::new();
        for (there, code) in due {
            same.push(!there | monitor.errors.at(older).get("code").eq(code));
            older = older + there.zero_extend(4);
        }
        same.push(monitor.errors.count().eq(older));
        self.invariant("errors", self.all(&same), "Errors to be raised are remembered.");

        let places = self.places.all().take(Places::BEHIND_STAGE_1);
        let left = count_of(places.map(|place| place.valid & place.request.get("error")), 4);
        let same = left.eq(monitor.unanswered + raised.zero_extend(4));
        self.invariant("errors_unanswered", same, "Behind stage 1, errors have been raised.");
        let second = self.places.stage(2);
        let kept = !raised | (second.valid & second.request.get("error"));
        self.invariant("error_raised", kept, "An error is raised as stage 2 gets its request.");
    }
}

// Why what is due happens in time.

impl Inside<'_, '_> {
    /// While rows are cleared there is nothing else.
    pub(super) fn clearing_is_quiet(&self, probes: &Probes) {
        let next = probes.signal(self.m, "clear_next", self.p.index_bits() + 1);
        let mut quiet: Vec<_> = self.places.all().map(|place| !place.valid).collect();
        quiet.extend(self.monitor.held.0.iter().map(|nodes| !nodes.any()));
        for (number, set) in (0u64..).zip(&self.sets.0) {
            let valid = self.ways(set).map(|way| way.valid);
            let recency = self.recency(set).map(|recency| recency.any());
            let any = valid.chain(recency).reduce(|a, b| a | b);
            quiet.push(next.le(number) | !any.expect("a way"));
        }
        let kept = next.bit(self.p.index_bits()) | self.all(&quiet);
        self.invariant("clearing", kept, "While rows are cleared there is nothing else.");
        let clearing = self.monitor.progress.clearing;
        let width = clearing.width().max(next.width());
        let each_clock = clearing.zero_extend(width).le(next.zero_extend(width));
        let kept = each_clock & next.le(u64::from(self.p.sets));
        self.invariant("cleared", kept, "A row is cleared each clock, to the last.");
    }

    /// While `inv` and `resp` are taken, buffers become empty and requests move on.
    pub(super) fn requests_move_on(&self) {
        let Progress { refusing, waiting, .. } = self.monitor.progress;
        let emptied = [refusing, waiting].map(|clocks| {
            (clocks.lt(1) | !self.answer.valid[1]) & (clocks.lt(2) | !self.effect.valid[1])
        });
        let kept = self.all(&emptied) & refusing.le(2);
        self.invariant("emptied", kept, "Second places of buffers become empty.");
        let mut oldest = self.m.lit(1, 1);
        let mut moved = Vec::new();
        for (place, ahead) in self.places.all().zip((0..8u64).rev()) {
            moved.push(!(oldest & place.valid) | waiting.le(ahead));
            oldest = oldest & !place.valid;
        }
        // With nothing to answer, nothing waits.
        moved.push(!oldest | waiting.le(0));
        self.invariant("moved", self.all(&moved), "The oldest request moves on each clock.");
    }
}

// What the stages know of the tags that the RAMs hold.

impl<'m> Inside<'_, 'm> {
    /// Of each way, whether the RAM holds the tag of the request is known in every stage, be it by
    /// the tag that was read or by what filled the way since; and the tag of a victim is the RAM's.
    pub(super) fn tags_are_known(&self, probes: &Probes) {
        let (m, p) = (self.m, self.p);
        let bit = |name: &str| probes.signal(m, name, 1);
        let ways = |name: &str| probes.signal(m, name, p.ways);
        let tag = |name: &str| probes.signal(m, name, p.tag_bits());
        let forwarded = victim_may_be_in_flight(p).then(|| tag("stage5_tag"));
        let compared = forwarded.is_none().then(|| {
            let of_stage2 = bit("stage2_tag_in_stage5");
            (ways("stage3_read_filled"), bit("stage3_read_same_tag"), of_stage2)
        });
        let (filled2, filled3) = (ways("stage2_filled"), ways("stage3_filled"));
        let (same3, same4) = (bit("stage3_tag_in_stage5"), ways("stage4_same_tag"));
        let sets = [2, 3, 4].map(|stage| self.sets.of(self.set_in(stage)));
        let mut kept = [Vec::new(), Vec::new(), Vec::new()];
        for way in 0..p.ways {
            let second = tag(&format!("way{way}_tag_read"));
            let [third, fourth] = [3, 4].map(|stage| tag(&format!("stage{stage}_way{way}_tag")));
            let now = [2, 3, 4].map(|stage| sets[stage - 2].tags[way as usize]);
            let is = [2, 3, 4].map(|stage| now[stage - 2].eq(self.tag_in(stage)));
            let (filled2, filled3) = (filled2.bit(way), filled3.bit(way));
            kept[1].push(!filled3 | same3.eq(is[1]));
            kept[2].push(same4.bit(way).eq(is[2]));
            if let Some(newer) = forwarded {
                kept[0].push(filled2.mux(newer, second).eq(now[0]));
                kept[1].push(filled3.mux(newer, third).eq(now[1]));
                kept[2].push(fourth.eq(now[2]));
            }
            if let Some((filled, same, same2)) = compared {
                let filled = filled.bit(way);
                kept[0].push(filled2.mux(same2.eq(is[0]), second.eq(now[0])));
                kept[1].push(filled3 | filled.mux(same.eq(is[1]), third.eq(now[1])));
                // A way filled lately was used lately, and is no victim of four.
                let later = |stage: usize| self.used_later(&sets[stage - 2], way);
                kept[0].push(!filled2 | later(2).lt(1));
                kept[1].push((!filled3 | later(3).lt(1)) & (!filled | later(3).lt(2)));
                kept[2].push(fourth.eq(now[2]) | later(4).lt(3));
            }
        }
        for (stage, kept) in (2..=4).zip(kept) {
            let kept = !self.places.stage(stage).valid | self.all(&kept);
            let doc = format!("Stage {stage} knows which ways have its tag in the RAM.");
            self.invariant(&format!("stage{stage}_tags"), kept, &doc);
        }
    }

    /// How many ways of a set were used later than one.
    fn used_later(&self, set: &Set<'m>, way: u32) -> Signal<'m> {
        let recency = self.recency(set).expect("four ways or more");
        count_of(used_later(self.p, recency, way), 8)
    }
}
