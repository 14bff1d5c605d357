//! What must be known of a granule's metadata to decide on a request: found out a clock before, so that
//! the decision waits for no comparison of timestamps.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::decide::Decision;
use super::estimate::Estimate;
use super::stage::{Stage, metadata_fields};
use crate::getm_metadata::channels::Op;
use crate::getm_metadata::params::Params;

/// The metadata, and how a request stands to it.
pub(super) fn facts_fields(p: &Params) -> Fields {
    metadata_fields(p)
        .with("written_later", 1, "wts is above the request's time")
        .with("read_later", 1, "rts is above the request's time")
        .with("owned", 1, "if it is reserved, then by the request's transaction")
        .with("counted", p.write_count_bits, "the writes under way after the request's own")
}

/// The request of a stage, as far as facts need it.
#[derive(Clone, Copy)]
pub(super) struct Asker<'m> {
    warp: Signal<'m>,
    warpts: Signal<'m>,
    /// One more than `warpts`.
    pub successor: Signal<'m>,
    /// To be added to the writes under way: 1, or what takes away the count of a release.
    counts: Signal<'m>,
    faithful: bool,
}

impl<'m> Asker<'m> {
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
        let [wts, rts] = ["wts", "rts"].map(|field| metadata.get(field));
        let [writes, owner] = ["writes", "owner"].map(|field| metadata.get(field));
        let same_warp = owner.eq(self.warp);
        let owned = if self.faithful { same_warp } else { same_warp & wts.eq(self.successor) };
        let counted = writes + self.counts;
        let stands = [self.warpts.lt(wts), self.warpts.lt(rts), owned, counted];
        Record::new(&facts_fields(p), [wts, rts, writes, owner].into_iter().chain(stands).collect())
    }

    /// The facts about what a decision leaves of a granule: `before` is what `other` found there. All is
    /// compared with what was there and with what it may become, while the decision is made.
    pub fn facts_after(
        &self,
        p: &Params,
        before: &Record<'m>,
        other: &Asker<'m>,
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
