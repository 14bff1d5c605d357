//! Answers: those that are due have numbers, in their order, and of the chosen one the number is known.

use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::events::{Chosen, Events};
use super::in_table::Decided;
use super::transaction::Transaction;
use super::{granule_of, is_aligned};
use crate::getm_metadata::Verdict;
use crate::getm_validation::channels::Outcome;
use crate::getm_validation::params::Params;
use crate::getm_validation::rules;
use crate::properties::Watched;

/// Clocks in which an answer that is due is offered.
const PATIENCE: u64 = 4;
/// Bits of the number of an answer: of our circuit, up to 17 are due.
const BITS: u32 = 5;

/// The answers that are due.
pub(super) struct Answers<'m> {
    /// The number of the next that becomes due; those that found no room have none.
    pub given: Reg<'m>,
    /// The number of the next on `resp`.
    pub taken: Reg<'m>,
    /// The number of the chosen one, meaningful if it is due.
    pub chosen: Reg<'m>,
    /// Clocks in which an answer is due and not offered.
    pub waiting: Reg<'m>,
    /// More are due than can be counted.
    pub too_many: Signal<'m>,
}

impl<'m> Answers<'m> {
    /// Counts them, and asserts the rules.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        chosen: &Chosen<'m>,
        resp: &Watched<'m>,
        events: &Events<'m>,
        (decided, next): (&Watched<'m>, &Decided<'m>),
        transaction: &Transaction<'m>,
    ) -> Self {
        let given = m.reg("answers_given", BITS, 0).doc("Number of the next that becomes due.");
        let taken = m.reg("answers_taken", BITS, 0).doc("Number of the next on resp.");
        let number = m.reg_without_reset("chosen_number", BITS).doc("Of the chosen one.");
        let full = resp.get("outcome").eq(Outcome::AbortFull as usize);
        // Who found no room is answered between the others; until then it is not known who waits.
        let counted = resp.valid & !full;
        let leaves = counted & resp.ready;
        let parks = decided.get("verdict").eq(Verdict::Park as usize);
        let decides = decided.valid & next.access & !parks;
        let refuses = events.refused_request | events.refused_retry;
        let wide = |bit: Signal<'m>| bit.zero_extend(BITS);
        taken.set(*taken + wide(leaves));
        // Of both at a clock, the verdict was first.
        let after_verdict = *given + wide(decides);
        given.set(after_verdict + wide(refuses));
        let of_verdict = next.chosen & decides;
        m.when(transaction.becomes_due, || number.set(of_verdict.mux(*given, after_verdict)));

        let due = (*given - *taken).named("answers_due");
        let first = *transaction.due & number.eq(*taken);
        let in_turn = !counted | transaction.answered.eq(first);
        let one_is_due = !counted | due.any();
        let silent = due.any() & resp.ready & !resp.valid;
        let waiting = m.reg("unanswered_for", u64::BITS - PATIENCE.leading_zeros(), 0);
        m.when(!silent, || waiting.set(0))
            .otherwise_when(waiting.ne(PATIENCE), || waiting.set(*waiting + 1));
        let kept = transaction.answered_as_due & in_turn & one_is_due & waiting.ne(PATIENCE);
        rules::ANSWERED_ONCE.assert(m, kept & (!resp.valid | is_aligned(p, resp.get("address"))));

        let aborts = [Outcome::AbortWar, Outcome::AbortWaw, Outcome::AbortRaw];
        let aborts = aborts.map(|outcome| resp.get("outcome").eq(outcome as usize));
        let here = granule_of(p, resp).eq(chosen.granule);
        let aborts = resp.valid & here & aborts.into_iter().reduce(|a, b| a | b).expect("outcomes");
        rules::LATER_START.assert(m, !aborts | resp.get("timestamp").gt(resp.get("warpts")));
        let too_many = due.ge((1 << BITS) - 2) & (decides | refuses);
        Self { given, taken, chosen: number, waiting, too_many }
    }
}
