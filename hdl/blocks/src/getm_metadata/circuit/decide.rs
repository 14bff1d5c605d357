//! Stage 4: the flowchart of figure 4.6, on the metadata of the request's granule.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::stage::{Stage, metadata_fields};
use crate::getm_metadata::access::Verdict;
use crate::getm_metadata::channels::{Misuse, Op};
use crate::getm_metadata::params::Params;

/// What a request asks for.
pub(super) struct Wanted<'m> {
    /// A load or store with a meaning.
    pub access: Signal<'m>,
    /// An access or a release: the granule's metadata is needed.
    pub looks: Signal<'m>,
}

/// What becomes of a request.
pub(super) struct Decision<'m> {
    pub verdict: Signal<'m>,
    pub error: Signal<'m>,
    pub error_code: Signal<'m>,
    /// The metadata afterwards.
    pub after: Record<'m>,
    /// It is another than before.
    pub changes: Signal<'m>,
    /// The granule, which was free, is reserved.
    pub reserves: Signal<'m>,
    /// The granule, which was reserved, is free.
    pub frees: Signal<'m>,
}

/// What the request in stage 4 asks for, known since stage 3.
pub(super) fn wanted<'m>(
    m: &'m ModuleBuilder,
    advance: Signal<'m>,
    stage3: &Stage<'m>,
) -> Wanted<'m> {
    let last = stage3.get("warpts").all().named("stage3_at_last_timestamp");
    let access3 = (stage3.is(Op::Load) | stage3.is(Op::Store)) & !last;
    let access = m.reg_without_reset("stage4_is_access", 1).doc("A load or store with a meaning.");
    let looks = m.reg_without_reset("stage4_looks", 1).doc("An access or a release.");
    m.when(advance, || {
        access.set(access3);
        looks.set(access3 | stage3.is(Op::Release));
    });
    Wanted { access: *access, looks: *looks }
}

/// Decides on the request of stage 4 by the facts about its granule. `any_reserved` says whether any
/// granule is.
pub(super) fn decide<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    stage: &Stage<'m>,
    wanted: &Wanted<'m>,
    (facts, successor): (&Record<'m>, Signal<'m>),
    any_reserved: Signal<'m>,
) -> Decision<'m> {
    let [wts, rts] = ["wts", "rts"].map(|field| facts.get(field));
    let [writes, owner] = ["writes", "owner"].map(|field| facts.get(field));
    let (warp, warpts) = (stage.get("warp"), stage.get("warpts"));
    let (load, store) = (stage.is(Op::Load) & wanted.access, stage.is(Op::Store) & wanted.access);
    let (release, clear) = (stage.is(Op::Release), stage.is(Op::Clear));

    let reserved = writes.any().named("is_reserved");
    let mine = facts.get("mine");
    let [written_later, read_later] = ["written_later", "read_later"].map(|f| facts.get(f));

    let full = mine & writes.all();
    let count_aborts = (store & full).named("aborts_count");
    let war = (load & !mine & written_later).named("aborts_war");
    let waw = (store & !mine & written_later).named("aborts_waw");
    let raw = (store & !mine & !written_later & read_later).named("aborts_raw");
    let in_time = !written_later & (load | !read_later);
    let parks = (wanted.access & !mine & in_time & reserved).named("parks");
    let succeeds = wanted.access & !(count_aborts | war | waw | raw | parks);

    let count = stage.get("count");
    let not_reserved = release & !reserved;
    let wrong_count = release & reserved & (count.eq(0) | facts.get("exceeds"));
    let last_timestamp = (stage.is(Op::Load) | stage.is(Op::Store)) & !wanted.access;
    let clear_early = clear & any_reserved;
    let errors = [
        (Misuse::NotReserved, not_reserved),
        (Misuse::WrongCount, wrong_count),
        (Misuse::LastTimestamp, last_timestamp),
        (Misuse::ClearWhileReserved, clear_early),
    ];
    let present: Vec<_> = errors.iter().map(|(_, present)| *present).collect();
    let present = m.concat_low_first(&present).named("errors");
    let error = present.any().named("is_error");
    let codes: Vec<_> = errors.iter().map(|(misuse, _)| m.lit(2, *misuse as u64)).collect();

    let verdicts = [
        (Verdict::Park, parks),
        (Verdict::AbortWar, war),
        (Verdict::AbortWaw, waw),
        (Verdict::AbortRaw, raw),
        (Verdict::AbortCount, count_aborts),
        (Verdict::Error, error),
    ];
    let coded = verdicts.iter().map(|(verdict, is)| m.lit(3, *verdict as u64).and_where(*is));
    let verdict = coded.reduce(|a, b| a | b).expect("there are verdicts").named("verdict");

    let reads = (load & succeeds & !read_later).named("raises_rts");
    let stores = (store & succeeds).named("stores");
    let reserves = (stores & !mine).named("reserves");
    let releases = (release & !error).named("releases");
    let writes_after = releases.mux(
        writes - count,
        reserves.mux(m.lit(writes.width(), 1), stores.mux(writes + 1, writes)),
    );
    let writes_after = writes_after.named("writes_after");
    let after = vec![
        reserves.mux(successor, wts),
        reads.mux(warpts, rts),
        writes_after,
        reserves.mux(warp, owner),
    ];
    Decision {
        verdict,
        error,
        error_code: one_hot::select(present, &codes).named("code"),
        after: Record::new(&metadata_fields(p), after).named("after"),
        changes: (load & succeeds & warpts.gt(rts)) | stores | releases,
        reserves,
        frees: releases & !writes_after.any(),
    }
}
