//! The stages hold the requests that are remembered.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::record::Record;

use super::super::{set_of, tag_of};
use super::Inside;

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
