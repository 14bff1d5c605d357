//! What leaves: the invalidation first, then the answer; and errors.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::library::skid_buffer;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::decode::Decoded;
use crate::hmg_directory::channels::{invalidation_fields, response_fields};
use crate::hmg_directory::params::Params;

/// Presents an effect's invalidation; once it was accepted, the answer moves on to `resp`.
///
/// Both buffers have a registered ready, so no port's ready reaches another port combinationally.
pub(super) fn leave<'m>(m: &'m ModuleBuilder, p: &Params, effect: Stream<'m>) {
    let effect = skid_buffer::buffer(m, "effect", effect);
    let answer_room = m.wire("answer_room", 1);
    let has_inv = effect.payload.get("inv_sharers").any().named("has_inv");
    let inv_ready = m.wire("inv_done", 1).doc("The invalidation is accepted at the edge.");
    let offset = m.lit(p.offset_bits(), 0);
    let address = effect.payload.get("inv_block").concat(offset);
    let invalidation = Stream {
        valid: effect.valid & has_inv & *answer_room,
        payload: Record::new(
            &invalidation_fields(p),
            vec![address, effect.payload.get("inv_sharers")],
        ),
        ready: inv_ready,
    };
    invalidation.output(m, "inv");

    let sent = (*inv_ready | !has_inv).named("inv_sent");
    let flags = ["hit", "allocated", "evicted"].map(|name| effect.payload.get(name));
    let answer = Stream {
        valid: effect.valid & sent,
        payload: Record::new(&response_fields(), flags.to_vec()),
        ready: answer_room,
    };
    effect.ready.set(*answer_room & sent);
    skid_buffer::buffer(m, "answer", answer).output(m, "resp");
}

/// Pulses `error` in the clock after a request without meaning has left stage 1, where `leaves` says
/// that one does. That is before its answer.
pub(super) fn raise_errors<'m>(m: &'m ModuleBuilder, decoded: &Decoded<'m>, leaves: Signal<'m>) {
    let raised = m.reg("error_raised", 1, 0);
    let code = m.reg_without_reset("error_kind", 3);
    raised.set(leaves & decoded.error);
    code.set(decoded.error_code);
    m.output("error_valid", *raised).doc("a request had no meaning");
    m.output("error_code", *code).doc(
        "0 op, 1 source kind, 2 GPU source when flat, 3 no such source, 4 source is self, \
         5 illegal invalidate",
    );
}
