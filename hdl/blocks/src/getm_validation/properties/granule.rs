//! The true metadata of the chosen granule, and the verdicts that it allows.

use super::transaction::request_fields;
use crate::getm_metadata::{Metadata, Verdict};
use crate::getm_validation::channels::Issue;
use crate::getm_validation::params::Params;
use crate::getm_validation::rules;
use crate::kit::*;

/// What is true of the chosen granule, as in a table without limits.
pub(super) struct Granule<'m> {
    /// Writes under way.
    writes: Reg<'m>,
    /// What is true after the verdict of this clock.
    pub after: Record<'m>,
}

impl<'m> Granule<'m> {
    /// Follows the verdicts, and asserts that they are legal: timestamps of a granule that is
    /// not reserved are approximate, so aborts may be more than needed, and successes may not.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        decided: &Watched<'m>,
        next: &Decided<'m>,
    ) -> Self {
        let fields = Metadata::fields(&p.table());
        let register = |name: &str, width| m.reg(&format!("true_{name}"), width, 0);
        let truth: Vec<_> = fields.iter().map(|f| register(&f.name, f.width)).collect();
        let &[wts, rts, writes, owner] = &truth[..] else { unreachable!("four fields") };
        let says = |verdict: Verdict| decided.valid & decided.get("verdict").eq(verdict as usize);
        let succeeds = says(Verdict::Success);
        let Decided { warp, warpts, .. } = *next;
        let access = decided.valid & next.access & next.here;
        let (load, store) = (access & !next.store, access & next.store);
        let release = decided.valid & next.release & next.here;

        let reserved = writes.any();
        let its_time = match p.faithful {
            true => m.lit(1, 1),
            // An access at the last timestamp has no successor, and is not made.
            false => wts.eq(warpts + 1) & wts.any(),
        };
        let mine = (reserved & owner.eq(warp) & its_time).named("mine");
        let full = writes.all();
        let written_later = wts.gt(warpts);
        let read_later = rts.gt(warpts);

        let free = mine | !(reserved | written_later);
        rules::LOAD_IN_TIME.assert(m, !(load & succeeds) | free);
        rules::STORE_IN_TIME.assert(m, !(store & succeeds) | mine | (free & !read_later));
        let parks = access & says(Verdict::Park);
        rules::WAITS_FOR_OWNER.assert(m, !parks | (reserved & !mine));
        let aborts = says(Verdict::AbortWar) | says(Verdict::AbortWaw) | says(Verdict::AbortRaw);
        let all_counted = access & says(Verdict::AbortCount);
        let as_counted =
            (!all_counted | (mine & next.store & full)) & !(mine & store & succeeds & full);
        let no_other = succeeds | aborts | says(Verdict::Park) | says(Verdict::AbortCount);
        let in_its_way = (access & mine & aborts) | (access & !no_other);
        rules::OWNER_SUCCEEDS.assert(m, as_counted & !in_its_way);
        let legal = next.count.any() & next.count.le(*writes);
        rules::RELEASE_COUNTED.assert(m, !release | succeeds.eq(legal));
        let clears = decided.valid & next.clear & succeeds;
        rules::CLEARED_UNRESERVED.assert(m, !clears | !reserved);

        let begins = store & succeeds & !mine;
        let reads = load & succeeds & rts.lt(warpts);
        let stores = store & succeeds;
        let done = release & succeeds;
        let after = [
            begins.mux(warpts + 1, *wts).and_where(!clears),
            reads.mux(warpts, *rts).and_where(!clears),
            stores.mux(*writes + 1, done.mux(*writes - next.count, *writes)),
            begins.mux(warp, *owner),
        ];
        truth.iter().zip(after).for_each(|(register, after)| register.set(after));
        Self { writes, after: Record::new(&fields, after.to_vec()) }
    }

    pub fn is_reserved(&self) -> Signal<'m> {
        self.writes.any()
    }
}

// What is chosen, and what `issued` shows of it and of the others.

/// The chosen granule and transaction.
pub(super) struct Chosen<'m> {
    pub granule: Signal<'m>,
    pub warp: Signal<'m>,
    /// At this timestamp.
    pub warpts: Signal<'m>,
}

impl<'m> Chosen<'m> {
    pub fn is_by(&self, access: &Record<'m>) -> Signal<'m> {
        access.get("warp").eq(self.warp) & access.get("warpts").eq(self.warpts)
    }
}

/// What is issued at this clock: one of these at most.
pub(super) struct Events<'m> {
    pub request: Signal<'m>,
    pub retry: Signal<'m>,
    pub release: Signal<'m>,
    pub stop: Signal<'m>,
    pub clear: Signal<'m>,
    pub refused_request: Signal<'m>,
    pub refused_retry: Signal<'m>,
}

