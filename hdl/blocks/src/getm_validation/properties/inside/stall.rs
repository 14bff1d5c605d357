//! The stall buffer: who is retried, and who sleeps.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{Bits, Signal, address_bits};

use super::super::in_table::Decided;
use super::super::taken::access_on;
use super::Inside;
use crate::properties::Probes;

impl<'m> Inside<'_, 'm> {
    /// Lines are filled from the first on, and have granules of their own.
    pub(super) fn lines_are_sound(&self, probes: &Probes) {
        let (m, stall) = (self.m, &self.stall);
        let (mut kept, mut apart) = (Vec::new(), Vec::new());
        for (number, line) in stall.lines.iter().enumerate() {
            for pair in line.entries.windows(2) {
                kept.push(pair[0].taken | !pair[1].taken);
            }
            kept.push(!line.awake | (line.entries[0].taken & !line.retrying));
            kept.push(!line.again | line.awake | line.retrying);
            let others = stall.lines[..number].iter();
            apart.extend(others.map(|o| !(line.live() & o.live()) | line.granule.ne(o.granule)));
        }
        self.invariant("lines", &kept, "Lines are filled, and in one state.");
        self.invariant("granules_apart", &apart, "Lines have granules of their own.");

        let lines = stall.lines.len() as u32;
        let above = probes.signal(m, "stall.turn.above_last", lines);
        let last = (0..lines).map(|line| above.eq(m.constant(Bits::from_fn(lines, |i| i > line))));
        let last = m.concat_low_first(&last.collect::<Vec<_>>());
        let awake: Vec<_> = stall.lines.iter().map(|line| line.awake).collect();
        let is_awake = !stall.offered | m.concat_low_first(&awake);
        let one = (stall.offered & (stall.offered - 1)).eq(0);
        self.invariant("offered", &[is_awake.all(), one, last.any()], "What is offered is awake.");

        let answers = probes.signal(m, "stall.answers", 1);
        let waiters = probes.signal(
            m,
            "waiters",
            address_bits(self.monitor.p.lines * self.monitor.p.entries + 1),
        );
        let taken = self.number(stall.entries().map(|entry| entry.taken));
        let count = waiters.zero_extend(5) + (answers & stall.had_room).zero_extend(5);
        self.invariant("waiters", &[count.eq(taken)], "As many wait as are counted.");
    }

    /// What is in the table, and whether it is a retry without a verdict.
    pub(super) fn retries(&self) -> Vec<(Signal<'m>, Decided<'m>)> {
        let in_table = self.monitor.in_table.entries(&self.monitor.chosen).into_iter().enumerate();
        let undecided = |i| if i == 0 { !self.monitor.decided.valid } else { self.m.lit(1, 1) };
        in_table.map(|(i, entry)| (entry.access & entry.retry & undecided(i), entry)).collect()
    }

    /// A retry is in the table while its line is offered, and its line waits for the result in the
    /// clock of its verdict.
    pub(super) fn retries_are_offered(&self, probes: &Probes) {
        let (m, p, monitor, stall) = (self.m, self.monitor.p, self.monitor, &self.stall);
        let events = &monitor.events;
        let under_way = probes.signal(m, "retry_under_way", 1);
        let mut kept = Vec::new();
        let mut retries = Vec::new();
        // Whether an access is the first of the line that is offered.
        let is_offered = |access: &Record<'m>| {
            let mut same = m.lit(1, 0);
            for (number, line) in stall.lines.iter().enumerate() {
                let first = &line.entries[0].access;
                let equal = first.pack().eq(access.pack());
                same = same | (stall.offered.bit(number as u32) & equal);
            }
            same
        };
        for (retry, entry) in self.retries() {
            kept.push(entry.access | !entry.retry);
            kept.push(!retry | is_offered(&entry.as_access(p)));
            retries.push(retry);
        }
        kept.push(!events.retry | is_offered(&access_on(p, &monitor.issued)));
        retries.push(events.retry);
        kept.push(self.number(retries).eq(under_way.zero_extend(5)));
        self.invariant("retries", &kept, "One retry is in the table, and its line is offered.");

        let verdict = &self.verdict;
        let mut kept = Vec::new();
        for line in &stall.lines {
            let of_line = verdict.on_retry & verdict.access.get("granule").eq(line.granule);
            kept.push(!line.retrying | of_line);
        }
        let retrying = self.number(stall.lines.iter().map(|line| line.retrying));
        kept.push(retrying.eq(verdict.on_retry.zero_extend(5)));
        self.invariant("retrying", &kept, "A line waits for the result that comes now.");
    }

    /// Who sleeps waits for a granule that is reserved, or just released.
    pub(super) fn nobody_sleeps_at_a_free_granule(&self) {
        let monitor = self.monitor;
        let reserved = monitor.granule.after.get("writes").any();
        let here = |granule: Signal<'m>| granule.eq(monitor.chosen.granule);
        let woken = self.verdict.wakes() & here(self.verdict.access.get("granule"));
        let kept: Vec<_> = (self.stall.lines.iter())
            .map(|line| !(line.asleep() & here(line.granule)) | reserved | woken)
            .collect();
        self.invariant("sleepers", &kept, "Who sleeps waits for a reserved granule.");
    }
}
