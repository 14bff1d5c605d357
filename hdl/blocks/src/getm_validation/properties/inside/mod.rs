//! Invariants about what our own circuit's registers hold, beside what the properties remember. The
//! metadata table is taken out: its contract stands in its place.

mod responses;
mod stall;
mod table;
mod transaction;

use super::monitor::Monitor;
use crate::kit::*;
use responses::Responses;
use stall::{Stall, Verdict};

struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    monitor: &'a Monitor<'a, 'm>,
    verdict: Verdict<'m>,
    stall: Stall<'m>,
    responses: Responses<'m>,
}

/// States the contract of the table, and asserts the invariants.
pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let (m, params) = (monitor.m, monitor.p.table());
    let table = table::contract(monitor, &params, probes);
    let verdict = Verdict::new(monitor, probes);
    let stall = Stall::new(monitor, probes);
    let responses = Responses::new(monitor, probes, &stall);
    let inside = Inside { m, monitor, verdict, stall, responses };
    inside.table_is_asked_as_shown(&table);
    inside.what_waits_is_taken(probes);
    inside.rolls_over(probes);
    inside.verdicts_are_on_what_entered();
    inside.lines_are_sound(probes);
    inside.retries_are_offered(probes);
    inside.nobody_sleeps_at_a_free_granule();
    inside.answers_are_counted(probes);
    let answer = inside.chosen_answer();
    inside.transaction_is_in_one_place(&answer);
    inside.chosen_waits_once(&answer);
    inside.answers_are_verdicts(&answer);
    inside.answers_are_in_order(&answer);
}

impl<'m> Inside<'_, 'm> {
    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.m, name, all_of(self.m, kept), doc);
    }

    /// How many of them are one.
    fn number(&self, of: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
        let each = of.into_iter().map(|bit| bit.zero_extend(5));
        each.fold(self.m.lit(5, 0), |sum, bit| sum + bit)
    }
}
