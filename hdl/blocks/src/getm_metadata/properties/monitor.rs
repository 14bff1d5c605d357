//! What the properties remember, and the rules that they assert at the ports.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::overflow::Space;
use super::truth::{Judged, Remembered, Truth, same};
use crate::getm_metadata::channels::{
    self, ERROR, OVERFLOW_REQ, OVERFLOW_RESP, REQ, RESP, request_fields,
};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::rules;
use crate::properties::{Queue, Watched};

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
    /// What is to be thought of it.
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
        let in_flight = Queue::new(m, "in_flight", IN_FLIGHT, &request_fields(p));
        in_flight.set(req.fires(), &req.payload, presented);
        let request = in_flight.oldest();
        let echoes = same(&request, &resp.payload, &["op", "address", "warp", "warpts", "tag"]);

        let remembered = Remembered::new(m, p, "truth");
        let truth = remembered.get(p);
        let judged = truth.judge(p, chosen, &request, &resp.payload);
        remembered.set(&truth.or_where(presented, &judged.after));

        let raised = Queue::new(m, "raised", RAISED, &code_fields());
        let due = presented & judged.error;
        let first = raised.any().mux(raised.oldest().get("code"), error.get("code"));
        let entry = Record::new(&code_fields(), vec![error.get("code")]);
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

fn code_fields() -> Fields {
    Fields::new().with("code", 2, "why the request has no meaning")
}
