//! The answers between their verdicts and `resp`.

use super::super::monitor::Monitor;
use super::Inside;
use super::stall::Stall;
use super::transaction::ChosenAnswer;
use crate::getm_validation::channels::{Outcome, Response};
use crate::getm_validation::circuit::RESPONSES;
use crate::kit::*;

/// The response buffer, and the register before it.
pub(super) struct Responses<'m> {
    /// In the buffer, by rows.
    pub rows: Vec<Answer<'m>>,
    /// Those in the buffer that are older than that in a row, if there is one.
    pub older: Vec<Signal<'m>>,
    pub last: Answer<'m>,
    /// The register has an answer, or what waits.
    pub last_valid: Signal<'m>,
    pub last_parked: Signal<'m>,
    pub write: Signal<'m>,
    pub read: Signal<'m>,
    pub words: Signal<'m>,
}

pub(super) struct Answer<'m> {
    /// There is one.
    pub held: Signal<'m>,
    pub payload: Record<'m>,
    /// It is one that found no room to wait.
    pub full: Signal<'m>,
    /// It is of an access to the chosen granule.
    pub here: Signal<'m>,
    /// It is of the chosen transaction's access to that.
    pub chosen: Signal<'m>,
}

impl<'m> Answer<'m> {
    fn new(monitor: &Monitor<'_, 'm>, held: Signal<'m>, payload: Record<'m>) -> Self {
        let Monitor { p, chosen, .. } = monitor;
        let granule = p.granule(payload.get("address"));
        let here = held & granule.eq(chosen.granule);
        let full = held & payload.get("outcome").eq(Outcome::AbortFull as usize);
        Self { held, full, here, chosen: here & chosen.is_by(&payload), payload }
    }

    /// It is counted: it has its place in the order of the verdicts.
    pub fn counted(&self) -> Signal<'m> {
        self.held & !self.full
    }
}

impl<'m> Responses<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes, stall: &Stall<'m>) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let bits = address_bits(RESPONSES);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let [write, read] = ["write_pointer", "read_pointer"]
            .map(|name| signal(&format!("responses.{name}"), bits));
        let words = signal("responses.words_held", bits + 1);
        let fields = Response::fields(p);
        let older: Vec<_> = (0..RESPONSES).map(|row| m.lit(bits, row.into()) - read).collect();
        let row = |(row, older): (u32, &Signal<'m>)| {
            let payload = probes.row(m, "responses.rows", row, fields.width());
            let held = older.zero_extend(bits + 1).lt(words);
            Answer::new(monitor, held, Record::unpack(&fields, payload))
        };
        let rows = (0..).zip(&older).map(row).collect();

        let last_valid = signal("answer_valid", 1);
        let last_parked = signal("answer_parked", 1);
        let waits = last_parked & stall.had_room;
        let payload = probes.record(m, "answer_", &fields);
        let last = Answer::new(monitor, last_valid & !waits, payload);
        Self { rows, older, last, last_valid, last_parked, write, read, words }
    }
}

// Accesses between issue and answer, and what is to be answered.

