//! Requests are in order, and answers that wait tell the ports what is decided.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;

use super::{Buffer, Inside, answer_fields, request_fields};
use crate::getm_metadata::properties::truth::same;

const ECHO: [&str; 5] = ["op", "address", "warp", "warpts", "tag"];

impl<'m> Inside<'_, 'm> {
    pub(super) fn answers_are_right(&self) {
        let Self { m, p, monitor, answers, .. } = self;
        let [first, second] = answers.valid;
        self.invariant(
            "shown",
            !second | (first & monitor.shown),
            "The first answer is shown at once.",
        );
        let waits = monitor.presented | second;
        let fields = answer_fields(p);
        let answer = second.mux(answers.data[1].pack(), answers.data[0].pack());
        let answer = Record::unpack(&fields, answer);

        // Requests from the oldest on.
        let requests = Buffer::new(m, self.probes, "request", &request_fields(p));
        let mut place = m.lit(monitor.in_flight.capacity() + 1, 1);
        let mut pass = |valid: Signal<'m>| {
            let here = place.truncate(monitor.in_flight.capacity());
            place = valid.mux(place.shift_left(m.lit(1, 1)), place);
            monitor.in_flight.select(here)
        };
        let oldest = pass(waits);
        let echoes = same(&oldest, &answer, &ECHO);
        self.invariant("echo", !waits | echoes, "The answer is that of its request.");
        let ordered = self.in_order();
        let entering = (0..2).map(|i| (requests.valid[i], requests.data[i].clone()));
        for (i, (valid, request)) in ordered.into_iter().chain(entering).enumerate() {
            let entry = pass(valid);
            let kept = !valid | request.pack().eq(entry.pack());
            self.invariant(&format!("request{i}"), kept, "Requests are in order.");
        }
        let total = one_hot::decode(monitor.in_flight.count(), place.width()).eq(place);
        self.invariant("in_flight", total, "No request is lost.");
        self.invariant("in_flight_order", monitor.in_flight.in_order(), "Nor is there a gap.");

        // The answer that waits makes the one truth of the other.
        let judged = monitor.truth.judge(p, monitor.chosen, &oldest, &answer);
        for (rule, kept) in &judged.rules {
            let name = format!("answer_{}", rule.name);
            self.invariant(&name, !waits | *kept, "The answer that waits keeps every rule.");
        }
        let told = monitor.truth.or_where(waits, &judged.after);
        for field in told.metadata.fields().iter() {
            let same = told.metadata.get(&field.name).eq(self.truth.metadata.get(&field.name));
            self.invariant(&format!("told_{}", field.name), same, "The ports are told the truth.");
        }
        let same = told.reserved.eq(self.truth.reserved);
        self.invariant("told_reserved", same, "The ports are told the truth.");

        let raised = &monitor.raised;
        let due = waits & judged.error;
        let now = monitor.error.valid;
        let once = due.eq(raised.any() | now) & !(raised.any() & now) & !raised.full();
        self.invariant("raised", once, "Each error is raised once.");
        let code = raised.any().mux(raised.oldest().get("code"), monitor.error.get("code"));
        self.invariant("code", !due | code.eq(judged.code), "An error has its code.");
    }

    /// Stages from the oldest request on: stages 1 to 4 may be on their way round.
    fn in_order(&self) -> Vec<(Signal<'m>, Record<'m>)> {
        let mut ordered = vec![(self.stages[4].valid, self.stages[4].request.clone())];
        let turns = one_hot::decode(self.state.turns, 4);
        for i in 0..4usize {
            // After `k` clocks, what was in stage 4 is in stage `k`.
            let stage = |k: usize| &self.stages[(3 + k + 4 - i) % 4];
            let valid: Vec<_> = (0..4).map(|k| stage(k).valid).collect();
            let request: Vec<_> = (0..4).map(|k| stage(k).request.pack()).collect();
            let request = one_hot::select(turns, &request);
            let request = Record::unpack(&request_fields(self.p), request);
            ordered.push((one_hot::select(turns, &valid), request));
        }
        ordered
    }
}
