//! Stage 5: the flowchart of figure 4.6, on the metadata of the request's granule.

use super::bloom::Estimate;
use super::stage::Stage;
use crate::getm_metadata::access::{Metadata, Verdict};
use crate::getm_metadata::channels::{Misuse, Op};
use crate::getm_metadata::params::Params;
use crate::kit::*;

/// What a request needs.
pub(super) struct Wanted<'m> {
    /// A well-formed load or store.
    pub access: Signal<'m>,
    /// An access or a release: the granule's metadata is needed.
    pub looks: Signal<'m>,
    /// As `access`, of the request in stage 4.
    pub next_access: Signal<'m>,
}

/// What becomes of a request.
pub(super) struct Decision<'m> {
    pub verdict: Signal<'m>,
    pub error: Signal<'m>,
    pub error_code: Signal<'m>,
    pub after: Record<'m>,
    /// It is another than before.
    pub changes: Signal<'m>,
    /// `rts` becomes the request's time.
    pub raises_rts: Signal<'m>,
    /// The writes under way are one more, or less by the count.
    pub counts: Signal<'m>,
    /// The granule, which was free, is reserved.
    pub reserves: Signal<'m>,
    /// The granule, which was reserved, is free.
    pub frees: Signal<'m>,
    pub reserved_after: Signal<'m>,
}

/// What the request in stage 5 needs, known since stage 4.
pub(super) fn wanted<'m>(
    m: &'m ModuleBuilder,
    advance: Signal<'m>,
    stage4: &Stage<'m>,
) -> Wanted<'m> {
    let last = stage4.get("warpts").all().named("stage4_at_last_timestamp");
    let access4 = (stage4.is(Op::Load) | stage4.is(Op::Store)) & !last;
    let access = m.reg_without_reset("stage5_is_access", 1).doc("A well-formed load or store.");
    let looks = m.reg_without_reset("stage5_looks", 1).doc("An access or a release.");
    m.when(advance, || {
        access.set(access4);
        looks.set(access4 | stage4.is(Op::Release));
    });
    Wanted { access: *access, looks: *looks, next_access: access4 }
}

/// Decides on the request of stage 5 by the facts about its granule. `any_reserved` says whether any
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
    let mine = (facts.get("owned") & reserved).named("is_mine");
    let [written_later, read_later] = ["written_later", "read_later"].map(|f| facts.get(f));

    let full = mine & writes.all();
    let count_aborts = (store & full).named("aborts_count");
    let war = (load & !mine & written_later).named("aborts_war");
    let waw = (store & !mine & written_later).named("aborts_waw");
    let raw = (store & !mine & !written_later & read_later).named("aborts_raw");
    // What is reserved was read before it was written, unless its owner reads it at later times.
    let in_time = if p.faithful { !written_later & (load | !read_later) } else { !written_later };
    let parks = (wanted.access & !mine & in_time & reserved).named("parks");
    let succeeds = wanted.access & !(count_aborts | war | waw | raw | parks);

    let count = stage.get("count");
    let not_reserved = release & !reserved;
    let wrong_count = release & reserved & (count.eq(0) | count.gt(writes));
    let last_timestamp = (stage.is(Op::Load) | stage.is(Op::Store)) & !wanted.access;
    let clear_early = clear & any_reserved;
    let errors = [
        (Misuse::NotReserved, not_reserved),
        (Misuse::WrongCount, wrong_count),
        (Misuse::LastTimestamp, last_timestamp),
        (Misuse::ClearWhileReserved, clear_early),
    ];
    let present = column(m, errors.map(|(_, present)| present)).named("errors");
    let error = present.any().named("is_error");
    let codes = errors.map(|(misuse, _)| m.lit(2, misuse as u64));

    let verdicts = [
        (Verdict::Park, parks),
        (Verdict::AbortWar, war),
        (Verdict::AbortWaw, waw),
        (Verdict::AbortRaw, raw),
        (Verdict::AbortCount, count_aborts),
        (Verdict::Error, error),
    ];
    let coded = verdicts.into_iter().map(|(verdict, is)| m.lit(3, verdict as u64).and_where(is));
    let verdict = any_of(coded).named("verdict");

    let raises_rts = (load & succeeds & !read_later).named("raises_rts");
    let stores = (store & succeeds).named("stores");
    let reserves = (stores & !mine).named("reserves");
    let releases = (release & !not_reserved & !wrong_count).named("releases");
    let counts = (releases | stores).named("counts");
    let writes_after = counts.mux(facts.get("counted"), writes).named("writes_after");
    let frees = (releases & count.eq(writes)).named("frees");
    let after = vec![
        reserves.mux(successor, wts),
        raises_rts.mux(warpts, rts),
        writes_after,
        reserves.mux(warp, owner),
    ];
    Decision {
        verdict,
        error,
        error_code: one_hot::select(present, &codes).named("code"),
        after: Record::new(&Metadata::fields(p), after).named("after"),
        changes: (load & succeeds & warpts.gt(rts)) | stores | releases,
        raises_rts,
        counts,
        reserves,
        frees,
        reserved_after: (stores | (reserved & !frees)).named("reserved_after"),
    }
}

// What must be known of a granule's metadata to decide on a request: found out a clock before, so that
// the decision waits for no comparison of timestamps.

