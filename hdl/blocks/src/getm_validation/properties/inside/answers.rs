//! Accesses between issue and answer, and what is to be answered.

use warpsmith_rtl::Signal;

use super::super::is_aligned;
use super::Inside;
use super::responses::{Answer, Responses};
use super::transaction::ChosenAnswer;
use crate::getm_validation::channels::Outcome;
use crate::getm_validation::circuit::RESPONSES;
use crate::properties::{Probes, all_of};

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
            !answer.held | is_aligned(self.monitor.p, of("address")),
            !(answer.here & (war | waw | raw)) | of("timestamp").gt(of("warpts")),
            !answer.chosen | as_due,
        ]
    }

    /// Numbers of the answers in the buffer are in their order; who found no room has that of the next.
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
