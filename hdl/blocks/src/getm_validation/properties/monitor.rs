//! What the properties remember, and the rules that they assert at the ports.

use super::granule::{Chosen, Decided, Events, Granule, InTable};
use super::transaction::{Answers, Taken, Transaction};
use crate::getm_metadata::Verdict;
use crate::getm_validation::channels::{
    self, DECIDED, ISSUED, Issue, OVERFLOW_REQ, RELEASE, REQ, RESP, ROLL, ROLLED,
};
use crate::getm_validation::params::Params;
use crate::getm_validation::rules;
use crate::kit::*;

/// Clocks in which the unit does something that it has to do: in most of them the table may stand still,
/// for the walk of an entry or to be cleared.
pub(super) fn patience(p: &Params) -> u64 {
    u64::from(4 * p.max_kicks + p.rows_per_way.max(p.bloom_rows)) + 16
}

/// The ports of the unit, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub chosen: Chosen<'m>,
    pub roll: Watched<'m>,
    pub resp: Watched<'m>,
    pub issued: Watched<'m>,
    pub decided: Watched<'m>,
    pub events: Events<'m>,
    pub taken: Taken<'m>,
    pub in_table: InTable<'m>,
    pub granule: Granule<'m>,
    pub transaction: Transaction<'m>,
    pub answers: Answers<'m>,
    pub rollover: Rollover<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let channels = channels::channels(p);
        let [req, release, roll, resp, rolled, asked, issued, decided] =
            [REQ, RELEASE, ROLL, RESP, ROLLED, OVERFLOW_REQ, ISSUED, DECIDED]
                .map(|index| Watched::channel(m, &channels[index]));
        let chosen = Chosen {
            granule: m.input("chosen_granule", p.granule_bits()),
            warp: m.input("chosen_warp", p.owner_bits),
            warpts: m.input("chosen_warpts", p.timestamp_bits),
        };
        let events = Events::new(&issued);
        let shown = (&issued, &events);
        let taken = Taken::new(m, p, (&req, &release), shown);
        let in_table = InTable::new(m, p, &chosen, shown, taken.count, decided.valid);
        let verdict = (&decided, &in_table.next);
        let granule = Granule::new(m, p, &decided, &in_table.next);
        let transaction = Transaction::new(m, p, &chosen, (&req, &resp), shown, verdict);
        let answers = Answers::new(m, p, &chosen, &resp, &events, verdict, &transaction);
        let rollover = Rollover::new(m, (&roll, &rolled), &events, verdict);

        let willing = resp.ready & rolled.ready & !asked.waits();
        let quiet = willing & !issued.valid & !in_table.queue.any();
        let patience = patience(p);
        let is_over = |name: &str, waits: Signal<'m>| {
            clocks_of(m, name, patience, quiet & waits).eq(patience)
        };

        let known = !issued.valid | issued.get("what").le(Issue::RefusedRetry as usize);
        let about_something = !decided.valid | in_table.next.any;
        let waits = taken.requests.any() | taken.releases.any();
        let as_issued = taken.as_taken & transaction.retried_as_parked & known & about_something;
        let aligned = !issued.valid | p.is_aligned(issued.get("address"));
        rules::ISSUED_AS_TAKEN.assert(m, as_issued & aligned);
        rules::ROLLS_OVER.assert(m, rollover.as_told);
        rules::MOVES_ON.assert(m, !is_over("waits_for", waits | rollover.pending));
        let stranded = *transaction.parked & (!granule.is_reserved() | *rollover.stopped);
        rules::NOBODY_STRANDED.assert(m, !is_over("stranded_for", stranded));
        let too_many = taken.too_many | in_table.too_many | answers.too_many;
        rules::WITHIN_REACH.assert(m, !too_many);
        Self {
            m,
            p,
            chosen,
            roll,
            resp,
            issued,
            decided,
            events,
            taken,
            in_table,
            granule,
            transaction,
            answers,
            rollover,
        }
    }
}

// The roll-over of timestamps: what the unit was told, has done and has to say.

/// Where the unit is in a roll-over.
pub(super) struct Rollover<'m> {
    /// From a stop to the clear.
    pub stopped: Reg<'m>,
    /// Told to stop, or to go on, and it has not done so.
    pub told: Reg<'m>,
    /// It is to say that it has stopped, or that it goes on.
    pub to_say: [Reg<'m>; 2],
    /// What is issued, and said, fits.
    pub as_told: Signal<'m>,
    /// Something is to be done or said.
    pub pending: Signal<'m>,
}

impl<'m> Rollover<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        (roll, rolled): (&Watched<'m>, &Watched<'m>),
        events: &Events<'m>,
        (decided, next): (&Watched<'m>, &Decided<'m>),
    ) -> Self {
        let stopped = m.reg("has_stopped", 1, 0).doc("From a stop to the clear.");
        let told = m.reg("told", 1, 0).doc("Told to stop, or to go on, and has not done so.");
        let [says_stopped, says_cleared] =
            ["stopped", "cleared"].map(|name| m.reg(&format!("to_say_{name}"), 1, 0));
        let succeeds = decided.get("verdict").eq(Verdict::Success as usize);
        let cleared = decided.valid & next.clear & succeeds;
        m.when(events.stop, || stopped.set(1)).otherwise_when(cleared, || stopped.set(0));
        // A unit that has stopped need not be told again, and no other is to go on.
        m.when(events.stop | events.clear, || told.set(0))
            .otherwise_when(roll.fires() & roll.get("go").eq(*stopped), || told.set(1));
        let go = rolled.get("go");
        m.when(events.stop, || says_stopped.set(1))
            .otherwise_when(rolled.fires() & !go, || says_stopped.set(0));
        m.when(cleared, || says_cleared.set(1))
            .otherwise_when(rolled.fires() & go, || says_cleared.set(0));

        let runs = events.request | events.retry;
        let refuses = events.refused_request | events.refused_retry;
        let in_its_time = stopped.mux(!(runs | events.stop), !(refuses | events.clear));
        let said = !rolled.valid | go.mux(*says_cleared, *says_stopped);
        Self {
            stopped,
            told,
            to_say: [says_stopped, says_cleared],
            as_told: in_its_time & said,
            pending: *told | *says_stopped | *says_cleared,
        }
    }
}