/// The metadata, and how a request stands to it.
pub(super) fn facts_fields(p: &Params) -> Fields {
    Metadata::fields(p)
        .with("written_later", 1, "wts is above the request's time")
        .with("read_later", 1, "rts is above the request's time, if that can decide")
        .with("owned", 1, "if it is reserved, then by the request's transaction")
        .with("counted", p.write_count_bits, "the writes under way after the request's own")
}

/// The request of a stage, as far as facts need it.
#[derive(Clone, Copy)]
pub(super) struct Requester<'m> {
    warp: Signal<'m>,
    warpts: Signal<'m>,
    /// One more than `warpts`.
    pub successor: Signal<'m>,
    /// To be added to the writes under way: 1, or what takes away the count of a release.
    counts: Signal<'m>,
    faithful: bool,
}

impl<'m> Requester<'m> {
    /// The requests in stages 4 and 5.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        (moves, advance): (Signal<'m>, Signal<'m>),
        [stage3, stage4, stage5]: [&Stage<'m>; 3],
    ) -> [Self; 2] {
        let registers = |number: u32| {
            let name = |what: &str| format!("stage{number}_{what}");
            let successor = m.reg_without_reset(&name("successor"), p.timestamp_bits);
            let counts = m.reg_without_reset(&name("counts"), p.write_count_bits);
            let successor =
                successor.doc("One more than the request's time: wts after a write at it.");
            (successor, counts.doc("What is added to the writes under way."))
        };
        let (registers4, registers5) = (registers(4), registers(5));
        let count = stage3.get("count");
        let none = m.lit(count.width(), 0);
        m.when(moves, || {
            registers4.0.set(stage3.get("warpts") + 1);
            registers4.1.set(stage3.is(Op::Release).mux(none - count, none + 1));
        });
        m.when(advance, || {
            registers5.0.set(*registers4.0);
            registers5.1.set(*registers4.1);
        });
        [(stage4, registers4), (stage5, registers5)].map(|(stage, (successor, counts))| {
            let [warp, warpts] = ["warp", "warpts"].map(|field| stage.get(field));
            let (successor, counts) = (*successor, *counts);
            Self { warp, warpts, successor, counts, faithful: p.faithful }
        })
    }

    /// The facts about a granule's metadata.
    pub fn facts(&self, p: &Params, metadata: &Record<'m>) -> Record<'m> {
        self.facts_with(p, metadata, self.warpts.lt(metadata.get("rts")))
    }

    /// The facts about metadata from the overflow space. What is there is reserved, so that `rts` is below
    /// `wts`, and above the request's time only where `wts` is above it too: then `rts` decides nothing.
    pub fn facts_overflown(
        &self,
        m: &'m ModuleBuilder,
        p: &Params,
        metadata: &Record<'m>,
    ) -> Record<'m> {
        match self.faithful {
            // The owner's loads at later times have raised it.
            true => self.facts(p, metadata),
            false => self.facts_with(p, metadata, m.lit(1, 0)),
        }
    }

    fn facts_with(&self, p: &Params, metadata: &Record<'m>, read_later: Signal<'m>) -> Record<'m> {
        let [wts, rts] = ["wts", "rts"].map(|field| metadata.get(field));
        let [writes, owner] = ["writes", "owner"].map(|field| metadata.get(field));
        let same_warp = owner.eq(self.warp);
        let owned = if self.faithful { same_warp } else { same_warp & wts.eq(self.successor) };
        let counted = writes + self.counts;
        let stands = [self.warpts.lt(wts), read_later, owned, counted];
        Record::new(&facts_fields(p), [wts, rts, writes, owner].into_iter().chain(stands).collect())
    }

    /// The facts about what a decision leaves of a granule: `before` is what `other` found there. All is
    /// compared with what was there and with what it may become, while the decision is made.
    pub fn facts_after(
        &self,
        p: &Params,
        before: &Record<'m>,
        other: &Requester<'m>,
        decision: &Decision<'m>,
    ) -> Record<'m> {
        let unchanged = self.facts(p, before);
        let same_warp = self.warp.eq(other.warp);
        let same_time = self.warpts.eq(other.warpts);
        let owned = if self.faithful { same_warp } else { same_warp & same_time };
        let counted = before.get("counted") + self.counts;
        let Decision { reserves, raises_rts, counts, after, .. } = decision;
        let stands = [
            reserves.mux(self.warpts.le(other.warpts), unchanged.get("written_later")),
            raises_rts.mux(self.warpts.lt(other.warpts), unchanged.get("read_later")),
            reserves.mux(owned, unchanged.get("owned")),
            counts.mux(counted, unchanged.get("counted")),
        ];
        let metadata = after.fields().iter().map(|field| after.get(&field.name));
        Record::new(&facts_fields(p), metadata.chain(stands).collect())
    }
}

/// The facts about a granule of which there is no entry.
pub(super) fn of_estimates<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    wts: &Estimate<'m>,
    rts: &Estimate<'m>,
) -> Record<'m> {
    let free = [m.lit(p.write_count_bits, 0), m.lit(p.owner_bits, 0)];
    // The only one that writes is a store.
    let stands = [wts.is_later, rts.is_later, m.lit(1, 0), m.lit(p.write_count_bits, 1)];
    let values = [wts.time, rts.time].into_iter().chain(free).chain(stands).collect();
    Record::new(&facts_fields(p), values)
}
