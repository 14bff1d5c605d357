//! The directory as hardware: five stages, one request per clock.
//!
//! ```text
//! 1 decode    source -> sharer bit, errors; the set is read from the RAMs
//! 2 read      RAM data; of the row, or what stage 5 wrote at the edge of the read
//! 3 compare   tags; the row may still be replaced by what stage 5 wrote
//! 4 update    the new set, the answer, the invalidation; written to the RAMs
//! 5 written   the row as stage 4 left it, for those that read too early
//! ```
//!
//! A request's set may be changed by the requests in stages 4 and 5 after it was read. Whole rows
//! (recency, valid bits and sharers) are forwarded; tags are treated in `tags`. Whether two requests
//! have the same set or tag is compared one stage before it is needed. Then the answers go through
//! the output: `inv` first, `resp` after it was accepted.

mod decode;
mod replacement;
mod tags;
mod update;

pub(super) use decode::{decoded_fields, incoming_fields};
pub(super) use replacement::{is_sound as recency_is_sound, used_later};
pub(super) use tags::victim_may_be_in_flight;
pub(super) use update::effect_fields;

use super::channels::{ERROR, Request, channels, straps};
use super::contract;
use super::params::Params;
use crate::kit::*;
use tags::{Pipeline, SameSet};

/// The module `hmg_directory`.
pub(super) fn circuit(p: &Params) -> Module {
    module("hmg_directory", |m| build(m, p))
}

fn build(m: &ModuleBuilder, p: &Params) {
    let kind = if p.hierarchical { "HMG" } else { "flat NHCC" };
    describe(
        m,
        &format!(
            "Coherence directory ({kind}): tracks the sharers of the blocks homed at one GPU module.\n\
        Ren et al., HMG, HPCA 2020, sections IV, V and VII-C, Table I.\n\n\
        Channels are ready/valid: req in; inv and resp out, both in request order. A request\n\
        causes at most one inv, and its resp is presented only after that was accepted. error\n\
        pulses for a malformed request, which changes nothing and is answered with zeros."
        ),
        p,
    );
    let strap = |s: crate::channel::Strap| m.input(s.name, s.width).doc(s.doc);
    let self_node: Vec<Signal<'_>> = straps(p).into_iter().map(strap).collect();
    let request = Stream::input(m, "req", &Request::fields(p));

    let clear = clear_after_reset(m, p);
    let advance = m.wire("advance", 1).doc("The output takes stage 4: all stages move on.");
    request.ready.set(*advance & clear.done);
    m.output("init_done", clear.done).doc("the RAM has been cleared after reset");

    let pipe = Pipeline { m, p, advance: *advance };
    let stage1 =
        pipe.stage("stage1", request.valid & clear.done, &decode::incoming(p, &request.payload));
    let decoded = m.scope("stage1", || decode::decode(m, p, &stage1.fields, &self_node));
    // In the clock after the request has left stage 1: before its answer.
    let raises = [stage1.valid & *advance, decoded.error];
    raise_errors(m, &channels(p)[ERROR], "a request", &raises, decoded.error_code);
    let stage2 = pipe.stage("stage2", stage1.valid, &decoded.fields);
    let stage3 = pipe.stage("stage3", stage2.valid, &stage2.fields);
    let stage4 = pipe.stage("stage4", stage3.valid, &stage3.fields);

    // Set by stage 4 below, and needed by the stages before it.
    let updated = m.wire("updated_row", row_fields(p).width()).doc("The row as stage 4 leaves it.");
    let changed = m.wire("row_changes", 1).doc("Stage 4 changes its set, in one way.");
    let filled = m.wire("filled_way", p.ways).doc("The way that gets stage 4's tag, one-hot.");

    let rows = m
        .memory("rows", p.sets, updated.width(), 1, Collision::Undefined)
        .doc("One row a set: its recency, and of each way whether it is valid, and its sharers.");
    let row_read = rows.read("row_read", *advance, stage1.index(p));
    rows.write(
        clear.busy | (*changed & *advance),
        clear.busy.mux(clear.row, stage4.index(p)),
        cleared(p, *updated, clear.busy),
    );
    let stage5_row = pipe.register("stage5_row", *updated);

    let same_set = SameSet {
        second_in_fifth: pipe.same_set("stage2_set_in_stage5", &stage1, &stage4),
        third_in_fifth: pipe.same_set("stage3_set_in_stage5", &stage2, &stage4),
        third_in_fourth: pipe.same_set("stage3_set_in_stage4", &stage2, &stage3),
    };
    let stage2_row = same_set.second_in_fifth.mux(stage5_row, row_read);
    let stage3_read = pipe.register("stage3_read", stage2_row);
    let stage3_row = same_set.third_in_fifth.mux(stage5_row, stage3_read).named("stage3_row");
    let stage4_row =
        pipe.register("stage4_row", same_set.third_in_fourth.mux(*updated, stage3_row));
    let tags = tags::tags(&pipe, [&stage1, &stage2, &stage3, &stage4], &same_set, *filled);

    let update = update::update(m, p, &stage4, stage4_row, &tags);
    updated.set(update.row);
    changed.set(update.changed);
    filled.set(update.filled);

    let effect = Stream { valid: stage4.valid, payload: update.effect, ready: advance };
    update::leave(m, p, effect);
    contract::assert_set(m, stage4.valid, update.hits, &update.ways_before);
}

/// Fields of a row: the recency of the set, then of each way all but its tag.
pub(super) fn row_fields(p: &Params) -> Fields {
    let mut fields = Fields::new();
    if replacement::bits(p) > 0 {
        fields = fields.with("recency", replacement::bits(p), "replacement state of the set");
    }
    for way in 0..p.ways {
        fields = fields.with(&format!("way{way}_valid"), 1, "state V");
        fields =
            fields.with(&format!("way{way}_sharers"), p.sharers(), "nodes that may hold copies");
    }
    fields
}

/// The row, or while rows are cleared one without valid ways; what their sharers are then is of no interest.
fn cleared<'m>(p: &Params, row: Signal<'m>, clears: Signal<'m>) -> Signal<'m> {
    let fields = row_fields(p);
    let row = Record::unpack(&fields, row);
    let field = |name: &str| match name.ends_with("_sharers") {
        true => row.get(name),
        false => row.get(name).and_where(!clears),
    };
    record(&fields, |f| field(&f.name)).pack()
}

/// Clears one row per clock after reset, since RAM has no content at power-up.
struct Clear<'m> {
    busy: Signal<'m>,
    done: Signal<'m>,
    row: Signal<'m>,
}

fn clear_after_reset<'m>(m: &'m ModuleBuilder, p: &Params) -> Clear<'m> {
    let next = m.reg("clear_next", p.index_bits() + 1, 0).doc("Next row to clear; high bit: done.");
    let done = next.bit(p.index_bits());
    m.when(!done, || next.set(*next + 1));
    Clear { busy: !done, done, row: next.truncate(p.index_bits()) }
}
