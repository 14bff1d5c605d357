//! Stages 1 to 5: what they hold of a request, and of what they have read.

use super::entries::Entry;
use super::{Answer, Inside, entry_fields};
use crate::getm_metadata::channels::{Op, Request};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::properties::truth::same;
use crate::kit::*;

pub(super) struct Stage<'m> {
    pub valid: Signal<'m>,
    pub request: Record<'m>,
    pub rows: Vec<Signal<'m>>,
    /// Of stages 1 to 4.
    bloom_rows: Vec<Signal<'m>>,
}

impl<'m> Stage<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes, stage: u32) -> Self {
        let signal = |name: &str, width| probes.signal(m, &format!("stage{stage}_{name}"), width);
        let row = |bank| signal(&format!("row{bank}"), p.row_bits());
        let bloom_row = |way| signal(&format!("bloom_row{way}"), p.bloom_row_bits());
        let ways = if stage < 5 { p.bloom_ways } else { 0 };
        Self {
            request: probes.record(m, &format!("stage{stage}_"), &Request::fields(p)),
            valid: signal("valid", 1),
            rows: (0..p.ways).map(row).collect(),
            bloom_rows: (0..ways).map(bloom_row).collect(),
        }
    }

    pub fn granule(&self, p: &Params) -> Signal<'m> {
        p.granule(self.request.get("address"))
    }

    pub fn is(&self, op: Op) -> Signal<'m> {
        self.request.get("op").eq(op as usize)
    }

    /// One more than its time, and what it adds to the writes under way.
    fn sums(&self) -> [Signal<'m>; 2] {
        let count = self.request.get("count");
        let none = count.module().lit(count.width(), 0);
        [self.request.get("warpts") + 1, self.is(Op::Release).mux(none - count, none + 1)]
    }
}

