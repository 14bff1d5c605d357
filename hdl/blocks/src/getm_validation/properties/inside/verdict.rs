//! The clock after the table's answer.

use super::Inside;
use crate::getm_metadata;

impl Inside<'_, '_> {
    /// A verdict is on the oldest in the table, or on what is refused.
    pub(super) fn verdicts_are_on_what_entered(&self) {
        let (verdict, monitor) = (&self.verdict, self.monitor);
        let (next, events, issued) = (&monitor.in_table.next, &monitor.events, &monitor.issued);
        let decides = verdict.of_table;
        let refuses = events.refused_request | events.refused_retry;
        let kept = [
            !decides | next.any,
            verdict.on_access.eq((decides & next.access) | refuses),
            verdict.on_release.eq(decides & next.release),
            verdict.on_clear.eq(decides & next.clear),
            verdict.on_retry.eq((decides & next.access & next.retry) | events.refused_retry),
            !(decides & refuses),
        ];
        self.invariant("verdict", &kept, "A verdict is on the oldest, or on who is refused.");

        let of = |name: &str| verdict.access.get(name);
        let same =
            of("store").eq(next.store) & of("warp").eq(next.warp) & of("warpts").eq(next.warpts);
        let shown = ["store", "warp", "warpts"].map(|name| of(name).eq(issued.get(name)));
        let shown = shown[0] & shown[1] & shown[2];
        let granule = super::super::granule_of(monitor.p, issued).eq(of("granule"));
        let is = |v: getm_metadata::Verdict| verdict.verdict.eq(v as usize);
        let succeeds = is(getm_metadata::Verdict::Success);
        let aborts = [
            getm_metadata::Verdict::AbortWar,
            getm_metadata::Verdict::AbortWaw,
            getm_metadata::Verdict::AbortRaw,
        ];
        let aborts = aborts.map(is);
        let aborts = aborts[0] | aborts[1] | aborts[2];
        let kept = [
            !(decides & !next.clear) | of("granule").eq(next.granule),
            !(decides & next.access) | same,
            !refuses | (granule & shown & verdict.verdict.eq(6)),
            !refuses | !(verdict.reserved | verdict.stored),
            !(decides & next.access) | verdict.stored.eq(next.store & succeeds),
            !(decides & next.access & next.here & aborts) | verdict.timestamp.gt(of("warpts")),
        ];
        self.invariant("verdict_access", &kept, "A verdict has the fields of what it is on.");
        let after = monitor.granule.after.get("writes").any();
        let told = decides & next.here & !is(getm_metadata::Verdict::Error);
        let kept = [!told | verdict.reserved.eq(after)];
        self.invariant("verdict_reserved", &kept, "It is known who is reserved.");

        // Nobody is issued that has no time left.
        let limit = monitor.p.limit();
        let mut kept = Vec::new();
        for entry in monitor.in_table.entries(&monitor.chosen) {
            kept.push(!entry.access | entry.warpts.lt(limit));
        }
        let runs = events.request | events.retry;
        kept.push(!runs | issued.get("warpts").lt(limit));
        for entry in self.stall.entries() {
            kept.push(!entry.taken | entry.access.get("warpts").lt(limit));
        }
        self.invariant("in_time", &kept, "Who is issued has time left.");
        let entries = monitor.in_table.entries(&monitor.chosen).into_iter();
        let one_kind = entries.map(|entry| !(entry.access & entry.release));
        let kept: Vec<_> = one_kind.chain([monitor.in_table.queue.in_order()]).collect();
        self.invariant("in_table", &kept, "What is in the table has no gaps, and is of one kind.");
    }
}
