//! The true metadata of the chosen granule, and the verdicts that it allows.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::in_table::Decided;
use crate::getm_metadata::Verdict;
use crate::getm_validation::params::Params;
use crate::getm_validation::rules;
use crate::properties::Watched;

/// What is true of the chosen granule, as in a table without limits.
pub(super) struct Granule<'m> {
    /// Writes under way.
    writes: Reg<'m>,
    /// What is true after the verdict of this clock.
    pub after: Record<'m>,
}

fn fields(p: &Params) -> Fields {
    Fields::new()
        .with("wts", p.timestamp_bits, "one more than the time of the last write")
        .with("rts", p.timestamp_bits, "the time of the last read")
        .with("writes", p.write_count_bits, "writes under way")
        .with("owner", p.owner_bits, "the warp that reserves it")
}

impl<'m> Granule<'m> {
    /// Follows the verdicts, and asserts that they are legal: timestamps of a granule that nobody
    /// reserves are approximate, so aborts may be more than needed, and successes may not.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        decided: &Watched<'m>,
        next: &Decided<'m>,
    ) -> Self {
        let fields = fields(p);
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
