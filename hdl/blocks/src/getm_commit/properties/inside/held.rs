//! What is remembered as due is what regions and items hold, one after the other.

use warpsmith_rtl::Signal;

use super::super::due::Sum;
use super::ring::Region;
use super::{Inside, Waiting};
use crate::properties::Probes;

/// What a place holds of the chosen region.
struct Held<'m> {
    /// It holds something.
    here: Signal<'m>,
    /// How many writes are due before it.
    before: Signal<'m>,
    /// What its writes come to.
    sum: Sum<'m>,
}

impl<'m> Inside<'_, 'm> {
    pub(super) fn what_is_due_is_held(&self) {
        let (releases, leaving) = (self.held(&self.releases), self.held(&self.leaving));
        let regions: Vec<_> = self.ring.slots.iter().map(|slot| slot.region.clone()).collect();
        let slots = self.held(&regions);
        let items = self.items.iter().map(|Waiting { valid, before, item }| {
            let sum = self.monitor.due.from(*before, item.count);
            Held { here: *valid & item.here, before: *before, sum }
        });
        let items: Vec<_> = items.collect();
        self.releases_are_written(&releases);
        self.what_has_ended_is_closed(&slots, &items);
        let left: Vec<_> = releases.iter().chain(&leaving).collect();
        self.one_behind_the_other(&left, &slots, &items);

        let all = self.leaving.iter().chain(&regions);
        let same = all.zip(leaving.iter().chain(&slots)).map(|(region, Held { here, sum, .. })| {
            let as_due = sum.writes.eq(region.writes)
                & sum.sets.eq(region.sets)
                & sum.value.eq(region.value);
            !*here | (sum.whole & as_due & region.count.any())
        });
        self.invariant_in_parts(
            "regions",
            &same.collect::<Vec<_>>(),
            "A region holds what is due.",
        );
        let same = self.items.iter().zip(&items).map(|(Waiting { item, .. }, held)| {
            let Held { here, sum, .. } = held;
            let as_due = sum.writes.eq(item.writes)
                & sum.sets.eq(item.sets)
                & sum.value.eq(item.sets & item.value);
            !*here | (sum.whole & as_due)
        });
        self.invariant("items", &same.collect::<Vec<_>>(), "An item is due.");
    }

    fn held(&self, regions: &[Region<'m>]) -> Vec<Held<'m>> {
        let held = |region: &Region<'m>| Held {
            here: region.here,
            before: region.before,
            sum: self.monitor.due.from(region.before, region.count),
        };
        regions.iter().map(held).collect()
    }

    /// What has ended is closed, and what is older; or the end waits to be taken.
    fn what_has_ended_is_closed(&self, slots: &[Held<'m>], items: &[Held<'m>]) {
        let has_ended =
            |held: &Held<'m>| held.here & (held.sum.places & *self.monitor.due.ended).any();
        let mut closed = Vec::new();
        for (held, slot) in slots.iter().zip(&self.ring.slots) {
            let open = self.ring.slots.iter().map(|other| other.is_open & other.age.le(slot.age));
            let any_open = open.reduce(|a, b| a | b).expect("a slot");
            closed.push(!has_ended(held) | !any_open | self.end_waits());
        }
        let [_, second] = &self.items;
        closed.push(!has_ended(&items[0]) | (second.valid & second.item.ends));
        closed.push(!has_ended(&items[1]));
        self.invariant("closed", &closed, "What has ended is closed, and what is older.");
    }

    /// Each of them is due behind the one before it. Stated of slots pair by pair, as they do not move.
    fn one_behind_the_other(&self, left: &[&Held<'m>], slots: &[Held<'m>], items: &[Held<'m>]) {
        let (m, due) = (self.m, &self.monitor.due);
        let mut next = m.lit(due.there.width(), 0);
        let mut behind = vec![due.is_sound()];
        for Held { here, before, sum } in left {
            behind.push(!*here | before.eq(next));
            next = here.mux(sum.behind, next);
        }
        let after_left = next;
        let [first, second] = [&items[0], &items[1]];
        let after_ring = first.here.mux(first.before, second.here.mux(second.before, *due.there));
        let after_first = second.here.mux(second.before, *due.there);
        behind.push(!first.here | first.sum.behind.eq(after_first));
        behind.push(!second.here | second.sum.behind.eq(*due.there));

        let ages: Vec<_> = self.ring.slots.iter().map(|slot| slot.age).collect();
        let any = |which: &dyn Fn(usize) -> Signal<'m>| {
            (0..slots.len()).map(|i| slots[i].here & which(i)).reduce(|a, b| a | b).expect("a slot")
        };
        for (s, slot) in slots.iter().enumerate() {
            let older = any(&|u| ages[u].lt(ages[s]));
            let younger = any(&|u| ages[u].gt(ages[s]));
            behind.push(!slot.here | older | slot.before.eq(after_left));
            behind.push(!slot.here | younger | slot.sum.behind.eq(after_ring));
            for (t, other) in slots.iter().enumerate().filter(|(t, _)| *t != s) {
                let between = any(&|u| ages[u].gt(ages[s]) & ages[u].lt(ages[t]));
                let next = slot.here & other.here & ages[s].lt(ages[t]) & !between;
                behind.push(!next | other.before.eq(slot.sum.behind));
            }
        }
        behind.push(any(&|_| m.lit(1, 1)) | after_left.eq(after_ring));
        self.invariant_in_parts(
            "behind",
            &behind,
            "Each holds what is due behind the one before it.",
        );
    }

    /// The region of a release was written: that is remembered beside what is due.
    fn releases_are_written(&self, releases: &[Held<'m>]) {
        let written = &self.monitor.written;
        let mut kept = vec![written.in_order()];
        let mut any = self.m.lit(1, 0);
        for Held { here, sum, .. } in releases {
            let found = written.oldest();
            let same = found.get("sets").eq(sum.sets) & found.get("value").eq(sum.value);
            kept.push(!*here | (sum.whole & (!sum.writes | same)));
            any = any | (*here & sum.writes);
        }
        kept.push(written.count().eq(any.zero_extend(written.count().width())));
        self.invariant("releases", &kept, "A release is of what is due, and written.");
    }

    /// Errors to be raised are remembered.
    pub(super) fn errors_are_raised(&self, probes: &Probes) {
        let (m, errors) = (self.m, &self.monitor.errors);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let raised = (signal("error_raised", 1), signal("error_kind", 2));
        let items =
            self.items.iter().map(|place| (place.valid & place.item.error, place.item.code));
        let mut older = m.lit(errors.count().width(), 0);
        let mut same = Vec::new();
        for (there, code) in std::iter::once(raised).chain(items) {
            same.push(!there | errors.at(older).get("code").eq(code));
            older = older + there.zero_extend(older.width());
        }
        same.extend([errors.count().eq(older), errors.in_order()]);
        self.invariant("errors", &same, "Errors to be raised are remembered.");
    }
}
