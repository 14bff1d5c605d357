//! Invariants that make the proof of our own circuit close: what its registers hold, beside what
//! the properties remember. They are proven together with the rules, by induction over one clock.

use super::monitor::{IdealLine, Monitor, waiter_fields};
use crate::kit::*;

struct Line<'m> {
    granule: Signal<'m>,
    awake: Signal<'m>,
    retrying: Signal<'m>,
    again: Signal<'m>,
    entries: Vec<Entry<'m>>,
}

struct Entry<'m> {
    taken: Signal<'m>,
    waiter: Record<'m>,
    warpts: Signal<'m>,
}

impl<'m> Line<'m> {
    fn new(monitor: &Monitor<'_, 'm>, probes: &Probes, number: u32) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let signal = |name: &str, width| probes.signal(m, &format!("line{number}.{name}"), width);
        let entry = |i: u32| {
            let field = |name: &str, width| signal(&format!("entry{i}_{name}"), width);
            let path = format!("line{number}.entry{i}_");
            let waiter = probes.record(m, &path, &waiter_fields(p));
            Entry { taken: field("taken", 1), waiter, warpts: field("warpts", p.timestamp_bits) }
        };
        Self {
            granule: signal("waited_for", p.granule_bits()),
            awake: signal("is_awake", 1),
            retrying: signal("is_retrying", 1),
            again: signal("released_again", 1),
            entries: (0..p.entries).map(entry).collect(),
        }
    }

    fn live(&self) -> Signal<'m> {
        self.entries[0].taken | self.retrying
    }

    fn count(&self, width: u32) -> Signal<'m> {
        count_of(self.entries.iter().map(|entry| entry.taken), width)
    }
}

pub(super) fn assert_invariants(monitor: &Monitor<'_, '_>, probes: &Probes) {
    let lines: Vec<_> =
        (0..monitor.p.lines).map(|number| Line::new(monitor, probes, number)).collect();
    let inside = Inside { m: monitor.m, monitor, lines };
    inside.lines_are_ideal();
    inside.entries_are_in_order();
    inside.chosen_wait_in_order();
    inside.turns_are_taken(probes);
}

struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    monitor: &'a Monitor<'a, 'm>,
    lines: Vec<Line<'m>>,
}

