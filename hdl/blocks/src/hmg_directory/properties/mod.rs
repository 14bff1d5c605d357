//! The contract as a module of properties on the ports, to be proven.
//!
//! One set is chosen, any one. Requests are remembered from the port to their answer, and an ideal
//! set without limits knows who holds which of its blocks by what was answered. As in the run-time
//! contract, what was evicted is learnt from the invalidation.

mod corners;
mod ideal;
mod progress;
mod request;

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{Module, ModuleBuilder, Signal};

use super::channels::{Op, invalidation_fields, request_fields, response_fields, straps};
use super::params::Params;
use super::rules;
use crate::properties::queue::Queue;
use corners::{Incoming, Seen, cover_corners};
use ideal::{Holders, judge, sent_fields};
use progress::{Flow, assert_progress};
use request::{Meaning, remembered};

/// Requests that may be between `req` and `resp`. The circuit has eight: one in each of four stages
/// and two in each buffer.
const IN_FLIGHT: u32 = 8;

/// The module `hmg_directory_properties`.
pub(super) fn properties(p: &Params) -> Module {
    let builder = ModuleBuilder::new("hmg_directory_properties");
    build(&builder, p);
    builder.finish()
}

/// What the corners need of what the properties remember.
struct Monitor<'a, 'm> {
    m: &'m ModuleBuilder,
    presented: Signal<'m>,
    requests: &'a Queue<'m>,
}

/// What is remembered of a request that means this, in the chosen set or not.
fn remember<'m>(
    p: &Params,
    meaning: &Meaning<'m>,
    here: Signal<'m>,
) -> Record<'m> {
    Record::new(
        &remembered(p),
        vec![
            meaning.error,
            meaning.is(Op::Release),
            meaning.is(Op::Load) & here,
            (meaning.is(Op::Store) | meaning.is(Op::Atomic)) & here,
            meaning.is(Op::Invalidate) & here,
            meaning.is(Op::Downgrade) & here,
            meaning.source,
            meaning.tag(p),
        ],
    )
}

fn build<'m>(m: &'m ModuleBuilder, p: &Params) {
    m.describe(
        "The contract of hmg_directory, on its ports.\n\nchosen_set is any set, always the same.",
    );
    let own: Vec<_> = straps(p).into_iter().map(|s| m.input(s.name, s.width)).collect();
    let chosen_set = m.input("chosen_set", p.index_bits());
    let init_done = m.input("init_done", 1);
    let (req_valid, req_ready) = (m.input("req_valid", 1), m.input("req_ready", 1));
    let req = payload(m, "req", &request_fields(p));
    let (resp_valid, resp_ready) = (m.input("resp_valid", 1), m.input("resp_ready", 1));
    let resp = payload(m, "resp", &response_fields());
    let (inv_valid, inv_ready) = (m.input("inv_valid", 1), m.input("inv_ready", 1));
    let inv = payload(m, "inv", &invalidation_fields(p));
    let error_valid = m.input("error_valid", 1);
    let error_code = m.input("error_code", 3);

    let meaning = m.scope("req", || Meaning::of(m, p, &req, &own));
    let accepted = (req_valid & req_ready).named("accepted");
    let shown = m.reg("resp_shown", 1, 0).doc("The answer on resp was there at the last edge.");
    shown.set(resp_valid & !resp_ready);
    let presented = (resp_valid & !*shown).named("presented");

    let requests = Queue::new(m, "request", IN_FLIGHT, &remembered(p));
    let here = meaning.set(p).eq(chosen_set);
    let new = remember(p, &meaning, here);
    requests.set(accepted, &new, presented);
    rules::ONE_ANSWER.assert(m, !presented | requests.any());
    rules::IN_FLIGHT.assert(m, !accepted | !requests.full() | presented);

    // Invalidations of the chosen set between `inv` and the answer that they belong to.
    let sent = Queue::new(m, "sent", IN_FLIGHT, &sent_fields(p));
    let block = inv.get("address").slice(p.offset_bits()..p.address_bits);
    let of_set = block.truncate(p.index_bits()).eq(chosen_set);
    let tag = block.slice(p.index_bits()..p.index_bits() + p.tag_bits());
    let leaves = (inv_valid & inv_ready & of_set).named("inv_leaves");
    let holders: Vec<_> =
        (0..1 << p.tag_bits()).map(|tag| m.reg(&format!("holders{tag}"), p.sharers(), 0)).collect();
    let held = Holders(holders.iter().map(|register| **register).collect());
    let (any_sent, oldest_sent) = (sent.any(), sent.oldest());
    let judged = judge(m, p, &held, &requests.oldest(), &resp, (any_sent, &oldest_sent));
    for (rule, kept) in &judged.rules {
        rule.assert(m, !presented | *kept);
    }
    m.when(presented, || {
        for (register, next) in holders.iter().zip(&judged.holders.0) {
            register.set(*next);
        }
    });
    let takes = presented & judged.tells & any_sent;
    sent.set(leaves, &Record::new(&sent_fields(p), vec![tag, inv.get("sharers")]), takes);
    rules::INVALIDATION_BELONGS.assert(m, !sent.longer_than(&requests) & (!leaves | !sent.full()));
    let place = inv.get("address").truncate(p.offset_bits());
    rules::INVALIDATION_WELL_FORMED
        .assert(m, !inv_valid | (inv.get("sharers").any() & !place.any()));

    let due = Fields::new().with("code", 3, "why");
    let errors = Queue::new(m, "error", IN_FLIGHT, &due);
    let wrong = accepted & meaning.error;
    errors.set(wrong, &Record::new(&due, vec![meaning.code]), error_valid);
    let as_due = errors.any() & errors.oldest().get("code").eq(error_code);
    let unanswered = m.reg("errors_unanswered", 4, 0).doc("Errors whose answer is to come.");
    let answers_error = presented & requests.oldest().get("error");
    m.when(error_valid & !answers_error, || unanswered.set(*unanswered + 1))
        .otherwise_when(answers_error & !error_valid, || unanswered.set(*unanswered - 1));
    rules::ERROR_AS_DUE.assert(m, (!error_valid | as_due) & (!answers_error | unanswered.any()));

    let flow = Flow {
        req_ready,
        init_done,
        willing: resp_ready & inv_ready,
        pending: requests.any(),
        answered: presented,
    };
    assert_progress(m, p, &flow);
    let monitor = Monitor { m, presented, requests: &requests };
    let incoming = Incoming { accepted, meaning: &meaning, address: req.get("address") };
    let seen = Seen {
        told: oldest_sent.get("sharers").and_where(takes),
        held: held.of(requests.oldest().get("tag")),
        flags: resp,
        resp_waits: resp_valid & !resp_ready,
        inv_waits: inv_valid & !inv_ready,
    };
    cover_corners(p, &monitor, &incoming, &seen);
}

fn payload<'m>(m: &'m ModuleBuilder, channel: &str, fields: &Fields) -> Record<'m> {
    let port = |name: &str, width| m.input(&format!("{channel}_{name}"), width);
    Record::new(fields, fields.iter().map(|field| port(&field.name, field.width)).collect())
}
