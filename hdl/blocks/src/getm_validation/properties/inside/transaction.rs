//! Where the access of the chosen transaction is.

use super::Inside;
use super::stall::Entry;
use crate::kit::*;

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
            self.invariant(&format!("waiter{i}"), &kept, "A waiter is parked, or retried.");
            waits = waits | here;
        }
        let kept = [
            !is_retried | (waits & !*t.parked),
            !*t.parked | waits | left,
            !t.refused_retry | (*t.parked & !answer.there),
        ];
        self.invariant("parked", &kept, "What is parked or retried waits.");
    }

    /// Whether the chosen transaction waits in an entry.
    fn is_of_chosen(&self, entry: &Entry<'m>) -> Signal<'m> {
        let chosen = &self.monitor.chosen;
        let here = entry.access.get("granule").eq(chosen.granule);
        entry.taken & here & chosen.is_by(&entry.access)
    }
}

// Where the unit is in a roll-over.

impl Inside<'_, '_> {
    /// The unit's flags are what was told, done and is to be said.
    pub(super) fn rolls_over(&self, probes: &Probes) {
        let flag = |name: &str| probes.signal(self.m, name, 1);
        let [stopped, to_wake, clearing] = ["stopped", "waiters_to_wake", "clearing"].map(flag);
        let [told_to_stop, told_to_go] = ["told_to_stop", "told_to_go"].map(flag);
        let [says_stopped, says_cleared, shown] =
            ["says_stopped", "says_cleared", "stop_shown"].map(flag);
        let monitor = self.monitor;
        let (events, roll) = (&monitor.events, &monitor.rollover);
        let runs = events.request | events.retry;
        let refuses = events.refused_request | events.refused_retry;
        let kept = [
            stopped.eq(*roll.stopped | events.stop),
            shown.eq(events.stop),
            !(*roll.stopped & events.stop),
            *roll.stopped | !(refuses | events.clear),
            !*roll.stopped | !runs,
            !to_wake | stopped,
            !told_to_stop | !stopped,
            !told_to_go | *roll.stopped,
            !shown | to_wake,
        ];
        self.invariant("stopped", &kept, "The unit has stopped, or just shows it.");
        let silent = !says_stopped & !says_cleared;
        let says = [
            says_stopped.eq(*roll.to_say[0]),
            says_cleared.eq(*roll.to_say[1]),
            !says_stopped | (*roll.stopped & !clearing),
            !says_cleared | !stopped,
            !shown | silent,
        ];
        self.invariant("says", &says, "What is to be said is said.");
        let does = told_to_stop | (told_to_go & !clearing) | events.stop | events.clear;
        self.invariant("told", &[!*roll.told | does], "What is told is remembered.");

        let clears = monitor.in_table.entries(&monitor.chosen).into_iter().map(|entry| entry.clear);
        let clears = self.number(clears.chain([events.clear]));
        let kept = [
            clears.eq(clearing.zero_extend(5)),
            !clearing | (*roll.stopped & !to_wake & told_to_go),
        ];
        self.invariant("clearing", &kept, "The table is cleared once.");

        let accesses =
            monitor.in_table.entries(&monitor.chosen).into_iter().map(|entry| entry.access);
        let accesses = self.number(accesses.chain([runs]));
        let settled = stopped & !to_wake;
        let asleep = self.stall.lines.iter().map(|line| !line.asleep());
        let mut kept: Vec<_> = asleep.map(|awake| !settled | awake).collect();
        kept.push(!settled | accesses.eq(0));
        self.invariant("settled", &kept, "After a stop no line sleeps, and nothing is under way.");
    }
}
