//! The queue and the stages hold the requests that are remembered, in their order; roll-overs meet none.

use super::Inside;
use crate::kit::*;
use crate::relativistic_l2::channels::{Action, Misuse};
use crate::relativistic_l2::circuit::{QUEUE_ENTRIES, request_fields};

impl<'m> Inside<'_, 'm> {
    /// Requests in the queue, and the one that is shown in this clock, are remembered.
    pub(super) fn requests_are_remembered(&self) {
        let (m, p) = (self.m, self.p);
        let requests = &self.monitor.requests;
        let bits = QUEUE_ENTRIES.ilog2();
        let pointer = |name: &str| self.probes.signal(m, name, bits + 1);
        let [tail, head, take] = ["queue_tail", "queue_head", "queue_take"].map(pointer);
        let shown = self.shown;
        let held = tail - head;
        let count = held + shown.zero_extend(bits + 1);
        let width = requests.count().width().max(bits + 1);
        let same = requests.count().zero_extend(width).eq(count.zero_extend(width));
        let fits = held.le(QUEUE_ENTRIES) & (take - head).le(held);
        let kept = [requests.in_order(), same, fits];
        self.invariant("queue", &kept, "Requests in the queue are remembered.");

        for row in 0..QUEUE_ENTRIES {
            let entry = self.probes.row(m, "requests", row, request_fields(p).width());
            let place = m.lit(bits, row.into()) - head.truncate(bits);
            let place = place.zero_extend(bits + 1);
            let remembered = requests.at(place + shown.zero_extend(bits + 1));
            let kept = !place.lt(held) | entry.eq(remembered.pack());
            let doc = "The queue holds requests as they came.";
            self.invariant(&format!("queue_row{row}"), &[kept], doc);
        }

        let sound = requests.entries().map(|(taken, request)| !taken | self.is_sound(&request));
        self.invariant("sound", &sound.collect::<Vec<_>>(), "Requests are what they can be.");

        let in_stages = self.stages.iter().map(|stage| stage.is(Action::Request));
        let in_stages = count_of(in_stages, bits + 1);
        self.invariant("taken", &[in_stages.eq(take - head)], "The stages hold what has entered.");
        self.shown_as_remembered(shown);
    }

    /// A request is one of all kinds; a good one is of a core that there is, with a lease that can be.
    fn is_sound(&self, request: &Record<'m>) -> Signal<'m> {
        let p = self.p;
        let kinds = ["gets", "write", "atomic", "bad"].map(|kind| request.get(kind));
        let good = request.get("core").lt(p.cores);
        let lease = !request.get("gets") | request.get("exp").le(p.limit());
        count_of(kinds, 3).eq(1) & (request.get("bad") | (good & lease))
    }

    fn shown_as_remembered(&self, shown: Signal<'m>) {
        let (m, p) = (self.m, self.p);
        let action = self.probes.signal(m, "shown_action", 2);
        let address = self.probes.signal(m, "shown_address", p.address_bits);
        let issued = self.issued;
        let raised = self.bit("error_raised");
        let kind = self.probes.signal(m, "error_kind", 3);
        let oldest = self.monitor.requests.oldest();
        let is = |of: Action| issued & action.eq(of as u64);
        let code = |misuse: Misuse| kind.eq(misuse as u64);
        let block = oldest.get("block").concat(m.lit(p.offset_bits(), 0));
        let bad = raised & kind.eq(oldest.get("code"));
        let good = !raised | (oldest.get("gets") & code(Misuse::SecondGets));
        let kept = [
            is(Action::Request).eq(shown),
            !shown | address.eq(block),
            !shown | oldest.get("bad").mux(bad, good),
            !is(Action::Fill) | !raised | code(Misuse::NothingFetched),
            !is(Action::Roll) | !raised | code(Misuse::RequestInside),
            !raised | issued,
        ];
        self.invariant("shown", &kept, "What is shown is remembered, and raises its error.");
    }

    pub(super) fn stages_hold_requests(&self) {
        let p = self.p;
        let shown = self.shown;
        let requests = &self.monitor.requests;
        let mut older = shown.zero_extend(4);
        for (number, stage) in self.stages.iter().enumerate().rev() {
            let number = number + 1;
            let is_request = stage.is(Action::Request);
            let remembered = requests.at(older);
            let same = pick(&request_fields(p), &stage.event).pack().eq(remembered.pack());
            older = older + is_request.zero_extend(4);
            let other = !stage.get("gets") & !stage.get("write") & !stage.get("atomic");
            let roll = !stage.is(Action::Roll) | stage.get("bad");
            let exists = stage.get("action").ne(3);
            let mut kept = vec![
                !is_request | same,
                !stage.valid | is_request | other,
                !stage.valid | (roll & exists),
            ];
            if number > 1 {
                let code = stage.get("code");
                let of_fill = code.eq(Misuse::NothingFetched as u64) | !stage.get("bad");
                let of_roll = code.eq(Misuse::RequestInside as u64);
                kept.push(!stage.is(Action::Fill) | of_fill);
                kept.push(!stage.is(Action::Roll) | of_roll);
            }
            let doc = format!("Stage {number} holds its request.");
            self.invariant(&format!("stage{number}"), &kept, &doc);
        }
    }

    /// During a roll-over there is no request in the stages, and during its walk nothing at all.
    pub(super) fn roll_overs_are_quiet(&self) {
        let p = self.p;
        let bad = self.bit("roll_bad");
        let [wanted_due, wanted, ended] =
            ["wanted_due", "roll_wanted", "time_ended"].map(|name| self.bit(name));
        let cleared_due = self.cleared_due;
        let shown = self.shown;
        let any_request = any_of(self.stages.iter().map(|stage| stage.is(Action::Request)));
        let any = any_of(self.stages.iter().map(|stage| stage.valid));
        let any_answer = self.leaving | self.answers.valid[0];
        let walking = !self.walk.bit(p.set_bits());
        let rolls = walking & self.initialised;
        let quiet = !any & !any_answer & !self.busy.any() & !ended & !self.write.writes;
        let shows_roll = self.monitor.shows(Action::Roll) & !self.monitor.error.valid;
        let kept = [
            !(self.pending & bad),
            !self.pending | !(any_request | shown),
            !rolls | (self.pending & !cleared_due & quiet),
            !cleared_due | (self.pending & quiet & !walking),
            self.initialised | (walking & quiet & !self.pending & !bad & !wanted_due & !wanted),
            self.initialised | (!shown & !self.issued & !cleared_due),
            self.initialised | !self.monitor.requests.any(),
            self.walk.le(p.sets),
            self.initialised.eq(self.monitor.init_done),
            self.monitor.rolling.eq(self.pending & (!cleared_due | shows_roll)),
            !shows_roll | cleared_due,
        ];
        let shows_bad = self.monitor.shows(Action::Roll) & self.monitor.error.valid;
        let in_stages = self.stages.iter().map(|stage| stage.is(Action::Roll));
        let malformed = count_of(in_stages.chain([bad, shows_bad]), 4);
        self.invariant(
            "bad_rolls",
            &[self.monitor.bad_rolls.eq(malformed)],
            "Malformed roll-overs are in the stages.",
        );
        self.invariant("rolls", &kept, "A roll-over meets nothing in the stages.");
        let told = *self.monitor.wanted;
        let kept = [
            !(told & wanted_due),
            !(wanted_due & !cleared_due) | wanted,
            !(told & !cleared_due) | wanted,
            !(cleared_due & wanted),
        ];
        self.invariant("wanted", &kept, "A roll-over is wanted once.");
    }
}
