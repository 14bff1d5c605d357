//! The stall buffer: what is retried, and what sleeps.

use super::super::granule::Decided;
use super::super::monitor::Monitor;
use super::super::transaction::{access_on, request_fields};
use super::Inside;
use crate::getm_metadata;
use crate::kit::*;

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
        let last = column(m, last);
        let is_awake = !stall.offered | column(m, stall.lines.iter().map(|line| line.awake));
        let one = (stall.offered & (stall.offered - 1)).eq(0);
        self.invariant("offered", &[is_awake.all(), one, last.any()], "What is offered is awake.");

        let answers = probes.signal(m, "stall.answers", 1);
        let p = self.monitor.p;
        let waiters = probes.signal(m, "waiters", address_bits(p.lines * p.entries + 1));
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
            for (number, line) in (0..).zip(&stall.lines) {
                let equal = line.entries[0].access.pack().eq(access.pack());
                same = same | (stall.offered.bit(number) & equal);
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

    /// A sleeper waits for a granule that is reserved, or just released.
    pub(super) fn nobody_sleeps_at_a_free_granule(&self) {
        let monitor = self.monitor;
        let reserved = monitor.granule.after.get("writes").any();
        let here = |granule: Signal<'m>| granule.eq(monitor.chosen.granule);
        let woken = self.verdict.wakes() & here(self.verdict.access.get("granule"));
        let kept = |line: &Line<'m>| !(line.asleep() & here(line.granule)) | reserved | woken;
        let kept: Vec<_> = self.stall.lines.iter().map(kept).collect();
        self.invariant("sleepers", &kept, "A sleeper waits for a reserved granule.");
    }
}

// The registers of the circuit's parts.

/// The verdict of the last clock.
pub(super) struct Verdict<'m> {
    pub of_table: Signal<'m>,
    pub on_access: Signal<'m>,
    pub on_retry: Signal<'m>,
    pub on_release: Signal<'m>,
    pub on_clear: Signal<'m>,
    /// Its address is that of a granule.
    pub aligned: Signal<'m>,
    /// The access, or the granule of a release.
    pub access: Record<'m>,
    pub verdict: Signal<'m>,
    pub timestamp: Signal<'m>,
    pub reserved: Signal<'m>,
    pub stored: Signal<'m>,
}

impl<'m> Verdict<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let signal = |name: &str, width| probes.signal(m, &format!("verdict_{name}"), width);
        let address = signal("address", p.address_bits);
        let granule = p.granule(address);
        let rest = [
            granule,
            signal("store", 1),
            signal("warp", p.owner_bits),
            signal("warpts", p.timestamp_bits),
        ];
        Self {
            aligned: p.is_aligned(address),
            of_table: signal("of_table", 1),
            on_access: signal("on_access", 1),
            on_retry: signal("on_retry", 1),
            on_release: signal("on_release", 1),
            on_clear: signal("on_clear", 1),
            access: Record::new(&request_fields(p), rest.to_vec()),
            verdict: signal("verdict", 3),
            timestamp: signal("timestamp", p.timestamp_bits),
            reserved: signal("reserved", 1),
            stored: signal("stored", 1),
        }
    }

    /// A release has ended a reservation.
    pub fn wakes(&self) -> Signal<'m> {
        let succeeds = self.verdict.eq(getm_metadata::Verdict::Success as usize);
        self.on_release & succeeds & !self.reserved
    }
}

pub(super) struct Stall<'m> {
    pub lines: Vec<Line<'m>>,
    /// The line that is offered, one-hot.
    pub offered: Signal<'m>,
    /// What was to park in the last clock found room.
    pub had_room: Signal<'m>,
}

pub(super) struct Line<'m> {
    pub granule: Signal<'m>,
    pub awake: Signal<'m>,
    pub retrying: Signal<'m>,
    pub again: Signal<'m>,
    pub entries: Vec<Entry<'m>>,
}

/// An entry of a line, as the access that it was.
pub(super) struct Entry<'m> {
    pub taken: Signal<'m>,
    pub access: Record<'m>,
}

impl<'m> Line<'m> {
    pub fn live(&self) -> Signal<'m> {
        self.entries[0].taken | self.retrying
    }

    /// An access waits for a release.
    pub fn asleep(&self) -> Signal<'m> {
        self.entries[0].taken & !self.awake & !self.retrying
    }
}

impl<'m> Stall<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let line = |number: u32| {
            let signal =
                |name: &str, width| probes.signal(m, &format!("stall.line{number}.{name}"), width);
            let granule = signal("waited_for", p.granule_bits());
            let entry = |i: u32| {
                let field = |name: &str, width| signal(&format!("entry{i}_{name}"), width);
                let rest = [
                    granule,
                    field("store", 1),
                    field("warp", p.owner_bits),
                    field("warpts", p.timestamp_bits),
                ];
                Entry {
                    taken: field("taken", 1),
                    access: Record::new(&request_fields(p), rest.to_vec()),
                }
            };
            Line {
                granule,
                awake: signal("is_awake", 1),
                retrying: signal("is_retrying", 1),
                again: signal("released_again", 1),
                entries: (0..p.entries).map(entry).collect(),
            }
        };
        let lines = (0..p.lines).map(line).collect();
        let offered = probes.signal(m, "stall.offered", p.lines);
        Self { lines, offered, had_room: probes.signal(m, "stall.had_room", 1) }
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry<'m>> {
        self.lines.iter().flat_map(|line| &line.entries)
    }
}
