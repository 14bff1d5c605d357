//! What must be known of a granule's metadata to decide on a request: for every place where it may be
//! found at once, so that no comparison waits for where it is.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::control::Control;
use super::estimate::Estimate;
use super::stage::{Stage, metadata_fields};
use crate::getm_metadata::params::Params;

/// The metadata, and how the request stands to it.
pub(super) fn facts_fields(p: &Params) -> Fields {
    metadata_fields(p)
        .with("written_later", 1, "wts is above the request's time")
        .with("read_later", 1, "rts is above the request's time")
        .with("mine", 1, "reserved by the request's transaction")
        .with("exceeds", 1, "the request's count is above the writes under way")
}

/// The request in stage 4, as far as facts need it.
pub(super) struct Asker<'m> {
    warp: Signal<'m>,
    warpts: Signal<'m>,
    /// One more than `warpts`.
    pub successor: Signal<'m>,
    count: Signal<'m>,
    faithful: bool,
}

impl<'m> Asker<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        control: &Control<'m>,
        stage3: &Stage<'m>,
        stage4: &Stage<'m>,
    ) -> Self {
        let successor = m
            .reg_without_reset("stage4_successor", p.timestamp_bits)
            .doc("One more than the request's time: wts after a write at it.");
        m.when(control.advance, || successor.set(stage3.get("warpts") + 1));
        let [warp, warpts, count] = ["warp", "warpts", "count"].map(|field| stage4.get(field));
        Self { warp, warpts, successor: *successor, count, faithful: p.faithful }
    }

    /// The facts about an entry's metadata.
    pub fn facts(&self, p: &Params, metadata: &Record<'m>) -> Record<'m> {
        let [wts, rts] = ["wts", "rts"].map(|field| metadata.get(field));
        let [writes, owner] = ["writes", "owner"].map(|field| metadata.get(field));
        let owned = writes.any() & owner.eq(self.warp);
        let mine = if self.faithful { owned } else { owned & wts.eq(self.successor) };
        let later = [self.warpts.lt(wts), self.warpts.lt(rts), mine, self.count.gt(writes)];
        Record::new(&facts_fields(p), [wts, rts, writes, owner].into_iter().chain(later).collect())
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
    let stands = [wts.is_later, rts.is_later, m.lit(1, 0), m.lit(1, 0)];
    let values = [wts.time, rts.time].into_iter().chain(free).chain(stands).collect();
    Record::new(&facts_fields(p), values)
}
