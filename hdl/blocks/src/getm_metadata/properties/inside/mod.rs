//! Invariants of our own circuit: what its registers hold, beside what the properties remember. They
//! are proven together with the rules, by induction over one clock.
//!
//! An entry of a granule is in one place at most: a bank, the stash, the overflow space, or the
//! register of the entry that looks for a place. What stage 5 decides is known at once to a second
//! copy of the truth; the first knows it when the answer is presented.

mod bloom;
mod entries;
mod overflow;
mod stages;

use super::monitor::Monitor;
use super::truth::{Judged, Remembered, Truth};
use crate::getm_metadata::access::Metadata;
use crate::getm_metadata::channels::Answer;
use crate::getm_metadata::circuit::{State, content_fields, entry_fields};
use crate::getm_metadata::hashes::Hashes;
use crate::getm_metadata::params::Params;
use crate::kit::*;
use bloom::Filter;
use entries::Entries;
use overflow::Asked;
use stages::Stage;

struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    p: &'a Params,
    monitor: &'a Monitor<'a, 'm>,
    probes: &'a Probes,
    hashes: Hashes,
    state: Doing<'m>,
    /// Stages 1 to 5.
    stages: Vec<Stage<'m>>,
    answers: SkidBuffer<'m>,
    /// Stage 5 is done with its request at the edge.
    done: Signal<'m>,
    /// What is true after all that is decided.
    truth: Truth<'m>,
    /// The judgement of the decision of stage 5.
    judged: Judged<'m>,
    /// What stage 5 has found out about its granule.
    before: Record<'m>,
    entries: Entries<'m>,
    filter: Filter<'m>,
    asked: Asked<'m>,
}

/// What the control is doing, each by the name of its state.
struct Doing<'m> {
    run: Signal<'m>,
    load: Signal<'m>,
    choose: Signal<'m>,
    place: Signal<'m>,
    settle: Signal<'m>,
    turn: Signal<'m>,
    clear: Signal<'m>,
    /// An entry looks for a place.
    walks: Signal<'m>,
    turns: Signal<'m>,
    clearing: Signal<'m>,
    clear_row: Signal<'m>,
    number: Signal<'m>,
}

impl<'m> Doing<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes) -> Self {
        let number = probes.signal(m, "state", 4);
        let is = |state: State| number.eq(state as usize);
        Self {
            run: is(State::Run),
            load: is(State::Load),
            choose: is(State::Choose),
            place: is(State::Place),
            settle: is(State::Settle),
            turn: is(State::Turn),
            clear: is(State::Clear),
            walks: number.ge(State::Read as usize) & number.le(State::Leave as usize),
            turns: probes.signal(m, "turns", 2),
            clearing: probes.signal(m, "clearing", 1),
            clear_row: probes.signal(m, "clear_row", p.rows_per_way.max(p.bloom_rows).ilog2()),
            number,
        }
    }
}

pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let inside = Inside::new(monitor, probes);
    inside.control_is_sound();
    inside.entries_are_sound();
    inside.filter_is_sound();
    inside.stages_are_sound();
    inside.overflow_is_sound();
    inside.found_is_true();
    inside.entries_are_true();
    inside.decisions_are_right();
    inside.answers_are_right();
}