impl<'m> Inside<'_, 'm> {
    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.m, name, all_of(self.m, kept), doc);
    }

    /// Each line is the ideal line of its granule, and each granule with waiters has a line.
    fn lines_are_ideal(&self) {
        let ideal = &self.monitor.ideal;
        let (mut same, mut apart) = (Vec::new(), Vec::new());
        for (number, line) in self.lines.iter().enumerate() {
            let of_granule = ideal.of(line.granule);
            let count = line.count(of_granule.count.width()).eq(of_granule.count);
            let state = line.awake.eq(of_granule.awake) & line.retrying.eq(of_granule.retrying);
            same.push(!line.live() | (count & state));
            same.push(!line.live() | line.again.eq(of_granule.again));
            same.push(line.live() | !(line.awake | line.again));
            let others = self.lines[..number].iter();
            apart.extend(others.map(|o| !(line.live() & o.live()) | line.granule.ne(o.granule)));
        }
        self.invariant("lines", &same, "A line is as its granule's ideal one.");
        self.invariant("granules_apart", &apart, "Lines have granules of their own.");
        let has_line = |granule: u64| {
            any_of(self.lines.iter().map(|line| line.live() & line.granule.eq(granule)))
        };
        let has = |(granule, line): (u64, IdealLine<'m>)| {
            line.live().eq(has_line(granule)) & (line.live() | !line.awake)
        };
        let has: Vec<_> = (0..).zip(ideal.lines()).map(has).collect();
        self.invariant("granules_have_lines", &has, "A granule with waiters has a line.");
        let live = ideal.number(|line| line.live());
        let number = count_of(self.lines.iter().map(|line| line.live()), live.width());
        self.invariant("line_count", &[number.eq(live)], "As many lines as granules.");
    }

    /// Entries are filled from the first on, and in order behind a chosen first.
    fn entries_are_in_order(&self) {
        let (mut filled, mut sorted, mut states) = (Vec::new(), Vec::new(), Vec::new());
        for line in &self.lines {
            for (i, pair) in line.entries.windows(2).enumerate() {
                filled.push(pair[0].taken | !pair[1].taken);
                let in_order = pair[0].warpts.le(pair[1].warpts);
                let free = if i == 0 { line.awake } else { self.m.lit(1, 0) };
                sorted.push(!pair[1].taken | free | in_order);
            }
            states.push(!line.awake | (line.entries[0].taken & !line.retrying));
            states.push(!line.again | line.awake | line.retrying);
        }
        self.invariant("filled", &filled, "Entries are filled from the first on.");
        self.invariant("sorted", &sorted, "Behind a chosen first, entries are in order.");
        self.invariant("states", &states, "A line that is awake has waiters and no retry.");
    }

    /// The chosen are in their line in the order of their coming, and due if one was there.
    fn chosen_wait_in_order(&self) {
        let chosen = &self.monitor.chosen;
        let mut kept = vec![chosen.waiters.in_order()];
        let count = chosen.waiters.count();
        let mut older = self.m.lit(count.width(), 0);
        let mut due = Vec::new();
        let mut awake = self.m.lit(1, 0);
        for line in &self.lines {
            let here = line.live() & line.granule.eq(chosen.granule);
            for entry in &line.entries {
                let is_chosen = here & entry.taken & entry.warpts.eq(chosen.warpts);
                let same = chosen.waiters.at(older).pack().eq(entry.waiter.pack());
                kept.push(!is_chosen | same);
                older = older + is_chosen.zero_extend(count.width());
            }
            let first = line.entries[0].warpts;
            let as_due =
                (!chosen.due | first.le(chosen.warpts)) & (chosen.due | first.ne(chosen.warpts));
            due.push(!(here & line.awake) | as_due);
            awake = awake | (here & line.awake);
        }
        kept.push(count.eq(older));
        self.invariant("chosen", &kept, "The chosen wait in the order of their coming.");
        due.push(!chosen.due | (awake & chosen.waiters.any()));
        self.invariant("due", &due, "The first is not later than the chosen, if one was there.");
    }

    /// Lines take turns, so that none waits for long.
    fn turns_are_taken(&self, probes: &Probes) {
        let (m, lines) = (self.m, self.lines.len() as u32);
        let offered = probes.signal(m, "offered", lines);
        let above = probes.signal(m, "turn.above_last", lines);
        let is_awake = !offered | column(m, self.lines.iter().map(|line| line.awake));
        let one = (offered & (offered - 1)).eq(0);
        self.invariant("offered", &[is_awake.all(), one], "What is offered is awake.");

        // The line that was offered last: those above it come next.
        let above_line = |line: u32| m.constant(Bits::from_fn(lines, |i| i > line));
        let last = column(m, (0..lines).map(|line| above.eq(above_line(line))));
        let as_last = !offered.any() | offered.eq(last);
        self.invariant("last_offered", &[last.any(), as_last], "The turn follows what is offered.");

        let Monitor { waiting, overtaken, .. } = *self.monitor;
        let mut in_turn = Vec::new();
        let mut any = m.lit(1, 0);
        for (number, line) in (0..lines).zip(&self.lines) {
            let waits = line.live() & line.awake & line.granule.eq(self.monitor.chosen.granule);
            // Lines that are offered before it, if it is not offered itself.
            let ahead = |last| m.lit(8, u64::from((number + lines - last - 1) % lines + 1));
            let ahead = one_hot::select(last, &(0..lines).map(ahead).collect::<Vec<_>>());
            let ahead = offered.bit(number).mux(m.lit(8, 0), ahead);
            let most = m.lit(8, u64::from(lines)) - ahead;
            in_turn.push(!waits | waiting.zero_extend(8).le(most));
            // Another line on offer will be the next to overtake it.
            let other = (offered.any() & !offered.bit(number)).zero_extend(8);
            in_turn.push(!waits | (overtaken.zero_extend(8) + other).le(most));
            in_turn.push(!waits | overtaken.lt(u64::from(lines)));
            any = any | waits;
        }
        in_turn.push(any | !(waiting.any() | overtaken.any()));
        self.invariant("in_turn", &in_turn, "A waiter comes nearer at each clock and each retry.");
    }
}
