//! Errors under way are those that are remembered, and raised before their answers.

use super::Inside;
use crate::properties::Probes;

impl Inside<'_, '_> {
    pub(super) fn errors_are_raised(&self, probes: &Probes) {
        let (m, monitor) = (self.m, self.monitor);
        let raised = probes.signal(m, "error_raised", 1);
        let mut due = vec![(raised, probes.signal(m, "error_kind", 3))];
        for stage in [4, 3, 2] {
            let decoded = self.decoded(stage);
            let valid = self.places.stage(stage).valid & decoded.get("error");
            due.push((valid, decoded.get("error_code")));
        }
        due.push((self.places.stage(1).valid & self.stage1.error, self.stage1.code));
        let mut older = m.lit(4, 0);
        let mut same = Vec::new();
        for (there, code) in due {
            same.push(!there | monitor.errors.at(older).get("code").eq(code));
            older = older + there.zero_extend(4);
        }
        same.push(monitor.errors.count().eq(older));
        self.invariant("errors", self.all(&same), "Errors to be raised are remembered.");

        let left = self.places.answers.iter().chain(&self.places.effects);
        let left = left.map(|place| (place.valid & place.request.get("error")).zero_extend(4));
        let left = left.reduce(|a, b| a + b).expect("places");
        let same = left.eq(monitor.unanswered + raised.zero_extend(4));
        self.invariant("errors_unanswered", same, "Behind stage 4, errors have been raised.");
        let [first, second] = &self.places.effects;
        let youngest = second.request.or_where_not(second.valid, &first.request);
        let kept = !raised | (first.valid & youngest.get("error"));
        self.invariant("error_raised", kept, "An error is raised as its effect comes.");
    }
}
