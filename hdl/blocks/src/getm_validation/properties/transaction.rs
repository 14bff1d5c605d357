//! Where the access of the chosen transaction to the chosen granule is.

use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::events::{Chosen, Events};
use super::granule_of;
use super::in_table::Decided;
use crate::getm_metadata::Verdict;
use crate::getm_validation::channels::Outcome;
use crate::getm_validation::params::Params;
use crate::properties::Watched;

/// The access: in one place at most.
pub(super) struct Transaction<'m> {
    /// Taken from `req`, and not issued.
    pub asked: Reg<'m>,
    /// In the table.
    pub entered: Reg<'m>,
    /// It was to wait: it does, or it found no room and is to be answered so.
    pub parked: Reg<'m>,
    /// It is to be answered.
    pub due: Reg<'m>,
    /// It is to be answered so.
    pub outcome: Reg<'m>,
    /// It is a store.
    pub store: Reg<'m>,
    /// Its verdict is made at this clock, and it does not wait.
    pub becomes_due: Signal<'m>,
    /// It is on `resp`.
    pub answered: Signal<'m>,
    /// It waited, and is answered that timestamps roll over.
    pub refused_retry: Signal<'m>,
    /// A retry, if it is issued at this clock, is of the waiter.
    pub retried_as_parked: Signal<'m>,
    /// An answer, if it is on `resp`, is due but for the order.
    pub answered_as_due: Signal<'m>,
}

impl<'m> Transaction<'m> {
    /// Follows it, and assumes that the transaction has one unanswered access to the granule at most,
    /// since one of two could wait for what the other reserved.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        chosen: &Chosen<'m>,
        (req, resp): (&Watched<'m>, &Watched<'m>),
        (issued, events): (&Watched<'m>, &Events<'m>),
        (decided, next): (&Watched<'m>, &Decided<'m>),
    ) -> Self {
        let register = |name: &str| m.reg(&format!("chosen_is_{name}"), 1, 0);
        let [asked, entered, parked, due] = ["asked", "entered", "parked", "due"].map(register);
        let store = m.reg_without_reset("chosen_store", 1);
        let outcome = m.reg_without_reset("chosen_outcome", 3);
        let is_chosen = |channel: &Watched<'m>| {
            channel.valid
                & granule_of(p, channel).eq(chosen.granule)
                & chosen.is_by(&channel.payload)
        };
        let (asks, answered) = (is_chosen(req), is_chosen(resp));
        let is_open = *asked | *entered | *parked | *due;
        m.assume(
            "one_access_at_a_time",
            !(asks & is_open),
            "A transaction has one unanswered access to a granule at most.",
        );

        let enters = is_chosen(issued) & (events.request | events.retry);
        let refused = is_chosen(issued) & (events.refused_request | events.refused_retry);
        let retried = is_chosen(issued) & (events.retry | events.refused_retry);
        let leaves_table = decided.valid & next.access & next.chosen;
        let parks = leaves_table & decided.get("verdict").eq(Verdict::Park as usize);
        let becomes_due = ((leaves_table & !parks) | refused).named("chosen_becomes_due");

        let taken = answered & resp.ready;
        m.when(asks & req.ready, || {
            asked.set(1);
            store.set(req.get("store"));
        })
        .otherwise_when(enters | refused, || asked.set(0));
        m.when(enters, || entered.set(1)).otherwise_when(leaves_table, || entered.set(0));
        m.when(parks, || parked.set(1)).otherwise_when(retried | taken, || parked.set(0));
        m.when(becomes_due, || {
            due.set(1);
            // An abort has the code of its verdict.
            let rolls = m.lit(3, Outcome::AbortRollover as u64);
            outcome.set(refused.mux(rolls, decided.get("verdict")));
        })
        .otherwise_when(taken, || due.set(0));

        let full = resp.get("outcome").eq(Outcome::AbortFull as usize);
        let with_outcome = *due & resp.get("outcome").eq(*outcome);
        let as_due = full.mux(*parked, with_outcome) & resp.get("store").eq(*store);
        let as_parked = *parked & issued.get("store").eq(*store);
        Self {
            asked,
            entered,
            outcome,
            store,
            parked,
            due,
            becomes_due,
            answered,
            refused_retry: retried & events.refused_retry,
            retried_as_parked: !retried | as_parked,
            answered_as_due: !answered | as_due,
        }
    }
}
