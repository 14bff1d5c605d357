//! Invariants that make the proof of our own circuit close: what its registers and RAMs hold, beside what the
//! properties remember. They are proven together with the rules, by induction over one clock.

mod answers;
mod misses;
mod queue;
mod rows;
mod stages;

use super::monitor::Monitor;
use crate::kit::*;
use crate::relativistic_l2::channels::{Action, Response};
use crate::relativistic_l2::circuit::{event_fields, place_fields, request_fields};
use crate::relativistic_l2::params::Params;
use rows::{Rams, Write};

/// An event in a stage.
struct Stage<'m> {
    valid: Signal<'m>,
    event: Record<'m>,
}

impl<'m> Stage<'m> {
    fn get(&self, name: &str) -> Signal<'m> {
        self.event.get(name)
    }

    fn is(&self, action: Action) -> Signal<'m> {
        self.valid & self.event.get("action").eq(action as u64)
    }

    /// A fill of a block that is fetched.
    fn is_fill(&self) -> Signal<'m> {
        self.is(Action::Fill) & !self.get("bad")
    }

    fn set(&self, p: &Params) -> Signal<'m> {
        self.get("block").truncate(p.set_bits())
    }

    fn tag(&self, p: &Params) -> Signal<'m> {
        self.get("block").slice(p.set_bits()..p.block_bits())
    }
}

/// The circuit's registers.
struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    p: &'a Params,
    monitor: &'a Monitor<'a, 'm>,
    probes: &'a Probes,
    /// Stages 1 to 5.
    stages: Vec<Stage<'m>>,
    write: Write<'m>,
    written_set: Signal<'m>,
    /// Stages 2 to 5 have the set of stage 6.
    written: Vec<Signal<'m>>,
    rams: Rams<'m>,
    initialised: Signal<'m>,
    /// A request is shown on `issued`; something is.
    shown: Signal<'m>,
    issued: Signal<'m>,
    /// The end of a roll-over is to be told.
    cleared_due: Signal<'m>,
    pending: Signal<'m>,
    walk: Signal<'m>,
    mnow: Signal<'m>,
    busy: Signal<'m>,
    /// Place of each MSHR's block.
    places: Vec<Signal<'m>>,
    /// An answer, or what comes before it, is in the output.
    leaving: Signal<'m>,
    answers: SkidBuffer<'m>,
}

pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let inside = Inside::new(monitor, probes);
    inside.requests_are_remembered();
    inside.stages_hold_requests();
    inside.roll_overs_are_quiet();
    inside.rows_are_forwarded();
    inside.blocks_are_found();
    inside.leases_end_as_due();
    inside.misses_are_somewhere();
    inside.answers_keep_the_rules();
}

impl<'a, 'm> Inside<'a, 'm> {
    fn new(monitor: &'a Monitor<'a, 'm>, probes: &'a Probes) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let bit = |name: &str| probes.signal(m, name, 1);
        let stage = |number: u32| {
            let valid = bit(&format!("stage{number}_valid"));
            let event = match number {
                1 => Self::stage1(m, p, probes),
                // From there on, a fill's way is among the hits.
                4 | 5 => {
                    let fields = event_fields(p).without("way");
                    probes.record(m, &format!("stage{number}_"), &fields)
                }
                _ => probes.record(m, &format!("stage{number}_"), &event_fields(p)),
            };
            Stage { valid, event }
        };
        let write = Write::new(m, p, probes, "stage6");
        let written_set = probes.signal(m, "stage6_set", p.set_bits());
        Self {
            m,
            p,
            monitor,
            probes,
            stages: (1..=5).map(stage).collect(),
            rams: Rams::new(m, p, probes, &write, written_set),
            write,
            written_set,
            written: (2..=5).map(|stage| bit(&format!("stage{stage}_set_in_stage6"))).collect(),
            initialised: bit("initialised"),
            shown: bit("request_shown"),
            issued: bit("issued"),
            cleared_due: bit("cleared_due"),
            pending: bit("roll_pending"),
            walk: probes.signal(m, "walk", p.set_bits() + 1),
            mnow: probes.signal(m, "mnow", p.timestamp_bits),
            busy: probes.signal(m, "mshrs_busy", p.mshrs),
            places: (0..p.mshrs)
                .map(|mshr| probes.row(m, "places", mshr, place_fields(p).width()))
                .collect(),
            leaving: bit("leaving"),
            answers: SkidBuffer::new(m, probes, "answer", &Response::fields(p)),
        }
    }

    /// Stage 1 holds the output of the queue's RAM, and a fill's registers.
    fn stage1(m: &'m ModuleBuilder, p: &Params, probes: &Probes) -> Record<'m> {
        let width = request_fields(p).width();
        let request = probes.signal(m, "stage1_request", width);
        let request = Record::unpack(&request_fields(p), request);
        let action = probes.signal(m, "stage1_action", 2);
        let is_request = action.eq(Action::Request as u64);
        let fill = |name: &str, width| probes.signal(m, &format!("stage1_fill_{name}"), width);
        let (set, way) = (fill("set", p.set_bits()), fill("way", p.way_bits()));
        let (mshr, bad) = (fill("mshr", p.mshr_bits()), fill("bad", 1));
        record(&event_fields(p), |field| match field.name.as_str() {
            "action" => action,
            "mshr" => mshr,
            "way" => way,
            "bad" => is_request.mux(request.get("bad"), bad),
            "block" => is_request.mux(request.get("block"), set.zero_extend(p.block_bits())),
            name @ ("gets" | "write" | "atomic") => request.get(name) & is_request,
            name => request.get(name),
        })
    }

    fn all(&self, conditions: &[Signal<'m>]) -> Signal<'m> {
        all_of(self.m, conditions)
    }

    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.m, name, self.all(kept), doc);
    }

    /// The place of the block of an MSHR.
    fn place_of(&self, mshr: Signal<'m>) -> Record<'m> {
        let place = one_hot::select(one_hot::decode(mshr, self.p.mshrs), &self.places);
        Record::unpack(&place_fields(self.p), place)
    }

    /// The way of a fill, one-hot.
    fn way_of(&self, fill: &Stage<'m>) -> Signal<'m> {
        one_hot::decode(self.place_of(fill.get("mshr")).get("way"), self.p.ways)
    }

    fn bit(&self, name: &str) -> Signal<'m> {
        self.probes.signal(self.m, name, 1)
    }
}