impl<'m> Events<'m> {
    pub fn new(issued: &Watched<'m>) -> Self {
        let is = |what: Issue| issued.valid & issued.get("what").eq(what as usize);
        Self {
            request: is(Issue::Request),
            retry: is(Issue::Retry),
            release: is(Issue::Release),
            stop: is(Issue::Stop),
            clear: is(Issue::Clear),
            refused_request: is(Issue::RefusedRequest),
            refused_retry: is(Issue::RefusedRetry),
        }
    }
}

// What is issued to the table and not decided, in its order.

/// Accesses, releases and clears in the table: as many as its stages and buffers hold, and those that
/// are shown in the clock after.
const IN_TABLE: u32 = 10;

pub(super) struct InTable<'m> {
    pub queue: Queue<'m>,
    /// What the next verdict is on.
    pub next: Decided<'m>,
    /// Something enters at this clock.
    pub enters: Signal<'m>,
    pub entry: Record<'m>,
    /// More is issued than can be remembered.
    pub too_many: Signal<'m>,
}

/// What a verdict is on, meaningful where there is something.
pub(super) struct Decided<'m> {
    pub any: Signal<'m>,
    pub access: Signal<'m>,
    pub retry: Signal<'m>,
    pub release: Signal<'m>,
    pub clear: Signal<'m>,
    /// The access or release is of the chosen granule.
    pub here: Signal<'m>,
    /// The access to the chosen granule is by the chosen transaction.
    pub chosen: Signal<'m>,
    pub granule: Signal<'m>,
    pub store: Signal<'m>,
    pub warp: Signal<'m>,
    pub warpts: Signal<'m>,
    pub count: Signal<'m>,
}

impl<'m> Decided<'m> {
    /// Reads an entry, if there is `any`.
    pub fn read(chosen: &Chosen<'m>, any: Signal<'m>, entry: &Record<'m>) -> Self {
        let bit = |name: &str| any & entry.get(name);
        let (access, release) = (bit("access"), bit("release"));
        let here = (access | release) & entry.get("granule").eq(chosen.granule);
        Self {
            any,
            access,
            retry: bit("retry"),
            release,
            clear: any & !access & !release,
            here,
            chosen: access & here & chosen.is_by(entry),
            granule: entry.get("granule"),
            store: entry.get("store"),
            warp: entry.get("warp"),
            warpts: entry.get("warpts"),
            count: entry.get("count"),
        }
    }

    pub fn as_access(&self, p: &Params) -> Record<'m> {
        let values = vec![self.granule, self.store, self.warp, self.warpts];
        Record::new(&request_fields(p), values)
    }
}

fn entered_fields(p: &Params) -> Fields {
    Fields::new()
        .with("access", 1, "a load or store")
        .with("retry", 1, "of a waiter")
        .with("release", 1, "a release; else, and no access: a clear")
        .with("granule", p.granule_bits(), "of an access or a release")
        .with("store", 1, "a store")
        .with("warp", p.owner_bits, "the warp")
        .with("warpts", p.timestamp_bits, "its timestamp")
        .with("count", p.write_count_bits, "of a release: writes that are done with")
}

impl<'m> InTable<'m> {
    /// `count`: of the release that is issued.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        chosen: &Chosen<'m>,
        (issued, events): (&Watched<'m>, &Events<'m>),
        count: Signal<'m>,
        decided: Signal<'m>,
    ) -> Self {
        let queue = Queue::new(m, "entered", IN_TABLE, &entered_fields(p));
        let access = events.request | events.retry;
        let values = vec![
            access,
            events.retry,
            events.release,
            p.granule(issued.get("address")),
            issued.get("store"),
            issued.get("warp"),
            issued.get("warpts"),
            count,
        ];
        let entry = Record::new(&entered_fields(p), values);
        let enters = access | events.release | events.clear;
        queue.set(enters, &entry, decided);
        let next = Decided::read(chosen, queue.any(), &queue.oldest());
        Self { too_many: enters & queue.full() & !decided, queue, next, enters, entry }
    }

    /// All that is in the table, from the oldest on.
    pub fn entries(&self, chosen: &Chosen<'m>) -> Vec<Decided<'m>> {
        let entries = self.queue.entries();
        entries.map(|(taken, entry)| Decided::read(chosen, taken, &entry)).collect()
    }
}
