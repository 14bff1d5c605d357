//! What the properties remember, and the rules that they assert at the ports.

use super::ideal::{Holders, Judged, Meaning, judge, remembered_fields, sent_fields};
use super::{set_of, tag_of};
use crate::hmg_directory::channels::{self, ERROR, INV, REQ, RESP};
use crate::hmg_directory::params::Params;
use crate::hmg_directory::rules;
use crate::kit::*;

/// Requests that may wait for an answer. Our circuit has eight: one in each of four stages and two
/// in each of two buffers.
pub(super) const IN_FLIGHT: u32 = 8;

/// The ports of the directory, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    /// This GPM and this GPU.
    pub own: Vec<Signal<'m>>,
    pub chosen_set: Signal<'m>,
    pub init_done: Signal<'m>,
    pub req: Watched<'m>,
    pub resp: Watched<'m>,
    pub inv: Watched<'m>,
    /// What the request on `req` means.
    pub meaning: Meaning<'m>,
    /// The answer on `resp` was there before.
    pub shown: Signal<'m>,
    /// An answer is presented for the first time.
    pub presented: Signal<'m>,
    /// Requests that wait for an answer.
    pub requests: Queue<'m>,
    /// Invalidations of the chosen set that have left and no answer has accounted for.
    pub sent: Queue<'m>,
    pub errors: Queue<'m>,
    /// Errors raised whose answer is to come.
    pub unanswered: Signal<'m>,
    /// The holders of the blocks of the chosen set, by what has been answered.
    pub held: Holders<'m>,
    /// What the answer on `resp` comes to.
    pub judged: Judged<'m>,
    /// Clocks in which nothing happened.
    pub progress: Progress<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let straps = channels::straps(p);
        let own: Vec<_> = straps.iter().map(|strap| m.input(strap.name, strap.width)).collect();
        let chosen_set = m.input("chosen_set", p.index_bits());
        let init_done = m.input("init_done", 1);
        let channels = channels::channels(p);
        let [req, resp, inv, error] =
            [REQ, RESP, INV, ERROR].map(|index| Watched::channel(m, &channels[index]));

        let meaning = m.scope("req", || Meaning::of(m, p, &req.payload, &own));
        let shown = m.reg("resp_shown", 1, 0).doc("The answer on resp was there before.");
        shown.set(resp.waits());
        let presented = (resp.valid & !*shown).named("presented");
        let requests = Queue::new(m, "request", IN_FLIGHT, &remembered_fields(p));
        requests.set(req.fires(), &meaning.remembered(p, chosen_set), presented);
        rules::ONE_ANSWER.assert(m, !presented | requests.any());
        rules::WITHIN_REACH.assert(m, !req.fires() | !requests.full() | presented);

        let holders = Self::holders(m, p);
        let held = Holders(holders.iter().map(|register| **register).collect());
        let sent = Queue::new(m, "sent", IN_FLIGHT, &sent_fields(p));
        let oldest = (sent.any(), &sent.oldest());
        let judged = judge(m, p, &held, &requests.oldest(), &resp.payload, oldest);
        judged.rules.iter().for_each(|(rule, kept)| rule.assert(m, !presented | *kept));
        m.when(presented, || {
            holders.iter().zip(&judged.holders.0).for_each(|(register, next)| register.set(*next));
        });
        let accounted = presented & judged.tells & sent.any();
        let leaves = watch_sent(m, p, &inv, chosen_set, &sent, accounted);
        let room = !leaves | !sent.full() | accounted;
        rules::INVALIDATION_OF_A_REQUEST.assert(m, sent.count().le(requests.count()) & room);

        let errors = Queue::new(m, "error", IN_FLIGHT, error.payload.fields());
        let answers_error = presented & requests.oldest().get("error");
        let unanswered = watch_errors(m, &errors, &error, answers_error);
        let due = Record::new(error.payload.fields(), vec![meaning.code]);
        errors.set(req.fires() & meaning.error, &due, error.valid);

        let willing = resp.ready & inv.ready;
        let pending = requests.any() & !presented;
        let progress = assert_progress(m, p, (init_done, req.ready), willing, pending);
        Self {
            m,
            p,
            own,
            chosen_set,
            init_done,
            req,
            resp,
            inv,
            meaning,
            shown: *shown,
            presented,
            requests,
            sent,
            errors,
            unanswered,
            held,
            judged,
            progress,
        }
    }

    fn holders(m: &'m ModuleBuilder, p: &Params) -> Vec<Reg<'m>> {
        (0..1u64 << p.tag_bits()).map(|tag| m.reg(&format!("held{tag}"), p.sharers(), 0)).collect()
    }
}

