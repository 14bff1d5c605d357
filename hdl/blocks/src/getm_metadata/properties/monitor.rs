//! What the properties remember, and the rules that they assert at the ports.

use super::truth::{Judged, Remembered, Truth, same};
use crate::getm_metadata::access::Metadata;
use crate::getm_metadata::channels::{
    self, ERROR, OVERFLOW_REQ, OVERFLOW_RESP, OverflowOp, REQ, RESP, Request,
};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::rules;
use crate::kit::*;

/// Requests that may be without an answer: our circuit has two places before its five stages, and two
/// behind them.
const IN_FLIGHT: u32 = 9;
/// Codes that may be raised before their answers are presented.
const RAISED: u32 = 2;

/// The ports of the table, and what is remembered of what they showed.
pub(crate) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    /// The number of the chosen granule.
    pub chosen: Signal<'m>,
    pub req: Watched<'m>,
    pub resp: Watched<'m>,
    pub overflow_req: Watched<'m>,
    pub overflow_resp: Watched<'m>,
    /// The answer on `resp` is presented for the first time.
    pub presented: Signal<'m>,
    /// The answer on `resp` was there before.
    pub shown: Signal<'m>,
    /// Requests without an answer.
    pub in_flight: Queue<'m>,
    /// What is true before that answer.
    pub truth: Truth<'m>,
    pub judged: Judged<'m>,
    pub error: Watched<'m>,
    /// Codes raised before their answers are presented.
    pub raised: Queue<'m>,
    pub space: Space<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules, for the granule of a number.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params, chosen: Signal<'m>) -> Self {
        let channels = channels::channels(p);
        let [req, resp, overflow_req, overflow_resp, error] =
            [REQ, RESP, OVERFLOW_REQ, OVERFLOW_RESP, ERROR]
                .map(|index| Watched::channel(m, &channels[index]));

        let shown = m.reg("resp_shown", 1, 0).doc("The answer was there before.");
        shown.set(resp.waits());
        let presented = (resp.valid & !*shown).named("presented");
        let in_flight = Queue::new(m, "in_flight", IN_FLIGHT, &Request::fields(p));
        in_flight.set(req.fires(), &req.payload, presented);
        let request = in_flight.oldest();
        let echoes = same(&request, &resp.payload, &["op", "address", "warp", "warpts", "tag"]);

        let remembered = Remembered::new(m, p, "truth");
        let truth = remembered.get();
        let judged = truth.judge(p, chosen, &request, &resp.payload);
        remembered.set(&truth.or_where(presented, &judged.after));

        let raised = Queue::new(m, "raised", RAISED, error.payload.fields());
        let due = presented & judged.error;
        let first = raised.any().mux(raised.oldest().get("code"), error.get("code"));
        let entry = Record::new(error.payload.fields(), vec![error.get("code")]);
        let stays = error.valid & (raised.any() | !due);
        raised.set(stays, &entry, due);
        let is_raised = (raised.any() | error.valid) & first.eq(judged.code);
        let raised_as_due = (!due | is_raised) & (!raised.any() | in_flight.any());

        for (rule, kept) in &judged.rules {
            let kept = !presented | *kept;
            match rule.name {
                name if name == rules::ONE_ANSWER.name => {
                    let of_request = !presented | (in_flight.any() & echoes);
                    rule.assert(m, kept & of_request);
                }
                name if name == rules::ERROR_AS_DUE.name => rule.assert(m, kept & raised_as_due),
                _ => rule.assert(m, kept),
            }
        }
        let space = Space::new(m, p, chosen, &overflow_req, &overflow_resp);
        let lost = (req.fires() & in_flight.full() & !presented)
            | (stays & raised.full() & !due)
            | space.too_many;
        rules::WITHIN_REACH.assert(m, !lost);
        Self {
            m,
            p,
            chosen,
            req,
            resp,
            overflow_req,
            overflow_resp,
            presented,
            shown: *shown,
            in_flight,
            truth,
            judged,
            error,
            raised,
            space,
        }
    }
}

// The memory behind the overflow space: what is there, and how it may answer.

const METADATA: [&str; 4] = ["wts", "rts", "writes", "owner"];

pub(crate) struct Space<'m> {
    /// A bit for each granule: it has an entry.
    pub there: Reg<'m>,
    /// What is kept of the chosen granule, if it has one.
    pub kept: Record<'m>,
    /// A lookup has not been answered.
    pub unanswered: Reg<'m>,
    pub of_chosen: Reg<'m>,
    pub found: Reg<'m>,
    /// What was kept then of the chosen granule.
    pub looked_up: Record<'m>,
    /// A lookup is made where it cannot be remembered.
    pub too_many: Signal<'m>,
}

impl<'m> Space<'m> {
    /// Watches what is asked, asserts that it is in order, and assumes that lookups are answered with
    /// what is there. Of the others, no more is known than that they are reserved.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        chosen: Signal<'m>,
        asked: &Watched<'m>,
        answer: &Watched<'m>,
    ) -> Self {
        let register = |name: &str, width| m.reg(&format!("overflow_{name}"), width, 0);
        let [kept, looked_up] = ["kept", "looked_up"]
            .map(|name| Held::zero(m, &format!("overflow_{name}"), &Metadata::fields(p)));
        let there = register("there", 1 << p.granule_bits());
        let unanswered = register("unanswered", 1).doc("A lookup has not been answered.");
        let [found, of_chosen] = ["found", "of_chosen"].map(|name| register(name, 1));

        let is = |op: OverflowOp| asked.fires() & asked.get("op").eq(op as usize);
        let [lookup, insert, update, remove] = OverflowOp::ALL.map(is);
        let granule = p.granule(asked.get("address"));
        let which = one_hot::decode(granule, there.width());
        let is_there = (*there & which).any();
        let in_order = sound(p, *there, &asked.payload);
        rules::OVERFLOW_IN_ORDER.assert(m, !asked.fires() | in_order);

        there.set((*there | which.and_where(insert)) & !which.and_where(remove));
        let here = granule.eq(chosen);
        m.when((insert | update) & here, || kept.set(&asked.payload));
        m.when(lookup, || {
            found.set(is_there);
            of_chosen.set(here);
            looked_up.set(kept.get());
        });
        m.when(answer.fires(), || unanswered.set(0));
        m.when(lookup, || unanswered.set(1));

        let as_found = answer.get("found").eq(*found);
        let (kept, looked_up) = (kept.get().clone(), looked_up.get().clone());
        let exact = same(&answer.payload, &looked_up, &METADATA);
        let of_other = answer.get("writes").any();
        let metadata = !*found | of_chosen.mux(exact, of_other);
        m.assume(
            "overflow_answers",
            !answer.valid | (*unanswered & as_found & metadata),
            "The overflow space answers lookups, with what it was told.",
        );
        let too_many = lookup & *unanswered & !answer.fires();
        Self { there, kept, unanswered, of_chosen, found, looked_up, too_many }
    }
}

/// Whether what is asked is in order, with entries of those granules there.
pub(super) fn sound<'m>(p: &Params, there: Signal<'m>, asked: &Record<'m>) -> Signal<'m> {
    let is = |op: OverflowOp| asked.get("op").eq(op as usize);
    let [lookup, insert, update, remove] = OverflowOp::ALL.map(is);
    let address = asked.get("address");
    let which = one_hot::decode(p.granule(address), there.width());
    let is_there = (there & which).any();
    let aligned = p.is_aligned(address);
    let reserved = asked.get("writes").any();
    aligned
        & (!lookup | there.any())
        & (!insert | (!is_there & reserved))
        & (!update | (is_there & reserved))
        & (!remove | is_there)
}
