//! Where the access of the chosen transaction to the chosen granule is.

use super::granule::{Chosen, Decided, Events};
use crate::getm_metadata::Verdict;
use crate::getm_validation::channels::Outcome;
use crate::getm_validation::params::Params;
use crate::getm_validation::rules;
use crate::kit::*;

/// The access: in one place at most.
pub(super) struct Transaction<'m> {
    /// Taken from `req`, and not issued.
    pub asked: Reg<'m>,
    pub entered: Reg<'m>,
    /// It was to wait: it does, or it found no room and is to be answered so.
    pub parked: Reg<'m>,
    /// It is to be answered.
    pub due: Reg<'m>,
    /// It is to be answered so.
    pub outcome: Reg<'m>,
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
                & p.granule(channel.get("address")).eq(chosen.granule)
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

// What was taken from `req` and `release`, and has not been issued.

/// Requests, or releases, that are not issued. Our circuit has two, and shows one in the clock after.
const WAITING: u32 = 3;

pub(super) struct Taken<'m> {
    pub requests: Queue<'m>,
    pub releases: Queue<'m>,
    /// What is issued is the next.
    pub as_taken: Signal<'m>,
    /// More is taken than can be remembered.
    pub too_many: Signal<'m>,
    /// Writes that the release that is issued is of.
    pub count: Signal<'m>,
}

/// What is remembered of a request.
pub(super) fn request_fields(p: &Params) -> Fields {
    Fields::new()
        .with("granule", p.granule_bits(), "the granule")
        .with("store", 1, "a store")
        .with("warp", p.owner_bits, "the warp")
        .with("warpts", p.timestamp_bits, "its timestamp")
}

pub(super) fn access_on<'m>(p: &Params, channel: &Watched<'m>) -> Record<'m> {
    let rest = ["store", "warp", "warpts"].map(|name| channel.get(name));
    Record::new(&request_fields(p), [&[p.granule(channel.get("address"))][..], &rest].concat())
}

/// What is remembered of a release.
pub(super) fn release_fields(p: &Params) -> Fields {
    let granule = Fields::new().with("granule", p.granule_bits(), "the granule");
    granule.with("count", p.write_count_bits, "writes that are done with")
}

impl<'m> Taken<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        (req, release): (&Watched<'m>, &Watched<'m>),
        (issued, events): (&Watched<'m>, &Events<'m>),
    ) -> Self {
        let requests = Queue::new(m, "request", WAITING, &request_fields(p));
        let is_request = events.request | events.refused_request;
        requests.set(req.fires(), &access_on(p, req), is_request);
        let next = requests.any() & requests.oldest().pack().eq(access_on(p, issued).pack());

        let releases = Queue::new(m, "release", WAITING, &release_fields(p));
        let entry = vec![p.granule(release.get("address")), release.get("count")];
        let entry = Record::new(&release_fields(p), entry);
        releases.set(release.fires(), &entry, events.release);
        let oldest = releases.oldest();
        let next_release =
            releases.any() & oldest.get("granule").eq(p.granule(issued.get("address")));

        let lost = (requests.full() & req.fires()) | (releases.full() & release.fires());
        Self {
            as_taken: (!is_request | next) & (!events.release | next_release),
            too_many: lost,
            count: oldest.get("count"),
            requests,
            releases,
        }
    }
}

// Answers: those that are due have numbers, in their order, and of the chosen one the number is known.

/// Clocks in which an answer that is due is offered.
const PATIENCE: u64 = 4;
/// Bits of the number of an answer: of our circuit, up to 17 are due.
const BITS: u32 = 5;

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
        // An access without room is answered between the others; until then it may be one that waits.
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
        let waiting = clocks_of(m, "unanswered_for", PATIENCE, silent);
        let kept = transaction.answered_as_due & in_turn & one_is_due & waiting.ne(PATIENCE);
        rules::ANSWERED_ONCE.assert(m, kept & (!resp.valid | p.is_aligned(resp.get("address"))));

        let aborts = [Outcome::AbortWar, Outcome::AbortWaw, Outcome::AbortRaw];
        let aborts = aborts.map(|outcome| resp.get("outcome").eq(outcome as usize));
        let here = p.granule(resp.get("address")).eq(chosen.granule);
        let aborts = resp.valid & here & any_of(aborts);
        rules::LATER_START.assert(m, !aborts | resp.get("timestamp").gt(resp.get("warpts")));
        let too_many = due.ge((1 << BITS) - 2) & (decides | refuses);
        Self { given, taken, chosen: number, waiting, too_many }
    }
}
