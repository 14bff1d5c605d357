//! Stage 4: Table I of the paper, on the set as it is.

use super::tags::{Stage, Tags};
use super::{replacement, row_fields};
use crate::hmg_directory::channels::{Invalidation, Response};
use crate::hmg_directory::params::Params;
use crate::kit::*;

/// What stage 4 finds.
pub(super) struct Update<'m> {
    /// The set afterwards.
    pub row: Signal<'m>,
    /// It may differ from before, in one way.
    pub changed: Signal<'m>,
    /// The way that the block gets, one-hot; none if it gets none.
    pub filled: Signal<'m>,
    pub hits: Signal<'m>,
    /// What leaves: see [`effect_fields`].
    pub effect: Record<'m>,
    /// Valid and sharers of each way before.
    pub ways_before: Vec<(Signal<'m>, Signal<'m>)>,
}

/// What leaves the pipeline for each request.
pub(crate) fn effect_fields(p: &Params) -> Fields {
    Fields::new()
        .with("hit", 1, "the block was tracked")
        .with("allocated", 1, "an entry was made for it")
        .with("evicted", 1, "another block lost its entry for that")
        .with("inv_block", p.address_bits - p.offset_bits(), "block to invalidate")
        .with("inv_sharers", p.sharers(), "where; zero: nowhere")
}

pub(super) fn update<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    stage: &Stage<'m>,
    row_before: Signal<'m>,
    tags: &Tags<'m>,
) -> Update<'m> {
    let row = Record::unpack(&row_fields(p), row_before).named("stage4");
    let of_ways = |field: &str| -> Vec<Signal<'m>> {
        (0..p.ways).map(|way| row.get(&format!("way{way}_{field}"))).collect()
    };
    let (valid, sharers) = (of_ways("valid"), of_ways("sharers"));
    let all_valid = m.concat_low_first(&valid).named("ways_valid");
    let recency = (replacement::bits(p) > 0).then(|| row.get("recency"));
    let (source, load, store) = (stage.get("source"), stage.get("load"), stage.get("store"));
    let (invalidate, downgrade) = (stage.get("invalidate"), stage.get("downgrade"));

    let hits = (tags.same & all_valid).named("hits");
    let any_hit = hits.any().named("any_hit");
    let access = (load | store).named("access");
    let remote = source.any();
    let allocate = (access & remote & !any_hit).named("allocate");
    let evict = (allocate & all_valid.all()).named("evict");

    let victim = match recency {
        Some(recency) => {
            let ways = replacement::victim(m, p, recency).into_iter().enumerate();
            column(m, ways.map(|(way, is_it)| is_it.named(&format!("way{way}_is_victim"))))
        }
        None => m.lit(1, 1),
    };
    let victim = victim.named("victim");
    let room = replacement::place(all_valid, victim).named("room");
    let way = any_hit.mux(hits, room).named("way");

    // The entry on a hit, and the one that leaves on an eviction.
    let sharers_hit = one_hot::select(hits, &sharers).named("sharers_hit");
    let sharers_victim = one_hot::select(victim, &sharers).named("sharers_victim");
    let joined = sharers_hit | source;
    let left = sharers_hit & !source;
    // A miss has no sharers before, so that joining them is the same as starting with the source.
    let sharers_after = store.mux(source, downgrade.mux(left, joined)).named("sharers_after");
    // A local store leaves no sharer, nor does an invalidation; a downgrade may.
    let valid_after = (!invalidate & sharers_after.any()).named("valid_after");
    let changes_hit = any_hit & (access | invalidate | downgrade);
    let changed = (stage.valid & (changes_hit | allocate)).named("changes");

    let gpms = m.constant(warpsmith_rtl::Bits::from_fn(p.sharers(), |i| i < p.gpm_sharers()));
    let told = store.mux(left, (sharers_hit & gpms).and_where(invalidate));
    let inv_sharers = any_hit.mux(told, sharers_victim.and_where(evict)).named("told");
    let victim_tag = one_hot::select(victim, &tags.tags);
    let inv_tag = any_hit.mux(stage.tag(p), victim_tag);

    let mut row_after = Vec::new();
    if let Some(recency) = recency {
        let used = replacement::touched(m, p, recency, way);
        let used = (changed & access).mux(used, recency);
        row_after.push(replacement::evicted(p, used, evict));
    }
    let written = way.and_where(changed).named("written_way");
    for (w, written) in written.to_bits().into_iter().enumerate() {
        row_after.push(written.mux(valid_after, valid[w]));
        row_after.push(written.mux(sharers_after, sharers[w]));
    }
    let row_after = Record::new(&row_fields(p), row_after).pack();
    let values = vec![
        any_hit & (access | invalidate | downgrade),
        allocate,
        evict,
        inv_tag.concat(stage.index(p)),
        inv_sharers,
    ];
    Update {
        row: row_after,
        changed,
        filled: room.and_where(stage.valid & allocate),
        hits,
        effect: Record::new(&effect_fields(p), values),
        ways_before: valid.into_iter().zip(sharers).collect(),
    }
}

// What leaves: the invalidation first, then the answer.

/// Presents an effect's invalidation; once it was accepted, the answer moves on to `resp`.
///
/// Both buffers have a registered ready, so no port's ready reaches another port combinationally.
pub(super) fn leave<'m>(m: &'m ModuleBuilder, p: &Params, effect: Stream<'m>) {
    let effect = skid_buffer::buffer(m, "effect", effect);
    let answer_room = m.wire("answer_room", 1);
    let sharers = effect.payload.get("inv_sharers");
    let has_inv = sharers.any().named("has_inv");
    let inv_ready = m.wire("inv_done", 1).doc("The invalidation is accepted at the edge.");
    let offset = m.lit(p.offset_bits(), 0);
    let address = effect.payload.get("inv_block").concat(offset);
    let invalidation = Stream {
        valid: effect.valid & has_inv & *answer_room,
        payload: Record::new(&Invalidation::fields(p), vec![address, sharers]),
        ready: inv_ready,
    };
    invalidation.output(m, "inv");

    let sent = (*inv_ready | !has_inv).named("inv_sent");
    let payload = pick(&Response::fields(p), &effect.payload);
    let answer = Stream { valid: effect.valid & sent, payload, ready: answer_room };
    effect.ready.set(*answer_room & sent);
    skid_buffer::buffer(m, "answer", answer).output(m, "resp");
}
