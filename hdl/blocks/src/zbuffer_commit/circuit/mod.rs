//! The Z-buffer commit unit as hardware: one request a clock into a pipeline that never stalls.
//!
//! ```text
//! 0 pick      the oldest request that may go, or a miss whose depths have come
//! 1 read      its block; the tags are read
//! 2 tags      are compared
//! 3 lock      hit: lock the block; miss: take a way and a comparator entry, or go back and wait
//! 4 depths    of the Z-cache (hit, or evicted) or of the comparator buffer (depths have come)
//! 5 compare   with the request's, write the Z-cache, unlock
//! ```
//!
//! What wins goes to `color` behind stage 5, and to `ack` once the L2 has acknowledged it. A request keeps
//! its entry until then, and later ones of its block wait: so no two requests of one block are in the
//! pipeline, and nothing needs to be forwarded. Each queue has room for all entries that can be in it.

mod cache;
mod compare;
mod leave;
mod misses;
mod requests;

use super::channels::{self, ERROR, Misuse, request_fields};
use super::params::{Granularity, Params};
use crate::kit::*;

/// The module `zbuffer_commit`.
pub(super) fn circuit(p: &Params) -> Module {
    module("zbuffer_commit", |m| build(m, p))
}

/// Registers whose value no rule fixes.
pub(super) fn free_choices(p: &Params) -> Vec<FreeChoice> {
    let victim = FreeChoice {
        register: "above_last_way".to_string(),
        may: Freedom::TakeAny,
        because: "no rule says which way is evicted",
    };
    let retry = FreeChoice {
        register: "retry_clock".to_string(),
        may: Freedom::TakeAny,
        because: "no rule says at which clock those that sleep try again, only how long they may wait",
    };
    let awaits = |miss| {
        let because = "a miss that takes an entry says first what it waits for";
        FreeChoice::in_reset(format!("miss{miss}_awaits"), because)
    };
    let refused = "the first request after a reset takes entry 0 and finds room";
    let refused = FreeChoice::in_reset("entry0_refused".to_string(), refused);
    // Acknowledgements would wait too long if their turn were lost at any clock.
    let turns = [FreeChoice::turn("ack_turn"), FreeChoice::any_turn("zread_turn")];
    let of_misses = (0..p.comparator_entries).map(awaits);
    turns.into_iter().chain([victim, refused, retry]).chain(of_misses).collect()
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Z-buffer commit unit: commits store buffers in any order, with a result that depends on\n\
        none. GPUDet, section 4.4, figures 4.5 to 4.7.\n\n\
        req brings the entries of store buffers, ack their ids once what they write is visible.\n\
        zread and zdata, zwrite and zwrite_ack, color and color_ack go to the L2, which answers\n\
        by entries, in any order. reset clears the Z-buffer, and reset_done says so. error\n\
        pulses for a malformed request, which changes nothing.",
        p,
    );
    let request = Stream::input(m, "req", &request_fields(p));
    let (is_error, code) = misuse(m, p, &request.payload);
    raise_errors(m, &channels::channels(p)[ERROR], "a request", &[request.fires(), is_error], code);

    let buffer = requests::Buffer::new(m, p);
    let misses = misses::Misses::new(m, p);
    let resetting = m.wire("is_resetting", 1).doc("A reset is under way: no request is taken.");
    request.ready.set(!buffer.is_full & !*resetting);
    let enters = (request.fires() & !is_error).named("request_enters");
    buffer.enter(enters, &request.payload);

    let picked = buffer.pick(&misses);
    let cache = cache::Cache::new(m, p);
    let locked = cache.lock(picked, &buffer, &misses);
    misses.reserve(&locked);
    buffer.settle(&locked);
    let entering =
        requests::Entering { enters, entry: buffer.free_entry, request: &request.payload };
    let compared = compare::compare(m, p, &entering, &locked, &misses);
    cache.unlock(&compared);
    misses.compared(&compared);
    misses.read();
    misses.write_back(&compared);

    let left = leave::leave(m, p, &entering, &compared);
    buffer.leave(left.acknowledged);
    let at_rest = (!buffer.live.any() & !misses.any & !left.ack_waits).named("is_at_rest");
    cache.clear(leave::reset(m, at_rest, resetting));
}

/// Whether the request is malformed, and why.
fn misuse<'m>(m: &'m ModuleBuilder, p: &Params, request: &Record<'m>) -> (Signal<'m>, Signal<'m>) {
    let misaligned = request.get("address").truncate(p.offset_bits()).any().named("is_misaligned");
    let mask = request.get("mask");
    let is_part = |lane: u32| {
        let word = mask.slice(4 * lane..4 * lane + 4);
        (word.any() & !word.all()).named(&format!("lane{lane}_is_in_part"))
    };
    let part = match p.granularity {
        Granularity::Word => any_of((0..p.lanes).map(is_part)),
        Granularity::Byte => m.lit(1, 0),
    };
    let code = misaligned.mux(m.lit(1, Misuse::Misaligned as u64), Misuse::PartOfWord as u64);
    ((misaligned | part).named("is_error"), code)
}