/// Remembers the invalidations of the chosen set until an answer accounts for them; whether one leaves.
fn watch_sent<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    inv: &Watched<'m>,
    chosen_set: Signal<'m>,
    sent: &Queue<'m>,
    accounted: Signal<'m>,
) -> Signal<'m> {
    let (address, sharers) = (inv.get("address"), inv.get("sharers"));
    let place = address.truncate(p.offset_bits());
    rules::INVALIDATION_WELL_FORMED.assert(m, !inv.valid | (sharers.any() & !place.any()));
    let block = address.slice(p.offset_bits()..p.address_bits);
    let leaves = inv.fires() & set_of(p, block).eq(chosen_set);
    let entry = Record::new(&sent_fields(p), vec![tag_of(p, block), sharers]);
    sent.set(leaves, &entry, accounted);
    leaves
}

/// Asserts that errors are raised as is due; returns how many were whose answer is to come.
fn watch_errors<'m>(
    m: &'m ModuleBuilder,
    errors: &Queue<'m>,
    error: &Watched<'m>,
    answers_error: Signal<'m>,
) -> Signal<'m> {
    let as_due = errors.any() & errors.oldest().get("code").eq(error.get("code"));
    let unanswered = m.reg("errors_unanswered", 4, 0).doc("Raised, the answer is to come.");
    m.when(error.valid & !answers_error, || unanswered.set(*unanswered + 1))
        .otherwise_when(answers_error & !error.valid, || unanswered.set(*unanswered - 1));
    let in_time = !answers_error | unanswered.any();
    rules::ERROR_AS_DUE.assert(m, (!error.valid | as_due) & in_time);
    *unanswered
}

// What happens in time: the block waits for nothing but the takers of `inv` and `resp`.

/// Clocks in which something must happen while `inv` and `resp` are taken.
const PATIENCE: u64 = 15;

/// For how many clocks until now something has been due and has not happened.
pub(super) struct Progress<'m> {
    pub clearing: Signal<'m>,
    /// Taking a request.
    pub refusing: Signal<'m>,
    /// Answering the oldest request.
    pub waiting: Signal<'m>,
}

/// Asserts that it happens. `pending`: a request waits, and is not answered now.
pub(super) fn assert_progress<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    (init_done, req_ready): (Signal<'m>, Signal<'m>),
    willing: Signal<'m>,
    pending: Signal<'m>,
) -> Progress<'m> {
    let after_reset = m.reg("after_reset", 1, 1).doc("The first clock after reset.");
    after_reset.set(0);
    let was_done = m.reg("was_done", 1, 0).doc("init_done was high.");
    was_done.set(init_done);
    let low_then_high = (!*after_reset | !init_done) & (!*was_done | init_done);
    rules::INIT_DONE_STAYS.assert(m, low_then_high);
    rules::READY_AFTER_INIT.assert(m, init_done | !req_ready);

    let long = 4 * u64::from(p.sets) + PATIENCE;
    let progress = Progress {
        clearing: *clocks_of(m, "clearing_for", long, !init_done),
        refusing: *clocks_of(m, "refusing_for", PATIENCE, willing & init_done & !req_ready),
        waiting: *clocks_of(m, "waiting_for", PATIENCE, willing & pending),
    };
    rules::INIT_ENDS.assert(m, progress.clearing.ne(long));
    rules::TAKES_IN_TIME.assert(m, progress.refusing.ne(PATIENCE));
    rules::ANSWERS_IN_TIME.assert(m, progress.waiting.ne(PATIENCE));
    progress
}
