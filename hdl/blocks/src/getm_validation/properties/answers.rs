//! Answers: of those to come only the number is known, and how many come before the chosen one.

use warpsmith_rtl::{ModuleBuilder, Signal};

use super::events::Events;
use super::in_table::Decided;
use super::is_aligned;
use super::transaction::Transaction;
use crate::getm_metadata::Verdict;
use crate::getm_validation::channels::Outcome;
use crate::getm_validation::params::Params;
use crate::getm_validation::rules;
use crate::properties::Watched;

/// Clocks in which an answer that is due is offered.
const PATIENCE: u64 = 4;
/// Bits of a number of answers: our circuit has up to 16.
const BITS: u32 = 5;

/// The answers that are due.
pub(super) struct Answers<'m> {
    /// More are due than can be counted.
    pub too_many: Signal<'m>,
}

impl<'m> Answers<'m> {
    /// Counts them, and asserts the rules.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        resp: &Watched<'m>,
        events: &Events<'m>,
        (decided, next): (&Watched<'m>, &Decided<'m>),
        transaction: &Transaction<'m>,
    ) -> Self {
        let due = m.reg("answers_due", BITS, 0).doc("Accesses to be answered.");
        let before = m.reg_without_reset("answers_before", BITS).doc("Before the chosen one.");
        let full = resp.get("outcome").eq(Outcome::AbortFull as usize);
        // Who found no room is answered between the others; until then it is not known who waits.
        let counted = resp.valid & !full;
        let leaves = counted & resp.ready;
        let parks = decided.get("verdict").eq(Verdict::Park as usize);
        let decides = decided.valid & next.access & !parks;
        let refuses = events.refused_request | events.refused_retry;
        let wide = |bit: Signal<'m>| bit.zero_extend(BITS);
        let left = *due - wide(leaves);
        let (after_verdict, carry) = {
            let sum = left.add_with_carry(wide(decides));
            (sum.truncate(BITS), sum.bit(BITS))
        };
        let both = after_verdict.add_with_carry(wide(refuses));
        due.set(both.truncate(BITS));
        // Of both at a clock, the verdict was first.
        let ahead = (next.chosen & decides).mux(left, after_verdict);
        m.when(transaction.becomes_due, || before.set(ahead))
            .otherwise_when(leaves, || before.set(*before - wide(leaves)));

        let first = *transaction.due & before.eq(0);
        let in_turn = !counted | transaction.answered.eq(first);
        let one_is_due = !counted | due.any();
        let silent = due.any() & resp.ready & !resp.valid;
        let waiting = m.reg("unanswered_for", u64::BITS - PATIENCE.leading_zeros(), 0);
        m.when(!silent, || waiting.set(0))
            .otherwise_when(waiting.ne(PATIENCE), || waiting.set(*waiting + 1));
        let kept = transaction.answered_as_due & in_turn & one_is_due & waiting.ne(PATIENCE);
        rules::ANSWERED_ONCE.assert(m, kept & (!resp.valid | is_aligned(p, resp)));

        let aborts = [Outcome::AbortWar, Outcome::AbortWaw, Outcome::AbortRaw];
        let aborts = aborts.map(|outcome| resp.get("outcome").eq(outcome as usize));
        let aborts = resp.valid & aborts.into_iter().reduce(|a, b| a | b).expect("outcomes");
        rules::LATER_START.assert(m, !aborts | resp.get("timestamp").gt(resp.get("warpts")));
        Self { too_many: carry | both.bit(BITS) }
    }
}
