//! What leaves stage 5: answers and errors.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::library::skid_buffer;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::decide::Decision;
use super::stage::Stage;
use crate::getm_metadata::channels::{ERROR_CODES, Op, answer_fields};
use crate::getm_metadata::params::Params;

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
    let payload = Record::new(&answer_fields(p), echo.into_iter().chain(values).collect());
    let answer = Stream { valid: leaves, payload, ready: m.wire("answer_ready", 1) };
    let ready = *answer.ready;
    skid_buffer::buffer(m, "answer", answer).output(m, "resp");
    ready
}

/// Pulses `error` in the clock after stage 5 was done with a request without meaning.
pub(super) fn raise_errors<'m>(m: &'m ModuleBuilder, decision: &Decision<'m>, done: Signal<'m>) {
    let raised = m.reg("error_raised", 1, 0);
    let code = m.reg_without_reset("error_kind", 2);
    raised.set(done & decision.error);
    code.set(decision.error_code);
    m.output("error_valid", *raised).doc("a request had no meaning");
    m.output("error_code", *code).doc(ERROR_CODES);
}
