//! Errors under way are those that are remembered, and raised before their answers.

use super::{Inside, Places};
use crate::properties::Probes;

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
        let left = places.map(|place| (place.valid & place.request.get("error")).zero_extend(4));
        let left = left.reduce(|a, b| a + b).expect("places");
        let same = left.eq(monitor.unanswered + raised.zero_extend(4));
        self.invariant("errors_unanswered", same, "Behind stage 1, errors have been raised.");
        let second = self.places.stage(2);
        let kept = !raised | (second.valid & second.request.get("error"));
        self.invariant("error_raised", kept, "An error is raised as stage 2 gets its request.");
    }
}