impl<'m> Inside<'_, 'm> {
    /// What a stage has read is as it is now: not while stages 1 to 4 have yet to go round.
    fn is_fresh(&self, stage: u32) -> Signal<'m> {
        let state = &self.state;
        let fresh = state.run | (state.turn & state.turns.ge(stage - 1));
        fresh & self.stages[stage as usize - 1].valid
    }

    pub(super) fn stages_are_sound(&self) {
        let (m, p) = (self.m, self.p);
        let signal = |name: &str, width| self.probes.signal(m, name, width);
        for (number, stage) in (1..).zip(&self.stages[..4]) {
            let granule = stage.granule(p);
            for (bank, (row, due)) in stage.rows.iter().zip(self.rows_of(granule)).enumerate() {
                let name = format!("stage{number}_row{bank}");
                self.invariant(&name, !stage.valid | row.eq(due), "A request has its rows.");
            }
            for (way, (row, hash)) in stage.bloom_rows.iter().zip(&self.hashes.bloom).enumerate() {
                let name = format!("stage{number}_bloom_row{way}");
                let due = hash.circuit(granule);
                self.invariant(&name, !stage.valid | row.eq(due), "A request has its rows.");
            }
        }
        let stage5 = &self.stages[4];
        let state = &self.state;
        let searches = self.is_busy() | (state.load | state.choose | state.place);
        let granule = state.run.mux(self.granule5(), self.entries.moving.granule);
        for (bank, (row, due)) in stage5.rows.iter().zip(self.rows_of(granule)).enumerate() {
            let name = format!("stage5_row{bank}");
            self.invariant(&name, !searches | row.eq(due), "What looks for a place has its rows.");
        }

        let width = entry_fields(p).width();
        for bank in 0..p.ways as usize {
            let now = |stage: u32| self.in_bank(bank, self.stages[stage as usize - 1].rows[bank]);
            let read = signal(&format!("bank{bank}_read"), width);
            let held3 = signal(&format!("stage3_bank{bank}"), width);
            let held4 = signal(&format!("stage4_bank{bank}"), width);
            for (stage, held) in [(2, read), (3, held3), (4, held4)] {
                let kept = !self.is_fresh(stage) | held.eq(now(stage));
                let name = format!("stage{stage}_bank{bank}");
                self.invariant(&name, kept, "A stage has what the bank has.");
            }
            let loads = !self.state.load | read.eq(now(5));
            self.invariant(&format!("loads_bank{bank}"), loads, "A walk reads the bank.");
            let chooses = !self.state.choose | held4.eq(now(5));
            let name = format!("chooses_bank{bank}");
            self.invariant(&name, chooses, "A walk has what the bank has.");
            let entry = Entry::new(p, held4);
            let hit = signal(&format!("stage4_bank{bank}_hit"), 1);
            let due = entry.is_of(self.stages[3].granule(p));
            let kept = !self.is_fresh(4) | hit.eq(due);
            self.invariant(&format!("stage4_bank{bank}_hit"), kept, "Stage 4 knows its hits.");
        }
        if p.stash > 0 {
            let hits = signal("stage4_stash_hits", p.stash);
            for (slot, entry) in (0..).zip(&self.entries.stash) {
                let due = entry.is_of(self.stages[3].granule(p));
                let kept = !self.is_fresh(4) | hits.bit(slot).eq(due);
                self.invariant(&format!("stage4_stash{slot}_hit"), kept, "Stage 4 knows its hits.");
            }
        }
        self.filter_is_read();

        for stage in [4, 5] {
            let request = &self.stages[stage - 1];
            let [successor, counts] = request.sums();
            let is = signal(&format!("stage{stage}_successor"), p.timestamp_bits).eq(successor)
                & signal(&format!("stage{stage}_counts"), p.write_count_bits).eq(counts);
            let name = format!("stage{stage}_sums");
            self.invariant(&name, !request.valid | is, "What is added is known.");
        }
        let last = stage5.request.get("warpts").all();
        let access = (stage5.is(Op::Load) | stage5.is(Op::Store)) & !last;
        let wanted = signal("stage5_is_access", 1).eq(access)
            & signal("stage5_looks", 1).eq(access | stage5.is(Op::Release));
        self.invariant("wanted", !stage5.valid | wanted, "Stage 5 knows what is wanted.");
        let same = self.granule5().eq(self.stages[3].granule(p));
        let same = signal("stage4_granule_in_stage5", 1).eq(same);
        let both = self.is_busy() & self.stages[3].valid;
        self.invariant("same_granule", !both | same, "Stage 4 knows whether stage 5 is before it.");
    }

    /// What stages 2 to 4 hold of the rows of the Bloom filter.
    fn filter_is_read(&self) {
        let (m, p, filter) = (self.m, self.p, &self.filter);
        let signal = |name: &str, width| self.probes.signal(m, name, width);
        let width = 2 * p.timestamp_bits;
        let mut of4 = Vec::new();
        for way in 0..p.bloom_ways as usize {
            let row = |stage: usize| self.stages[stage - 1].bloom_rows[way];
            let read = signal(&format!("bloom{way}_lookup_read"), width);
            let held3 = signal(&format!("stage3_bloom{way}"), width);
            let held4 = signal(&format!("stage4_bloom{way}"), width);
            let held = [
                (2, read, filter.lookup_row(way, row(2))),
                (3, held3, filter.row(way, row(3)).pack()),
                (4, held4, filter.row(way, row(4)).pack()),
            ];
            for (stage, held, now) in held {
                let kept = !self.is_fresh(stage) | held.eq(now);
                let name = format!("stage{stage}_bloom{way}");
                self.invariant(&name, kept, "A stage has what the filter has.");
            }
            of4.push(held4);
        }
        let pairs = || (0..of4.len()).flat_map(|i| (i + 1..of4.len()).map(move |j| (i, j)));
        for (time, low) in [("wts", p.timestamp_bits), ("rts", 0)] {
            for (first, second) in pairs() {
                let name = format!("stage4_{time}{first}_above{second}");
                let above = signal(&name, 1);
                let [a, b] = [first, second].map(|way| of4[way].slice(low..low + p.timestamp_bits));
                let kept = !self.is_fresh(4) | above.mux(a.ge(b), a.le(b));
                self.invariant(&name, kept, "Stage 4 knows which rows hold more.");
            }
        }
    }
}

// Requests are in order, and answers that wait tell the ports what is decided.

const ECHO: [&str; 5] = ["op", "address", "warp", "warpts", "tag"];

impl<'m> Inside<'_, 'm> {
    pub(super) fn answers_are_right(&self) {
        let Self { m, p, monitor, answers, .. } = self;
        let [first, second] = answers.valid;
        let shown = !second | (first & monitor.shown);
        self.invariant("shown", shown, "The first answer is shown at once.");
        let waits = monitor.presented | second;
        let fields = Answer::fields(p);
        let answer = second.mux(answers.data[1].pack(), answers.data[0].pack());
        let answer = Record::unpack(&fields, answer);

        // Requests from the oldest on.
        let requests = SkidBuffer::new(m, self.probes, "request", &Request::fields(p));
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
            let request = Record::unpack(&Request::fields(self.p), request);
            ordered.push((one_hot::select(turns, &valid), request));
        }
        ordered
    }
}
