//! What is asked of the overflow space, and has not been taken.

use super::{Inside, at, count};
use crate::getm_metadata::channels::{OverflowOp, OverflowRequest};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::properties::monitor::{Monitor, sound};
use crate::kit::*;

/// Requests in the buffer, and what is there once they are done.
pub(super) struct Asked<'m> {
    buffer: SkidBuffer<'m>,
    /// Each of the two in the buffer is in order.
    sound: [Signal<'m>; 2],
    pub there: Signal<'m>,
    /// What is kept then of the chosen granule.
    pub kept: Record<'m>,
    count: Signal<'m>,
    pub in_use: Signal<'m>,
    pub asked: Signal<'m>,
    answered: Signal<'m>,
    found: Signal<'m>,
}

impl<'m> Asked<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let buffer = SkidBuffer::new(m, probes, "overflow_buffer", &OverflowRequest::fields(p));
        let mut there = *monitor.space.there;
        let mut kept = monitor.space.kept.clone();
        let mut are_sound = Vec::new();
        for (valid, request) in buffer.valid.iter().zip(&buffer.data) {
            are_sound.push(!*valid | sound(p, there, request));
            let is = |op: OverflowOp| *valid & request.get("op").eq(op as usize);
            let granule = p.granule(request.get("address"));
            let which = one_hot::decode(granule, there.width());
            let enters = is(OverflowOp::Insert);
            there = (there | which.and_where(enters)) & !which.and_where(is(OverflowOp::Remove));
            let told = (enters | is(OverflowOp::Update)) & granule.eq(monitor.chosen);
            let fields = kept.fields().clone();
            let new = told.mux(pick(&fields, request).pack(), kept.pack());
            kept = Record::unpack(&fields, new);
        }
        let signal = |name: &str, width| probes.signal(m, &format!("overflow_{name}"), width);
        Self {
            buffer,
            sound: are_sound.try_into().expect("two places"),
            there,
            kept,
            count: signal("count", p.granule_bits() + 1),
            in_use: signal("in_use", 1),
            asked: signal("asked", 1),
            answered: signal("answered", 1),
            found: signal("found", 1),
        }
    }

    /// The granule of the request in stage 5 was found.
    pub fn is_found(&self) -> Signal<'m> {
        self.answered & self.found
    }

    fn is_lookup(&self, place: usize) -> Signal<'m> {
        self.buffer.valid[place] & self.buffer.data[place].get("op").eq(OverflowOp::Lookup as usize)
    }

    fn granule(&self, p: &Params, place: usize) -> Signal<'m> {
        p.granule(self.buffer.data[place].get("address"))
    }
}

impl<'m> Inside<'_, 'm> {
    pub(super) fn overflow_is_sound(&self) {
        let Self { p, asked, .. } = self;
        let space = &self.monitor.space;
        let [first, second] = asked.buffer.valid;
        let lookups = [0, 1].map(|place| asked.is_lookup(place));
        let unanswered = *space.unanswered;
        self.invariant("overflow_first", asked.sound[0], "Requests are in order.");
        self.invariant("overflow_second", asked.sound[1], "Requests are in order.");
        let awaited = asked.asked & !asked.answered;
        let one = awaited.eq(lookups[0] | lookups[1] | unanswered)
            & !(lookups[0] & lookups[1])
            & !((lookups[0] | lookups[1]) & unanswered)
            & (asked.asked | !asked.answered);
        self.invariant("lookup", one, "A lookup is somewhere.");
        let last = (!lookups[0] | !second) & (!(unanswered | asked.answered) | !first);
        self.invariant("lookup_is_last", last, "Nothing is requested behind a lookup.");
        self.invariant(
            "lookup_waits",
            !second | asked.in_use,
            "Two requests wait only while it is in use.",
        );
        let walks = self.state.walks;
        self.invariant("walk_has_room", !(walks & second), "At the end of a walk there is room.");

        let granule = self.granule5();
        for place in [0, 1] {
            let of_request = asked.granule(p, place).eq(granule);
            let name = format!("lookup{place}_granule");
            self.invariant(&name, !lookups[place] | of_request, "Stage 5 has asked.");
        }
        let is_there = at(granule, &asked.there.to_bits());
        let known = space.found.eq(is_there) & space.of_chosen.eq(granule.eq(self.monitor.chosen));
        self.invariant("unanswered", !unanswered | known, "The answer is as it will be.");
        let exact = !*space.of_chosen | space.looked_up.pack().eq(asked.kept.pack());
        self.invariant("unanswered_kept", !unanswered | exact, "The answer is as it will be.");
        let known = asked.found.eq(is_there);
        self.invariant("answered", !asked.answered | known, "What was found is there.");

        let width = p.granule_bits() + 1;
        self.invariant("overflow_in_use", asked.in_use.eq(asked.count.any()), "It is in use.");
        let counted = asked.count.eq(count(asked.there, width));
        self.invariant("overflow_count", counted, "What is there is counted.");
    }
}
