//! Invariants that make the proof of our own circuit close: what its registers hold, beside what
//! the properties remember. They are proven together with the rules, by induction over one clock.

mod rows;
mod stages;

use super::ideal::Meaning;
use super::monitor::Monitor;
use crate::hmg_directory::channels::{Request, Response};
use crate::hmg_directory::circuit::{decoded_fields, effect_fields, incoming_fields};
use crate::hmg_directory::params::Params;
use crate::kit::*;
use rows::Sets;

/// The circuit's registers, and where in them each request is that waits for an answer.
struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    p: &'a Params,
    monitor: &'a Monitor<'a, 'm>,
    /// All stages move on.
    advance: Signal<'m>,
    answer: SkidBuffer<'m>,
    effect: SkidBuffer<'m>,
    stage1: Meaning<'m>,
    /// What stages 2 to 4 hold.
    decoded: [Record<'m>; 3],
    places: Places<'m>,
    sets: Sets<'m>,
}

/// A place where a request can be.
#[derive(Clone)]
struct Place<'m> {
    valid: Signal<'m>,
    /// What is remembered of the request.
    request: Record<'m>,
}

/// All places, from the oldest request on.
struct Places<'m> {
    /// The answer on `resp`, if it has not been shown, and the one behind it.
    answers: [Place<'m>; 2],
    /// Effects whose invalidation is to leave.
    effects: [Place<'m>; 2],
    /// Stages 4, 3, 2 and 1.
    stages: [Place<'m>; 4],
}

impl<'m> Places<'m> {
    /// Places but that of stage 1, which is the last.
    const BEHIND_STAGE_1: usize = 7;

    fn all(&self) -> impl Iterator<Item = &Place<'m>> {
        self.answers.iter().chain(&self.effects).chain(&self.stages)
    }

    fn stage(&self, number: usize) -> &Place<'m> {
        &self.stages[4 - number]
    }
}

pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let inside = Inside::new(monitor, probes);
    inside.remember_every_request();
    inside.stages_hold_requests();
    inside.sets_are_forwarded(probes);
    inside.tags_are_known(probes);
    inside.sets_are_sound();
    inside.answers_keep_the_rules(probes);
    inside.errors_are_raised(probes);
    inside.clearing_is_quiet(probes);
    inside.requests_move_on();
}

impl<'a, 'm> Inside<'a, 'm> {
    fn new(monitor: &'a Monitor<'a, 'm>, probes: &Probes) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let signal = |path: &str, width| probes.signal(m, path, width);
        let fields_of =
            |stage: u32, fields: &Fields| probes.record(m, &format!("stage{stage}_"), fields);
        let answer = SkidBuffer::new(m, probes, "answer", &Response::fields(p));
        let effect = SkidBuffer::new(m, probes, "effect", &effect_fields(p));
        let stages = [4, 3, 2, 1].map(|stage| signal(&format!("stage{stage}_valid"), 1));
        let stage1 = fields_of(1, &incoming_fields(p));
        let address = stage1.get("block").concat(m.lit(p.offset_bits(), 0));
        let request = record(&Request::fields(p), |field| match field.name.as_str() {
            "address" => address,
            name => stage1.get(name),
        });

        let mut older = m.lit(4, 0);
        let mut place = |valid: Signal<'m>| {
            let request = monitor.requests.at(older);
            older = older + valid.zero_extend(4);
            Place { valid, request }
        };
        let places = Places {
            answers: [answer.valid[0] & !monitor.shown, answer.valid[1]].map(&mut place),
            effects: effect.valid.map(&mut place),
            stages: stages.map(&mut place),
        };
        Self {
            m,
            p,
            monitor,
            advance: signal("advance", 1),
            answer,
            effect,
            stage1: m.scope("inside_stage1", || Meaning::of(m, p, &request, &monitor.own)),
            decoded: [2, 3, 4].map(|stage| fields_of(stage, &decoded_fields(p))),
            places,
            sets: Sets::new(m, p, probes),
        }
    }

    fn all(&self, conditions: &[Signal<'m>]) -> Signal<'m> {
        all_of(self.m, conditions)
    }

    fn invariant(&self, name: &str, kept: Signal<'m>, doc: &str) {
        invariant(self.m, name, kept, doc);
    }

    /// What stage 2, 3 or 4 holds.
    fn decoded(&self, stage: usize) -> &Record<'m> {
        &self.decoded[stage - 2]
    }

    fn remember_every_request(&self) {
        let Monitor { requests, sent, errors, shown, .. } = self.monitor;
        let in_order = [requests, sent, errors].map(|queue| queue.in_order());
        self.invariant("queues", self.all(&in_order), "Queues have no gaps.");
        let total = count_of(self.places.all().map(|place| place.valid), 4);
        let same = requests.count().eq(total);
        self.invariant("requests", same, "Each request in the circuit is remembered.");
        let [answer, effect] =
            [&self.answer, &self.effect].map(|buffer| buffer.valid[0] | !buffer.valid[1]);
        let shown = !*shown | self.answer.valid[0];
        let doc = "The second place of a buffer is taken only after the first.";
        self.invariant("buffers", self.all(&[answer, effect, shown]), doc);
    }
}
