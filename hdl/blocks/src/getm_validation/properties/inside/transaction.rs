//! Where the access of the chosen transaction is.

use warpsmith_rtl::{Reg, Signal};

use super::Inside;
use super::parts::Entry;

/// The answer of the chosen transaction, between its verdict and `resp`.
pub(super) struct ChosenAnswer<'m> {
    /// It is in the response buffer.
    pub buffered: Reg<'m>,
    /// In that row.
    pub row: Reg<'m>,
    /// It is in the buffer, or before it.
    pub there: Signal<'m>,
}

impl<'m> Inside<'_, 'm> {
    /// Follows the answer of the chosen transaction.
    pub(super) fn chosen_answer(&self) -> ChosenAnswer<'m> {
        let (m, monitor, responses) = (self.m, self.monitor, &self.responses);
        let last = &responses.last;
        let buffered = m.reg("answer_buffered", 1, 0).doc("The chosen answer is in the buffer.");
        let row = m.reg_without_reset("answer_row", responses.write.width()).doc("In that row.");
        m.when(last.chosen, || {
            buffered.set(1);
            row.set(responses.write);
        })
        .otherwise_when(monitor.transaction.answered & monitor.resp.ready, || buffered.set(0));
        ChosenAnswer { buffered, row, there: *buffered | last.chosen }
    }

    /// The chosen transaction is in one place, and in the table once; to be answered, its answer is there.
    pub(super) fn transaction_is_in_one_place(&self, answer: &ChosenAnswer<'m>) {
        let (monitor, t) = (self.monitor, &self.monitor.transaction);
        let places = self.number([*t.asked, *t.entered, *t.parked, *t.due]);
        let mut kept = vec![places.le(1)];
        let mut entered = Vec::new();
        for entry in monitor.in_table.entries(&monitor.chosen) {
            kept.push(!entry.chosen | entry.store.eq(*t.store));
            entered.push(entry.chosen);
        }
        kept.push(self.number(entered).eq(t.entered.zero_extend(5)));
        self.invariant("transaction", &kept, "The transaction's access is in one place.");

        let full = answer.there & !*t.due;
        let kept = [
            !*t.due | answer.there,
            !full | *t.parked,
            !(*answer.buffered & self.responses.last.chosen),
        ];
        self.invariant("answer", &kept, "An answer that is due, or found no room, is there.");
    }

    /// The chosen transaction waits in one entry, unless it found no room or was just refused; while it is
    /// retried, it is in the table besides.
    pub(super) fn chosen_waits_once(&self, answer: &ChosenAnswer<'m>) {
        let (m, t) = (self.m, &self.monitor.transaction);
        let either = |a: Signal<'m>, b: Signal<'m>| a | b;
        let retries = self.retries().into_iter().map(|(retry, entry)| retry & entry.chosen);
        let is_retried = retries.fold(m.lit(1, 0), either);
        let left = (answer.there & !*t.due) | t.refused_retry;

        let mut waits = m.lit(1, 0);
        for (i, entry) in self.stall.entries().enumerate() {
            let here = self.is_of_chosen(entry);
            let kept = [
                !(here & waits),
                !here | is_retried | (*t.parked & !left),
                !here | entry.access.get("store").eq(*t.store),
            ];
            self.invariant(&format!("waiter{i}"), &kept, "Who waits is parked, or retried.");
            waits = waits | here;
        }
        let kept = [
            !is_retried | (waits & !*t.parked),
            !*t.parked | waits | left,
            !t.refused_retry | (*t.parked & !answer.there),
        ];
        self.invariant("parked", &kept, "Who is parked or retried waits.");
    }

    /// Whether the chosen transaction waits in an entry.
    fn is_of_chosen(&self, entry: &Entry<'m>) -> Signal<'m> {
        let chosen = &self.monitor.chosen;
        let here = entry.access.get("granule").eq(chosen.granule);
        entry.taken & here & chosen.is_by(&entry.access)
    }
}
