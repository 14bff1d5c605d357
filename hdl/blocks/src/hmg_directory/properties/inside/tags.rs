//! What the stages know of the tags that the RAMs hold.

use warpsmith_rtl::Signal;

use super::Inside;
use super::rows::Set;
use crate::hmg_directory::circuit::{used_later, victim_may_be_in_flight};
use crate::properties::Probes;

impl<'m> Inside<'_, 'm> {
    /// Of each way, whether the RAM holds the tag of the request is known in every stage, be it by
    /// the tag that was read or by who filled the way since; and the tag of a victim is the RAM's.
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
                // Who was filled lately was used lately, and is no victim of four.
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
        let later = used_later(self.p, recency, way).map(|later| later.zero_extend(8));
        later.reduce(|a, b| a + b).expect("four ways or more")
    }
}
