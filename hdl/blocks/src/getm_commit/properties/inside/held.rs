//! What is remembered as due is what regions and items hold, one after the other.

use super::super::due::{Sum, one_more};
use super::super::monitor::Progress;
use super::ring::{Region, Slot};
use super::{Buffer, Inside, Waiting};
use crate::kit::*;

/// What a place holds of the chosen region.
struct Held<'m> {
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
        let same: Vec<_> = same.collect();
        self.invariant_in_parts("regions", &same, "A region holds what is due.");
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
            closed.push(!has_ended(held) | !any_of(open) | self.end_waits());
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
            any_of((0..slots.len()).map(|i| slots[i].here & which(i)))
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
        self.invariant_in_parts("behind", &behind, "Each holds what is due behind its older one.");
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

// How many of the writes that are due are before the first of each region and of each item: that moves
// through registers as regions and items move through the circuit.

/// What is before each of them, in unary.
pub(super) struct Before<'m> {
    pub items: [Signal<'m>; 2],
    pub slots: Vec<Signal<'m>>,
    pub read: Signal<'m>,
    pub leaving: [Signal<'m>; 2],
    pub releases: [Signal<'m>; 2],
}

pub(super) struct Moves<'a, 'm> {
    /// The writes that are due.
    pub due: Signal<'m>,
    /// How many of them leave at the edge.
    pub leave: Signal<'m>,
    pub items: &'a Buffer<'m>,
    /// The slot of the region that is begun, if one is.
    pub begins: Signal<'m>,
    /// The slot of the region that is read, if one is.
    pub reads: Signal<'m>,
    pub leaving: &'a Buffer<'m>,
    pub releases: &'a Buffer<'m>,
}

impl<'m> Before<'m> {
    pub fn new(m: &'m ModuleBuilder, moves: &Moves<'_, 'm>) -> Self {
        let width = moves.due.width();
        let register = |name: &str, value: &dyn Fn(Signal<'m>) -> Signal<'m>| {
            let register = m.reg_without_reset(&format!("before_{name}"), width);
            register.set(value(*register).shift_right(moves.leave));
            *register
        };
        // As the data of a skid buffer do.
        let through = |name: &str, buffer: &Buffer<'m>, entering: Signal<'m>| {
            let second = register(&format!("{name}1"), &|second| {
                buffer.places.valid[1].mux(second, entering)
            });
            let moved = buffer.places.valid[1].mux(second, entering);
            [register(&format!("{name}0"), &|first| buffer.leaves.mux(moved, first)), second]
        };
        let items = through("item", moves.items, moves.due);
        let slot = |(slot, begins): (usize, Signal<'m>)| {
            register(&format!("slot{slot}"), &|held| begins.mux(items[0], held))
        };
        let slots: Vec<_> = moves.begins.to_bits().into_iter().enumerate().map(slot).collect();
        let is_read = one_hot::select(moves.reads, &slots);
        let read = register("read", &|held| moves.reads.any().mux(is_read, held));
        let leaving = through("leaving", moves.leaving, read);
        let releases = through("release", moves.releases, leaving[0]);
        Self { items, slots, read, leaving, releases }
    }
}

// Why what is due happens in time.

impl<'m> Inside<'_, 'm> {
    /// While `write` and `release` are taken, buffers become empty and regions move on.
    pub(super) fn everything_moves_on(&self) {
        let Progress { refusing, waiting, unraised, overtaken } = &self.monitor.progress;
        let full = self.ring.is_full();
        let drained = |clocks: &Signal<'m>| {
            let release = clocks.lt(1) | !self.releases[1].valid;
            let region = clocks.lt(2) | !self.leaving[1].valid;
            release & region
        };
        let Waiting { valid, item, .. } = &self.items[0];
        let is_error = *valid & item.error;
        let kept = [
            drained(refusing),
            refusing.lt(3) | !full,
            refusing.le(4),
            refusing.lt(4) | !self.items[1].valid,
        ];
        self.invariant("taken", &kept, "While regions leave, the ring has room.");
        let raised = self.monitor.error.valid;
        let kept = [
            drained(unraised),
            unraised.lt(3) | raised | is_error | !full,
            unraised.lt(4) | raised | is_error,
            unraised.lt(5) | raised,
            unraised.le(5),
        ];
        self.invariant("unraised", &kept, "An error comes to the front.");

        // The oldest region comes one place nearer to its release at each clock.
        let mut oldest = self.m.lit(1, 1);
        let mut moved = vec![drained(waiting)];
        for (region, most) in self.releases.iter().chain(&self.leaving).zip([5, 0, 4, 4, 3]) {
            moved.push(!(oldest & region.valid) | waiting.le(most));
            oldest = oldest & !region.valid;
        }
        let closes = *valid & item.ends;
        for Slot { region, is_in_window, is_open, .. } in &self.ring.in_order {
            let here = oldest & region.valid;
            moved.push(!here | waiting.le(2));
            moved.push(!(here & *is_in_window) | waiting.le(1));
            moved.push(!(here & *is_open & !closes) | !waiting.any());
            oldest = oldest & !region.valid;
        }
        moved.push(!oldest | !waiting.any());
        self.invariant("moved", &moved, "The oldest region moves on each clock.");

        // What is ahead of the chosen region may yet be released before it.
        let (mut ahead, mut found) = (*overtaken, self.m.lit(1, 0));
        for region in self.regions() {
            found = found | region.here;
            ahead = (region.valid & !found).mux(one_more(ahead), ahead);
        }
        found = found | (*valid & item.here);
        ahead = (*valid & !found).mux(one_more(ahead), ahead);
        self.invariant("overtaken", &[!ahead.all()], "Older regions go before, and no others.");
    }
}