impl<'a, 'm> Inside<'a, 'm> {
    fn new(monitor: &'a Monitor<'a, 'm>, probes: &'a Probes) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let hashes = Hashes::new(p);
        let state = Doing::new(m, p, probes);
        let stages: Vec<_> = (1..=5).map(|stage| Stage::new(m, p, probes, stage)).collect();
        let answers = SkidBuffer::new(m, probes, "answer", &Answer::fields(p));
        let done = probes.signal(m, "done", 1);
        let decided = Remembered::new(m, p, "decided");
        let truth = decided.get();
        let decision = probes.signal(m, "answer.in_data", Answer::fields(p).width());
        let decision = Record::unpack(&Answer::fields(p), decision);
        let judged = truth.judge(p, monitor.chosen, &stages[4].request, &decision);
        decided.set(&truth.or_where(done, &judged.after));
        let before = probes.record(m, "before_", &Metadata::fields(p));
        let entries = Entries::new(m, p, probes, &state);
        let filter = Filter::new(m, p, probes);
        let asked = Asked::new(monitor, probes);
        Self {
            m,
            p,
            monitor,
            probes,
            hashes,
            state,
            stages,
            answers,
            done,
            truth,
            judged,
            before,
            entries,
            filter,
            asked,
        }
    }

    fn invariant(&self, name: &str, kept: Signal<'m>, doc: &str) {
        invariant(self.m, name, kept, doc);
    }

    /// Stage 5 has a request.
    fn is_busy(&self) -> Signal<'m> {
        self.state.run & self.stages[4].valid
    }

    /// The number of the granule of the request in stage 5.
    fn granule5(&self) -> Signal<'m> {
        self.stages[4].granule(self.p)
    }

    fn control_is_sound(&self) {
        let Doing { run, settle, turn, clear, turns, clearing, walks, number, .. } = &self.state;
        let (m, p) = (self.m, self.p);
        let exists = number.le(State::Clear as usize);
        self.invariant("states", exists, "The state is one of those that there are.");
        self.invariant("turns", *turn | !turns.any(), "The stages turn round as a whole.");
        self.invariant("stage5_in_run", *run | !self.stages[4].valid, "Stage 5 is lost in a walk.");
        let waits = *settle | *clear;
        self.invariant("clearing", waits | !*clearing, "A clear comes at once.");
        let nothing = !self.truth.metadata.pack().any() & !self.truth.reserved.any();
        let clears = *clear | (*settle & *clearing);
        self.invariant("nothing_is_true", nothing | !clears, "What is cleared is not known.");
        if p.max_kicks > 0 {
            let width = warpsmith_rtl::address_bits(p.max_kicks + 1);
            let kicks = self.probes.signal(m, "kicks", width);
            self.invariant("kicks", kicks.le(p.max_kicks), "No more are displaced than allowed.");
            let counts = *walks | *settle;
            self.invariant("kicks_of_walk", counts | !kicks.any(), "Only a walk displaces.");
            let reserved = self.entries.moving.is_reserved();
            self.invariant("moving_reserved", !*walks | reserved, "What is displaced is reserved.");
        }
        if p.max_kicks > 0 && p.ways > 1 {
            let bank = self.probes.signal(m, "kick_bank", p.ways);
            self.invariant("kick_bank", is_one_hot(bank), "One bank is next to lose its entry.");
        }
    }

    /// Of an entry's metadata: exact if the chosen granule is reserved, else not too early.
    fn stands_for_truth(&self, metadata: &Record<'m>) -> Signal<'m> {
        let truth = &self.truth.metadata;
        let reserved = truth.get("writes").any();
        let exact =
            metadata.get("wts").eq(truth.get("wts")) & metadata.get("owner").eq(truth.get("owner"));
        // No load after the reservation succeeds, if not by its owner at another time.
        let seen_before =
            metadata.get("rts").lt(metadata.get("wts")) | self.m.lit(1, u64::from(self.p.faithful));
        metadata.get("writes").eq(truth.get("writes"))
            & metadata.get("wts").ge(truth.get("wts"))
            & metadata.get("rts").ge(truth.get("rts"))
            & (!reserved | (exact & seen_before))
    }
}

fn is_one_hot(bits: Signal<'_>) -> Signal<'_> {
    bits.any() & !(bits & (bits - 1)).any()
}

/// Of some values, that of the index.
fn at<'m>(index: Signal<'m>, values: &[Signal<'m>]) -> Signal<'m> {
    one_hot::select(one_hot::decode(index, values.len() as u32), values)
}

fn count(bits: Signal<'_>, width: u32) -> Signal<'_> {
    count_of(bits.to_bits(), width)
}