impl<'m> Inside<'_, 'm> {
    /// The response buffer has a place for what is under way.
    pub(super) fn answers_are_counted(&self, probes: &Probes) {
        let (m, monitor, responses) = (self.m, self.monitor, &self.responses);
        let words = responses.words;
        let signal = |name: &str| probes.signal(m, name, words.width());
        let [under_way, due] = ["accesses_under_way", "answers_due"].map(signal);

        let events = &monitor.events;
        let shown = events.request | events.retry | events.refused_request | events.refused_retry;
        let in_table =
            monitor.in_table.entries(&monitor.chosen).into_iter().map(|entry| entry.access);
        let accesses = self.number(in_table.chain([shown, responses.last_valid]));
        let bits = responses.read.width();
        let kept = [
            accesses.eq(under_way),
            due.eq(under_way + words),
            due.le(RESPONSES),
            words.truncate(bits).eq(responses.write - responses.read),
            words.le(RESPONSES),
        ];
        self.invariant("under_way", &kept, "Accesses under way, and answers to come, are counted.");
    }

    /// Answers say what the verdicts did, and the chosen one is where it is known to be.
    pub(super) fn answers_are_verdicts(&self, chosen: &ChosenAnswer<'m>) {
        let responses = &self.responses;
        let kept = [!self.verdict.on_access | self.verdict.aligned];
        self.invariant("verdict_aligned", &kept, "A verdict has the address of a granule.");
        let parked = responses.last.full.eq(responses.last_parked & responses.last.held);
        let kept = [&self.as_decided(&responses.last)[..], &[parked]].concat();
        self.invariant("answer_last", &kept, "The answer before the buffer is that of a verdict.");
        for (row, answer) in responses.rows.iter().enumerate() {
            let is_chosen = answer.chosen.eq(*chosen.buffered & chosen.row.eq(row));
            let kept = [&self.as_decided(answer)[..], &[is_chosen]].concat();
            self.invariant(&format!("answer_row{row}"), &kept, "An answer is that of a verdict.");
        }
    }

    /// What is true of an answer, if there is one.
    fn as_decided(&self, answer: &Answer<'m>) -> [Signal<'m>; 3] {
        let t = &self.monitor.transaction;
        let of = |name: &str| answer.payload.get(name);
        let aborts = [Outcome::AbortWar, Outcome::AbortWaw, Outcome::AbortRaw];
        let [war, waw, raw] = aborts.map(|outcome| of("outcome").eq(outcome as usize));
        let is_due = *t.due & of("outcome").eq(*t.outcome);
        let as_due = answer.full.mux(*t.parked, is_due) & of("store").eq(*t.store);
        [
            !answer.held | self.monitor.p.is_aligned(of("address")),
            !(answer.here & (war | waw | raw)) | of("timestamp").gt(of("warpts")),
            !answer.chosen | as_due,
        ]
    }

    /// Numbers of the answers in the buffer are in their order; one without room has that of the next.
    pub(super) fn answers_are_in_order(&self, chosen: &ChosenAnswer<'m>) {
        let (m, responses, numbers) = (self.m, &self.responses, &self.monitor.answers);
        let due = *self.monitor.transaction.due;
        let Responses { last, words, write, .. } = responses;
        let one = |bit: Signal<'m>| bit.zero_extend(numbers.given.width());
        let next = *numbers.given - one(last.counted());
        let number = |row: usize| {
            let number = m.reg_without_reset(&format!("answer{row}_number"), next.width());
            m.when(last.held & write.eq(row), || number.set(next));
            *number
        };
        let row_numbers: Vec<_> = (0..responses.rows.len()).map(number).collect();
        let place = *chosen.row - responses.read;
        for (row, answer) in responses.rows.iter().enumerate() {
            let (number, older) = (row_numbers[row], responses.older[row]);
            let places = *words - older.zero_extend(words.width());
            let youngest = places.eq(1);
            let next_row = row_numbers[(row + 1) % row_numbers.len()];
            // Numbers go round: the distance to a later one is small, and not 0 if this is counted.
            let later = |that: Signal<'m>| {
                let distance = that - number;
                distance.ge(one(answer.counted())) & distance.le(places)
            };
            let is_before = due & *chosen.buffered & older.lt(place);
            let kept = [
                older.any() | number.eq(*numbers.taken),
                (number + one(answer.counted())).eq(youngest.mux(next, next_row)),
                later(next),
                !is_before | later(*numbers.chosen),
                !(answer.chosen & due) | number.eq(*numbers.chosen),
            ];
            let kept = [!answer.held | all_of(m, &kept)];
            self.invariant(&format!("answer_order{row}"), &kept, "Numbers are in order.");
        }
        let kept = [
            words.any() | next.eq(*numbers.taken),
            !(last.chosen & due) | next.eq(*numbers.chosen),
        ];
        self.invariant("answer_number", &kept, "Answers are numbered as they became due.");
        let waiting = *numbers.waiting;
        let kept = [waiting.le(1), !waiting.any() | words.any()];
        self.invariant("answer_offered", &kept, "What is due is offered.");
    }
}
