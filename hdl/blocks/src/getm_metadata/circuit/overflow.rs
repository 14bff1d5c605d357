//! The overflow space: what is asked of it, and how many entries are there.

use super::decide::Decision;
use super::stage::Stage;
use crate::getm_metadata::access::Metadata;
use crate::getm_metadata::channels::{Answer, Op, OverflowAnswer, OverflowOp, OverflowRequest};
use crate::getm_metadata::params::Params;
use crate::kit::*;

/// What is known of the request in stage 5.
pub(super) struct Overflow<'m> {
    /// Whether an entry is there must be asked, and is not known yet.
    pub is_awaited: Signal<'m>,
    pub found: Signal<'m>,
    /// The answer comes at this clock: an entry was found.
    pub comes: Signal<'m>,
    /// What it says then.
    pub metadata: Record<'m>,
    /// The request that is made, if it is not a lookup: to be set.
    pub asks: Asks<'m>,
}

/// A request to the overflow space, made by stage 5 or the walk.
pub(super) struct Asks<'m> {
    /// One of these is one at most.
    pub insert: Wire<'m>,
    pub update: Wire<'m>,
    pub remove: Wire<'m>,
    /// The number of the entry's granule, and what is to be kept.
    pub granule: Wire<'m>,
    pub metadata: Wire<'m>,
    /// The request in stage 5 is done with at the edge.
    pub step: Wire<'m>,
}

/// `misses` says that the request in stage 5 is neither in a bank nor in the stash.
pub(super) fn overflow<'m>(m: &'m ModuleBuilder, p: &Params, misses: Signal<'m>) -> Overflow<'m> {
    let answer = Stream::input(m, "overflow_resp", &OverflowAnswer::fields(p));
    let asks = Asks {
        insert: m.wire("overflow_insert", 1),
        update: m.wire("overflow_update", 1),
        remove: m.wire("overflow_remove", 1),
        granule: m.wire("overflow_granule", p.granule_bits()),
        metadata: m.wire("overflow_metadata", Metadata::fields(p).width()),
        step: m.wire("overflow_step", 1),
    };
    let count =
        m.reg("overflow_count", p.granule_bits() + 1, 0).doc("Entries in the overflow space.");
    let in_use = m.reg("overflow_in_use", 1, 0).doc("There are entries: else it is not asked.");
    let asked = m.reg("overflow_asked", 1, 0).doc("The lookup was made.");
    let answered = m.reg("overflow_answered", 1, 0).doc("The lookup was answered.");
    let found = m.reg_without_reset("overflow_found", 1);

    let must_ask = (misses & *in_use & !*answered).named("must_ask");
    let lookup = (must_ask & !*asked).named("overflow_lookup");
    let changes = *asks.insert | *asks.update | *asks.remove;
    let codes = [
        (OverflowOp::Insert, *asks.insert),
        (OverflowOp::Update, *asks.update),
        (OverflowOp::Remove, *asks.remove),
    ];
    let op = any_of(codes.into_iter().map(|(op, is)| m.lit(2, op as u64).and_where(is)));
    let metadata = asks.metadata.and_where(*asks.insert | *asks.update);
    let metadata = Record::unpack(&Metadata::fields(p), metadata);
    let address = p.address(*asks.granule);
    let values = ["wts", "rts", "writes", "owner"].map(|field| metadata.get(field));
    let payload = [op, address].into_iter().chain(values).collect();
    let request = Stream {
        valid: lookup | changes,
        payload: Record::new(&OverflowRequest::fields(p), payload),
        ready: m.wire("overflow_ready", 1),
    };
    // A lookup was answered after it had left the buffer. So nothing is there when an entry is found, and
    // when one enters at most the removal of the one that was the last.
    let has_room = !changes | *request.ready;
    m.assert("overflow_has_room", has_room, "Only a lookup waits for room in the buffer.");
    let fires = request.fires();
    skid_buffer::buffer(m, "overflow_buffer", request).output(m, "overflow_req");

    answer.ready.set(*asked & !*answered);
    m.when(lookup & fires, || asked.set(1));
    m.when(answer.fires(), || {
        answered.set(1);
        found.set(answer.payload.get("found"));
    });
    m.when(*asks.step, || {
        asked.set(0);
        answered.set(0);
    });
    m.when(*asks.insert, || {
        count.set(*count + 1);
        in_use.set(1);
    })
    .otherwise_when(*asks.remove, || {
        count.set(*count - 1);
        in_use.set(count.ne(1));
    });
    Overflow {
        is_awaited: must_ask,
        found: *answered & *found,
        comes: answer.fires() & answer.payload.get("found"),
        metadata: pick(&Metadata::fields(p), &answer.payload),
        asks,
    }
}

// What leaves stage 5: answers.

/// Answers the request of stage 5 where `leaves` is one. Gives whether an answer is taken.
pub(super) fn answer<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    stage: &Stage<'m>,
    before: &Record<'m>,
    decision: &Decision<'m>,
    leaves: Signal<'m>,
) -> Signal<'m> {
    let tells = (!decision.error & !stage.is(Op::Clear)).named("tells_metadata");
    let echo = ["op", "address", "warp", "warpts", "tag"].map(|field| stage.get(field));
    let values = [
        decision.verdict,
        before.get("wts").and_where(tells),
        before.get("rts").and_where(tells),
        decision.reserved_after & tells,
    ];
    let payload = Record::new(&Answer::fields(p), echo.into_iter().chain(values).collect());
    let answer = Stream { valid: leaves, payload, ready: m.wire("answer_ready", 1) };
    let ready = *answer.ready;
    skid_buffer::buffer(m, "answer", answer).output(m, "resp");
    ready
}
